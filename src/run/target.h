/*
 * One file or block device of a job, from a name to an open descriptor. The order is: inspect (reads
 * only), admit (says no before anything is touched), layout (makes or fills files that are ours), open.
 * Whoever holds the struct owns its strings and descriptor; one thread at a time.
 *
 * Safety: without a write job the target is opened O_RDONLY, so the kernel refuses a stray write.
 * Whatever is written is written through a hold (hold.h), which the guard granted. What is opened is
 * compared with what was inspected (device and inode), so a path swapped in between is refused.
 */
#ifndef IODECK_RUN_TARGET_H
#define IODECK_RUN_TARGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/base/err.h"
#include "src/dev/fileinfo.h"
#include "src/run/hold.h"

struct target {
	char *path;
	int fd;                  /* open for the run; -1 */
	struct target_info info; /* as inspected */
	dev_t dev;               /* st_dev and st_ino of what was inspected */
	ino_t ino;
	bool ours, created;  /* made by iodeck; made in this run */
	bool writes, reads;  /* what the job will do */
	uint64_t need_bytes; /* the file must be this long when the job starts: end of the region */
	uint64_t off_bytes;  /* where the region of all clones begins */
	struct target_how {
		int open_flags;     /* O_SYNC, O_DSYNC */
		uint32_t fallocate; /* enum fallocate_mode of the job */
		bool no_create;     /* a missing file is an error */
		bool empty;         /* a missing file is made empty */
		bool fill;          /* a write job wants data in the file first */
		bool no_fsync;      /* none after the layout */
	} how;                      /* set between inspect and admit */
	struct hold *hold;          /* what it is written through; NULL: it is not. The session's */
};

/* What a person would be asked, one entry for each device or file. */
struct ask_list {
	struct guard_ask *v;
	size_t n;
};

/* What a run may do. */
struct target_env {
	const char *fsroot;
	bool readonly;                       /* nothing is written, made or extended */
	const struct guard_consent *consent; /* NULL: none */
	struct hold_list *holds;             /* joined by what is agreed to */
	struct ask_list *asks;               /* not NULL: only ask, agree to nothing */
};

/* Layout progress, read by the session's sampler. */
struct layout_progress {
	_Atomic uint64_t done, total; /* bytes */
	const _Atomic bool *cancel;
};

/* Fills everything but fd; a missing file is no error (info.kind). */
int target_inspect(struct target *, const char *path, const char *fsroot, struct err *);
/* May this job use it so? Refusals name the reason. Nothing is touched. */
int target_admit(struct target *, const struct target_env *, struct err *);
/* Bytes that layout would write now. */
uint64_t target_layout_bytes(const struct target *);
/* -ECANCELED: cancelled; what this call made or extended is taken back. */
int target_layout(struct target *, const struct target_env *, struct layout_progress *,
		  struct err *);
/* Its hold, for what exists and is to be written or filled up. */
int target_agree(struct target *, const struct target_env *, struct err *);
int target_open(struct target *, bool direct, struct err *);
void target_close(struct target *);
/* A block device that has gone away while open: no size any more. */
bool target_is_lost(const struct target *);
/* Drops cached pages of what will be read (invalidate=1). -errno when not permitted. */
int target_invalidate(const struct target *);
void target_fini(struct target *);

#endif
