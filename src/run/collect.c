#include "src/run/collect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/dev/device.h"
#include "src/run/steady.h"

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

static uint64_t ns_to_ms(uint64_t ns)
{
	uint64_t ms = (ns + NSEC_PER_MSEC / 2) / NSEC_PER_MSEC;

	return ms ? ms : 1;
}

/* The last window of a search for a depth, when it is on: then the report is of it alone. */
static const struct worker_last *last_of(const struct worker *w)
{
	const struct worker_last *l = w->last;

	return l && atomic_load_explicit(&l->from_ns, memory_order_acquire) ? l : NULL;
}

static uint64_t runtime_ms(const struct worker *w, uint64_t now_ns)
{
	const struct worker_last *l = last_of(w);
	uint64_t from = l ? LOAD(&l->from_ns) : LOAD(&w->t_count_ns), to = LOAD(&w->t_end_ns);

	if (!from)
		return 0;
	to = to ? to : now_ns;
	from += lane_ctl_paused_ns(w->cfg.ctl, to) -
		(l ? l->paused_ns : LOAD(&w->paused_at_count_ns));
	return to > from ? ns_to_ms(to - from) : 0;
}

static void add_extra(struct dir_result *d, const struct op_extra_live *x,
		      const struct job_spec *js)
{
	struct lat_dist *one = xcalloc(1, sizeof(*one));

	if (js->slat_percentiles) {
		if (!d->slat_h)
			d->slat_h = xcalloc(1, sizeof(*d->slat_h));
		hist_live_read(&x->slat_h, &one->h);
		hist_add(d->slat_h, &one->h);
	}
	if (job_spec_has_rate(js)) {
		if (!d->resp)
			d->resp = xcalloc(1, sizeof(*d->resp));
		hist_live_read(&x->resp_h, &one->h);
		moments_live_read(&x->resp, &one->m);
		lat_dist_merge(d->resp, one);
	}
	free(one);
}

static void add_samples(struct dir_result *d, const struct worker_samples *ws, unsigned i)
{
	samples_sum(&d->bw_kib, &ws->bw_kib.busy[i]);
	samples_sum(&d->iops_s, &ws->iops.busy[i]);
	samples_sum(&d->bw_all_kib, &ws->bw_kib.all[i]);
	samples_sum(&d->iops_all, &ws->iops.all[i]);
}

static void add_direction(struct job_result *j, const struct worker *w,
			  const struct worker_samples *ws, unsigned op, uint64_t ms)
{
	const struct worker_last *l = last_of(w);
	struct op_stat *st = xcalloc(1, sizeof(*st));
	struct dir_result *d = &j->dir[op];

	op_live_read(l ? &l->op[op] : &w->op[op], st);
	if (l) {
		st->errors = LOAD(&w->op[op].errors) - l->errors[op];
		st->shorts = LOAD(&w->op[op].shorts) - l->shorts[op];
	}
	op_stat_merge(&d->st, st);
	if (st->ops && ms > d->runtime_ms)
		d->runtime_ms = ms;
	if (w->extra)
		add_extra(d, l ? &l->extra[op] : &w->extra[op], j->spec);
	add_samples(d, ws, op);
	free(st);
}

/* before NULL: nothing was counted before. */
static void add_cells(uint64_t *to, const _Atomic uint64_t *from, const uint64_t *before)
{
	for (unsigned i = 0; i < DEPTH_CELLS; i++)
		to[i] += LOAD(&from[i]) - (before ? before[i] : 0);
}

static void add_syncs(struct job_result *j, const struct worker *w)
{
	const struct worker_last *l = last_of(w);
	struct op_stat *st;

	if (!w->sync)
		return;
	st = xcalloc(1, sizeof(*st));
	op_live_read(l ? &l->sync : w->sync, st);
	lat_dist_merge(&j->sync_lat, &st->clat);
	j->sync_ops += LOAD(&w->syncs) - (l ? l->syncs : 0);
	free(st);
}

/* A lost device is an error of every clone, also of one that had nothing in flight just then. */
static void add_error(struct job_result *j, const struct lane *l, const struct worker *w)
{
	int error = atomic_load_explicit(&w->error, memory_order_acquire);
	const char *text = error ? w->error_text : "the device is gone";

	if (!error && atomic_load(&l->lost))
		error = ENODEV;
	j->failed += error != 0;
	if (!error || (j->error && !j->survived))
		return;
	j->survived = false;
	j->error = error;
	snprintf(j->error_text, sizeof(j->error_text), "%s%.240s", lane_lost_text(l), text);
}

static void add_times(struct job_result *j, const struct worker *w)
{
	uint64_t begin = LOAD(&w->t_count_ns), end = LOAD(&w->t_end_ns);

	if (begin && (!j->begin_ns || begin < j->begin_ns))
		j->begin_ns = begin;
	if (end > j->end_ns)
		j->end_ns = end;
}

static enum search_state search_of(const struct worker *w)
{
	switch ((enum seek_state)LOAD(&w->seek_state)) {
	case SEEK_STATE_MET:
		return SEARCH_MET;
	case SEEK_STATE_MISSED:
		return SEARCH_MISSED;
	default:
		return SEARCH_UNFINISHED;
	}
}

/* Of several clones fio tells the depth of the last; the worst outcome is that of all. */
static void add_search(struct job_result *j, const struct worker *w)
{
	uint32_t depth = LOAD(&w->seek_depth);
	enum search_state state = search_of(w);

	if (!j->spec->latency_target_ns || !depth)
		return;
	j->search.depth = depth;
	if (j->search.state == SEARCH_NONE || state > j->search.state)
		j->search.state = state;
	if (!j->search.depth_min || depth < j->search.depth_min)
		j->search.depth_min = depth;
	if (depth > j->search.depth_max)
		j->search.depth_max = depth;
}

/* fio tells of an error that did not end the job as the job's, but the job has not failed. */
static void add_first_error(struct job_result *j, const struct worker *w)
{
	int first = atomic_load_explicit(&w->first_error, memory_order_relaxed);

	if (!first || j->first_error)
		return;
	j->first_error = first;
	if (j->error)
		return;
	j->error = first;
	j->survived = true;
}

static void add_worker(struct job_result *j, const struct lane *lane, unsigned k, uint64_t now_ns)
{
	const struct worker *w = lane->workers[k];
	const struct worker_samples *ws = lane->samples[k];
	const struct worker_last *l = last_of(w);
	uint64_t ms = runtime_ms(w, now_ns);

	j->clones++;
	add_error(j, lane, w);
	add_first_error(j, w);
	if (!j->pid)
		j->pid = atomic_load(&w->tid);
	j->started |= LOAD(&w->t_count_ns) != 0;
	for (unsigned op = 0; op < IO_OP_NR; op++)
		add_direction(j, w, ws, op, ms);
	if (j->mixed)
		add_samples(j->mixed, ws, IO_OP_NR);
	add_syncs(j, w);
	j->retries += LOAD(&w->retries);
	if (lane->plan.size_bound && lane->plan.number_ios == UINT64_MAX)
		j->asked_bytes += lane->plan.io_bytes;
	j->runtime_ms += ms;
	j->usr_us += LOAD(&w->usage.usr_us);
	j->sys_us += LOAD(&w->usage.sys_us);
	j->ctx += LOAD(&w->usage.ctx);
	j->majf += LOAD(&w->usage.majf);
	j->minf += LOAD(&w->usage.minf);
	add_cells(j->depth, w->depth, l ? l->depth : NULL);
	add_cells(j->submit, w->submit, l ? l->submit : NULL);
	add_cells(j->complete, w->complete, l ? l->complete : NULL);
	add_times(j, w);
	add_search(j, w);
	if (!j->steady && k < lane->n_steady)
		j->steady = steady_copy(lane->steady[k]);
}

/* The entry this clone reports to: the last one when both ask for group reporting in one group. */
static struct job_result *entry_for(struct run_result *r, const struct lane *l)
{
	struct job_result *last = r->n_jobs ? &r->jobs[r->n_jobs - 1] : NULL, *j;
	unsigned flags = l->plan.engine->flags;

	if (last && last->group == l->plan.group && last->spec->group_reporting &&
	    l->plan.spec->group_reporting)
		return last;
	r->jobs = xrealloc(r->jobs, (r->n_jobs + 1) * sizeof(*r->jobs));
	j = &r->jobs[r->n_jobs++];
	memset(j, 0, sizeof(*j));
	j->spec = l->plan.spec;
	j->group = l->plan.group;
	j->simulated = flags & ENGINE_SIM;
	j->sync_engine = flags & ENGINE_SYNC || (flags & ENGINE_AT_ONCE && l->plan.tune.qd == 1);
	if (j->spec->unified_rw_reporting != UNIFIED_NONE) {
		j->mixed = xcalloc(1, sizeof(*j->mixed));
		if (j->spec->slat_percentiles)
			j->mixed->slat_h = xcalloc(1, sizeof(*j->mixed->slat_h));
	}
	return j;
}

static void add_lane(struct run_result *r, struct lane *l, uint64_t now_ns)
{
	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++)
		add_worker(entry_for(r, l), l, k, now_ns);
	pthread_mutex_unlock(&l->lock);
}

void collect_run(struct run_result *r, const struct spec *spec, struct lane *const *lanes,
		 size_t n_lanes, uint64_t now_ns)
{
	r->spec = spec;
	for (size_t i = 0; i < n_lanes; i++)
		add_lane(r, lanes[i], now_ns);
	for (size_t i = 0; i < r->n_jobs; i++) {
		r->jobs[i].end_wall_ms = r->end_wall_ms;
		if (r->jobs[i].group >= r->n_groups)
			r->n_groups = r->jobs[i].group + 1;
	}
	r->groups = xcalloc(r->n_groups, sizeof(*r->groups));
	result_derive(r);
}

static void free_dir(struct dir_result *d)
{
	free(d->slat_h);
	free(d->resp);
}

static void free_job(struct job_result *j)
{
	for (unsigned op = 0; op < IO_OP_NR; op++)
		free_dir(&j->dir[op]);
	if (j->mixed)
		free_dir(j->mixed);
	free(j->mixed);
	if (j->steady) {
		free(j->steady->iops);
		free(j->steady->bw_bytes);
	}
	free(j->steady);
}

void collect_free(struct run_result *r)
{
	for (size_t i = 0; i < r->n_jobs; i++)
		free_job(&r->jobs[i]);
	free(r->jobs);
	free(r->groups);
	free(r->disks);
	memset(r, 0, sizeof(*r));
}

/* Disks */

static bool has_disk(const struct run_disk *v, size_t n, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].major == major && v[i].minor == minor)
			return true;
	return false;
}

static void add_disk(struct run_disk **v, size_t *n, const struct device *d, bool slave)
{
	*v = xrealloc(*v, (*n + 1) * sizeof(**v));
	(*v)[*n] = (struct run_disk){.major = d->major, .minor = d->minor, .is_slave = slave};
	snprintf((*v)[*n].name, sizeof((*v)[*n].name), "%.31s", d->name);
	(*n)++;
}

static void add_with_slaves(struct run_disk **v, size_t *n, const struct device_list *list,
			    uint32_t major, uint32_t minor)
{
	const struct device *d = device_find_dev(list, major, minor);
	size_t at = *n;

	if (!d || has_disk(*v, *n, major, minor))
		return;
	add_disk(v, n, d, false);
	for (size_t i = 0; i < d->n_slaves; i++) {
		const struct device *s = device_find_name(list, d->slaves[i]);

		if (!s)
			continue;
		add_disk(v, n, s, true);
		(*v)[at].n_slaves++;
	}
}

/* Lanes may share one: it is told once. */
static void add_engine_device(struct run_disk **v, size_t *n, const struct plan *p)
{
	for (size_t i = 0; i < *n; i++)
		if ((*v)[i].plan && (*v)[i].plan->device == p->device)
			return;
	*v = xrealloc(*v, (*n + 1) * sizeof(**v));
	(*v)[*n] = (struct run_disk){.plan = p};
	snprintf((*v)[*n].name, sizeof((*v)[*n].name), "%.31s", p->device_name);
	(*n)++;
}

size_t collect_find_disks(struct lane *const *lanes, size_t n_lanes, const char *fsroot,
			  struct run_disk **disks)
{
	struct device_list list = {0};
	size_t n = 0;

	*disks = NULL;
	for (size_t i = 0; i < n_lanes; i++)
		if (lanes[i]->plan.device)
			add_engine_device(disks, &n, &lanes[i]->plan);
	if (device_list_load(fsroot, &list, NULL))
		return n;
	for (size_t i = 0; i < n_lanes; i++) {
		const struct plan *p = &lanes[i]->plan;

		for (unsigned t = 0; t < p->n_targets; t++)
			for (size_t d = 0; d < p->targets[t].info.n_disks; d++)
				add_with_slaves(disks, &n, &list, p->targets[t].info.disk[d].major,
						p->targets[t].info.disk[d].minor);
	}
	device_list_fini(&list);
	return n;
}

static void read_engine_device(const struct plan *p, struct disk_counters *c)
{
	struct engine_counters e;

	p->engine->device->count(p->device, &e);
	*c = (struct disk_counters){
		.inflight = e.inflight,
		.io_ticks_ms = e.busy_ns / NSEC_PER_MSEC,
		.in_queue_ms = e.queue_ns / NSEC_PER_MSEC,
	};
	for (unsigned k = 0; k < 4; k++) {
		c->ios[k] = e.ios[k];
		c->sectors[k] = e.sectors[k];
		c->ticks_ms[k] = e.ticks_ns[k] / NSEC_PER_MSEC;
	}
}

void collect_read_disks(struct run_disk *disks, size_t n, const char *fsroot, bool before)
{
	for (size_t i = 0; i < n; i++) {
		struct disk_counters *c = before ? &disks[i].before : &disks[i].after;

		if (disks[i].plan)
			read_engine_device(disks[i].plan, c);
		else if (diskstats_read_one(fsroot, disks[i].major, disks[i].minor, c))
			*c = disks[i].before; /* gone: nothing more is known of it */
	}
}

void collect_disks(struct run_result *r, const struct run_disk *disks, size_t n, uint64_t dt_ns)
{
	r->disks = xcalloc(n, sizeof(*r->disks));
	r->n_disks = n;
	for (size_t i = 0; i < n; i++) {
		struct disk_result *d = &r->disks[i];
		struct disk_counters c;
		double pct;

		diskstats_sub(&disks[i].before, &disks[i].after, &c);
		snprintf(d->name, sizeof(d->name), "%s", disks[i].name);
		for (unsigned k = 0; k < 2; k++) {
			d->ios[k] = c.ios[k];
			d->merges[k] = c.merges[k];
			d->sectors[k] = c.sectors[k];
			d->ticks_ms[k] = c.ticks_ms[k];
		}
		d->in_queue_ms = c.in_queue_ms;
		pct = dt_ns ? 100.0 * (double)c.io_ticks_ms * 1e6 / (double)dt_ns : 0;
		d->util_pct = pct > 100 ? 100 : pct;
		d->is_slave = disks[i].is_slave;
		d->n_slaves = disks[i].n_slaves;
	}
}
