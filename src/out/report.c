#include "src/out/report.h"

#include <string.h>

#include "src/out/formats.h"
#include "src/out/num.h"
#include "src/spec/cmdline.h"

const struct report_ops *const report_table[] = {
	&report_terse, &report_json, &report_json_plus, &report_normal, NULL,
};

const struct report_ops *report_find(const char *name)
{
	for (const struct report_ops *const *p = report_table; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	return NULL;
}

void report_print_as(const struct report_how *how, const struct run_result *r, struct strbuf *out)
{
	unsigned formats = how->formats;

	if (formats & FORMAT_JSON_PLUS)
		formats &= ~(unsigned)FORMAT_JSON;
	for (const struct report_ops *const *p = report_table; *p; p++)
		if (formats & (*p)->format)
			(*p)->run(r, how, out);
}

void report_print(unsigned formats, const struct run_result *r, struct strbuf *out)
{
	const struct report_how how = {.formats = formats};

	report_print_as(&how, r, out);
}

static void add_job_line(const struct job_spec *j, unsigned group, struct strbuf *out)
{
	static const char letters[IO_OP_NR] = {'R', 'W', 'T'};

	strbuf_addf(out, "%s: (g=%u): rw=%s, bs=", j->name, group, job_spec_rw_word(&j->rw));
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		uint64_t lo, hi;

		job_spec_block_range(j, op, &lo, &hi);
		strbuf_addf(out, "(%c) %s-%s, ", letters[op], num_bytes(lo, num_style(j)).s,
			    num_bytes(hi, num_style(j)).s);
	}
	strbuf_addf(out, "ioengine=%s, iodepth=%u\n", j->ioengine, j->iodepth);
	if (j->numjobs > 1)
		strbuf_puts(out, "...\n");
}

void report_header(const struct spec *s, struct strbuf *out)
{
	unsigned long threads = 0;
	unsigned group = 0;

	for (size_t i = 0; i < s->n_jobs; i++) {
		const struct job_spec *j = &s->jobs[i];

		/* fio-language 1.4: both words start a new group, except before the first job. */
		if (i > 0 && (j->stonewall || j->new_group))
			group++;
		add_job_line(j, group, out);
		threads += j->numjobs;
	}
	strbuf_addf(out, "%s\nStarting %lu thread%s\n", REPORT_VERSION, threads,
		    threads == 1 ? "" : "s");
}
