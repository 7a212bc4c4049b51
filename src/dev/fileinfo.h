/*
 * What an open target is: file or block device, how big, which alignment direct I/O wants, which disks
 * carry it. Everything is asked of the descriptor, nothing of a path. Any thread.
 */
#ifndef IODECK_DEV_FILEINFO_H
#define IODECK_DEV_FILEINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

#define TARGET_DISK_MAX 16

enum target_kind {
	TARGET_MISSING, /* fd was negative */
	TARGET_FILE,
	TARGET_BLOCK,
	TARGET_OTHER, /* folder (fs facts are filled: where a file would be made), character device, pipe */
};

struct target_disk {
	uint32_t major, minor;
};

struct target_info {
	enum target_kind kind;
	uint64_t size_bytes;
	uint32_t major,
		minor; /* block: its own number; file: that of its file system (0: anonymous) */
	uint32_t
		logical_block; /* what direct offsets and lengths must be a multiple of; 0: unknown */
	uint32_t mem_align;    /* the same for buffers; 0: unknown */
	bool no_direct;        /* the file system says it has no direct I/O for this file */
	/*
	 * Whose counters tell of this target: a partition's whole disk; a file's device or all of its
	 * file system's (btrfs). dm and md are kept as they are. Empty: unknown or none (tmpfs, NFS).
	 */
	struct target_disk disk[TARGET_DISK_MAX];
	size_t n_disks;
	char fs_type[32];       /* file: "ext4", "tmpfs"; "" unknown */
	uint64_t fs_free_bytes; /* file: free for this user; UINT64_MAX: unknown */
	bool tmpfs;
};

/* fd may be negative: kind MISSING, the rest unknown. 0 or -errno with e filled. */
int fileinfo_get(int fd, const char *fsroot, struct target_info *, struct err *e);
/* The disks under the file system whose number is major:minor (not btrfs); adds to info. */
void fileinfo_add_disk(const char *fsroot, uint32_t major, uint32_t minor, struct target_info *);
/* The members of a mounted btrfs, "8-4-4-4-12" hex; adds to info. */
void fileinfo_add_btrfs(const char *fsroot, const char *uuid, struct target_info *);

#endif
