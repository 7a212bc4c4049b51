/*
 * The write guard. One verdict for one open target, with all reasons, from device and inode numbers
 * only: a path is for messages. REFUSE cannot be overridden by anything. CONFIRM needs the user's
 * consent to this very target. Only guard_grant() makes a write_grant, and only guard_open() turns one
 * into a descriptor that can be written; everything else in iodeck opens O_RDONLY, so the kernel
 * itself stops a stray write.
 *
 *   open(O_RDONLY) -> guard_inspect -> (ask) -> guard_grant -> guard_open -> guard_recheck once a second
 *
 * What cannot be found out is refused. Any thread; grants are not shared between threads while freed.
 */
#ifndef IODECK_DEV_GUARD_H
#define IODECK_DEV_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/dev/device.h"
#include "src/dev/mounts.h"

/* A zeroed report refuses. */
enum guard_verdict { GUARD_REFUSE, GUARD_CONFIRM, GUARD_ALLOW };

enum guard_reason {
	/* refused, whatever is said */
	GUARD_UNKNOWN,     /* the facts could not be read */
	GUARD_GONE,        /* the kernel has no such device */
	GUARD_MOUNTED,     /* it, or something that shares its blocks */
	GUARD_SWAP,        /* likewise */
	GUARD_HELD,        /* dm, md, bcache, a loop device stands on it */
	GUARD_SYSTEM_DISK, /* the disk under / or /boot, or a partition of it */
	GUARD_READ_ONLY,
	GUARD_EXCLUSIVE,   /* somebody has it open O_EXCL */
	GUARD_EMPTY,       /* size 0: no medium, detached */
	GUARD_NOT_STORAGE, /* character device, folder, pipe, /proc, /sys */
	GUARD_SYMLINK,     /* a file reached through a final symbolic link */
	GUARD_MOVED,       /* the path names another file by now */
	/* to be confirmed */
	GUARD_DEVICE,       /* any block device */
	GUARD_SIGNATURE,    /* file system, partition table, member: would be destroyed */
	GUARD_FOREIGN_FILE, /* not made by iodeck */
	GUARD_FOREIGN_SHORT /* not made by iodeck, and shorter than the job needs */
};

struct guard_why {
	enum guard_reason reason;
	char text[192]; /* one sentence without a full stop */
};

#define GUARD_WHY_MAX 24

struct guard_report {
	enum guard_verdict verdict;
	struct guard_why why[GUARD_WHY_MAX];
	size_t n_why, n_more; /* n_more: reasons that did not fit */
	bool for_writing;     /* guard_inspect() looked at everything that writing needs */
	/* Who the target is; a grant holds these. */
	bool is_block;
	uint32_t major, minor; /* block: its number; file: that of its file system */
	uint64_t ino, born_ns; /* file */
	uint64_t diskseq;      /* block; 0 unknown */
	uint64_t size_bytes;
	char name[128];   /* "nvme0n1", "vg0-scratch", the file's last component */
	char phrase[160]; /* CONFIRM: what is to be typed; "" else */
};

/* A target as the person sees it who is asked: what is known of it, and what a run would write of it. */
struct guard_ask {
	char path[256];
	uint64_t off_bytes, end_bytes; /* every write lies in [off, end) */
	bool agreed;                   /* nothing is to be asked any more */
	struct guard_report report;
};

/* What the job wants of the target. */
struct guard_intent {
	bool writes;         /* or trims */
	uint64_t need_bytes; /* a file must be this long; it would be filled up otherwise */
};

/*
 * Judges an open target. path: as the user gave it, for a file also for the link check and the mark.
 * Returns r->verdict. Probes with O_EXCL for an instant, so not for a target that is already held.
 */
enum guard_verdict guard_inspect(int fd, const char *path, const char *fsroot,
				 const struct guard_intent *, struct guard_report *r);
/*
 * The part of it that lists alone tell, for a picker: what would be said to writing to `d`. No probe,
 * no signatures.
 */
enum guard_verdict guard_judge(const struct device_list *, const struct mounts *,
			       const struct device *d, struct guard_report *r);
bool guard_has_reason(const struct guard_report *, enum guard_reason);
/* Is `reason` one of those that refuse? */
bool guard_reason_refuses(enum guard_reason);
/* All reasons of the verdict on one line: "sda1 is mounted at /boot; sda2 is in use as swap". */
void guard_text(const struct guard_report *, char *out, size_t size);

/* --- consent --- */

struct write_grant;

/* Who a consent is for, taken when it was given: the name may lead elsewhere later. */
struct guard_id {
	bool is_block;
	uint32_t major, minor;
	uint64_t ino, born_ns; /* file */
	uint64_t diskseq;      /* block; 0 unknown */
};

void guard_id_of(const struct guard_report *, struct guard_id *);
/* Of an open device or file; path is for the message. */
int guard_id_of_fd(int fd, const char *path, struct guard_id *, struct err *e);
bool guard_id_equal(const struct guard_id *, const struct guard_id *);
/*
 * Whom --allow-destroy=PATH (block) or --allow-overwrite=PATH (file) means now. -ENOENT: nothing is
 * there; -ENOTBLK, -EINVAL: something else is; e says what.
 */
int guard_id_find(const char *path, bool is_block, struct guard_id *, struct err *e);

struct guard_consent {
	const char *typed;             /* in the console; NULL: nothing */
	const struct guard_id *agreed; /* consents given earlier in this program's life */
	size_t n_agreed;
	/* --allow-destroy=DEV and --allow-overwrite=FILE, each compared by number, not by name */
	const char *const *destroy;
	size_t n_destroy;
	const char *const *overwrite;
	size_t n_overwrite;
};

/*
 * NULL with e filled when the report refuses, is not about writing (guard_judge, a read job), or needs a
 * consent that is not there. consent may be NULL. Ends with guard_grant_free(); it cannot be stored.
 */
struct write_grant *guard_grant(const struct guard_report *, const struct guard_consent *,
				struct err *e);
void guard_grant_free(struct write_grant *);

/*
 * Opens the granted target O_RDWR (a device also O_EXCL, a file O_NOFOLLOW), makes sure that it is the
 * one the grant is for, and looks again at all that could have changed since the verdict. extra_flags:
 * O_DIRECT, O_SYNC, O_DSYNC, O_NOATIME; others are dropped. A descriptor, or -errno with e filled.
 * Keep the descriptor open as long as anything writes: it holds the device.
 */
int guard_open(const struct write_grant *, const char *path, const char *fsroot, int extra_flags,
	       struct err *e);
/* One more descriptor for the target that held_fd holds, with other flags. */
int guard_reopen(const struct write_grant *, int held_fd, int extra_flags, struct err *e);
/*
 * Still the same device, and still nobody else's? 0; -ENODEV: it is gone or was replaced; -EBUSY: it
 * is in use now; e says how. To be called about once a second while something writes.
 */
int guard_recheck(const struct write_grant *, int fd, const char *fsroot, struct err *e);

#endif
