/* The devices that engines bring along, as the kernel's disks are: iostat's numbers. Sampler thread. */
#ifndef IODECK_RUN_SAMPLER_DEVICE_H
#define IODECK_RUN_SAMPLER_DEVICE_H

#include "engines/engine.h"
#include "src/base/disk_rate.h"

#define SAMPLER_DEVICE_RING                                                                        \
	3u /* readings 500 ms apart: the newest against the one a second before */

struct device_sampler {
	struct {
		uint64_t t_ns;
		struct engine_counters c;
	} ring[SAMPLER_DEVICE_RING];
	unsigned head, filled; /* filled: readings there are */
	struct disk_rate rate;
	bool valid;
};

/* As read at t_ns; NULL: not kept. */
const struct engine_counters *device_counters_at(const struct device_sampler *, uint64_t t_ns);

struct sampler;

/* Reads those of the present lanes and makes their rates. */
void sampler_devices_read(struct sampler *, uint64_t now_ns);
/* Puts them in front of the n disks at out, as far as there is room; the new number. */
unsigned sampler_devices_put(const struct sampler *, struct disk_rate out[DISK_RATE_MAX],
			     unsigned n);
/* iostat's numbers from two readings; dt_ns > 0. name, is_target are not filled. */
void device_rate_make(const struct engine_counters *before, const struct engine_counters *now,
		      uint64_t dt_ns, struct disk_rate *out);

#endif
