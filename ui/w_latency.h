/*
 * Latency percentiles of one interval as thin lines on the fixed log axis, value at the right. A `~`
 * stands before a percentile that fewer than ten samples lie above: it is a guess. No samples: unknown.
 */
#ifndef IODECK_UI_W_LATENCY_H
#define IODECK_UI_W_LATENCY_H

#include <stdbool.h>

#include "src/stat/snapshot.h"
#include "ui/canvas.h"
#include "ui/slo.h"

/* Axis row and seven rows below it. limit_ns: marked on the axis, NAN none. */
#define LATENCY_BODY_ROWS 8
void w_latency(struct canvas *, struct rect r, const struct lat_view *, double limit_ns);
/* "SLO p99<200 us  MISSED  p99 318 us  98.3% within", as much as fits; the verdict always. */
void w_latency_slo(struct canvas *, struct rect row, const struct slo *, const struct lat_view *,
		   const struct hist *);
/* "62 I/Os above p99.99": what the highest percentile rests on. Nothing where it is less than one. */
void w_latency_above(struct canvas *, struct rect row, const struct lat_view *);
/* The same facts as text in one or two rows; in one row the most wanted only. */
void w_latency_short(struct canvas *, struct rect r, const struct lat_view *);
/* Are there fewer than ten samples above this percentile? */
bool latency_is_weak(uint64_t n, double pct);

#endif
