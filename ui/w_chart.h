/*
 * An area graph over time by eighths of a cell: reads at the bottom, writes and trims stacked on them,
 * each in its own role and glyph. A dot marks a peak well above its column's mean. Ramp is hatched: its
 * values are in no statistics. Marks stand on the time axis with their texts below. Draws only; what is shown and on which axis is the caller's.
 *
 *     400k +          ####      rows of the axis
 *          |   ##########
 *        0 +---^------------    axis with marks
 *          -42s  qd 8>32  now   texts
 */
#ifndef IODECK_UI_W_CHART_H
#define IODECK_UI_W_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/axis.h"
#include "ui/canvas.h"
#include "ui/model.h"

struct chart_mark {
	int col; /* 0..n-1 of the columns */
	uint32_t glyph;
	enum role role;
	const char *text; /* "" none */
};

/* Something else on the same axis: a sign in each column, over the area. */
struct chart_line {
	const double *v; /* as many as columns; NAN: no sign there */
	uint32_t glyph;
	enum role role;
};

enum chart_what {
	CHART_IOPS,
	CHART_BPS,
	CHART_QUEUE, /* in flight as an area, aqu-sz as a line of dots over it */
	CHART_NR
};

struct chart {
	const struct point *cols; /* w_chart_cols() of them */
	enum chart_what what;
	bool si;
	struct axis axis;
	int gutter; /* columns of the labels and the axis line; 0: no axes at all */
	int cursor; /* the column that is read out, from 1; 0 none */
	const struct chart_mark *marks; /* oldest first */
	size_t n_marks;
	const struct chart_line *lines; /* where two meet, the first one is seen */
	size_t n_lines;
	const char *left, *right; /* times at the ends; NULL: no row for texts */
};

/* The size of the plot within r. */
int w_chart_cols(struct rect r, int gutter);
int w_chart_rows(struct rect r, int gutter, bool texts);
/* What a column shows, all ops together. */
double w_chart_value(enum chart_what, const struct point *);
void w_chart(struct canvas *, struct rect r, const struct chart *);

#endif
