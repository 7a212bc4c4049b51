/*
 * A terminal for tests: a child on a pty, its output read by libvterm. Ask for what must become true
 * (vt_wait_text) and not for time to pass. A call that cannot work aborts the test with a message.
 *
 *	struct vt *vt = vt_spawn((char *[]){"./iodeck", "file", NULL}, NULL, 80, 24);
 *	cr_assert(vt_wait_text(vt, "qd", 5000));
 *	vt_send(vt, "q");
 *	cr_assert_eq(vt_wait_exit(vt, 5000), 0);
 *	vt_free(vt);
 */
#ifndef IODECK_TESTS_PTY_VT_H
#define IODECK_TESTS_PTY_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "src/base/strbuf.h"

/*
 * .timeout of every test that uses this, in seconds. One value for all: Criterion 2.4 leaks 48 bytes
 * when tests with different timeouts run side by side, and LSan then fails the run.
 */
enum { VT_TEST_S = 120 };

struct vt;

struct vt_cell {
	uint32_t ch; /* ' ' for a blank */
	bool bold, underline, reverse;
	int fg; /* xterm-256 index, -1: default */
};

/*
 * env: "NAME=value" sets, "NAME" removes; NULL ends, may be NULL. Beforehand TERM is xterm-256color,
 * LC_ALL is C.UTF-8, and LINES, COLUMNS, NO_COLOR are not set.
 */
struct vt *vt_spawn(char *const argv[], const char *const env[], int w, int h);
/* The child calls fn(arg) and ends with its value by _exit(). */
struct vt *vt_fork(int (*fn)(void *), void *arg, const char *const env[], int w, int h);
/* A terminal without a child, to compare with: text and SGR are painted on it. A line ends by \n. */
struct vt *vt_paper(int w, int h);
void vt_paint(struct vt *, const char *ansi, size_t n);
void vt_free(struct vt *); /* kills the child if it still runs */

pid_t vt_pid(const struct vt *);
void vt_kill(struct vt *, int sig);
void vt_hangup(struct vt *); /* closes the master: the terminal is gone */
/* The status as of waitpid(), -1: still running after timeout_ms. Reads what the child wrote. */
int vt_wait_exit(struct vt *, int timeout_ms);

void vt_send(struct vt *, const char *keys);
void vt_send_unread(struct vt *, const char *keys); /* and nothing of the child's output is read */
void vt_send_bytes(struct vt *, const void *, size_t n);
void vt_resize(struct vt *, int w, int h);
void vt_size(const struct vt *, int *w, int *h);

/* Reads and shows until the condition holds; false after timeout_ms. */
bool vt_wait(struct vt *, bool (*cond)(struct vt *, void *), void *arg, int timeout_ms);
bool vt_wait_text(struct vt *, const char *text, int timeout_ms);
bool vt_wait_gone(struct vt *, const char *text, int timeout_ms);
/* Nothing was written for quiet_ms. */
bool vt_wait_quiet(struct vt *, int quiet_ms, int timeout_ms);

bool vt_has_text(struct vt *, const char *text);
void vt_row(struct vt *, int y, char *buf, size_t size); /* UTF-8, trailing blanks cut */
void vt_text(struct vt *, struct strbuf *);              /* all rows, each ended by a newline */
struct vt_cell vt_cell(struct vt *, int x, int y);
/* Same text, colours and attributes in every cell. If not: *x, *y is the first that differs. */
bool vt_same(struct vt *, struct vt *, int *x, int *y);
void vt_cursor(struct vt *, int *x, int *y, bool *visible);
bool vt_in_altscreen(const struct vt *);
/* The primary screen's text; false while the child is in the alternate one. */
bool vt_primary_screen_text(struct vt *, struct strbuf *);
struct termios vt_termios(struct vt *);
bool vt_termios_is_back(struct vt *); /* the settings are those that the child has found */
uint64_t vt_bytes(const struct vt *); /* read from the child so far */

#endif
