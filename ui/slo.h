/*
 * Judging a window by a latency objective (its syntax is spec/sweep_spec's, as is the rule: below the
 * limit, not at it). Pure, any thread.
 */
#ifndef IODECK_UI_SLO_H
#define IODECK_UI_SLO_H

#include "src/spec/sweep_spec.h"
#include "src/stat/snapshot.h"

enum slo_verdict { VERDICT_UNKNOWN, VERDICT_OK, VERDICT_MISSED };

struct slo_result {
	enum slo_verdict verdict; /* unknown: nothing was completed */
	double value_ns;          /* of what the objective is about; NAN unknown */
	double within_pct;        /* I/Os faster than the limit, by bucket midpoints; NAN unknown */
};

/* The view and the histogram of one window. */
struct slo_result slo_judge(const struct slo *, const struct lat_view *, const struct hist *);
const char *slo_verdict_word(enum slo_verdict); /* "OK" "MISSED" "-" */

#endif
