/* The terse line and the names of its fields. */
#ifndef IODECK_OUT_OUT_TERSE_H
#define IODECK_OUT_OUT_TERSE_H

#include "src/base/strbuf.h"
#include "src/stat/result.h"

#define TERSE_VERSION     3 /* what fio prints when not asked otherwise */
#define TERSE_VERSION_MIN 2
#define TERSE_VERSION_MAX 5

/* One entry with its line end. */
void terse_add_line(const struct run_result *, const struct job_result *, unsigned version,
		    struct strbuf *out);
/* A line per field: number, name, unit, meaning. One disk. */
void terse_help(unsigned version, struct strbuf *out);

#endif
