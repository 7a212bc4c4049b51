#include "src/dev/fileinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/btrfs.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "src/dev/device.h"
#include "src/dev/mounts.h"
#include "src/dev/sysfs.h"

#define SECTOR_BYTES 512u

static void add_number(struct target_info *info, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < info->n_disks; i++)
		if (info->disk[i].major == major && info->disk[i].minor == minor)
			return;
	if (info->n_disks < TARGET_DISK_MAX)
		info->disk[info->n_disks++] = (struct target_disk){major, minor};
}

void fileinfo_add_disk(const char *fsroot, uint32_t major, uint32_t minor, struct target_info *info)
{
	char name[64];
	uint32_t disk_major, disk_minor;

	if (device_whole_disk(fsroot, major, minor, name, &disk_major, &disk_minor) == 0)
		add_number(info, disk_major, disk_minor);
}

/* --- btrfs: st_dev is a number of its own, the members are in sysfs --- */

struct btrfs_scan {
	const char *fsroot, *folder;
	struct target_info *info;
};

static int add_member(void *arg, const char *entry)
{
	struct btrfs_scan *s = arg;
	uint32_t major, minor;

	if (sysfs_devno(s->fsroot, &major, &minor, "%s/%s/dev", s->folder, entry) == 0)
		fileinfo_add_disk(s->fsroot, major, minor, s->info);
	return 0;
}

void fileinfo_add_btrfs(const char *fsroot, const char *uuid, struct target_info *info)
{
	char folder[128];
	struct btrfs_scan s = {.fsroot = fsroot, .folder = folder, .info = info};

	snprintf(folder, sizeof(folder), "/sys/fs/btrfs/%.40s/devices", uuid);
	sysfs_each(fsroot, folder, add_member, &s);
}

static void find_btrfs(int fd, const char *fsroot, struct target_info *info)
{
	struct btrfs_ioctl_fs_info_args args = {0};
	const uint8_t *id = args.fsid;
	char uuid[40];

	if (ioctl(fd, BTRFS_IOC_FS_INFO, &args))
		return;
	snprintf(uuid, sizeof(uuid),
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", id[0],
		 id[1], id[2], id[3], id[4], id[5], id[6], id[7], id[8], id[9], id[10], id[11],
		 id[12], id[13], id[14], id[15]);
	fileinfo_add_btrfs(fsroot, uuid, info);
}

/* --- files --- */

/* What the first disk wants, when the file system does not say (before Linux 6.1). */
static uint32_t block_of_disk(const char *fsroot, const struct target_info *info)
{
	uint64_t value;

	if (info->n_disks == 0 ||
	    sysfs_u64(fsroot, &value, "/sys/dev/block/%u:%u/queue/logical_block_size",
		      info->disk[0].major, info->disk[0].minor) ||
	    value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

static void read_alignment(int fd, const char *fsroot, struct target_info *info)
{
	struct statx stx;

	if (info->kind == TARGET_FILE && statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 &&
	    (stx.stx_mask & STATX_DIOALIGN)) {
		info->logical_block = stx.stx_dio_offset_align;
		info->mem_align = stx.stx_dio_mem_align;
		info->no_direct = stx.stx_dio_offset_align == 0;
		return;
	}
	info->logical_block = block_of_disk(fsroot, info);
}

/* The mount the descriptor was opened through names the type exactly: ext2 is not ext4. */
static void read_fs_type(int fd, const char *fsroot, struct target_info *info)
{
	struct statx stx;

	if (sysfs_is_real(fsroot) && statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) == 0 &&
	    (stx.stx_mask & STATX_MNT_ID))
		mounts_fs_type(fsroot, (int)stx.stx_mnt_id, info->fs_type, sizeof(info->fs_type));
	if (!info->fs_type[0] && info->tmpfs)
		strcpy(info->fs_type, "tmpfs");
}

static void read_fs(int fd, const char *fsroot, const struct stat *st, struct target_info *info)
{
	struct statfs fs;

	info->major = major(st->st_dev);
	info->minor = minor(st->st_dev);
	if (fstatfs(fd, &fs) == 0) {
		info->fs_free_bytes = (uint64_t)fs.f_bavail * (uint64_t)fs.f_frsize;
		info->tmpfs = fs.f_type == TMPFS_MAGIC;
		if (fs.f_type == BTRFS_SUPER_MAGIC)
			find_btrfs(fd, fsroot, info);
	}
	if (info->major)
		fileinfo_add_disk(fsroot, info->major, info->minor, info);
	read_fs_type(fd, fsroot, info);
	read_alignment(fd, fsroot, info);
}

/* --- block devices --- */

static void read_block(int fd, const char *fsroot, const struct stat *st, struct target_info *info)
{
	uint64_t bytes;
	int block;

	info->kind = TARGET_BLOCK;
	info->major = major(st->st_rdev);
	info->minor = minor(st->st_rdev);
	fileinfo_add_disk(fsroot, info->major, info->minor, info);
	if (ioctl(fd, BLKGETSIZE64, &bytes) == 0)
		info->size_bytes = bytes;
	else if (sysfs_u64(fsroot, &bytes, "/sys/dev/block/%u:%u/size", info->major, info->minor) ==
		 0)
		info->size_bytes = bytes * SECTOR_BYTES;
	if (ioctl(fd, BLKSSZGET, &block) == 0 && block > 0)
		info->logical_block = (uint32_t)block;
	else
		info->logical_block = block_of_disk(fsroot, info);
	info->mem_align = info->logical_block;
}

int fileinfo_get(int fd, const char *fsroot, struct target_info *info, struct err *e)
{
	struct stat st;

	memset(info, 0, sizeof(*info));
	info->fs_free_bytes = UINT64_MAX;
	if (fd < 0)
		return 0;
	if (fstat(fd, &st)) {
		int rc = errno;

		return err_set(e, rc, "cannot look at the target: %s", strerror(rc));
	}
	info->kind = S_ISREG(st.st_mode) ? TARGET_FILE : TARGET_OTHER;
	if (S_ISBLK(st.st_mode))
		read_block(fd, fsroot, &st, info);
	else if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		read_fs(fd, fsroot, &st, info);
	if (S_ISREG(st.st_mode))
		info->size_bytes = (uint64_t)st.st_size;
	return 0;
}
