/*
 * What the views draw: the newest snapshot and the series kept from earlier ones. Fed by ui.c with every
 * snapshot, never computes a rate or a percentile itself. UI thread only; owned by the UI.
 */
#ifndef IODECK_UI_MODEL_H
#define IODECK_UI_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/stat/snapshot.h"

/* One chart point: an interval of 100 ms (recent) or 1 s (older). NAN: nothing was measured. */
struct point {
	uint64_t t_ns; /* end of the interval, monotonic */
	double iops[IO_OP_NR], bps[IO_OP_NR];
	double iops_max; /* highest 100 ms value within, all ops */
};

struct series; /* bounded: 100 ms for 10 minutes, 1 s for 24 h */

struct model {
	struct snapshot *snap; /* newest; seq 0: none yet */
	struct series *lane[LANE_MAX];
};

void model_init(struct model *);
void model_fini(struct model *);
/* Takes over a snapshot: appends to the series of running lanes, begins anew with a new run. */
void model_update(struct model *, const struct snapshot *);
/*
 * Bins the last window_ns (0: the whole run) up to t_end_ns into n columns. A column without
 * measurement is NAN. Means over time, `iops_max` the maximum within the column.
 */
void model_columns(const struct model *, uint32_t lane, uint64_t t_end_ns, uint64_t window_ns,
		   struct point *cols, size_t n);

#endif
