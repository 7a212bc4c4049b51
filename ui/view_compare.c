#include "ui/view_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/compare_panes.h"
#include "ui/keys.h"
#include "ui/layout.h"
#include "ui/w_setup.h"

#define SIDE_W    24 /* the column of numbers beside the graphs */
#define BAND_MIN  4  /* heading, two rows, axis */
#define TABLE_ROW 2  /* heading, names of the columns */

static bool state_runs(enum run_state s)
{
	return s == RUN_RAMP || s == RUN_ON || s == RUN_PAUSED || s == RUN_DRAIN;
}

/* From the first measurement of any lane; the graph of a run that is over stands still. */
static void make_times(struct compare_screen *s)
{
	uint64_t begin, end, last = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (!model_span(s->m, i, &begin, &end))
			continue;
		if (!s->has_data || begin < s->begin_ns)
			s->begin_ns = begin;
		last = end > last ? end : last;
		s->has_data = true;
	}
	s->t_end_ns = s->over ? last : s->m->snap->t_ns;
	s->window_ns = s->over ? 0 : s->st->window_ns;
	if (s->window_ns == 0)
		s->window_ns = s->t_end_ns > s->begin_ns ? s->t_end_ns - s->begin_ns : 1;
}

static struct compare_screen make_screen(const struct ui_state *st, const struct model *m)
{
	struct compare_screen s = {.st = st, .cs = &st->compare, .m = m};
	enum run_state state = m->snap->state;

	s.n = s.cs->n ? s.cs->n : 2;
	s.running = state_runs(state);
	s.over = state == RUN_DONE || state == RUN_FAILED;
	make_times(&s);
	return s;
}

/* ---- the single rows ---- */

static bool is_simulated(const struct compare_screen *s)
{
	for (uint32_t i = 0; i < s->m->snap->n_lanes && i < LANE_MAX; i++)
		if (s->m->snap->lane[i].simulated)
			return true;
	return false;
}

static void draw_top(struct canvas *c, const struct compare_screen *s)
{
	enum run_state state = s->m->snap->state;
	enum role role = state == RUN_FAILED ? ROLE_ERROR : s->running ? ROLE_OK : ROLE_TITLE;
	struct items it = {0};
	char text[NUM_SIZE], asking[32];
	int w;

	state_asking_text(s->st, asking, sizeof(asking));
	if (asking[0])
		items_add(&it, ROLE_WARN, ATTR_REVERSE, "%s", asking);
	else
		items_add(&it, role, ATTR_REVERSE, " %s%s ", s->running && !c->g->ascii ? "● " : "",
			  run_state_word(state));
	/* Before what is left out on a narrow screen. */
	if (is_simulated(s))
		items_add(&it, ROLE_BADGE, ATTR_REVERSE, " SIMULATED ");
	if (s->has_data) {
		units_fmt_clock(text, sizeof(text), s->m->snap->lane[0].elapsed_ns);
		items_add(&it, ROLE_TITLE, 0, "%s", text);
	}
	if (s->st->fps && c->w >= 80)
		items_add_rate(&it, s->st->fps, s->st->tty_slow);
	while (it.n > 1 && items_width(&it) > c->w - 10)
		it.n--;
	w = items_width(&it);
	canvas_text(c, 1, 0, ROLE_TITLE, 0, "iodeck");
	if (c->w >= 60)
		view_tabs(c, 10, 0, c->w - 2 - w, &view_compare);
	if (w <= c->w - 9)
		w_items(c, c->w - 1 - w, 0, w, &it);
}

static void draw_mode(struct canvas *c, const struct compare_screen *s, int y)
{
	const struct compare_state *cs = s->cs;
	bool turns = s->m->snap->n_lanes ? s->m->snap->ab.alternate : cs->alternate;
	struct items it = {0};
	char left[NUM_SIZE];

	items_add(&it, ROLE_TITLE, 0, "%s", cs->separate ? "separate" : "linked");
	if (turns && s->running && s->m->snap->ab.turn < s->n) {
		units_fmt_clock(left, sizeof(left), s->m->snap->ab.left_ns);
		items_add(&it, ROLE_TITLE, 0, "in turns: %c, %s left",
			  'A' + (char)s->m->snap->ab.turn, left);
	} else {
		items_add(&it, ROLE_TITLE, 0, "%s", turns ? "in turns" : "both at once");
	}
	items_add(&it, ROLE_TEXT, 0, "y axis %s", cs->own_axis && !cs->overlay ? "own" : "same");
	if (cs->shared[0])
		items_add(&it, ROLE_WARN, 0, "! shared link: %s", cs->shared);
	w_items(c, 1, y, c->w - 1, &it);
}

static void draw_hint(struct canvas *c, const struct compare_screen *s, int y)
{
	const struct snapshot *snap = s->m->snap;

	if (s->st->message[0])
		canvas_label(c, 1, y, c->w - 2, s->st->message_role, 0, s->st->message);
	else if (snap->error[0])
		canvas_label(c, 1, y, c->w - 2, ROLE_ERROR, 0, snap->error);
}

/* ---- the whole ---- */

/* Rows: top, mode, setup; bands; table; hint, footer. What does not fit is left out from the table up. */
struct plan {
	int band_y, band_h, bands, table_y, table_rows, hint_y, foot_y, foot_h;
};

static struct plan make_plan(const struct compare_screen *s, int w, int h)
{
	struct plan p = {.band_y = 3, .foot_h = h >= 28 ? 2 : 1};
	int room, rows = h >= 30 ? COMPARE_NR : 4;

	(void)w;
	p.foot_y = h - p.foot_h;
	p.hint_y = p.foot_y - 1;
	room = p.hint_y - p.band_y;
	p.bands = s->cs->overlay ? 1 : (int)s->n;
	while (rows > 1 && room - TABLE_ROW - rows < p.bands * BAND_MIN)
		rows--;
	p.table_rows = room - TABLE_ROW - rows >= p.bands * BAND_MIN ? rows : 0;
	if (p.table_rows)
		room -= TABLE_ROW + p.table_rows;
	p.band_h = room / p.bands;
	p.table_y = p.hint_y - (p.table_rows ? TABLE_ROW + p.table_rows : 0);
	return p;
}

static void draw_bands(struct canvas *c, const struct compare_screen *s, const struct plan *p)
{
	int y = p->band_y, end = p->table_y;

	for (int i = 0; i < p->bands; i++) {
		bool last = i == p->bands - 1;
		struct rect r = {0, y, c->w, last ? end - y : p->band_h};

		if (s->cs->overlay)
			compare_overlay(c, s, r, SIDE_W);
		else
			compare_band(c, s, (uint32_t)i, r, SIDE_W, last);
		y += r.h;
	}
}

/* Bands too low for a graph: the facts of each lane, one below the other. */
static void draw_facts(struct canvas *c, const struct compare_screen *s, const struct plan *p)
{
	int gap = p->hint_y - p->band_y >= 2 * (int)s->n ? 2 : 1;

	for (int i = 0; i < (int)s->n && p->band_y + i * gap < p->hint_y; i++)
		compare_line(c, s, (uint32_t)i, (struct rect){1, p->band_y + i * gap, c->w - 1, 1});
}

/* Below the smallest screen: a line a lane, as many as there is room for. */
static void draw_lines(struct canvas *c, const struct compare_screen *s)
{
	for (uint32_t i = 0; i < s->n && (int)i < c->h; i++)
		compare_line(c, s, i, (struct rect){0, (int)i, c->w, 1});
	if (c->h > (int)s->n)
		draw_hint(c, s, c->h - 1);
}

static void draw(const struct ui_state *st, const struct model *m, struct canvas *c)
{
	struct compare_screen s = make_screen(st, m);
	struct plan p;

	if (c->w < 40 || c->h < 10) {
		draw_lines(c, &s);
		return;
	}
	p = make_plan(&s, c->w, c->h);
	draw_top(c, &s);
	draw_mode(c, &s, 1);
	w_setup(c, (struct rect){0, 2, c->w, 1}, st);
	if (p.band_h >= BAND_MIN)
		draw_bands(c, &s, &p);
	else
		draw_facts(c, &s, &p);
	if (p.table_rows)
		compare_table(c, &s, (struct rect){0, p.table_y, c->w, TABLE_ROW + p.table_rows});
	draw_hint(c, &s, p.hint_y);
	keys_footer(st->editing ? KEYS_EDIT : KEYS_COMPARE, c,
		    (struct rect){0, p.foot_y, c->w, p.foot_h});
}

const struct view_ops view_compare = {
	.name = "compare",
	.title = "Compare",
	.keys = KEYS_COMPARE,
	.help = "Two to four lanes on one time axis; Tab chooses whose device and settings are "
		"shown. "
		"The table compares lane A with lane B (or the chosen one) over the last ten "
		"seconds "
		"of each: means of whole seconds, their ratio, the difference with its 95 % "
		"interval. "
		"No difference shown means that the interval holds 0. In turns, only one lane does "
		"I/O "
		"at a time and its numbers are of its own slices.",
	.draw = draw,
};
