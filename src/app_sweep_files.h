/* Sweeps in files, for the console and for the history: the formats, and which device they are of. */
#ifndef IODECK_APP_SWEEP_FILES_H
#define IODECK_APP_SWEEP_FILES_H

#include "src/out/out_sweep.h"
#include "src/out/sweep_load.h"
#include "src/spec/spec.h"

/* sweep_report() with the identity of the target as it is now. */
void app_sweep_print(unsigned format, const struct sweep_result *, const struct job_spec *job,
		     struct strbuf *out);
/* Into a new file, its format by the name's end: .json, .csv, .txt, .fio. 0 or -errno. */
int app_sweep_export(const struct sweep_result *, const struct job_spec *job, const char *path,
		     struct err *e);
/*
 * A saved sweep, alone or as run.json of the history: its job and its cells. -EINVAL also when it was measured
 * on another device than its target's name means now. `job` is initialised before.
 */
int app_sweep_read(const char *name, const char *text, struct spec *job, struct sweep_result *,
		   struct err *e);
/* The check alone; job: what is to be run now. */
int app_sweep_same_target(const char *name, const struct sweep_result *, const struct job_spec *job,
			  struct err *e);
/* The file that --resume=WHAT names: a path, or the name of a run in the history. Owned by the caller. */
char *app_sweep_find(const char *what);

#endif
