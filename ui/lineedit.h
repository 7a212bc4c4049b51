/*
 * One line of UTF-8 text under a cursor, in memory that the caller owns. Whole characters only: the
 * cursor never stands inside one. UI thread.
 */
#ifndef IODECK_UI_LINEEDIT_H
#define IODECK_UI_LINEEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/canvas.h"
#include "ui/keys.h"

struct lineedit {
	char *buf;
	size_t size; /* of buf, with the NUL */
	size_t *pos; /* byte offset of the cursor */
};

/* An edit request (REQ_LEFT ... REQ_DELETE) or, with REQ_NONE, a typed character. true: it was one. */
bool lineedit_key(const struct lineedit *, enum request, uint32_t key);
/* Draws the text into w columns, scrolled so that the cursor is seen, and places the cursor. */
void lineedit_draw(const char *text, size_t pos, struct canvas *, int x, int y, int w);

#endif
