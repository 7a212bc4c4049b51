/*
 * The terminal: curses as a canvas back end, keys in, and the promise that it is restored whatever
 * happens (exit, TERM INT HUP QUIT SEGV ABRT BUS, Ctrl-Z). One instance per process; UI thread only,
 * except the signal handlers inside, which use async-signal-safe calls only.
 *
 * The caller has set LC_CTYPE from the environment (setlocale) before term_open(). Other threads
 * should block the signals below, so that their system calls are not interrupted. While open, what is
 * written to stderr is kept and shown after the end, SIGPIPE is ignored, and Ctrl-\ still kills.
 * Nothing is ever asked of the terminal: an answer would look like keys.
 */
#ifndef IODECK_UI_TERM_H
#define IODECK_UI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "ui/canvas.h"

struct term_cfg {
	bool force_ascii, no_color; /* --ascii, --no-color (NO_COLOR is read inside) */
};

/* -ENOTTY (no terminal) and -ENOTSUP (TERM unset or dumb) name `iodeck run` in the message. */
int term_open(const struct term_cfg *, struct err *e);
void term_close(void); /* restores; idempotent */
enum theme_depth term_depth(void);
const struct glyphs *term_glyphs(void);
void term_size(int *w, int *h); /* asks the kernel, not LINES/COLUMNS; 1..1000 x 1..500 */
/* With the next frame. */
void term_bell(void);
/*
 * Draws what differs, as far as the terminal takes it without waiting. The rest goes out by term_drain();
 * until that says so, a further frame only makes the queue longer.
 */
void term_flush(const struct canvas *);
bool term_drain(void);     /* sends what is left; true: all is out */
int term_drain_fd(void);   /* POLLOUT when more can be sent */
uint64_t term_bytes(void); /* sent to the terminal since it was opened */
void term_repaint(void);   /* next flush redraws all (Ctrl-L) */
void term_suspend(void);   /* Ctrl-Z, SIGTSTP: restore, stop; returns when continued */

/*
 * Keys as code points (0x20..0x10ffff), control keys as TERM_* below. 0: none waiting; call until then,
 * as keys may be left that term_fd() does not announce. Fragments of escape sequences and UTF-8 are put
 * together inside; a lone Esc is decided after 25 ms. Esc and a digit is an F-key.
 */
enum term_key {
	TERM_KEY_BASE = 0x110000,
	TERM_UP,
	TERM_DOWN,
	TERM_LEFT,
	TERM_RIGHT,
	TERM_HOME,
	TERM_END,
	TERM_PGUP,
	TERM_PGDN,
	TERM_DEL,
	TERM_BACKSPACE,
	TERM_ENTER,
	TERM_ESC,
	TERM_TAB,
	TERM_BACKTAB,
	TERM_RESIZE,
	TERM_CTRL_C,
	TERM_CTRL_L,
	TERM_CTRL_Z,
	TERM_F1 = TERM_KEY_BASE + 0x100, /* F1..F12 follow */
};
uint32_t term_read_key(void);
int term_fd(void);        /* readable when keys wait */
int term_signal_fd(void); /* readable after SIGWINCH INT TERM HUP TSTP CONT */
/*
 * Signals since the last call: a bit per signal number; drains term_signal_fd(). The caller answers
 * TSTP with term_suspend() and INT, TERM, HUP by ending in order. HUP also stands for a terminal that
 * went away without a signal.
 */
uint64_t term_take_signals(void);

#endif
