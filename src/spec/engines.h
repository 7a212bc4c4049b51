/*
 * What the option language knows of I/O engines: names and option rows, handed in once at the start by
 * the program (src/app_engines.c), because spec must not know the engines themselves. Read-only after
 * that. Without a table every engine option is refused by name.
 */
#ifndef IODECK_SPEC_ENGINES_H
#define IODECK_SPEC_ENGINES_H

#include <stddef.h>

#include "src/base/option.h"
#include "src/spec/job_spec.h"

struct spec_engine {
	const char *name; /* NULL ends the table */
	const char *summary;
	const struct option_def *options; /* NULL: none */
	size_t options_size;
	/* It brings its own devices along, whose names begin so ("sim:"); NULL: it works on files. */
	const char *device_prefix;
};

/* The table stays the caller's and must outlive every spec. */
void spec_set_engines(const struct spec_engine *table);
/* Never NULL: an empty table before spec_set_engines(). */
const struct spec_engine *spec_engines(void);
const struct spec_engine *spec_engine_find(const char *name);
/*
 * The engine that alone can work on what filename= names, because it is its own device; NULL: a file, a disk.
 * A colon that is escaped belongs to the name of a file.
 */
const struct spec_engine *spec_engine_of_target(const char *filename);
/* The row `option` of this engine, or NULL. */
const struct option_def *spec_engine_option(const char *engine, const char *option);
/* The first engine that has this option, or NULL. */
const char *spec_engine_with(const char *option);

/* The option values of the job's engine, defaults filled in at the first call; NULL: it has none. */
void *engine_opts_get(struct job_spec *);
void engine_opts_copy(struct job_spec *dst, const struct job_spec *src); /* dst has none yet */
void engine_opts_free(struct job_spec *);

#endif
