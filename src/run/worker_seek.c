/*
 * latency_target at work: each depth is held for a window, judged, and the next one taken. The last
 * window, at the depth that was found, is counted once more on its own: it is what the report tells of.
 */
#include <errno.h>

#include "src/base/xalloc.h"
#include "src/run/worker.h"

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

static bool is_on(const struct worker *w)
{
	return w->cfg.spec->latency_target_ns != 0;
}

static uint32_t limit_of(const struct worker *w)
{
	return w->cfg.engine->flags & ENGINE_SYNC ? 1 : w->tune.qd;
}

static int init_last(struct worker *w)
{
	struct worker_last *l = buf_alloc(sizeof(*l));

	if (!l)
		return -ENOMEM;
	w->last = l;
	return 0;
}

int worker_seek_init(struct worker *w)
{
	const struct job_spec *s = w->cfg.spec;

	for (unsigned op = 0; op < IO_OP_NR; op++) {
		w->slow_ns[op] = s->max_latency_ns[op] ? s->max_latency_ns[op] : UINT64_MAX;
		if (is_on(w) && s->latency_target_ns < w->slow_ns[op])
			w->slow_ns[op] = s->latency_target_ns;
	}
	w->window.end_ns = UINT64_MAX;
	return is_on(w) && !s->latency_run ? init_last(w) : 0;
}

void worker_seek_fini(struct worker *w)
{
	buf_free(w->last, sizeof(*w->last));
}

static uint64_t ops_done(const struct worker *w)
{
	uint64_t n = 0;

	for (unsigned op = 0; op < IO_OP_NR; op++)
		n += LOAD(&w->op[op].ops);
	return n;
}

static void begin_window(struct worker *w, uint64_t now)
{
	w->window.end_ns = now + w->cfg.spec->latency_window_ns;
	w->window.ops = ops_done(w);
	w->window.slow = 0;
	w->window.drain = false;
	w->qd = w->seek.depth;
	atomic_store_explicit(&w->seek_depth, w->seek.depth, memory_order_relaxed);
}

static void set_state(struct worker *w, enum seek_state state)
{
	atomic_store_explicit(&w->seek_state, (int)state, memory_order_relaxed);
}

void worker_seek_start(struct worker *w, uint64_t now)
{
	const struct job_spec *s = w->cfg.spec;

	if (!is_on(w))
		return;
	seek_init(&w->seek, limit_of(w), s->latency_run, s->latency_percentile < 100);
	set_state(w, SEEK_STATE_ON);
	begin_window(w, now);
	w->window.end_ns = UINT64_MAX; /* until counting begins */
}

void worker_seek_limit(struct worker *w)
{
	if (!is_on(w))
		return;
	seek_limit(&w->seek, limit_of(w));
	w->qd = w->window.drain ? 0 : w->seek.depth;
}

/* Nothing more at the old depth; with a depth of 0 nothing is issued. */
static void drain_first(struct worker *w)
{
	w->window.drain = true;
	w->qd = 0;
	w->look_ns = 0;
}

static void copy_cells(uint64_t *to, const _Atomic uint64_t *from)
{
	for (unsigned i = 0; i < DEPTH_CELLS; i++)
		to[i] = LOAD(&from[i]);
}

/* Nothing is in flight: everything from here on counts twice, in the run and in its last window. */
static void begin_last(struct worker *w, uint64_t now)
{
	struct worker_last *l = w->last;

	for (unsigned op = 0; op < IO_OP_NR; op++) {
		op_live_init(&l->op[op]);
		if (w->extra) {
			op_extra_live_init(&l->extra[op]);
			l->op[op].extra = &l->extra[op];
		}
		l->errors[op] = LOAD(&w->op[op].errors);
		l->shorts[op] = LOAD(&w->op[op].shorts);
	}
	op_live_init(&l->sync);
	l->syncs = LOAD(&w->syncs);
	copy_cells(l->depth, w->depth);
	copy_cells(l->submit, w->submit);
	copy_cells(l->complete, w->complete);
	worker_usage_publish(w, true);
	l->paused_ns = lane_ctl_paused_ns(w->cfg.ctl, now);
	w->aside = true;
	atomic_store_explicit(&l->from_ns, now, memory_order_release);
}

static void end_last(struct worker *w)
{
	if (!w->last || !LOAD(&w->last->from_ns))
		return;
	atomic_store_explicit(&w->last->from_ns, 0, memory_order_relaxed);
	w->aside = w->log != NULL;
}

static void take(struct worker *w, enum seek_next next, uint64_t now)
{
	const struct job_spec *s = w->cfg.spec;

	switch (next) {
	case SEEK_DOWN:
		end_last(w);
		set_state(w, SEEK_STATE_ON);
		drain_first(w);
		break;
	case SEEK_RETRY:
		if (w->seek.last)
			drain_first(w);
		else
			begin_window(w, now);
		break;
	case SEEK_LAST:
		set_state(w, SEEK_STATE_ON);
		drain_first(w);
		break;
	case SEEK_DONE:
		set_state(w, SEEK_STATE_MET);
		w->draining = true;
		break;
	case SEEK_LOST:
		end_last(w);
		set_state(w, SEEK_STATE_MISSED);
		if (s->latency_percentile >= 100)
			worker_fail(w, ETIMEDOUT,
				    "latency_target=%llu us is not met, not even with a depth of 1",
				    (unsigned long long)(s->latency_target_ns / NSEC_PER_USEC));
		begin_window(w, now);
		break;
	default:
		end_last(w);
		set_state(w, next == SEEK_AGAIN ? SEEK_STATE_MET : SEEK_STATE_ON);
		begin_window(w, now);
	}
}

void worker_seek(struct worker *w, uint64_t now)
{
	uint64_t ops;

	if (!is_on(w) || w->draining || !LOAD(&w->t_count_ns))
		return;
	if (w->window.drain) {
		w->look_ns = 0;
		if (w->n_inflight || w->n_batch)
			return;
		if (w->seek.last)
			begin_last(w, now);
		begin_window(w, now);
		return;
	}
	if (w->window.end_ns == UINT64_MAX)
		begin_window(w, now);
	ops = ops_done(w) - w->window.ops;
	/* A window without a single I/O says nothing. */
	if (now < w->window.end_ns || ops == 0)
		return;
	if ((double)(ops - w->window.slow) * 100 >= w->cfg.spec->latency_percentile * (double)ops)
		take(w, seek_held(&w->seek), now);
	else
		take(w, seek_failed(&w->seek), now);
}

void worker_seek_slow(struct worker *w, uint32_t n, uint64_t lat_ns, uint64_t now)
{
	const struct job_spec *s = w->cfg.spec;

	if (!is_on(w) || lat_ns <= s->latency_target_ns || w->window.drain ||
	    w->window.end_ns == UINT64_MAX || w->draining)
		return;
	w->window.slow += n;
	/* All have to be in time: one that is not settles it. */
	if (s->latency_percentile >= 100)
		take(w, seek_failed(&w->seek), now);
}
