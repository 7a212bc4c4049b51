/* The Sweep screen: a grid that fills while it is measured, a curve, and what follows from them. */
#ifndef IODECK_UI_VIEW_SWEEP_H
#define IODECK_UI_VIEW_SWEEP_H

#include "ui/view.h"

extern const struct view_ops view_sweep;

#endif
