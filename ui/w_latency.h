/*
 * Latency percentiles of one interval as thin lines on the fixed log axis, value at the right. A `~`
 * stands before a percentile that fewer than ten samples lie above: it is a guess. No samples: unknown.
 */
#ifndef IODECK_UI_W_LATENCY_H
#define IODECK_UI_W_LATENCY_H

#include <stdbool.h>

#include "src/stat/snapshot.h"
#include "ui/canvas.h"

/* Axis row and seven rows below it. */
void w_latency(struct canvas *, struct rect r, const struct lat_view *);
/* The same facts as text in one or two rows; in one row the most wanted only. */
void w_latency_short(struct canvas *, struct rect r, const struct lat_view *);
/* Are there fewer than ten samples above this percentile? */
bool latency_is_weak(uint64_t n, double pct);

#endif
