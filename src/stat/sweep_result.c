#include "src/stat/sweep_result.h"

#include <math.h>
#include <string.h>

#define WEAK_ABOVE 10.0

const double cell_pct_points[CELL_PCT_NR] = {50, 90, 99, 99.9};

const char *cell_state_word(enum cell_state s)
{
	static const char *const words[] = {
		[CELL_PENDING] = "pending", [CELL_RUNNING] = "running", [CELL_DONE] = "done",
		[CELL_SKIPPED] = "skipped", [CELL_NO_IO] = "no-io",     [CELL_FAILED] = "failed",
	};

	return (unsigned)s < sizeof(words) / sizeof(words[0]) ? words[s] : "?";
}

/* -- cells ------------------------------------------------------------------------------------ */

struct sweep_cell *sweep_cell_at(struct sweep_result *r, unsigned row, unsigned col)
{
	return &r->cell[row * r->cols + col];
}

const struct sweep_cell *sweep_cell_get(const struct sweep_result *r, unsigned row, unsigned col)
{
	return &r->cell[row * r->cols + col];
}

bool sweep_cell_has(const struct sweep_cell *c)
{
	return c->state == CELL_DONE && c->n > 0;
}

bool sweep_cell_pct_weak(const struct sweep_cell *c, unsigned i)
{
	return (double)c->n * (100 - cell_pct_points[i]) / 100 < WEAK_ABOVE;
}

double sweep_cell_slo_ns(const struct sweep_cell *c, enum slo_metric m)
{
	if (!c->n)
		return NAN;
	switch (m) {
	case SLO_MEAN:
		return c->mean_ns;
	case SLO_P50:
		return (double)c->pct_ns[0];
	case SLO_P90:
		return (double)c->pct_ns[1];
	case SLO_P99:
		return (double)c->pct_ns[2];
	case SLO_P999:
		return (double)c->pct_ns[3];
	case SLO_MAX:
		return (double)c->max_ns;
	default:
		return NAN;
	}
}

bool sweep_cell_inside(const struct sweep_cell *c, const struct slo *slo)
{
	return sweep_cell_has(c) && sweep_cell_slo_ns(c, slo->metric) < (double)slo->limit_ns;
}

double sweep_cell_efficiency(const struct sweep_cell *c)
{
	return c->n && c->little > 0 ? c->iops / c->little : (double)NAN;
}

static void cell_init(struct sweep_cell *c)
{
	memset(c, 0, sizeof(*c));
	c->iops = c->bps = c->mean_ns = c->ci_pct = c->little = c->cpu_ns = NAN;
}

void sweep_result_init(struct sweep_result *r, const struct sweep_spec *s)
{
	memset(r, 0, sizeof(*r));
	r->spec = *s;
	r->rows = sweep_spec_rows(s);
	r->cols = sweep_spec_cols(s);
	/* Where a rate holds the jobs back the depth is not used up, whatever was asked. */
	r->depth_axis = (s->row == SWEEP_QD || s->row == SWEEP_JOBS) && !s->axis[SWEEP_RATE].n;
	r->load_axis = s->row == SWEEP_QD || s->row == SWEEP_JOBS || s->row == SWEEP_RATE;
	for (unsigned i = 0; i < r->rows * r->cols; i++)
		cell_init(&r->cell[i]);
	for (unsigned i = 0; i < SWEEP_VALUES_MAX; i++)
		cell_init(&r->slo[i].cell);
	sweep_result_derive(r);
}

/* -- findings of a column --------------------------------------------------------------------- */

struct column {
	struct curve_point p[SWEEP_VALUES_MAX];
	int row[SWEEP_VALUES_MAX];
	unsigned n;
};

static void column_of(const struct sweep_result *r, unsigned col, struct column *c)
{
	c->n = 0;
	for (unsigned row = 0; row < r->rows; row++) {
		const struct sweep_cell *cell = sweep_cell_get(r, row, col);

		if (!sweep_cell_has(cell))
			continue;
		c->p[c->n] = (struct curve_point){
			.n = cell->inflight,
			.iops = cell->iops,
			.mean_ns = cell->mean_ns,
			.slo_ns = sweep_cell_slo_ns(cell, r->spec.slo.metric),
		};
		c->row[c->n++] = (int)row;
	}
}

static int row_of(const struct column *c, int i)
{
	return i < 0 ? -1 : c->row[i];
}

static void find_knees(const struct sweep_result *r, const struct column *c,
		       struct sweep_findings *f)
{
	double limit = r->spec.slo.set ? (double)r->spec.slo.limit_ns : 0;

	f->peak = row_of(c, knee_peak(c->p, c->n));
	for (unsigned k = 0; k < KNEE_RULES; k++)
		f->knee[k] = !r->load_axis
				     ? -1
				     : row_of(c, knee_find((enum knee_rule)k, c->p, c->n, limit));
}

static void find_beyond(const struct sweep_result *r, unsigned col, struct sweep_findings *f)
{
	const struct sweep_cell *a, *b;

	f->beyond_iops_pct = f->beyond_p99_pct = NAN;
	if (f->knee[KNEE_POWER] < 0 || f->knee[KNEE_POWER] + 1 >= (int)r->rows)
		return;
	a = sweep_cell_get(r, (unsigned)f->knee[KNEE_POWER], col);
	b = sweep_cell_get(r, (unsigned)f->knee[KNEE_POWER] + 1, col);
	if (!sweep_cell_has(b) || !a->pct_ns[2])
		return;
	f->beyond_iops_pct = (b->iops / a->iops - 1) * 100;
	f->beyond_p99_pct = ((double)b->pct_ns[2] / (double)a->pct_ns[2] - 1) * 100;
}

static void find_little(const struct column *c, struct sweep_findings *f)
{
	f->little_row = -1;
	f->little_off_pct = NAN;
	for (unsigned i = 0; i < c->n; i++) {
		double off = fit_little_off_pct(&c->p[i]);

		if (f->little_row >= 0 && !(off > f->little_off_pct))
			continue;
		f->little_row = c->row[i];
		f->little_off_pct = off;
	}
}

static void no_fit(struct fit *f, const char *why)
{
	*f = (struct fit){.residual_pct = NAN};
	strncpy(f->why, why, sizeof(f->why) - 1);
}

static void derive_column(struct sweep_result *r, unsigned col)
{
	struct sweep_findings *f = &r->find[col];
	struct column c;

	column_of(r, col, &c);
	memset(f, 0, sizeof(*f));
	f->points = c.n;
	find_knees(r, &c, f);
	find_beyond(r, col, f);
	find_little(&c, f);
	if (r->depth_axis) {
		fit_curve(c.p, c.n, &f->fit);
	} else {
		f->little_row = -1;
		no_fit(&f->fit, "the rows are not depths");
	}
}

/* -- the whole -------------------------------------------------------------------------------- */

static void count_cells(struct sweep_result *r)
{
	r->done = r->skipped = r->wide = r->pending = 0;
	for (unsigned i = 0; i < r->rows * r->cols; i++) {
		const struct sweep_cell *c = &r->cell[i];

		r->skipped += c->state == CELL_SKIPPED;
		r->pending += c->state == CELL_PENDING || c->state == CELL_RUNNING;
		r->done +=
			c->state == CELL_DONE || c->state == CELL_NO_IO || c->state == CELL_FAILED;
		r->wide += c->state == CELL_DONE && (c->flags & CELL_WIDE);
	}
}

/* Without a search the grid itself says which of its loads is the last inside. */
static void slo_of_grid(struct sweep_result *r, unsigned col)
{
	struct slo_found *s = &r->slo[col];
	int row = r->find[col].knee[KNEE_SLO];

	if (s->searched || !r->spec.slo.set || !r->load_axis || !r->find[col].points)
		return;
	s->state = SLO_NOT_ONE;
	if (row < 0)
		return;
	s->state = row + 1 == (int)r->rows ? SLO_ALL : SLO_FOUND;
	s->load = r->spec.axis[r->spec.row].v[row];
	s->cell = *sweep_cell_get(r, (unsigned)row, col);
}

void sweep_result_derive(struct sweep_result *r)
{
	count_cells(r);
	r->little_row = r->little_col = -1;
	r->little_off_pct = NAN;
	for (unsigned col = 0; col < r->cols; col++) {
		const struct sweep_findings *f = &r->find[col];

		derive_column(r, col);
		slo_of_grid(r, col);
		if (f->little_row < 0 ||
		    (r->little_row >= 0 && !(f->little_off_pct > r->little_off_pct)))
			continue;
		r->little_row = f->little_row;
		r->little_col = (int)col;
		r->little_off_pct = f->little_off_pct;
	}
}

void sweep_result_set_slo(struct sweep_result *r, const struct slo *slo)
{
	r->spec.slo = *slo;
	for (unsigned i = 0; i < SWEEP_VALUES_MAX; i++) {
		r->slo[i] = (struct slo_found){0};
		cell_init(&r->slo[i].cell);
	}
	sweep_result_derive(r);
}
