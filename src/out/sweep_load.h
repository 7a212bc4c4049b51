/* Reads back what sweep_out_json() wrote, so that a sweep can go on from it. Pure but for the file. */
#ifndef IODECK_OUT_SWEEP_LOAD_H
#define IODECK_OUT_SWEEP_LOAD_H

#include "src/base/err.h"
#include "src/stat/sweep_result.h"

struct sweep_saved {
	struct sweep_result r; /* cells, searches, target, engine, rw; derived */
	char *words;           /* the sweep's options as saved */
	char *job;             /* the job as a job file */
};

/* Nothing half-read is left: 0, or -errno with a one-line message that names the file. */
int sweep_load(const char *path, struct sweep_saved *, struct err *e);
/* The same from memory; name stands in messages. */
int sweep_load_text(const char *name, const char *text, struct sweep_saved *, struct err *e);
void sweep_saved_fini(struct sweep_saved *);

#endif
