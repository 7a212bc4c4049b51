#include "ui/w_latency.h"

#include <math.h>
#include <stdio.h>

#include "ui/axis.h"
#include "ui/w_items.h"

#define ROWS       (PCT_NR + 1) /* percentiles and the maximum */
#define NAME_W     6            /* "p99.99" */
#define VALUE_W    9            /* "~12.3 ms" and a blank before it */
#define AXIS_W_MIN 11           /* three names of decades */
#define WIDE_W     50           /* all of them */
#define TAIL_PARTS 10000u       /* one of so many is above p99.99 */
#define TAIL       10           /* samples that make a percentile trustworthy */

bool latency_is_weak(uint64_t n, double pct)
{
	/* 1e-9: 10000 samples have exactly 10 above p99.9. */
	return (double)n * (100 - pct) / 100 < TAIL - 1e-9;
}

static void row_name(int i, char *out, size_t size)
{
	if (i == PCT_NR)
		snprintf(out, size, "max");
	else
		snprintf(out, size, "p%g", pct_points[i]);
}

static double row_ns(const struct lat_view *v, int i)
{
	if (v->n == 0)
		return NAN;
	return (double)(i == PCT_NR ? v->max_ns : v->pct_ns[i]);
}

static const char *row_value(const struct canvas *c, const struct lat_view *v, int i, char *out)
{
	char ns[NUM_SIZE];
	bool weak = i < PCT_NR && v->n && latency_is_weak(v->n, pct_points[i]);

	snprintf(out, NUM_SIZE + 2, "%s%s", weak ? "~" : "", show_ns(c, ns, row_ns(v, i)));
	return out;
}

/* A line from the left end; a pointed end says that the value lies beyond the axis. */
static void draw_line(struct canvas *c, int x, int y, const struct lat_axis *a, double ns,
		      double limit_ns)
{
	int limit = isnan(limit_ns) ? -1 : lat_axis_half_cells(a, limit_ns) / 2;
	int half = lat_axis_half_cells(a, ns), i = 0;

	if (limit >= 0 && limit < a->width && (isnan(ns) || limit >= (half + 1) / 2) &&
	    (half || limit))
		canvas_put(c, x + limit, y, c->g->limit, ROLE_MARK, 0);
	if (isnan(ns))
		return;
	if (half == 0)
		half = 1; /* below the axis: a trace, so that the row is not empty */
	for (; i < half / 2; i++)
		canvas_put(c, x + i, y,
			   ns > a->hi_ns && i == a->width - 1 ? c->g->arrow : c->g->bar, ROLE_READ,
			   0);
	if (half % 2)
		canvas_put(c, x + i, y, c->g->bar_half, ROLE_READ, 0);
}

/* Names of decades where they stand: all of them, or the few that have room. */
static void draw_axis(struct canvas *c, int x, int y, const struct lat_axis *a)
{
	enum { NARROW = 1, USUAL = 2, WIDE = 4 };
	static const struct {
		double ns;
		const char *text;
		unsigned where;
	} names[] = {
		{1e3, "1µs", USUAL | WIDE},
		{1e4, "10µs", NARROW | WIDE},
		{1e5, "100µs", WIDE},
		{1e6, "1ms", NARROW | USUAL | WIDE},
		{1e7, "10ms", WIDE},
		{1e8, "100ms", WIDE},
		{1e9, "1s", NARROW | USUAL | WIDE},
		{1e10, "10s", WIDE},
	};
	unsigned form = a->decades == 5 ? NARROW : a->width >= WIDE_W ? WIDE : USUAL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int at = lat_axis_half_cells(a, names[i].ns) / 2, w = canvas_width(names[i].text);

		if (at + w > a->width)
			at = a->width - w;
		if (names[i].where & form)
			canvas_text(c, x + at, y, ROLE_TEXT, 0, names[i].text);
	}
}

void w_latency(struct canvas *c, struct rect r, const struct lat_view *v, double limit_ns)
{
	int bar_x = r.x + 1 + NAME_W + 2;
	struct lat_axis a = lat_axis_make(r.w - (bar_x - r.x) - VALUE_W);
	struct rect old = canvas_clip(c, r);
	char text[NUM_SIZE + 2];

	if (a.width >= AXIS_W_MIN)
		draw_axis(c, bar_x, r.y, &a);
	for (int i = 0; i < ROWS; i++) {
		int y = r.y + 1 + i;

		row_name(i, text, sizeof(text));
		canvas_label(c, r.x + 1, y, NAME_W, ROLE_TEXT, 0, text);
		canvas_put(c, bar_x - 1, y, c->g->vline, ROLE_BORDER, 0);
		if (a.width >= AXIS_W_MIN)
			draw_line(c, bar_x, y, &a, row_ns(v, i), limit_ns);
		canvas_value(c, r.x + r.w - VALUE_W, y, VALUE_W, ROLE_TEXT, 0,
			     row_value(c, v, i, text));
	}
	canvas_unclip(c, old);
}

void w_latency_above(struct canvas *c, struct rect row, const struct lat_view *v)
{
	uint64_t n = v->n / TAIL_PARTS;
	struct items it = {0};
	char text[NUM_SIZE];

	if (n == 0)
		return;
	if (n < 1000)
		snprintf(text, sizeof(text), "%u", (unsigned)n);
	else
		show_count(c, text, (double)n);
	items_add(&it, ROLE_TEXT, 0, "%s I/O%s above p99.99", text, n == 1 ? "" : "s");
	w_items(c, row.x + 1, row.y, row.w - 1, &it);
}

static void add_row(const struct canvas *c, struct items *it, const struct lat_view *v, int i)
{
	char name[16], value[NUM_SIZE + 2];

	row_name(i, name, sizeof(name));
	items_add(it, ROLE_TEXT, 0, "%s %s", name, row_value(c, v, i, value));
}

void w_latency_short(struct canvas *c, struct rect r, const struct lat_view *v)
{
	static const int one_row[] = {0, 3, PCT_NR, 4, 1, 2, 5};
	struct items top = {0}, bottom = {0};
	char n[NUM_SIZE];

	show_count(c, n, (double)v->n);
	if (r.h < 2) {
		for (int i = 0; i < ROWS; i++)
			add_row(c, &top, v, one_row[i]);
		w_items(c, r.x + 1, r.y, r.w - 1, &top);
		return;
	}
	for (int i = 0; i < 4; i++)
		add_row(c, &top, v, i);
	for (int i = 4; i < ROWS; i++)
		add_row(c, &bottom, v, i);
	items_add(&bottom, ROLE_TEXT, 0, "n=%s", n);
	w_items(c, r.x + 1, r.y, r.w - 1, &top);
	w_items(c, r.x + 1, r.y + 1, r.w - 1, &bottom);
}

void w_latency_slo(struct canvas *c, struct rect row, const struct slo *s, const struct lat_view *v,
		   const struct hist *h)
{
	static const enum role roles[] = {[VERDICT_UNKNOWN] = ROLE_TEXT,
					  [VERDICT_OK] = ROLE_OK,
					  [VERDICT_MISSED] = ROLE_WARN};
	struct slo_result r = slo_judge(s, v, h);
	struct items it = {0};
	char text[48], num[NUM_SIZE];

	slo_print(s, text, sizeof(text));
	items_add(&it, ROLE_TEXT, 0, "SLO %s", text);
	items_add(&it, roles[r.verdict], ATTR_BOLD, "%s", slo_verdict_word(r.verdict));
	if (r.verdict != VERDICT_UNKNOWN)
		items_add(&it, ROLE_TEXT, 0, "%s%% within", show_pct(c, num, r.within_pct));
	if (r.verdict == VERDICT_MISSED)
		items_add(&it, ROLE_TEXT, 0, "is %s", show_ns(c, num, r.value_ns));
	w_items(c, row.x + 1, row.y, row.w - 1, &it);
}
