/*
 * Which files iodeck may overwrite: only those it made. The mark is an extended attribute
 * (user.iodeck), or, on file systems without them, a sidecar `.NAME.iodeck`. It names the file's
 * inode and birth time (and its device, where the mark is a sidecar or there is no birth time), so a
 * mark that was copied along (cp -a) or a file moved to the marked name is not ours.
 *
 * A sealed mark also names size and time of the last write: if somebody put their own bytes into our
 * file after the run, it is theirs. Mark when a run starts to write, seal when it has ended; a file
 * that is never sealed stays ours.
 *
 * No secret is in a mark: whoever can write it can write the file as well. Any thread.
 */
#ifndef IODECK_DEV_OWNFILE_H
#define IODECK_DEV_OWNFILE_H

#include <stdbool.h>

#include "src/base/err.h"

/*
 * Creates `path` (it must not exist, not even as a dangling link), marks it and gives the descriptor,
 * opened O_RDWR | flags. -errno with e filled, and nothing is left behind.
 */
int ownfile_create(const char *path, int flags, struct err *e);
/* Marks a file that we just created, or that is ours and about to be written. path: for the sidecar. */
int ownfile_mark(int fd, const char *path, struct err *e);
/*
 * Seals the mark after the last write. -EPERM: the file is not ours, or was sealed before and written
 * without a new mark: a foreign file that the user let us overwrite does not become ours.
 */
int ownfile_seal(int fd, const char *path, struct err *e);
/* Was it made by us? false on any doubt. */
bool ownfile_is_ours(int fd, const char *path);
/* Unlinks path if it is still the very file fd and ours; removes the sidecar too. 0 or -errno. */
int ownfile_unlink(int fd, const char *path, struct err *e);

#endif
