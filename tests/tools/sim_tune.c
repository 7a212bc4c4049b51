/*
 * Looks for better parameters of a simulated device: tries small random changes and keeps what comes
 * closer to the published points. What it prints goes into a row of engines/sim_rows_*.c by hand.
 *   usage: sim_tune DEVICE read|write|both [STEPS [FIELD ...]]    FIELD: only those whose name holds it
 * Points that are named as misses do not count. To build it, after make:
 *   cc -std=gnu11 -D_GNU_SOURCE -I. -O2 -o sim_tune tests/tools/sim_tune.c tests/unit/sim_curves.c \
 *      tests/unit/sim_points.c build/release/libiodeck.a -lm -pthread
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim_devices.h"
#include "src/base/rng.h"
#include "tests/unit/sim_curves.h"

#define SEEDS   3u
#define OP_BOTH IO_OP_NR

enum kind { KIND_NS, KIND_SHARE, KIND_SIGMA, KIND_COUNT };

#define AT(f) offsetof(struct sim_params, f)
/* clang-format off */
#define PATH(op, o)                                                              \
	{o ".unit",    op, KIND_NS,    AT(path[op].unit.mean_ns)},               \
	{o ".sigma",   op, KIND_SIGMA, AT(path[op].unit.sigma)},                 \
	{o ".slow",    op, KIND_SHARE, AT(path[op].unit.slow)},                  \
	{o ".slow_ns", op, KIND_NS,    AT(path[op].unit.slow_ns)},               \
	{o ".tail",    op, KIND_SHARE, AT(path[op].unit.tail)},                  \
	{o ".tail_ns", op, KIND_NS,    AT(path[op].unit.tail_ns)},               \
	{o ".units",   op, KIND_COUNT, AT(path[op].units)},                      \
	{o ".link",    op, KIND_NS,    AT(path[op].link_ns)},                    \
	{o ".window",  op, KIND_SHARE, AT(path[op].window)}

static const struct knob {
	const char *name;
	unsigned op;
	enum kind kind;
	size_t offset;
} knobs[] = {
	PATH(IO_READ, "read"),
	PATH(IO_WRITE, "write"),
	{"host",          OP_BOTH,  KIND_NS,    AT(host_ns)},
	{"wake",          OP_BOTH,  KIND_NS,    AT(wake_ns)},
	{"requeue",       OP_BOTH,  KIND_SHARE, AT(requeue)},
	{"requeue_times", OP_BOTH,  KIND_COUNT, AT(requeue_times)},
	{"disk.min",      IO_READ,  KIND_NS,    AT(disk.seek_min_ns)},
	{"disk.max",      IO_READ,  KIND_NS,    AT(disk.seek_max_ns)},
	{"disk.elevator", IO_READ,  KIND_COUNT, AT(disk.elevator_from)},
	{"disk.fair",     IO_READ,  KIND_SHARE, AT(disk.fair)},
	{"flush",         IO_WRITE, KIND_NS,    AT(flush.dist.mean_ns)},
	{"flush.sigma",   IO_WRITE, KIND_SIGMA, AT(flush.dist.sigma)},
	{"flush.units",   IO_WRITE, KIND_COUNT, AT(flush.units)},
	{"flush.bps",     IO_WRITE, KIND_NS,    AT(flush.bps)},
	{"flush.hold",    IO_WRITE, KIND_SHARE, AT(flush.hold)},
	{"cap.window",    IO_WRITE, KIND_NS,    AT(cap.window_ns)},
};
/* clang-format on */
#define KNOBS (sizeof(knobs) / sizeof(*knobs))

struct search {
	const char *device;
	unsigned op;
	char *const *only;
	struct rng rng;
	double reach;     /* how far a step goes: sigma of a logarithm */
	uint32_t shorter; /* a load of this share of its length */
};

static double normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(2 * M_PI * rng_unit(r));
}

static void turn(struct sim_params *p, const struct knob *k, double by, struct rng *rng)
{
	char *at = (char *)p + k->offset;

	if (k->kind == KIND_COUNT) {
		uint32_t *v = (uint32_t *)(void *)at;
		double to = *v * by;

		if (*v)
			*v = (uint32_t)fmax(1, to + (rng_below(rng, 3) - 1.0) + 0.5);
	} else if (k->kind == KIND_NS) {
		uint64_t *v = (uint64_t *)(void *)at;

		*v = (uint64_t)((double)*v * by);
	} else {
		double *v = (double *)(void *)at;

		*v = *v * by;
		if (k->kind == KIND_SHARE && *v > 1)
			*v = 1;
	}
}

static bool may_turn(const struct search *s, const struct knob *k)
{
	if (k->op != OP_BOTH && s->op != OP_BOTH && k->op != s->op)
		return false;
	/* What both ops share stays when only one of them is looked at. */
	if (k->op == OP_BOTH && s->op != OP_BOTH && !*s->only)
		return false;
	for (char *const *f = s->only; *f; f++)
		if (strstr(k->name, *f))
			return true;
	return !*s->only;
}

/* 1 to 3 knobs. */
static void change(struct search *s, struct sim_params *p)
{
	unsigned n = 1 + (unsigned)rng_below(&s->rng, 3);

	while (n) {
		const struct knob *k = &knobs[rng_below(&s->rng, KNOBS)];

		if (!may_turn(s, k))
			continue;
		turn(p, k, exp(s->reach * normal(&s->rng)), &s->rng);
		n--;
	}
}

/* Far below 1: fits well; each point that misses adds at least 1. */
static double cost(const struct search *s, const struct sim_params *row)
{
	double sum = 0;

	for (unsigned i = 0; i < sim_points_n * SEEDS; i++) {
		const struct sim_point *pt = &sim_points[i / SEEDS];
		struct sim_params p = *row;
		struct sim_load load;
		struct sim_figures f;
		double err[3];

		if (strcmp(pt->device, s->device) || pt->miss ||
		    (s->op != OP_BOTH && pt->op != s->op))
			continue;
		p.seed = i % SEEDS + 1;
		load = sim_load_of(pt);
		load.ios /= s->shorter;
		sim_run(&p, &load, &f);
		sim_point_error(pt, &f, err);
		sum += pow(fabs(err[0]) / SIM_TOLERANCE, 6) + pow(fabs(err[1]) / SIM_TOLERANCE, 6) +
		       pow(fabs(err[2]) / SIM_TOLERANCE_P99, 6);
	}
	return sum;
}

static void print_row(const struct search *s, const struct sim_params *p)
{
	for (size_t i = 0; i < KNOBS; i++) {
		const struct knob *k = &knobs[i];
		const char *at = (const char *)p + k->offset;

		if (!may_turn(s, k))
			continue;
		if (k->kind == KIND_COUNT)
			printf(" %s=%u", k->name, *(const uint32_t *)(const void *)at);
		else if (k->kind == KIND_NS)
			printf(" %s=%.4gus", k->name,
			       (double)*(const uint64_t *)(const void *)at / 1e3);
		else
			printf(" %s=%.4g", k->name, *(const double *)(const void *)at);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	struct search s = {.reach = 0.15, .shorter = 2};
	const struct sim_params *row = argc > 2 ? sim_device_find(argv[1]) : NULL;
	long steps = argc > 3 ? atol(argv[3]) : 200;
	struct sim_params best;
	double least;

	if (!row) {
		fprintf(stderr, "usage: sim_tune DEVICE read|write|both [STEPS [FIELD ...]]\n");
		return 2;
	}
	rng_seed(&s.rng, 1);
	s.device = row->name;
	s.op = argv[2][0] == 'r' ? IO_READ : argv[2][0] == 'w' ? IO_WRITE : OP_BOTH;
	s.only = argv + (argc > 4 ? 4 : argc);
	best = *row;
	least = cost(&s, &best);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%s: %.3f", row->name, least);
	print_row(&s, &best);
	for (long i = 0; i < steps; i++) {
		struct sim_params trial = best;
		double c;

		change(&s, &trial);
		c = cost(&s, &trial);
		/* Rechenberg's rule: wider after a success, narrower after a failure. */
		s.reach = fmin(0.4, fmax(0.01, s.reach * (c < least ? 1.3 : 0.97)));
		if (c >= least)
			continue;
		least = c;
		best = trial;
		printf("%s: step %ld: %.3f", row->name, i, least);
		print_row(&s, &best);
	}
	return 0;
}
