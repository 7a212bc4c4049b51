/*
 * A tick of the sampler over 1, 16 and 256 workers that have counted I/Os: merge, windows, percentiles,
 * disks. The workers' threads are not started; their counters are filled by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/base/xalloc.h"
#include "src/run/sampler.h"
#include "tests/bench/bench.h"

#define IOS 2000u /* of each worker */

static struct events events;
static struct sampler sampler;
static struct snapshot snap;
static uint64_t now_ns;

static void count_some(struct worker *w, uint64_t seed)
{
	const struct hist_straddle *st = hist_straddle_get();
	struct rng r;

	rng_seed(&r, seed);
	for (unsigned i = 0; i < IOS; i++) {
		struct op_sample s = {.slat_ns = 800, .bytes = 4096};

		s.lat_ns = 60000 + rng_below(&r, 1u << rng_below(&r, 22));
		s.clat_ns = s.lat_ns - s.slat_ns;
		op_live_add(&w->op[IO_READ], st, &s);
	}
	atomic_store(&w->t_count_ns, 1);
	atomic_store(&w->state, WORKER_RUN);
}

static void add_workers(struct lane *l, unsigned n)
{
	struct worker_file *f = xcalloc(1, sizeof(*f));
	struct worker_cfg cfg = {.ctl = &l->ctl,
				 .engine = l->plan.engine,
				 .spec = l->plan.spec,
				 .files = f,
				 .n_files = 1};

	f->fd = -1;
	l->workers = xrealloc(l->workers, n * sizeof(struct worker *));
	for (unsigned k = l->n_slots; k < n; k++) {
		l->workers[k] = aligned_alloc(64, (sizeof(struct worker) + 63) / 64 * 64);
		if (!l->workers[k] || worker_init(l->workers[k], &cfg))
			exit(1);
		count_some(l->workers[k], k);
	}
	l->n_slots = n;
}

static void tick(void *arg, uint64_t n)
{
	(void)arg;
	for (uint64_t i = 0; i < n; i++)
		sampler_tick(&sampler, now_ns += 100 * NSEC_PER_MSEC, &snap);
	bench_keep(snap.lane[0].total[IO_READ].ops);
}

int main(void)
{
	static const unsigned workers[] = {1, 16, 256};
	static struct lane lane, *lanes[] = {&lane};
	static struct job_spec spec;
	char name[32];

	events_init(&events);
	sampler_init(&sampler, "", &events);
	lane_init(&lane, &clock_real, &sampler.epoch, false, NULL);
	lane.plan.engine = engine_find("null");
	lane.plan.spec = &spec;
	lane.plan.tune.jobs = 1;
	sampler_set_lanes(&sampler, lanes, 1);
	lane_go(&lane, 1);
	now_ns = NSEC_PER_SEC;
	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		add_workers(&lane, workers[i]);
		snprintf(name, sizeof(name), "sampler_tick_%u", workers[i]);
		bench_run(name, 100, tick, NULL);
	}
	return 0;
}
