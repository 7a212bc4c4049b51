/* Values of one axis, and the SLO, from text. Only sweep_spec.c needs this. */
#ifndef IODECK_SPEC_SWEEP_VALUES_H
#define IODECK_SPEC_SWEEP_VALUES_H

#include "src/spec/sweep_spec.h"

/*
 * Items with ',' between: a value, A..B (doubles from A; B is always the last), A..B/S (steps of S).
 * Numbers are sorted. Refused: the same value twice, more than SWEEP_VALUES_MAX, values out of range.
 */
int sweep_values_parse(enum sweep_kind, const char *text, struct sweep_axis *out, struct err *e);

#endif
