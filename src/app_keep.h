/*
 * `iodeck run --state-dir DIR`: the run is kept in the history as the console keeps its own, and what is
 * known of it is on disk while it is on. All functions take NULL; main thread.
 */
#ifndef IODECK_APP_KEEP_H
#define IODECK_APP_KEEP_H

#include <stdbool.h>

#include "src/run/session.h"
#include "src/spec/cmdline.h"

struct app_keep;

/* NULL: --state-dir is not given. */
struct app_keep *app_keep_begin(struct session *, const struct cmdline *);
/* Several times a second. */
void app_keep_look(struct app_keep *);
/* The run is over; stopped: not by itself. 0 or -errno: it could not be kept. Frees. */
int app_keep_end(struct app_keep *, bool stopped, struct err *e);

#endif
