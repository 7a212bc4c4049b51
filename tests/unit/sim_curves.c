#include "sim_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/base/xalloc.h"

#define DEPTH_MAX 4096u

struct loop {
	const struct sim_load *load;
	struct sim_model *m;
	struct sim_host *hosts;
	struct sim_req *reqs;
	uint64_t *start_ns, *lat_ns;
	uint64_t blocks, now_ns, begin_ns, sync_sum_ns, syncs, lat_sum_ns, hash;
	uint32_t done, skip;
	struct rng rng;
};

static void issue(struct loop *l, struct sim_req *r)
{
	const struct sim_load *w = l->load;

	r->op = (uint8_t)w->op;
	if (w->read_pct)
		r->op = rng_below(&l->rng, 100) < w->read_pct ? IO_READ : IO_WRITE;
	r->len = w->len;
	r->offset = rng_below(&l->rng, l->blocks) * w->len;
	l->start_ns[r->index] = l->now_ns;
	sim_model_submit(l->m, r, l->now_ns);
}

static void flush(struct loop *l, struct sim_req *r)
{
	r->op = SIM_FLUSH;
	r->len = 0;
	l->start_ns[r->index] = l->now_ns;
	sim_model_submit(l->m, r, l->now_ns);
}

static void take(struct loop *l, struct sim_req *r)
{
	uint64_t lat = l->now_ns - l->start_ns[r->index];

	l->hash = rng_mix64(l->hash ^ l->now_ns ^ (uint64_t)r->index << 48);
	if (r->op == SIM_FLUSH) {
		if (l->done >= l->skip) {
			l->sync_sum_ns += lat;
			l->syncs++;
		}
		issue(l, r);
		return;
	}
	if (l->done >= l->skip) {
		l->lat_ns[l->done - l->skip] = lat;
		l->lat_sum_ns += lat;
	}
	l->done++;
	if (l->load->sync)
		flush(l, r);
	else
		issue(l, r);
}

/* The host whose turn is first. */
static struct sim_host *earliest(struct loop *l, uint64_t *t)
{
	struct sim_host *best = NULL;

	*t = SIM_NEVER;
	for (uint32_t i = 0; i < l->load->hosts; i++) {
		uint64_t h = sim_model_next_ns(l->m, &l->hosts[i]);

		if (h < *t) {
			*t = h;
			best = &l->hosts[i];
		}
	}
	return best;
}

static void run_until(struct loop *l, uint32_t done)
{
	while (l->done < done) {
		uint64_t t;
		struct sim_host *h = earliest(l, &t);
		struct sim_req *r;

		l->now_ns = t;
		r = sim_model_reap(l->m, h, t);
		if (r)
			take(l, r);
	}
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double at(const struct loop *l, double share)
{
	return (double)l->lat_ns[(uint32_t)(share * (l->load->ios - 1))] / 1e3;
}

static void conclude(struct loop *l, const struct engine_counters *before, struct sim_figures *out)
{
	double span = (double)(l->now_ns - l->begin_ns), n = l->load->ios;
	struct engine_counters c;

	sim_model_count(l->m, l->now_ns, &c);
	qsort(l->lat_ns, l->load->ios, sizeof(*l->lat_ns), by_value);
	out->iops = n / span * 1e9;
	out->mean_us = (double)l->lat_sum_ns / n / 1e3;
	out->sync_us = l->syncs ? (double)l->sync_sum_ns / (double)l->syncs / 1e3 : 0;
	out->p50_us = at(l, 0.5);
	out->p99_us = at(l, 0.99);
	out->little = out->iops * (out->mean_us + out->sync_us) / 1e6 / l->load->depth;
	out->util = (double)(c.busy_ns - before->busy_ns) / span;
	out->aqu_sz = (double)(c.queue_ns - before->queue_ns) / span;
	out->tags_peak = sim_model_tags_peak(l->m);
	out->hash = l->hash;
}

void sim_run(const struct sim_params *p, const struct sim_load *load, struct sim_figures *out)
{
	struct loop l = {
		.load = load, .skip = 300 + 4 * load->depth, .blocks = p->size_bytes / load->len};
	struct engine_counters before;

	l.m = sim_model_new(p);
	l.hosts = xcalloc(load->hosts, sizeof(*l.hosts));
	l.reqs = xcalloc(load->depth, sizeof(*l.reqs));
	l.start_ns = xcalloc(load->depth, sizeof(*l.start_ns));
	l.lat_ns = xcalloc(load->ios, sizeof(*l.lat_ns));
	if (!l.m || sim_model_reserve(l.m, load->depth))
		abort();
	rng_seed(&l.rng, p->seed + 1000);
	for (uint32_t i = 0; i < load->depth; i++) {
		l.reqs[i].index = i;
		l.reqs[i].host = &l.hosts[i % load->hosts];
		issue(&l, &l.reqs[i]);
	}
	run_until(&l, l.skip);
	l.begin_ns = l.now_ns;
	sim_model_count(l.m, l.now_ns, &before);
	run_until(&l, l.skip + load->ios);
	conclude(&l, &before, out);
	sim_model_free(l.m);
	free(l.hosts);
	free(l.reqs);
	free(l.start_ns);
	free(l.lat_ns);
}

struct sim_load sim_load_of(const struct sim_point *p)
{
	return (struct sim_load){
		.op = p->op,
		.len = p->len,
		.depth = p->depth,
		.hosts = p->hosts,
		.sync = p->sync,
		.ios = 80000 + 400 * p->depth,
	};
}

bool sim_point_error(const struct sim_point *p, const struct sim_figures *f, double err[3])
{
	err[0] = p->iops > 0 ? f->iops / p->iops - 1 : 0;
	err[1] = p->mean_us > 0 ? (f->mean_us + f->sync_us) / (p->mean_us + p->sync_us) - 1 : 0;
	err[2] = p->p99_us > 0 ? f->p99_us / p->p99_us - 1 : 0;
	return fabs(err[0]) <= SIM_TOLERANCE && fabs(err[1]) <= SIM_TOLERANCE &&
	       fabs(err[2]) <= SIM_TOLERANCE_P99;
}
