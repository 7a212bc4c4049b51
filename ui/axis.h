/*
 * Axes with round numbers. A value axis has 3 to 5 labels, a whole number of rows apart, so that each
 * stands exactly where its value is drawn. Pure functions, any thread.
 */
#ifndef IODECK_UI_AXIS_H
#define IODECK_UI_AXIS_H

#include <stdbool.h>
#include <stdint.h>

/* A value axis from lo to hi over `rows` rows with `intervals` + 1 labels. */
struct axis {
	double lo, hi;
	int rows;      /* rows in use: a multiple of intervals, at most two less than offered */
	int intervals; /* 2..4; a log axis: as many as there are steps */
	bool log;
};

/*
 * Fits an axis from 0 to a round top >= 1.05 x max into at most `rows` rows (>= 2). unit: what a round
 * number is a multiple of (1, or a power of 1024 for bytes, see axis_unit).
 */
struct axis axis_zero(double max, double unit, int rows);
/* From a round number at or below min; as axis_zero() where there is no range to fit to. */
struct axis axis_fitted(double min, double max, double unit, int rows);
/* In steps of `base` (10, or 16 for IEC bytes), from at or below min (> 0) to above max. */
struct axis axis_log(double min, double max, double base, int rows);
/* The unit in which bytes up to max are round: 1, 1024, 1024^2 ... */
double axis_unit(double max, bool si);
/* Where v lies: 0 at lo, 1 at hi; may lie outside of [0, 1]. Log: -INFINITY for 0. */
double axis_pos(const struct axis *, double v);
/* The value of label i, 0..intervals, and its distance from the bottom in rows. */
double axis_label(const struct axis *, int i);
int axis_label_row(const struct axis *, int i);

/*
 * Keeps an axis from jumping about: the maximum it has to show grows at once and shrinks only after
 * values stayed below half of it for 3 s. {0} is a fresh one.
 */
struct axis_hold {
	double max;
	uint64_t low_since_ns; /* 0: not below half */
};
#define AXIS_SHRINK_NS 3000000000ull
/* The maximum to fit for, given that of the window in view (NAN: nothing in view). */
double axis_hold_update(struct axis_hold *, double max, uint64_t now_ns);

/*
 * The latency axis is the same on every screen: log, 1 us..10 s (7 decades), or 10 us..1 s (5) below
 * 14 cells. Half cells from the left, 0..2 * width; below and above the ends it is clamped.
 */
struct lat_axis {
	int width, decades;
	double lo_ns, hi_ns;
};
#define LAT_AXIS_NARROW 14
struct lat_axis lat_axis_make(int width);
int lat_axis_half_cells(const struct lat_axis *, double ns);

#endif
