#include "src/stat/sweep_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"

#define NUM 32

struct lines {
	struct finding *v;
	unsigned n;
	const char *micro;
	const struct sweep_result *r;
};

static void put(struct lines *l, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void put(struct lines *l, const char *label, const char *fmt, ...)
{
	va_list ap;

	if (l->n == FINDINGS_MAX)
		return;
	l->v[l->n].label = label;
	va_start(ap, fmt);
	vsnprintf(l->v[l->n].text, sizeof(l->v[l->n].text), fmt, ap);
	va_end(ap);
	l->n++;
}

static void axis_text(const struct sweep_result *r, enum sweep_kind k, unsigned i, char *out,
		      size_t size)
{
	char label[24];

	out[0] = '\0';
	if (k == SWEEP_NO_AXIS)
		return;
	sweep_axis_label(&r->spec, k, i, label, sizeof(label));
	snprintf(out, size, "%s %s", sweep_kind_word(k), label);
}

void sweep_row_text(const struct sweep_result *r, unsigned row, char *out, size_t size)
{
	axis_text(r, r->spec.row, row, out, size);
}

void sweep_col_text(const struct sweep_result *r, unsigned col, char *out, size_t size)
{
	axis_text(r, r->spec.col, col, out, size);
}

static void put_model(struct lines *l, const struct sweep_findings *f)
{
	char r0[NUM], xmax[NUM], n[NUM];

	if (f->fit.form == FIT_NONE) {
		put(l, "model", "no fit: %s", f->fit.why);
		return;
	}
	units_fmt_ns(r0, sizeof(r0), f->fit.r0_ns, l->micro);
	units_fmt_count(xmax, sizeof(xmax), f->fit.xmax);
	units_fmt_count(n, sizeof(n), f->fit.nstar);
	put(l, "model", "%s, %u cells%s, residual %.1f %%   R0 %s   Xmax %s   N* %s",
	    fit_form_word(f->fit.form), f->fit.points,
	    f->fit.without_one ? " without depth 1 (host asleep)" : "", f->fit.residual_pct, r0,
	    xmax, n);
}

static void put_knee(struct lines *l, const char *label, unsigned col, enum knee_rule rule)
{
	const struct sweep_findings *f = &l->r->find[col];
	const struct sweep_cell *c, *top;
	char at[48], iops[NUM], p99[NUM], pct[NUM];

	if (f->knee[rule] < 0)
		return;
	c = sweep_cell_get(l->r, (unsigned)f->knee[rule], col);
	top = sweep_cell_get(l->r, (unsigned)f->peak, col);
	sweep_row_text(l->r, (unsigned)f->knee[rule], at, sizeof(at));
	units_fmt_count(iops, sizeof(iops), c->iops);
	units_fmt_ns(p99, sizeof(p99), (double)c->pct_ns[2], l->micro);
	units_fmt_pct(pct, sizeof(pct), c->iops / top->iops * 100);
	put(l, label, "%s   (%s)   %s IOPS   p99 %s%s   %s %% of peak", at, knee_rule_text(rule),
	    iops, sweep_cell_pct_weak(c, 2) ? "~" : "", p99, pct);
}

static void put_knees(struct lines *l, unsigned col, enum knee_rule first, bool all)
{
	const struct sweep_findings *f = &l->r->find[col];

	put_knee(l, "knee", col, first);
	for (unsigned k = 0; all && k < KNEE_RULES; k++)
		if (k != (unsigned)first)
			put_knee(l, f->knee[first] < 0 ? "knee" : "", col, (enum knee_rule)k);
}

static void put_predicted(struct lines *l, unsigned col)
{
	const struct sweep_findings *f = &l->r->find[col];
	double most = 0;

	if (f->fit.form == FIT_NONE)
		return;
	for (unsigned row = 0; row < l->r->rows; row++)
		most = fmax(most, sweep_cell_get(l->r, row, col)->inflight);
	put(l, "90 % peak", "%.0f in flight, predicted%s", ceil(f->fit.n90),
	    f->fit.n90 > most ? ", beyond what was measured" : "");
}

static void put_slo(struct lines *l, unsigned col)
{
	const struct slo_found *s = &l->r->slo[col];
	const struct slo *slo = &l->r->spec.slo;
	const char *axis = sweep_kind_word(l->r->spec.row);
	char what[48], iops[NUM], lat[NUM];

	slo_print(slo, what, sizeof(what));
	if (s->state == SLO_UNKNOWN)
		return;
	if (s->state == SLO_NOT_ONE) {
		put(l, "SLO", "%s: not even at the lowest %s", what, axis);
		return;
	}
	units_fmt_count(iops, sizeof(iops), s->cell.iops);
	units_fmt_ns(lat, sizeof(lat), sweep_cell_slo_ns(&s->cell, slo->metric), l->micro);
	put(l, "SLO", "%s: %s %llu   %s IOPS   %s %s   (%s)", what, axis,
	    (unsigned long long)s->load, iops, slo_metric_word(slo->metric), lat,
	    s->state == SLO_ALL ? "the highest one measured"
	    : s->probes         ? "bisected"
				: "of the grid");
}

static void put_beyond(struct lines *l, unsigned col)
{
	const struct sweep_findings *f = &l->r->find[col];
	char at[48];

	if (isnan(f->beyond_iops_pct))
		return;
	sweep_row_text(l->r, (unsigned)f->knee[KNEE_POWER] + 1, at, sizeof(at));
	put(l, "beyond", "%s: %+.1f %% IOPS for %+.1f %% p99", at, f->beyond_iops_pct,
	    f->beyond_p99_pct);
}

static void put_little(struct lines *l)
{
	const struct sweep_result *r = l->r;
	char row[48], col[48];

	if (!r->depth_axis || r->little_row < 0)
		return;
	sweep_row_text(r, (unsigned)r->little_row, row, sizeof(row));
	sweep_col_text(r, (unsigned)r->little_col, col, sizeof(col));
	put(l, "little", "N = X R holds within %.1f %% in all cells   (worst: %s%s%s)",
	    r->little_off_pct, row, col[0] ? ", " : "", col);
}

static void put_noise(struct lines *l)
{
	const struct sweep_result *r = l->r;
	char cap[32];

	if (!r->wide)
		return;
	units_fmt_time_exact(cap, sizeof(cap), r->spec.cap_ns);
	put(l, "noise", "%u cell%s not within %g %% after %s s: marked ~", r->wide,
	    r->wide == 1 ? "" : "s", r->spec.ci_pct, cap);
}

unsigned sweep_findings_text(const struct sweep_result *r, unsigned col, enum knee_rule first,
			     bool all, const char *micro, struct finding out[FINDINGS_MAX])
{
	struct lines l = {.v = out, .micro = micro, .r = r};
	const struct sweep_findings *f = &r->find[col];
	char at[48], iops[NUM];

	if (f->peak >= 0) {
		sweep_row_text(r, (unsigned)f->peak, at, sizeof(at));
		units_fmt_count(iops, sizeof(iops),
				sweep_cell_get(r, (unsigned)f->peak, col)->iops);
		put(&l, "peak", "%s   %s IOPS", at, iops);
	}
	if (r->depth_axis && f->points)
		put_model(&l, f);
	put_knees(&l, col, first, all);
	put_predicted(&l, col);
	put_slo(&l, col);
	put_beyond(&l, col);
	put_little(&l);
	put_noise(&l);
	return l.n;
}
