/* Which panes stand on the left of the Run screen, one or two, and what is in them. */
#include "ui/view_dash.h"
#include "ui/w_hist.h"
#include "ui/w_jobs.h"

#define PLOT_MIN 4

static void dash_hist(struct canvas *, const struct dash *, struct rect, bool texts);
static void dash_jobs(struct canvas *, const struct dash *, struct rect, bool texts);

static const struct {
	const char *name;
	enum chart_what chart;
	void (*draw)(struct canvas *, const struct dash *, struct rect,
		     bool texts); /* NULL: chart */
} panes[PANE_NR] = {
	[PANE_IOPS] = {"IOPS", CHART_IOPS, NULL},
	[PANE_HEAT] = {"latency heat map", CHART_IOPS, dash_heat},
	[PANE_HIST] = {"latency histogram", CHART_IOPS, dash_hist},
	[PANE_JOBS] = {"jobs", CHART_IOPS, dash_jobs},
	[PANE_BW] = {"bandwidth", CHART_BPS, NULL},
	[PANE_QUEUE] = {"queue", CHART_QUEUE, NULL},
};

static void name_only(struct canvas *c, struct rect r, enum pane p)
{
	struct items it = {0};

	items_add(&it, ROLE_TITLE, 0, "%s", panes[p].name);
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
}

/* Without a heading there is room for an area only: tables and maps make way for IOPS. */
static void draw_pane(struct canvas *c, const struct dash *d, struct rect r, enum pane p,
		      bool titled, bool texts)
{
	if (r.w - (titled ? d->gutter : 0) < PLOT_MIN)
		return;
	if (panes[p].draw && titled)
		panes[p].draw(c, d, r, texts);
	else
		dash_chart(c, d, r, panes[p].chart, titled, texts);
}

static void dash_rate(struct canvas *c, const struct dash *d, struct items *it)
{
	char text[NUM_SIZE];

	if (!d->two_panes)
		items_add(it, ROLE_TEXT, 0, "%s IOPS", show_count(c, text, d->win[IO_OP_NR].iops));
}

static void dash_hist(struct canvas *c, const struct dash *d, struct rect r, bool texts)
{
	const struct lane_snap *l = d->lane;
	bool has_seg = !d->over && l->seg_start_ns > l->t_start_ns && l->seg.lat.n;
	struct histogram h = {
		.area = d->totals ? &l->total_lat : &l->sec_lat,
		.dots = d->totals ? NULL
			: has_seg ? &l->seg_lat
				  : &l->total_lat,
		.gutter = d->gutter,
	};
	struct items it = {0};

	(void)texts; /* its own axis */
	items_add(&it, ROLE_TITLE, 0, "latency histogram");
	dash_rate(c, d, &it);
	items_add(&it, ROLE_READ, 0, "█ %s", d->totals ? "the run" : "last 1 s");
	if (h.dots)
		items_add(&it, ROLE_WRITE, 0, "● %s", has_seg ? "the segment" : "the run");
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	w_hist(c, (struct rect){r.x, r.y + 1, r.w, r.h - 1}, &h);
}

static void dash_jobs(struct canvas *c, const struct dash *d, struct rect r, bool texts)
{
	struct items it = {0};

	(void)texts;
	items_add(&it, ROLE_TITLE, 0, d->totals ? "jobs total" : "jobs 1 s");
	dash_rate(c, d, &it);
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	w_jobs(c, (struct rect){r.x, r.y + 1, r.w, r.h - 1}, d->lane, d->totals, d->st->si);
}

void dash_graph(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_GRAPH], body = {r.x, r.y + 1, r.w, r.h - 1};
	bool titled = layout_titled(&d->lay, AREA_GRAPH);
	enum pane p = d->two_panes ? PANE_IOPS : d->pane;

	if (!dash_instead(c, d, titled ? body : r))
		draw_pane(c, d, r, p, titled, titled);
	else if (titled)
		name_only(c, r, p);
}

void dash_lower(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_LOWER];

	if (d->has_data || d->running)
		draw_pane(c, d, r, d->pane, true, false);
	else
		name_only(c, r, d->pane);
}
