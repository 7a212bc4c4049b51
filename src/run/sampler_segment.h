/*
 * Segments: what was measured since the last change has settled. The first second of a run and of each
 * change is in none: queues fill, caches of all kinds find their state. Inside the sampler, under its lock.
 */
#ifndef IODECK_RUN_SAMPLER_SEGMENT_H
#define IODECK_RUN_SAMPLER_SEGMENT_H

#include "src/run/sampler.h"

#define SEGMENT_RAMP_NS NSEC_PER_SEC /* of time with work */

/* Of the time from..to, what was not paused. */
static inline uint64_t sampler_active_ns(uint64_t from_ns, uint64_t to_ns, uint64_t paused_ns)
{
	uint64_t dt = to_ns > from_ns ? to_ns - from_ns : 0;

	return dt > paused_ns ? dt - paused_ns : 0;
}

struct sampler_span {
	const struct lane_cum *now, *before;
	uint64_t dt_ns;
	unsigned ticks; /* for the extremes; 0: the whole run, from the cumulative moments */
};

/* out[op] and out[IO_OP_NR] = all ops; lat: their latencies. */
void sampler_windows(struct sampler *, struct lane *, const struct sampler_span *,
		     struct op_win out[IO_OP_NR + 1], struct hist *lat);
/* counting: the lane is at work and its ramp is over. Fills seg*, warming. */
void sampler_segment_tick(struct sampler *, struct lane_sampler *, const struct lane_cum *now,
			  bool counting, struct lane_snap *);

#endif
