/*
 * How close the simulated devices come to what was published: one line a point, worst lines marked.
 *   usage: sim_fit [TARGET ...]           a device, or one on trial: 'sim:sata?lat=20us'
 *          sim_fit --speed [TARGET ...]   CPU time that 60 s at depth 128 take
 * To build it, after make:
 *   cc -std=gnu11 -D_GNU_SOURCE -I. -O2 -o sim_fit tests/tools/sim_fit.c tests/unit/sim_curves.c \
 *      tests/unit/sim_points.c build/release/libiodeck.a -luring -laio -lm -pthread
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/engine.h"
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

/* Of this process: what others do on the machine does not count. */
static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/* The engine on a virtual clock, closed loop: random 4 KiB reads, one worker. */
static void speed(const char *target)
{
	const struct engine_ops *ops = engine_find("sim");
	struct clock clock = {.is_virtual = true};
	struct engine eng = {.ops = ops};
	struct engine_env env = {.depth_max = SPEED_DEPTH, .len_max = 4096, .clock = &clock};
	struct io_slot slots[SPEED_DEPTH] = {0}, *list[SPEED_DEPTH];
	uint64_t start = cpu_ns(), n = 0, blocks;
	uint32_t k = SPEED_DEPTH;
	struct err e = {0};
	struct rng rng;
	double s;

	if (ops->device->get(target, &clock, &env.device, &e) || ops->open(&eng, &env, &e)) {
		fprintf(stderr, "sim_fit: %s\n", e.msg);
		exit(2);
	}
	blocks = ops->device->size_bytes(env.device) / 4096;
	rng_seed(&rng, 1);
	for (uint32_t i = 0; i < SPEED_DEPTH; i++) {
		slots[i] = (struct io_slot){.index = i, .len = 4096};
		list[i] = &slots[i];
	}
	while (clock.now_ns < 60 * NSEC_PER_SEC) {
		for (uint32_t i = 0; i < k; i++)
			list[i]->offset = rng_below(&rng, blocks) * 4096;
		ops->submit(&eng, list, k);
		k = (uint32_t)ops->reap(&eng, list, 1, SPEED_DEPTH, NSEC_PER_SEC);
		n += k;
	}
	s = (double)(cpu_ns() - start) / 1e9;
	printf("%-20s %9.0f IOPS: 60 s in %.2f s of CPU, %.0f ns for each request\n", target,
	       (double)n / 60, s, s * 1e9 / (double)n);
	ops->close(&eng);
	ops->device->put(env.device);
}

/* "sata" or "sim:sata?lat=20us". */
static char *target_text(const char *arg)
{
	return strncmp(arg, SIM_PREFIX, strlen(SIM_PREFIX)) ? xasprintf(SIM_PREFIX "%s", arg)
							    : xstrdup(arg);
}

static int target_of(const char *text, struct sim_params *p)
{
	struct err e = {0};
	int rc = sim_target_parse(text, p, &e);

	if (rc)
		fprintf(stderr, "sim_fit: %s\n", e.msg);
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
		char *text = target_text(argc == 1 ? sim_devices[i - 1]->name : argv[i]);
		struct sim_params p;

		if (target_of(text, &p))
			return 2;
		if (is_speed)
			speed(text);
		else
			misses += fit(&p);
		free(text);
	}
	if (!is_speed)
		printf("%u of all lines miss\n", misses);
	return 0;
}
