/* Small files: read whole, write so that a crash leaves the old one or the new one. */
#ifndef IODECK_BASE_FSUTIL_H
#define IODECK_BASE_FSUTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/base/strbuf.h"

/*
 * Reads `path` under `root` ("" or "/": the real tree; else a fixture) into buf, NUL-terminated,
 * trailing newline cut. Length, or -errno (-EFBIG when it does not fit).
 */
ssize_t fs_read_small(const char *root, const char *path, char *buf, size_t size);
/* The same without a size limit below 16 MiB, appended to sb, nothing cut. 0 or -errno. */
int fs_read_all(const char *root, const char *path, struct strbuf *sb);
/* An unsigned decimal in a small file. 0 or -errno (-EINVAL: not a number). */
int fs_read_u64(const char *root, const char *path, uint64_t *value);
/* All of it, however the kernel cuts it up. 0 or -errno. */
int fs_write_all(int fd, const char *data, size_t len);
/* Temp file beside it, fsync, rename, fsync of the folder. Missing folders are made (0700). */
int fs_write_atomic(const char *path, const char *data, size_t len);
/* mkdir -p, mode 0700. 0 or -errno. */
int fs_mkdirs(const char *path);

#endif
