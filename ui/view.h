/*
 * A screen: draws model and state into a rectangle of the canvas and can do nothing else. To add one:
 * a file with a `const struct view_ops` and a line in views.c; tab, key, help and the draw-at-all-sizes
 * test come with it.
 */
#ifndef IODECK_UI_VIEW_H
#define IODECK_UI_VIEW_H

#include "ui/canvas.h"
#include "ui/keys.h"
#include "ui/model.h"
#include "ui/state.h"

struct view_ops {
	const char *name;     /* "run" */
	const char *title;    /* the tab: "Run" */
	const char *help;     /* a few sentences for the help page */
	enum key_screen keys; /* where its keys are looked up */
	void (*draw)(const struct ui_state *, const struct model *, struct canvas *);
};

extern const struct view_ops *const view_table[]; /* ended by NULL; key 1 is the first */

/* "[1 Run]  2 Sweep" from x, "[1 Run]  2" where room is short; whole tabs that end before `end`. */
int view_tabs(struct canvas *, int x, int y, int end, const struct view_ops *here);

#endif
