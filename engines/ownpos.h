/*
 * Own file positions, for the synchronous engines that seek and read(2). A position belongs to an open
 * file, not to a descriptor, and the job's files may be shared by several workers. So each instance
 * opens them again through /proc/self/fd, with the same access mode: read-only stays read-only.
 */
#ifndef IODECK_ENGINES_OWNPOS_H
#define IODECK_ENGINES_OWNPOS_H

#include <sys/types.h>

#include "engines/fdmap.h"
#include "engines/sync_common.h"

struct ownpos_file {
	int fd;
	off_t at; /* -1: not known */
};

struct ownpos_engine {
	struct sync_engine base; /* first: sync_common's */
	struct fdmap map;
	struct ownpos_file *file; /* by place in env.fds */
	uint32_t n_files;
};

/* An engine's open and close. */
int ownpos_open(struct engine *eng, const struct engine_env *env, struct err *e);
void ownpos_close(struct engine *eng);
/* The slot's file, positioned at its offset (no call when it is there already); NULL with errno. */
struct ownpos_file *ownpos_seek(struct ownpos_engine *s, const struct io_slot *io);

/* After a transfer that gave r. */
static inline void ownpos_moved(struct ownpos_file *f, ssize_t r)
{
	f->at = r < 0 ? -1 : f->at + r;
}

#endif
