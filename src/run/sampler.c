#include "src/run/sampler.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/run/sampler_disk.h"
#include "src/run/sampler_segment.h"
#include "src/run/sampler_split.h"
#include "src/run/sampler_stall.h"

void sampler_init(struct sampler *s, const char *fsroot, struct events *events)
{
	memset(s, 0, sizeof(*s));
	pthread_mutex_init(&s->lock, NULL);
	s->fsroot = fsroot;
	s->events = events;
}

static void lane_sampler_fini(struct lane_sampler *ls)
{
	for (unsigned i = 0; ls->wring && i <= SAMPLER_SEC_TICKS; i++)
		sampler_workers_fini(&ls->wring[i]);
	free(ls->ring);
	free(ls->seg);
	free(ls->wring);
	memset(ls, 0, sizeof(*ls));
}

void sampler_fini(struct sampler *s)
{
	for (unsigned i = 0; i < LANE_MAX; i++)
		lane_sampler_fini(&s->lanes[i]);
	for (unsigned i = 0; i < 3; i++)
		diskstats_fini(&s->disk_ring[i]);
	pthread_mutex_destroy(&s->lock);
}

void sampler_set_lanes(struct sampler *s, struct lane *const *lanes, unsigned n)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < LANE_MAX; i++)
		lane_sampler_fini(&s->lanes[i]);
	s->n_lanes = n < LANE_MAX ? n : LANE_MAX;
	s->n_all = n;
	for (unsigned i = 0; i < s->n_lanes; i++) {
		s->lanes[i].lane = lanes[i];
		s->lanes[i].ring = xcalloc(SAMPLER_SEC_TICKS + 1, sizeof(struct lane_cum));
		s->lanes[i].wring = xcalloc(SAMPLER_SEC_TICKS + 1, sizeof(struct workers_cum));
		s->lanes[i].seg = xcalloc(1, sizeof(struct lane_cum));
		s->lanes[i].seg_waiting = true;
		s->lanes[i].seg_no_ramp = lanes[i]->plan.spec->ramp_ns >= SEGMENT_RAMP_NS;
		s->lanes[i].split_cpu.usr_part = NAN;
		s->lanes[i].reached_pct = NAN;
		s->lanes[i].split = split_make(&(struct split_in){.has_disk = true});
	}
	pthread_mutex_unlock(&s->lock);
}

#define USAGE_NS (2 * NSEC_PER_SEC)

/* Reading the workers */

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

static void cum_add_worker(struct lane_cum *c, const struct worker *w)
{
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		const struct op_live *o = &w->op[i];
		struct op_cum *to = &c->op[i];
		struct moments m;
		uint32_t last;

		to->ramp_ops += LOAD(&w->ramp_ops[i]);
		to->ramp_bytes += LOAD(&w->ramp_bytes[i]);
		to->errors += LOAD(&o->errors);
		if (LOAD(&o->ops) == 0)
			continue;
		to->ops += LOAD(&o->ops);
		to->bytes += LOAD(&o->bytes);
		op_live_read_lat(o, &m);
		moments_merge(&to->lat.m, &m);
		/* Outside its extremes a worker has counted nothing: most of 2240 buckets of 256 jobs. */
		last = hist_index(m.max_ns);
		for (uint32_t b = hist_index(m.min_ns); b <= last; b++)
			to->lat.h.n[b] += op_live_lat_bucket(o, b);
	}
}

struct lane_now {
	bool parked;
	uint32_t alive, inflight;
	uint64_t t_count_ns, t_end_ns, last_done_ns;   /* earliest, latest, latest; 0: none */
	uint64_t paused_at_count_ns, held_at_count_ns; /* of the one that began first */
	uint64_t held_ns;
	uint64_t usr_us, sys_us; /* whole when the worker has left */
};

static void cum_read(struct lane *l, uint64_t now_ns, uint64_t epoch, struct lane_cum *c,
		     struct lane_now *n)
{
	memset(c, 0, sizeof(*c));
	memset(n, 0, sizeof(*n));
	c->t_ns = now_ns;
	pthread_mutex_lock(&l->lock);
	sampler_cpu_read(l, now_ns, epoch);
	for (unsigned k = 0; k < l->n_slots; k++) {
		struct worker *w = l->workers[k];
		uint64_t t = LOAD(&w->t_count_ns), end = LOAD(&w->t_end_ns),
			 done = LOAD(&w->last_done_ns);

		cum_add_worker(c, w);
		c->cpu_ns += w->cpu_ns;
		if (w->cpu_t_ns > c->cpu_t_ns)
			c->cpu_t_ns = w->cpu_t_ns;
		n->inflight += LOAD(&w->inflight);
		n->usr_us += LOAD(&w->usage.usr_us);
		n->sys_us += LOAD(&w->usage.sys_us);
		n->alive += LOAD(&w->state) < WORKER_DONE && atomic_load(&w->has_thread);
		if (t && (!n->t_count_ns || t < n->t_count_ns)) {
			n->t_count_ns = t;
			n->paused_at_count_ns = LOAD(&w->paused_at_count_ns);
			n->held_at_count_ns = LOAD(&w->held_at_count_ns);
		}
		if (end > n->t_end_ns)
			n->t_end_ns = end;
		if (done > n->last_done_ns)
			n->last_done_ns = done;
	}
	pthread_mutex_unlock(&l->lock);
	n->parked = lane_is_parked(l);
	c->paused_ns = lane_ctl_paused_ns(&l->ctl, n->alive ? now_ns : n->t_end_ns);
	n->held_ns = lane_ctl_held_ns(&l->ctl, n->alive ? now_ns : n->t_end_ns);
}

/* Exact extremes of the last `ticks` ticks, kept by the workers per epoch; UINT64_MAX and 0: none. */
static void extremes(struct lane *l, uint64_t epoch, unsigned ticks, unsigned op, uint64_t *min,
		     uint64_t *max)
{
	*min = UINT64_MAX;
	*max = 0;
	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++)
		for (unsigned back = 0;
		     LOAD(&l->workers[k]->op[op].ops) && back < ticks && back <= epoch; back++)
			op_live_extremes(&l->workers[k]->op[op], epoch - back, min, max);
	pthread_mutex_unlock(&l->lock);
}

/* Windows */

static void window_of(const struct op_cum *now, const struct op_cum *before, struct op_stat *w)
{
	memset(w, 0, sizeof(*w));
	w->ops = now->ops - before->ops;
	w->bytes = now->bytes - before->bytes;
	w->errors = now->errors - before->errors;
	w->lat.m = now->lat.m;
	w->lat.m.n = now->lat.m.n - before->lat.m.n;
	w->lat.m.sum_ns = now->lat.m.sum_ns - before->lat.m.sum_ns;
	hist_sub(&w->lat.h, &now->lat.h, &before->lat.h);
}

/* Ramp I/O is drawn but never counted: rates include it, latencies and totals do not. */
static void add_ramp(struct op_win *w, const struct op_cum *now, const struct op_cum *before,
		     uint64_t dt_ns)
{
	double s = (double)dt_ns / (double)NSEC_PER_SEC;

	if (dt_ns == 0)
		return;
	w->iops += (double)(now->ramp_ops - before->ramp_ops) / s;
	w->bps += (double)(now->ramp_bytes - before->ramp_bytes) / s;
}

static void op_stat_add_lat(struct op_stat *all, const struct op_stat *w)
{
	all->ops += w->ops;
	all->bytes += w->bytes;
	all->errors += w->errors;
	if (w->lat.m.n && (!all->lat.m.n || w->lat.m.min_ns < all->lat.m.min_ns))
		all->lat.m.min_ns = w->lat.m.min_ns;
	if (w->lat.m.max_ns > all->lat.m.max_ns)
		all->lat.m.max_ns = w->lat.m.max_ns;
	all->lat.m.n += w->lat.m.n;
	all->lat.m.sum_ns += w->lat.m.sum_ns;
	hist_add(&all->lat.h, &w->lat.h);
}

void sampler_windows(struct sampler *s, struct lane *l, const struct sampler_span *sp,
		     struct op_win out[IO_OP_NR + 1], struct hist *lat)
{
	struct op_stat *w = xcalloc(2, sizeof(*w)), *all = w + 1;
	uint64_t epoch = LOAD(&s->epoch), min, max, all_min = UINT64_MAX, all_max = 0;

	for (unsigned i = 0; i < IO_OP_NR; i++) {
		window_of(&sp->now->op[i], &sp->before->op[i], w);
		if (sp->ticks) {
			extremes(l, epoch, sp->ticks, i, &min, &max);
		} else {
			min = sp->now->op[i].lat.m.n ? sp->now->op[i].lat.m.min_ns : UINT64_MAX;
			max = sp->now->op[i].lat.m.max_ns;
		}
		op_win_make(&out[i], w, sp->dt_ns, min, max);
		add_ramp(&out[i], &sp->now->op[i], &sp->before->op[i], sp->dt_ns);
		op_stat_add_lat(all, w);
		if (min < all_min)
			all_min = min;
		if (max > all_max)
			all_max = max;
	}
	op_win_make(&out[IO_OP_NR], all, sp->dt_ns, all_min, all_max);
	for (unsigned i = 0; i < IO_OP_NR; i++)
		add_ramp(&out[IO_OP_NR], &sp->now->op[i], &sp->before->op[i], sp->dt_ns);
	*lat = all->lat.h;
	free(w);
}

/* One lane into the snapshot */

static void fill_times(struct lane *l, const struct lane_now *n, uint64_t now_ns,
		       struct lane_snap *snap)
{
	const struct job_spec *js = l->plan.spec;
	uint64_t end = n->alive ? now_ns : n->t_end_ns, by_time = UINT64_MAX, by_size = UINT64_MAX;
	double bps = snap->sec[IO_OP_NR].bps;

	snap->t_start_ns = n->t_count_ns;
	snap->held_ns = n->t_count_ns ? n->held_ns - n->held_at_count_ns : 0;
	snap->elapsed_ns = n->t_count_ns ? sampler_active_ns(n->t_count_ns, end, snap->held_ns) : 0;
	snap->parked = n->parked;
	snap->usr_pct = snap->sys_pct = NAN;
	if (!n->alive && snap->elapsed_ns && !l->ctl.clock->is_virtual) {
		snap->usr_pct = 1e5 * (double)n->usr_us / (double)snap->elapsed_ns;
		snap->sys_pct = 1e5 * (double)n->sys_us / (double)snap->elapsed_ns;
	}
	snap->bytes_done = snap->total[IO_OP_NR].bytes;
	snap->bytes_total = l->plan.size_bound && l->plan.io_bytes != UINT64_MAX
				    ? l->plan.io_bytes * l->plan.tune.jobs
				    : 0;
	if (js->runtime_ns)
		by_time = js->runtime_ns > snap->elapsed_ns ? js->runtime_ns - snap->elapsed_ns : 0;
	if (snap->bytes_total && bps > 0 && snap->bytes_total >= snap->bytes_done)
		by_size = (uint64_t)((double)(snap->bytes_total - snap->bytes_done) / bps * 1e9);
	snap->remaining_ns = by_time < by_size ? by_time : by_size;
}

static enum run_state lane_state(struct lane *l, const struct lane_now *n)
{
	if (!atomic_load(&l->ctl.go))
		return RUN_IDLE;
	if (!n->alive)
		return RUN_DONE;
	if (atomic_load(&l->ctl.stop))
		return RUN_DRAIN;
	if (!n->t_count_ns)
		return RUN_RAMP;
	return atomic_load(&l->ctl.pause) ? RUN_PAUSED : RUN_ON;
}

/* A search for a depth has its own; that of the first job stands for all. */
static uint32_t qd_effective(struct lane *l, uint32_t qd)
{
	uint32_t sought = 0;

	if (l->plan.engine->flags & ENGINE_SYNC)
		return 1;
	if (!l->plan.spec->latency_target_ns)
		return qd;
	pthread_mutex_lock(&l->lock);
	if (l->n_slots)
		sought = LOAD(&l->workers[0]->seek_depth);
	pthread_mutex_unlock(&l->lock);
	return sought ? sought : qd;
}

static void fill_identity(struct lane *l, struct lane_snap *snap)
{
	const struct plan *p = &l->plan;

	snprintf(snap->target, sizeof(snap->target), "%s",
		 p->n_targets     ? p->targets[0].path
		 : p->device_name ? p->device_name
				  : p->engine->name);
	snprintf(snap->engine, sizeof(snap->engine), "%s", p->engine->name);
	pthread_mutex_lock(&l->ctl.lock);
	snap->tune = l->ctl.tune;
	pthread_mutex_unlock(&l->ctl.lock);
	snap->gen = atomic_load(&l->ctl.gen);
	snap->qd_effective = qd_effective(l, snap->tune.qd);
	snap->settling = !lane_is_settled(l);
	snap->writes = p->writes && p->n_targets;
	snap->direct = p->spec->direct;
	snap->sync_engine = p->engine->flags & ENGINE_SYNC;
	snap->simulated = p->engine->flags & ENGINE_SIM;
	for (unsigned t = 0; t < p->n_targets; t++)
		snap->tmpfs = snap->tmpfs || p->targets[t].info.tmpfs;
	if (p->tune.ops & IO_BIT(IO_WRITE))
		snap->zeroes_pct = p->spec->zero_buffers ? 100 : p->spec->compress_pct;
	snap->lost = atomic_load(&l->lost);
}

static void no_window(struct op_win w[IO_OP_NR + 1])
{
	for (unsigned i = 0; i <= IO_OP_NR; i++)
		w[i] = (struct op_win){.iops = NAN, .bps = NAN, .lat.mean_ns = NAN};
}

/* The slot of the reading `back` ticks ago. */
static unsigned ring_slot(const struct lane_sampler *ls, unsigned back)
{
	return (ls->head + SAMPLER_SEC_TICKS + 1 - back) % (SAMPLER_SEC_TICKS + 1);
}

/* sp: the last second, which began `back` ticks ago */
static void fill_workers(struct sampler *s, struct lane_sampler *ls, const struct sampler_span *sp,
			 unsigned back, struct lane_snap *snap)
{
	static const struct workers_cum zero;
	struct workers_cum *now = &ls->wring[ls->head];

	sampler_workers_read(ls->lane, now);
	sampler_workers_fill(ls->lane, now, back ? &ls->wring[ring_slot(ls, back)] : &zero,
			     sp->now->t_ns, sp->dt_ns, LOAD(&s->epoch), sp->ticks, snap);
}

/*
 * Of the time in which there was work: a pause is not idleness. NAN: no two readings yet, a worker left and
 * took its clock with it, or a pause lies between a reading and its tick.
 */
static double lane_cpu_pct(const struct lane_cum *now, const struct lane_cum *before, bool alive)
{
	uint64_t paused = now->paused_ns - before->paused_ns, dt;

	if (!alive || !before->cpu_t_ns || now->cpu_ns < before->cpu_ns ||
	    (paused && (now->cpu_t_ns != now->t_ns || before->cpu_t_ns != before->t_ns)))
		return NAN;
	dt = sampler_active_ns(before->cpu_t_ns, now->cpu_t_ns, paused);
	return dt ? 100.0 * (double)(now->cpu_ns - before->cpu_ns) / (double)dt : NAN;
}

/*
 * The workers tell the kernel's split of their time once a second, each at its own moment: of one second
 * it would be all or nothing. So the split is that of two seconds or more, of what the clocks say.
 */
static void fill_cpu_parts(struct lane_sampler *ls, const struct lane_now *n, uint64_t now_ns,
			   struct lane_snap *snap)
{
	struct cpu_split *c = &ls->split_cpu;
	uint64_t usr = n->usr_us - c->usr_us, sys = n->sys_us - c->sys_us;

	if (!c->t_ns || n->usr_us < c->usr_us || n->sys_us < c->sys_us) {
		*c = (struct cpu_split){now_ns, n->usr_us, n->sys_us, NAN};
	} else if (now_ns - c->t_ns >= USAGE_NS && usr + sys > 0) {
		*c = (struct cpu_split){now_ns, n->usr_us, n->sys_us,
					(double)usr / (double)(usr + sys)};
	}
	snap->cpu_usr_pct = snap->cpu_pct * c->usr_part;
	snap->cpu_sys_pct = snap->cpu_pct - snap->cpu_usr_pct;
}

static void fill_windows(struct sampler *s, struct lane_sampler *ls, const struct lane_now *n,
			 struct lane_snap *snap)
{
	static const struct lane_cum zero;
	const struct lane_cum *now = &ls->ring[ls->head], *prev, *sec;
	uint64_t go = atomic_load(&ls->lane->ctl.t_go_ns), end = n->alive ? now->t_ns : n->t_end_ns,
		 wall;
	unsigned back = ls->filled < SAMPLER_SEC_TICKS ? ls->filled : SAMPLER_SEC_TICKS;
	struct sampler_span sp = {.now = now};

	prev = ls->filled ? &ls->ring[ring_slot(ls, 1)] : &zero;
	sec = back ? &ls->ring[ring_slot(ls, back)] : &zero;
	/* Divided by the real time that I/O could run in: not before go, not after the end. */
	sp.before = prev;
	sp.dt_ns = sampler_active_ns(prev->t_ns > go ? prev->t_ns : go, end,
				     now->paused_ns - prev->paused_ns);
	snap->tick_ns = sp.dt_ns;
	sp.ticks = 1;
	if (ls->over || end <= prev->t_ns)
		no_window(snap->tick);
	else
		sampler_windows(s, ls->lane, &sp, snap->tick, &snap->tick_lat);
	sp.before = sec;
	wall = end > sec->t_ns ? end - (sec->t_ns > go ? sec->t_ns : go) : 0;
	sp.dt_ns = sampler_active_ns(0, wall, now->paused_ns - sec->paused_ns);
	sp.ticks = back + 1;
	fill_workers(s, ls, &sp, back, snap);
	if (end <= sec->t_ns)
		no_window(snap->sec);
	else
		sampler_windows(s, ls->lane, &sp, snap->sec, &snap->sec_lat);
	/* N = X R: what really was in flight on average. NAN where nothing was measured. */
	snap->little = snap->sec[IO_OP_NR].iops * snap->sec[IO_OP_NR].lat.mean_ns / 1e9;
	snap->cpu_pct = lane_cpu_pct(now, sec, n->alive);
	fill_cpu_parts(ls, n, now->t_ns, snap);
	sp.before = &zero;
	sp.dt_ns = n->t_count_ns ? sampler_active_ns(n->t_count_ns, end,
						     now->paused_ns - n->paused_at_count_ns)
				 : 0;
	sp.ticks = 0;
	if (sp.dt_ns)
		sampler_windows(s, ls->lane, &sp, snap->total, &snap->total_lat);
	else
		no_window(snap->total);
}

/* Before the first completion: since the workers were let go. */
static void fill_oldest(const struct lane *l, const struct lane_now *n, uint64_t now_ns,
			struct lane_snap *snap)
{
	uint64_t since = n->last_done_ns ? n->last_done_ns : atomic_load(&l->ctl.t_go_ns);

	if (n->inflight && since && now_ns > since)
		snap->oldest_ns = now_ns - since;
}

static void lane_tick(struct sampler *s, unsigned i, uint64_t now_ns, struct lane_snap *snap)
{
	struct lane_sampler *ls = &s->lanes[i];
	struct lane *l = ls->lane;
	struct lane_now n;

	memset(snap, 0, sizeof(*snap));
	fill_identity(l, snap);
	if (!atomic_load(&l->ctl.go)) {
		no_window(snap->tick);
		no_window(snap->sec);
		no_window(snap->total);
		snap->cpu_pct = snap->cpu_usr_pct = snap->cpu_sys_pct = snap->little = NAN;
		snap->remaining_ns = UINT64_MAX;
		return;
	}
	ls->head = (ls->head + 1) % (SAMPLER_SEC_TICKS + 1);
	cum_read(l, now_ns, LOAD(&s->epoch), &ls->ring[ls->head], &n);
	snap->workers = n.alive;
	snap->inflight = n.inflight;
	fill_windows(s, ls, &n, snap);
	if (ls->filled < SAMPLER_SEC_TICKS)
		ls->filled++;
	ls->over = !n.alive && n.t_end_ns;
	fill_times(l, &n, now_ns, snap);
	snap->state = lane_state(l, &n);
	fill_oldest(l, &n, now_ns, snap);
	sampler_segment_tick(s, ls, &ls->ring[ls->head], n.t_count_ns != 0 && n.alive, snap);
	sampler_stall(s, i, snap, now_ns);
}

void sampler_gap(struct sampler *s)
{
	pthread_mutex_lock(&s->lock);
	s->disk_filled = 0;
	s->disk_ring[s->disk_head].t_ns = 0;
	for (unsigned i = 0; i < LANE_MAX; i++)
		s->lanes[i].device.filled = 0;
	pthread_mutex_unlock(&s->lock);
}

void sampler_tick(struct sampler *s, uint64_t now_ns, struct snapshot *snap)
{
	pthread_mutex_lock(&s->lock);
	snap->t_ns = now_ns;
	snap->win_ns = s->last_ns ? now_ns - s->last_ns : 0;
	s->last_ns = now_ns;
	snap->n_lanes = s->n_lanes;
	for (unsigned i = 0; i < s->n_lanes; i++)
		lane_tick(s, i, now_ns, &snap->lane[i]);
	sampler_disks(s, now_ns, snap);
	for (unsigned i = 0; i < s->n_lanes; i++) {
		snap->lane[i].split = s->lanes[i].split;
		snap->lane[i].reached_pct = s->lanes[i].reached_pct;
	}
	atomic_store_explicit(&s->epoch, LOAD(&s->epoch) + 1, memory_order_relaxed);
	pthread_mutex_unlock(&s->lock);
}

/* Report samples */

/* Ends the window when it is over. unit: what a count is divided by (bytes to KiB). */
static void sample_window(struct sample_window *w, const uint64_t count[IO_OP_NR], uint64_t unit,
			  unsigned ops, uint64_t now_ns)
{
	uint64_t ms = (now_ns - w->t_ns) / NSEC_PER_MSEC, sum = 0;

	for (unsigned i = 0; i <= IO_OP_NR; i++) {
		uint64_t n = i < IO_OP_NR ? count[i] - w->count[i] : sum;

		sum += n;
		/* fio skips windows without I/O; so do its fields here (fio-language 3.5). */
		if (n)
			samples_add(&w->busy[i], n * 1000 / ms / unit);
		if (n || i == IO_OP_NR || (ops & IO_BIT(i)))
			samples_add(&w->all[i], n * 1000 / ms / unit);
	}
	memcpy(w->count, count, sizeof(w->count));
	w->t_ns = now_ns;
}

/* A window with a pause in it is nobody's: it begins anew. */
static void sample_restart(struct sample_window *w, const uint64_t count[IO_OP_NR], uint64_t now_ns)
{
	memcpy(w->count, count, sizeof(w->count));
	w->t_ns = now_ns;
}

static void sample_worker(const struct job_spec *js, struct worker *w, struct worker_samples *ws,
			  uint64_t now_ns)
{
	uint64_t paused = lane_ctl_paused_ns(w->cfg.ctl, now_ns);
	uint64_t start = LOAD(&w->t_count_ns), ops[IO_OP_NR], bytes[IO_OP_NR];
	uint64_t last = w->last ? LOAD(&w->last->from_ns) : 0;
	uint8_t kinds = w->cfg.replay ? w->cfg.replay->ops : js->rw.ops;

	if (!start || LOAD(&w->t_end_ns) || now_ns < start)
		return;
	/* Only the last window of a search for a depth is reported. */
	if (last != ws->last_ns)
		*ws = (struct worker_samples){.last_ns = last, .paused_ns = UINT64_MAX};
	if (!ws->bw_kib.t_ns)
		ws->bw_kib.t_ns = ws->iops.t_ns = start;
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		ops[i] = LOAD(&w->op[i].ops);
		bytes[i] = LOAD(&w->op[i].bytes);
	}
	if (paused != ws->paused_ns) {
		sample_restart(&ws->bw_kib, bytes, now_ns);
		sample_restart(&ws->iops, ops, now_ns);
		ws->paused_ns = paused;
	}
	if (now_ns >= ws->bw_kib.t_ns + js->bwavg_ns)
		sample_window(&ws->bw_kib, bytes, 1024, kinds, now_ns);
	if (now_ns >= ws->iops.t_ns + js->iopsavg_ns)
		sample_window(&ws->iops, ops, 1, kinds, now_ns);
}

void sampler_lane_samples(struct lane *l, uint64_t now_ns)
{
	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++)
		sample_worker(l->plan.spec, l->workers[k], l->samples[k], now_ns);
	pthread_mutex_unlock(&l->lock);
}
