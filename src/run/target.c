#include "src/run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/ownfile.h"

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	if (slash == path)
		return xstrdup("/");
	return xasprintf("%.*s", (int)(slash - path), path);
}

/* Which part of the path is in the way: "a/b: not a folder". */
static int path_error(const char *path, int code, struct err *e)
{
	char part[PATH_MAX];
	struct stat st;

	for (const char *c = path + 1; code == ENOTDIR && (c = strchr(c, '/')); c++) {
		snprintf(part, sizeof(part), "%.*s", (int)(c - path), path);
		if (stat(part, &st) == 0 && !S_ISDIR(st.st_mode))
			return err_set(e, code, "%s: %s is not a folder", path, part);
	}
	return err_set(e, code, "%s: %s", path, strerror(code));
}

/* Of a missing file only the free space of its folder is known. */
static int inspect_missing(struct target *t, const char *fsroot)
{
	char *folder = folder_of(t->path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct target_info info;

	t->info.kind = TARGET_MISSING;
	t->info.fs_free_bytes = UINT64_MAX;
	if (fd >= 0 && fileinfo_get(fd, fsroot, &info, NULL) == 0) {
		t->info = info;
		t->info.kind = TARGET_MISSING;
		t->info.size_bytes = 0;
	}
	if (fd >= 0)
		close(fd);
	free(folder);
	return 0;
}

int target_inspect(struct target *t, const char *path, const char *fsroot, struct err *e)
{
	char *name = xstrdup(path);
	struct stat st;
	int fd, rc;

	*t = (struct target){.path = name, .fd = -1};
	/* O_NONBLOCK: a pipe or a tape must not hang us; it is refused by kind. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return inspect_missing(t, fsroot);
	if (fd < 0)
		return path_error(path, errno, e);
	rc = fileinfo_get(fd, fsroot, &t->info, e);
	if (rc == 0 && fstat(fd, &st) < 0)
		rc = err_set(e, errno, "%s: %s", path, strerror(errno));
	if (rc == 0) {
		t->dev = st.st_dev;
		t->ino = st.st_ino;
		t->ours = t->info.kind == TARGET_FILE && ownfile_is_ours(fd, path);
		if (S_ISDIR(st.st_mode))
			rc = err_set(e, EISDIR, "%s: is a directory; name a file or a block device",
				     path);
		else if (t->info.kind == TARGET_OTHER)
			rc = err_set(e, EINVAL, "%s: neither a regular file nor a block device",
				     path);
	}
	close(fd);
	return rc;
}

static int admit_missing(const struct target *t, bool readonly, struct err *e)
{
	if (t->how.no_create)
		return err_set(e, ENOENT, "%s: does not exist, and allow_file_create=0 was given",
			       t->path);
	if (readonly)
		return err_set(e, EROFS, "%s: does not exist, and --readonly forbids to make it",
			       t->path);
	/* An empty shell variable in /dev/$x must not leave a file among the devices. */
	if (strncmp(t->path, "/dev/", 5) == 0 && strncmp(t->path, "/dev/shm/", 9) != 0)
		return err_set(e, ENOENT, "%s: no such device (files are not made under /dev)",
			       t->path);
	return 0;
}

static int admit_file(const struct target *t, bool readonly, struct err *e)
{
	char have[32], need[32];

	units_fmt_bytes(have, sizeof(have), (double)t->info.size_bytes, false);
	units_fmt_bytes(need, sizeof(need), (double)t->need_bytes, false);
	if (t->writes && !t->ours)
		return err_set(
			e, EPERM,
			"%s: was not made by iodeck, a write job would overwrite its data; name "
			"a file that does not exist yet",
			t->path);
	if (t->info.size_bytes >= t->need_bytes)
		return 0;
	if (!t->ours)
		return err_set(
			e, EPERM,
			"%s: has %s, the job needs %s, and iodeck does not refill files it did "
			"not make; give a smaller size= or another file name",
			t->path, have, need);
	if (readonly)
		return err_set(e, EROFS,
			       "%s: has %s, the job needs %s, and --readonly forbids to extend it",
			       t->path, have, need);
	return 0;
}

int target_admit(const struct target *t, bool readonly, struct err *e)
{
	char need[32], free_space[32];
	int rc = 0;

	if (t->info.kind == TARGET_BLOCK && t->writes)
		return err_set(
			e, EPERM,
			"%s: is a block device, writing would destroy what is on it; write jobs "
			"run on files that iodeck makes",
			t->path);
	if (t->info.kind == TARGET_MISSING)
		rc = admit_missing(t, readonly, e);
	else if (t->info.kind == TARGET_FILE)
		rc = admit_file(t, readonly, e);
	if (rc)
		return rc;
	if (target_layout_bytes(t) > t->info.fs_free_bytes) {
		units_fmt_bytes(need, sizeof(need), (double)target_layout_bytes(t), false);
		units_fmt_bytes(free_space, sizeof(free_space), (double)t->info.fs_free_bytes,
				false);
		return err_set(e, ENOSPC, "%s: needs %s, %s free", t->path, need, free_space);
	}
	return 0;
}

uint64_t target_layout_bytes(const struct target *t)
{
	if (t->info.kind != TARGET_FILE && t->info.kind != TARGET_MISSING)
		return 0;
	if (t->how.empty && t->info.kind == TARGET_MISSING)
		return 0;
	return t->need_bytes > t->info.size_bytes ? t->need_bytes - t->info.size_bytes : 0;
}

/* The same file as inspected? */
static int check_same(const struct target *t, int fd, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_set(e, errno, "%s: %s", t->path, strerror(errno));
	if (st.st_dev != t->dev || st.st_ino != t->ino)
		return err_set(e, EAGAIN, "%s: changed between check and open; refused", t->path);
	return 0;
}

int target_open(struct target *t, bool direct, struct err *e)
{
	int flags = O_CLOEXEC | t->how.open_flags | (t->writes ? O_RDWR | O_NOFOLLOW : O_RDONLY),
	    rc;

	if (direct)
		flags |= O_DIRECT;
	t->fd = open(t->path, flags);
	if (t->fd < 0 && errno == EINVAL && direct)
		return err_set(e, EINVAL, "%s: the file system (%s) does not support direct=1",
			       t->path, t->info.fs_type[0] ? t->info.fs_type : "unknown");
	if (t->fd < 0 && errno == ELOOP)
		return err_set(e, ELOOP,
			       "%s: is a symbolic link; a write job names the file itself",
			       t->path);
	if (t->fd < 0)
		return path_error(t->path, errno, e);
	rc = check_same(t, t->fd, e);
	if (rc == 0 && t->writes && !ownfile_is_ours(t->fd, t->path))
		rc = err_set(e, EPERM, "%s: was not made by iodeck; refused", t->path);
	if (rc) {
		close(t->fd);
		t->fd = -1;
	}
	return rc;
}

int target_invalidate(const struct target *t)
{
	if (t->info.kind == TARGET_BLOCK)
		return ioctl(t->fd, BLKFLSBUF, 0) < 0 ? -errno : 0;
	return -posix_fadvise(t->fd, 0, 0, POSIX_FADV_DONTNEED);
}

void target_fini(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	free(t->path);
	t->path = NULL;
}
