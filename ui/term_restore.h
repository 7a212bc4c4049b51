/*
 * The promise that the terminal comes back when the process dies. Everything a handler needs is made
 * beforehand: descriptors, the saved termios and the bytes that lead out of full-screen mode, because
 * endwin() is not async-signal-safe. Used by term.c only.
 */
#ifndef IODECK_UI_TERM_RESTORE_H
#define IODECK_UI_TERM_RESTORE_H

#include <stddef.h>
#include <termios.h>

enum { RESTORE_BYTES_MAX = 512 };

/* Keeps the settings of the terminal on tty_fd. 0/-errno. */
int term_restore_begin(int tty_fd);
/* The settings of just now are the ones to come back to (after a stop: the shell may have changed them). */
void term_restore_remember(void);
struct termios term_restore_settings(void); /* the remembered ones */
void term_restore_apply(const struct termios *);
/*
 * The terminal, non-blocking where that can be had without making it so for the shell as well: a
 * handler can cut this descriptor off without touching fd 1.
 */
int term_restore_fd(void);
/* From now on, until disarm: fatal signals restore first. Again after a resize, with new bytes. */
void term_restore_arm(const char *bytes, size_t len);
void term_restore_disarm(void);
/*
 * In order: the same bytes and settings, now. A terminal that takes nothing is waited for 2 s; then the
 * bytes go to stdout's buffer, before the report.
 */
void term_restore_leave(void);
/* While full screen, stderr (if a terminal) goes to memory; _release() shows what came. */
void term_stderr_hold(void);
void term_stderr_release(void);
/* Gives back what begin took. */
void term_restore_end(void);

#endif
