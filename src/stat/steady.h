/*
 * Is a device steady? Rounds of equal length come in, each with its throughput; the newest `window` of
 * them are judged as the SNIA Solid State Storage Performance Test Specification does (PTS 2.0.1, 2.2.1,
 * steady state): the range of the values is within range_pct of their mean, and the least-squares line
 * through them changes by no more than slope_pct of the mean over the window. Pure, any thread.
 */
#ifndef IODECK_STAT_STEADY_H
#define IODECK_STAT_STEADY_H

#include <stdbool.h>

#define STEADY_ROUNDS_MAX 64u

struct steady_rule {
	unsigned window; /* rounds that are judged, 3..STEADY_ROUNDS_MAX */
	double range_pct, slope_pct;
};

struct steady {
	double y[STEADY_ROUNDS_MAX];
	unsigned n;
};

struct steady_verdict {
	bool steady;
	unsigned from; /* the first round of the window */
	double mean, range_pct,
		slope_pct; /* of the window; NAN: fewer rounds than that, or no I/O */
};

/* One more round. Beyond STEADY_ROUNDS_MAX it is dropped: ask steady_is_full(). */
void steady_add(struct steady *, double y);
bool steady_is_full(const struct steady *);
void steady_judge(const struct steady *, const struct steady_rule *, struct steady_verdict *);

#endif
