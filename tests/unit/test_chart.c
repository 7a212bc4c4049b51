/* w_chart: heights against the ticks, stacking, unknown columns, marks. Read off the canvas. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/w_chart.h"

#define COLS   30
#define GUTTER 8
#define ROWS   8

static struct canvas c;
static struct point cols[COLS];
static struct chart ch;

/* Eight rows from 0 to 400: labels two rows apart. */
static void setup(void)
{
	canvas_init(&c, GUTTER + COLS, ROWS + 2, &glyphs_utf8);
	c.owned = true;
	for (int i = 0; i < COLS; i++)
		for (int op = 0; op < IO_OP_NR; op++)
			cols[i].iops[op] = cols[i].bps[op] = cols[i].iops_max = NAN;
	ch = (struct chart){.cols = cols,
			    .axis = axis_zero(380, 1, ROWS),
			    .gutter = GUTTER,
			    .left = "",
			    .right = ""};
}

static void teardown(void)
{
	canvas_fini(&c);
}

TestSuite(chart, .init = setup, .fini = teardown);

static void set(int i, double r, double w)
{
	cols[i] = (struct point){.iops = {r, w, 0}, .iops_max = r + w};
}

static void draw(void)
{
	w_chart(&c, (struct rect){0, 0, c.w, c.h}, &ch);
}

static struct cell cell(int col, int y)
{
	return c.cells[y * c.w + GUTTER + col];
}

/* The height of a column in eighths above the axis row's upper edge. */
static int height(int col)
{
	int n = 0;

	for (int y = 0; y < ROWS; y++)
		for (int e = 1; e <= 8; e++)
			if (cell(col, y).ch == c.g->block[e])
				n += e;
	return n;
}

static int tick_row(const char *label)
{
	for (int y = 0; y < c.h; y++) {
		char text[GUTTER];

		for (int x = 0; x < GUTTER - 2; x++)
			text[x] = (char)(c.cells[y * c.w + x].ch ? c.cells[y * c.w + x].ch : ' ');
		text[GUTTER - 2] = '\0';
		if (strcmp(text + strspn(text, " "), label) == 0)
			return y;
	}
	return -1;
}

Test(chart, a_value_ends_level_with_its_tick)
{
	static const struct {
		double v;
		const char *label;
	} values[] = {{100, "100"}, {200, "200"}, {300, "300"}, {400, "400"}};

	for (int i = 0; i < 4; i++)
		set(i, values[i].v, 0);
	draw();
	for (int i = 0; i < 4; i++) {
		int y = tick_row(values[i].label);

		cr_assert_geq(y, 0, "no label %s", values[i].label);
		cr_expect_eq(cell(i, y).ch, c.g->block[4], "%s: the middle of the tick's row",
			     values[i].label);
		cr_expect_eq(height(i), (ROWS - 1 - y) * 8 + 4);
	}
}

Test(chart, height_never_falls_as_the_value_grows)
{
	int before = 0;

	for (double v = 0.001; v <= 400; v *= 1.05) {
		canvas_clear(&c);
		set(0, v, 0);
		draw();
		cr_assert_geq(height(0), before, "%g", v);
		cr_assert_gt(height(0), 0, "%g: something is never drawn as nothing", v);
		before = height(0);
	}
	for (double v = 401; v < 1e9; v *= 10) {
		canvas_clear(&c);
		set(0, v, 0);
		draw();
		cr_expect_eq(cell(0, 0).ch, c.g->over, "%g: beyond the axis an arrow says so", v);
		cr_expect_eq(cell(0, 1).ch, c.g->block[8]);
	}
}

Test(chart, case_106_zero_is_a_line_and_unknown_is_dots)
{
	set(0, 0, 0);
	draw();
	cr_expect_eq(height(0), 0);
	cr_expect_eq(height(1), 0);
	cr_expect_eq(cell(0, ROWS).ch, c.g->hline);
	cr_expect_eq(cell(1, ROWS).ch, 0x00b7);
}

Test(chart, writes_stand_on_reads_in_their_own_role)
{
	set(0, 200, 150);
	draw();
	cr_expect_eq(cell(0, ROWS - 1).role, ROLE_READ);
	cr_expect_eq(cell(0, ROWS - 1).ch, c.g->block[8]);
	cr_expect_eq(cell(0, 2).role, ROLE_WRITE);
	cr_expect_eq(cell(0, 2).ch, c.g->block_write);
}

/* However small its share, neither side disappears while there are two rows to draw in. */
Test(chart, both_sides_of_a_mix_can_be_seen)
{
	for (double share = 0.001; share < 1; share += 0.009) {
		bool seen[ROLE_NR] = {false};

		canvas_clear(&c);
		set(0, 380 * share, 380 * (1 - share));
		draw();
		for (int y = 0; y < ROWS; y++)
			if (cell(0, y).ch)
				seen[cell(0, y).role] = true;
		cr_expect(seen[ROLE_READ] && seen[ROLE_WRITE], "%g reads", share);
	}
}

Test(chart, a_peak_well_above_the_mean_is_a_dot)
{
	set(0, 100, 0);
	cols[0].iops_max = 390;
	set(1, 100, 0);
	cols[1].iops_max = 110;
	draw();
	cr_expect_eq(cell(0, 0).ch, 0x00b7);
	for (int y = 0; y < ROWS - 2; y++)
		cr_expect_eq(cell(1, y).ch, 0);
}

Test(chart, marks_stand_on_the_axis_and_texts_below_without_touching)
{
	static const struct chart_mark marks[] = {
		{8, 0x25b2, ROLE_MARK, "first"},
		{11, '!', ROLE_STALL, "second"},
		{20, 0x25b2, ROLE_MARK, "third"},
	};
	struct strbuf sb = {0};

	ch.marks = marks;
	ch.n_marks = 3;
	ch.left = "-30s";
	ch.right = "now";
	draw();
	canvas_dump_text(&c, &sb);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(cell(marks[i].col, ROWS).ch, marks[i].glyph);
	cr_expect(strstr(strbuf_str(&sb), "-30s"));
	cr_expect(strstr(strbuf_str(&sb), "second"), "the newer one of two that collide");
	cr_expect(strstr(strbuf_str(&sb), "third"));
	cr_expect_null(strstr(strbuf_str(&sb), "first"), "no room beside the newer one");
	strbuf_fini(&sb);
}
