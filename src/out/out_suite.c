/* A suite on a page: what was measured on what, then a few lines for each stage. */
#include "src/out/out_suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "src/out/num.h"
#include "src/out/report.h"
#include "src/stat/sweep_text.h"

#define LABEL_W 11
#define CELL_W  9

/* ---- the head ---- */

static void add_state(const struct suite_result *r, struct strbuf *out)
{
	if (suite_is_preconditioned(r))
		strbuf_puts(out, "state      preconditioned by this suite\n");
	else
		strbuf_puts(out,
			    "state      not preconditioned by this suite: blocks that were never "
			    "written are read\n           at the controller's speed, and writes "
			    "are those of a fresh drive\n");
}

static void add_head(const struct suite_result *r, struct strbuf *out)
{
	char took[32], written[32];

	units_fmt_clock(took, sizeof(took), r->took_ns);
	units_fmt_bytes(written, sizeof(written), (double)suite_written_bytes(r), false);
	strbuf_addf(out, "%s suite %s: %s\n", REPORT_VERSION, r->name, r->title);
	strbuf_addf(out, "target     %s%s%s%s, %s\n", r->target[0] ? r->target : "-",
		    r->target_id[0] ? "  " : "", r->target_id, r->simulated ? "  SIMULATED" : "",
		    r->engine);
	strbuf_addf(out, "when       %s, took %s, %s written\n", num_ctime(r->begin_wall_ms).s,
		    took, written);
	add_state(r, out);
	if (r->scale < 1 || r->quick)
		strbuf_addf(out, "times      scaled by %s%s: too short for a verdict on a drive\n",
			    num_real(r->scale, 0, 3).s, r->quick ? ", coarse axes" : "");
}

/* ---- a sweep ---- */

typedef void (*cell_text)(const struct sweep_cell *, char *out, size_t size);

static void text_iops(const struct sweep_cell *c, char *out, size_t size)
{
	char n[24];

	units_fmt_count(n, sizeof(n), c->iops);
	snprintf(out, size, "%s%s", c->flags & CELL_WIDE ? "~" : "", n);
}

static void text_mib(const struct sweep_cell *c, char *out, size_t size)
{
	units_fmt_count(out, size, c->bps / (1 << 20));
}

/* "84.1us": without the blank, columns are narrow. */
static void text_ns(double ns, bool weak, char *out, size_t size)
{
	char n[32], *blank;

	units_fmt_ns(n, sizeof(n), ns, "u");
	blank = strchr(n, ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
	snprintf(out, size, "%s%s", weak ? "~" : "", n);
}

static void text_mean(const struct sweep_cell *c, char *out, size_t size)
{
	text_ns(c->n ? c->mean_ns : (double)NAN, false, out, size);
}

static void text_p99(const struct sweep_cell *c, char *out, size_t size)
{
	text_ns(c->n ? (double)c->pct_ns[2] : (double)NAN, c->n && sweep_cell_pct_weak(c, 2), out,
		size);
}

static bool has_numbers(const struct sweep_cell *c)
{
	return c->state == CELL_DONE || c->state == CELL_NO_IO;
}

static void add_row(const struct sweep_result *r, unsigned col, const char *label, cell_text text,
		    struct strbuf *out)
{
	char s[48];

	strbuf_addf(out, "  %-*s", LABEL_W, label);
	for (unsigned row = 0; row < r->rows; row++) {
		const struct sweep_cell *c = sweep_cell_get(r, row, col);

		if (has_numbers(c))
			text(c, s, sizeof(s));
		else
			snprintf(s, sizeof(s), "%s",
				 c->state == CELL_PENDING || c->state == CELL_RUNNING
					 ? "-"
					 : cell_state_word(c->state));
		strbuf_addf(out, "%*s", CELL_W, s);
	}
	strbuf_putc(out, '\n');
}

static void add_axis(const struct sweep_result *r, unsigned col, struct strbuf *out)
{
	char at[48], label[32];

	sweep_col_text(r, col, at, sizeof(at));
	strbuf_addf(out, "  %-*s", LABEL_W, at[0] ? at : sweep_kind_word(r->spec.row));
	for (unsigned row = 0; row < r->rows; row++) {
		sweep_axis_label(&r->spec, r->spec.row, row, label, sizeof(label));
		strbuf_addf(out, "%*s", CELL_W, label);
	}
	strbuf_putc(out, '\n');
}

/* "best 640k IOPS, 2500 MiB/s at qd 128; knee at qd 64". */
static void add_best(const struct sweep_result *r, unsigned col, struct strbuf *out)
{
	int best = suite_best_row(r, col), knee = r->find[col].knee[KNEE_POWER];
	char iops[32], mib[32], at[48];
	const struct sweep_cell *c;

	if (best < 0)
		return;
	c = sweep_cell_get(r, (unsigned)best, col);
	text_iops(c, iops, sizeof(iops));
	text_mib(c, mib, sizeof(mib));
	sweep_row_text(r, (unsigned)best, at, sizeof(at));
	strbuf_addf(out, "  %-*s  %s IOPS, %s MiB/s at %s", LABEL_W, "most", iops, mib, at);
	if (knee >= 0 && knee != best) {
		sweep_row_text(r, (unsigned)knee, at, sizeof(at));
		strbuf_addf(out, "; knee (%s) at %s", knee_rule_text(KNEE_POWER), at);
	}
	strbuf_putc(out, '\n');
}

/* Where the block size changes bandwidth says more, where the load does latency. */
static void add_sweep(const struct sweep_result *r, struct strbuf *out)
{
	for (unsigned col = 0; col < r->cols; col++) {
		if (r->find[col].points == 0)
			continue;
		add_axis(r, col, out);
		add_row(r, col, "IOPS", text_iops, out);
		add_row(r, col, "MiB/s", text_mib, out);
		add_row(r, col, "mean", text_mean, out);
		add_row(r, col, "p99", text_p99, out);
		add_best(r, col, out);
	}
}

/* ---- steady ---- */

static void add_steady(const struct suite_stage_result *s, struct strbuf *out)
{
	char iops[32], mib[32], mean[32], p99[32], p999[32];
	const struct sweep_cell *w = &s->window;

	strbuf_addf(out, "  %-*s", LABEL_W, "rounds");
	for (unsigned i = 0; i < s->rounds.n; i++) {
		units_fmt_count(iops, sizeof(iops), s->rounds.y[i]);
		strbuf_addf(out, "%s%*s", i && i % 10 == 0 ? "\n             " : "", CELL_W, iops);
	}
	strbuf_putc(out, '\n');
	if (w->n == 0)
		return;
	units_fmt_count(iops, sizeof(iops), w->iops);
	text_mib(w, mib, sizeof(mib));
	text_ns(w->mean_ns, false, mean, sizeof(mean));
	text_ns((double)w->pct_ns[2], sweep_cell_pct_weak(w, 2), p99, sizeof(p99));
	text_ns((double)w->pct_ns[3], sweep_cell_pct_weak(w, 3), p999, sizeof(p999));
	strbuf_addf(out, "  %-*s  %s IOPS, %s MiB/s, mean %s, p99 %s, p99.9 %s\n", LABEL_W,
		    s->verdict.steady ? "steady" : "not steady", iops, mib, mean, p99, p999);
	strbuf_addf(out,
		    "  %-*s  rounds %u to %u: range %s %% (at most %s), slope %s %% (at most %s)\n",
		    LABEL_W, "", s->verdict.from + 1, s->rounds.n,
		    num_real(s->verdict.range_pct, 0, 1).s, num_real(s->rule.range_pct, 0, 0).s,
		    num_real(s->verdict.slope_pct, 0, 1).s, num_real(s->rule.slope_pct, 0, 0).s);
}

/* ---- a stage ---- */

static void add_run(const struct suite_stage_result *s, struct strbuf *out)
{
	char written[32], read[32], took[32];

	units_fmt_bytes(written, sizeof(written), (double)s->written_bytes, false);
	units_fmt_bytes(read, sizeof(read), (double)s->read_bytes, false);
	units_fmt_clock(took, sizeof(took), s->took_ns);
	strbuf_addf(out, "  %-*s  %s written, %s read in %s\n", LABEL_W, "done", written, read,
		    took);
}

static void add_stage(const struct suite_stage_result *s, struct strbuf *out)
{
	strbuf_addf(out, "\n%s: %s", s->name, s->title);
	if (s->state != SUITE_DONE)
		strbuf_addf(out, "  [%s%s%s]", suite_state_word(s->state), s->why[0] ? ": " : "",
			    s->why);
	strbuf_putc(out, '\n');
	if (s->kind == SUITE_SWEEP && s->sweep)
		add_sweep(s->sweep, out);
	if (s->kind == SUITE_STEADY && s->rounds.n)
		add_steady(s, out);
	if (s->kind == SUITE_RUN && s->state == SUITE_DONE)
		add_run(s, out);
}

void suite_out_normal(const struct suite_result *r, struct strbuf *out)
{
	add_head(r, out);
	for (size_t i = 0; i < r->n; i++)
		add_stage(&r->stage[i], out);
	strbuf_puts(out, "\n~ interval too wide, or fewer than ten I/Os above the percentile\n");
}
