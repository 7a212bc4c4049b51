/* Flags of one read or write, preadv2(2) and io_uring alike. */
#ifndef IODECK_ENGINES_RWF_H
#define IODECK_ENGINES_RWF_H

#include <stdbool.h>
#include <sys/uio.h>

/*
 * Newer than the headers of some systems. fio's name and value for it (RWF_UNCACHED, 0x40) never came
 * into the kernel; 0x40 is RWF_ATOMIC there.
 */
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

static inline int rwf_flags(bool hipri, bool nowait, bool uncached)
{
	return (hipri ? RWF_HIPRI : 0) | (nowait ? RWF_NOWAIT : 0) | (uncached ? RWF_DONTCACHE : 0);
}

#endif
