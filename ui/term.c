#include "ui/term.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
#include <termios.h>

#include "src/base/clock.h"
#include "src/base/xalloc.h"
#include "ui/term_caps.h"
#include "ui/term_input.h"
#include "ui/term_out.h"
#include "ui/term_restore.h"
#include "ui/term_signal.h"

enum {
	ESC_WAIT_MS = 25,   /* how long an Esc may wait for the rest of its sequence */
	TAIL_WAIT_MS = 500, /* how long the rest may take once the sequence has begun */
	/* Default on default. With pair 0 instead curses sends two sequences to leave a colour, not one. */
	PLAIN_PAIR = ROLE_NR + 1,
};

/* A cell as curses takes it. */
struct look {
	wchar_t ch;
	unsigned attr; /* enum cell_attr */
	short pair;
};

static struct {
	SCREEN *screen; /* NULL: closed */
	pid_t owner;    /* a forked child must not restore its parent's terminal */
	enum theme_depth depth;
	const struct glyphs *glyphs;
	struct look *shown; /* what curses has been told, w * h; ch 0: nothing */
	int w, h;
	bool repaint, resized, hung_up;
	struct term_input input;
	uint64_t input_ns; /* when bytes came last */
} term;

/* ---- the way out ---- */

static struct {
	char bytes[RESTORE_BYTES_MAX];
	size_t len;
} leave;

static int leave_putc(int c)
{
	if (leave.len < sizeof(leave.bytes))
		leave.bytes[leave.len++] = (char)c;
	return c;
}

static void leave_puts(const char *cap)
{
	const char *s = tigetstr(cap);

	if (s && s != (const char *)-1)
		tputs(s, 1, leave_putc);
}

/* The bytes that a fatal handler writes: what endwin() would do, made beforehand for this size. */
static void restore_arm(void)
{
	const char *rmcup = tigetstr("rmcup"), *cup = tigetstr("cup");

	leave.len = 0;
	leave_putc(0x18); /* CAN: ends a sequence that the dying program had half written */
	leave_puts("op");
	leave_puts("sgr0");
	if (!rmcup || rmcup == (const char *)-1) {
		tputs(tiparm(cup, term.h - 1, 0), 1, leave_putc);
		leave_putc('\r');
		leave_putc('\n');
	}
	leave_puts("cnorm");
	leave_puts("rmkx");
	leave_puts("rmcup");
	term_restore_arm(leave.bytes, leave.len);
}

/* ---- open and close ---- */

static void colors_init(void)
{
	if (term.depth == THEME_MONO || start_color() != OK)
		return;
	use_default_colors();
	for (int r = 0; r < ROLE_NR; r++) {
		struct theme_style s = theme_style((enum role)r, term.depth);

		if (s.fg >= 0)
			init_pair((short)(r + 1), s.fg, -1);
	}
	init_pair(PLAIN_PAIR, -1, -1);
}

/*
 * Bytes as they come, but Ctrl-\ still kills (and restores): the way out if the program hangs.
 * Ctrl-C and Ctrl-Z are keys, as a run must be asked about first. Set by ourselves: curses has no
 * terminal, only memory.
 */
static void modes_set(void)
{
	struct termios t = term_restore_settings();

	t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
	t.c_oflag &= ~(tcflag_t)(ONLCR | XTABS);
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	t.c_lflag |= ISIG;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	t.c_cc[VINTR] = t.c_cc[VSUSP] = _POSIX_VDISABLE;
	term_restore_apply(&t);
}

static void curses_init(void)
{
	nonl();
	keypad(stdscr, TRUE);
	typeahead(-1);
	leaveok(stdscr, FALSE);
	scrollok(stdscr, FALSE);
}

static void grid_resize(int w, int h)
{
	term.w = w;
	term.h = h;
	term.shown = xrealloc(term.shown, (size_t)w * (size_t)h * sizeof(*term.shown));
	term.repaint = true;
	resize_term(h, w);
	restore_arm();
}

static int screen_open(struct err *e)
{
	int w, h;

	use_env(FALSE); /* LINES and COLUMNS are stale as soon as the window changes */
	use_tioctl(TRUE);
	term.screen = newterm(NULL, term_out_stream(), stdin);
	if (!term.screen)
		return err_set(e, EIO, "cannot set up the terminal; use `iodeck run`");
	term.owner = getpid();
	modes_set();
	curses_init();
	term_size(&w, &h);
	grid_resize(w, h);
	return 0;
}

int term_open(const struct term_cfg *cfg, struct err *e)
{
	static bool at_exit;
	int rc = term_caps_check(e);

	if (rc)
		return rc;
	rc = term_signal_begin(); /* before newterm: it would take over those still at default */
	if (rc == 0)
		rc = term_restore_begin(STDOUT_FILENO);
	if (rc == 0)
		rc = term_out_begin(term_restore_fd());
	if (rc)
		err_set(e, -rc, "cannot set up the terminal: %s", strerror(-rc));
	else
		rc = screen_open(e);
	if (rc) {
		term_out_end();
		term_restore_end();
		term_signal_end();
		return rc;
	}
	if (!at_exit)
		at_exit = atexit(term_close) == 0;
	term.glyphs = cfg->force_ascii || !term_caps_unicode() ? &glyphs_ascii : &glyphs_utf8;
	term.depth = term_caps_depth(cfg->no_color);
	colors_init();
	term_stderr_hold();
	return 0;
}

/* What curses would send in the end is what the handlers send; a frame on its way is not waited for. */
static void leave_screen(void)
{
	endwin();
	term_out_drop();
	term_restore_leave();
	term_restore_disarm();
}

void term_close(void)
{
	if (!term.screen || term.owner != getpid())
		return;
	leave_screen();
	delscreen(term.screen);
	term_out_end();
	term_restore_end();
	term_signal_end();
	free(term.shown);
	memset(&term, 0, sizeof(term));
}

enum theme_depth term_depth(void)
{
	return term.depth;
}

const struct glyphs *term_glyphs(void)
{
	return term.glyphs;
}

void term_suspend(void)
{
	if (!term.screen)
		return;
	leave_screen();
	term_stderr_release();
	term_signal_stop();
	term_restore_remember();
	modes_set();
	restore_arm();
	term_stderr_hold();
	term.repaint = true;
}

/* ---- drawing ---- */

static attr_t curses_attr(unsigned attr)
{
	attr_t a = A_NORMAL;

	if (attr & ATTR_BOLD)
		a |= A_BOLD;
	if (attr & ATTR_REVERSE)
		a |= A_REVERSE;
	if (attr & ATTR_UNDERLINE)
		a |= A_UNDERLINE;
	return a;
}

/* The C library knows better than the canvas: another width would shift the whole row. */
static wchar_t sign_of(const struct cell *cell)
{
	wchar_t ch = (wchar_t)cell->ch;

	if (ch == 0)
		return L' ';
	return ch > 0x7e && wcwidth(ch) != 1 ? L'?' : ch;
}

static bool is_blank(struct look l)
{
	return l.ch == L' ' && !(l.attr & (ATTR_REVERSE | ATTR_UNDERLINE));
}

/*
 * A blank shows no colour and no boldness, so it takes what costs least: the colour to the left of it,
 * which mostly goes on to the right; further on none, or a change on the left would redraw the row.
 */
static struct look look_of(const struct cell *cell, struct look left)
{
	struct theme_style s = theme_style(cell->role, term.depth);
	short plain = term.depth == THEME_MONO ? 0 : PLAIN_PAIR;
	struct look l = {
		.ch = sign_of(cell),
		.attr = s.attr | cell->attr,
		.pair = s.fg >= 0 ? (short)(cell->role + 1) : plain,
	};

	if (is_blank(l)) {
		l.attr = 0;
		l.pair = left.ch != L' ' && left.ch && !left.attr ? left.pair : plain;
	}
	return l;
}

static void look_draw(int x, int y, struct look l)
{
	wchar_t text[2] = {l.ch, 0};
	cchar_t out;

	setcchar(&out, text, curses_attr(l.attr), l.pair, NULL);
	mvadd_wch(y, x, &out);
}

static void row_draw(const struct cell *cells, int y, int w)
{
	struct look left = {0};

	for (int x = 0; x < w; x++) {
		struct look l = look_of(&cells[x], left), *shown = &term.shown[y * term.w + x];

		if (l.ch != shown->ch || l.attr != shown->attr || l.pair != shown->pair) {
			look_draw(x, y, l);
			*shown = l;
		}
		left = l;
	}
}

static void cells_draw(const struct canvas *c)
{
	for (int y = 0; y < c->h && y < term.h; y++)
		row_draw(&c->cells[y * c->w], y, c->w < term.w ? c->w : term.w);
}

static void repaint_begin(void)
{
	werase(stdscr);
	clearok(curscr, TRUE);
	memset(term.shown, 0, (size_t)term.w * (size_t)term.h * sizeof(*term.shown));
	term.repaint = false;
}

void term_bell(void)
{
	if (term.screen)
		beep();
}

void term_flush(const struct canvas *c)
{
	int w, h;

	if (!term.screen)
		return;
	term_size(&w, &h);
	if (w != term.w || h != term.h)
		grid_resize(w, h);
	if (term.repaint)
		repaint_begin();
	cells_draw(c);
	if (c->cur_x >= 0 && c->cur_x < term.w && c->cur_y >= 0 && c->cur_y < term.h) {
		wmove(stdscr, c->cur_y, c->cur_x);
		curs_set(1);
	} else {
		curs_set(0);
	}
	wrefresh(stdscr);
	term_out_take();
	term_drain();
}

bool term_drain(void)
{
	int rc = term.screen ? term_out_send() : 1;

	if (rc < 0 && !term.hung_up) {
		term.hung_up = true;
		term_signal_post(SIGHUP);
	}
	return rc != 0;
}

int term_drain_fd(void)
{
	return term_restore_fd();
}

uint64_t term_bytes(void)
{
	return term_out_bytes();
}

void term_repaint(void)
{
	term.repaint = true;
}

/* ---- input ---- */

int term_fd(void)
{
	return STDIN_FILENO;
}

int term_signal_fd(void)
{
	return term_signal_pipe();
}

uint64_t term_take_signals(void)
{
	uint64_t bits = term_signal_take();

	if (bits & UINT64_C(1) << SIGWINCH) {
		term.resized = true;
		term.repaint = true; /* smaller and back between two frames: cells are lost */
	}
	if (bits & UINT64_C(1) << SIGCONT) { /* after SIGSTOP we could not leave in order */
		modes_set();
		term.repaint = true;
	}
	return bits;
}

static bool input_ready(int timeout_ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return !term.hung_up && poll(&p, 1, timeout_ms) > 0;
}

static void input_age(void)
{
	uint64_t now = clock_mono_ns();

	if (now - term.input_ns > TAIL_WAIT_MS * UINT64_C(1000000))
		input_drop(&term.input);
	term.input_ns = now;
}

/* True: bytes were added. The end of input means that the terminal is gone. */
static bool input_fill(int timeout_ms)
{
	size_t room;
	uint8_t *space;
	ssize_t n;

	if (!input_ready(timeout_ms))
		return false;
	input_age();
	space = input_space(&term.input, &room);
	n = read(STDIN_FILENO, space, room);
	if (n > 0) {
		input_added(&term.input, (size_t)n);
		return true;
	}
	if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		term.hung_up = true;
		term_signal_post(SIGHUP);
	}
	return false;
}

uint32_t term_read_key(void)
{
	uint32_t key;

	if (term.resized) {
		term.resized = false;
		return TERM_RESIZE;
	}
	while ((key = input_next(&term.input)) == 0)
		if (!input_fill(input_esc_waits(&term.input) ? ESC_WAIT_MS : 0))
			return input_esc_waits(&term.input) ? input_esc(&term.input) : 0;
	return key;
}
