/*
 * How the other files of this folder reach sysfs: by device number, never by name. A device's folder
 * is /sys/dev/block/M:m, a link into /sys/devices. All paths are taken under `fsroot` ("" or "/": the
 * real tree). Attributes are optional: a missing one is -errno, "" or the caller's default.
 */
#ifndef IODECK_DEV_SYSFS_H
#define IODECK_DEV_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SYSFS_NAME_MAX 64

bool sysfs_is_real(const char *fsroot);
/* fsroot + formatted path. Length or -ENAMETOOLONG. */
int sysfs_path(char *out, size_t size, const char *fsroot, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool sysfs_exists(const char *fsroot, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The file's text with blanks cut at both ends. Length or -errno; out is "" then. */
ssize_t sysfs_text(const char *fsroot, char *out, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int sysfs_u64(const char *fsroot, uint64_t *value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A file that holds "M:m". */
int sysfs_devno(const char *fsroot, uint32_t *major, uint32_t *minor, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Last component of what a link points at. Length or -errno; out is "" then. */
int sysfs_link_base(const char *fsroot, char *out, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The kernel name of a device number ('!' of sysfs turned into '/'). 0 or -ENODEV. */
int sysfs_name(const char *fsroot, uint32_t major, uint32_t minor, char name[SYSFS_NAME_MAX]);
/* The device number of a kernel name or of a path below /dev. 0 or -ENODEV. */
int sysfs_find_name(const char *fsroot, const char *name, uint32_t *major, uint32_t *minor);
/* Calls fn with each entry but "." and ".."; stops at non-zero and returns it. -errno: no folder. */
int sysfs_each(const char *fsroot, const char *path, int (*fn)(void *arg, const char *entry),
	       void *arg);

#endif
