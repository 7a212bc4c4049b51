/*
 * What job files and command lines do alike: find the row a name means, say precisely why a name is
 * refused, put a value into a job and remember it as written. Single-threaded, owns nothing.
 */
#ifndef IODECK_SPEC_APPLY_H
#define IODECK_SPEC_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"
#include "src/spec/spec.h"

/* Options "as written", growing. */
struct given_list {
	struct opt_given *v;
	size_t n;
};

void given_add(struct given_list *, const char *key, const char *val);
void given_free(struct given_list *);

/* A new job (uninitialised before) that starts from `globals`, with nothing written of its own. */
void apply_begin_job(struct job_spec *job, const struct job_spec *globals);

enum lookup {
	LOOKUP_ROW,    /* *row is set */
	LOOKUP_ENGINE, /* an option of some engine: apply_engine_option(), once ioengine is known */
	LOOKUP_IGNORED, /* fio takes it and does nothing; so do we, with a note */
	LOOKUP_REFUSED, /* e is filled */
};

enum lookup apply_lookup(const char *name, const struct option_def **row, struct err *e);
/* val NULL: bare word. `where` stands before a note ("job.fio:3: [a]"). Remembers it in `given`. */
int apply_option(struct job_spec *job, const struct option_def *row, const char *val,
		 const char *where, struct given_list *given, struct spec *notes, struct err *e);
/* The same for an option of the job's engine. */
int apply_engine_option(struct job_spec *job, const char *name, const char *val, const char *where,
			struct given_list *given, struct spec *notes, struct err *e);
/*
 * Once all options of a job are in: a target that brings its own engine along decides it; another one that was
 * asked for is an error.
 */
int apply_target(struct job_spec *, struct err *e);
/* Checks of a complete job: an error, or notes. */
int apply_check(const struct job_spec *job, const char *where, struct spec *notes, struct err *e);
/* The note of LOOKUP_IGNORED. */
void apply_note_ignored(const char *name, const char *where, struct spec *notes);

/* Names that fio 3.x knows and iodeck does not support yet; ended by NULL. */
extern const char *const fio_job_option_names[];
/* A control character would break messages and job files: true when there is one (tabs are fine). */
bool text_has_control(const char *text);

#endif
