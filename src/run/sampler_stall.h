/*
 * Stalls: no completion for the larger of 50 ms and 20 x p99 with I/O in flight. One event each, with the
 * length that the worker measured; while it goes on, the length that the ticks see. Called by the
 * sampler, under its lock.
 */
#ifndef IODECK_RUN_SAMPLER_STALL_H
#define IODECK_RUN_SAMPLER_STALL_H

#include "src/run/sampler.h"

/* snap: lane i as just filled. */
void sampler_stall(struct sampler *, unsigned i, const struct lane_snap *snap, uint64_t now_ns);

#endif
