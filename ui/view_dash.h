/* What the parts of the Run screen share: the moment that is drawn, made once a frame. Private to them. */
#ifndef IODECK_UI_VIEW_DASH_H
#define IODECK_UI_VIEW_DASH_H

#include "ui/layout.h"
#include "ui/view.h"
#include "ui/w_chart.h"
#include "ui/w_items.h"

extern const struct view_ops view_dash;

struct dash {
	const struct ui_state *st;
	const struct model *m;
	const struct snapshot *snap;
	uint32_t lane_index;
	const struct lane_snap *lane;
	const struct op_win
		*win; /* the last second, or the whole run when it is over or asked for */
	struct layout lay;
	bool running, over, totals, has_data;
	uint64_t t0_ns;              /* zero of the times shown */
	uint64_t begin_ns, t_end_ns; /* first measurement; right edge of the graph */
	uint64_t window_ns;          /* 0: the whole run */
	bool two_panes;              /* IOPS above, `pane` below */
	enum pane pane;
	int gutter; /* columns of the labels left of the panes, the axis line included */
};

/* dash_bars.c: the single rows */
void dash_top(struct canvas *, const struct dash *);
void dash_target(struct canvas *, const struct dash *);
void dash_hint(struct canvas *, const struct dash *);
void dash_line(struct canvas *, const struct dash *); /* the whole screen when it is one line */
/* Words on as many rows of r as there are; the last one ends in an ellipsis when they do not suffice. */
void dash_wrap(struct canvas *, struct rect r, enum role, const char *text);
/* dash_graph.c. titled: the first row of r is a heading; texts: the last one holds the times. */
void dash_chart(struct canvas *, const struct dash *, struct rect r, enum chart_what, bool titled,
		bool texts);
void dash_heat(struct canvas *, const struct dash *, struct rect r, bool texts);
/* dash_panes.c */
void dash_graph(struct canvas *, const struct dash *);
void dash_lower(struct canvas *, const struct dash *);
/* dash_instead.c: draws what there is before the first measurement; false: there is something to plot. */
bool dash_instead(struct canvas *, const struct dash *, struct rect r);

#endif
