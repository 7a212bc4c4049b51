/* Runs over each other: each is drawn with its letter, so that colour is not needed to tell them apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/axis.h"
#include "ui/view_history.h"
#include "ui/w_items.h"

#define GUTTER 11

static const enum role roles[HISTORY_PICKS] = {ROLE_READ, ROLE_WRITE, ROLE_TRIM,
					       ROLE_MARK, ROLE_KEY,   ROLE_STALL};

static const char *const metric_words[HISTORY_METRICS] = {"IOPS", "bandwidth", "p99"};

static double value_of(const struct archive_point *p, enum history_metric m)
{
	return m == HISTORY_IOPS ? p->iops : m == HISTORY_BW ? p->bps : p->p99_ns;
}

static const char *show(const struct canvas *c, char *out, double v, enum history_metric m, bool si)
{
	if (m == HISTORY_P99)
		return show_ns(c, out, v);
	if (m == HISTORY_IOPS)
		return show_count(c, out, v);
	units_fmt_bytes(out, NUM_SIZE, v, si);
	return out;
}

/* The mean of what lies in each column, by time; of p99 the highest. NAN: nothing. */
static void bin(const struct archive_series *s, enum history_metric m, double col_ms, double *out,
		int n)
{
	double *weight = xcalloc((size_t)n, sizeof(*weight));

	for (int i = 0; i < n; i++)
		out[i] = NAN;
	for (size_t k = 0; k < s->n; k++) {
		double mid = (double)s->v[k].t_ms - (double)s->v[k].dur_ms / 2;
		double from = (double)s->v[k].t_ms - (double)s->v[k].dur_ms,
		       v = value_of(&s->v[k], m), w = (double)s->v[k].dur_ms;
		int first = (int)(from / col_ms), last = (int)((double)s->v[k].t_ms / col_ms);

		/* A row longer than a column stands in each that it covers. */
		if (col_ms > w)
			first = last = (int)(mid / col_ms);
		for (int i = first < 0 ? 0 : first; i <= last && i < n && !isnan(v); i++) {
			if (m == HISTORY_P99) {
				out[i] = fmax(out[i], v);
				continue;
			}
			out[i] = ((isnan(out[i]) ? 0 : out[i]) * weight[i] + v * w) /
				 (weight[i] + w);
			weight[i] += w;
		}
	}
	free(weight);
}

struct plot {
	int cols, rows;
	double *v; /* [pick * cols + col] */
	double max, span_ms;
	char *cell; /* who stands there, rows * cols; 0 nobody */
};

static void load(struct plot *p, const struct history_state *h)
{
	p->v = xcalloc((size_t)p->cols * HISTORY_PICKS, sizeof(*p->v));
	p->cell = xcalloc((size_t)p->cols * (size_t)p->rows, 1);
	p->span_ms = 1;
	p->max = NAN;
	for (int i = 0; i < h->n_picks; i++) {
		const struct archive_series *s = &h->pick[i].series;

		if (s->n)
			p->span_ms = fmax(p->span_ms, (double)s->v[s->n - 1].t_ms);
	}
	for (int i = 0; i < h->n_picks; i++) {
		double *v = p->v + i * p->cols;

		bin(&h->pick[i].series, h->metric, p->span_ms / p->cols, v, p->cols);
		for (int x = 0; x < p->cols; x++)
			p->max = fmax(p->max, v[x]);
	}
}

/* The first picked one stays on top. */
static void place(struct plot *p, const struct axis *a, int n)
{
	for (int i = n - 1; i >= 0; i--)
		for (int x = 0; x < p->cols; x++) {
			double v = p->v[i * p->cols + x], pos;
			int up;

			if (isnan(v))
				continue;
			pos = axis_pos(a, v) * a->rows;
			up = (int)lround(fmin(fmax(pos, 0), a->rows));
			if (up >= p->rows)
				up = p->rows - 1;
			p->cell[(p->rows - 1 - up) * p->cols + x] = (char)('A' + i);
		}
}

static void draw_axis(struct canvas *c, struct rect r, const struct axis *a,
		      const struct history_state *h, bool si)
{
	char text[NUM_SIZE];

	for (int y = 0; y < r.h; y++)
		canvas_put(c, r.x + GUTTER - 1, r.y + y, c->g->vline, ROLE_DIM, 0);
	for (int i = 0; i <= a->intervals; i++) {
		int y = r.y + r.h - 1 - axis_label_row(a, i);

		if (y >= r.y)
			canvas_value(c, r.x, y, GUTTER - 2, ROLE_TEXT, 0,
				     show(c, text, axis_label(a, i), h->metric, si));
	}
}

static void draw_plot(struct canvas *c, const struct ui_state *st, struct rect r)
{
	const struct history_state *h = &st->history;
	struct plot p = {.cols = r.w - GUTTER - 1, .rows = r.h - 1};
	char end[NUM_SIZE];
	struct axis a;
	double unit = 1;

	if (p.cols < 4 || p.rows < 3)
		return;
	load(&p, h);
	if (h->metric == HISTORY_BW)
		unit = axis_unit(p.max, st->si);
	a = axis_zero(isnan(p.max) ? 1 : p.max, unit, p.rows);
	place(&p, &a, h->n_picks);
	draw_axis(c, (struct rect){r.x, r.y, r.w, p.rows}, &a, h, st->si);
	for (int y = 0; y < p.rows; y++)
		for (int x = 0; x < p.cols; x++) {
			char who = p.cell[y * p.cols + x];

			if (who)
				canvas_put(c, r.x + GUTTER + x, r.y + y, (uint32_t)who,
					   roles[who - 'A'], 0);
		}
	for (int x = 0; x < p.cols; x++)
		if (!p.cell[(p.rows - 1) * p.cols + x])
			canvas_put(c, r.x + GUTTER + x, r.y + p.rows - 1, c->g->hline, ROLE_DIM, 0);
	canvas_text(c, r.x + GUTTER, r.y + p.rows, ROLE_TEXT, 0, "0:00");
	units_fmt_clock(end, sizeof(end), (uint64_t)p.span_ms * 1000000);
	canvas_value(c, r.x + GUTTER + 6, r.y + p.rows, p.cols - 6, ROLE_TEXT, 0, end);
	free(p.v);
	free(p.cell);
}

static void times(const struct canvas *c, struct items *it, const char *name, double v, double base)
{
	char f[NUM_SIZE];

	if (v > 0 && base > 0 && v != base)
		items_add(it, ROLE_TEXT, 0, "%s %s%s", name, c->g->times,
			  show_count(c, f, v / base));
}

static void draw_run(struct canvas *c, struct rect row, const struct history_state *h, int i,
		     bool si)
{
	const struct archive_entry *en = &h->pick[i].entry, *a = &h->pick[0].entry;
	struct items it = {0};
	char text[NUM_SIZE];

	items_add(&it, roles[i], ATTR_BOLD, "%c", 'A' + i);
	items_add(&it, ROLE_TITLE, 0, "%-12.24s", en->tag[0] ? en->tag : history_target(en));
	if (en->simulated)
		items_add(&it, ROLE_BADGE, 0, "SIM");
	items_add(&it, ROLE_TEXT, 0, "%5s IOPS", show_count(c, text, en->iops));
	items_add(&it, ROLE_TEXT, 0, "p99 %8s", show_ns(c, text, en->n ? (double)en->p99_ns : NAN));
	if (i) {
		times(c, &it, "IOPS", en->iops, a->iops);
		times(c, &it, "p99", (double)en->p99_ns, (double)a->p99_ns);
	}
	items_add(&it, ROLE_TEXT, 0, "%s qd %ux%u", en->rw, en->qd, en->jobs);
	items_add(&it, ROLE_TEXT, 0, "%12s", show_bps(c, text, en->bps, si));
	w_items(c, row.x + 1, row.y, row.w - 1, &it);
}

void history_overlay(struct canvas *c, const struct ui_state *st, struct rect r)
{
	const struct history_state *h = &st->history;
	int rows = h->n_picks < r.h - 5 ? h->n_picks : r.h - 5;
	struct items it = {0};

	items_add(&it, ROLE_TITLE, 0, "overlay");
	items_add(&it, ROLE_TEXT, 0, "%s over the time since each run began",
		  metric_words[h->metric]);
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	if (rows < 0)
		rows = 0;
	draw_plot(c, st, (struct rect){r.x, r.y + 1, r.w, r.h - 1 - rows});
	for (int i = 0; i < rows; i++)
		draw_run(c, (struct rect){r.x, r.y + r.h - rows + i, r.w, 1}, h, i, st->si);
}
