/* The disk part of the sampler: counters every 500 ms, rates over one second. Sampler thread only. */
#ifndef IODECK_RUN_SAMPLER_DISK_H
#define IODECK_RUN_SAMPLER_DISK_H

#include "src/run/sampler.h"

void sampler_disks(struct sampler *, uint64_t now_ns, struct snapshot *);

#endif
