#include "ui/w_jobs.h"

#include <math.h>
#include <stdio.h>

#include "ui/w_items.h"

struct job_row {
	struct worker_win win;
	uint32_t first, count, alive, inflight;
	double cpu_pct;
};

enum { COL_JOB, COL_IOPS, COL_BPS, COL_MEAN, COL_P99, COL_MAX, COL_INFLIGHT, COL_CPU, COL_NR };

static const struct {
	const char *name;
	int w;
} columns[COL_NR] = {
	[COL_JOB] = {"job", 7},
	[COL_IOPS] = {"IOPS", 7},
	[COL_BPS] = {"bandwidth", 12},
	[COL_MEAN] = {"mean", 9},
	[COL_P99] = {"p99", 9},
	[COL_MAX] = {"max", 9},
	[COL_INFLIGHT] = {"in flight", 11},
	[COL_CPU] = {"cpu", 6},
};

static double add_known(double a, double b)
{
	return isnan(b) ? a : (isnan(a) ? 0 : a) + b;
}

static double mean_known(double a, double a_rate, double b, double b_rate)
{
	if (isnan(a) || !(a_rate > 0))
		return b;
	if (isnan(b) || !(b_rate > 0))
		return a;
	return (a * a_rate + b * b_rate) / (a_rate + b_rate);
}

/*
 * Rates add up, means weigh by rate, the maximum is the largest; a percentile of several jobs is not
 * known from theirs.
 */
static void row_add(struct job_row *r, const struct worker_snap *w, bool totals)
{
	const struct worker_win *v = totals ? &w->total : &w->sec;

	if (r->count == 0) {
		r->win = (struct worker_win){.iops = NAN, .bps = NAN, .mean_ns = NAN};
		r->cpu_pct = NAN;
	}
	r->win.mean_ns = mean_known(r->win.mean_ns, r->win.iops, v->mean_ns, v->iops);
	r->win.iops = add_known(r->win.iops, v->iops);
	r->win.bps = add_known(r->win.bps, v->bps);
	r->win.p99_ns = r->count == 0 ? v->p99_ns : 0;
	if (v->max_ns > r->win.max_ns)
		r->win.max_ns = v->max_ns;
	r->cpu_pct = add_known(r->cpu_pct, w->cpu_pct);
	r->inflight += w->inflight;
	r->alive += w->alive;
	r->count += w->count;
}

static void cell_text(const struct canvas *c, const struct job_row *r, int col, bool si, char *out)
{
	char pct[NUM_SIZE];

	switch (col) {
	case COL_JOB:
		if (r->count == 1)
			snprintf(out, NUM_SIZE, "%u", r->first);
		else
			snprintf(out, NUM_SIZE, "%u-%u", r->first, r->first + r->count - 1);
		break;
	case COL_IOPS:
		show_count(c, out, r->win.iops);
		break;
	case COL_BPS:
		show_bps(c, out, r->win.bps, si);
		break;
	case COL_MEAN:
		show_ns(c, out, r->win.mean_ns);
		break;
	case COL_P99:
		show_ns(c, out, r->win.p99_ns ? (double)r->win.p99_ns : (double)NAN);
		break;
	case COL_MAX:
		show_ns(c, out, r->win.max_ns ? (double)r->win.max_ns : (double)NAN);
		break;
	case COL_INFLIGHT:
		if (r->alive)
			snprintf(out, NUM_SIZE, "%u", r->inflight);
		else
			snprintf(out, NUM_SIZE, "ended");
		break;
	default:
		snprintf(out, NUM_SIZE, "%s%s", show_pct(c, pct, r->cpu_pct),
			 isnan(r->cpu_pct) ? "" : "%");
	}
}

static int columns_that_fit(int w)
{
	int n = 0, used = 1;

	while (n < COL_NR && used + columns[n].w <= w)
		used += columns[n++].w;
	return n;
}

static void draw_row(struct canvas *c, int x, int y, int n_cols, const struct job_row *r, bool si)
{
	char text[NUM_SIZE + 2];

	for (int i = 0; i < n_cols; x += columns[i++].w) {
		cell_text(c, r, i, si, text);
		canvas_value(c, x, y, columns[i].w, i == COL_JOB ? ROLE_TITLE : ROLE_TEXT, 0, text);
	}
}

void w_jobs(struct canvas *c, struct rect r, const struct lane_snap *l, bool totals, bool si)
{
	int n_cols = columns_that_fit(r.w), x = r.x, rows = r.h - 1;
	uint32_t n = l->n_worker_rows <= WORKER_SNAP_MAX + 1 ? l->n_worker_rows : 0;

	for (int i = 0; i < n_cols && r.h > 0; x += columns[i++].w)
		canvas_value(c, x, r.y, columns[i].w, ROLE_TITLE, 0, columns[i].name);
	for (uint32_t i = 0; i < n && rows > 0; rows--) {
		struct job_row row = {.first = i + 1};

		/* The last line takes all that are left. */
		do
			row_add(&row, &l->worker[i++], totals);
		while (rows == 1 && i < n);
		draw_row(c, r.x, r.y + r.h - rows, n_cols, &row, si);
	}
}
