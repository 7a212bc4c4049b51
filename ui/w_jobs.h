/*
 * One row a worker: what each of the job's threads does. What does not fit is summed in a last row.
 * Columns are dropped from the right; values are never cut.
 */
#ifndef IODECK_UI_W_JOBS_H
#define IODECK_UI_W_JOBS_H

#include <stdbool.h>

#include "src/stat/snapshot.h"
#include "ui/canvas.h"

void w_jobs(struct canvas *, struct rect r, const struct lane_snap *, bool totals, bool si);

#endif
