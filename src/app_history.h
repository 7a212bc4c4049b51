/* The console's archive: the store of src/rec with the session's reports in it. */
#ifndef IODECK_APP_HISTORY_H
#define IODECK_APP_HISTORY_H

#include "src/run/session.h"
#include "src/stat/archive.h"

/* state_dir: NULL the user's own. NULL: there is no place to keep anything. */
struct archive *app_history_open(struct session *, const char *state_dir);
void app_history_close(struct archive *);

#endif
