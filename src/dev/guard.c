/* The guard's verdict on an open target: what the descriptor is, then guard_judge.c or the file rules. */
#include "src/dev/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/dev/guard_report.h"
#include "src/dev/ownfile.h"
#include "src/dev/signature.h"
#include "src/dev/sysfs.h"

#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, __u64) /* Linux 5.15 */
#endif

#define SIGNATURES_MAX 8
/* Writing to "files" here commands the kernel or the firmware. */
static const unsigned long kernel_fs[] = {
	PROC_SUPER_MAGIC,   SYSFS_MAGIC,         DEBUGFS_MAGIC,    TRACEFS_MAGIC,
	CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC, SELINUX_MAGIC,
	SMACK_MAGIC,        EFIVARFS_MAGIC,      BPF_FS_MAGIC,     BINFMTFS_MAGIC,
	PSTOREFS_MAGIC,     DEVPTS_SUPER_MAGIC,  0x62656570UL, /* configfs */
};

uint64_t guard_diskseq(int fd)
{
	uint64_t seq = 0;

	return ioctl(fd, BLKGETDISKSEQ, &seq) ? 0 : seq;
}

uint64_t guard_born_ns(int fd)
{
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &stx) || !(stx.stx_mask & STATX_BTIME))
		return 0;
	return (uint64_t)stx.stx_btime.tv_sec * NSEC_PER_SEC + stx.stx_btime.tv_nsec;
}

/* --- block devices --- */

void guard_judge_number(const char *fsroot, uint32_t major, uint32_t minor, struct guard_report *r)
{
	struct device_list list = {0};
	const struct device *d = NULL;
	struct mounts mounts = {0};
	struct err e = {0};

	r->verdict = GUARD_ALLOW;
	r->is_block = true;
	r->major = major;
	r->minor = minor;
	if (device_list_load(fsroot, &list, &e) ||
	    mounts_load(fsroot, MOUNTS_ALL_NAMESPACES, &mounts, &e))
		guard_add(r, GUARD_UNKNOWN, "cannot find out what uses it: %.150s", e.msg);
	else if (!(d = device_find_dev(&list, major, minor)))
		guard_add(r, GUARD_GONE, "there is no device %u:%u (any more)", major, minor);
	else
		guard_judge(&list, &mounts, d, r);
	mounts_fini(&mounts);
	device_list_fini(&list);
}

/* An exclusive open fails while a mount, swap, dm, md or another program claims the device. */
static void probe_exclusive(int fd, struct guard_report *r)
{
	char path[40];
	int probe;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	probe = open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	if (probe >= 0)
		close(probe);
	else if (errno == EBUSY)
		guard_add(r, GUARD_EXCLUSIVE, "%s is claimed exclusively by something else",
			  r->name);
	/* other errors: guard_open() has to make a real exclusive open before anything is written */
}

static void list_signatures(int fd, struct guard_report *r)
{
	char found[SIGNATURES_MAX][SIGNATURE_TEXT];
	int n = signature_list(fd, found, SIGNATURES_MAX);

	if (n < 0)
		guard_add(r, GUARD_SIGNATURE, "%s cannot be read for signatures: %s", r->name,
			  strerror(-n));
	for (int i = 0; i < n; i++)
		guard_add(r, GUARD_SIGNATURE, "%s holds: %s", r->name, found[i]);
}

static void inspect_block(int fd, const struct stat *st, const char *fsroot, struct guard_report *r)
{
	uint64_t bytes;
	int read_only = 0;

	guard_judge_number(fsroot, major(st->st_rdev), minor(st->st_rdev), r);
	if (guard_has_reason(r, GUARD_UNKNOWN) || guard_has_reason(r, GUARD_GONE))
		return;
	r->diskseq = guard_diskseq(fd);
	if (ioctl(fd, BLKROGET, &read_only) == 0 && read_only &&
	    !guard_has_reason(r, GUARD_READ_ONLY))
		guard_add(r, GUARD_READ_ONLY, "%s is read-only", r->name);
	if (ioctl(fd, BLKGETSIZE64, &bytes) == 0)
		r->size_bytes = bytes;
	if (r->size_bytes == 0 && !guard_has_reason(r, GUARD_EMPTY))
		guard_add(r, GUARD_EMPTY, "%s has size 0 (the device is gone)", r->name);
	probe_exclusive(fd, r);
	list_signatures(fd, r);
}

/* --- files --- */

void guard_judge_backing(const char *fsroot, uint64_t dev, uint64_t ino, struct guard_report *r)
{
	struct device_list list = {0};
	struct err e = {0};

	if (device_list_load(fsroot, &list, &e)) {
		guard_add(r, GUARD_UNKNOWN, "cannot find out what uses it: %.150s", e.msg);
		return;
	}
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i].backing_dev == dev && list.v[i].backing_ino == ino)
			guard_add(r, GUARD_HELD, "%s is the file behind %s", r->name,
				  list.v[i].name);
	device_list_fini(&list);
}

static bool is_kernel_fs(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return true; /* not known to be a real one */
	for (size_t i = 0; i < sizeof(kernel_fs) / sizeof(*kernel_fs); i++)
		if ((unsigned long)fs.f_type == kernel_fs[i])
			return true;
	return false;
}

/* The path must still lead to this very file, and not through a link that may point elsewhere next. */
static void judge_path(const char *path, const struct stat *st, struct guard_report *r)
{
	struct stat now;

	if (lstat(path, &now))
		guard_add(r, GUARD_MOVED, "%.100s is not there any more", path);
	else if (S_ISLNK(now.st_mode))
		guard_add(r, GUARD_SYMLINK, "%.80s is a symbolic link; name the file itself", path);
	else if (now.st_dev != st->st_dev || now.st_ino != st->st_ino)
		guard_add(r, GUARD_MOVED, "%.100s is another file by now", path);
}

static void inspect_file(int fd, const char *path, const struct stat *st, const char *fsroot,
			 const struct guard_intent *want, struct guard_report *r)
{
	if (is_kernel_fs(fd)) {
		guard_add(r, GUARD_NOT_STORAGE, "%s is a control file of the kernel", r->name);
		return;
	}
	judge_path(path, st, r);
	guard_judge_backing(fsroot, st->st_dev, st->st_ino, r);
	if (ownfile_is_ours(fd, path))
		return;
	if (want->writes)
		guard_add(r, GUARD_FOREIGN_FILE,
			  "%.80s was not made by iodeck; its contents would be overwritten", path);
	else
		guard_add(r, GUARD_FOREIGN_SHORT,
			  "%.60s was not made by iodeck and has %llu of the %llu bytes to be read; "
			  "it would be filled up with test data",
			  path, (unsigned long long)r->size_bytes,
			  (unsigned long long)want->need_bytes);
	if (r->verdict == GUARD_CONFIRM)
		snprintf(r->phrase, sizeof(r->phrase), "overwrite %s", r->name);
}

/* --- the rest --- */

/* /dev/null, zero and full lose nothing. */
static bool is_harmless(const struct stat *st)
{
	unsigned no = minor(st->st_rdev);

	return S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 && (no == 3 || no == 5 || no == 7);
}

enum guard_verdict guard_inspect(int fd, const char *path, const char *fsroot,
				 const struct guard_intent *want, struct guard_report *r)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	memset(r, 0, sizeof(*r));
	r->verdict = GUARD_ALLOW;
	if (fstat(fd, &st)) {
		guard_add(r, GUARD_UNKNOWN, "%.100s: %s", path, strerror(errno));
		return r->verdict;
	}
	r->major = major(st.st_dev);
	r->minor = minor(st.st_dev);
	snprintf(r->name, sizeof(r->name), "%.127s", slash && slash[1] ? slash + 1 : path);
	r->ino = st.st_ino;
	r->born_ns = guard_born_ns(fd);
	if (S_ISREG(st.st_mode))
		r->size_bytes = (uint64_t)st.st_size;
	if (!want->writes && !(S_ISREG(st.st_mode) && r->size_bytes < want->need_bytes))
		return r->verdict; /* reading changes nothing */
	if (S_ISBLK(st.st_mode))
		inspect_block(fd, &st, fsroot, r);
	else if (S_ISREG(st.st_mode))
		inspect_file(fd, path, &st, fsroot, want, r);
	else if (!is_harmless(&st))
		guard_add(r, GUARD_NOT_STORAGE, "%.100s is neither a file nor a block device",
			  path);
	r->for_writing = true;
	return r->verdict;
}
