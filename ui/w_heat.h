/*
 * Latency over time as a heat map (B. Gregg, "Visualizing System Latency", ACM Queue 2010): columns are time,
 * rows latency, the shade is a row's share of its column's I/Os. A row begins at the latency that stands
 * beside it; the lowest and the highest are open. Whatever was measured is at least the lightest shade.
 *
 *    > 2ms |      .     .        what is rare
 *    200us |            ---      where 98 % of the I/Os are: rows as fine as fit
 *    100us | @@@@#@@@@@@***
 *  < 100us | :::-:..::::
 */
#ifndef IODECK_UI_W_HEAT_H
#define IODECK_UI_W_HEAT_H

#include "ui/canvas.h"
#include "ui/heat.h"

#define HEAT_ROWS_MAX 40

/*
 * Rows for what is in view: row i holds the bins [edge[i], edge[i + 1]), from the bottom. At most `rows`
 * (2..HEAT_ROWS_MAX), never more; the number of rows. Every bin has a row.
 */
int heat_rows(const uint64_t n[HEAT_BINS], int rows, int edge[HEAT_ROWS_MAX + 1]);
/* 0..6 for a part > 0 of a whole, -1 for nothing. */
int heat_shade(uint64_t part, uint64_t whole);
/* "315us", "1.25ms" */
void heat_label(const struct canvas *, int bin, char *out, size_t size);

/* n columns right of the gutter, which holds the labels and the axis line. */
/* cursor: the column that is read out, -1 none; its empty cells are marked. */
void w_heat(struct canvas *, struct rect r, int gutter, const struct heat_col *cols, int n,
	    int cursor);
/* The upper edge of the bin in which the pct-th of 100 lies; UINT64_MAX: it is open. n > 0. */
uint64_t heat_below_ns(const struct heat_col *, double pct);

#endif
