#include "ui/w_devices.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_MIN 9
#define NAME_MAX 16

static double sum_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Fixed unit, so no suffix: 0.42 7.00 84.1 2445. */
static const char *show_plain(const struct canvas *c, char *out, double v)
{
	if (isnan(v))
		snprintf(out, NUM_SIZE, "%s", c->g->none);
	else if (v > 0 && v < 0.01)
		snprintf(out, NUM_SIZE, "<0.01");
	else
		snprintf(out, NUM_SIZE, "%.*f", v == 0 || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v);
	return out;
}

static const char *show_whole(const struct canvas *c, char *out, double v)
{
	if (isnan(v))
		snprintf(out, NUM_SIZE, "%s", c->g->none);
	else
		snprintf(out, NUM_SIZE, "%.0f", v);
	return out;
}

static const char *show_temp(const struct canvas *c, char *out, const struct disk_rate *d)
{
	if (d->has_temp)
		snprintf(out, NUM_SIZE, "%.0f%s", d->temp_c, c->g->ascii ? "C" : "°C");
	else
		snprintf(out, NUM_SIZE, "%s", c->g->none);
	return out;
}

bool device_is_parallel(const struct devices_view *v, const struct disk_rate *d)
{
	const struct device *dev = v->list ? device_find_dev(v->list, d->major, d->minor) : NULL;

	if (!dev)
		return strncmp(d->name, "nvme", 4) == 0;
	return dev->kind == DEV_NVME || dev->kind == DEV_SSD || dev->kind == DEV_VIRTIO ||
	       dev->kind == DEV_DM || dev->kind == DEV_MD;
}

static bool wants_footnote(const struct devices_view *v, const struct disk_rate *d)
{
	return d->util_pct > 0 && device_is_parallel(v, d);
}

static const char *show_util(const struct canvas *c, char *out, const struct devices_view *v,
			     const struct disk_rate *d)
{
	char pct[NUM_SIZE];

	show_pct(c, pct, d->util_pct);
	snprintf(out, NUM_SIZE, "%.8s%s", pct, wants_footnote(v, d) ? "*" : "");
	return out;
}

enum column {
	COL_R,
	COL_W,
	COL_BW,
	COL_R_AWAIT,
	COL_W_AWAIT,
	COL_AQU,
	COL_UTIL,
	COL_INFLIGHT,
	COL_TEMP,
	COL_NR
};

static const struct {
	const char *name, *si_name;
	int width; /* with the blank before it */
} columns[COL_NR] = {
	[COL_R] = {"r/s", NULL, 7},           [COL_W] = {"w/s", NULL, 7},
	[COL_BW] = {"MiB/s", "MB/s", 8},      [COL_R_AWAIT] = {"r_await", NULL, 9},
	[COL_W_AWAIT] = {"w_await", NULL, 9}, [COL_AQU] = {"aqu-sz", NULL, 8},
	[COL_UTIL] = {"%util", NULL, 7},      [COL_INFLIGHT] = {"in flight", NULL, 11},
	[COL_TEMP] = {"temp", NULL, 7},
};

static const char *cell_text(const struct canvas *c, const struct devices_view *v,
			     const struct disk_rate *d, enum column col, char *out)
{
	switch (col) {
	case COL_R:
		return show_count(c, out, d->r_iops);
	case COL_W:
		return show_count(c, out, d->w_iops);
	case COL_BW:
		return show_plain(c, out, sum_known(d->r_bps, d->w_bps) / (v->si ? 1e6 : 0x1p20));
	case COL_R_AWAIT:
		return show_ns(c, out, d->r_await_ns);
	case COL_W_AWAIT:
		return show_ns(c, out, d->w_await_ns);
	case COL_AQU:
		return show_plain(c, out, d->aqu_sz);
	case COL_UTIL:
		return show_util(c, out, v, d);
	case COL_INFLIGHT:
		return show_whole(c, out, d->inflight);
	case COL_TEMP:
		return show_temp(c, out, d);
	case COL_NR:
		break;
	}
	return "";
}

static int name_width(const struct snapshot *s)
{
	int w = NAME_MIN;

	for (uint32_t i = 0; i < s->n_disks && i < DISK_RATE_MAX; i++)
		if (canvas_width(s->disk[i].name) > w)
			w = canvas_width(s->disk[i].name);
	return w < NAME_MAX ? w : NAME_MAX;
}

static int columns_that_fit(int room)
{
	int n = 0;

	while (n < COL_NR && columns[n].width <= room)
		room -= columns[n++].width;
	return n;
}

/* Long names differ at their ends (dm, multipath), so the middle is left out. */
static void draw_name(struct canvas *c, int x, int y, int w, enum role role, const char *name)
{
	int n = canvas_width(name), head = w / 2, tail = w - head - 1;

	if (n <= w || tail < 1 || strlen(name) != (size_t)n) {
		canvas_label(c, x, y, w, role, 0, name);
		return;
	}
	canvas_textf(c, x, y, role, 0, "%.*s", head, name);
	canvas_put(c, x + head, y, c->g->ellipsis, role, 0);
	canvas_text(c, x + head + 1, y, role, 0, name + n - tail);
}

static void draw_row(struct canvas *c, struct rect row, int name_w, int n,
		     const struct devices_view *v, const struct disk_rate *d)
{
	int x = row.x + 2 + name_w;
	char text[NUM_SIZE];

	if (d->is_target)
		canvas_put(c, row.x, row.y, c->g->ascii ? '>' : 0x25b8, ROLE_TITLE, 0);
	draw_name(c, row.x + 2, row.y, name_w, d->is_target ? ROLE_TITLE : ROLE_TEXT, d->name);
	for (int i = 0; i < n; i++) {
		canvas_value(c, x, row.y, columns[i].width, ROLE_TEXT, 0,
			     cell_text(c, v, d, (enum column)i, text));
		x += columns[i].width;
	}
}

static void draw_names(struct canvas *c, struct rect row, int name_w, int n, bool si)
{
	int x = row.x + 2 + name_w;

	canvas_label(c, row.x + 2, row.y, name_w, ROLE_TEXT, ATTR_BOLD, "name");
	for (int i = 0; i < n; i++) {
		canvas_value(c, x, row.y, columns[i].width, ROLE_TEXT, ATTR_BOLD,
			     si && columns[i].si_name ? columns[i].si_name : columns[i].name);
		x += columns[i].width;
	}
}

void w_devices(struct canvas *c, struct rect r, const struct devices_view *v)
{
	const struct snapshot *s = v->snap;
	int name_w = name_width(s), n = columns_that_fit(r.w - 3 - name_w), rows = r.h - 1;
	int n_disks = s->n_disks < DISK_RATE_MAX ? (int)s->n_disks : DISK_RATE_MAX, shown;
	struct rect row = {r.x, r.y, r.w, 1};
	bool note = false;

	for (int i = 0; i < n_disks; i++)
		note = note || wants_footnote(v, &s->disk[i]);
	if (n_disks == 0) {
		canvas_label(c, r.x + 2, r.y, r.w - 3, ROLE_TEXT, 0,
			     s->seq ? "no block device is busy" : "no numbers yet");
		return;
	}
	draw_names(c, row, name_w, n, v->si);
	shown = n_disks < rows - note ? n_disks : rows - note;
	for (int i = 0; i < shown; i++) {
		row.y++;
		draw_row(c, row, name_w, n, v, &s->disk[i]);
	}
	if (note && rows > 0)
		canvas_label(c, r.x + 2, row.y + 1, r.w - 3, ROLE_TEXT, 0,
			     "* busy is not saturation on a parallel device");
}

bool devices_show_temp(const struct snapshot *s, int w)
{
	return columns_that_fit(w - 3 - name_width(s)) > COL_TEMP;
}

void devices_add_temp(const struct canvas *c, const struct snapshot *s, struct items *it)
{
	char text[NUM_SIZE];

	if (s->n_disks && s->disk[0].is_target && s->disk[0].has_temp)
		items_add(it, ROLE_TEXT, 0, "%s", show_temp(c, text, &s->disk[0]));
}

static void add_await(const struct canvas *c, struct items *it, const char *name, double ns)
{
	char text[NUM_SIZE];

	if (!isnan(ns))
		items_add(it, ROLE_TEXT, 0, "%s %s", name, show_ns(c, text, ns));
}

void devices_short(const struct canvas *c, const struct devices_view *v, bool named,
		   struct items *it)
{
	const struct disk_rate *d = &v->snap->disk[0];
	bool both = !isnan(d->r_await_ns) && !isnan(d->w_await_ns);
	char text[NUM_SIZE];

	if (v->snap->n_disks == 0 || !d->is_target)
		return;
	if (named)
		items_add(it, ROLE_TITLE, 0, "%s", d->name);
	add_await(c, it, both ? "r_await" : "await", d->r_await_ns);
	add_await(c, it, both ? "w_await" : "await", d->w_await_ns);
	if (!isnan(d->aqu_sz))
		items_add(it, ROLE_TEXT, 0, "aqu-sz %s", show_plain(c, text, d->aqu_sz));
	if (!isnan(d->util_pct))
		items_add(it, ROLE_TEXT, 0, "util %s%%", show_pct(c, text, d->util_pct));
}
