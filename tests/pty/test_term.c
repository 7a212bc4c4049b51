/*
 * The terminal layer on a real pty, seen by libvterm: what is drawn is what the canvas holds, on every
 * TERM and locale we promise; keys arrive whole; the terminal comes back however the process ends.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/pty/vt.h"
#include "ui/term.h"
#include "ui/utf8.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))
enum { WAIT_MS = 10000 };

/* ---- a program that shows a scene and its keys ---- */

/* Something of everything, up to the last cell of the last row. */
static void scene(struct canvas *c)
{
	canvas_clear(c);
	canvas_box(c, (struct rect){0, 0, c->w, c->h}, ROLE_BORDER, "scene");
	for (int r = 0; r < ROLE_NR; r++) {
		int y = 1 + r, x = 2;

		if (y >= c->h - 1)
			break;
		x = canvas_textf(c, x, y, (enum role)r, 0, "role %2d 84.1 %ss ", r, c->g->micro);
		for (int b = 0; b <= 8; b++)
			canvas_put(c, x++, y, c->g->block[b], (enum role)r, 0);
		x = canvas_text(c, x + 1, y, (enum role)r, ATTR_BOLD, "bold");
		x = canvas_text(c, x + 1, y, (enum role)r, ATTR_UNDERLINE, "line");
		canvas_text(c, x + 1, y, (enum role)r, ATTR_REVERSE, "back");
	}
}

struct app {
	struct canvas canvas;
	char line[200]; /* the newest keys */
	unsigned keys;
};

static const char *key_name(uint32_t key, char buf[16])
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {
		{TERM_UP,	  "UP"	      },
		 {TERM_DOWN,	     "DOWN"	   },
		{TERM_LEFT,	    "LEFT"	  },
		 {TERM_RIGHT,     "RIGHT"    },
		{TERM_HOME,	    "HOME"	  },
		 {TERM_END,	    "END"	 },
		{TERM_PGUP,	    "PGUP"	  },
		 {TERM_PGDN,	     "PGDN"	   },
		{TERM_DEL,	   "DEL"	},
		 {TERM_BACKSPACE, "BACKSPACE"},
		{TERM_ENTER,     "ENTER"    },
		 {TERM_ESC,	    "ESC"	 },
		{TERM_TAB,	   "TAB"	},
		 {TERM_BACKTAB,	"BACKTAB"	 },
		{TERM_RESIZE,    "RESIZE"   },
		 {TERM_CTRL_C,    "CTRL_C"   },
		{TERM_CTRL_L,    "CTRL_L"   },
		 {TERM_CTRL_Z,    "CTRL_Z"   },
	};

	for (size_t i = 0; i < ROWS(names); i++)
		if (names[i].key == key)
			return names[i].name;
	if (key >= TERM_F1 && key < TERM_F1 + 12)
		snprintf(buf, 16, "F%u", key - TERM_F1 + 1);
	else
		buf[utf8_encode(key, buf)] = '\0';
	return buf;
}

static void app_draw(struct app *a)
{
	int w, h;

	term_size(&w, &h);
	if (w != a->canvas.w || h != a->canvas.h)
		canvas_resize(&a->canvas, w, h);
	scene(&a->canvas);
	if (a->keys > 0 && h > 2) {
		canvas_fill(&a->canvas, (struct rect){1, 1, w - 2, 1}, ' ', ROLE_TEXT, 0);
		canvas_textf(&a->canvas, 1, 1, ROLE_TEXT, 0, "%u:%s.", a->keys, a->line);
	}
	term_flush(&a->canvas);
}

static void app_note(struct app *a, uint32_t key)
{
	char buf[16];
	size_t n;

	a->keys++;
	n = strlen(a->line);
	if (n > 40) { /* keep the newest; a cut UTF-8 sign would show as '?' */
		a->line[0] = '\0';
		n = 0;
	}
	snprintf(a->line + n, sizeof(a->line) - n, " %s", key_name(key, buf));
}

/* Not NULL: UBSan would end the program before the signal that we want to see. */
static void *volatile nowhere = (void *)4096;
static volatile int forever = 1;

static void *fault(void *arg)
{
	(void)arg;
	*(volatile int *)nowhere = 1;
	return NULL;
}

static int overflow(int depth)
{
	volatile char here[4096];

	here[0] = (char)depth;
	return forever ? overflow(depth + 1) + here[0] : 0;
}

/* How the program may die, by key. */
static void app_die(uint32_t key)
{
	pthread_t t;

	switch (key) {
	case 'S':
		fault(NULL);
		break;
	case 'T':
		pthread_create(&t, NULL, fault, NULL);
		pthread_join(t, NULL);
		break;
	case 'O':
		overflow(0);
		break;
	case 'A':
		abort();
	case 'E':
		exit(3);
	default:
		break;
	}
}

static void app_key(struct app *a, uint32_t key)
{
	app_die(key);
	switch (key) {
	case 'W':
		fputs("library says hello\n", stderr);
		break;
	case 'C':
		close(STDOUT_FILENO);
		break;
	case 'R':
		term_close();
		term_open(&(struct term_cfg){0}, NULL);
		break;
	case TERM_CTRL_Z:
		term_suspend();
		break;
	case TERM_CTRL_L:
		term_repaint();
		break;
	default:
		break;
	}
	app_note(a, key);
}

/* 0: go on. */
static int app_signals(void)
{
	uint64_t bits = term_take_signals();

	if (bits & 1u << SIGTSTP)
		term_suspend();
	for (int sig = 1; sig < 32; sig++)
		if ((bits & 1u << sig) && (sig == SIGTERM || sig == SIGINT || sig == SIGHUP))
			return 128 + sig;
	return 0;
}

static int app_loop(struct app *a)
{
	for (;;) {
		struct pollfd p[2] = {
			{.fd = term_fd(),	  .events = POLLIN},
			{.fd = term_signal_fd(), .events = POLLIN}
		  };
		uint32_t key;
		int rc;

		app_draw(a);
		poll(p, 2, 1000);
		rc = app_signals();
		if (rc)
			return rc;
		while ((key = term_read_key())) {
			if (key == 'q')
				return 0;
			if (key != TERM_RESIZE)
				app_key(a, key);
		}
	}
}

/* exit() runs what term_open() registered, and then nothing more of the test runner's. */
static void end_here(int status, void *arg)
{
	(void)arg;
	_exit(status);
}

static int app_main(void *cfg)
{
	struct app a = {0};
	struct err e = {0};
	int rc;

	on_exit(end_here, NULL);
	setlocale(LC_CTYPE, "");
	printf("shell: before\n");
	fflush(stdout);
	if (term_open(cfg, &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return 2;
	}
	canvas_init(&a.canvas, 1, 1, term_glyphs());
	rc = app_loop(&a);
	term_close();
	canvas_fini(&a.canvas);
	printf("shell: after\n");
	fflush(stdout);
	return rc;
}

/* Says what is on the screen when the text is not. */
static bool shows(struct vt *vt, const char *text)
{
	struct strbuf sb = {0};
	bool ok = vt_wait_text(vt, text, WAIT_MS);

	if (!ok) {
		vt_text(vt, &sb);
		fprintf(stderr, "'%s' is not on the screen:\n%s", text, strbuf_str(&sb));
		strbuf_fini(&sb);
	}
	return ok;
}

static struct vt *app_start(const char *const env[], int w, int h)
{
	static struct term_cfg cfg;
	struct vt *vt = vt_fork(app_main, &cfg, env, w, h);

	cr_assert(shows(vt, "scene"), "the program did not draw");
	return vt;
}

/* ---- the grid ---- */

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
	scene(&want.c);
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

static void quit(struct vt *vt)
{
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	vt_free(vt);
}

Test(term, what_is_drawn_is_what_the_canvas_holds, .timeout = VT_TEST_S)
{
	static const int sizes[][2] = {
		{80,  24},
		  {120, 40},
		     {40,  10},
		       {200, 50},
		  {12,  4 }
	 };

	for (size_t i = 0; i < ROWS(sizes); i++) {
		struct vt *vt = app_start(NULL, sizes[i][0], sizes[i][1]);

		expect_grid(vt, sizes[i][0], sizes[i][1], &glyphs_utf8, THEME_256, "size");
		quit(vt);
	}
}

Test(term, every_terminal_in_every_locale_shows_the_same_cells, .timeout = VT_TEST_S)
{
	static const struct {
		const char *name;
		enum theme_depth depth;
	} terms[] = {
		{"xterm-256color",  THEME_256 },
		{"xterm",		  THEME_8	 },
		    {"tmux-256color",   THEME_256 },
		{"screen-256color", THEME_256 },
		{"linux",		  THEME_8	 },
		    {"vt220",	      THEME_MONO},
		{"vt100",		  THEME_MONO},
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
			quit(vt);
		}
}

Test(term, colours_can_be_refused, .timeout = VT_TEST_S)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	static const char *const empty[] = {"NO_COLOR=", NULL};
	static struct term_cfg cfg = {.no_color = true, .force_ascii = true};
	struct vt *vt = app_start(no_color, 80, 24);

	expect_grid(vt, 80, 24, &glyphs_utf8, THEME_MONO, "NO_COLOR=1");
	quit(vt);
	vt = app_start(empty, 80, 24);
	expect_grid(vt, 80, 24, &glyphs_utf8, THEME_256, "NO_COLOR empty");
	quit(vt);
	vt = vt_fork(app_main, &cfg, NULL, 80, 24);
	expect_grid(vt, 80, 24, &glyphs_ascii, THEME_MONO, "--no-color --ascii");
	quit(vt);
}

Test(term, a_terminal_that_cannot_is_refused_with_the_way_out, .timeout = VT_TEST_S)
{
	static const char *const envs[][2] = {
		{"TERM=dumb",	      NULL},
		{"TERM",			 NULL},
		{"TERM=",		  NULL},
		{"TERM=no-such-terminal", NULL}
	       };

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
	static const int sizes[][2] = {
		{80,  24 },
		  {30,  8	},
		    {120, 40 },
		       {1,   1  },
		{2,   200},
		{200, 2  },
		  {81,  25 },
		    {300, 90 },
		       {80,  24 }
	       };
	struct vt *vt = app_start(env, 80, 24);

	for (size_t i = 0; i < ROWS(sizes); i++) {
		vt_resize(vt, sizes[i][0], sizes[i][1]);
		expect_grid(vt, sizes[i][0], sizes[i][1], &glyphs_utf8, THEME_256, "resize");
	}
	quit(vt);
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
	cr_assert(shows(vt, "1: CTRL_L."));
	quit(vt);
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
	cr_assert(shows(vt, "1: x."));
	again = vt_bytes(vt) - first;
	cr_expect_lt(again, first / 2, "one changed row cost %llu bytes",
		     (unsigned long long)again);
	quit(vt);
}

/* ---- keys ---- */

Test(term, keys_are_decoded, .timeout = VT_TEST_S)
{
	static const struct {
		const char *bytes, *keys;
	} cases[] = {
		{"a",		      "a"	 },
		{"\033[A",	   "UP"       },
		{"\033OA",	   "UP"       },
		{"\033[B",	   "DOWN"	 },
		{"\033OC",	   "RIGHT"	  },
		{"\033[D",	   "LEFT"	 },
		{"\033[1;5D",	      "LEFT"	    },
		{"\033[H",	   "HOME"	 },
		{"\033OF",	   "END"	},
		{"\033[1~",	    "HOME"	  },
		{"\033[4~",	    "END"	 },
		{"\033[5~",	    "PGUP"	  },
		{"\033[6~",	    "PGDN"	  },
		{"\033[3~",	    "DEL"	 },
		{"\033[Z",	   "BACKTAB"  },
		{"\t",	       "TAB"	    },
		{"\r",	       "ENTER"    },
		{"\n",	       "ENTER"    },
		{"\x7f",		 "BACKSPACE"},
		{"\b",	       "BACKSPACE"},
		{"\033OP",	   "F1"       },
		{"\033[15~",	     "F5"	 },
		{"\033[24~",	     "F12"	  },
		{"\033[[C",	    "F3"	},
		{"\0334",		  "F4"	      },
		{"\0330",		  "F10"      },
		{"\033",		 "ESC"      },
		{"\033x",		  "ESC x"	 },
		{"\x03",		 "CTRL_C"	 },
		{"\u00b5",	   "\u00b5"   },
		{"\u2192",	   "\u2192"   },
		{"\xff\xc3z",	      "z"	 },
		{"\033[99zz",	      "z"	 },
		{"\033[<0;10;10Mz", "z"	       },
		{"\033[M !!z",      "z"	  },
		{"\x01\x02z",	      "z"	 },
		{"\033[A\033[Bz",	  "UP DOWN z"},
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
		cr_assert(shows(vt, want), "row %zu: no key", i);
		snprintf(want, sizeof(want), " %s.", cases[i].keys);
		cr_assert(shows(vt, want), "row %zu", i);
	}
	quit(vt);
}

Test(term, keys_in_pieces_are_put_together, .timeout = VT_TEST_S)
{
	static const char *const pieces[] = {"\xe2", "\x86", "\x92", "\033[", "1", ";2", "C"};
	struct vt *vt = app_start(NULL, 80, 24);

	for (size_t i = 0; i < ROWS(pieces); i++) {
		vt_send(vt, pieces[i]);
		usleep(40000); /* longer than an Esc waits: only what began stays whole */
	}
	cr_expect(shows(vt, "2: \u2192 RIGHT."));
	quit(vt);
}

Test(term, a_paste_of_4_kB_arrives_whole, .timeout = VT_TEST_S)
{
	char text[4096];
	struct vt *vt = app_start(NULL, 80, 24);

	memset(text, 'x', sizeof(text));
	vt_send_bytes(vt, text, sizeof(text));
	cr_expect(shows(vt, "4096:"));
	quit(vt);
}

/* ---- the way out ---- */

/* The primary screen is back with what was on it, and the line discipline as it was. */
static void expect_restored(struct vt *vt, const char *what)
{
	struct strbuf sb = {0};
	struct termios t = vt_termios(vt);
	bool visible;
	int x, y;

	cr_expect(vt_primary_screen_text(vt, &sb), "%s: left in the alternate screen", what);
	cr_expect(strncmp(strbuf_str(&sb), "shell: before\n", 14) == 0, "%s: screen is\n%s", what,
		  strbuf_str(&sb));
	cr_expect_null(strstr(strbuf_str(&sb), "scene"), "%s", what);
	cr_expect((t.c_lflag & (ICANON | ECHO | ISIG)) == (ICANON | ECHO | ISIG), "%s: lflag %x",
		  what, t.c_lflag);
	cr_expect(t.c_iflag & ICRNL, "%s", what);
	cr_expect(t.c_cc[VINTR] == 3 && t.c_cc[VSUSP] == 26, "%s: VINTR %u", what, t.c_cc[VINTR]);
	vt_cursor(vt, &x, &y, &visible);
	cr_expect(visible, "%s: cursor hidden", what);
	strbuf_fini(&sb);
}

Test(term, every_signal_restores, .timeout = VT_TEST_S)
{
	static const struct {
		int sig;
		bool by_signal; /* dies of it; else exits 128 + n in order */
	} cases[] = {
		{SIGTERM, false},
		  {SIGINT,  false},
		   {SIGHUP,  false},
		{SIGQUIT, true },
		  {SIGSEGV, true },
		   {SIGABRT, true },
		{SIGBUS,	 true },
		  {SIGFPE,  true },
		   {SIGILL,  true },
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct vt *vt = app_start(NULL, 80, 24);
		int status;

		cr_expect(vt_in_altscreen(vt));
		vt_kill(vt, cases[i].sig);
		status = vt_wait_exit(vt, WAIT_MS);
		if (cases[i].by_signal)
			cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].sig,
				  "%s: status %x", strsignal(cases[i].sig), (unsigned)status);
		else
			cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 128 + cases[i].sig,
				  "%s: status %x", strsignal(cases[i].sig), (unsigned)status);
		expect_restored(vt, strsignal(cases[i].sig));
		vt_free(vt);
	}
}

Test(term, every_way_to_die_restores, .timeout = VT_TEST_S)
{
	static const struct {
		const char *keys, *what;
		int sig; /* 0: exits with `code` */
		int code;
	} cases[] = {
		{"q",    "quit",			      0,	 0},
		{"E",    "exit() without term_close()", 0,	3},
		{"A",    "abort()",			 SIGABRT, 0},
		{"S",    "write to nowhere",		  SIGSEGV, 0},
		{"T",    "fault in another thread",	 SIGSEGV, 0},
		{"O",    "stack overflow",		SIGSEGV, 0},
		{"\x1c", "Ctrl-\\",			    SIGQUIT, 0},
		{"Cq",   "stdout closed, then quit",	   0,	      0},
		{"CS",   "stdout closed, then a fault", SIGSEGV, 0},
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct vt *vt = app_start(NULL, 80, 24);
		int status;

		vt_send(vt, cases[i].keys);
		status = vt_wait_exit(vt, WAIT_MS);
		if (cases[i].sig)
			cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].sig,
				  "%s: status %x", cases[i].what, (unsigned)status);
		else
			cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == cases[i].code,
				  "%s: status %x", cases[i].what, (unsigned)status);
		expect_restored(vt, cases[i].what);
		vt_free(vt);
	}
}

Test(term, what_libraries_print_is_shown_after_the_end_and_not_before, .timeout = VT_TEST_S)
{
	static const char *const ends[] = {"q", "S"};

	for (size_t i = 0; i < ROWS(ends); i++) {
		struct vt *vt = app_start(NULL, 80, 24);

		vt_send(vt, "W");
		cr_assert(shows(vt, "1: W."));
		cr_expect_not(vt_has_text(vt, "library says"));
		vt_send(vt, ends[i]);
		cr_expect_neq(vt_wait_exit(vt, WAIT_MS), -1);
		cr_expect(vt_has_text(vt, "library says hello"), "after '%s'", ends[i]);
		expect_restored(vt, ends[i]);
		vt_free(vt);
	}
}

Test(term, can_be_closed_and_opened_again, .timeout = VT_TEST_S)
{
	struct vt *vt = app_start(NULL, 80, 24);

	vt_send(vt, "R");
	cr_assert(shows(vt, "1: R."));
	vt_send(vt, "R");
	cr_assert(shows(vt, "2: R R."));
	cr_expect(vt_in_altscreen(vt));
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	expect_restored(vt, "reopened");
	vt_free(vt);
}

Test(term, a_terminal_that_goes_away_ends_the_program, .timeout = VT_TEST_S)
{
	struct vt *vt = app_start(NULL, 80, 24);
	int status;

	vt_hangup(vt);
	status = vt_wait_exit(vt, WAIT_MS);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGHUP, "status %x",
		  (unsigned)status);
	vt_free(vt);
}

/* ---- job control: needs a shell between the pty and the program ---- */

static pid_t shell_start_job(void)
{
	static struct term_cfg cfg;
	pid_t job = fork();

	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(app_main(&cfg));
	}
	setpgid(job, job);
	tcsetpgrp(STDIN_FILENO, job);
	return job;
}

/* Runs the program as a job; when it stops, waits for a line and continues it. */
static int shell_main(void *arg)
{
	char line[64];
	int status, stops = 0;
	pid_t job;

	(void)arg;
	signal(SIGTTOU, SIG_IGN);
	job = shell_start_job();
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		tcsetpgrp(STDIN_FILENO, getpid());
		printf("stopped %d #%d\n", job, ++stops);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 99;
		tcsetpgrp(STDIN_FILENO, job);
		kill(job, SIGCONT);
	}
	tcsetpgrp(STDIN_FILENO, getpid());
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static pid_t stopped_job(struct vt *vt)
{
	char row[200];
	int job = 0;

	for (int y = 0; y < 24 && job == 0; y++) {
		vt_row(vt, y, row, sizeof(row));
		sscanf(row, "stopped %d", &job);
	}
	return job;
}

Test(term, ctrl_z_restores_stops_and_comes_back, .timeout = VT_TEST_S)
{
	struct vt *vt = vt_fork(shell_main, NULL, NULL, 80, 24);
	pid_t job;

	cr_assert(shows(vt, "scene"));
	vt_send(vt, "\x1a");
	cr_assert(shows(vt, "stopped"));
	expect_restored(vt, "Ctrl-Z");
	job = stopped_job(vt);
	cr_assert_gt(job, 1);
	vt_resize(vt, 60, 20); /* while it sleeps */
	vt_send(vt, "fg\n");
	cr_assert(shows(vt, "1: CTRL_Z."));
	cr_expect(vt_in_altscreen(vt));
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	expect_restored(vt, "quit after Ctrl-Z");
	vt_free(vt);
}

Test(term, a_stop_from_outside_restores_and_comes_back, .timeout = VT_TEST_S)
{
	struct vt *vt = vt_fork(shell_main, NULL, NULL, 80, 24);
	pid_t job;

	cr_assert(shows(vt, "scene"));
	vt_send(vt, "\x1a");
	cr_assert(shows(vt, "#1"));
	job = stopped_job(vt);
	cr_assert_gt(job, 1);
	vt_send(vt, "fg\n");
	cr_assert(shows(vt, "scene"));
	kill(job, SIGTSTP);
	cr_assert(shows(vt, "#2"));
	expect_restored(vt, "SIGTSTP");
	vt_send(vt, "fg\n");
	cr_assert(shows(vt, "scene"));
	kill(job, SIGSTOP); /* cannot be caught: only the way back can be right */
	cr_assert(shows(vt, "#3"), "the shell writes over our picture");
	vt_send(vt, "fg\n");
	cr_assert(vt_wait_gone(vt, "#3", WAIT_MS));
	vt_send(vt, "z");
	cr_expect(shows(vt, " z."));
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	vt_free(vt);
}
