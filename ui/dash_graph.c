/* The graphs over time of the Run screen: IOPS, bandwidth, queue, and the heat map. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/view_dash.h"
#include "ui/w_chart.h"
#include "ui/w_events.h"
#include "ui/w_heat.h"

struct plot {
	struct point *cols;
	int n;
	uint64_t t_end_ns, window_ns; /* of the columns: whole ones */
	int cursor;                   /* column, -1 none */
	double min, max;              /* of what is drawn, dots included; NAN nothing */
	char mark_text[EVENT_MAX][96];
	struct chart_mark marks[EVENT_MAX];
	size_t n_marks;
};

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

/* The column of the time that is read out. */
static int plot_cursor(const struct plot *p, const struct dash *d)
{
	uint64_t left = p->t_end_ns > p->window_ns ? p->t_end_ns - p->window_ns : 0;
	uint64_t at = d->st->cursor_ns;

	if (!d->st->frozen || at <= left || at > p->t_end_ns)
		return -1;
	return (int)((double)(at - left - 1) * p->n / (double)p->window_ns);
}

static void plot_load(struct plot *p, const struct canvas *c, const struct dash *d, int n,
		      enum chart_what what)
{
	*p = (struct plot){.n = n, .min = NAN, .max = NAN};
	p->cols = xcalloc((size_t)n + 1, sizeof(*p->cols));
	plot_times(p, d);
	p->cursor = plot_cursor(p, d);
	model_columns(d->m, d->lane_index, p->t_end_ns, p->window_ns, p->cols, (size_t)n);
	plot_marks(p, c, d);
	for (int i = 0; i < n; i++) {
		const struct point *pt = &p->cols[i];
		double v = w_chart_value(what, pt);

		p->min = fmin(p->min, v);
		p->max = fmax(p->max, v);
		if (what == CHART_IOPS)
			p->max = fmax(p->max, pt->iops_max);
		if (what == CHART_QUEUE)
			p->max = fmax(p->max, pt->aqu_sz);
	}
}

static struct axis plot_axis(const struct plot *p, const struct dash *d, enum chart_what what,
			     int rows)
{
	static const int held[CHART_NR] = {MODEL_IOPS, MODEL_BPS, MODEL_QUEUE};
	const struct axis_hold *hold = &d->m->hold[d->lane_index][held[what]];
	double max = d->running ? fmax(p->max, hold->max) : p->max;
	bool bps = what == CHART_BPS;
	double unit = bps ? axis_unit(max, d->st->si) : 1;

	switch (d->st->y_mode) {
	case Y_FITTED:
		return axis_fitted(p->min, max, unit, rows);
	case Y_LOCKED:
		if (!(d->st->y_locked[held[what]] > 0))
			break;
		if (bps)
			unit = axis_unit(d->st->y_locked[held[what]], d->st->si);
		return axis_zero(d->st->y_locked[held[what]], unit, rows);
	case Y_LOG:
		return axis_log(p->min, max, bps && !d->st->si ? 16 : 10, rows);
	case Y_ZERO:
	case Y_NR:
		break;
	}
	return axis_zero(max, unit, rows);
}

static void time_texts(const struct plot *p, const struct dash *d, char *left, char *right)
{
	uint64_t ago = p->window_ns, t0 = d->t0_ns;

	if (d->over || d->st->frozen) {
		uint64_t from = p->t_end_ns > ago ? p->t_end_ns - ago : 0;

		/* The window may begin before the run; by less than a second is not worth a sign. */
		bool before = from < t0 && t0 - from >= NSEC_PER_SEC;

		left[0] = '-';
		units_fmt_clock(left + before, NUM_SIZE - 1, from < t0 ? t0 - from : from - t0);
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

static const char *const y_modes[] = {
	[Y_FITTED] = "y fitted", [Y_LOG] = "y log", [Y_LOCKED] = "y locked"};

static void add_ops(const struct canvas *c, const struct dash *d, bool bps, struct items *it)
{
	static const struct {
		enum role role;
		const char *sign;
	} legend[IO_OP_NR] = {{ROLE_READ, "█"}, {ROLE_WRITE, "▒"}, {ROLE_TRIM, "▒"}};
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

/* The rate, how it came about, and the other rate where no pane shows it. */
static void heading_rate(const struct canvas *c, const struct dash *d, bool bps,
			 const struct plot *p, struct items *it)
{
	char text[NUM_SIZE];

	items_add(it, ROLE_TITLE, 0, "%s%s %s", bps ? "bandwidth" : "IOPS",
		  d->totals ? " total" : "", show_rate(c, d, bps, &d->win[IO_OP_NR], text));
	if (d->st->y_mode != Y_ZERO)
		items_add(it, ROLE_WARN, 0, "%s", y_modes[d->st->y_mode]);
	add_ops(c, d, bps, it);
	if (!d->totals && d->lane->t_start_ns)
		items_add(it, ROLE_TEXT, 0, "avg %s",
			  show_rate(c, d, bps, &d->lane->total[IO_OP_NR], text));
	if (!bps)
		items_add(it, ROLE_TEXT, 0, "max %s", show_count(c, text, p->max));
	if (bps ? d->pane == PANE_BW && !d->two_panes : d->pane != PANE_BW)
		items_add(it, ROLE_TEXT, 0, "%s", show_rate(c, d, !bps, &d->win[IO_OP_NR], text));
}

static double aqu_now(const struct snapshot *s)
{
	double sum = NAN;

	for (uint32_t i = 0; i < s->n_disks && i < DISK_RATE_MAX; i++)
		if (s->disk[i].is_target)
			sum = (isnan(sum) ? 0 : sum) + s->disk[i].aqu_sz;
	return sum;
}

static void heading_queue(const struct canvas *c, const struct dash *d, struct items *it)
{
	char text[NUM_SIZE];

	items_add(it, ROLE_TITLE, 0, "queue");
	if (d->st->y_mode != Y_ZERO)
		items_add(it, ROLE_WARN, 0, "%s", y_modes[d->st->y_mode]);
	items_add(it, ROLE_READ, 0, "█ in flight %u", d->lane->inflight);
	items_add(it, ROLE_WRITE, 0, "● aqu-sz %s", show_count(c, text, aqu_now(d->snap)));
	items_add(it, ROLE_TEXT, 0, "asked for %" PRIu64,
		  (uint64_t)d->lane->qd_effective * d->lane->workers);
}

static const char *show_op(const struct canvas *c, const struct dash *d, enum chart_what what,
			   const struct point *pt, int op, char *out)
{
	return what == CHART_BPS ? show_bps(c, out, pt->bps[op], d->st->si)
				 : show_count(c, out, pt->iops[op]);
}

/* The values of the column under the cursor, and when it was. */
static void heading_cursor(const struct canvas *c, const struct dash *d, enum chart_what what,
			   const struct plot *p, struct items *it)
{
	static const char *const names[CHART_NR] = {"IOPS", "bandwidth", "in flight"};
	const struct point *pt = &p->cols[p->cursor];
	uint64_t t = d->st->cursor_ns > d->t0_ns ? d->st->cursor_ns - d->t0_ns : 0;
	double v = w_chart_value(what, pt);
	char text[NUM_SIZE];

	items_add(it, ROLE_TITLE, 0, "%s %s", names[what],
		  what == CHART_BPS ? show_bps(c, text, v, d->st->si) : show_count(c, text, v));
	units_fmt_clock(text, sizeof(text), t);
	items_add(it, ROLE_FOCUS, 0, " at %s ", text);
	if (what == CHART_QUEUE)
		items_add(it, ROLE_WRITE, 0, "aqu-sz %s", show_count(c, text, pt->aqu_sz));
	for (int op = 0; op < IO_OP_NR && what != CHART_QUEUE; op++)
		if (d->lane->total[op].ops &&
		    d->lane->total[op].ops != d->lane->total[IO_OP_NR].ops)
			items_add(it, ROLE_TEXT, 0, "%s %s", io_op_name((enum io_op)op),
				  show_op(c, d, what, pt, op, text));
	if (what == CHART_IOPS)
		items_add(it, ROLE_TEXT, 0, "100 ms peak %s", show_count(c, text, pt->iops_max));
}

void dash_chart(struct canvas *c, const struct dash *d, struct rect r, enum chart_what what,
		bool titled, bool texts)
{
	struct plot *p = xcalloc(1, sizeof(*p));
	int gutter = titled ? d->gutter : 0;
	char left[NUM_SIZE], right[NUM_SIZE];
	struct chart ch = {.what = what, .si = d->st->si, .gutter = gutter};
	struct rect row = {r.x, r.y, r.w, 1};
	struct items it = {0};

	if (titled) {
		r.y++;
		r.h--;
	}
	plot_load(p, c, d, w_chart_cols(r, gutter), what);
	ch.cols = p->cols;
	ch.cursor = p->cursor + 1;
	ch.axis = plot_axis(p, d, what, w_chart_rows(r, gutter, texts));
	ch.marks = p->marks;
	ch.n_marks = p->n_marks;
	if (texts) {
		time_texts(p, d, left, right);
		ch.left = left;
		ch.right = right;
	}
	if (p->cursor >= 0)
		heading_cursor(c, d, what, p, &it);
	else if (what == CHART_QUEUE)
		heading_queue(c, d, &it);
	else
		heading_rate(c, d, what == CHART_BPS, p, &it);
	if (titled)
		w_heading(c, row, -1, &it);
	w_chart(c, r, &ch);
	free(p->cols);
	free(p);
}

static void draw_times(struct canvas *c, const struct dash *d, struct rect row,
		       const struct plot *p)
{
	char left[NUM_SIZE], right[NUM_SIZE];
	int w;

	time_texts(p, d, left, right);
	w = canvas_width(right);
	if (canvas_width(left) + w + 2 > row.w)
		return;
	canvas_text(c, row.x, row.y, ROLE_TEXT, 0, left);
	canvas_text(c, row.x + row.w - w, row.y, ROLE_TEXT, 0, right);
}

/* What the bins tell of the column under the cursor: upper bounds, so nothing is claimed too well. */
static void heading_heat(const struct canvas *c, const struct dash *d, const struct heat_col *col,
			 struct items *it)
{
	static const struct {
		const char *name;
		double pct;
	} wanted[] = {{"half", 50}, {"99%", 99}, {"all", 100}};
	uint64_t t = d->st->cursor_ns > d->t0_ns ? d->st->cursor_ns - d->t0_ns : 0;
	char text[NUM_SIZE];

	units_fmt_clock(text, sizeof(text), t);
	items_add(it, ROLE_FOCUS, 0, " at %s ", text);
	items_add(it, ROLE_TEXT, 0, "n=%s", show_count(c, text, (double)col->total));
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]) && col->total; i++) {
		uint64_t ns = heat_below_ns(col, wanted[i].pct);

		if (ns == UINT64_MAX)
			items_add(it, ROLE_TEXT, 0, "%s: 10 s or more", wanted[i].name);
		else
			items_add(it, ROLE_TEXT, 0, "%s < %s", wanted[i].name,
				  show_ns(c, text, (double)ns));
	}
}

/* In columns of the same times as the graph above it. */
void dash_heat(struct canvas *c, const struct dash *d, struct rect r, bool texts)
{
	struct plot p = {.n = w_chart_cols(r, d->gutter)};
	struct heat_col *cols = xcalloc((size_t)p.n + 1, sizeof(*cols));
	struct rect body = {r.x, r.y + 1, r.w, r.h - 1 - (texts ? 1 : 0)};
	struct items it = {0};
	char text[NUM_SIZE];
	int cursor;

	plot_times(&p, d);
	heat_columns(d->m->heat[d->lane_index],
		     p.t_end_ns > p.window_ns ? p.t_end_ns - p.window_ns : 0,
		     (double)p.window_ns / p.n, cols, (size_t)p.n);
	cursor = plot_cursor(&p, d);
	items_add(&it, ROLE_TITLE, 0, cursor >= 0 ? "heat map" : "latency heat map");
	if (cursor >= 0) {
		heading_heat(c, d, &cols[cursor], &it);
	} else {
		if (!d->two_panes)
			items_add(&it, ROLE_TEXT, 0, "%s IOPS",
				  show_rate(c, d, false, &d->win[IO_OP_NR], text));
		items_add(&it, ROLE_TEXT, 0, "shade: share of the column");
	}
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	w_heat(c, body, d->gutter, cols, p.n, cursor);
	if (texts)
		draw_times(c, d, (struct rect){r.x + d->gutter, r.y + r.h - 1, r.w - d->gutter, 1},
			   &p);
	free(cols);
}
