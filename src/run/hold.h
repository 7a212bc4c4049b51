/*
 * What a run may write to: one hold for each device or file, shared by all jobs and clones that name it.
 *
 *   hold_agree   the guard looked and there is consent: a grant; nothing is open yet
 *   hold_take    opened for writing, a device exclusively; our own file is marked as being written
 *   hold_check   once a second: still the same thing, and still nobody else's
 *   holds_release after the last write: own files are sealed, everything is closed
 *
 * The thread that starts a run agrees, the director does the rest; never two at a time.
 */
#ifndef IODECK_RUN_HOLD_H
#define IODECK_RUN_HOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"
#include "src/dev/guard.h"

struct hold {
	struct guard_id id;
	struct write_grant *grant;
	char *path;
	int fd;      /* -1: not taken */
	bool own;    /* a file that iodeck made */
	bool broken; /* a check failed: nothing is written any more */
};

struct hold_list {
	struct hold **v; /* targets keep pointers to the entries */
	size_t n;
};

/*
 * The hold for what is open as fd (read-only), made when there is none yet. -EPERM: consent is missing;
 * -EBUSY: refused; e says why.
 */
int hold_agree(struct hold_list *, int fd, const char *path, const char *fsroot,
	       const struct guard_intent *, const struct guard_consent *, struct hold **out,
	       struct err *e);
/* 0 as well when it is taken already. */
int hold_take(struct hold *, const char *fsroot, struct err *e);
/* -ENODEV: gone or replaced; -EBUSY: in use. A broken one stays broken. */
int hold_check(struct hold *, const char *fsroot, struct err *e);
/* One more descriptor of it, for a job. flags: O_DIRECT, O_SYNC, O_DSYNC. */
int hold_open(const struct hold *, int flags, struct err *e);
/* Every job's descriptor is closed before. */
void holds_release(struct hold_list *);

#endif
