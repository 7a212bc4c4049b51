#include "ui/w_workers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/base/clock.h"
#include "ui/honesty.h"

#define CPU_BOUND_PCT 90 /* of one core per worker */
/* Within these of the asked depth Little's law agrees (arithmetic R5; 2 % for the window's ends). */
#define LITTLE_LOW  0.97
#define LITTLE_HIGH 1.02

static uint64_t depth_asked(const struct lane_snap *l)
{
	return (uint64_t)l->qd_effective * l->workers;
}

bool workers_cpu_bound(const struct lane_snap *l)
{
	return l->workers && l->cpu_pct > CPU_BOUND_PCT * (double)l->workers;
}

bool is_waiting_first(const struct lane_snap *l)
{
	return l->oldest_ns >= NSEC_PER_SEC && !l->total[IO_OP_NR].ops &&
	       !(l->sec[IO_OP_NR].iops > 0);
}

void waiting_first(const struct canvas *c, const struct lane_snap *l, struct items *it)
{
	items_add(it, ROLE_WARN, 0, "waiting for the first I/O %s", c->g->ascii ? "..." : "…");
	items_add(it, ROLE_WARN, 0, "%.1f s", (double)l->oldest_ns / 1e9);
	items_add(it, ROLE_TEXT, 0, "%u in flight", l->inflight);
}

static void add_in_flight(const struct canvas *c, const struct lane_snap *l, struct items *it)
{
	(void)c;
	items_add(it, ROLE_TEXT, 0, "in flight %u/%" PRIu64, l->inflight, depth_asked(l));
	if (l->workers > 1)
		items_add(it, ROLE_TEXT, 0, "(qd %u × %u jobs)", l->qd_effective, l->workers);
	else if (l->qd_effective < l->tune.qd)
		items_add(it, ROLE_TEXT, 0, "(sync engine: 1)");
}

static void add_little(const struct canvas *c, const struct workers_view *v, struct items *it)
{
	const struct lane_snap *l = v->lane;
	const struct op_win *w = &l->sec[IO_OP_NR];
	char iops[NUM_SIZE], ns[NUM_SIZE], n[NUM_SIZE];
	double asked = (double)depth_asked(l);

	if (v->totals || !(l->little > 0) || !w->lat.n)
		return;
	items_add(it, ROLE_TEXT, 0, "Little: %s × %s = %s", show_count(c, iops, w->iops),
		  show_ns(c, ns, w->lat.mean_ns), show_count(c, n, l->little));
	if (asked > 0 && l->little >= LITTLE_LOW * asked && l->little <= LITTLE_HIGH * asked)
		items_add(it, ROLE_OK, 0, "%s", c->g->ascii ? "ok" : "✓");
}

static void add_cpu(const struct canvas *c, const struct lane_snap *l, struct items *it)
{
	char pct[NUM_SIZE];

	if (isnan(l->cpu_pct))
		return;
	items_add(it, ROLE_TEXT, 0, "cpu %s%%", show_pct(c, pct, l->cpu_pct));
}

/* Where the CPU time goes: the program, or the kernel for it. */
static void add_cpu_parts(const struct canvas *c, const struct lane_snap *l, struct items *it)
{
	char usr[NUM_SIZE], sys[NUM_SIZE];

	if (l->cpu_usr_pct + l->cpu_sys_pct > 0)
		items_add(it, ROLE_TEXT, 0, "user %s sys %s", show_pct(c, usr, l->cpu_usr_pct),
			  show_pct(c, sys, l->cpu_sys_pct));
}

/* "read  364k  1.39 GiB/s  p99 151 µs" */
static void add_op(const struct canvas *c, const struct op_win *w, enum io_op op, bool si,
		   struct items *it)
{
	static const enum role roles[IO_OP_NR] = {ROLE_READ, ROLE_WRITE, ROLE_TRIM};
	char text[NUM_SIZE];

	items_add(it, roles[op], 0, "%-5s", io_op_name(op));
	items_add(it, ROLE_TEXT, 0, "%5s", show_count(c, text, w->iops));
	items_add(it, ROLE_TEXT, 0, "mean %s", show_ns(c, text, w->lat.n ? w->lat.mean_ns : NAN));
	items_add(it, ROLE_TEXT, 0, "p99 %s",
		  show_ns(c, text, w->lat.n ? (double)w->lat.pct_ns[3] : NAN));
	items_add(it, ROLE_TEXT, 0, "%s", show_bps(c, text, w->bps, si));
}

struct lines {
	struct canvas *c;
	struct rect r;
	int used;
};

static void line(struct lines *l, const struct items *it)
{
	if (it->n && l->used < l->r.h)
		w_items(l->c, l->r.x + 1, l->r.y + l->used++, l->r.w - 1, it);
}

static void ops_lines(struct lines *out, const struct workers_view *v)
{
	const struct op_win *w = v->totals ? v->lane->total : v->lane->sec;
	int used = 0;

	for (int op = 0; op < IO_OP_NR; op++)
		used += v->lane->total[op].ops > 0;
	for (int op = 0; op < IO_OP_NR; op++) {
		struct items it = {0};

		if (used < 2 || !v->lane->total[op].ops)
			continue;
		add_op(out->c, &w[op], (enum io_op)op, v->si, &it);
		line(out, &it);
	}
}

static void mean_line(struct lines *out, const struct workers_view *v)
{
	const struct lat_view *lat = &(v->totals ? v->lane->total : v->lane->sec)[IO_OP_NR].lat;
	struct items it = {0};
	char text[NUM_SIZE];

	items_add(&it, ROLE_TEXT, 0, "latency mean %s",
		  show_ns(out->c, text, lat->n ? lat->mean_ns : NAN));
	items_add(&it, ROLE_TEXT, 0, "min %s",
		  show_ns(out->c, text, lat->n ? (double)lat->min_ns : NAN));
	line(out, &it);
}

static void errors_line(struct lines *out, const struct lane_snap *l)
{
	struct items it = {0};

	if (l->total[IO_OP_NR].errors)
		items_add(&it, ROLE_ERROR, 0, "%" PRIu64 " I/O errors", l->total[IO_OP_NR].errors);
	line(out, &it);
}

static const char *split_reason(const struct time_split *t)
{
	static const char *const words[] = {
		[SPLIT_NO_DISK] = "no disk's counters", [SPLIT_WAIT] = "not 1 s yet",
		[SPLIT_IDLE] = "device idle",           [SPLIT_OPS] = "device counts other I/Os",
		[SPLIT_SHARED] = "lanes share it",
	};

	return words[t->state];
}

static void split_part(struct lines *out, const char *name, double ns, double of_ns)
{
	struct items it = {0};
	char text[NUM_SIZE];

	items_add(&it, ROLE_TEXT, 0, "%s", name);
	items_add(&it, ROLE_TEXT, 0, "%*s", 24 - canvas_width(name) - 2, show_ns(out->c, text, ns));
	items_add(&it, ROLE_TEXT, 0, "%5.1f%%", 100 * ns / of_ns);
	line(out, &it);
}

/* App latency = host + device, in three lines, in one, or why it is not known. */
static void split_lines(struct lines *out, const struct time_split *t, int room)
{
	struct items it = {0};
	char text[NUM_SIZE];
	const char *tee = out->c->g->ascii ? "|" : "├", *end = out->c->g->ascii ? "`" : "└";
	char host[16], device[16];

	if (t->state == SPLIT_OK && room >= 3) {
		snprintf(host, sizeof(host), "%s host", tee);
		snprintf(device, sizeof(device), "%s device", end);
		split_part(out, "app latency", t->app_ns, t->app_ns);
		split_part(out, host, t->host_ns, t->app_ns);
		split_part(out, device, t->dev_ns, t->app_ns);
		return;
	}
	if (t->state == SPLIT_OK) {
		items_add(&it, ROLE_TEXT, 0, "host %s", show_ns(out->c, text, t->host_ns));
		items_add(&it, ROLE_TEXT, 0, "device %s", show_ns(out->c, text, t->dev_ns));
	} else {
		items_add(&it, ROLE_TEXT, 0, "device %s  %s", out->c->g->none, split_reason(t));
	}
	line(out, &it);
}

void split_short(const struct canvas *c, const struct time_split *t, struct items *it)
{
	char app[NUM_SIZE], host[NUM_SIZE], dev[NUM_SIZE];

	if (t->state == SPLIT_OK)
		items_add(it, ROLE_TEXT, 0, "latency %s = host %s + device %s",
			  show_ns(c, app, t->app_ns), show_ns(c, host, t->host_ns),
			  show_ns(c, dev, t->dev_ns));
}

static void honesty(struct lines *out, const struct lane_snap *l, int max)
{
	struct honesty_line lines[HONESTY_MAX];
	int n = honesty_lines(out->c, l, lines);

	for (int i = 0; i < n && i < max && out->used < out->r.h; i++)
		canvas_label(out->c, out->r.x + 1, out->r.y + out->used++, out->r.w - 1, ROLE_WARN,
			     0, lines[i].text);
}

static void cpu_line(struct lines *out, const struct lane_snap *l)
{
	struct items it = {0};

	items_add(&it, ROLE_TEXT, 0, l->workers == 1 ? "%u worker" : "%u workers", l->workers);
	add_cpu(out->c, l, &it);
	add_cpu_parts(out->c, l, &it);
	line(out, &it);
}

static void foreign_line(struct lines *out, const struct lane_snap *l)
{
	struct items it = {0};
	char pct[NUM_SIZE];

	if (isnan(l->split.foreign_pct))
		return;
	items_add(&it, ROLE_TEXT, 0, "foreign I/O %s%%",
		  show_pct(out->c, pct, l->split.foreign_pct));
	line(out, &it);
}

static void usage_line(struct lines *out, const struct lane_snap *l)
{
	struct items it = {0};
	char usr[NUM_SIZE], sys[NUM_SIZE];

	if (out->r.h <= 3 || !(l->usr_pct + l->sys_pct > 0))
		return;
	items_add(&it, ROLE_TEXT, 0, "cpu user %s%%  kernel %s%%",
		  show_pct(out->c, usr, l->usr_pct), show_pct(out->c, sys, l->sys_pct));
	line(out, &it);
}

static void ui_line(struct lines *out, const struct workers_view *v)
{
	struct items it = {0};
	char pct[NUM_SIZE], bps[NUM_SIZE];

	if (!v->ui_known)
		return;
	items_add(&it, ROLE_TEXT, 0, "UI %s%% of a core", show_pct(out->c, pct, v->ui_cpu_pct));
	items_add(&it, ROLE_TEXT, 0, "%s to tty", show_bps(out->c, bps, v->ui_bps, true));
	line(out, &it);
}

void w_workers(struct canvas *c, struct rect r, const struct workers_view *v)
{
	struct lines out = {.c = c, .r = r};
	struct items flight = {0}, little = {0};
	const struct lane_snap *l = v->lane;

	/* Two rows: the counts in one, the check or the errors in the other. */
	errors_line(&out, l);
	if (v->over) {
		honesty(&out, l, 2);
		usage_line(&out, l);
		mean_line(&out, v);
		ops_lines(&out, v);
		return;
	}
	if (r.h <= 3)
		add_cpu(c, l, &flight);
	add_in_flight(c, l, &flight);
	line(&out, &flight);
	add_little(c, v, &little);
	line(&out, &little);
	if (r.h <= 3)
		return;
	honesty(&out, l, r.h >= 8 ? 3 : 2);
	split_lines(&out, &l->split, r.h - out.used);
	cpu_line(&out, l);
	foreign_line(&out, l);
	mean_line(&out, v);
	ops_lines(&out, v);
	ui_line(&out, v);
}

void workers_short(const struct canvas *c, const struct lane_snap *l, struct items *it)
{
	add_in_flight(c, l, it);
	add_cpu(c, l, it);
}
