/* The graphs of the Run screen, and what stands in their place while there is nothing to plot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/keys.h"
#include "ui/view_dash.h"
#include "ui/w_chart.h"
#include "ui/w_events.h"

#define GUTTER_IOPS 8  /* "1.50M" and the axis */
#define GUTTER_BPS  11 /* "1.50 GiB"; both graphs share it where both are shown */
#define PLOT_MIN    4

struct plot {
	struct point *cols;
	int n;
	uint64_t t_end_ns, window_ns; /* of the columns: whole ones */
	double min, max;	      /* of what is drawn, dots included; NAN nothing */
	char mark_text[EVENT_MAX][96];
	struct chart_mark marks[EVENT_MAX];
	size_t n_marks;
};

static double point_sum(const struct point *p, bool bps)
{
	const double *v = bps ? p->bps : p->iops;

	return v[IO_READ] + v[IO_WRITE] + v[IO_TRIM];
}

/*
 * While the graph scrolls its columns begin at whole multiples of their width since the run began:
 * otherwise each frame would bin anew and the past would shimmer. The newest column is then partial.
 */
static void plot_times(struct plot *p, const struct dash *d)
{
	uint64_t width, since;

	p->t_end_ns = d->t_end_ns;
	p->window_ns = d->window_ns;
	if (d->window_ns == 0) {
		p->window_ns = d->t_end_ns > d->begin_ns ? d->t_end_ns - d->begin_ns : 1;
		return;
	}
	width = d->window_ns / (uint64_t)p->n;
	if (width == 0 || d->t_end_ns <= d->begin_ns)
		return;
	since = d->t_end_ns - d->begin_ns;
	p->t_end_ns = d->begin_ns + (since + width - 1) / width * width;
	p->window_ns = width * (uint64_t)p->n;
}

static void plot_marks(struct plot *p, const struct canvas *c, const struct dash *d)
{
	uint64_t left = p->t_end_ns > p->window_ns ? p->t_end_ns - p->window_ns : 0;

	for (uint32_t i = 0; i < d->snap->n_events && i < EVENT_MAX; i++) {
		const struct event *e = &d->snap->event[i];
		uint32_t glyph = event_glyph(c, e);
		char *text = p->mark_text[p->n_marks];

		if (!glyph || e->t_ns <= left || e->t_ns > p->t_end_ns || e->lane != d->lane_index)
			continue;
		event_mark_text(e, text, sizeof(p->mark_text[0]));
		p->marks[p->n_marks++] = (struct chart_mark){
			.col = (int)((double)(e->t_ns - left - 1) * p->n / (double)p->window_ns),
			.glyph = glyph,
			.role = event_role(e),
			.text = text};
	}
}

static void plot_load(struct plot *p, const struct canvas *c, const struct dash *d, int n, bool bps)
{
	*p = (struct plot){.n = n, .min = NAN, .max = NAN};
	p->cols = xcalloc((size_t)n + 1, sizeof(*p->cols));
	plot_times(p, d);
	model_columns(d->m, d->lane_index, p->t_end_ns, p->window_ns, p->cols, (size_t)n);
	plot_marks(p, c, d);
	for (int i = 0; i < n; i++) {
		double v = point_sum(&p->cols[i], bps);

		p->min = fmin(p->min, v);
		p->max = fmax(p->max, bps ? v : fmax(v, p->cols[i].iops_max));
	}
}

static struct axis plot_axis(const struct plot *p, const struct dash *d, bool bps, int rows)
{
	const struct axis_hold *hold = &d->m->hold[d->lane_index][bps ? MODEL_BPS : MODEL_IOPS];
	double max = d->running ? fmax(p->max, hold->max) : p->max;
	double unit = bps ? axis_unit(max, d->st->si) : 1;

	switch (d->st->y_mode) {
	case Y_FITTED:
		return axis_fitted(p->min, max, unit, rows);
	case Y_LOG:
		return axis_log(p->min, max, bps && !d->st->si ? 16 : 10, rows);
	case Y_ZERO:
		break;
	}
	return axis_zero(max, unit, rows);
}

static void time_texts(const struct plot *p, const struct dash *d, char *left, char *right)
{
	uint64_t ago = p->window_ns, t0 = d->t0_ns;

	if (d->over || d->st->frozen) {
		uint64_t from = p->t_end_ns > ago ? p->t_end_ns - ago : 0;

		left[0] = '-'; /* the window may begin before the run */
		units_fmt_clock(left + (from < t0), NUM_SIZE - 1,
				from < t0 ? t0 - from : from - t0);
		units_fmt_clock(right, NUM_SIZE, d->t_end_ns > t0 ? d->t_end_ns - t0 : 0);
		return;
	}
	left[0] = '-';
	units_fmt_clock(left + 1, NUM_SIZE - 1, ago + 500000000);
	snprintf(right, NUM_SIZE, "now");
}

/* The value of one op or of all, in the unit of the graph. */
static const char *show_rate(const struct canvas *c, const struct dash *d, bool bps,
			     const struct op_win *w, char *out)
{
	return bps ? show_bps(c, out, w->bps, d->st->si) : show_count(c, out, w->iops);
}

static void add_ops(const struct canvas *c, const struct dash *d, bool bps, struct items *it)
{
	static const struct {
		enum role role;
		const char *sign;
	} legend[IO_OP_NR] = {
		{ROLE_READ,  "█"},
		  {ROLE_WRITE, "▒"},
		     {ROLE_TRIM,	 "▒"}
	     };
	int used = 0;
	char text[NUM_SIZE];

	for (int op = 0; op < IO_OP_NR; op++)
		used += d->lane->total[op].ops > 0;
	for (int op = 0; op < IO_OP_NR && used > 1; op++)
		if (d->lane->total[op].ops)
			items_add(it, legend[op].role, 0, "%s %s %s", legend[op].sign,
				  io_op_name((enum io_op)op),
				  show_rate(c, d, bps, &d->win[op], text));
}

static void heading(struct canvas *c, const struct dash *d, struct rect row, bool bps, bool alone,
		    const struct plot *p)
{
	static const char *const modes[] = {[Y_FITTED] = "y fitted", [Y_LOG] = "y log"};
	struct items it = {0};
	char text[NUM_SIZE];

	if (!d->has_data) {
		items_add(&it, ROLE_TITLE, 0, bps ? "bandwidth" : "IOPS");
		w_heading(c, row, -1, &it);
		return;
	}
	items_add(&it, ROLE_TITLE, 0, "%s%s %s", bps ? "bandwidth" : "IOPS",
		  d->totals ? " total" : "", show_rate(c, d, bps, &d->win[IO_OP_NR], text));
	if (d->st->y_mode != Y_ZERO)
		items_add(&it, ROLE_WARN, 0, "%s", modes[d->st->y_mode]);
	add_ops(c, d, bps, &it);
	if (!d->totals && d->lane->t_start_ns)
		items_add(&it, ROLE_TEXT, 0, "avg %s",
			  show_rate(c, d, bps, &d->lane->total[IO_OP_NR], text));
	if (!bps && p)
		items_add(&it, ROLE_TEXT, 0, "max %s", show_count(c, text, p->max));
	if (alone)
		items_add(&it, ROLE_TEXT, 0, "%s", show_rate(c, d, !bps, &d->win[IO_OP_NR], text));
	w_heading(c, row, -1, &it);
}

static void draw_plot(struct canvas *c, const struct dash *d, struct rect r, bool bps, int gutter,
		      bool texts, bool alone)
{
	struct rect body = {r.x, r.y, r.w, r.h};
	struct plot *p = xcalloc(1, sizeof(*p));
	char left[NUM_SIZE], right[NUM_SIZE];
	struct chart ch = {.bps = bps, .si = d->st->si, .gutter = gutter};
	bool titled = gutter > 0;
	int cols = w_chart_cols(r, gutter);

	if (titled) {
		body.y++;
		body.h--;
	}
	plot_load(p, c, d, cols, bps);
	ch.cols = p->cols;
	ch.axis = plot_axis(p, d, bps, w_chart_rows(body, gutter, texts));
	ch.marks = p->marks;
	ch.n_marks = p->n_marks;
	if (texts) {
		time_texts(p, d, left, right);
		ch.left = left;
		ch.right = right;
	}
	if (titled)
		heading(c, d, (struct rect){r.x, r.y, r.w, 1}, bps, alone, p);
	w_chart(c, body, &ch);
	free(p->cols);
	free(p);
}

/* The first key of a request, as the footer names it. */
static void key_of(enum request req, char out[KEY_NAME_SIZE])
{
	snprintf(out, KEY_NAME_SIZE, "?");
	for (const struct keybind *k = keys_table; k->request; k++) {
		if (k->screen != KEYS_RUN || k->request != req)
			continue;
		if (k->cap)
			snprintf(out, KEY_NAME_SIZE, "%s", k->cap);
		else
			keys_name(k->key, out);
		return;
	}
}

static void draw_how_to(struct canvas *c, const struct dash *d, struct rect r)
{
	const struct {
		enum request req;
		const char *text;
	} lines[] = {
		{REQ_START_STOP, d->over ? "start another run" : "start the run"},
		{REQ_DEVICES,    "choose what to measure"			      },
		{REQ_FIELD_NEXT, "next setting"				       },
		{REQ_STEP_UP,    "change it, also while the run is on"	   },
		{REQ_PROFILES,   "profiles: load, save"			     },
		{REQ_HELP,	   "all keys"				     },
	};
	int n = (int)(sizeof(lines) / sizeof(lines[0])), y = r.y, x = r.x + 3;
	char key[KEY_NAME_SIZE];

	if (r.h > n + 1)
		y = r.y + (r.h - n) / 2;
	for (int i = 0; i < n && y < r.y + r.h; i++, y++) {
		key_of(lines[i].req, key);
		canvas_label(c, x, y, 10, ROLE_KEY, 0, key);
		canvas_label(c, x + 11, y, r.x + r.w - x - 12, ROLE_TEXT, 0, lines[i].text);
	}
}

/* "laying out the file  43%" above a bar with eighths, and what Esc does. */
static void draw_layout(struct canvas *c, const struct dash *d, struct rect r)
{
	const struct snapshot *s = d->snap;
	double part = s->layout_total ? (double)s->layout_done / (double)s->layout_total : 0;
	int w = r.w - 6, y = r.y + (r.h > 4 ? (r.h - 3) / 2 : 0), at = 0;
	char done[NUM_SIZE], total[NUM_SIZE], pct[NUM_SIZE];
	struct items it = {0}, sizes = {0};

	part = fmin(fmax(part, 0), 1);
	units_fmt_pct(pct, sizeof(pct), 100 * part);
	units_fmt_bytes(done, sizeof(done), (double)s->layout_done, d->st->si);
	units_fmt_bytes(total, sizeof(total), (double)s->layout_total, d->st->si);
	items_add(&it, ROLE_TITLE, 0, "laying out the file");
	items_add(&it, ROLE_TITLE, 0, "%s%%", pct);
	w_items(c, r.x + 3, y, w, &it);
	for (int fill = (int)(part * w * 8); at < w && r.h > 1; at++, fill -= 8)
		canvas_put(c, r.x + 3 + at, y + 1,
			   fill >= 8	 ? c->g->block[8]
			   : c->g->ascii ? '-'
					 : 0x2591,
			   ROLE_READ, 0);
	items_add(&sizes, ROLE_TEXT, 0, "%s of %s", done, total);
	items_add(&sizes, ROLE_KEY, 0, "Esc cancels");
	if (r.h > 2)
		w_items(c, r.x + 3, y + 2, w, &sizes);
}

static void draw_failure(struct canvas *c, const struct dash *d, struct rect r)
{
	struct rect text = {r.x + 3, r.y + (r.h > 4), r.w - 6, r.h - (r.h > 4)};

	dash_wrap(c, text, ROLE_ERROR, d->snap->error[0] ? d->snap->error : "the run failed");
}

static bool draw_instead(struct canvas *c, const struct dash *d, struct rect r)
{
	if (d->snap->state == RUN_LAYOUT)
		draw_layout(c, d, r);
	else if (d->snap->state == RUN_FAILED && !d->has_data)
		draw_failure(c, d, r);
	else if (!d->has_data && !d->running)
		draw_how_to(c, d, r);
	else
		return false;
	return true;
}

void dash_graph(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_GRAPH], body = {r.x, r.y + 1, r.w, r.h - 1};
	bool bps = d->st->pane == PANE_BW, alone = d->lay.area[AREA_LOWER].w == 0;
	bool titled = layout_titled(&d->lay, AREA_GRAPH);
	int gutter = !titled ? 0 : alone && !bps ? GUTTER_IOPS : GUTTER_BPS;

	if (draw_instead(c, d, titled ? body : r)) {
		if (titled)
			heading(c, d, (struct rect){r.x, r.y, r.w, 1}, bps, alone, NULL);
		return;
	}
	if (r.w - gutter >= PLOT_MIN)
		draw_plot(c, d, r, bps, gutter, titled, alone);
}

void dash_lower(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_LOWER];
	bool bps = d->st->pane != PANE_BW;

	if (!d->has_data && !d->running)
		heading(c, d, (struct rect){r.x, r.y, r.w, 1}, bps, false, NULL);
	else
		draw_plot(c, d, r, bps, GUTTER_BPS, false, false);
}
