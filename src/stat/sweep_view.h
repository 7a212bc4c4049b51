/* A sweep as a snapshot carries it: what it has measured, and what it does just now. Plain data. */
#ifndef IODECK_STAT_SWEEP_VIEW_H
#define IODECK_STAT_SWEEP_VIEW_H

#include "src/stat/sweep_result.h"

enum sweep_phase {
	SWEEP_OFF, /* there is none */
	SWEEP_SETTLE,
	SWEEP_RAMP,
	SWEEP_MEASURE,
	SWEEP_STOPPED, /* interrupted; it can go on */
	SWEEP_FAILED,  /* interrupted by an error, see why */
	SWEEP_OVER,
};

struct sweep_view {
	enum sweep_phase phase;
	bool paused, probing;  /* probing: `load` is bisected, no cell of the grid is at work */
	uint32_t row, col;     /* the cell or the column at work */
	uint64_t load;         /* value of the row axis just now */
	uint64_t phase_ns;     /* time spent in this phase */
	struct sweep_cell now; /* numbers so far of the cell at work */
	uint32_t todo, total;  /* cells and estimated probes; total counts those done too */
	uint64_t eta_ns;       /* UINT64_MAX unknown */
	char why[160];         /* of SWEEP_FAILED, or the last cell that could not be set */
	struct sweep_result r;
};

static inline bool sweep_view_runs(const struct sweep_view *v)
{
	return v->phase == SWEEP_SETTLE || v->phase == SWEEP_RAMP || v->phase == SWEEP_MEASURE;
}

#endif
