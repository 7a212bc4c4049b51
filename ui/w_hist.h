/*
 * How latencies are distributed: latency from left to right on a log axis that fits what is there, the
 * share of the I/Os upwards. Two distributions may be compared: an area, and dots over it, each of its
 * own total. Whatever was measured is at least one eighth of a row high.
 */
#ifndef IODECK_UI_W_HIST_H
#define IODECK_UI_W_HIST_H

#include "src/stat/hist.h"
#include "ui/canvas.h"

struct histogram {
	const struct hist *area, *dots; /* dots: NULL none */
	int gutter;
};

/* Rows of the plot, the axis, and the latencies below it. */
void w_hist(struct canvas *, struct rect r, const struct histogram *);

/*
 * Shares of n columns between lo_ns and hi_ns (log), summing up to 1; a bucket that lies in several
 * columns counts in each with its part of it. What is outside counts in the end columns. False: empty.
 */
bool hist_shares(const struct hist *, double lo_ns, double hi_ns, double *shares, int n);

#endif
