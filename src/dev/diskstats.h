/*
 * The kernel's I/O counters per block device, and the rates between two readings. Counters that go
 * down, a changed diskseq, or a device that is gone give unknown (NAN), never a huge number; 32-bit
 * millisecond fields may wrap. Any thread; the caller owns everything.
 */
#ifndef IODECK_DEV_DISKSTATS_H
#define IODECK_DEV_DISKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/disk_rate.h"
#include "src/base/err.h"

struct disk_counters {
	char name[32];
	uint32_t major, minor;
	uint64_t ios[4], merges[4], sectors[4], ticks_ms[4]; /* reads, writes, discards, flushes */
	uint64_t inflight, io_ticks_ms, in_queue_ms;
	uint64_t diskseq; /* 0: unknown */
	unsigned fields;  /* how many columns the kernel gave */
};

struct diskstats {
	uint64_t t_ns; /* when read, monotonic */
	struct disk_counters *v;
	size_t n, cap;
};

/* All devices of /proc/diskstats. 0 or -errno. Re-uses out's memory; {0} is a valid start. */
int diskstats_read(const char *fsroot, uint64_t now_ns, struct diskstats *out);
void diskstats_fini(struct diskstats *);
const struct disk_counters *diskstats_find(const struct diskstats *, uint32_t major,
					   uint32_t minor);
/* One device through /sys/dev/block/M:m/stat. -ENODEV: there is none such (any more). */
int diskstats_read_one(const char *fsroot, uint32_t major, uint32_t minor,
		       struct disk_counters *out);
/*
 * Rates over dt_ns; false: not known for this interval (all NAN, name filled). before or now NULL:
 * the device was not there. The kernel counts time in whole milliseconds, so use intervals of a
 * second or more; an await or aqu-sz that rests on less than 10 ms of I/O is NAN (ui.md 4.5).
 */
bool diskstats_rate(const struct disk_counters *before, const struct disk_counters *now,
		    uint64_t dt_ns, struct disk_rate *out);
/*
 * now - before for a report's disk line; saturates at 0 where a counter went down. The ms fields
 * must not wrap twice in between (depth x time under 49 days): add up short intervals for more.
 */
void diskstats_sub(const struct disk_counters *before, const struct disk_counters *now,
		   struct disk_counters *out);
/* sum += delta, the counters only. */
void diskstats_add(struct disk_counters *sum, const struct disk_counters *delta);

#endif
