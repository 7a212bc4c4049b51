/*
 * Is A different from B? Two sets of per-second values, the difference of their means with its 95 %
 * confidence interval, and a verdict. "No difference shown" is a result: the interval holds 0.
 *
 * Welch's t-test: the two may vary differently and be of different number; the degrees of freedom are
 * Welch and Satterthwaite's (Biometrika 34, 1947), rounded down. It takes the seconds for independent of
 * each other; where they are not (a slow drift), the interval is too narrow. Pure, any thread.
 */
#ifndef IODECK_STAT_COMPARE_H
#define IODECK_STAT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/stat/snapshot.h"

enum compare_verdict {
	COMPARE_UNKNOWN, /* fewer than two values on a side */
	COMPARE_SAME,    /* no difference shown */
	COMPARE_A_MORE,
	COMPARE_B_MORE,
	COMPARE_VERDICTS
};
/* "too few seconds", "no difference shown", "A more", "B more" */
extern const char *const compare_verdict_words[COMPARE_VERDICTS];

struct compare {
	size_t n_a, n_b;
	double a, b;    /* means; NAN: no value */
	double ratio;   /* a / b; NAN: unknown, or b is 0 */
	double diff;    /* a - b */
	double ci_half; /* the interval is diff -+ ci_half; NAN: unknown */
	enum compare_verdict verdict;
};

/* Values that are NAN are left out. */
void compare_make(struct compare *, const double *a, size_t n_a, const double *b, size_t n_b);

/* What is compared. Of latencies less is better. */
enum compare_what {
	COMPARE_IOPS,
	COMPARE_BPS,
	COMPARE_MEAN, /* latencies in ns: the mean and percentiles of each second */
	COMPARE_P50,
	COMPARE_P99,
	COMPARE_P999,
	COMPARE_MAX,
	COMPARE_NR
};
extern const char *const compare_what_words[COMPARE_NR]; /* "IOPS" "bytes/s" "mean" "p50" .. */

/*
 * The seconds of the lanes of a run, taken from its snapshots: whole seconds one after the other, in which
 * the lane was counting, on its turn, and not settling. A change of its settings drops what was before.
 * One thread.
 */
#define COMPARE_SECONDS 3600

struct compare_track {
	struct compare_lane {
		uint64_t t_start_ns;      /* of the run these seconds are of */
		uint32_t gen;             /* of the settings */
		uint64_t last_ns;         /* end of the newest second */
		uint64_t steady_since_ns; /* 0: not steady */
		size_t n, next;           /* a ring */
		uint64_t t_ns[COMPARE_SECONDS];
		double v[COMPARE_NR][COMPARE_SECONDS];
		uint64_t least_ios; /* smallest number of I/Os in a second; UINT64_MAX: none */
	} lane[LANE_MAX];
};

/* Once for every snapshot. A new run begins anew. */
void compare_track_add(struct compare_track *, const struct snapshot *);
/*
 * Lane a against lane b over the newest `seconds` seconds of each (0: all that are kept). Seconds need not
 * be the same ones: lanes may take turns.
 */
void compare_lanes(const struct compare_track *, unsigned a, unsigned b, enum compare_what,
		   size_t seconds, struct compare *out);
/* Fewer than ten samples above this percentile in some second: its seconds are guesses. */
bool compare_is_weak(const struct compare_track *, unsigned lane, enum compare_what);

#endif
