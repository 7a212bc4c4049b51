/* What the commands without a screen (run, sweep, suite, compare) have in common. */
#ifndef IODECK_APP_COMMAND_H
#define IODECK_APP_COMMAND_H

#include <stdio.h>

#include "src/base/strbuf.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

/*
 * What a command line lets its session do: --readonly, --allow-destroy, --allow-overwrite; on the real
 * machine. It points into the command line, which must outlive the session.
 */
struct session_cfg app_command_session(const struct cmdline *,
				       void (*note)(void *arg, const char *line), void *arg);
/* Writes and flushes a report. 0; 1: it could not be written, which was said on stderr. */
int app_command_print(const struct strbuf *, FILE *out);

#endif
