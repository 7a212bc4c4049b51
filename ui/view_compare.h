/* The Compare screen: lanes one above the other on one time axis, and A against B in numbers. */
#ifndef IODECK_UI_VIEW_COMPARE_H
#define IODECK_UI_VIEW_COMPARE_H

#include "ui/view.h"

extern const struct view_ops view_compare;

#endif
