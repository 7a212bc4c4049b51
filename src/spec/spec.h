/*
 * All jobs of one request: what a job file or a command line said, [global] folded in. Built by
 * jobfile.c, cmdline.c and the console; consumed by run/plan.c and by the reports.
 */
#ifndef IODECK_SPEC_SPEC_H
#define IODECK_SPEC_SPEC_H

#include <stddef.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"
#include "src/spec/job_spec.h"

struct spec {
	struct job_spec *jobs; /* in report order; stonewall and groups as flags in them */
	size_t n_jobs;
	struct opt_given *globals; /* options of [global] as written, for reports */
	size_t n_globals;
	struct strbuf notes; /* one line each: what deviates from fio, for stderr */
};

void spec_init(struct spec *);
void spec_fini(struct spec *);
void spec_copy(struct spec *dst, const struct spec *src); /* dst uninitialised */
/* Appends a copy of `job`. */
struct job_spec *spec_add(struct spec *, const struct job_spec *job);
void spec_note(struct spec *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
