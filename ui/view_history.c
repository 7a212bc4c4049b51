#include "ui/view_history.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/dialog.h"
#include "ui/keys.h"
#include "ui/layout.h"
#include "ui/w_items.h"

enum column {
	COL_PICK,
	COL_WHEN,
	COL_TARGET,
	COL_RW,
	COL_BS,
	COL_DEPTH,
	COL_IOPS,
	COL_P50,
	COL_P99,
	COL_LEN,
	COL_NOTE,
	COL_NR
};

/* need: from this width on. Texts are left-aligned and may be cut; values neither. */
static const struct {
	const char *name;
	int w, need;
	bool is_text;
} columns[COL_NR] = {
	[COL_PICK] = {"", 3, 0, true},          [COL_WHEN] = {"when", 12, 52, true},
	[COL_TARGET] = {"target", 15, 0, true}, [COL_RW] = {"rw", 10, 0, true},
	[COL_BS] = {"bs", 8, 70, false},        [COL_DEPTH] = {"qd x j", 8, 84, false},
	[COL_IOPS] = {"IOPS", 7, 0, false},     [COL_P50] = {"p50", 9, 104, false},
	[COL_P99] = {"p99", 9, 60, false},      [COL_LEN] = {"time", 7, 94, false},
	[COL_NOTE] = {"  ", 10, 112, true},
};

static void cell(const struct canvas *c, const struct history_state *h,
		 const struct archive_entry *en, enum column col, char *out)
{
	int pick = history_pick_of(h, en->id);

	*out = '\0';
	switch (col) {
	case COL_PICK:
		snprintf(out, NUM_SIZE, "%c", pick >= 0 ? 'A' + pick : ' ');
		break;
	case COL_WHEN:
		history_when(en, out, NUM_SIZE);
		break;
	case COL_TARGET:
		snprintf(out, NUM_SIZE, "%.31s", history_target(en));
		break;
	case COL_RW:
		snprintf(out, NUM_SIZE, "%s", en->rw);
		break;
	case COL_BS:
		if (en->bs_bytes)
			units_fmt_bytes(out, NUM_SIZE, (double)en->bs_bytes, false);
		break;
	case COL_DEPTH:
		if (en->qd)
			snprintf(out, NUM_SIZE, "%ux%u", en->qd, en->jobs);
		break;
	case COL_IOPS:
		show_count(c, out, en->iops);
		break;
	case COL_P50:
		show_ns(c, out, en->n ? (double)en->p50_ns : (double)NAN);
		break;
	case COL_P99:
		show_ns(c, out, en->n ? (double)en->p99_ns : (double)NAN);
		break;
	case COL_LEN:
		units_fmt_clock(out, NUM_SIZE, en->elapsed_ms * 1000000);
		break;
	case COL_NOTE:
		if (en->status != ARCHIVE_DONE)
			snprintf(out, NUM_SIZE, "  %s", archive_status_words[en->status]);
		else if (strcmp(en->kind, "run") != 0)
			snprintf(out, NUM_SIZE, "  %s", en->kind);
		break;
	case COL_NR:
		break;
	}
}

/* What tells a run of no real device stands before the tag, and is never cut. */
static void draw_tag(struct canvas *c, int x, int y, int w, const struct archive_entry *en,
		     enum role role)
{
	if (en && en->simulated && w >= 3) {
		x = canvas_text(c, x, y, ROLE_BADGE, 0, "SIM") + 1;
		w -= 4;
	}
	if (w > 0)
		canvas_label(c, x, y, w, role, 0, en ? en->tag : "tag");
}

static void draw_cells(struct canvas *c, struct rect row, const struct ui_state *st,
		       const struct archive_entry *en, enum role role)
{
	int x = row.x + 1;
	char text[NUM_SIZE];

	for (int col = 0; col < COL_NR; col++) {
		if (row.w < columns[col].need)
			continue;
		if (en)
			cell(c, &st->history, en, (enum column)col, text);
		else
			snprintf(text, sizeof(text), "%s", columns[col].name);
		if (columns[col].is_text)
			canvas_label(c, x, row.y, columns[col].w - 1, role, 0, text);
		else
			canvas_value(c, x, row.y, columns[col].w, role, 0, text);
		x += columns[col].w;
	}
	draw_tag(c, x + 1, row.y, row.x + row.w - x - 2, en, role);
}

static void draw_row(struct canvas *c, struct rect row, const struct ui_state *st,
		     const struct archive_entry *en, bool here)
{
	char text[300];

	if (here)
		canvas_put(c, row.x, row.y, c->g->ascii ? '>' : 0x25b8, ROLE_KEY, 0);
	if (!en->damaged) {
		draw_cells(c, row, st, en, here ? ROLE_TITLE : ROLE_TEXT);
		return;
	}
	snprintf(text, sizeof(text), "! %s  damaged: %s", en->id, en->why);
	canvas_label(c, row.x + 1, row.y, row.w - 1, ROLE_WARN, 0, text);
}

static void draw_list(struct canvas *c, const struct ui_state *st, struct rect r)
{
	const struct history_state *h = &st->history;
	struct list_pos pos = {.at = h->at};
	int rows = r.h - 1;

	if (r.h < 1)
		return;
	draw_cells(c, (struct rect){r.x, r.y, r.w, 1}, st, NULL, ROLE_TITLE);
	/* Where the cursor is near the middle, so that what is around it is seen. */
	pos.top = h->at - rows / 2;
	list_clamp(&pos, h->n_shown, rows);
	for (int i = 0; i < rows && pos.top + i < h->n_shown; i++)
		draw_row(c, (struct rect){r.x, r.y + 1 + i, r.w, 1}, st,
			 &h->list.v[h->shown[pos.top + i]], pos.top + i == h->at);
	if (!h->n_shown && rows > 1)
		canvas_label(c, r.x + 4, r.y + 2, r.w - 5, ROLE_TEXT, 0,
			     h->why[0]       ? h->why
			     : !h->available ? "this console keeps no runs"
			     : h->filter[0]  ? "no run has that text; Esc shows all"
					     : "nothing yet: a run that ends is kept here");
}

static void detail(struct canvas *c, struct rect r, int *y, const char *name, const char *value)
{
	if (!*value || *y >= r.y + r.h)
		return;
	canvas_label(c, r.x + 2, *y, 10, ROLE_TITLE, 0, name);
	canvas_label(c, r.x + 12, *y, r.w - 13, ROLE_TEXT, 0, value);
	(*y)++;
}

static void draw_numbers(struct canvas *c, struct rect r, int *y, const struct archive_entry *en,
			 bool si)
{
	struct items it = {0};
	char text[NUM_SIZE];

	if (*y >= r.y + r.h)
		return;
	canvas_label(c, r.x + 2, *y, 10, ROLE_TITLE, 0, "numbers");
	items_add(&it, ROLE_TEXT, 0, "%s IOPS", show_count(c, text, en->iops));
	items_add(&it, ROLE_TEXT, 0, "%s", show_bps(c, text, en->bps, si));
	if (en->n) {
		items_add(&it, ROLE_TEXT, 0, "p50 %s", show_ns(c, text, (double)en->p50_ns));
		items_add(&it, ROLE_TEXT, 0, "p99 %s", show_ns(c, text, (double)en->p99_ns));
		items_add(&it, ROLE_TEXT, 0, "p99.9 %s", show_ns(c, text, (double)en->p999_ns));
		items_add(&it, ROLE_TEXT, 0, "max %s", show_ns(c, text, (double)en->max_ns));
	}
	w_items(c, r.x + 12, *y, r.w - 13, &it);
	(*y)++;
}

static void draw_details(struct canvas *c, const struct ui_state *st, struct rect r)
{
	const struct archive_entry *en = history_selected(&st->history);
	struct items it = {0};
	char load[160], size[NUM_SIZE], len[NUM_SIZE];
	int y = r.y + 1;

	items_add(&it, ROLE_TITLE, 0, "%s", en ? en->id : "no run");
	if (en && en->simulated)
		items_add(&it, ROLE_BADGE, 0, " SIMULATED ");
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	if (!en)
		return;
	if (en->damaged) {
		detail(c, r, &y, "damaged", en->why);
		detail(c, r, &y, "files", "are left as they are; D deletes them");
		return;
	}
	units_fmt_bytes(size, sizeof(size), (double)en->bs_bytes, false);
	units_fmt_clock(len, sizeof(len), en->elapsed_ms * 1000000);
	if (!en->qd) {
		snprintf(load, sizeof(load), "%s of %s for %s  %s; x exports its cells", en->kind,
			 en->rw, len, archive_ended_text(en));
		detail(c, r, &y, "target", en->device[0] ? en->device : en->target);
		detail(c, r, &y, "load", load);
		detail(c, r, &y, "error", en->why);
		detail(c, r, &y, "tag", en->tag);
		return;
	}
	snprintf(load, sizeof(load), "%s  %s  qd %u x %u jobs  %s  for %s  %s", en->rw, size,
		 en->qd, en->jobs, en->engine, len, archive_ended_text(en));
	detail(c, r, &y, "target", en->device[0] ? en->device : en->target);
	detail(c, r, &y, "load", load);
	draw_numbers(c, r, &y, en, st->si);
	detail(c, r, &y, "error", en->why);
	detail(c, r, &y, "tag", en->tag);
}

static void draw_top(struct canvas *c, const struct ui_state *st, const struct model *m)
{
	const struct history_state *h = &st->history;
	bool runs = m->snap->state != RUN_IDLE && m->snap->state != RUN_DONE &&
		    m->snap->state != RUN_FAILED;
	struct items it = {0};
	int w;

	if (runs)
		items_add(&it, ROLE_OK, ATTR_REVERSE, " %s ", run_state_word(m->snap->state));
	if (h->filter[0])
		items_add(&it, ROLE_WARN, 0, "/%s  %d of %zu", h->filter, h->n_shown, h->list.n);
	else
		items_add(&it, ROLE_TITLE, 0, h->list.n == 1 ? "%zu run" : "%zu runs", h->list.n);
	w = items_width(&it);
	canvas_text(c, 1, 0, ROLE_TITLE, 0, "iodeck");
	if (c->w >= 60)
		view_tabs(c, 10, 0, c->w - 2 - w, &view_history);
	if (w <= c->w - 9)
		w_items(c, c->w - 1 - w, 0, w, &it);
}

static void draw(const struct ui_state *st, const struct model *m, struct canvas *c)
{
	struct layout lay = layout_make(c->w, c->h);
	int foot = lay.area[AREA_FOOTER].h, top = 1, end = c->h - foot - 1, lower = 0;

	draw_top(c, st, m);
	if (lay.cls == LAYOUT_LINE)
		return;
	if (lay.cls >= LAYOUT_S)
		lower = st->history.overlay ? (end - top) * 3 / 5 : 6;
	draw_list(c, st, (struct rect){0, top, c->w, end - top - lower});
	if (lower && st->history.overlay)
		history_overlay(c, st, (struct rect){0, end - lower, c->w, lower});
	else if (lower)
		draw_details(c, st, (struct rect){0, end - lower, c->w, lower});
	canvas_label(c, 1, end, c->w - 2, st->message_role, 0, st->message);
	keys_footer(KEYS_HISTORY, c, lay.area[AREA_FOOTER]);
}

const struct view_ops view_history = {
	.name = "history",
	.title = "History",
	.keys = KEYS_HISTORY,
	.help = "Every run that has measured something is kept when it ends, as a folder of plain "
		"files: run.json, series.csv, screen.svg. Space picks up to six runs, o draws them "
		"over each other. What cannot be read is listed as damaged and left as it is.",
	.draw = draw,
};
