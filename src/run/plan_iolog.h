/*
 * A plan whose I/O comes from a log (read_iolog=), and the names in one that is written (write_iolog=). The
 * log says which files there are, what is done to them and how large the buffers must be; everything else, the
 * guard first of all, treats them as it does the files of any job. The plan owns what is loaded.
 */
#ifndef IODECK_RUN_PLAN_IOLOG_H
#define IODECK_RUN_PLAN_IOLOG_H

#include "src/run/plan.h"

/* Loads the logs, if any are asked for, and sets what they decide. */
int plan_iolog_load(struct plan *, struct err *e);
/* The log of report entry k; NULL: its I/O is made up. */
const struct iolog *plan_iolog_of(const struct plan *, unsigned k);
/* The logs' files as targets. */
void plan_iolog_files(struct plan *);
/* What file f needs; errors name the line that is in the way. */
int plan_iolog_region(const struct plan *, unsigned f, uint64_t *len, struct err *e);
/* Regions, limits, alignment; instead of what a job without a log checks. */
int plan_iolog_size(struct plan *, struct err *e);
int plan_iolog_check_align(const struct plan *, struct err *e);
/* Can write_iolog= hold the names of this job's files? */
int plan_iolog_check_written(const struct plan *, struct err *e);
/* Options that the playback does not look at. */
void plan_iolog_notes(const struct plan *, struct strbuf *notes);

#endif
