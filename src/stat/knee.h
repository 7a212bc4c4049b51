/*
 * Where a throughput curve bends. Three rules; there is no single right one, so the rule is always named
 * beside its answer. Pure, any thread.
 */
#ifndef IODECK_STAT_KNEE_H
#define IODECK_STAT_KNEE_H

#include "src/stat/curve.h"

enum knee_rule {
	KNEE_POWER, /* largest X/R, "power" (Kleinrock 1979): throughput bought with latency */
	KNEE_SHARE, /* smallest load with X >= 0.9 of the highest X measured */
	KNEE_SLO,   /* largest load whose latency is inside the SLO */
	KNEE_RULES
};

/* "max of IOPS / mean latency" and so on. */
const char *knee_rule_text(enum knee_rule);
/*
 * Index of the point, -1: none (no point with throughput; nothing inside; limit_ns 0: no SLO). Of equals
 * the smaller load. A point at the last index of KNEE_POWER says that the curve has not bent yet.
 */
int knee_find(enum knee_rule, const struct curve_point *, unsigned n, double limit_ns);
/* Index of the highest throughput, -1 none. */
int knee_peak(const struct curve_point *, unsigned n);

#endif
