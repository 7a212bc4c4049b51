#include "src/base/fsutil.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/xalloc.h"

#define READ_ALL_MAX_BYTES (16u << 20)

static int open_under(const char *root, const char *path)
{
	char full[PATH_MAX];
	int n, fd;

	if (root && strcmp(root, "/") == 0)
		root = "";
	n = snprintf(full, sizeof(full), "%s%s", root ? root : "", path);
	if (n < 0 || (size_t)n >= sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

static ssize_t read_up_to(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, buf + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

ssize_t fs_read_small(const char *root, const char *path, char *buf, size_t size)
{
	int fd = open_under(root, path);
	ssize_t n;

	if (size)
		buf[0] = '\0';
	if (fd < 0)
		return fd;
	n = read_up_to(fd, buf, size);
	close(fd);
	if (n < 0 || (size_t)n >= size) {
		buf[0] = '\0';
		return n < 0 ? n : -EFBIG;
	}
	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return n;
}

int fs_read_all(const char *root, const char *path, struct strbuf *sb)
{
	char chunk[8192];
	int fd = open_under(root, path);
	ssize_t n;

	if (fd < 0)
		return fd;
	while ((n = read_up_to(fd, chunk, sizeof(chunk))) > 0) {
		if (sb->len + (size_t)n > READ_ALL_MAX_BYTES) {
			n = -EFBIG;
			break;
		}
		strbuf_add(sb, chunk, (size_t)n);
	}
	close(fd);
	return n < 0 ? (int)n : 0;
}

int fs_read_u64(const char *root, const char *path, uint64_t *value)
{
	char buf[64], *end;
	ssize_t n = fs_read_small(root, path, buf, sizeof(buf));

	if (n < 0)
		return (int)n;
	if (buf[0] < '0' || buf[0] > '9')
		return -EINVAL;
	errno = 0;
	*value = strtoull(buf, &end, 10);
	return errno || (*end && *end != ' ' && *end != '\n') ? -EINVAL : 0;
}

int fs_mkdirs(const char *path)
{
	char *copy = xstrdup(path);
	int rc = 0;

	for (char *p = copy + 1; rc == 0; p++) {
		bool last = *p == '\0';

		if (!last && *p != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0700) < 0 && errno != EEXIST)
			rc = -errno;
		if (last)
			break;
		*p = '/';
	}
	free(copy);
	return rc;
}

int fs_write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

static int sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -errno;
	/* Some file systems cannot sync a folder; the rename itself was still atomic. */
	rc = fsync(fd) < 0 && errno != EINVAL ? -errno : 0;
	close(fd);
	return rc;
}

int fs_write_atomic(const char *path, const char *data, size_t len)
{
	const char *slash = strrchr(path, '/');
	char *folder =
		slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
	char *temp = xasprintf("%s.XXXXXX", path);
	int fd = -1, rc;

	if (!folder) {
		free(temp);
		return -ENOMEM;
	}
	rc = fs_mkdirs(folder);
	if (rc)
		goto out;
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0) {
		rc = -errno;
		goto out;
	}
	rc = fs_write_all(fd, data, len);
	if (rc == 0 && (fchmod(fd, 0644) < 0 || fsync(fd) < 0))
		rc = -errno;
	if (close(fd) < 0 && rc == 0)
		rc = -errno;
	if (rc == 0 && rename(temp, path) < 0)
		rc = -errno;
	if (rc)
		unlink(temp);
	else
		rc = sync_folder(folder);
out:
	free(temp);
	free(folder);
	return rc;
}
