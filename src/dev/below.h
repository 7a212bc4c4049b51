/*
 * What a target stands on, remembered from when it was all there: a dm, md or loop device keeps its size
 * when the disk below it is pulled out, and its I/O only fails. A disk that has come back is another one
 * (its diskseq tells). Owned by the caller; one thread at a time.
 */
#ifndef IODECK_DEV_BELOW_H
#define IODECK_DEV_BELOW_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/dev/device.h"
#include "src/dev/fileinfo.h"

struct below_device {
	uint32_t major, minor;
	uint64_t diskseq; /* 0: unknown (a partition, a kernel before 5.15) */
	char name[64];
};

struct below {
	struct below_device *v; /* the deepest are not first; order says nothing */
	size_t n;
};

/* Adds the device of the target or of its file system, and all below. Unknown devices add nothing. */
void below_add(struct below *, const char *fsroot, const struct device_list *,
	       const struct target_info *);
/* The name of one that is gone, has lost its size or was replaced; NULL: all are there. */
const char *below_missing(const struct below *, const char *fsroot);
void below_fini(struct below *);

#endif
