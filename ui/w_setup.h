/*
 * The strip of settings: "rw=randread  bs=4 KiB  qd[32] jobs=1 ...". The focused field stands in
 * brackets, which take the place of "=" and a blank, so that nothing moves with the focus. In a narrow
 * strip the fields scroll so that the focused one is always whole.
 */
#ifndef IODECK_UI_W_SETUP_H
#define IODECK_UI_W_SETUP_H

#include "ui/canvas.h"
#include "ui/state.h"

/* One row; places the terminal's cursor while a value is typed. */
void w_setup(struct canvas *, struct rect row, const struct ui_state *);

#endif
