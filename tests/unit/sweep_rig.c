#include "sweep_rig.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define TICK_NS 100000000ull

double rig_iops(const struct sweep_rig *r, const struct tuning *t)
{
	double n = t->qd * t->jobs, x = fmin(n / r->r0_ns * 1e9, r->xmax);

	if (r->bps > 0)
		x = fmin(x, r->bps / (double)t->bs_bytes[IO_READ]);
	return x;
}

void rig_init(struct sweep_rig *r, const char *words)
{
	struct tuning base = {
		.jobs = 1, .qd = 1, .bs_bytes = {4096, 4096, 4096}, .ops = IO_BIT(IO_READ)};
	struct sweep_spec spec;
	struct err e = {0};

	memset(r, 0, sizeof(*r));
	sweep_spec_init(&spec);
	cr_assert_eq(sweep_spec_parse(&spec, words, &e), 0, "%s", e.msg);
	r->r0_ns = 80e3;
	r->xmax = 400e3;
	r->noise = 0.01;
	r->p99_fold = 2;
	r->settle_ticks = 1;
	r->now_ns = 1000000000000ull;
	rng_seed(&r->rng, 1);
	sweep_init(&r->sw, &spec, &base, r->now_ns);
	r->lane.state = RUN_ON;
	r->lane.tune = r->sw.next.tune;
	r->step = SWEEP_TUNE;
}

static void fill(struct sweep_rig *r)
{
	double x = rig_iops(r, &r->lane.tune), n = r->lane.tune.qd * r->lane.tune.jobs;
	double since_s = (double)(r->now_ns - r->sw.cell_begin_ns) / 1e9, mean;
	struct op_win *w = &r->lane.tick[IO_OP_NR];
	uint64_t ops, tail;

	mean = n / x * 1e9;
	if (r->device) {
		double p99;

		r->device(r->device_arg, &r->lane.tune, &x, &mean, &p99);
		r->p99_fold = fmax(1.001, p99 / mean);
	}
	x *= 1 + r->noise * (2 * rng_unit(&r->rng) - 1);
	x *= 1 + r->drift_s * since_s;
	if (r->dead || (r->now_ns > r->dead_from_ns && r->now_ns <= r->dead_to_ns))
		x = 0;
	r->carry += x * (double)TICK_NS / 1e9;
	ops = (uint64_t)r->carry;
	r->carry -= (double)ops;
	memset(r->lane.tick, 0, sizeof(r->lane.tick));
	memset(&r->lane.tick_lat, 0, sizeof(r->lane.tick_lat));
	w->ops = ops;
	w->bytes = ops * r->lane.tune.bs_bytes[IO_READ];
	w->iops = x;
	if (r->lane.tune.ops & IO_BIT(IO_WRITE))
		r->lane.tick[IO_WRITE].bytes = w->bytes;
	r->lane.cpu_pct = 50;
	if (!ops)
		return;
	/* Two values: 2 % at p99_fold times the mean, the others so that the mean is right. */
	tail = ops / 50;
	r->lane.tick_lat.n[hist_index((uint64_t)(mean * r->p99_fold))] += tail;
	r->lane.tick_lat.n[hist_index((uint64_t)mean)] += ops - tail;
	w->lat.n = ops;
	w->lat.mean_ns = mean;
	w->lat.max_ns = (uint64_t)(mean * r->p99_fold);
}

void rig_tick(struct sweep_rig *r)
{
	if (r->step == SWEEP_TUNE) {
		r->lane.tune = sweep_next(&r->sw)->tune;
		r->settling = r->settle_ticks;
		r->tunes++;
	}
	r->lane.qd_effective = r->lane.tune.qd;
	r->now_ns += TICK_NS;
	r->lane.settling = r->settling > 0;
	if (r->settling && r->settling != UINT_MAX)
		r->settling--;
	fill(r);
	r->step = sweep_tick(&r->sw, &r->lane, r->now_ns);
}

unsigned rig_run(struct sweep_rig *r, unsigned n)
{
	unsigned i = 0;

	while (i < n && r->step != SWEEP_DONE) {
		rig_tick(r);
		i++;
		cr_assert(r->sw.v.eta_ns == UINT64_MAX || r->sw.v.eta_ns < 86400ull * 1000000000,
			  "a time left of %llu ns", (unsigned long long)r->sw.v.eta_ns);
	}
	return i;
}
