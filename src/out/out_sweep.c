/* A sweep as text: grids, findings; and as csv. */
#include "src/out/out_sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "src/out/num.h"
#include "src/out/report.h"
#include "src/stat/sweep_text.h"

static void run_csv(const struct sweep_result *r, const struct job_spec *job, struct strbuf *out)
{
	(void)job;
	sweep_out_csv(r, out);
}

static void run_normal(const struct sweep_result *r, const struct job_spec *job, struct strbuf *out)
{
	(void)job;
	sweep_out_normal(r, out);
}

static const struct {
	const char *word;
	enum sweep_format bit;
	void (*run)(const struct sweep_result *, const struct job_spec *, struct strbuf *);
} formats[] = {
	{"csv", SWEEP_CSV, run_csv},
	{"json", SWEEP_JSON, sweep_out_json},
	{"normal", SWEEP_NORMAL, run_normal},
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

unsigned sweep_formats_parse(const char *text, struct err *e)
{
	unsigned bits = 0;

	for (;; text++) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < FORMATS &&
		       (strlen(formats[i].word) != len || strncmp(formats[i].word, text, len) != 0))
			i++;
		if (i == FORMATS) {
			err_set(e, EINVAL,
				"output-format: no format '%.*s'; a comma list of normal, json, "
				"csv",
				(int)(len < 40 ? len : 40), text);
			return 0;
		}
		bits |= formats[i].bit;
		text += len;
		if (!*text)
			return bits;
	}
}

void sweep_report(unsigned bits, const struct sweep_result *r, const struct job_spec *job,
		  struct strbuf *out)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (bits & formats[i].bit)
			formats[i].run(r, job, out);
}

/* -- grids ------------------------------------------------------------------------------------ */

typedef void (*cell_text)(const struct sweep_cell *, char *out, size_t size);

static const char *tail_mark(const struct sweep_cell *c, unsigned i)
{
	return sweep_cell_pct_weak(c, i) ? "~" : "";
}

static void text_iops(const struct sweep_cell *c, char *out, size_t size)
{
	char n[32];

	units_fmt_count(n, sizeof(n), c->iops);
	snprintf(out, size, "%s%s", n, c->flags & CELL_WIDE ? "~" : "");
}

static void text_bps(const struct sweep_cell *c, char *out, size_t size)
{
	units_fmt_bps(out, size, c->bps, false);
}

static void text_mean(const struct sweep_cell *c, char *out, size_t size)
{
	units_fmt_ns(out, size, c->n ? c->mean_ns : (double)NAN, "u");
}

static void text_p99(const struct sweep_cell *c, char *out, size_t size)
{
	char n[32];

	units_fmt_ns(n, sizeof(n), c->n ? (double)c->pct_ns[2] : (double)NAN, "u");
	snprintf(out, size, "%s%s", c->n ? tail_mark(c, 2) : "", n);
}

static void text_written(const struct sweep_cell *c, char *out, size_t size)
{
	units_fmt_bytes(out, size, (double)c->written_bytes, false);
}

static void add_cell(const struct sweep_result *r, unsigned row, unsigned col, cell_text text,
		     struct strbuf *out)
{
	const struct sweep_cell *c = sweep_cell_get(r, row, col);
	const char *mark = r->find[col].knee[KNEE_POWER] == (int)row ? "*" : " ";
	char s[48];

	switch ((enum cell_state)c->state) {
	case CELL_DONE:
	case CELL_NO_IO:
		text(c, s, sizeof(s));
		strbuf_addf(out, "  %10s%s", s, mark);
		break;
	default:
		strbuf_addf(out, "  %10s ",
			    c->state == CELL_PENDING   ? "-"
			    : c->state == CELL_RUNNING ? "-"
						       : cell_state_word(c->state));
	}
}

static void add_grid(const struct sweep_result *r, const char *title, cell_text text,
		     struct strbuf *out)
{
	char label[32];

	strbuf_addf(out, "\n%s\n%10s |", title, sweep_kind_word(r->spec.row));
	for (unsigned col = 0; col < r->cols; col++) {
		sweep_axis_label(&r->spec, r->spec.col, col, label, sizeof(label));
		strbuf_addf(out, "  %10s ", label);
	}
	strbuf_putc(out, '\n');
	for (unsigned row = 0; row < r->rows; row++) {
		sweep_axis_label(&r->spec, r->spec.row, row, label, sizeof(label));
		strbuf_addf(out, "%10s |", label);
		for (unsigned col = 0; col < r->cols; col++)
			add_cell(r, row, col, text, out);
		strbuf_putc(out, '\n');
	}
}

static bool writes(const struct sweep_result *r)
{
	for (unsigned i = 0; i < r->rows * r->cols; i++)
		if (r->cell[i].written_bytes)
			return true;
	return false;
}

static void add_findings(const struct sweep_result *r, unsigned col, struct strbuf *out)
{
	struct finding f[FINDINGS_MAX];
	unsigned n = sweep_findings_text(r, col, KNEE_POWER, true, "u", f);
	char at[48];

	sweep_col_text(r, col, at, sizeof(at));
	strbuf_addf(out, "\nfindings%s%s\n", at[0] ? ", " : "", at);
	for (unsigned i = 0; i < n; i++)
		strbuf_addf(out, "  %-9s  %s\n", f[i].label, f[i].text);
}

void sweep_out_normal(const struct sweep_result *r, struct strbuf *out)
{
	char at[48];

	sweep_col_text(r, 0, at, sizeof(at));
	strbuf_addf(out, "%s sweep: %s, %s, %s%s; %u of %u cells measured\n", REPORT_VERSION, r->rw,
		    r->engine, r->target[0] ? r->target : "-", r->simulated ? " (SIMULATED)" : "",
		    r->done, r->rows * r->cols);
	add_grid(r, "IOPS   (~ interval too wide, * knee)", text_iops, out);
	add_grid(r, "bandwidth", text_bps, out);
	add_grid(r, "mean latency", text_mean, out);
	add_grid(r, "p99 latency   (~ fewer than ten above it)", text_p99, out);
	if (writes(r))
		add_grid(r, "written, ramp included", text_written, out);
	for (unsigned col = 0; col < r->cols; col++)
		if (r->find[col].points)
			add_findings(r, col, out);
}

/* -- csv: raw numbers, the unit in the name --------------------------------------------------- */

static void csv_axis(const struct sweep_result *r, unsigned row, unsigned col, struct strbuf *out)
{
	char label[32];

	for (unsigned k = 0; k < SWEEP_KINDS; k++) {
		unsigned i = k == (unsigned)r->spec.row   ? row
			     : k == (unsigned)r->spec.col ? col
							  : 0;

		if (!r->spec.axis[k].n)
			continue;
		if (k == SWEEP_ENGINE)
			sweep_axis_label(&r->spec, SWEEP_ENGINE, i, label, sizeof(label));
		else
			snprintf(label, sizeof(label), "%" PRIu64, r->spec.axis[k].v[i]);
		strbuf_addf(out, "%s,", label);
	}
}

/* An unknown number is an empty field. */
static void csv_real(double v, struct strbuf *out)
{
	if (isfinite(v))
		strbuf_puts(out, num_real(v, 0, 3).s);
	strbuf_putc(out, ',');
}

static void csv_ns(const struct sweep_cell *c, uint64_t ns, struct strbuf *out)
{
	if (c->n)
		strbuf_addf(out, "%" PRIu64, ns);
	strbuf_putc(out, ',');
}

static void csv_flags(const struct sweep_cell *c, struct strbuf *out)
{
	static const char *const words[] = {"wide", "drift", "stall", "short"};
	const char *sep = "";

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(c->flags & (1u << i)))
			continue;
		strbuf_addf(out, "%s%s", sep, words[i]);
		sep = " ";
	}
	strbuf_putc(out, ',');
}

static void csv_cell(const struct sweep_result *r, unsigned row, unsigned col, struct strbuf *out)
{
	const struct sweep_cell *c = sweep_cell_get(r, row, col);
	bool has = c->state == CELL_DONE || c->state == CELL_NO_IO;

	csv_axis(r, row, col, out);
	strbuf_addf(out, "%s,", cell_state_word(c->state));
	csv_flags(c, out);
	csv_real(has ? c->iops : NAN, out);
	csv_real(has ? c->bps : NAN, out);
	csv_real(has ? c->mean_ns : NAN, out);
	for (unsigned i = 0; i < CELL_PCT_NR; i++)
		csv_ns(c, c->pct_ns[i], out);
	csv_ns(c, c->max_ns, out);
	csv_real(c->ci_pct, out);
	strbuf_addf(out, "%u,", c->inflight);
	csv_real(c->little, out);
	csv_real(c->cpu_ns, out);
	strbuf_addf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d\n", c->n,
		    c->errors, c->elapsed_ns, c->written_bytes, c->stall_ns, r->simulated);
}

void sweep_out_csv(const struct sweep_result *r, struct strbuf *out)
{
	for (unsigned k = 0; k < SWEEP_KINDS; k++)
		if (r->spec.axis[k].n)
			strbuf_addf(out, "%s%s,", sweep_kind_word((enum sweep_kind)k),
				    k == SWEEP_BS    ? "_bytes"
				    : k == SWEEP_MIX ? "_pct"
						     : "");
	strbuf_puts(
		out,
		"state,flags,iops,bytes_per_s,lat_mean_ns,lat_p50_ns,lat_p90_ns,lat_p99_ns,"
		"lat_p99.9_ns,lat_max_ns,ci95_pct,inflight_asked,inflight_effective,"
		"cpu_ns_per_io,completions,errors,measured_ns,written_bytes,stall_ns,simulated\n");
	for (unsigned row = 0; row < r->rows; row++)
		for (unsigned col = 0; col < r->cols; col++)
			csv_cell(r, row, col, out);
}
