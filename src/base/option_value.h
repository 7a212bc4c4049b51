/*
 * The inside of option.c, by type: how one field is cleared and copied. Only option.c needs this.
 */
#ifndef IODECK_BASE_OPTION_VALUE_H
#define IODECK_BASE_OPTION_VALUE_H

#include "src/base/option.h"

/* Nothing set: 0, false, NULL. A custom row's field is left alone. */
void option_value_clear(const struct option_def *row, void *obj);
void option_value_copy(const struct option_def *row, void *dst, const void *src);

#endif
