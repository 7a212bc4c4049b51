/* The Run screen: settings and live numbers in one. Its parts are in dash_*.c and w_*.c. */
#include "ui/view_dash.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "ui/keys.h"
#include "ui/w_devices.h"
#include "ui/w_events.h"
#include "ui/w_latency.h"
#include "ui/w_setup.h"
#include "ui/w_workers.h"

#define GUTTER_IOPS 8  /* "1.50M" and the axis */
#define GUTTER_WIDE 11 /* "1.50 GiB", "< 1.25ms" */

static bool state_runs(enum run_state s)
{
	return s == RUN_RAMP || s == RUN_ON || s == RUN_PAUSED || s == RUN_DRAIN;
}

/* The graph of a run that is over stands still and shows all of it. */
static void make_times(struct dash *d)
{
	uint64_t end_ns = 0;

	d->has_data = model_span(d->m, d->lane_index, &d->begin_ns, &end_ns);
	d->t0_ns = d->lane->t_start_ns ? d->lane->t_start_ns : d->begin_ns;
	d->t_end_ns = d->over ? end_ns : d->snap->t_ns;
	d->window_ns = d->over ? 0 : d->st->window_ns;
	if (d->st->frozen) {
		d->t_end_ns = d->st->frozen_t_ns;
		d->window_ns = d->st->window_ns;
	}
}

static struct dash make_dash(const struct ui_state *st, const struct model *m,
			     const struct canvas *c)
{
	struct dash d = {.st = st, .m = m, .snap = m->snap, .lane = &m->snap->lane[0]};

	d.lay = layout_make(c->w, c->h);
	d.two_panes = d.lay.area[AREA_LOWER].w > 0;
	d.pane = d.two_panes && st->pane == PANE_IOPS ? PANE_HEAT : st->pane;
	d.gutter = !d.two_panes && d.pane == PANE_IOPS ? GUTTER_IOPS : GUTTER_WIDE;
	d.running = state_runs(d.snap->state);
	d.over = d.snap->state == RUN_DONE || d.snap->state == RUN_FAILED;
	d.totals = d.over || st->totals;
	d.win = d.totals ? d.lane->total : d.lane->sec;
	make_times(&d);
	return d;
}

static struct rect row_of(struct rect r)
{
	r.h = 1;
	return r;
}

static struct rect body_of(const struct dash *d, enum area a)
{
	struct rect r = d->lay.area[a];

	if (layout_titled(&d->lay, a)) {
		r.y++;
		r.h--;
	}
	return r;
}

static void draw_items_heading(struct canvas *c, const struct dash *d, enum area a,
			       const struct items *it)
{
	struct rect r = d->lay.area[a], v = d->lay.divider;

	w_heading(c, row_of(r), v.w && r.y == v.y + v.h ? v.x : -1, it);
}

static void draw_heading(struct canvas *c, const struct dash *d, enum area a, const char *text)
{
	struct items it = {0};

	items_add(&it, ROLE_TITLE, 0, "%s", text);
	draw_items_heading(c, d, a, &it);
}

/* Where the load has no pane of its own, the heading says where the time goes. */
static void draw_devices_heading(struct canvas *c, const struct dash *d)
{
	struct items it = {0};

	items_add(&it, ROLE_TITLE, 0, "devices");
	if (d->running && !layout_titled(&d->lay, AREA_WORKERS))
		split_short(c, &d->lane->split, &it);
	if (!devices_show_temp(d->snap, body_of(d, AREA_DEVICES).w))
		devices_add_temp(c, d->snap, &it);
	draw_items_heading(c, d, AREA_DEVICES, &it);
}

static void draw_slo(struct canvas *c, const struct dash *d, struct rect row)
{
	w_latency_slo(c, row, &d->st->slo, &d->win[IO_OP_NR].lat,
		      d->totals ? &d->lane->total_lat : &d->lane->sec_lat);
}

/* The objective has its line below the percentiles, or the first one of the load. */
static bool slo_with_load(const struct dash *d)
{
	return d->st->slo.set && layout_titled(&d->lay, AREA_LATENCY) &&
	       body_of(d, AREA_LATENCY).h <= LATENCY_BODY_ROWS;
}

static void draw_latency(struct canvas *c, const struct dash *d)
{
	struct rect body;
	const struct lat_view *lat = &d->win[IO_OP_NR].lat;
	struct rect r = d->lay.area[AREA_LATENCY];
	struct items it = {0};
	char n[NUM_SIZE];

	if (!layout_titled(&d->lay, AREA_LATENCY)) {
		w_latency_short(c, r, lat);
		return;
	}
	items_add(&it, ROLE_TITLE, 0,
		  !d->has_data ? "latency"
		  : d->totals  ? "latency total"
			       : "latency 1 s");
	items_add(&it, ROLE_TEXT, 0, "n=%s", show_count(c, n, (double)lat->n));
	w_heading(c, row_of(r), -1, &it);
	body = body_of(d, AREA_LATENCY);
	w_latency(c, body, lat, d->st->slo.set ? (double)d->st->slo.limit_ns : (double)NAN);
	body.y += LATENCY_BODY_ROWS;
	body.h -= LATENCY_BODY_ROWS;
	if (d->st->slo.set && body.h > 0) {
		draw_slo(c, d, row_of(body));
		body.y++;
		body.h--;
	}
	if (body.h > 0)
		w_latency_above(c, row_of(body), lat);
}

/* Before and after a run: what the settings ask for. */
static void draw_plan(struct canvas *c, const struct dash *d, struct rect r)
{
	const struct job_spec *j = &d->st->job;
	uint32_t qd = state_field_used(d->st, FIELD_QD) ? j->iodepth : 1;
	struct items it = {0};

	items_add(&it, ROLE_TEXT, 0, "asks for %" PRIu64 " in flight", (uint64_t)qd * j->numjobs);
	if (j->numjobs > 1)
		items_add(&it, ROLE_TEXT, 0, "(%u × %u jobs)", qd, j->numjobs);
	if (r.h > 0)
		w_items(c, r.x + 1, r.y, r.w - 1, &it);
}

static void draw_workers(struct canvas *c, const struct dash *d)
{
	struct rect r = body_of(d, AREA_WORKERS);

	if (layout_titled(&d->lay, AREA_WORKERS))
		draw_heading(c, d, AREA_WORKERS, "load");
	if (slo_with_load(d) && r.h > 0) {
		draw_slo(c, d, row_of(r));
		r.y++;
		r.h--;
	}
	if (d->running || (d->over && d->has_data))
		w_workers(c, r,
			  &(struct workers_view){.lane = d->lane,
						 .totals = d->totals,
						 .over = d->over,
						 .si = d->st->si,
						 .ui_known = d->st->cost.known,
						 .ui_cpu_pct = d->st->cost.cpu_pct,
						 .ui_bps = d->st->cost.bps});
	else
		draw_plan(c, d, r);
}

static bool has_banner(const struct dash *d)
{
	return d->snap->state == RUN_FAILED && d->has_data;
}

static void draw_devices(struct canvas *c, const struct dash *d)
{
	struct devices_view v = {.snap = d->snap, .list = d->st->devices, .si = d->st->si};
	struct rect r = d->lay.area[AREA_DEVICES];
	struct items it = {0};
	char bps[NUM_SIZE];

	if (layout_titled(&d->lay, AREA_DEVICES)) {
		draw_devices_heading(c, d);
		w_devices(c, body_of(d, AREA_DEVICES), &v);
		return;
	}
	if (has_banner(d) && d->lay.area[AREA_EVENTS].w == 0)
		return;
	if (d->has_data)
		items_add(&it, ROLE_TEXT, 0, "%s",
			  show_bps(c, bps, d->win[IO_OP_NR].bps, d->st->si));
	devices_short(c, &v, d->lay.cls > LAYOUT_XS, &it);
	if (d->running)
		workers_short(c, d->lane, &it);
	w_items(c, r.x + 1, r.y, r.w - 1, &it);
}

/*
 * The reason of a failure takes the place of the newest events, and of the hint;
 * where there are no events it takes that of the device. */
static bool draw_banner(struct canvas *c, const struct dash *d)
{
	struct rect r = body_of(d, AREA_EVENTS), hint = d->lay.area[AREA_HINT];

	if (!has_banner(d))
		return false;
	if (r.w == 0)
		r = d->lay.area[AREA_DEVICES];
	if (!d->st->message[0])
		r.h = hint.y + 1 - r.y;
	r.x += 1;
	r.w -= 2;
	dash_wrap(c, r, ROLE_ERROR, d->snap->error[0] ? d->snap->error : "the run failed");
	return true;
}

static void draw_events(struct canvas *c, const struct dash *d)
{
	if (d->lay.area[AREA_EVENTS].w && layout_titled(&d->lay, AREA_EVENTS))
		draw_heading(c, d, AREA_EVENTS, "events");
	if (draw_banner(c, d)) {
		if (d->st->message[0])
			dash_hint(c, d);
		return;
	}
	if (d->lay.area[AREA_EVENTS].w)
		w_events(c, body_of(d, AREA_EVENTS), d->snap, d->t0_ns);
	dash_hint(c, d);
}

/* Where headings meet the line between the columns. */
static uint32_t divider_glyph(const struct canvas *c, const struct dash *d, int y)
{
	bool left = y == d->lay.area[AREA_GRAPH].y || y == d->lay.area[AREA_LOWER].y;
	bool right = y == d->lay.area[AREA_LATENCY].y ||
		     (layout_titled(&d->lay, AREA_WORKERS) && y == d->lay.area[AREA_WORKERS].y);

	if (y == d->lay.divider.y)
		return c->g->tee_t;
	if (left && right)
		return c->g->ascii ? '+' : 0x253c;
	return left ? c->g->tee_r : right ? c->g->tee_l : c->g->vline;
}

static void draw_divider(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.divider;

	for (int y = r.y; r.w && y < r.y + r.h; y++)
		canvas_put(c, r.x, y, divider_glyph(c, d, y), ROLE_BORDER, 0);
}

static void draw(const struct ui_state *st, const struct model *m, struct canvas *c)
{
	struct dash d = make_dash(st, m, c);

	if (d.lay.cls == LAYOUT_LINE) {
		dash_line(c, &d);
		return;
	}
	dash_top(c, &d);
	dash_target(c, &d);
	w_setup(c, d.lay.area[AREA_SETUP], st);
	dash_graph(c, &d);
	draw_latency(c, &d);
	if (d.lay.area[AREA_LOWER].w)
		dash_lower(c, &d);
	if (d.lay.area[AREA_WORKERS].w)
		draw_workers(c, &d);
	draw_devices(c, &d);
	draw_events(c, &d);
	draw_divider(c, &d);
	keys_footer(st->editing ? KEYS_EDIT : KEYS_RUN, c, d.lay.area[AREA_FOOTER]);
}

const struct view_ops view_dash = {
	.name = "run",
	.title = "Run",
	.keys = KEYS_RUN,
	.help = "Settings above, live numbers below. The graph shows interval values: each column "
		"is the "
		"mean of its time, a dot a 100 ms peak well above it, a dotted axis time without "
		"measurement. What is hatched is in no segment: the first second of a run and "
		"of each change. Latency is from the submit call until the completion is seen; ~ "
		"stands "
		"before a percentile that fewer than ten samples lie above. Device numbers are the "
		"kernel's, as iostat -x counts them.",
	.draw = draw,
};
