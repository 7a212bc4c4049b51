/*
 * What one block device did in one interval: the numbers of `iostat -x`, computed once by dev/diskstats
 * from two readings of the kernel's counters, carried in the snapshot, only formatted after that.
 * Unknown values are NAN and are drawn as "-". Formulas: arithmetic R13 to R17.
 */
#ifndef IODECK_BASE_DISK_RATE_H
#define IODECK_BASE_DISK_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct disk_rate {
	char name[32]; /* kernel name: nvme0n1 */
	uint32_t major, minor;
	bool is_target;                /* the run's own device (or the disk under its file) */
	double r_iops, w_iops, d_iops; /* requests a second; NAN: unknown */
	double r_bps, w_bps;           /* bytes a second */
	double r_await_ns, w_await_ns; /* NAN when nothing completed in the interval */
	double aqu_sz;                 /* mean requests in flight */
	double util_pct;               /* share of time with at least one request, 0..100 */
	double inflight;               /* now; NAN: unknown */
	bool has_temp; /* temp_c is known: the device's own sensor, not a minute old */
	double temp_c;
};

#define DISK_RATE_MAX 16

#endif
