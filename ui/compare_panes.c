/* The graphs of the Compare screen. */
#include "ui/compare_panes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/utf8.h"
#include "ui/w_chart.h"
#include "ui/w_events.h"
#include "ui/w_latency.h"

#define GUTTER 8 /* "1.50M" and the axis */

struct plot {
	struct point *cols;
	int n;
	uint64_t t_end_ns, window_ns;
	double max;
	char text[EVENT_MAX][96];
	struct chart_mark marks[EVENT_MAX];
	size_t n_marks;
};

static char letter(uint32_t lane)
{
	return (char)('A' + (char)lane);
}

/* A lane's colour, and its op in the chart: what it does is in the setup, who it is matters here. */
static enum io_op lane_op(uint32_t lane)
{
	return (enum io_op)(lane % IO_OP_NR);
}

static enum role lane_role(uint32_t lane)
{
	static const enum role roles[IO_OP_NR] = {ROLE_READ, ROLE_WRITE, ROLE_TRIM};

	return roles[lane_op(lane)];
}

static const struct lane_snap *snap_of(const struct compare_screen *s, uint32_t lane)
{
	return lane < s->m->snap->n_lanes ? &s->m->snap->lane[lane] : NULL;
}

static const struct op_win *win_of(const struct compare_screen *s, const struct lane_snap *l)
{
	return s->over ? &l->total[IO_OP_NR] : &l->sec[IO_OP_NR];
}

/* ---- data ---- */

/* As on the Run screen: columns begin at whole multiples of their width, the past does not shimmer. */
static void plot_times(struct plot *p, const struct compare_screen *s)
{
	uint64_t width = s->window_ns / (uint64_t)p->n, since;

	p->t_end_ns = s->t_end_ns;
	p->window_ns = s->window_ns;
	if (s->over || width == 0 || s->t_end_ns <= s->begin_ns)
		return;
	since = s->t_end_ns - s->begin_ns;
	p->t_end_ns = s->begin_ns + (since + width - 1) / width * width;
	p->window_ns = width * (uint64_t)p->n;
}

static void plot_marks(struct plot *p, const struct canvas *c, const struct compare_screen *s,
		       uint32_t lane)
{
	const struct snapshot *snap = s->m->snap;
	uint64_t left = p->t_end_ns > p->window_ns ? p->t_end_ns - p->window_ns : 0;

	for (uint32_t i = 0; i < snap->n_events && i < EVENT_MAX; i++) {
		const struct event *e = &snap->event[i];
		uint32_t glyph = event_glyph(c, e);
		char *text = p->text[p->n_marks];

		if (!glyph || e->t_ns <= left || e->t_ns > p->t_end_ns || e->lane != lane)
			continue;
		event_mark_text(e, text, sizeof(p->text[0]));
		p->marks[p->n_marks++] = (struct chart_mark){
			.col = (int)((double)(e->t_ns - left - 1) * p->n / (double)p->window_ns),
			.glyph = glyph,
			.role = event_role(e),
			.text = text};
	}
}

static double point_iops(const struct point *p)
{
	return p->iops[IO_READ] + p->iops[IO_WRITE] + p->iops[IO_TRIM];
}

/* All of a lane in one op, so that it has one colour. A column without measurement stays one. */
static void plot_load(struct plot *p, const struct compare_screen *s, uint32_t lane, int n)
{
	*p = (struct plot){.n = n, .max = NAN};
	p->cols = xcalloc((size_t)n + 1, sizeof(*p->cols));
	if (n < 1)
		return;
	plot_times(p, s);
	model_columns(s->m, lane, p->t_end_ns, p->window_ns, p->cols, (size_t)n);
	for (int i = 0; i < n; i++) {
		double iops = point_iops(&p->cols[i]);

		p->max = fmax(p->max, iops);
		if (isnan(iops))
			continue;
		p->cols[i].iops[IO_READ] = p->cols[i].iops[IO_WRITE] = p->cols[i].iops[IO_TRIM] = 0;
		p->cols[i].iops[lane_op(lane)] = iops;
		p->cols[i].iops_max = iops; /* no dots: two lanes are enough to look at */
	}
}

/* The axis that all lanes have in common. */
static double common_max(const struct compare_screen *s, int n)
{
	double max = NAN;

	for (uint32_t i = 0; i < s->n; i++) {
		struct plot *p = xcalloc(1, sizeof(*p));

		plot_load(p, s, i, n);
		max = fmax(max, p->max);
		if (s->running)
			max = fmax(max, s->m->hold[i][MODEL_IOPS].max);
		free(p->cols);
		free(p);
	}
	return max;
}

static void time_texts(const struct plot *p, const struct compare_screen *s, char *left,
		       char *right)
{
	left[0] = '-';
	if (!s->over) {
		units_fmt_clock(left + 1, NUM_SIZE - 1, p->window_ns + NSEC_PER_SEC / 2);
		snprintf(right, NUM_SIZE, "now");
		return;
	}
	snprintf(left, NUM_SIZE, "0:00");
	units_fmt_clock(right, NUM_SIZE, p->window_ns);
}

/* ---- numbers beside the graph ---- */

/* A device that an engine brings along is named as the target, cut to what a name may have. */
static bool is_of_engine(const struct disk_rate *d, const char *target)
{
	return strncmp(d->name, target, sizeof(d->name) - 1) == 0;
}

static const struct disk_rate *disk_of(const struct compare_screen *s, const struct lane_snap *l)
{
	const struct snapshot *snap = s->m->snap;

	for (uint32_t i = 0; i < snap->n_disks && i < DISK_RATE_MAX; i++) {
		char path[sizeof(snap->disk[i].name) + 6];

		snprintf(path, sizeof(path), "/dev/%s", snap->disk[i].name);
		if (snap->disk[i].is_target &&
		    (strcmp(path, l->target) == 0 || is_of_engine(&snap->disk[i], l->target)))
			return &snap->disk[i];
	}
	return NULL;
}

static void side_row(struct canvas *c, struct rect r, int row, const char *name, const char *value)
{
	if (row >= r.h)
		return;
	canvas_label(c, r.x + 1, r.y + row, 7, ROLE_TEXT, 0, name);
	canvas_value(c, r.x + 8, r.y + row, r.w - 9, ROLE_TEXT, ATTR_BOLD, value);
}

static void side_pct(struct canvas *c, struct rect r, int row, const char *name,
		     const struct lat_view *lat, int pct)
{
	char ns[NUM_SIZE], text[NUM_SIZE + 2];
	bool weak = lat->n && latency_is_weak(lat->n, pct_points[pct]);

	snprintf(text, sizeof(text), "%s%s", weak ? "~" : "",
		 show_ns(c, ns, lat->n ? (double)lat->pct_ns[pct] : (double)NAN));
	side_row(c, r, row, name, text);
}

static void draw_side(struct canvas *c, const struct compare_screen *s, uint32_t lane,
		      struct rect r)
{
	const struct lane_snap *l = snap_of(s, lane);
	const struct disk_rate *d;
	const struct op_win *w;
	char text[NUM_SIZE];

	for (int y = 0; y < r.h; y++)
		canvas_put(c, r.x, r.y + y, c->g->vline, ROLE_BORDER, 0);
	if (!l)
		return;
	w = win_of(s, l);
	side_pct(c, r, 0, "p50", &w->lat, 0);
	side_pct(c, r, 1, "p99", &w->lat, 3);
	side_pct(c, r, 2, "p99.9", &w->lat, 4);
	side_row(c, r, 3, "max", show_ns(c, text, w->lat.n ? (double)w->lat.max_ns : (double)NAN));
	snprintf(text, sizeof(text), "%u of %u", l->inflight, l->qd_effective * l->workers);
	side_row(c, r, 4, "flight", text);
	side_row(c, r, 5, "cpu %", show_pct(c, text, l->cpu_pct));
	d = disk_of(s, l);
	if (d) {
		side_row(c, r, 6, "await", show_ns(c, text, d->r_await_ns));
		side_row(c, r, 7, "aqu-sz", show_count(c, text, d->aqu_sz));
	}
}

/* ---- headings ---- */

static void lane_target(const struct compare_screen *s, uint32_t lane, char *out, size_t size)
{
	const struct lane_snap *l = snap_of(s, lane);
	const char *line = s->cs->slot[lane].target_line;

	if (lane == s->cs->focus || s->cs->n == 0)
		line = lane == s->cs->focus ? s->st->target_line : "";
	snprintf(out, size, "%.60s", line[0] ? line : l ? l->target : "no target");
}

/* sign: how the lane is drawn where several share a graph; 0: it has its own. */
static void lane_heading(struct canvas *c, const struct compare_screen *s, uint32_t lane,
			 uint32_t sign, struct rect row)
{
	const struct lane_snap *l = snap_of(s, lane);
	struct items it = {0};
	char text[NUM_SIZE], target[64];
	char mark[5] = "";

	if (sign)
		mark[utf8_encode(sign, mark)] = '\0';
	lane_target(s, lane, target, sizeof(target));
	items_add(&it, lane == s->cs->focus ? ROLE_FOCUS : lane_role(lane), 0, " %c%s%s ",
		  letter(lane), sign ? " " : "", mark);
	if (l && s->has_data) {
		const struct op_win *w = win_of(s, l);

		if (l->state == RUN_PAUSED)
			items_add(&it, ROLE_WARN, 0, "waits");
		else
			items_add(&it, ROLE_TITLE, 0, "%s IOPS", show_count(c, text, w->iops));
		if (l->state != RUN_PAUSED)
			items_add(&it, ROLE_TEXT, 0, "%s", show_bps(c, text, w->bps, s->st->si));
	}
	if (l && l->lost)
		items_add(&it, ROLE_ERROR, 0, "LOST");
	if (l && s->cs->separate)
		items_add(&it, ROLE_TEXT, 0, "qd %u", l->tune.qd);
	items_add(&it, ROLE_TEXT, 0, "%s", target);
	w_heading(c, row, -1, &it);
}

/* ---- panes ---- */

static void draw_chart(struct canvas *c, struct rect r, struct plot *p, struct chart *ch,
		       double max, const struct compare_screen *s, bool texts)
{
	char left[NUM_SIZE], right[NUM_SIZE];

	if (w_chart_rows(r, GUTTER, texts) < 2)
		return;
	ch->cols = p->cols;
	ch->gutter = GUTTER;
	ch->si = s->st->si;
	ch->axis = axis_zero(max, 1, w_chart_rows(r, GUTTER, texts));
	ch->marks = p->marks;
	ch->n_marks = p->n_marks;
	if (texts) {
		time_texts(p, s, left, right);
		ch->left = left;
		ch->right = right;
	}
	w_chart(c, r, ch);
}

void compare_band(struct canvas *c, const struct compare_screen *s, uint32_t lane, struct rect r,
		  int side_w, bool last)
{
	struct plot *p = xcalloc(1, sizeof(*p));
	struct rect body = {r.x, r.y + 1, r.w, r.h - 1};
	struct chart ch = {.what = CHART_IOPS};
	bool side = r.w >= 60, texts = last && body.h >= 5;
	int cols;

	lane_heading(c, s, lane, 0, (struct rect){r.x, r.y, r.w, 1});
	if (side) {
		draw_side(c, s, lane, (struct rect){r.x + r.w - side_w, body.y, side_w, body.h});
		body.w -= side_w;
	}
	cols = w_chart_cols(body, GUTTER);
	plot_load(p, s, lane, cols);
	if (s->has_data) {
		double max = s->cs->own_axis ? p->max : common_max(s, cols);

		plot_marks(p, c, s, lane);
		draw_chart(c, body, p, &ch, max, s, texts);
	}
	free(p->cols);
	free(p);
}

/* A is the area, the others are signs over it: told apart without any colour. */
static uint32_t lane_sign(const struct canvas *c, uint32_t lane)
{
	const uint32_t signs[LANE_MAX] = {c->g->block[8], c->g->bullet, c->g->ascii ? 'x' : 0x00d7,
					  '+'};

	return signs[lane];
}

struct overlay {
	struct plot *lane[LANE_MAX];
	struct chart_line line[LANE_MAX - 1];
	double *v[LANE_MAX - 1];
	double max;
};

/* The columns of lane A are the graph's own; where only others are known it is 0 there. */
static void overlay_load(struct overlay *o, const struct canvas *c, const struct compare_screen *s,
			 int cols)
{
	o->max = NAN;
	for (uint32_t i = 0; i < s->n; i++) {
		o->lane[i] = xcalloc(1, sizeof(*o->lane[i]));
		plot_load(o->lane[i], s, i, cols);
		o->max = fmax(o->max, o->lane[i]->max);
	}
	for (uint32_t i = 1; i < s->n; i++) {
		double *v = o->v[i - 1] = xcalloc((size_t)cols + 1, sizeof(*v));

		for (int k = 0; k < cols; k++) {
			struct point *a = &o->lane[0]->cols[k];

			v[k] = o->lane[i]->cols[k].iops[lane_op(i)];
			if (!isnan(v[k]) && isnan(a->iops[IO_READ]))
				a->iops[IO_READ] = a->iops[IO_WRITE] = a->iops[IO_TRIM] = 0;
		}
		o->line[i - 1] = (struct chart_line){v, lane_sign(c, i), lane_role(i)};
	}
}

static void overlay_free(struct overlay *o)
{
	for (uint32_t i = 0; i < LANE_MAX && o->lane[i]; i++) {
		free(o->lane[i]->cols);
		free(o->lane[i]);
	}
	for (uint32_t i = 0; i < LANE_MAX - 1; i++)
		free(o->v[i]);
}

void compare_overlay(struct canvas *c, const struct compare_screen *s, struct rect r, int side_w)
{
	int heads = (int)s->n < r.h - 3 ? (int)s->n : r.h > 3 ? r.h - 3 : 1, cols;
	struct rect body = {r.x, r.y + heads, r.w, r.h - heads};
	struct chart ch = {.what = CHART_IOPS};
	struct overlay o = {0};

	for (int i = 0; i < heads; i++)
		lane_heading(c, s, (uint32_t)i, lane_sign(c, (uint32_t)i),
			     (struct rect){r.x, r.y + i, r.w, 1});
	if (r.w >= 60) {
		draw_side(c, s, s->cs->focus,
			  (struct rect){r.x + r.w - side_w, body.y, side_w, body.h});
		body.w -= side_w;
	}
	cols = w_chart_cols(body, GUTTER);
	overlay_load(&o, c, s, cols < 0 ? 0 : cols);
	if (s->has_data) {
		plot_marks(o.lane[0], c, s, s->cs->focus);
		ch.lines = o.line;
		ch.n_lines = s->n - 1;
		draw_chart(c, body, o.lane[0], &ch, o.max, s, body.h >= 5);
	}
	overlay_free(&o);
}

void compare_line(struct canvas *c, const struct compare_screen *s, uint32_t lane, struct rect row)
{
	const struct lane_snap *l = snap_of(s, lane);
	struct items it = {0};
	char text[NUM_SIZE], target[64];

	lane_target(s, lane, target, sizeof(target));
	items_add(&it, lane_role(lane), 0, "%c", letter(lane));
	if (l && l->simulated)
		items_add(&it, ROLE_BADGE, 0, "SIMULATED");
	if (l && s->has_data) {
		const struct op_win *w = win_of(s, l);

		items_add(&it, ROLE_TITLE, 0, "%s IOPS", show_count(c, text, w->iops));
		items_add(&it, ROLE_TEXT, 0, "p99 %s",
			  show_ns(c, text, w->lat.n ? (double)w->lat.pct_ns[3] : (double)NAN));
	}
	items_add(&it, ROLE_TEXT, 0, "%s", target);
	w_items(c, row.x, row.y, row.w, &it);
}
