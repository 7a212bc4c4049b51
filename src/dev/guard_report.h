/* How the guard's own files write a report. For src/dev/guard*.c only. */
#ifndef IODECK_DEV_GUARD_REPORT_H
#define IODECK_DEV_GUARD_REPORT_H

#include "src/dev/guard.h"

/* Adds a reason and lowers the verdict to what it means; never raises it. */
void guard_add(struct guard_report *, enum guard_reason, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The kernel's number of this very incarnation of a device; 0 unknown. */
uint64_t guard_diskseq(int fd);
/* Nanoseconds; 0 unknown. */
uint64_t guard_born_ns(int fd);
/* Judges a device number by fresh lists; what cannot be read is a reason to refuse. */
void guard_judge_number(const char *fsroot, uint32_t major, uint32_t minor, struct guard_report *r);
/* Is the file with these numbers the backing of a loop device? Adds the reason. */
void guard_judge_backing(const char *fsroot, uint64_t dev, uint64_t ino, struct guard_report *r);

#endif
