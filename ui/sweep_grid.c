/* The grid of a sweep: a value, a shade and marks in each cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/stat/sweep_text.h"
#include "ui/sweep_panes.h"

#define SHADES 5

static uint32_t shade_glyph(const struct canvas *c, int level)
{
	static const uint32_t utf8[SHADES] = {0xb7, 0x2591, 0x2592, 0x2593, 0x2588};
	static const uint32_t ascii[SHADES] = {'.', ':', '+', '#', '@'};

	return c->g->ascii ? ascii[level] : utf8[level];
}

static bool has_numbers(const struct sweep_cell *cell)
{
	return cell->state == CELL_DONE || cell->state == CELL_NO_IO || cell->state == CELL_RUNNING;
}

static double column_top(const struct sweep_screen *s, unsigned col)
{
	double top = 0;

	for (unsigned row = 0; row < s->v->r.rows; row++) {
		const struct sweep_cell *cell = sweep_cell_get(&s->v->r, row, col);

		if (has_numbers(cell))
			top = fmax(top, sweep_metric_value(cell, s->st->sweep.metric));
	}
	return top;
}

/* "~12.6k", "84.1µs": no blank, because columns are narrow. */
static void value_text(const struct canvas *c, const struct sweep_cell *cell, enum sweep_metric m,
		       char *out, size_t size)
{
	double v = sweep_metric_value(cell, m);
	char num[NUM_SIZE], *blank;
	bool weak = m == SWEEP_M_IOPS || m == SWEEP_M_BW
			    ? cell->flags & CELL_WIDE
			    : m >= SWEEP_M_P50 && m <= SWEEP_M_P999 && cell->n &&
				      sweep_cell_pct_weak(cell, (unsigned)(m - SWEEP_M_P50));

	if (sweep_metric_is_time(m))
		show_ns(c, num, v);
	else
		show_count(c, num, v);
	blank = strchr(num, ' ');
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
	snprintf(out, size, "%s%s", weak ? "~" : "", num);
}

static void draw_value(struct canvas *c, const struct sweep_screen *s, int x, int y,
		       const struct sweep_cell *cell, unsigned attr)
{
	char text[NUM_SIZE + 2];

	value_text(c, cell, s->st->sweep.metric, text, sizeof(text));
	canvas_value(c, x + 3, y, 7, ROLE_TEXT, attr, text);
}

static void draw_shade(struct canvas *c, const struct sweep_screen *s, int x, int y,
		       const struct sweep_cell *cell, double top)
{
	double v = sweep_metric_value(cell, s->st->sweep.metric);
	int level;

	if (!(top > 0) || isnan(v))
		return;
	level = (int)(v / top * SHADES);
	level = level < 0 ? 0 : level >= SHADES ? SHADES - 1 : level;
	for (int i = 0; i < 2; i++)
		canvas_put(c, x + i, y, shade_glyph(c, level),
			   (enum role)(ROLE_HEAT0 + level * 6 / (SHADES - 1)), 0);
}

static void draw_mark(struct canvas *c, const struct sweep_screen *s, int x, int y, unsigned row,
		      unsigned col, unsigned attr)
{
	const struct sweep_findings *f = &s->v->r.find[col];
	const struct sweep_cell *cell = sweep_cell_get(&s->v->r, row, col);

	if (cell->state == CELL_RUNNING)
		canvas_put(c, x + 10, y, c->g->ellipsis, ROLE_WARN, attr);
	else if (f->knee[s->st->sweep.rule] == (int)row)
		canvas_put(c, x + 10, y, c->g->ascii ? '*' : 0x25c6, ROLE_MARK, attr);
	else if (cell->flags & (CELL_STALL | CELL_DRIFT))
		canvas_put(c, x + 10, y, '!', ROLE_WARN, attr);
}

static const char *state_text(const struct canvas *c, const struct sweep_cell *cell)
{
	if (cell->state == CELL_SKIPPED)
		return "skip";
	if (cell->state == CELL_FAILED)
		return "failed";
	return c->g->ascii ? "." : "·";
}

static void draw_cell(struct canvas *c, const struct sweep_screen *s, int x, int y, unsigned row,
		      unsigned col, double top)
{
	const struct sweep_cell *cell = sweep_cell_get(&s->v->r, row, col);
	unsigned attr = row == s->row && col == s->col ? ATTR_REVERSE : 0;

	if (cell->state == CELL_RUNNING)
		canvas_put(c, x, y, c->g->arrow, ROLE_OK, ATTR_BOLD);
	else if (has_numbers(cell))
		draw_shade(c, s, x, y, cell, top);
	if (has_numbers(cell))
		draw_value(c, s, x, y, cell, attr);
	else
		canvas_value(c, x + 3, y, 7, cell->state == CELL_FAILED ? ROLE_ERROR : ROLE_TEXT,
			     attr, state_text(c, cell));
	draw_mark(c, s, x, y, row, col, attr);
}

int sweep_grid_width(const struct sweep_result *r)
{
	return SWEEP_LABEL_W + (int)r->cols * SWEEP_CELL_W;
}

/* The first of n that is shown when `room` fit and `at` must be seen. */
static unsigned first_shown(unsigned n, unsigned room, unsigned at)
{
	if (n <= room || at < room / 2)
		return 0;
	return at - room / 2 > n - room ? n - room : at - room / 2;
}

static void draw_label(struct canvas *c, struct rect r, int y, const char *text, bool here)
{
	canvas_value(c, r.x, y, SWEEP_LABEL_W - 2, here ? ROLE_TITLE : ROLE_TEXT, 0, text);
	canvas_put(c, r.x + SWEEP_LABEL_W - 1, y, c->g->vline, ROLE_BORDER, 0);
}

void sweep_grid(struct canvas *c, const struct sweep_screen *s)
{
	const struct sweep_result *r = &s->v->r;
	unsigned room_c = s->grid.w > SWEEP_LABEL_W
				  ? (unsigned)(s->grid.w - SWEEP_LABEL_W) / SWEEP_CELL_W
				  : 0;
	unsigned room_r = s->grid.h > 1 ? (unsigned)s->grid.h - 1 : 0;
	unsigned col0 = first_shown(r->cols, room_c, s->col),
		 row0 = first_shown(r->rows, room_r, s->row);
	char text[32];

	if (s->grid.h < 1)
		return;
	draw_label(c, s->grid, s->grid.y, sweep_kind_word(r->spec.row), false);
	for (unsigned row = row0; row < r->rows && row - row0 < room_r; row++) {
		sweep_axis_label(&r->spec, r->spec.row, row, text, sizeof(text));
		draw_label(c, s->grid, s->grid.y + 1 + (int)(row - row0), text, row == s->row);
	}
	for (unsigned col = col0; col < r->cols && col - col0 < room_c; col++) {
		int x = s->grid.x + SWEEP_LABEL_W + (int)(col - col0) * SWEEP_CELL_W;
		double top = column_top(s, col);

		sweep_axis_label(&r->spec, r->spec.col, col, text, sizeof(text));
		canvas_value(c, x, s->grid.y, 10, col == s->col ? ROLE_TITLE : ROLE_TEXT, 0, text);
		for (unsigned row = row0; row < r->rows && row - row0 < room_r; row++)
			draw_cell(c, s, x, s->grid.y + 1 + (int)(row - row0), row, col, top);
	}
}
