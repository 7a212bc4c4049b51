/*
 * The report formats: what a finished run measured, as text. A format gets the result and a buffer and
 * can do nothing else: it opens no file, prints nothing, and computes no figure that result_derive()
 * already holds. Any thread, but one that does not race with setlocale().
 */
#ifndef IODECK_OUT_REPORT_H
#define IODECK_OUT_REPORT_H

#include <stdbool.h>

#include "src/base/strbuf.h"
#include "src/spec/spec.h"
#include "src/stat/result.h"

/* The version as reports carry it; scripts look for the word before the dash. */
#define REPORT_VERSION "iodeck-" IODECK_VERSION

/* What the command line says about the looks of the reports. All 0: as fio does by default. */
struct report_how {
	unsigned formats;       /* enum cmdline_format bits */
	unsigned terse_version; /* 2 to 5; 0: 3 */
};

struct report_ops {
	const char *name, *summary;
	unsigned format; /* its bit of enum cmdline_format */
	/* Appends the whole report. r is derived (result_derive) and only read. */
	void (*run)(const struct run_result *r, const struct report_how *, struct strbuf *out);
};

/* Ended by NULL, in the order in which fio prints formats asked for together. */
extern const struct report_ops *const report_table[];
const struct report_ops *report_find(const char *name);
/*
 * Every format of `formats` (enum cmdline_format bits), in table order. Each format appends on its own,
 * so json alone is one valid document; json and json+ together print json+ only.
 */
void report_print(unsigned formats, const struct run_result *r, struct strbuf *out);
void report_print_as(const struct report_how *, const struct run_result *r, struct strbuf *out);
/*
 * What `normal` prints before the run starts: a line per job, the version, the number of threads.
 * Ends with a newline; the empty line before the first job block belongs to the report.
 */
void report_header(const struct spec *s, struct strbuf *out);
/*
 * `iodeck help FORMAT`: every field with its unit. FORMAT is terse, terse2 .. terse5, or json. False:
 * there is no such text.
 */
bool report_help(const char *format, struct strbuf *out);

#endif
