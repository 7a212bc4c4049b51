/* What stands in the place of the graph while there is nothing to plot. */
#include <math.h>
#include <stdio.h>

#include "src/base/units.h"
#include "ui/keys.h"
#include "ui/view_dash.h"
#include "ui/w_workers.h"

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
		{REQ_DEVICES, "choose what to measure"},
		{REQ_FIELD_NEXT, "next setting"},
		{REQ_STEP_UP, "change it, also while the run is on"},
		{REQ_PROFILES, "profiles: load, save"},
		{REQ_HELP, "all keys"},
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
			   fill >= 8     ? c->g->block[8]
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

/* Nothing has come back yet: a slow device, or one that hangs. */
static void draw_waiting(struct canvas *c, const struct dash *d, struct rect r)
{
	struct items it = {0};

	if (d->st->opening)
		items_add(&it, ROLE_WARN, 0, "opening the target %s", c->g->ascii ? "..." : "…");
	else
		waiting_first(c, d->lane, &it);
	w_items(c, r.x + 3, r.y + (r.h - 1) / 2, r.w - 4, &it);
}

bool dash_instead(struct canvas *c, const struct dash *d, struct rect r)
{
	if (d->snap->state == RUN_LAYOUT)
		draw_layout(c, d, r);
	else if (d->snap->state == RUN_FAILED && !d->has_data)
		draw_failure(c, d, r);
	else if (d->st->opening || (d->running && is_waiting_first(d->lane)))
		draw_waiting(c, d, r);
	else if (!d->has_data && !d->running)
		draw_how_to(c, d, r);
	else
		return false;
	return true;
}
