/*
 * What the views draw: the newest snapshot and the series kept from earlier ones. Fed by ui.c with every
 * snapshot. Rates are the sampler's; the model only averages them over time. One exception: when
 * snapshots were missed (a stalled terminal), what was done meanwhile is read from the totals, so that
 * a slow screen never makes a hole in the graph. UI thread only; owned by the UI.
 */
#ifndef IODECK_UI_MODEL_H
#define IODECK_UI_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/stat/snapshot.h"
#include "ui/axis.h"
#include "ui/heat.h"

/* One chart column: means over the time that was measured within it. NAN: nothing was. */
struct point {
	uint64_t t_ns; /* end of the column, monotonic */
	double iops[IO_OP_NR], bps[IO_OP_NR];
	double iops_max; /* highest 100 ms value within, all ops */
	double inflight; /* mean of the samplings */
	double aqu_sz;   /* mean of the target disks' sum; NAN: not known */
	bool ramp;       /* mostly ramp or a change that settles: in no statistics of a segment */
};

enum { MODEL_IOPS, MODEL_BPS, MODEL_QUEUE, MODEL_QUANTITIES };

struct series; /* bounded: 100 ms for 10 minutes, then 1 s for 24 h with the maximum kept */

struct model {
	struct snapshot *snap; /* newest; seq 0: none yet */
	struct series *lane[LANE_MAX];
	struct heat *heat[LANE_MAX];
	struct axis_hold hold[LANE_MAX][MODEL_QUANTITIES]; /* see model_hold_axes */
};

void model_init(struct model *);
void model_fini(struct model *);
/* Takes over a snapshot: appends to the series of running lanes, begins anew with a new run. */
void model_update(struct model *, const struct snapshot *);
/* Begin of the first and end of the last measured interval; false: nothing measured yet. */
bool model_span(const struct model *, uint32_t lane, uint64_t *begin_ns, uint64_t *end_ns);
/*
 * Bins the last window_ns (0: the whole run) up to t_end_ns into n columns by time. An interval that
 * two columns share counts in each with its share of time, so the columns add up to what was done. A
 * column without measurement is NAN; nothing is interpolated. Of the newest column less than 20 ms
 * measured says nothing: it is NAN (unless columns are that narrow).
 */
void model_columns(const struct model *, uint32_t lane, uint64_t t_end_ns, uint64_t window_ns,
		   struct point *cols, size_t n);
/*
 * Follows what is in view, so that the axes do not jump: once a frame, before drawing, with what
 * model_columns() will be asked for. Without it the axes fit what is in view now.
 */
void model_hold_axes(struct model *, uint64_t now_ns, uint64_t t_end_ns, uint64_t window_ns);

#endif
