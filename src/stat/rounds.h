/*
 * Is a device steady? Rounds of equal length come in, each with its throughput; the newest `window` of
 * them are judged as the SNIA Solid State Storage Performance Test Specification does (PTS 2.0.1, 2.2.1,
 * steady state): the range of the values is within range_pct of their mean, and the least-squares line
 * through them changes by no more than slope_pct of the mean over the window. Pure, any thread.
 */
#ifndef IODECK_STAT_ROUNDS_H
#define IODECK_STAT_ROUNDS_H

#include <stdbool.h>

#define ROUNDS_MAX 64u

struct rounds_rule {
	unsigned window; /* rounds that are judged, 3..ROUNDS_MAX */
	double range_pct, slope_pct;
};

struct rounds {
	double y[ROUNDS_MAX];
	unsigned n;
};

struct rounds_verdict {
	bool steady;
	unsigned from; /* the first round of the window */
	double mean, range_pct,
		slope_pct; /* of the window; NAN: fewer rounds than that, or no I/O */
};

/* One more round. Beyond ROUNDS_MAX it is dropped: ask rounds_is_full(). */
void rounds_add(struct rounds *, double y);
bool rounds_is_full(const struct rounds *);
void rounds_judge(const struct rounds *, const struct rounds_rule *, struct rounds_verdict *);

#endif
