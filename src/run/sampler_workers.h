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

/* Latencies of the worker that has a row of its own. */
struct worker_lat {
	const struct worker *of; /* never followed: is it still the same one? */
	uint64_t n;
	uint32_t first, last; /* outside of these buckets there is nothing */
	struct hist h;
};

struct workers_cum {
	struct worker_cum v[WORKER_SNAP_MAX + 1];
	struct worker_lat *lat[WORKER_SNAP_MAX]; /* of the rows in use, NULL else; owned */
	uint64_t cpu_t_ns;                       /* when cpu_ns was read; at or before the tick */
};

/*
 * Reads the CPU time of all workers into them. It takes a system call for each, so a lane of many does it
 * every few ticks; cpu_t_ns says when. The lane's lock is held.
 */
void sampler_cpu_read(struct lane *, uint64_t now_ns, uint64_t epoch);
void sampler_workers_read(struct lane *, struct workers_cum *now);
void sampler_workers_fini(struct workers_cum *);
/*
 * Fills worker[] and n_workers_shown. before: dt_ns earlier (0: rates are unknown); epoch, ticks: whose
 * exact maxima count.
 */
void sampler_workers_fill(struct lane *, const struct workers_cum *now,
			  const struct workers_cum *before, uint64_t now_ns, uint64_t dt_ns,
			  uint64_t epoch, unsigned ticks, struct lane_snap *);

#endif
