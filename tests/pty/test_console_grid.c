/*
 * What a terminal shows of the real binary is what the program means to show: each cell of libvterm's
 * grid against the memory grid that `save-screen` writes, on every screen, TERM and locale.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "tests/pty/deck.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))
#define TRIES   5 /* a device may come or go between the file and the picture */

/* Leads to a screen by `verbs`, saves it as `name` and stays there. */
static void start_at(struct deck *d, const struct deck_cfg *cfg, const char *verbs,
		     const char *name, char *path, size_t size)
{
	char script[1024];
	struct deck_cfg with = *cfg;

	deck_make(d);
	deck_path(d, name, path, size);
	snprintf(script, sizeof(script), "%s\nsave-screen %s\nwait 600\n", verbs, path);
	with.script = script;
	deck_spawn(d, &with);
	cr_assert(deck_wait_file(d, path), "%s: no screen was saved", verbs);
}

static bool screen_is_right(const struct deck_cfg *cfg, const char *verbs, const char *what)
{
	char path[128];
	struct deck d;
	bool ok;

	start_at(&d, cfg, verbs, "screen.ans", path, sizeof(path));
	ok = deck_screen_is(&d, path, 3000, what);
	deck_end(&d);
	return ok;
}

static void expect_right(const struct deck_cfg *cfg, const char *verbs)
{
	for (int i = 0; i < TRIES; i++)
		if (screen_is_right(cfg, verbs, i + 1 == TRIES ? verbs : NULL))
			return;
	cr_expect(false, "%s %dx%d: not what was meant", verbs, cfg->w, cfg->h);
}

Test(console_grid, every_screen_shows_what_is_meant, .timeout = VT_TEST_S)
{
	static const char *const screens[] = {
		"key v",
		"key ?",
		"key d",
		"key p",
		"key :\ntype set bs=8k",
		"key Enter\ntype 12",
		"key 2",
		"key 3",
		"set runtime=1\nrun\nwait running\nwait idle",
	};

	for (size_t i = 0; i < ROWS(screens); i++)
		expect_right(&(struct deck_cfg){.target = "sim:nvme"}, screens[i]);
}

Test(console_grid, every_layout_shows_what_is_meant, .timeout = VT_TEST_S)
{
	static const int sizes[][2] = {{200, 60}, {100, 30}, {60, 16}, {40, 10}};

	for (size_t i = 0; i < ROWS(sizes); i++)
		expect_right(&(struct deck_cfg){.target = "sim:nvme",
						.w = sizes[i][0],
						.h = sizes[i][1]},
			     "set runtime=1\nrun\nwait running\nwait idle");
}

Test(console_grid, a_run_and_what_stands_over_it_show_what_is_meant, .timeout = VT_TEST_S)
{
	static const int sizes[][2] = {{80, 24}, {120, 40}};

	for (size_t i = 0; i < ROWS(sizes); i++) {
		struct deck d;

		deck_start(&d, &(struct deck_cfg){
				       .target = "sim:nvme", .w = sizes[i][0], .h = sizes[i][1]});
		cr_assert(deck_run(&d));
		vt_send(d.vt, "v]");
		cr_expect(deck_live_screen_is_right(&d, "a run"), "%d columns", sizes[i][0]);
		deck_end(&d);
	}
}

/* ---- terminals and locales ---- */

static void read_text(const char *path, struct strbuf *sb)
{
	cr_assert_eq(fs_read_all("", path, sb), 0);
}

static bool text_is(struct vt *vt, void *want)
{
	struct strbuf sb = {0};
	bool same;

	vt_text(vt, &sb);
	same = strcmp(strbuf_str(&sb), want) == 0;
	strbuf_fini(&sb);
	return same;
}

/* The frame of the dialog: closed all around, of the glyphs that are meant. */
static void expect_closed_box(struct vt *vt, bool ascii, const char *what)
{
	uint32_t h = ascii ? '-' : 0x2500, v = ascii ? '|' : 0x2502;
	uint32_t tl = ascii ? '+' : 0x250c, tr = ascii ? '+' : 0x2510;
	uint32_t bl = ascii ? '+' : 0x2514, br = ascii ? '+' : 0x2518;
	/* The help at 80x24: as wide as the screen, two rows less high. */
	int x1 = 79, y0 = 1, y1 = 22;

	cr_expect_eq(vt_cell(vt, 0, y0).ch, tl, "%s: %x", what, vt_cell(vt, 0, y0).ch);
	cr_expect_eq(vt_cell(vt, x1, y0).ch, tr, "%s", what);
	cr_expect_eq(vt_cell(vt, 0, y1).ch, bl, "%s", what);
	cr_expect_eq(vt_cell(vt, x1, y1).ch, br, "%s", what);
	for (int y = y0 + 1; y < y1; y++)
		cr_expect(vt_cell(vt, 0, y).ch == v && vt_cell(vt, x1, y).ch == v, "%s: row %d",
			  what, y);
	for (int x = 1; x < x1; x++)
		cr_expect_eq(vt_cell(vt, x, y1).ch, h, "%s: column %d", what, x);
}

static void expect_no_strangers(struct vt *vt, bool ascii, const char *what)
{
	for (int i = 0; i < 80 * 24; i++) {
		uint32_t ch = vt_cell(vt, i % 80, i / 80).ch;

		cr_assert(ch != 0xfffd && (!ascii || ch < 0x7f), "%s: U+%04X at %d,%d", what, ch,
			  i % 80, i / 80);
	}
}

/* On this terminal the help, over the Run screen, is the memory grid to the letter. */
static void expect_help_on(const char *const env[], const char *const words[], bool ascii,
			   const char *what)
{
	struct strbuf want = {0};
	char path[128];
	struct deck d;

	start_at(&d, &(struct deck_cfg){.target = "sim:nvme", .env = env, .words = words}, "key ?",
		 "screen.txt", path, sizeof(path));
	read_text(path, &want);
	cr_expect(vt_wait(d.vt, text_is, want.s, PATIENCE_MS), "%s: not what was meant", what);
	expect_no_strangers(d.vt, ascii, what);
	expect_closed_box(d.vt, ascii, what);
	strbuf_fini(&want);
	deck_end(&d);
}

static void expect_on(const char *term, const char *locale, bool ascii)
{
	char t[64], l[64], what[128];
	const char *env[] = {t, l, NULL};

	snprintf(t, sizeof(t), "TERM=%s", term);
	snprintf(l, sizeof(l), "LC_ALL=%s", locale);
	snprintf(what, sizeof(what), "%s %s", t, l);
	expect_help_on(env, NULL, ascii, what);
}

Test(console_grid, every_terminal_in_every_locale, .timeout = VT_TEST_S)
{
	static const char *const terms[] = {
		"xterm-256color", "xterm", "tmux-256color", "screen-256color",
		"linux",          "vt220", "vt100"};

	for (size_t i = 0; i < ROWS(terms); i++) {
		expect_on(terms[i], "C.UTF-8", false);
		expect_on(terms[i], "C", true);
	}
}

static void expect_refused(const char *const env[], const char *word)
{
	struct deck d;
	int status;

	deck_start(&d, &(struct deck_cfg){.env = env});
	status = vt_wait_exit(d.vt, PATIENCE_MS);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%s: status %x", env[0],
		  (unsigned)status);
	cr_expect(vt_has_text(d.vt, "iodeck run") && vt_has_text(d.vt, word), "%s", env[0]);
	cr_expect(vt_termios_is_back(d.vt));
	deck_end(&d);
}

Test(console_grid, a_terminal_that_cannot_is_refused_in_one_line, .timeout = VT_TEST_S)
{
	expect_refused((const char *[]){"TERM=dumb", NULL}, "TERM=dumb");
	expect_refused((const char *[]){"TERM", NULL}, "TERM is not set");
	expect_refused((const char *[]){"TERM=", NULL}, "TERM is not set");
	expect_refused((const char *[]){"TERM=nonesuch", NULL}, "TERM=nonesuch is unknown");
}

Test(console_grid, case_142_no_line_drawing_set_is_ever_needed, .timeout = VT_TEST_S)
{
	static const char *const terms[] = {"vt100", "linux"};

	for (size_t i = 0; i < ROWS(terms); i++) {
		char term[32];
		const char *env[] = {term, "LC_ALL=C.UTF-8", "NCURSES_NO_UTF8_ACS=1", NULL};

		snprintf(term, sizeof(term), "TERM=%s", terms[i]);
		expect_help_on(env, NULL, false, term);
		env[1] = "LC_ALL=C";
		expect_help_on(env, NULL, true, term);
	}
	expect_on("ansi", "C", true);
}

/* Case 143 asks for a locale that may not be installed; then it is the C locale, which is ASCII too. */
Test(console_grid, case_143_locale_or_option_decides_and_never_a_question_mark,
     .timeout = VT_TEST_S)
{
	static const char *const locales[] = {"C", "POSIX", "en_US.ISO-8859-1"};
	static const char *const words[] = {"--ascii", NULL};

	for (size_t i = 0; i < ROWS(locales); i++)
		expect_on("xterm-256color", locales[i], true);
	expect_help_on(NULL, words, true, "--ascii");
}

/* ---- colours ---- */

static bool any_colour(struct vt *vt)
{
	for (int i = 0; i < 80 * 24; i++)
		if (vt_cell(vt, i % 80, i / 80).fg >= 0)
			return true;
	return false;
}

static int highest_colour(struct vt *vt)
{
	int max = -1;

	for (int i = 0; i < 80 * 24; i++) {
		int fg = vt_cell(vt, i % 80, i / 80).fg;

		max = fg > max ? fg : max;
	}
	return max;
}

static void look_at_run(struct deck *d, const char *const env[], const char *const words[])
{
	deck_start(d, &(struct deck_cfg){.target = "sim:nvme", .env = env, .words = words});
	cr_assert(deck_run(d));
	cr_assert(deck_shows(d, "SIMULATED"));
}

Test(console_grid, case_148_no_colour_and_still_readable, .timeout = VT_TEST_S)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	static const char *const mono[] = {"TERM=vt220", NULL};
	static const char *const option[] = {"--no-color", NULL};
	const struct {
		const char *const *env, *const *words;
		const char *what;
	} rows[] = {
		{no_color, NULL, "NO_COLOR"},
		{NULL, option, "--no-color"},
		{mono, NULL, "vt220"},
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct deck d;

		look_at_run(&d, rows[i].env, rows[i].words);
		cr_expect_not(any_colour(d.vt), "%s", rows[i].what);
		/* The state, the focus and the badge are words or attributes. */
		cr_expect(vt_has_text(d.vt, "RUN") && vt_has_text(d.vt, "qd[32]"), "%s",
			  rows[i].what);
		deck_end(&d);
	}
}

Test(console_grid, case_148_eight_colours_are_enough, .timeout = VT_TEST_S)
{
	static const struct {
		const char *term;
		int low, high;
	} rows[] = {{"TERM=xterm", 0, 7}, {"TERM=xterm-256color", 16, 255}};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *env[] = {rows[i].term, NULL};
		struct deck d;

		look_at_run(&d, env, NULL);
		cr_expect(highest_colour(d.vt) >= rows[i].low &&
				  highest_colour(d.vt) <= rows[i].high,
			  "%s: colour %d", rows[i].term, highest_colour(d.vt));
		deck_end(&d);
	}
}

/* ---- sizes ---- */

Test(console_grid, case_139_smaller_windows_lose_panes_and_not_the_program, .timeout = VT_TEST_S)
{
	static const int sizes[][2] = {{73, 41}, {60, 16}, {40, 10}, {39, 5}, {20, 1}};
	struct deck d;

	deck_start(&d, &(struct deck_cfg){.target = "sim:nvme"});
	cr_assert(deck_run(&d));
	for (size_t i = 0; i < ROWS(sizes); i++) {
		vt_resize(d.vt, sizes[i][0], sizes[i][1]);
		cr_expect(deck_live_screen_is_right(&d, "smaller"), "%dx%d", sizes[i][0],
			  sizes[i][1]);
	}
	vt_send(d.vt, "]"); /* keys work on one line, too */
	vt_resize(d.vt, 80, 24);
	cr_expect(deck_shows(&d, "qd[64]"));
	vt_send(d.vt, " ");
	cr_expect(deck_shows(&d, "DONE"));
	deck_end(&d);
}

Test(console_grid, case_145_the_window_counts_and_not_the_environment, .timeout = VT_TEST_S)
{
	static const char *const env[] = {"COLUMNS=40", "LINES=10", NULL};
	struct deck d;

	deck_start(&d, &(struct deck_cfg){.target = "sim:nvme", .env = env});
	cr_assert(deck_shows(&d, "3 Compare"), "the layout of 40x10");
	cr_expect(deck_live_screen_is_right(&d, "80x24"));
	vt_resize(d.vt, 100, 30);
	cr_expect(deck_shows(&d, "heat map"));
	cr_expect(deck_live_screen_is_right(&d, "100x30"));
	deck_end(&d);
}

/* Not its controlling terminal: nobody sends SIGWINCH, as over some serial lines and wrappers. */
static int exec_elsewhere(void *argv)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		execv(((char **)argv)[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

Test(console_grid, case_145_a_new_size_is_seen_without_a_signal, .timeout = VT_TEST_S)
{
	char *argv[16];
	struct deck d;

	deck_make(&d);
	deck_argv(&d, &(struct deck_cfg){.target = "sim:nvme"}, argv);
	d.vt = vt_fork(exec_elsewhere, argv, NULL, 80, 24);
	cr_assert(deck_run(&d));
	vt_resize(d.vt, 120, 40);
	cr_expect(deck_shows(&d, "heat map"));
	cr_expect(deck_live_screen_is_right(&d, "120x40"));
	vt_send(d.vt, "qs");
	cr_expect_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	deck_end(&d);
}

/* Font zoom: few lines, many columns, and back, with every dialog open in turn. */
Test(console_grid, case_146_small_and_odd_windows_are_clipped, .timeout = VT_TEST_S)
{
	static const int sizes[][2] = {{80, 16}, {80, 15}, {80, 3}, {80, 1},
				       {1, 1},   {300, 2}, {2, 100}};
	static const char *const opens[] = {"?", "d", "p", "m", ":", "w", "s", "\r", "q"};
	struct deck d;

	deck_start(&d, &(struct deck_cfg){.target = "sim:nvme"});
	cr_assert(deck_run(&d));
	for (size_t o = 0; o < ROWS(opens); o++) {
		vt_send(d.vt, opens[o]);
		for (size_t i = 0; i < ROWS(sizes); i++) {
			vt_resize(d.vt, sizes[i][0], sizes[i][1]);
			vt_wait_quiet(d.vt, 20, 300);
		}
		vt_send(d.vt, "\033");
		vt_resize(d.vt, 80, 24);
		cr_assert(deck_shows(&d, "in flight"), "after '%s'", opens[o]);
	}
	cr_expect(deck_live_screen_is_right(&d, "after all"));
	cr_expect_eq(vt_wait_exit(d.vt, 0), -1);
	deck_end(&d);
}
