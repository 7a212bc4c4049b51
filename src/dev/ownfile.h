/*
 * Which files iodeck may overwrite: only those it made. The mark is an extended attribute
 * (user.iodeck), or, on file systems without them, a sidecar `.NAME.iodeck` that names device, inode
 * and birth time, so that another file moved to that name does not inherit the mark.
 */
#ifndef IODECK_DEV_OWNFILE_H
#define IODECK_DEV_OWNFILE_H

#include <stdbool.h>

#include "src/base/err.h"

/* Marks the file just created as ours. path: for the sidecar. */
int ownfile_mark(int fd, const char *path, struct err *e);
/* Was it made by us? false on any doubt. */
bool ownfile_is_ours(int fd, const char *path);
/* Unlinks path if it is still the very file fd and ours; removes the sidecar too. 0 or -errno. */
int ownfile_unlink(int fd, const char *path, struct err *e);

#endif
