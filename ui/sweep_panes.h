/* What the parts of the Sweep screen share. Private to view_sweep.c and sweep_*.c. */
#ifndef IODECK_UI_SWEEP_PANES_H
#define IODECK_UI_SWEEP_PANES_H

#include "ui/view.h"
#include "ui/w_items.h"

#define SWEEP_LABEL_W 9  /* "     qd |" */
#define SWEEP_CELL_W  12 /* shade 2, blank, value 7, mark, blank */

struct sweep_screen {
	const struct ui_state *st;
	const struct snapshot *snap;
	const struct sweep_view *v; /* phase SWEEP_OFF: r is the empty grid of what is planned */
	bool runs;
	unsigned row, col; /* the cursor, within the grid */
	struct rect grid, curve, findings, now;
};

/* Columns that the grid wants for all of its columns. */
int sweep_grid_width(const struct sweep_result *);
/* Header, as many rows as there are (the cursor stays in view), a legend. */
void sweep_grid(struct canvas *, const struct sweep_screen *);
/* The chosen column, or with row_curve the chosen row, as bars. */
void sweep_curve(struct canvas *, const struct sweep_screen *);
/* Does it show p99 below the bars? Where there is room, and the bars are not times themselves. */
bool sweep_curve_has_p99(const struct sweep_screen *);

#endif
