/* What the parts of the Compare screen share: the moment that is drawn, made once a frame. Private to them. */
#ifndef IODECK_UI_COMPARE_PANES_H
#define IODECK_UI_COMPARE_PANES_H

#include "ui/view_compare.h"
#include "ui/w_items.h"

struct compare_screen {
	const struct ui_state *st;
	const struct compare_state *cs;
	const struct model *m;
	uint32_t n; /* lanes that are shown */
	bool running, over, has_data;
	uint64_t begin_ns, t_end_ns, window_ns; /* first measurement; right edge; never 0 */
};

/* One lane: heading, graph, and numbers in the last side_w columns. last: with the times below. */
void compare_band(struct canvas *, const struct compare_screen *, uint32_t lane, struct rect,
		  int side_w, bool last);
/* All lanes in one graph. */
void compare_overlay(struct canvas *, const struct compare_screen *, struct rect, int side_w);
/* "A nvme1n1 364k IOPS p99 151 us" */
void compare_line(struct canvas *, const struct compare_screen *, uint32_t lane, struct rect row);
/* compare_table.c: A against the other lane; heading, column names, quantities. */
void compare_table(struct canvas *, const struct compare_screen *, struct rect);

#endif
