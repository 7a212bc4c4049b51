/*
 * A small program on top of term_*, for tests that fork it onto a pty: shows a scene and the keys it
 * was given, answers signals as the console does, and dies in many ways on demand.
 */
#ifndef IODECK_TESTS_PTY_APP_H
#define IODECK_TESTS_PTY_APP_H

#include "tests/pty/vt.h"
#include "ui/canvas.h"
#include "ui/term.h"

enum { WAIT_MS = 10000 };

/* Something of everything, up to the last cell of the last row. */
void app_scene(struct canvas *);
/*
 * For vt_fork(). cfg: struct term_cfg. Row 1 shows "<count>: <keys>." after the first key.
 * q quits, W writes to stderr, C closes stdout, R reopens the terminal; S T O A E end it by a fault, a
 * fault in a thread, a stack overflow, abort() and exit(3).
 */
int app_main(void *cfg);

/* Signs beyond ASCII take two columns from now on, as some CJK settings have it; children inherit it. */
extern bool app_wide_signs;

/* Starts it and waits for the first picture. */
struct vt *app_start(const char *const env[], int w, int h);
/* Ends it in order. */
void app_quit(struct vt *);
/* Waits for the text; says what is on the screen when it does not come. */
bool app_shows(struct vt *, const char *text);

#endif
