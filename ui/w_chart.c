#include "ui/w_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "ui/w_items.h"

#define PEAK_FACTOR 1.15 /* a peak is worth a dot from here on */
#define TEXTS_MAX   32

static const enum role op_roles[IO_OP_NR] = {ROLE_READ, ROLE_WRITE, ROLE_TRIM};

int w_chart_cols(struct rect r, int gutter)
{
	return r.w > gutter ? r.w - gutter : 0;
}

int w_chart_rows(struct rect r, int gutter, bool texts)
{
	int rows = r.h - (gutter ? 1 : 0) - (texts ? 1 : 0);

	return rows > 0 ? rows : 0;
}

/* Heights in eighths of a row above the axis row's upper edge, cumulative over the ops. */
struct bar {
	int top[IO_OP_NR];
};

/*
 * The axis line and the ticks are drawn through the middle of their rows, so heights are measured from
 * there: a bar of exactly 400k ends level with the tick at 400k, which fills half of that row.
 */
static int eighths(const struct chart *ch, double v)
{
	double pos = axis_pos(&ch->axis, v) * ch->axis.rows * 8 - (ch->gutter ? 4 : 0);

	if (!(v > 0))
		return 0;
	/* Something is never drawn as nothing. */
	return pos < 1 ? 1 : (int)lround(fmin(pos, ch->axis.rows * 8));
}

static int bar_total(const struct bar *b)
{
	return b->top[IO_OP_NR - 1];
}

/*
 * A cell has one colour, so a series that ends within a cell is drawn to the nearest edge. Where there
 * are two rows or more, reads keep at least the lowest and what is on them at least the highest.
 */
static void bar_keep_both(struct bar *b, const double *v)
{
	int total = bar_total(b), last = (total - 1) / 8 * 8;
	int read_max = last + (total - last - 1) / 2;

	if (total <= 8 || !(v[IO_READ] > 0) || !(v[IO_WRITE] + v[IO_TRIM] > 0))
		return;
	if (b->top[IO_READ] < 5)
		b->top[IO_READ] = 5;
	if (b->top[IO_READ] > read_max)
		b->top[IO_READ] = read_max;
}

static struct bar bar_make(const struct chart *ch, const double *v)
{
	struct bar b;
	double sum = 0;

	for (int op = 0; op < IO_OP_NR; op++) {
		sum += v[op];
		b.top[op] = eighths(ch, sum);
	}
	bar_keep_both(&b, v);
	return b;
}

/* The op with the largest part of the cell whose lower edge is at `base`. */
static enum io_op bar_owner(const struct bar *b, int base)
{
	enum io_op owner = IO_READ;
	int best = 0, below = base;

	for (int op = 0; op < IO_OP_NR; op++) {
		int to = b->top[op] < base + 8 ? b->top[op] : base + 8;

		if (to > below && to - below >= best) {
			best = to - below;
			owner = (enum io_op)op;
		}
		if (to > below)
			below = to;
	}
	return owner;
}

static uint32_t block_glyph(const struct glyphs *g, enum io_op op, int fill)
{
	if (op == IO_READ)
		return g->block[fill];
	if (fill == 8 || (g->ascii && fill >= 3))
		return g->block_write;
	return g->block[fill];
}

static void values(enum chart_what what, const struct point *p, double v[IO_OP_NR])
{
	for (int op = 0; op < IO_OP_NR; op++)
		v[op] = what == CHART_IOPS ? p->iops[op] : what == CHART_BPS ? p->bps[op] : 0;
	if (what == CHART_QUEUE)
		v[IO_READ] = p->inflight;
}

double w_chart_value(enum chart_what what, const struct point *p)
{
	double v[IO_OP_NR];

	values(what, p, v);
	return v[IO_READ] + v[IO_WRITE] + v[IO_TRIM];
}

/* A sign at a value's height: above the area, or over it where it would hide in it. */
static void draw_dot(struct canvas *c, int x, int floor_y, const struct chart *ch, double v,
		     int above_row)
{
	int row = (eighths(ch, v) - 1) / 8;

	if (row >= above_row && v > 0)
		canvas_put(c, x, floor_y - 1 - row, c->g->ascii ? '\'' : 0x00b7, ROLE_TEXT, 0);
}

/* The row of line k in column x of the plot, -1: none. */
static int line_row_at(const struct chart *ch, size_t k, int col)
{
	double v = ch->lines[k].v[col];

	return v > 0 ? (eighths(ch, fmin(v, ch->axis.hi)) - 1) / 8 : -1;
}

static bool has_line(const struct chart *ch, size_t n, int col, int row)
{
	for (size_t k = 0; k < n; k++)
		if (line_row_at(ch, k, col) == row)
			return true;
	return false;
}

static void draw_lines(struct canvas *c, int x, int floor_y, const struct chart *ch, int col)
{
	for (size_t k = 0; k < ch->n_lines; k++) {
		int row = line_row_at(ch, k, col);

		if (row >= 0 && !has_line(ch, k, col, row))
			canvas_put(c, x, floor_y - 1 - row, ch->lines[k].glyph, ch->lines[k].role,
				   ATTR_BOLD);
	}
}

/* One column, bottom up; `floor_y` is the row of the axis line. */
static void draw_column(struct canvas *c, int x, int floor_y, const struct chart *ch,
			const struct point *p, unsigned attr)
{
	double v[IO_OP_NR], mean = w_chart_value(ch->what, p);
	struct bar b;
	int total, row = 0, line_row = -1, col = (int)(p - ch->cols);
	bool over = mean > ch->axis.hi * (1 + 1e-9);

	values(ch->what, p, v);
	b = bar_make(ch, v);
	total = bar_total(&b);
	if (ch->what == CHART_QUEUE && p->aqu_sz > 0)
		line_row = (eighths(ch, p->aqu_sz) - 1) / 8;

	for (; row * 8 < total; row++) {
		int fill = total - row * 8 < 8 ? total - row * 8 : 8;
		enum io_op op = bar_owner(&b, row * 8);
		uint32_t glyph = block_glyph(c->g, op, fill);

		if ((row == line_row || has_line(ch, ch->n_lines, col, row)) && !attr)
			continue;
		if (p->ramp && fill >= 4)
			glyph = c->g->hatch;
		if (row == ch->axis.rows - 1 && over)
			glyph = c->g->over;
		canvas_put(c, x, floor_y - 1 - row, glyph, op_roles[op], attr);
	}
	for (int r = row; attr && r < ch->axis.rows; r++)
		canvas_put(c, x, floor_y - 1 - r, ' ', ROLE_TEXT, attr);
	if (attr)
		return;
	draw_lines(c, x, floor_y, ch, col);
	if (line_row >= 0)
		canvas_put(c, x, floor_y - 1 - line_row, c->g->bullet, ROLE_WRITE, 0);
	else if (ch->what == CHART_IOPS && p->iops_max > PEAK_FACTOR * mean)
		draw_dot(c, x, floor_y, ch, p->iops_max, row);
}

static void label_text(const struct chart *ch, double v, char *out)
{
	if (v == 0)
		snprintf(out, NUM_SIZE, "0");
	else if (ch->what == CHART_BPS)
		units_fmt_bytes(out, NUM_SIZE, v, ch->si);
	else
		units_fmt_count(out, NUM_SIZE, v);
}

static void draw_y_axis(struct canvas *c, struct rect r, int floor_y, const struct chart *ch)
{
	int x = r.x + ch->gutter - 1, next = 1;
	char text[NUM_SIZE];

	for (int row = 1; row <= floor_y - r.y; row++) {
		bool tick = next <= ch->axis.intervals && axis_label_row(&ch->axis, next) == row;

		if (tick) {
			label_text(ch, axis_label(&ch->axis, next++), text);
			canvas_value(c, r.x, floor_y - row, ch->gutter - 2, ROLE_TEXT, 0, text);
		}
		canvas_put(c, x, floor_y - row, tick ? c->g->axis_tick : c->g->vline, ROLE_BORDER,
			   0);
	}
	label_text(ch, axis_label(&ch->axis, 0), text);
	canvas_value(c, r.x, floor_y, ch->gutter - 2, ROLE_TEXT, 0, text);
	canvas_put(c, x, floor_y, c->g->corner_bl, ROLE_BORDER, 0);
}

/* The newest mark of a column wins; time that nobody measured is dotted. */
static void draw_floor(struct canvas *c, int x0, int y, int cols, const struct chart *ch)
{
	for (int i = 0; i < cols; i++) {
		const struct chart_mark *m = NULL;

		for (size_t k = 0; k < ch->n_marks; k++)
			if (ch->marks[k].col == i)
				m = &ch->marks[k];
		if (m)
			canvas_put(c, x0 + i, y, m->glyph, m->role, 0);
		else
			canvas_put(c, x0 + i, y,
				   isnan(ch->cols[i].iops[IO_READ]) ? 0x00b7 : c->g->hline,
				   ROLE_BORDER, 0);
	}
}

struct span {
	int from, to;
};

static bool span_free(const struct span *s, int n, int from, int to)
{
	for (int i = 0; i < n; i++)
		if (from < s[i].to + 2 && to + 2 > s[i].from)
			return false;
	return true;
}

/* Times at the ends first, then the texts of the marks, newest first, where there is room. */
static void draw_texts(struct canvas *c, int x0, int y, int cols, const struct chart *ch)
{
	struct span taken[TEXTS_MAX];
	int n = 0, right_w = canvas_width(ch->right), left_w = canvas_width(ch->left);

	if (right_w + left_w + 2 > cols)
		return;
	taken[n++] = (struct span){0, left_w};
	taken[n++] = (struct span){cols - right_w, cols};
	canvas_text(c, x0, y, ROLE_TEXT, 0, ch->left);
	canvas_text(c, x0 + cols - right_w, y, ROLE_TEXT, 0, ch->right);
	for (size_t k = ch->n_marks; k-- > 0 && n < TEXTS_MAX;) {
		const struct chart_mark *m = &ch->marks[k];
		int w = canvas_width(m->text), from = m->col - (w - 1) / 2;

		if (from + w > cols - right_w - 2)
			from = cols - right_w - 2 - w;
		if (from < left_w + 2)
			from = left_w + 2;
		/* A text that does not stand below its mark would explain another one. */
		if (w == 0 || m->col < from || m->col >= from + w ||
		    !span_free(taken, n, from, from + w))
			continue;
		taken[n++] = (struct span){from, from + w};
		canvas_text(c, x0 + from, y, m->role, 0, m->text);
	}
}

void w_chart(struct canvas *c, struct rect r, const struct chart *ch)
{
	int cols = w_chart_cols(r, ch->gutter);
	int floor_y = r.y + w_chart_rows(r, ch->gutter, ch->left != NULL);
	struct rect old = canvas_clip(c, r);

	for (int i = 0; i < cols; i++)
		if (!isnan(ch->cols[i].iops[IO_READ]))
			draw_column(c, r.x + ch->gutter + i, floor_y, ch, &ch->cols[i],
				    i + 1 == ch->cursor ? ATTR_REVERSE : 0);
	if (ch->gutter) {
		draw_y_axis(c, r, floor_y, ch);
		draw_floor(c, r.x + ch->gutter, floor_y, cols, ch);
	}
	if (ch->left)
		draw_texts(c, r.x + ch->gutter, floor_y + (ch->gutter ? 1 : 0), cols, ch);
	canvas_unclip(c, old);
}
