/*
 * What is mounted or swapped on, by device number. Rows come from the mountinfo of this process, of
 * process 1 and, when asked, of every mount namespace that /proc shows; file systems with a number of
 * their own (btrfs, bcachefs) give one row per member device. Owned by the caller; any thread.
 */
#ifndef IODECK_DEV_MOUNTS_H
#define IODECK_DEV_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

struct mount_row {
	uint32_t major, minor; /* of the block device */
	char *target;          /* mount point, or "btrfs UUID" when only sysfs knows of it */
	char *fstype;
	bool is_system; /* "/", "/boot", "/boot/efi" or "/efi" of this process or of process 1 */
};

struct swap_row {
	uint32_t major, minor; /* of the swap device */
	char *path;
};

struct mounts {
	struct mount_row *v;
	size_t n, cap;
	struct swap_row *swap;
	size_t n_swap;
	bool init_unreadable; /* mounts of process 1 could not be seen */
};

enum mounts_scope {
	MOUNTS_USUAL,          /* this process and process 1 */
	MOUNTS_ALL_NAMESPACES, /* and every other namespace that /proc shows */
};

/* 0 or -errno with e filled (this process's own mountinfo or the swaps cannot be read). */
int mounts_load(const char *fsroot, enum mounts_scope, struct mounts *out, struct err *e);
void mounts_fini(struct mounts *);
/* The n-th row of a device, n from 0; NULL: no more. */
const struct mount_row *mounts_find(const struct mounts *, uint32_t major, uint32_t minor,
				    size_t n);
const struct swap_row *mounts_find_swap(const struct mounts *, uint32_t major, uint32_t minor);
/* The type word of the file system with this mount id in this process's namespace; 0 or -ENOENT. */
int mounts_fs_type(const char *fsroot, int mount_id, char *out, size_t size);

#endif
