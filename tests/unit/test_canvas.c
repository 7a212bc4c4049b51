/* The cell grid: clipping, UTF-8, values and labels, the owner rule, text and ANSI dumps. */
#include <criterion/criterion.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "ui/canvas.h"
#include "ui/utf8.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

static void expect_text(const struct canvas *c, const char *want, const char *what)
{
	struct strbuf sb = {0};

	canvas_dump_text(c, &sb);
	cr_expect_str_eq(strbuf_str(&sb), want, "%s\ngot:\n%swant:\n%s", what, strbuf_str(&sb),
			 want);
	strbuf_fini(&sb);
}

static bool in_rect(struct rect r, int x, int y)
{
	return x >= r.x && (int64_t)x < (int64_t)r.x + r.w && y >= r.y &&
	       (int64_t)y < (int64_t)r.y + r.h;
}

static int random_coord(struct rng *rng, int around)
{
	static const int far[] = {INT_MIN, INT_MIN + 1, INT_MAX - 1, INT_MAX};

	if (rng_below(rng, 8) == 0)
		return far[rng_below(rng, ROWS(far))];
	return (int)rng_below(rng, (uint64_t)(3 * around)) - around;
}

static struct rect random_rect(struct rng *rng)
{
	return (struct rect){random_coord(rng, 20), random_coord(rng, 12), random_coord(rng, 20),
			     random_coord(rng, 12)};
}

Test(canvas, fill_changes_exactly_the_cells_in_canvas_clip_and_rect)
{
	struct rng rng;
	struct canvas c;

	rng_seed(&rng, 7);
	canvas_init(&c, 20, 12, &glyphs_utf8);
	for (int turn = 0; turn < 3000; turn++) {
		struct rect clip = random_rect(&rng), r = random_rect(&rng), old;

		canvas_clear(&c);
		old = canvas_clip(&c, clip);
		canvas_fill(&c, r, '#', ROLE_TEXT, 0);
		for (int i = 0; i < c.w * c.h; i++) {
			int x = i % c.w, y = i / c.w;
			bool want = in_rect(clip, x, y) && in_rect(r, x, y);

			cr_assert_eq(c.cells[i].ch == '#', want, "turn %d cell %d,%d", turn, x, y);
		}
		canvas_unclip(&c, old);
		cr_assert_eq(c.clip.w, 20);
	}
	canvas_fini(&c);
}

/* Guard cells around a clip stay untouched whatever is drawn; ASan watches the grid's own edges. */
Test(canvas, nothing_is_drawn_outside_the_clip_by_any_call)
{
	static const char *const texts[] = {"", "x", "hello", "\u00b5\u2014\u00d7",
					    "12345678901234567890"};
	struct rng rng;
	struct canvas c;

	rng_seed(&rng, 8);
	canvas_init(&c, 20, 12, &glyphs_utf8);
	for (int turn = 0; turn < 5000; turn++) {
		struct rect clip = random_rect(&rng), r = random_rect(&rng);
		const char *t = texts[rng_below(&rng, ROWS(texts))];

		canvas_clear(&c);
		canvas_clip(&c, clip);
		canvas_put(&c, r.x, r.y, 'p', ROLE_TEXT, 0);
		canvas_text(&c, r.x, r.y, ROLE_TEXT, 0, t);
		canvas_value(&c, r.x, r.y, r.w, ROLE_TEXT, 0, t);
		canvas_label(&c, r.x, r.y, r.w, ROLE_TEXT, 0, t);
		canvas_box(&c, r, ROLE_BORDER, t);
		for (int i = 0; i < c.w * c.h; i++)
			cr_assert(c.cells[i].layer == 0 || in_rect(clip, i % c.w, i / c.w),
				  "turn %d: cell %d,%d", turn, i % c.w, i / c.w);
	}
	canvas_fini(&c);
}

Test(canvas, a_canvas_without_cells_takes_every_call)
{
	static const int sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {-3, 4}, {1, 1}};

	for (size_t i = 0; i < ROWS(sizes); i++) {
		struct canvas c;
		struct strbuf sb = {0};

		canvas_init(&c, sizes[i][0], sizes[i][1], &glyphs_ascii);
		canvas_box(&c, (struct rect){0, 0, 80, 24}, ROLE_BORDER, "title");
		canvas_text(&c, 0, 0, ROLE_TEXT, 0, "text");
		canvas_dump_text(&c, &sb);
		canvas_dump_ansi(&c, THEME_256, &sb);
		canvas_dump_svg(&c, THEME_256, &sb);
		strbuf_fini(&sb);
		canvas_fini(&c);
	}
}

Test(canvas, width_counts_columns)
{
	static const struct {
		const char *text;
		int width;
	} cases[] = {
		{"", 0},
		{"abc", 3},
		{"84.1 \u00b5s", 7},
		{"\u2014", 1},
		{"\u250c\u2500\u2510", 3},
		{"\xc3", 1},             /* a lead byte alone */
		{"a\xe2\x96", 2},        /* cut inside a sequence */
		{"\xe2\x96z", 2},        /* ... and going on */
		{"\x80\x80", 2},         /* no lead byte */
		{"\xc0\xaf", 2},         /* overlong */
		{"\xed\xa0\x80", 3},     /* a surrogate */
		{"\xf5\x80\x80\x80", 4}, /* beyond U+10FFFF */
		{"\xff", 1},
	};

	for (size_t i = 0; i < ROWS(cases); i++)
		cr_expect_eq(canvas_width(cases[i].text), cases[i].width, "row %zu", i);
}

Test(canvas, what_is_not_a_sign_one_column_wide_shows_as_a_question_mark)
{
	static const char *const odd[] = {
		"\x1b",   "\x07",   "\x7f",   "\xc2\x9b",   "\u0301",     "\u200b", "\u202e",
		"\u4e2d", "\uff21", "\ufeff", "\U0001f600", "\U000e0041", "\xff",
	};

	for (size_t i = 0; i < ROWS(odd); i++) {
		struct canvas c;

		canvas_init(&c, 4, 1, &glyphs_utf8);
		cr_expect_eq(canvas_text(&c, 0, 0, ROLE_TEXT, 0, odd[i]), 1, "row %zu", i);
		cr_expect_eq(c.cells[0].ch, '?', "row %zu", i);
		canvas_fini(&c);
	}
}

Test(canvas, an_ascii_canvas_holds_ascii_only)
{
	struct canvas c;

	canvas_init(&c, 12, 1, &glyphs_ascii);
	canvas_text(&c, 0, 0, ROLE_TEXT, 0, "8 \u00b5s\u2192\u2014\u00d7\u2026\u2588\u00e9");
	expect_text(&c, "8 us>-x~#?\n", "folded");
	canvas_fini(&c);
}

Test(canvas, utf8_round_trip_of_every_code_point)
{
	char buf[4];
	size_t used;

	for (uint32_t cp = 1; cp <= 0x10ffff; cp++) {
		size_t n = utf8_encode(cp, buf);

		if (cp >= 0xd800 && cp <= 0xdfff) {
			cr_assert(n == 1 && buf[0] == '?');
			continue;
		}
		cr_assert_eq(utf8_decode(buf, n, &used), cp);
		cr_assert_eq(used, n);
		for (size_t cut = 1; cut < n; cut++)
			cr_assert_eq(utf8_decode(buf, cut, &used), UTF8_MORE, "U+%X cut %zu", cp,
				     cut);
	}
}

Test(canvas, text_returns_the_column_after_it_even_when_cut)
{
	struct canvas c;

	canvas_init(&c, 5, 1, &glyphs_utf8);
	cr_expect_eq(canvas_text(&c, 1, 0, ROLE_TEXT, 0, "ab"), 3);
	cr_expect_eq(canvas_text(&c, 3, 0, ROLE_TEXT, 0, "cdefg"), 8);
	cr_expect_eq(canvas_textf(&c, -2, 0, ROLE_TEXT, 0, "%d", 123), 1);
	expect_text(&c, "3abcd\n", "cut left and right");
	canvas_fini(&c);
}

Test(canvas, a_value_is_whole_or_absent)
{
	static const struct {
		int x, w;
		const char *text, *row;
	} cases[] = {
		{0, 6, "364k", "  364k\n"},
		{0, 4, "364k", "364k\n"},
		{0, 3, "364k", "\n"}, /* no room */
		{5, 6, "364k", "\n"}, /* right edge would cut it */
		{2, 6, "364k", "    364k\n"},
		{-2, 6, "364k", "364k\n"},
		{-3, 6, "364k", "\n"}, /* left edge would cut it */
		{0, 6, "84 \u00b5s", " 84 \u00b5s\n"},
		{0, -1, "1", "\n"},
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct canvas c;

		canvas_init(&c, 8, 1, &glyphs_utf8);
		canvas_value(&c, cases[i].x, 0, cases[i].w, ROLE_TEXT, 0, cases[i].text);
		expect_text(&c, cases[i].row, "value");
		canvas_fini(&c);
	}
}

Test(canvas, a_label_is_cut_with_an_ellipsis)
{
	static const struct {
		int x, w;
		const char *text, *row;
	} cases[] = {
		{0, 6, "nvme0", "nvme0\n"},
		{0, 5, "nvme0", "nvme0\n"},
		{0, 4, "nvme0", "nvm\u2026\n"},
		{0, 1, "nvme0", "\u2026\n"},
		{0, 0, "nvme0", "\n"},
		{5, 9, "nvme0", "     nv\u2026\n"},
		{6, 2, "\u00b5\u00b5", "      \u00b5\u00b5\n"},
		{9, 2, "a", "\n"},
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct canvas c;

		canvas_init(&c, 8, 1, &glyphs_utf8);
		canvas_label(&c, cases[i].x, 0, cases[i].w, ROLE_TEXT, 0, cases[i].text);
		expect_text(&c, cases[i].row, "label");
		canvas_fini(&c);
	}
}

Test(canvas, box_with_its_title_in_the_edge)
{
	struct canvas c;

	canvas_init(&c, 14, 3, &glyphs_utf8);
	c.owned = true;
	canvas_box(&c, (struct rect){0, 0, 14, 3}, ROLE_BORDER, "Guard");
	expect_text(&c,
		    "\u250c\u2500 Guard \u2500\u2500\u2500\u2500\u2510\n"
		    "\u2502            \u2502\n"
		    "\u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
		    "\u2518\n",
		    "box");
	canvas_fini(&c);

	canvas_init(&c, 9, 2, &glyphs_ascii);
	c.owned = true;
	canvas_box(&c, (struct rect){0, 0, 9, 2}, ROLE_BORDER, "Guard");
	expect_text(&c, "+- Gu~ -+\n+-------+\n", "title cut");
	canvas_clear(&c);
	canvas_box(&c, (struct rect){0, 0, 6, 2}, ROLE_BORDER, "Guard");
	expect_text(&c, "+----+\n+----+\n", "no room for a title");
	canvas_fini(&c);
}

Test(canvas, a_second_write_to_a_cell_aborts, .signal = SIGABRT)
{
	struct canvas c;

	canvas_init(&c, 4, 1, &glyphs_utf8);
	c.owned = true;
	canvas_text(&c, 0, 0, ROLE_TEXT, 0, "ab");
	canvas_text(&c, 1, 0, ROLE_TEXT, 0, "c");
}

Test(canvas, a_layer_covers_the_one_below_and_a_new_frame_begins_anew)
{
	struct canvas c;

	canvas_init(&c, 4, 1, &glyphs_utf8);
	c.owned = true;
	canvas_text(&c, 0, 0, ROLE_TEXT, 0, "abcd");
	canvas_layer(&c);
	canvas_fill(&c, (struct rect){1, 0, 2, 1}, ' ', ROLE_TEXT, 0);
	canvas_layer(&c);
	canvas_text(&c, 1, 0, ROLE_TEXT, 0, "X");
	expect_text(&c, "aX d\n", "layers");
	canvas_clear(&c);
	canvas_text(&c, 0, 0, ROLE_TEXT, 0, "n");
	expect_text(&c, "n\n", "next frame");
	canvas_fini(&c);
}

Test(canvas, ansi_dump_has_one_sgr_per_run)
{
	static const struct {
		enum theme_depth depth;
		const char *want;
	} cases[] = {
		{THEME_MONO, "ab \033[0;1mT\033[0m\n\033[0;7m  \033[0m\n"},
		{THEME_8, "\033[0;36mab\033[0m \033[0;1mT\033[0m\n\033[0;7m  \033[0m\n"},
		{THEME_256, "\033[0;38;5;39mab\033[0m \033[0;1mT\033[0m\n\033[0;7m  \033[0m\n"},
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct canvas c;
		struct strbuf sb = {0};

		canvas_init(&c, 6, 2, &glyphs_utf8);
		canvas_text(&c, 0, 0, ROLE_READ, 0, "ab");
		canvas_text(&c, 3, 0, ROLE_TITLE, 0, "T");
		canvas_text(&c, 0, 1, ROLE_FOCUS, 0, "  ");
		canvas_dump_ansi(&c, cases[i].depth, &sb);
		cr_expect_str_eq(strbuf_str(&sb), cases[i].want, "row %zu", i);
		strbuf_fini(&sb);
		canvas_fini(&c);
	}
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		n++;
	return n;
}

Test(canvas, svg_draws_lines_and_blocks_as_shapes_and_text_as_positioned_runs)
{
	struct canvas c;
	struct strbuf sb = {0};
	const char *s;

	canvas_init(&c, 12, 3, &glyphs_utf8);
	canvas_text(&c, 1, 0, ROLE_TEXT, 0, "a<b & c>d");
	canvas_text(&c, 0, 1, ROLE_READ, 0, "\u2588\u2588\u2588\u2584");
	canvas_text(&c, 0, 2, ROLE_FOCUS, 0, "4 KiB");
	canvas_dump_svg(&c, THEME_256, &sb);
	s = strbuf_str(&sb);
	cr_expect(
		strstr(s, "<text x=\"20\" y=\"25\" textLength=\"90\">a&lt;b &amp; c&gt;d</text>"));
	/* Three full blocks are one rectangle; the half block stands on the lower half of its cell. */
	cr_expect(
		strstr(s, "<rect x=\"10\" y=\"30\" width=\"30\" height=\"20\" fill=\"#00afff\"/>"));
	cr_expect(
		strstr(s, "<rect x=\"40\" y=\"40\" width=\"10\" height=\"10\" fill=\"#00afff\"/>"));
	cr_expect(
		strstr(s, "<rect x=\"10\" y=\"50\" width=\"50\" height=\"20\" fill=\"#d3d7cf\"/>"));
	cr_expect(strstr(s, " fill=\"#12161b\">4 KiB</text>"),
		  "reverse text in the ground's colour");
	cr_expect_eq(count(s, "<text"), 2);
	cr_expect_null(strstr(s, "\u2588"));
	strbuf_fini(&sb);
	canvas_fini(&c);
}
