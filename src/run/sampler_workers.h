/*
 * The numbers of each worker of a lane, for the table of jobs: the first WORKER_SNAP_MAX one by one, all
 * further ones together. Called by the sampler, under its lock.
 */
#ifndef IODECK_RUN_SAMPLER_WORKERS_H
#define IODECK_RUN_SAMPLER_WORKERS_H

#include "src/run/lane.h"
#include "src/stat/snapshot.h"

/* Counters of one worker at one tick, ramp included in ops and bytes. */
struct worker_cum {
	uint64_t ops, bytes, lat_n, lat_sum_ns, cpu_ns;
};

struct workers_cum {
	struct worker_cum v[WORKER_SNAP_MAX + 1];
};

/* CPU time of a worker's thread; 0: it has none (any more). */
uint64_t worker_cpu_ns(const struct worker *);
void sampler_workers_read(struct lane *, struct workers_cum *now);
/*
 * Fills worker[] and n_workers_shown. before: dt_ns earlier (0: rates are unknown); epoch, ticks: whose
 * exact maxima count.
 */
void sampler_workers_fill(struct lane *, const struct workers_cum *now,
			  const struct workers_cum *before, uint64_t now_ns, uint64_t dt_ns,
			  uint64_t epoch, unsigned ticks, struct lane_snap *);

#endif
