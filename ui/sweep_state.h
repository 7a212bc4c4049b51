/* Where the user is on the Sweep screen, and what the next sweep shall measure. Plain data. */
#ifndef IODECK_UI_SWEEP_STATE_H
#define IODECK_UI_SWEEP_STATE_H

#include <stdbool.h>

#include "src/spec/sweep_spec.h"
#include "src/stat/knee.h"
#include "src/stat/sweep_view.h"

enum sweep_metric {
	SWEEP_M_IOPS,
	SWEEP_M_BW,
	SWEEP_M_MEAN,
	SWEEP_M_P50,
	SWEEP_M_P90,
	SWEEP_M_P99,
	SWEEP_M_P999,
	SWEEP_M_EFFICIENCY, /* IOPS per request in flight */
	SWEEP_M_CPU,        /* processor time per I/O */
	SWEEP_M_WRITTEN,
	SWEEP_M_NR
};

struct sweep_state {
	struct sweep_spec spec; /* of the next start; settled */
	unsigned row, col;      /* the cursor, within the grid that is shown */
	enum sweep_metric metric;
	enum knee_rule rule;
	bool row_curve;               /* the curve is the chosen row's, not the column's */
	bool both;                    /* spec has reads and writes as its columns */
	struct sweep_axis col_before; /* both: the axis that they took the place of; n 0: none */
	enum sweep_kind col_kind;
};

/* The console's default: depth 1..128 by four block sizes. */
void sweep_state_init(struct sweep_state *);
/* The cursor back into a grid of rows x cols. */
void sweep_state_clamp(struct sweep_state *, unsigned rows, unsigned cols);
/* "IOPS" "MiB/s" "p99" ... */
const char *sweep_metric_word(enum sweep_metric);
/* The number of a cell in the metric's unit; NAN unknown. */
double sweep_metric_value(const struct sweep_cell *, enum sweep_metric);
bool sweep_metric_is_time(enum sweep_metric);

#endif
