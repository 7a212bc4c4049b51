/*
 * Where the time goes: the latency that the job sees against the time that its requests spend below the
 * block layer, over one and the same second. Also whose I/O the device does. Called by the sampler, under
 * its lock, after each reading of the disks' counters.
 *
 *   job:     |-- host: submit, tag wait, reap --|-------- block layer + device: await --------|
 *
 * Await is the kernel's: from when the request has its tag until it is completed. What comes before counts
 * as host. It is only comparable when each of the job's I/Os is one request of the device, so the numbers
 * of both must agree.
 */
#ifndef IODECK_RUN_SAMPLER_SPLIT_H
#define IODECK_RUN_SAMPLER_SPLIT_H

#include "src/run/sampler.h"

/* Computes the split of every lane from the newest reading and the one a second before it. */
void sampler_split(struct sampler *, const struct diskstats *before, const struct diskstats *now);
/* What the counts of one second say; pure. */
struct split_in {
	uint64_t dt_ns;
	uint64_t app_ops, app_bytes; /* of all lanes on these disks */
	uint64_t lat_n, lat_sum_ns;  /* of this lane */
	uint64_t dev_ops, dev_bytes, dev_ticks_ms;
	bool has_disk, shared; /* shared: another lane uses them too */
};
struct time_split split_make(const struct split_in *);

#endif
