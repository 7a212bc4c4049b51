/*
 * Golden files: a text is compared with tests/golden/NAME.txt. UPDATE=1 (make golden) writes the file
 * instead; the difference is then reviewed like code. A missing file fails.
 */
#ifndef IODECK_TESTS_GOLDEN_H
#define IODECK_TESTS_GOLDEN_H

#include "ui/canvas.h"

void golden_text(const char *name, const char *text);
/* The canvas as plain text. */
void golden_canvas(const char *name, const struct canvas *);
/* With its attributes, as a terminal without colours gets it. */
void golden_canvas_mono(const char *name, const struct canvas *);

#endif
