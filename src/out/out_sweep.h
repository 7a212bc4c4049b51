/*
 * The reports of a sweep, and the job file that measures the same cells with fio. Each appends to the
 * buffer; pure but for that.
 */
#ifndef IODECK_OUT_OUT_SWEEP_H
#define IODECK_OUT_OUT_SWEEP_H

#include "src/base/strbuf.h"
#include "src/spec/job_spec.h"
#include "src/stat/sweep_result.h"

enum sweep_format { SWEEP_NORMAL = 1u << 0, SWEEP_JSON = 1u << 1, SWEEP_CSV = 1u << 2 };

/* "normal,json,csv" to bits; 0 with e filled when a word is unknown. */
unsigned sweep_formats_parse(const char *text, struct err *e);
/* In the order csv, json, normal. job: what was swept, for the json; NULL unknown. */
void sweep_report(unsigned formats, const struct sweep_result *, const struct job_spec *job,
		  struct strbuf *out);

void sweep_out_normal(const struct sweep_result *, struct strbuf *out);
void sweep_out_csv(const struct sweep_result *, struct strbuf *out);
/* With the job sweep_load() can make the sweep go on from it. */
void sweep_out_json(const struct sweep_result *, const struct job_spec *job, struct strbuf *out);
/*
 * One stonewalled section for each cell in the grid's order, `job` with the cell's settings. Runs as long
 * as the cell was measured, in whole seconds; cells without a measurement take the cap.
 */
void sweep_out_jobs(const struct sweep_result *, const struct job_spec *job, struct strbuf *out);

#endif
