/*
 * Decides what a sweep does next. A pure state machine: lane snapshots and times go in, the next tuning
 * comes out; it starts nothing and reads no clock. Cells are measured like this:
 *
 *   settle    until the workers have taken the tuning over
 *   ramp      spec.ramp_ns, and until as many requests have completed as shall be in flight, so that none
 *             of the old depth is counted
 *   measure   batches of spec.batch_ns (closed by the first snapshot at or after it); over when the 95 %
 *             interval of the batch means is within spec.ci_pct and nothing drifts, or at the cap
 *
 * Then, with an SLO, each column is bisected for the highest load inside it. Not thread-safe; the session
 * holds a lock around it.
 */
#ifndef IODECK_RUN_SWEEP_H
#define IODECK_RUN_SWEEP_H

#include "src/stat/snapshot.h"
#include "src/stat/sweep_view.h"

enum sweep_step {
	SWEEP_HOLD, /* go on as it is */
	SWEEP_TUNE, /* sweep_next() has changed: set it */
	SWEEP_DONE, /* nothing is left */
};

/* What the lane shall be set to. */
struct sweep_next {
	struct tuning tune;
	const char *engine; /* NULL: the job's own */
};

struct sweep_batches {
	unsigned n;
	double mean, m2;          /* Welford, of the batches' IOPS */
	double sum_ix, sum_x;     /* for the trend: sums of index * value, value */
	uint64_t ops, elapsed_ns; /* of the open batch */
};

struct sweep {
	struct sweep_view v; /* the public picture */
	struct tuning base;
	uint16_t order[SWEEP_CELLS_MAX];
	bool redo[SWEEP_CELLS_MAX];
	struct sweep_next next;
	/* the cell or probe at work */
	struct sweep_cell cell, before; /* before: what stood in the grid when it began */
	struct sweep_batches batches;
	struct hist lat; /* of all measured completions */
	double lat_sum_ns, cpu_ns;
	uint64_t cpu_known_ns; /* of which time cpu_ns is */
	uint64_t phase_ns;     /* when the phase began */
	uint64_t seen_ops;     /* since the lane has settled */
	uint64_t last_ns, gap_ns;
	/* the search at work */
	uint64_t lo, hi;
	/* for the time left */
	uint64_t cell_begin_ns, spent_ns;
	unsigned spent_cells;
};

/* base: the tuning that the axes change. */
void sweep_init(struct sweep *, const struct sweep_spec *, const struct tuning *base,
		uint64_t now_ns);
/* Goes on with what an earlier sweep of the same spec has measured. DONE: nothing is left to do. */
enum sweep_step sweep_init_from(struct sweep *, const struct sweep_result *old,
				const struct tuning *base, uint64_t now_ns);
const struct sweep_next *sweep_next(const struct sweep *);
/* One snapshot of the lane; now_ns must not go back. */
enum sweep_step sweep_tick(struct sweep *, const struct lane_snap *, uint64_t now_ns);
/* What sweep_next() asks for cannot be had: the cell is marked and the next one chosen. */
enum sweep_step sweep_refused(struct sweep *, const char *why, uint64_t now_ns);
/* While paused no time passes; the cell at work begins anew afterwards. */
void sweep_pause(struct sweep *, bool on);
/* The lane is gone (stopped by the user, failed): the cell at work is pending again. */
void sweep_interrupt(struct sweep *, enum sweep_phase phase, const char *why);
/* Goes on after an interrupt or after the end. TUNE: a lane is wanted; DONE: nothing is left to do. */
enum sweep_step sweep_resume(struct sweep *, uint64_t now_ns);
/* One cell shall be measured again, before the others. */
void sweep_redo(struct sweep *, unsigned row, unsigned col);
/* Judged by another objective from now on; one that is over may have a search left: STOPPED then. */
enum sweep_step sweep_set_slo(struct sweep *, const struct slo *, uint64_t now_ns);

#endif
