/*
 * Published curves of real devices, and a load that runs a simulated device in virtual time to
 * compare with them. Used by test_sim.c and tests/tools/sim_fit.c; knows nothing of Criterion.
 */
#ifndef IODECK_TESTS_SIM_CURVES_H
#define IODECK_TESTS_SIM_CURVES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "engines/sim_model.h"

/* Closed loop: every host keeps depth / hosts requests of one kind in flight. */
struct sim_load {
	uint32_t op, len, depth, hosts;
	bool sync;         /* a flush after each write, as fsync=1; wants depth == hosts */
	uint32_t read_pct; /* not 0: mixed reads and writes instead of op */
	uint32_t ios;      /* counted, after some that warm it up */
};

struct sim_figures {
	double iops, mean_us, p50_us, p99_us, sync_us; /* sync_us: mean of the flushes */
	double little;       /* iops x mean / depth; with sync the flush counts too */
	double util, aqu_sz; /* of the device, over the counted part */
	uint64_t hash;       /* of every completion time in order */
	uint32_t tags_peak;
};

/* What was published. 0: not given. */
struct sim_point {
	const char *device; /* row of sim_devices */
	uint32_t op, len, depth, hosts;
	bool sync;
	double iops, mean_us, p99_us, sync_us;
	const char *miss; /* why the model is allowed to be off here; NULL: it must fit */
};

extern const struct sim_point sim_points[];
extern const unsigned sim_points_n;

/* The relative tolerances of a fit: IOPS and mean, and p99. */
#define SIM_TOLERANCE     0.15
#define SIM_TOLERANCE_P99 0.30

void sim_run(const struct sim_params *, const struct sim_load *, struct sim_figures *out);
/* The load of a point, long enough for a steady figure at its depth. */
struct sim_load sim_load_of(const struct sim_point *);
/*
 * Relative errors of iops, mean (of write and fsync together), p99 (0 where nothing was published);
 * true: within the tolerances.
 */
bool sim_point_error(const struct sim_point *, const struct sim_figures *, double err[3]);

/* Within a share of b. */
#define near(a, b, share) (fabs((double)(a) - (double)(b)) <= (share)*fabs((double)(b)))

#endif
