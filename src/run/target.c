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

static bool is_short(const struct target *t)
{
	return t->info.kind == TARGET_FILE && t->info.size_bytes < t->need_bytes;
}

/* Is anything of what exists to be changed? */
static bool needs_hold(const struct target *t)
{
	return t->writes ? t->info.kind == TARGET_BLOCK || t->info.kind == TARGET_FILE
			 : is_short(t);
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

/* The descriptor, if it is still what was inspected; else it is closed. */
static int same_or_close(const struct target *t, int fd, struct err *e)
{
	int rc = check_same(t, fd, e);

	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

/* For another look, at what was inspected. */
static int open_to_look(const struct target *t, struct err *e)
{
	int fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? path_error(t->path, errno, e) : same_or_close(t, fd, e);
}

/* The holes of our own file are filled also when it is long enough. */
static struct guard_intent intent_of(const struct target *t)
{
	return (struct guard_intent){.writes = t->writes || t->ours, .need_bytes = t->need_bytes};
}

int target_agree(struct target *t, const struct target_env *env, struct err *e)
{
	struct guard_intent intent = intent_of(t);
	int fd = open_to_look(t, e), rc;

	if (fd < 0)
		return fd;
	rc = hold_agree(env->holds, fd, t->path, env->fsroot, &intent, env->consent, &t->hold, e);
	close(fd);
	return rc;
}

static bool is_agreed(const struct guard_report *r, const struct guard_consent *c)
{
	struct write_grant *g = guard_grant(r, c, NULL);

	guard_grant_free(g);
	return g != NULL;
}

static struct guard_ask *same_ask(struct ask_list *list, const struct guard_report *r)
{
	struct guard_id want, have;

	guard_id_of(r, &want);
	for (size_t i = 0; i < list->n; i++) {
		guard_id_of(&list->v[i].report, &have);
		if (guard_id_equal(&want, &have))
			return &list->v[i];
	}
	return NULL;
}

static int ask(const struct target *t, const struct target_env *env, struct err *e)
{
	struct guard_intent intent = intent_of(t);
	struct guard_ask *now = xcalloc(1, sizeof(*now)), *same;
	struct ask_list *list = env->asks;
	int fd = open_to_look(t, e);

	if (fd < 0) {
		free(now);
		return fd;
	}
	guard_inspect(fd, t->path, env->fsroot, &intent, &now->report);
	close(fd);
	snprintf(now->path, sizeof(now->path), "%s", t->path);
	now->off_bytes = t->writes ? t->off_bytes : t->info.size_bytes;
	now->end_bytes = t->need_bytes;
	now->agreed = is_agreed(&now->report, env->consent);
	same = same_ask(list, &now->report);
	if (same) {
		same->off_bytes =
			same->off_bytes < now->off_bytes ? same->off_bytes : now->off_bytes;
		same->end_bytes =
			same->end_bytes > now->end_bytes ? same->end_bytes : now->end_bytes;
	} else {
		list->v = xrealloc(list->v, (list->n + 1) * sizeof(*list->v));
		list->v[list->n++] = *now;
	}
	free(now);
	return 0;
}

static int admit_file(const struct target *t, bool readonly, struct err *e)
{
	char have[32], need[32];

	if (!is_short(t) || !readonly)
		return 0;
	units_fmt_bytes(have, sizeof(have), (double)t->info.size_bytes, false);
	units_fmt_bytes(need, sizeof(need), (double)t->need_bytes, false);
	return err_set(e, EROFS,
		       "%s: has %s, the job needs %s, and --readonly forbids to extend it", t->path,
		       have, need);
}

static int check_free(const struct target *t, struct err *e)
{
	char need[32], free_space[32];

	if (target_layout_bytes(t) <= t->info.fs_free_bytes)
		return 0;
	units_fmt_bytes(need, sizeof(need), (double)target_layout_bytes(t), false);
	units_fmt_bytes(free_space, sizeof(free_space), (double)t->info.fs_free_bytes, false);
	return err_set(e, ENOSPC, "%s: needs %s, %s free", t->path, need, free_space);
}

int target_admit(struct target *t, const struct target_env *env, struct err *e)
{
	int rc = 0;

	if (t->info.kind == TARGET_MISSING)
		rc = admit_missing(t, env->readonly, e);
	else if (t->info.kind == TARGET_FILE)
		rc = admit_file(t, env->readonly, e);
	if (rc == 0 && needs_hold(t))
		rc = env->asks ? ask(t, env, e) : target_agree(t, env, e);
	return rc ? rc : check_free(t, e);
}

uint64_t target_layout_bytes(const struct target *t)
{
	if (t->info.kind != TARGET_FILE && t->info.kind != TARGET_MISSING)
		return 0;
	if (t->how.empty && t->info.kind == TARGET_MISSING)
		return 0;
	return t->need_bytes > t->info.size_bytes ? t->need_bytes - t->info.size_bytes : 0;
}

static int no_direct(const struct target *t, struct err *e)
{
	return err_set(e, EINVAL, "%s: the file system (%s) does not support direct=1", t->path,
		       t->info.fs_type[0] ? t->info.fs_type : "unknown");
}

static int open_to_write(struct target *t, bool direct, struct err *e)
{
	int fd;

	if (!t->hold)
		return err_set(e, EPERM, "%s: writing was not agreed to", t->path);
	fd = hold_open(t->hold, t->how.open_flags | (direct ? O_DIRECT : 0), e);
	if (fd == -EINVAL && direct)
		return no_direct(t, e);
	return fd;
}

static int open_to_read(const struct target *t, bool direct, struct err *e)
{
	int fd = open(t->path, O_RDONLY | O_CLOEXEC | t->how.open_flags | (direct ? O_DIRECT : 0));

	if (fd < 0 && errno == EINVAL && direct)
		return no_direct(t, e);
	return fd < 0 ? path_error(t->path, errno, e) : same_or_close(t, fd, e);
}

int target_open(struct target *t, bool direct, struct err *e)
{
	int fd = t->writes ? open_to_write(t, direct, e) : open_to_read(t, direct, e);

	if (fd < 0)
		return fd;
	t->fd = fd;
	return 0;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

bool target_is_lost(const struct target *t)
{
	uint64_t bytes = 0;

	if (t->info.kind != TARGET_BLOCK || t->fd < 0)
		return false;
	return ioctl(t->fd, BLKGETSIZE64, &bytes) < 0 || bytes == 0;
}

int target_invalidate(const struct target *t)
{
	if (t->info.kind == TARGET_BLOCK)
		return ioctl(t->fd, BLKFLSBUF, 0) < 0 ? -errno : 0;
	return -posix_fadvise(t->fd, 0, 0, POSIX_FADV_DONTNEED);
}

void target_fini(struct target *t)
{
	target_close(t);
	free(t->path);
	t->path = NULL;
}
