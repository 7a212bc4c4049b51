/*
 * Lanes into the result that reports print. Reads workers only; they may still be running (a dump of the
 * numbers so far) or be joined (the final report).
 */
#ifndef IODECK_RUN_COLLECT_H
#define IODECK_RUN_COLLECT_H

#include "src/dev/diskstats.h"
#include "src/run/lane.h"
#include "src/stat/result.h"

/* The disks of a run with their counters before and after; the kernel's, or one that an engine brings. */
struct run_disk {
	char name[32];
	uint32_t major, minor;
	bool is_slave;
	unsigned n_slaves;
	const struct plan *plan; /* of the engine's device; NULL: the kernel's disk */
	struct disk_counters before, after;
};

/* Everything result points to is allocated here and freed by collect_free(). */
void collect_run(struct run_result *, const struct spec *, struct lane *const *lanes,
		 size_t n_lanes, uint64_t now_ns);
void collect_disks(struct run_result *, const struct run_disk *disks, size_t n, uint64_t dt_ns);
void collect_free(struct run_result *);
/*
 * The disks under the targets of these lanes, dm and md followed by their members, and the devices that
 * engines bring along (these are good as long as the lanes); *disks is allocated.
 * Counters are read into `before`.
 */
size_t collect_find_disks(struct lane *const *lanes, size_t n_lanes, const char *fsroot,
			  struct run_disk **disks);
void collect_read_disks(struct run_disk *disks, size_t n, const char *fsroot, bool before);

#endif
