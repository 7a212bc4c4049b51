/*
 * How close the simulated devices come to what was published: one line a point, worst lines marked.
 *   usage: sim_fit [TARGET ...]           a device, or one on trial: 'sim:sata?lat=20us'
 *          sim_fit --speed [TARGET ...]   real time that 60 s at depth 128 take
 * To build it, after make:
 *   cc -std=gnu11 -D_GNU_SOURCE -I. -O2 -o sim_fit tests/tools/sim_fit.c tests/unit/sim_curves.c \
 *      tests/unit/sim_points.c build/release/libiodeck.a -lm -pthread
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim_devices.h"
#include "engines/sim_target.h"
#include "src/base/clock.h"
#include "src/base/rng.h"
#include "src/base/xalloc.h"
#include "tests/unit/sim_curves.h"

#define SPEED_DEPTH 128u

static void print_cell(double published, double simulated, double err)
{
	if (published > 0)
		printf(" | %10.1f %10.1f %+4.0f%%", published, simulated, err * 100);
	else
		printf(" | %10s %10.1f     -", "-", simulated);
}

/* Points of this device that do not fit. */
static unsigned fit(const struct sim_params *p)
{
	unsigned misses = 0;

	for (unsigned i = 0; i < sim_points_n; i++) {
		const struct sim_point *pt = &sim_points[i];
		struct sim_load load = sim_load_of(pt);
		struct sim_figures f;
		double err[3];
		bool fits;

		if (strcmp(pt->device, p->name))
			continue;
		sim_run(p, &load, &f);
		fits = sim_point_error(pt, &f, err);
		misses += !fits;
		printf("%-12s %-5s %-5s %4u %3u", p->name, io_op_name(pt->op),
		       pt->sync ? "fsync" : "", pt->depth, pt->hosts);
		print_cell(pt->iops, f.iops, err[0]);
		print_cell(pt->mean_us > 0 ? pt->mean_us + pt->sync_us : 0, f.mean_us + f.sync_us,
			   err[1]);
		print_cell(pt->p99_us, f.p99_us, err[2]);
		printf("%s%s\n", fits ? "" : "  MISS: ", fits ? "" : pt->miss ? pt->miss : "?");
	}
	return misses;
}

static void print_head(void)
{
	printf("%-12s %-5s %-5s %4s %3s | %10s %10s %5s | %10s %10s %5s | %10s %10s %5s\n",
	       "device", "op", "", "qd", "job", "IOPS", "simulated", "", "mean us", "simulated", "",
	       "p99 us", "simulated", "");
}

/* The model alone, closed loop: random 4 KiB reads, one host. */
static void speed(const struct sim_params *p)
{
	struct sim_model *m = sim_model_new(p);
	struct sim_req *reqs = xcalloc(SPEED_DEPTH, sizeof(*reqs)), *r;
	struct sim_host host = {0};
	uint64_t start = clock_mono_ns(), now = 0, n = 0;
	struct rng rng;
	double s;

	if (!m || sim_model_reserve(m, SPEED_DEPTH))
		abort();
	rng_seed(&rng, 1);
	for (uint32_t i = 0; i < SPEED_DEPTH; i++) {
		reqs[i] = (struct sim_req){.host = &host, .len = 4096};
		reqs[i].offset = rng_below(&rng, p->size_bytes / 4096) * 4096;
		sim_model_submit(m, &reqs[i], now);
	}
	while (now < 60 * NSEC_PER_SEC) {
		now = sim_model_next_ns(m, &host);
		while ((r = sim_model_reap(m, &host, now))) {
			n++;
			r->offset = rng_below(&rng, p->size_bytes / 4096) * 4096;
			sim_model_submit(m, r, now);
		}
	}
	s = (double)(clock_mono_ns() - start) / 1e9;
	printf("%-12s %9.0f IOPS: 60 s in %.2f s, %.0f ns for each request\n", p->name,
	       (double)n / 60, s, s * 1e9 / (double)n);
	sim_model_free(m);
	free(reqs);
}

static int target_of(const char *arg, struct sim_params *p)
{
	char *text = strncmp(arg, SIM_PREFIX, strlen(SIM_PREFIX)) ? xasprintf(SIM_PREFIX "%s", arg)
								  : xstrdup(arg);
	struct err e = {0};
	int rc = sim_target_parse(text, p, &e);

	if (rc)
		fprintf(stderr, "sim_fit: %s\n", e.msg);
	free(text);
	return rc;
}

int main(int argc, char **argv)
{
	bool is_speed = argc > 1 && !strcmp(argv[1], "--speed");
	unsigned misses = 0;

	argv += is_speed;
	argc -= is_speed;
	if (!is_speed)
		print_head();
	for (int i = 1; argc > 1 ? i < argc : sim_devices[i - 1] != NULL; i++) {
		struct sim_params p;

		if (argc == 1)
			p = *sim_devices[i - 1];
		else if (target_of(argv[i], &p))
			return 2;
		if (is_speed)
			speed(&p);
		else
			misses += fit(&p);
	}
	if (!is_speed)
		printf("%u of all lines miss\n", misses);
	return 0;
}
