#include "src/run/sampler_workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/xalloc.h"

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

/* A lane of more workers has their CPU time read every CPU_TICKS ticks: windows of a second stay whole. */
#define CPU_EACH_TICK_WORKERS 16u
#define CPU_TICKS             5u

/* CPU time of a worker's thread; 0: it has none (any more). */
static uint64_t worker_cpu_ns(const struct worker *w)
{
	struct timespec ts;
	clockid_t id;

	if (!atomic_load(&w->has_thread) || pthread_getcpuclockid(w->thread, &id) ||
	    clock_gettime(id, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

void sampler_cpu_read(struct lane *l, uint64_t now_ns, uint64_t epoch)
{
	/* Processor time has nothing to do with simulated time: it stays unknown. */
	if (l->ctl.clock->is_virtual)
		return;
	if (l->n_slots > CPU_EACH_TICK_WORKERS && epoch % CPU_TICKS != 0)
		return;
	for (unsigned k = 0; k < l->n_slots; k++) {
		l->workers[k]->cpu_ns = worker_cpu_ns(l->workers[k]);
		l->workers[k]->cpu_t_ns = now_ns;
	}
}

static unsigned row_of(unsigned slot)
{
	return slot < WORKER_SNAP_MAX ? slot : WORKER_SNAP_MAX;
}

static void read_worker(const struct worker *w, struct worker_cum *c)
{
	c->cpu_ns += w->cpu_ns;
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		const struct op_live *o = &w->op[i];
		struct moments lat;

		op_live_read_lat(o, &lat);
		c->ops += LOAD(&o->ops) + LOAD(&w->ramp_ops[i]);
		c->bytes += LOAD(&o->bytes) + LOAD(&w->ramp_bytes[i]);
		c->lat_n += lat.n;
		c->lat_sum_ns += lat.sum_ns;
	}
}

static void add_buckets(const struct op_live *o, uint32_t first, uint32_t last,
			struct worker_lat *out)
{
	for (uint32_t b = first; b <= last; b++) {
		uint64_t n = op_live_lat_bucket(o, b);

		out->h.n[b] += n;
		out->n += n;
	}
}

/* Counters only grow: what an earlier reading left outside the extremes is 0 there as well. */
static void read_lat(const struct worker *w, struct worker_lat *out)
{
	uint32_t first[IO_OP_NR], last[IO_OP_NR];
	bool used[IO_OP_NR];

	if (out->of != w)
		*out = (struct worker_lat){.of = w, .first = HIST_BUCKETS - 1};
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		struct moments lat;

		op_live_read_lat(&w->op[i], &lat);
		used[i] = lat.n > 0;
		if (!used[i])
			continue;
		first[i] = hist_index(lat.min_ns);
		last[i] = hist_index(lat.max_ns);
		out->first = first[i] < out->first ? first[i] : out->first;
		out->last = last[i] > out->last ? last[i] : out->last;
	}
	out->n = 0;
	if (out->first <= out->last)
		memset(&out->h.n[out->first], 0,
		       (out->last - out->first + 1) * sizeof(out->h.n[0]));
	for (unsigned i = 0; i < IO_OP_NR; i++)
		if (used[i])
			add_buckets(&w->op[i], first[i], last[i], out);
}

void sampler_workers_fini(struct workers_cum *c)
{
	for (unsigned i = 0; i < WORKER_SNAP_MAX; i++)
		free(c->lat[i]);
}

void sampler_workers_read(struct lane *l, struct workers_cum *now)
{
	memset(now->v, 0, sizeof(now->v));
	now->cpu_t_ns = 0;
	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++) {
		read_worker(l->workers[k], &now->v[row_of(k)]);
		if (l->workers[k]->cpu_t_ns > now->cpu_t_ns)
			now->cpu_t_ns = l->workers[k]->cpu_t_ns;
		if (k >= WORKER_SNAP_MAX)
			continue;
		if (!now->lat[k])
			now->lat[k] = xcalloc(1, sizeof(*now->lat[k]));
		read_lat(l->workers[k], now->lat[k]);
	}
	pthread_mutex_unlock(&l->lock);
}

/* Since counting began: its ops over its own time. Rates of several workers add up. */
static void add_total(const struct worker *w, uint64_t now_ns, struct worker_snap *out,
		      struct worker_cum *sum)
{
	uint64_t from = LOAD(&w->t_count_ns), to = LOAD(&w->t_end_ns), ops = 0, bytes = 0;

	for (unsigned i = 0; i < IO_OP_NR; i++) {
		const struct op_live *o = &w->op[i];
		struct moments lat;

		op_live_read_lat(o, &lat);
		ops += LOAD(&o->ops);
		bytes += LOAD(&o->bytes);
		sum->lat_n += lat.n;
		sum->lat_sum_ns += lat.sum_ns;
		if (lat.n && lat.max_ns > out->total.max_ns)
			out->total.max_ns = lat.max_ns;
	}
	to = to ? to : now_ns;
	from += lane_ctl_paused_ns(w->cfg.ctl, to) - LOAD(&w->paused_at_count_ns);
	if (!LOAD(&w->t_count_ns) || to <= from)
		return;
	out->total.iops += (double)ops * 1e9 / (double)(to - from);
	out->total.bps += (double)bytes * 1e9 / (double)(to - from);
}

static double mean_of(uint64_t sum_ns, uint64_t n)
{
	return n ? (double)sum_ns / (double)n : (double)NAN;
}

static void add_worker(const struct worker *w, uint64_t now_ns, uint64_t epoch, unsigned ticks,
		       struct worker_snap *out, struct worker_cum *total)
{
	uint64_t min = UINT64_MAX, max = 0;

	out->count++;
	out->alive += LOAD(&w->state) < WORKER_DONE && atomic_load(&w->has_thread);
	out->inflight += LOAD(&w->inflight);
	for (unsigned i = 0; i < IO_OP_NR; i++)
		for (unsigned back = 0; LOAD(&w->op[i].ops) && back < ticks && back <= epoch;
		     back++)
			op_live_extremes(&w->op[i], epoch - back, &min, &max);
	if (max > out->sec.max_ns)
		out->sec.max_ns = max;
	add_total(w, now_ns, out, total);
}

/* The exact maximum of the same ticks bounds it; before NULL: nothing was counted then. */
static uint64_t row_p99(const struct worker_lat *now, const struct worker_lat *before,
			uint64_t max_ns)
{
	bool same;

	/* A worker that joined after the reading has none. */
	if (!now || !max_ns)
		return 0;
	same = before && before->of == now->of && before->n <= now->n;
	return hist_percentile_since(&now->h, same ? &before->h : NULL,
				     now->n - (same ? before->n : 0), now->last, 99, max_ns);
}

/* Counters only grow, but a worker that left takes its CPU clock with it. */
static void fill_sec(const struct worker_cum *now, const struct worker_cum *before, uint64_t dt_ns,
		     uint64_t cpu_dt_ns, struct worker_snap *out)
{
	double s = (double)dt_ns / 1e9;

	out->sec.iops = dt_ns ? (double)(now->ops - before->ops) / s : (double)NAN;
	out->sec.bps = dt_ns ? (double)(now->bytes - before->bytes) / s : (double)NAN;
	out->sec.mean_ns =
		mean_of(now->lat_sum_ns - before->lat_sum_ns, now->lat_n - before->lat_n);
	out->cpu_pct = cpu_dt_ns && out->alive && now->cpu_ns >= before->cpu_ns
			       ? 100 * (double)(now->cpu_ns - before->cpu_ns) / (double)cpu_dt_ns
			       : (double)NAN;
}

void sampler_workers_fill(struct lane *l, const struct workers_cum *now,
			  const struct workers_cum *before, uint64_t now_ns, uint64_t dt_ns,
			  uint64_t epoch, unsigned ticks, struct lane_snap *snap)
{
	struct worker_cum total[WORKER_SNAP_MAX + 1] = {0};
	/* The first reading of a lane: how long the CPU time is of is not known. */
	uint64_t cpu_dt_ns = before->cpu_t_ns ? now->cpu_t_ns - before->cpu_t_ns : 0;

	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++)
		add_worker(l->workers[k], now_ns, epoch, ticks, &snap->worker[row_of(k)],
			   &total[row_of(k)]);
	snap->n_worker_rows = l->n_slots < WORKER_SNAP_MAX ? l->n_slots : WORKER_SNAP_MAX;
	pthread_mutex_unlock(&l->lock);
	if (snap->worker[WORKER_SNAP_MAX].count)
		snap->n_worker_rows = WORKER_SNAP_MAX + 1;
	for (unsigned i = 0; i < snap->n_worker_rows; i++) {
		fill_sec(&now->v[i], &before->v[i], dt_ns, cpu_dt_ns, &snap->worker[i]);
		snap->worker[i].total.mean_ns = mean_of(total[i].lat_sum_ns, total[i].lat_n);
		if (i == WORKER_SNAP_MAX) /* several workers: not worth their buckets */
			continue;
		snap->worker[i].sec.p99_ns =
			row_p99(now->lat[i], before->lat[i], snap->worker[i].sec.max_ns);
		snap->worker[i].total.p99_ns =
			row_p99(now->lat[i], NULL, snap->worker[i].total.max_ns);
	}
}
