#include "src/dev/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/fsutil.h"

bool sysfs_is_real(const char *fsroot)
{
	return !fsroot || fsroot[0] == '\0' || strcmp(fsroot, "/") == 0;
}

__attribute__((format(printf, 4, 0))) static int path_va(char *out, size_t size, const char *fsroot,
							 const char *fmt, va_list ap)
{
	int n = snprintf(out, size, "%s", sysfs_is_real(fsroot) ? "" : fsroot);
	int m;

	if (n < 0 || (size_t)n >= size)
		return -ENAMETOOLONG;
	m = vsnprintf(out + n, size - (size_t)n, fmt, ap);
	return m < 0 || (size_t)(n + m) >= size ? -ENAMETOOLONG : n + m;
}

#define PATH_FROM_ARGS(path, rc, fsroot, fmt)                                                      \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		(rc) = path_va(path, sizeof(path), fsroot, fmt, ap);                               \
		va_end(ap);                                                                        \
	} while (0)

int sysfs_path(char *out, size_t size, const char *fsroot, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = path_va(out, size, fsroot, fmt, ap);
	va_end(ap);
	return n;
}

bool sysfs_exists(const char *fsroot, const char *fmt, ...)
{
	char path[PATH_MAX];
	int rc;

	PATH_FROM_ARGS(path, rc, fsroot, fmt);
	return rc >= 0 && access(path, F_OK) == 0;
}

static ssize_t trim(char *s, ssize_t len)
{
	char *start = s;

	while (len > 0 && isspace((unsigned char)s[len - 1]))
		len--;
	s[len] = '\0';
	while (isspace((unsigned char)*start))
		start++;
	len -= start - s;
	memmove(s, start, (size_t)len + 1);
	return len;
}

ssize_t sysfs_text(const char *fsroot, char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	ssize_t n;
	int rc;

	out[0] = '\0';
	PATH_FROM_ARGS(path, rc, fsroot, fmt);
	if (rc < 0)
		return rc;
	n = fs_read_small("", path, out, size);
	return n < 0 ? n : trim(out, n);
}

int sysfs_u64(const char *fsroot, uint64_t *value, const char *fmt, ...)
{
	char path[PATH_MAX];
	int rc;

	PATH_FROM_ARGS(path, rc, fsroot, fmt);
	return rc < 0 ? rc : fs_read_u64("", path, value);
}

int sysfs_devno(const char *fsroot, uint32_t *major, uint32_t *minor, const char *fmt, ...)
{
	char path[PATH_MAX], text[32];
	unsigned maj, min;
	ssize_t n;
	int rc;

	PATH_FROM_ARGS(path, rc, fsroot, fmt);
	if (rc < 0)
		return rc;
	n = fs_read_small("", path, text, sizeof(text));
	if (n < 0)
		return (int)n;
	if (sscanf(text, "%u:%u", &maj, &min) != 2)
		return -EINVAL;
	*major = maj;
	*minor = min;
	return 0;
}

int sysfs_link_base(const char *fsroot, char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *base;
	ssize_t n;
	int rc;

	out[0] = '\0';
	PATH_FROM_ARGS(path, rc, fsroot, fmt);
	if (rc < 0)
		return rc;
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	base = strrchr(target, '/');
	base = base ? base + 1 : target;
	if (strlen(base) >= size)
		return -ENAMETOOLONG;
	strcpy(out, base);
	return (int)strlen(out);
}

int sysfs_name(const char *fsroot, uint32_t major, uint32_t minor, char name[SYSFS_NAME_MAX])
{
	if (sysfs_link_base(fsroot, name, SYSFS_NAME_MAX, "/sys/dev/block/%u:%u", major, minor) <=
	    0)
		return -ENODEV;
	for (char *p = name; *p; p++)
		if (*p == '!')
			*p = '/';
	return 0;
}

int sysfs_find_name(const char *fsroot, const char *name, uint32_t *major, uint32_t *minor)
{
	char entry[NAME_MAX + 1];

	if (strncmp(name, "/dev/", 5) == 0)
		name += 5;
	if (!*name || strlen(name) >= sizeof(entry))
		return -ENODEV;
	strcpy(entry, name);
	for (char *p = entry; *p; p++)
		if (*p == '/')
			*p = '!';
	return sysfs_devno(fsroot, major, minor, "/sys/class/block/%s/dev", entry) ? -ENODEV : 0;
}

int sysfs_each(const char *fsroot, const char *path, int (*fn)(void *arg, const char *entry),
	       void *arg)
{
	char full[PATH_MAX];
	struct dirent *de;
	int rc = sysfs_path(full, sizeof(full), fsroot, "%s", path);
	DIR *dir;

	if (rc < 0)
		return rc;
	dir = opendir(full);
	if (!dir)
		return -errno;
	rc = 0;
	/* glibc's readdir is safe as long as no two threads share the DIR. */
	/* cppcheck-suppress readdirCalled */
	while (rc == 0 && (de = readdir(dir)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			rc = fn(arg, de->d_name);
	closedir(dir);
	return rc;
}
