/*
 * When a number does not mean what it seems to: one table of rules over the snapshot, drawn by whoever has
 * room. A rule speaks only of what was measured or is certain, never of what might be. Pure, any thread.
 */
#ifndef IODECK_UI_HONESTY_H
#define IODECK_UI_HONESTY_H

#include <stddef.h>

#include "src/stat/snapshot.h"
#include "ui/canvas.h"

#define HONESTY_MAX      10
#define HONESTY_TEXT_MAX 48

struct honesty_line {
	char text[HONESTY_TEXT_MAX]; /* at most 33 columns: "! tmpfs: this measures memory" */
	const char *why;             /* goes on after it where there is room */
};

/* Those that hold, gravest first; their number. */
int honesty_lines(const struct canvas *, const struct lane_snap *,
		  struct honesty_line out[HONESTY_MAX]);

#endif
