#include "src/dev/ownfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"

#define XATTR_NAME   "user.iodeck"
#define MARK_MAX     256 /* a whole mark */
#define IDENTITY_MAX 144 /* its two parts */
#define SEAL_MAX     96
#define WANTED_STATX (STATX_TYPE | STATX_UID | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_BTIME)

enum place { IN_XATTR, IN_SIDECAR, NOWHERE };

struct mark {
	char text[MARK_MAX];
	enum place place;
};

/* 0 or -errno; only a regular file can be ours. */
static int look_at(int fd, struct statx *stx)
{
	if (statx(fd, "", AT_EMPTY_PATH, WANTED_STATX, stx))
		return -errno;
	return S_ISREG(stx->stx_mode) ? 0 : -EINVAL;
}

/*
 * What the mark of this very file must begin with. An attribute lives in the inode, so inode and
 * birth time are enough there; the device number, which may differ after a reboot, is only needed
 * where one of them is missing.
 */
static void identity_text(const struct statx *stx, enum place place, char out[IDENTITY_MAX])
{
	bool has_birth = stx->stx_mask & STATX_BTIME;
	int n = snprintf(out, IDENTITY_MAX, "iodeck 1 ino=%llu", (unsigned long long)stx->stx_ino);

	if (has_birth)
		n += snprintf(out + n, IDENTITY_MAX - (size_t)n, " born=%lld.%09u",
			      (long long)stx->stx_btime.tv_sec, stx->stx_btime.tv_nsec);
	if (!has_birth || place == IN_SIDECAR)
		snprintf(out + n, IDENTITY_MAX - (size_t)n, " dev=%u:%u", stx->stx_dev_major,
			 stx->stx_dev_minor);
}

static void seal_text(const struct statx *stx, char out[SEAL_MAX])
{
	snprintf(out, SEAL_MAX, " size=%llu written=%lld.%09u", (unsigned long long)stx->stx_size,
		 (long long)stx->stx_mtime.tv_sec, stx->stx_mtime.tv_nsec);
}

/* ".NAME.iodeck" beside path; NULL when path has no last component. */
static char *sidecar_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (!*name)
		return NULL;
	return xasprintf("%.*s.%s.iodeck", (int)(name - path), path, name);
}

/* A sidecar counts only when it belongs to the file's owner: anybody can make one in /tmp. */
static bool read_sidecar(const char *path, uint32_t owner, char text[MARK_MAX])
{
	char *sidecar = sidecar_path(path);
	struct stat st;
	ssize_t n = -1;
	int fd = sidecar ? open(sidecar, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;

	free(sidecar);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == owner)
		n = read(fd, text, MARK_MAX - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return n > 0;
}

static void read_mark(int fd, const char *path, const struct statx *stx, struct mark *m)
{
	ssize_t n = fgetxattr(fd, XATTR_NAME, m->text, MARK_MAX - 1);

	m->place = NOWHERE;
	if (n >= 0) {
		m->text[n] = '\0';
		m->place = IN_XATTR;
	} else if (read_sidecar(path, stx->stx_uid, m->text)) {
		m->place = IN_SIDECAR;
	}
}

static enum place where_ours(int fd, const char *path)
{
	char identity[IDENTITY_MAX], seal[SEAL_MAX];
	struct statx stx;
	struct mark m;
	size_t len;

	if (look_at(fd, &stx))
		return NOWHERE;
	read_mark(fd, path, &stx, &m);
	if (m.place == NOWHERE)
		return NOWHERE;
	identity_text(&stx, m.place, identity);
	seal_text(&stx, seal);
	len = strlen(identity);
	if (strncmp(m.text, identity, len) ||
	    (m.text[len] != '\0' && strcmp(m.text + len, seal) != 0))
		return NOWHERE;
	return m.place;
}

bool ownfile_is_ours(int fd, const char *path)
{
	return where_ours(fd, path) != NOWHERE;
}

static int write_sidecar(const char *path, const char *text)
{
	char *sidecar = sidecar_path(path), *line = xasprintf("%s\n", text);
	int rc = sidecar ? fs_write_atomic(sidecar, line, strlen(line)) : -EINVAL;

	free(sidecar);
	free(line);
	return rc;
}

static int write_mark(int fd, const char *path, bool sealed, struct err *e)
{
	char text[MARK_MAX], identity[IDENTITY_MAX], seal[SEAL_MAX] = "";
	struct statx stx;
	int rc = look_at(fd, &stx);

	if (rc)
		return err_set(e, -rc, "%s: cannot be marked as made by iodeck: %s", path,
			       rc == -EINVAL ? "not a regular file" : strerror(-rc));
	if (sealed)
		seal_text(&stx, seal);
	identity_text(&stx, IN_XATTR, identity);
	snprintf(text, sizeof(text), "%s%s", identity, seal);
	if (fsetxattr(fd, XATTR_NAME, text, strlen(text), 0) == 0)
		return 0;
	identity_text(&stx, IN_SIDECAR, identity);
	snprintf(text, sizeof(text), "%s%s", identity, seal);
	rc = write_sidecar(path, text);
	if (rc)
		return err_set(e, -rc, "%s: cannot be marked as made by iodeck: %s", path,
			       strerror(-rc));
	return 0;
}

int ownfile_mark(int fd, const char *path, struct err *e)
{
	return write_mark(fd, path, false, e);
}

int ownfile_seal(int fd, const char *path, struct err *e)
{
	if (!ownfile_is_ours(fd, path))
		return err_set(e, EPERM, "%s: was not made by iodeck, so it is not marked", path);
	return write_mark(fd, path, true, e);
}

int ownfile_create(const char *path, int flags, struct err *e)
{
	/* O_DIRECT comes later: where it is refused, open() would fail and leave the new file. */
	int fd =
		open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | (flags & ~O_DIRECT),
		     0644);
	int rc;

	if (fd < 0) {
		rc = errno;
		return err_set(e, rc, "%s: cannot be created: %s", path, strerror(rc));
	}
	rc = ownfile_mark(fd, path, e);
	if (rc == 0 && (flags & O_DIRECT) && fcntl(fd, F_SETFL, flags) < 0)
		rc = err_set(e, errno, "%s: the file system does not support direct I/O", path);
	if (rc == 0)
		return fd;
	if (ownfile_unlink(fd, path, NULL))
		unlink(path); /* unmarked, but O_EXCL says that we made it */
	close(fd);
	return rc;
}

int ownfile_unlink(int fd, const char *path, struct err *e)
{
	struct stat by_fd, by_path;
	enum place place = where_ours(fd, path);
	char *sidecar;

	if (place == NOWHERE)
		return err_set(e, EPERM, "%s: kept, it was not made by iodeck", path);
	if (fstat(fd, &by_fd) || lstat(path, &by_path) || by_fd.st_dev != by_path.st_dev ||
	    by_fd.st_ino != by_path.st_ino)
		return err_set(e, ESTALE, "%s: kept, another file has this name now", path);
	if (unlink(path)) {
		int rc = errno;

		return err_set(e, rc, "%s: cannot be removed: %s", path, strerror(rc));
	}
	sidecar = place == IN_SIDECAR ? sidecar_path(path) : NULL;
	if (sidecar)
		unlink(sidecar);
	free(sidecar);
	return 0;
}
