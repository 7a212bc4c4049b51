/*
 * A model of throughput against depth, fitted to measured points by least squares of relative errors.
 * Two forms are tried, the one with the smaller residual is kept:
 *
 *   asymptote   X(N) = N/R1 / (1 + (N/N1)^p)^(1/p), N1 = Xmax R1
 *               The two asymptotes of a closed queueing network, N/R1 and Xmax (Denning and Buzen, The
 *               Operational Analysis of Queueing Network Models, 1978), joined by a p-norm. Large p: many
 *               equal servers behind one queue; p near 1: servers that are picked blindly.
 *   USL         X(N) = l N / (1 + s (N-1) + k N (N-1)), the Universal Scalability Law (Gunther, Guerrilla
 *               Capacity Planning, 2007): throughput that falls again. Linear in 1/l, s/l and k/l.
 *
 * A fit that would mislead is refused with its reason. Three of them are seen in the points themselves, because
 * both forms would follow the curve somehow and mean nothing:
 *   - throughput still grows by a fifth with the last doubling: no saturation;
 *   - it stays flat and grows later: a queue that is sorted, as by a disk's arm. Both forms are of servers
 *     whose speed does not depend on the depth;
 *   - N = X R is off: so many are not in flight.
 * In a closed network X(N) is at most N X(1). A depth of 1 that breaks this was measured on a host that fell
 * asleep between requests, which no other depth did: it is left out, and said so.
 */
#ifndef IODECK_STAT_FIT_H
#define IODECK_STAT_FIT_H

#include <stdbool.h>

#include "src/stat/curve.h"

#define FIT_MIN_POINTS   4u
#define FIT_MAX_POINTS   64u
#define FIT_RESIDUAL_PCT 5.0
#define FIT_LITTLE_PCT   5.0
#define FIT_GROWS_PCT    20.0 /* with a doubling of the depth */
#define FIT_ASLEEP_PCT   5.0  /* depth 1 is slower than its share by more */

enum fit_form { FIT_NONE, FIT_ASYMPTOTE, FIT_USL };

struct fit {
	enum fit_form form; /* FIT_NONE: refused, `why` says so */
	char why[112];
	unsigned points;     /* that it was fitted to */
	bool without_one;    /* depth 1 is not one of them */
	double a, b, c;      /* asymptote: R1 ns, Xmax, p; USL: l, s, k */
	double residual_pct; /* root mean square of the relative errors; NAN: nothing fitted */
	double r0_ns; /* response time of one request alone: measured, else the model's 1/X(1) */
	double xmax;  /* IOPS: the model's peak, or what it tends to */
	double nstar; /* Xmax R0: depth at which the asymptotes meet */
	double n90;   /* smallest depth with 0.9 Xmax */
};

/* Points in ascending n. Those without throughput are left out. */
void fit_curve(const struct curve_point *, unsigned n, struct fit *);
/* The model at depth n; NAN without a fit. */
double fit_iops(const struct fit *, double n);
const char *fit_form_word(enum fit_form);
/* How far N = X R is off at a point, percent of n. */
double fit_little_off_pct(const struct curve_point *);

#endif
