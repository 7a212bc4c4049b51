/*
 * fio-style job files (fio-language 1.6), read through inih with our own line reader, so that every
 * message carries file and line. Nothing of a bad file is kept: all or nothing.
 */
#ifndef IODECK_SPEC_JOBFILE_H
#define IODECK_SPEC_JOBFILE_H

#include <stddef.h>

#include "src/base/err.h"
#include "src/spec/spec.h"

/*
 * Reads `path` ("-" is standard input) and appends its jobs to spec, each starting from `defaults`
 * (NULL: built-in defaults). -errno with a "file:line: [section] ..." message.
 */
int jobfile_load(const char *path, const struct job_spec *defaults, struct spec *spec,
		 struct err *e);
/* The same, only the jobs of the sections named; n_sections 0: all. Finding none is no error. */
int jobfile_load_sections(const char *path, char *const *sections, size_t n_sections,
			  const struct job_spec *defaults, struct spec *spec, struct err *e);
/* The same from memory; `name` stands in messages. */
int jobfile_parse(const char *name, const char *text, size_t len, const struct job_spec *defaults,
		  struct spec *spec, struct err *e);

#endif
