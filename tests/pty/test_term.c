/*
 * The terminal layer on a real pty, seen by libvterm: what is drawn is what the canvas holds, on every
 * TERM and locale we promise, at every size; keys arrive whole.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/pty/app.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

static bool cell_looks_like(struct vt_cell got, const struct cell *want, enum theme_depth depth)
{
	struct theme_style s = theme_style(want->role, depth);
	unsigned attr = s.attr | want->attr;
	uint32_t ch = want->ch ? want->ch : ' ';
	/* A blank shows its colour and boldness to nobody, and curses may leave them out. */
	bool ink = ch != ' ';

	return got.ch == ch && got.reverse == !!(attr & ATTR_REVERSE) &&
	       (!ink || got.bold == !!(attr & ATTR_BOLD)) && (!ink || got.fg == s.fg);
}

struct want {
	struct canvas c;
	enum theme_depth depth;
};

static bool grid_is(struct vt *vt, void *arg)
{
	struct want *w = arg;

	for (int i = 0; i < w->c.w * w->c.h; i++)
		if (!cell_looks_like(vt_cell(vt, i % w->c.w, i / w->c.w), &w->c.cells[i], w->depth))
			return false;
	return true;
}

static void expect_grid(struct vt *vt, int w, int h, const struct glyphs *g, enum theme_depth depth,
			const char *what)
{
	struct want want = {.depth = depth};
	struct strbuf got = {0}, wish = {0};

	canvas_init(&want.c, w, h, g);
	app_scene(&want.c);
	if (!vt_wait(vt, grid_is, &want, 3000)) {
		vt_text(vt, &got);
		canvas_dump_text(&want.c, &wish);
		cr_expect(false, "%s %dx%d: got\n%s\nwanted\n%s", what, w, h, strbuf_str(&got),
			  strbuf_str(&wish));
		for (int i = 0; i < w * h; i++) {
			struct vt_cell c = vt_cell(vt, i % w, i / w);

			if (cell_looks_like(c, &want.c.cells[i], depth))
				continue;
			cr_expect(false, "first wrong cell %d,%d: U+%04X bold %d reverse %d fg %d",
				  i % w, i / w, c.ch, c.bold, c.reverse, c.fg);
			break;
		}
	}
	strbuf_fini(&got);
	strbuf_fini(&wish);
	canvas_fini(&want.c);
}

Test(term, what_is_drawn_is_what_the_canvas_holds, .timeout = VT_TEST_S)
{
	static const int sizes[][2] = {{80, 24}, {120, 40}, {40, 10}, {200, 50}, {12, 4}};

	for (size_t i = 0; i < ROWS(sizes); i++) {
		struct vt *vt = app_start(NULL, sizes[i][0], sizes[i][1]);

		expect_grid(vt, sizes[i][0], sizes[i][1], &glyphs_utf8, THEME_256, "size");
		app_quit(vt);
	}
}

Test(term, every_terminal_in_every_locale_shows_the_same_cells, .timeout = VT_TEST_S)
{
	static const struct {
		const char *name;
		enum theme_depth depth;
	} terms[] = {
		{"xterm-256color", THEME_256},  {"xterm", THEME_8}, {"tmux-256color", THEME_256},
		{"screen-256color", THEME_256}, {"linux", THEME_8}, {"vt220", THEME_MONO},
		{"vt100", THEME_MONO},
	};
	static const char *const locales[] = {"C.UTF-8", "C"};

	for (size_t t = 0; t < ROWS(terms); t++)
		for (size_t l = 0; l < ROWS(locales); l++) {
			char term[64], lc[64];
			const char *env[] = {term, lc, NULL};
			struct vt *vt;

			snprintf(term, sizeof(term), "TERM=%s", terms[t].name);
			snprintf(lc, sizeof(lc), "LC_ALL=%s", locales[l]);
			vt = app_start(env, 80, 24);
			expect_grid(vt, 80, 24, l == 0 ? &glyphs_utf8 : &glyphs_ascii,
				    terms[t].depth, term);
			app_quit(vt);
		}
}

Test(term, colours_can_be_refused, .timeout = VT_TEST_S)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	static const char *const empty[] = {"NO_COLOR=", NULL};
	static struct term_cfg cfg = {.no_color = true, .force_ascii = true};
	struct vt *vt = app_start(no_color, 80, 24);

	expect_grid(vt, 80, 24, &glyphs_utf8, THEME_MONO, "NO_COLOR=1");
	app_quit(vt);
	vt = app_start(empty, 80, 24);
	expect_grid(vt, 80, 24, &glyphs_utf8, THEME_256, "NO_COLOR empty");
	app_quit(vt);
	vt = vt_fork(app_main, &cfg, NULL, 80, 24);
	expect_grid(vt, 80, 24, &glyphs_ascii, THEME_MONO, "--no-color --ascii");
	app_quit(vt);
}

/* Every glyph of ours is of ambiguous width: where that means two columns, rows would break. */
Test(term, where_signs_are_two_columns_wide_it_is_ascii, .timeout = VT_TEST_S)
{
	struct vt *vt;

	app_wide_signs = true;
	vt = app_start(NULL, 80, 24);
	expect_grid(vt, 80, 24, &glyphs_ascii, THEME_256, "wide signs");
	app_quit(vt);
}

Test(term, a_terminal_that_cannot_is_refused_with_the_way_out, .timeout = VT_TEST_S)
{
	static const char *const envs[][2] = {{"TERM=dumb", NULL},
					      {"TERM", NULL},
					      {"TERM=", NULL},
					      {"TERM=no-such-terminal", NULL}};

	for (size_t i = 0; i < ROWS(envs); i++) {
		static struct term_cfg cfg;
		struct vt *vt = vt_fork(app_main, &cfg, envs[i], 80, 24);
		int status = vt_wait_exit(vt, WAIT_MS);

		cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%s: status %x",
			  envs[i][0], (unsigned)status);
		cr_expect(vt_has_text(vt, "iodeck run"), "%s", envs[i][0]);
		vt_free(vt);
	}
}

static int open_without_stdout(void *arg)
{
	struct err e = {0};

	(void)arg;
	close(STDOUT_FILENO);
	return term_open(&(struct term_cfg){0}, &e) == -ENOTTY && strstr(e.msg, "iodeck run") ? 0
											      : 1;
}

Test(term, without_a_terminal_on_stdout_it_does_not_open, .timeout = VT_TEST_S)
{
	struct vt *vt = vt_fork(open_without_stdout, NULL, NULL, 80, 24);

	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	vt_free(vt);
}

Test(term, follows_the_window_and_not_the_environment, .timeout = VT_TEST_S)
{
	static const char *const env[] = {"LINES=10", "COLUMNS=33", NULL};
	static const int sizes[][2] = {{80, 24}, {30, 8},  {120, 40}, {1, 1},  {2, 200},
				       {200, 2}, {81, 25}, {300, 90}, {80, 24}};
	struct vt *vt = app_start(env, 80, 24);

	for (size_t i = 0; i < ROWS(sizes); i++) {
		vt_resize(vt, sizes[i][0], sizes[i][1]);
		expect_grid(vt, sizes[i][0], sizes[i][1], &glyphs_utf8, THEME_256, "resize");
	}
	app_quit(vt);
}

Test(term, many_resizes_in_a_row_end_in_the_right_picture, .timeout = VT_TEST_S)
{
	struct vt *vt = app_start(NULL, 80, 24);
	unsigned r = 12345;

	for (int i = 0; i < 100; i++) {
		r = r * 1103515245u + 12345u;
		vt_resize(vt, 1 + (int)(r >> 16) % 150, 1 + (int)(r >> 8) % 50);
		usleep(3000);
	}
	vt_resize(vt, 80, 24);
	vt_send(vt, "\f");
	cr_assert(app_shows(vt, "1: CTRL_L."));
	app_quit(vt);
}

Test(term, stays_silent_when_nothing_changes_and_repaints_on_demand, .timeout = VT_TEST_S)
{
	struct vt *vt = app_start(NULL, 80, 24);
	uint64_t first, again;

	cr_assert(vt_wait_quiet(vt, 200, WAIT_MS));
	first = vt_bytes(vt);
	cr_assert(vt_wait_quiet(vt, 2500, WAIT_MS)); /* two redraws by the app's own timer */
	cr_expect_eq(vt_bytes(vt), first, "%llu bytes for an unchanged picture",
		     (unsigned long long)(vt_bytes(vt) - first));
	vt_send(vt, "x");
	cr_assert(app_shows(vt, "1: x."));
	again = vt_bytes(vt) - first;
	cr_expect_lt(again, first / 2, "one changed row cost %llu bytes",
		     (unsigned long long)again);
	app_quit(vt);
}

/* ---- keys ---- */

Test(term, keys_are_decoded, .timeout = VT_TEST_S)
{
	static const struct {
		const char *bytes, *keys;
	} cases[] = {
		{"a", "a"},
		{"\033[A", "UP"},
		{"\033OA", "UP"},
		{"\033[B", "DOWN"},
		{"\033OC", "RIGHT"},
		{"\033[D", "LEFT"},
		{"\033[1;5D", "LEFT"},
		{"\033[H", "HOME"},
		{"\033OF", "END"},
		{"\033[1~", "HOME"},
		{"\033[4~", "END"},
		{"\033[5~", "PGUP"},
		{"\033[6~", "PGDN"},
		{"\033[3~", "DEL"},
		{"\033[Z", "BACKTAB"},
		{"\t", "TAB"},
		{"\r", "ENTER"},
		{"\n", "ENTER"},
		{"\x7f", "BACKSPACE"},
		{"\b", "BACKSPACE"},
		{"\033OP", "F1"},
		{"\033[15~", "F5"},
		{"\033[24~", "F12"},
		{"\033[[C", "F3"},
		{"\0334", "F4"},
		{"\0330", "F10"},
		{"\033", "ESC"},
		{"\033x", "ESC x"},
		{"\x03", "CTRL_C"},
		{"\u00b5", "\u00b5"},
		{"\u2192", "\u2192"},
		{"\xff\xc3z", "z"},
		{"\033[99zz", "z"},
		{"\033[<0;10;10Mz", "z"},
		{"\033[M !!z", "z"},
		{"\x01\x02z", "z"},
		{"\033[A\033[Bz", "UP DOWN z"},
	};

	struct vt *vt = app_start(NULL, 100, 24);
	unsigned total = 0;

	for (size_t i = 0; i < ROWS(cases); i++) {
		char want[64];

		for (const char *p = cases[i].keys; *p; p++)
			total += *p == ' ';
		total++;
		vt_send(vt, cases[i].bytes);
		snprintf(want, sizeof(want), "%u:", total);
		cr_assert(app_shows(vt, want), "row %zu: no key", i);
		snprintf(want, sizeof(want), " %s.", cases[i].keys);
		cr_assert(app_shows(vt, want), "row %zu", i);
	}
	app_quit(vt);
}

Test(term, keys_in_pieces_are_put_together, .timeout = VT_TEST_S)
{
	static const char *const pieces[] = {"\xe2", "\x86", "\x92", "\033[", "1", ";2", "C"};
	struct vt *vt = app_start(NULL, 80, 24);

	for (size_t i = 0; i < ROWS(pieces); i++) {
		vt_send(vt, pieces[i]);
		usleep(40000); /* longer than an Esc waits: only what began stays whole */
	}
	cr_expect(app_shows(vt, "2: \u2192 RIGHT."));
	app_quit(vt);
}

Test(term, a_paste_of_4_kB_arrives_whole, .timeout = VT_TEST_S)
{
	char text[4096];
	struct vt *vt = app_start(NULL, 80, 24);

	memset(text, 'x', sizeof(text));
	vt_send_bytes(vt, text, sizeof(text));
	cr_expect(app_shows(vt, "4096:"));
	app_quit(vt);
}
