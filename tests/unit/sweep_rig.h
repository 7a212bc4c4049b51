/* A device made of arithmetic, seen through hand-made snapshots: what a sweep is fed in tests. */
#ifndef IODECK_TESTS_SWEEP_RIG_H
#define IODECK_TESTS_SWEEP_RIG_H

#include "src/base/rng.h"
#include "src/run/sweep.h"

struct sweep_rig {
	struct sweep sw;
	struct lane_snap lane;
	struct rng rng;
	uint64_t now_ns;
	enum sweep_step step;
	unsigned tunes; /* how often a new tuning was asked for */
	/* the device */
	double r0_ns, xmax; /* asymptotes, for 4 KiB; larger blocks share bps */
	double bps;         /* 0: no limit */
	double noise;       /* of each tick, share of the rate (uniform, +-) */
	double drift_s;     /* change of the rate each second, share; ends never */
	bool dead;          /* completes nothing */
	uint64_t dead_from_ns, dead_to_ns;
	unsigned settle_ticks, settling; /* how long a change takes; UINT_MAX never */
	double carry;                    /* a part of a completion */
	/* Instead of the asymptotes: rate, mean and p99 at a tuning. */
	void (*device)(void *arg, const struct tuning *, double *iops, double *mean_ns,
		       double *p99_ns);
	void *device_arg;
	double p99_fold; /* p99 over the mean */
};

void rig_init(struct sweep_rig *, const char *words);
/* One tick of 100 ms. */
void rig_tick(struct sweep_rig *);
/* Until it is over or n ticks have passed; the number of ticks. */
unsigned rig_run(struct sweep_rig *, unsigned n);
double rig_iops(const struct sweep_rig *, const struct tuning *);

#endif
