/* The History screen: the runs that are kept, one a row; details of one, or several in one graph. */
#ifndef IODECK_UI_VIEW_HISTORY_H
#define IODECK_UI_VIEW_HISTORY_H

#include "ui/view.h"

extern const struct view_ops view_history;

/* history_overlay.c: the picked runs on one time axis, and their numbers below. */
void history_overlay(struct canvas *, const struct ui_state *, struct rect);

#endif
