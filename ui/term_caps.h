/*
 * What the terminal and the locale can do, found without asking the terminal. Used by term.c only.
 */
#ifndef IODECK_UI_TERM_CAPS_H
#define IODECK_UI_TERM_CAPS_H

#include <stdbool.h>

#include "src/base/err.h"
#include "ui/theme.h"

/* 0, or why the console cannot run here (see term_open). */
int term_caps_check(struct err *e);
/* The locale shows our Unicode glyphs one column wide each. */
bool term_caps_unicode(void);
/* Colours of the terminal that curses has open; NO_COLOR is read here. */
enum theme_depth term_caps_depth(bool refuse_color);

#endif
