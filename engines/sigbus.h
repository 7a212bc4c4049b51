/*
 * Copying to or from a mapped file whose pages may be gone: a truncated file, a full file system, a
 * disk that fails. The kernel answers with SIGBUS in the middle of the copy.
 *
 * No sigsetjmp for each I/O: the handler puts empty memory under the rest of this copy's range and
 * notes it, the copy runs on over it, and the caller, told that it failed, maps the file there again. A copy
 * that meets no fault pays for three stores.
 */
#ifndef IODECK_ENGINES_SIGBUS_H
#define IODECK_ENGINES_SIGBUS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Installs the handler (once in the process; a SIGBUS elsewhere goes to the handler before it) and
 * lets this thread receive the signal: blocked, it would kill the process. *old: for sigbus_leave.
 */
int sigbus_enter(sigset_t *old);
void sigbus_leave(const sigset_t *old);

/*
 * memcpy of which `mapped` (dst or src, len bytes) lies in a file mapping of whole pages. false: a page
 * could not be had; the pages from there to the end of the range are now private memory, not the file.
 */
bool sigbus_copy(void *dst, const void *src, size_t len, const void *mapped);

#endif
