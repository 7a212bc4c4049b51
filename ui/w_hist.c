#include "ui/w_hist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/xalloc.h"
#include "ui/axis.h"
#include "ui/w_items.h"

#define NARROWEST 4.0 /* hi / lo of the axis at least: one bucket is no distribution */

static double column_of(double ns, double lo_ns, double hi_ns, int n)
{
	double at = log(ns / lo_ns) / log(hi_ns / lo_ns) * n;

	return fmin(fmax(at, 0), n);
}

static void spread(double *shares, int n, double from, double to, double count)
{
	int i = (int)fmin(from, n - 1);

	if (to - from < 1e-9) {
		shares[i] += count;
		return;
	}
	for (; i < n && i < to; i++)
		shares[i] += count * (fmin(to, i + 1) - fmax(from, i)) / (to - from);
}

bool hist_shares(const struct hist *h, double lo_ns, double hi_ns, double *shares, int n)
{
	double total = (double)hist_count(h);

	for (int i = 0; i < n; i++)
		shares[i] = 0;
	if (n <= 0 || !(total > 0))
		return false;
	for (uint32_t b = 0; b < HIST_BUCKETS; b++) {
		double low = fmax((double)hist_low(b), 0.5);
		double end = b + 1 < HIST_BUCKETS ? (double)hist_low(b + 1) : low;

		if (h->n[b])
			spread(shares, n, column_of(low, lo_ns, hi_ns, n),
			       column_of(fmax(end, low), lo_ns, hi_ns, n), (double)h->n[b] / total);
	}
	return true;
}

struct range {
	double lo_ns, hi_ns;
};

static void widen(struct range *r, const struct hist *h)
{
	uint32_t first, last;

	if (!h || !hist_span(h, &first, &last))
		return;
	r->lo_ns = fmin(r->lo_ns, fmax((double)hist_low(first), 1));
	r->hi_ns = fmax(r->hi_ns, (double)hist_value(last) * 1.01);
}

/* 1, 2 or 5 times a power of ten at or below (dir < 0) or at or above v. */
static double round_125(double v, int dir)
{
	double decade = pow(10, floor(log10(v) + 1e-9));
	static const double m[] = {1, 2, 5, 10};

	if (dir > 0) {
		for (int i = 0; i < 4; i++)
			if (m[i] * decade >= v * (1 - 1e-9))
				return m[i] * decade;
	}
	for (int i = 2; i >= 0; i--)
		if (m[i] * decade <= v * (1 + 1e-9))
			return m[i] * decade;
	return decade;
}

static struct range range_of(const struct histogram *h)
{
	struct range r = {INFINITY, 0};

	widen(&r, h->area);
	widen(&r, h->dots);
	if (!(r.hi_ns > 0))
		return r;
	r.lo_ns = round_125(r.lo_ns, -1);
	r.hi_ns = round_125(r.hi_ns, 1);
	while (r.hi_ns < NARROWEST * r.lo_ns)
		r.hi_ns = round_125(r.hi_ns * 1.01, 1);
	return r;
}

static void ns_label(const struct canvas *c, double ns, char *out, size_t size)
{
	const char *unit = "s";

	if (ns < 999.5)
		unit = "ns";
	else if (ns < 999.5e3)
		unit = "us";
	else if (ns < 999.5e6)
		unit = "ms";
	ns /= unit[0] == 's' ? 1e9 : unit[0] == 'm' ? 1e6 : unit[0] == 'u' ? 1e3 : 1;
	snprintf(out, size, "%g%s%s", ns, unit[0] == 'u' ? c->g->micro : unit,
		 unit[0] == 'u' ? "s" : "");
}

/* Latencies at 1, 2 and 5 of each decade where there is room, decades first. */
static void draw_x_axis(struct canvas *c, struct rect plot, const struct range *r)
{
	bool *taken = xcalloc((size_t)plot.w + 1, sizeof(*taken));
	static const int order[] = {1, 2, 5};
	char text[16];

	for (int x = 0; x < plot.w; x++)
		canvas_put(c, plot.x + x, plot.y + plot.h, c->g->hline, ROLE_BORDER, 0);
	for (int k = 0; k < 3; k++) {
		for (double decade = round_125(r->lo_ns, -1) / 5; decade < r->hi_ns; decade *= 10) {
			double ns = pow(10, ceil(log10(decade) - 1e-9)) * order[k];
			int at = (int)lround(column_of(ns, r->lo_ns, r->hi_ns, plot.w)), w;
			bool room = ns >= r->lo_ns * (1 - 1e-9) && ns <= r->hi_ns * (1 + 1e-9);

			ns_label(c, ns, text, sizeof(text));
			w = canvas_width(text);
			at = at + w > plot.w ? plot.w - w : at;
			for (int x = at - 2; room && x < at + w + 2; x++)
				room = x < 0 || x > plot.w || !taken[x];
			if (!room || at < 0)
				continue;
			for (int x = at; x < at + w; x++)
				taken[x] = true;
			canvas_text(c, plot.x + at, plot.y + plot.h + 1, ROLE_TEXT, 0, text);
		}
	}
	free(taken);
}

static void draw_y_axis(struct canvas *c, struct rect r, struct rect plot, const struct axis *a)
{
	char text[NUM_SIZE];
	int next = 1, x = plot.x - 1;

	for (int row = 1; row <= plot.h; row++) {
		bool tick = next <= a->intervals && axis_label_row(a, next) == row;

		canvas_put(c, x, plot.y + plot.h - row, tick ? c->g->axis_tick : c->g->vline,
			   ROLE_BORDER, 0);
		if (!tick)
			continue;
		snprintf(text, sizeof(text), "%.3g%%", axis_label(a, next++));
		canvas_value(c, r.x, plot.y + plot.h - row, x - r.x - 1, ROLE_TEXT, 0, text);
	}
	canvas_value(c, r.x, plot.y + plot.h, x - r.x - 1, ROLE_TEXT, 0, "0");
	canvas_put(c, x, plot.y + plot.h, c->g->corner_bl, ROLE_BORDER, 0);
}

/* As in w_chart: the axis line is the middle of its row. */
static int eighths(const struct axis *a, double pct)
{
	int n = (int)lround(axis_pos(a, pct) * a->rows * 8 - 4);

	return pct > 0 && n < 1 ? 1 : n;
}

static void draw_column(struct canvas *c, int x, int floor_y, const struct axis *a, double area,
			double dot)
{
	int fill = eighths(a, 100 * area), at = eighths(a, 100 * dot);
	int dot_row = dot > 0 ? (at - 1) / 8 : -1;

	/* Where both end in the same row they agree as far as can be seen. */
	if (area > 0 && (fill - 1) / 8 == dot_row)
		dot_row = -1;
	for (int row = 0; area > 0 && row * 8 < fill; row++)
		if (row != dot_row)
			canvas_put(c, x, floor_y - 1 - row,
				   c->g->block[fill - row * 8 < 8 ? fill - row * 8 : 8], ROLE_READ,
				   0);
	if (dot_row >= 0)
		canvas_put(c, x, floor_y - 1 - dot_row, c->g->bullet, ROLE_WRITE, 0);
}

void w_hist(struct canvas *c, struct rect r, const struct histogram *h)
{
	struct rect plot = {r.x + h->gutter, r.y, r.w - h->gutter, r.h - 2};
	struct range range = range_of(h);
	double *area, *dots, max = 0;
	struct axis a;

	if (plot.w < 8 || plot.h < 2 || !(range.hi_ns > 0))
		return;
	area = xcalloc(2 * (size_t)plot.w, sizeof(*area));
	dots = area + plot.w;
	hist_shares(h->area, range.lo_ns, range.hi_ns, area, plot.w);
	if (h->dots)
		hist_shares(h->dots, range.lo_ns, range.hi_ns, dots, plot.w);
	for (int i = 0; i < plot.w; i++)
		max = fmax(max, fmax(area[i], dots[i]));
	a = axis_zero(100 * max, 1, plot.h);
	draw_y_axis(c, r, plot, &a);
	draw_x_axis(c, plot, &range);
	for (int i = 0; i < plot.w; i++)
		draw_column(c, plot.x + i, plot.y + plot.h, &a, area[i], dots[i]);
	free(area);
}
