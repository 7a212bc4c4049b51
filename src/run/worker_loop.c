/*
 * The loop. Per turn: look at the controls; fill free slots while depth, limits and rate allow; one
 * submit; one reap; account. Time is read once per submitted batch (after the kernel took it) and once per
 * reaped batch; the reap's time is also when the next I/Os are prepared:
 *
 *      reap -> now ---- fill (start = now) ---- submit -> issue ---- reap -> done = now
 *
 * so consecutive latencies of a slot leave no gap, and IOPS x latency = queue depth (Little's law).
 */
#include <errno.h>
#include <string.h>
#include <sched.h>
#include <unistd.h>

#include "src/run/worker_turn.h"

/* The longest a worker sleeps or waits without looking at its controls. */
#define LOOK_NS      (20 * NSEC_PER_MSEC)
#define USAGE_EPOCHS 10u
/* How long what a worker does by itself may be late: usage, rate_min. End and ramp are to the turn. */
#define USAGE_LOOK_NS NSEC_PER_MSEC
#define BACK_OFF_NS   (100 * NSEC_PER_USEC)
#define STUCK_NS      (10 * NSEC_PER_SEC)

/* A clock that steps back by less was read out of order; by more, it was given up (tsc.h). */
#define CLOCK_STEP_NS NSEC_PER_MSEC

/*
 * The clock went back: what is in flight has no known beginning any more, so it begins now. Cold, and
 * better than a latency of 580 years.
 */
uint64_t worker_clock_went_back(struct worker *w, uint64_t before, uint64_t now)
{
	if (before - now < CLOCK_STEP_NS)
		return before;
	for (uint32_t i = 0; i < w->depth_max; i++) {
		w->slots[i].start_ns = now;
		if (w->slots[i].issue_ns)
			w->slots[i].issue_ns = now;
		if (w->slots[i].due_ns > now)
			w->slots[i].due_ns = now;
	}
	w->quiet_since_ns = w->look_ns = now;
	return now;
}

/* One sync that took from t0_ns until now; code: 0 or what went wrong. */
static void account_sync(struct worker *w, const char *what, int code, uint64_t t0_ns)
{
	uint64_t now = worker_clock(w, t0_ns), dt = now > t0_ns ? now - t0_ns : 0;
	struct op_sample sample = {.clat_ns = dt, .lat_ns = dt};

	if (code) {
		worker_fail(w, code, "sync of %s: %s", what, strerror(code));
		return;
	}
	if (!atomic_load_explicit(&w->t_count_ns, memory_order_relaxed))
		return;
	op_live_add(w->sync, w->straddle, &sample);
	BUMP(&w->syncs);
	if (w->last && atomic_load(&w->last->from_ns))
		op_live_add(&w->last->sync, w->straddle, &sample);
}

static void trace_sync(struct worker *w, unsigned file, bool data_only, uint64_t t0_ns)
{
	const struct trace_record rec = {
		.issue_ns = t0_ns, .file = file, .kind = data_only ? IOLOG_DATASYNC : IOLOG_SYNC};

	if (w->trace)
		trace_ring_put(w->trace, &rec);
}

/* One file; its engine may know better how. */
static void sync_file(struct worker *w, unsigned i, bool data_only)
{
	uint64_t t0 = clock_now_ns(w->cfg.ctl->clock);
	int code = 0;

	trace_sync(w, i, data_only, t0);
	if (w->cfg.engine->sync)
		code = -w->cfg.engine->sync(&w->engine, data_only);
	/* A job without a file (ioengine=null) has nothing to sync, as in fio. */
	else if (w->fds[i] >= 0 && (data_only ? fdatasync(w->fds[i]) : fsync(w->fds[i])) < 0)
		code = errno;
	account_sync(w, w->cfg.files[i].path, code, t0);
}

/* The time after it: what is issued next must not count the sync as its own. */
static uint64_t sync_files(struct worker *w, bool data_only)
{
	/* An engine syncs all it has at once. */
	unsigned n = w->cfg.engine->sync ? 1 : w->cfg.n_files;

	for (unsigned i = 0; i < n; i++)
		sync_file(w, i, data_only);
	w->writes_since_sync = 0;
	w->sync_due = false;
	return clock_now_ns(w->cfg.ctl->clock);
}

/* What was asked for: after so many writes, or by a log. */
static uint64_t sync_due(struct worker *w)
{
	if (!w->sync_one)
		return sync_files(w, !w->cfg.fsync_every);
	sync_file(w, w->sync_one - 1, w->sync_data);
	w->sync_one = 0;
	w->sync_due = false;
	return clock_now_ns(w->cfg.ctl->clock);
}

static inline uint64_t fill(struct worker *w, uint64_t now)
{
	if (w->plain_bytes)
		return worker_fill_plain(w, now);
	return __builtin_expect(w->cfg.replay != NULL, 0) ? worker_fill_replay(w, now)
							  : worker_fill(w, now);
}

/* When the run time began of the workers that were there from the start. */
static uint64_t lane_began_ns(const struct worker *w, uint64_t now)
{
	return atomic_load(&w->cfg.ctl->t_go_ns) + w->cfg.delay_ns + w->cfg.ramp_ns +
	       lane_ctl_held_ns(w->cfg.ctl, now);
}

static void begin_counting(struct worker *w, uint64_t now)
{
	/* A worker that joins a running lane ends with it; the others run their full time. */
	uint64_t from = w->late ? lane_began_ns(w, now) : now;

	worker_usage_publish(w, true);
	/* Ramp I/O does not count against the job's size (fio-language 4.3). */
	w->issued_bytes = w->issued_ios = 0;
	worker_first_loop(w);
	w->end_ns = w->cfg.runtime_ns ? from + w->cfg.runtime_ns : UINT64_MAX;
	atomic_store_explicit(&w->paused_at_count_ns, lane_ctl_paused_ns(w->cfg.ctl, now),
			      memory_order_relaxed);
	atomic_store_explicit(&w->held_at_count_ns, lane_ctl_held_ns(w->cfg.ctl, now),
			      memory_order_relaxed);
	atomic_store_explicit(&w->t_count_ns, now, memory_order_relaxed);
	atomic_store_explicit(&w->state, WORKER_RUN, memory_order_relaxed);
}

static void take_tuning(struct worker *w, uint32_t gen, uint64_t now)
{
	struct tuning t;

	pthread_mutex_lock(&w->cfg.ctl->lock);
	t = w->cfg.ctl->tune;
	pthread_mutex_unlock(&w->cfg.ctl->lock);
	w->reopen = worker_needs_reopen(w, &t);
	worker_apply_tuning(w, &t, now);
	atomic_store_explicit(&w->gen_seen, gen, memory_order_relaxed);
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* When there may be something to do that nobody asks for: see control_now(). */
static uint64_t next_look(const struct worker *w, uint64_t now, uint64_t ramp_end_ns)
{
	uint64_t t = min_u64(min_u64(now + USAGE_LOOK_NS, w->end_ns), w->window.end_ns);

	return atomic_load_explicit(&w->t_count_ns, memory_order_relaxed) ? t
									  : min_u64(t, ramp_end_ns);
}

/* Looks at what others ask of this worker. `ramp_end_ns` is when counting begins. */
static void control_now(struct worker *w, uint64_t now, uint64_t ramp_end_ns)
{
	struct lane_ctl *ctl = w->cfg.ctl;
	uint32_t gen = atomic_load_explicit(&ctl->gen, memory_order_acquire);
	uint64_t epoch = atomic_load_explicit(ctl->epoch, memory_order_relaxed);

	if (gen != atomic_load_explicit(&w->gen_seen, memory_order_relaxed))
		take_tuning(w, gen, now);
	if (atomic_load_explicit(&ctl->stop, memory_order_relaxed) ||
	    atomic_load_explicit(&w->retire, memory_order_relaxed) || now >= w->end_ns)
		w->draining = true;
	if (!atomic_load_explicit(&w->t_count_ns, memory_order_relaxed) && now >= ramp_end_ns &&
	    !w->draining)
		begin_counting(w, now);
	if (atomic_load_explicit(&w->t_count_ns, memory_order_relaxed) && !w->draining)
		worker_check_floor(w, now);
	if (epoch - w->usage_epoch >= USAGE_EPOCHS) {
		w->usage_epoch = epoch;
		if (atomic_load_explicit(&w->t_count_ns, memory_order_relaxed))
			worker_usage_publish(w, false);
	}
	w->look_ns = next_look(w, now, ramp_end_ns);
	worker_seek(w, now);
}

static inline void control(struct worker *w, uint64_t now, uint64_t ramp_end_ns)
{
	const struct lane_ctl *ctl = w->cfg.ctl;

	if (now >= w->look_ns || atomic_load_explicit(&ctl->stop, memory_order_relaxed) ||
	    atomic_load_explicit(&w->retire, memory_order_relaxed) ||
	    atomic_load_explicit(&ctl->gen, memory_order_relaxed) !=
		    atomic_load_explicit(&w->gen_seen, memory_order_relaxed))
		control_now(w, now, ramp_end_ns);
}

/* Nothing in flight and nothing to issue yet: sleep, but look at the controls now and then. */
static uint64_t idle(struct worker *w, uint64_t now, uint64_t until_ns)
{
	uint64_t t = min_u64(min_u64(until_ns, w->end_ns), now + LOOK_NS);

	clock_sleep_until(w->cfg.ctl->clock, t);
	return worker_clock(w, now);
}

static uint64_t reap(struct worker *w, uint64_t now, uint64_t due_ns)
{
	uint64_t wait_ns = LOOK_NS;
	uint32_t min = w->cfg.complete_min ? w->cfg.complete_min : 1, max = w->depth_max;
	int n;

	if (due_ns)
		wait_ns = due_ns > now ? min_u64(due_ns - now, LOOK_NS) : 0;
	if (min > w->n_inflight)
		min = w->n_inflight;
	if (w->cfg.complete_max && w->cfg.complete_max < max)
		max = w->cfg.complete_max;
	/* Retries waiting to go out must not wait for completions. */
	if (w->n_batch)
		min = 0;
	n = w->cfg.engine->reap(&w->engine, w->done, min, max, wait_ns);
	now = worker_clock(w, now);
	if (n == -EINTR || n == -EAGAIN)
		n = 0;
	if (n < 0) {
		worker_fail(w, -n, "%s: waiting for completions: %s", w->cfg.engine->name,
			    strerror(-n));
		worker_drop_batch(w);
		w->n_inflight = 0; /* the engine is broken; close() waits for what it still holds */
		return now;
	}
	BUMP(&w->complete[batch_cell((uint32_t)n)]);
	if (n)
		worker_complete(w, (uint32_t)n, now);
	return now;
}

/*
 * The kernel takes nothing although nothing is in flight (EAGAIN): give it time, but not for ever.
 */
static uint64_t back_off(struct worker *w, uint64_t now)
{
	if (!w->stuck_since_ns)
		w->stuck_since_ns = now;
	if (now - w->stuck_since_ns > STUCK_NS) {
		worker_fail(w, EAGAIN, "%s: the kernel took no request for %llu s",
			    w->cfg.engine->name, STUCK_NS / NSEC_PER_SEC);
		worker_drop_batch(w);
	}
	return idle(w, now, now + BACK_OFF_NS);
}

/* A change that needs more slots or larger buffers: nothing is in flight, make the engine anew. */
static uint64_t reopen(struct worker *w)
{
	struct err e = {0};

	worker_close(w);
	if (worker_open(w, &e))
		worker_fail(w, e.code, "%s", e.msg);
	return clock_now_ns(w->cfg.ctl->clock);
}

static uint64_t wait_for_start(struct worker *w)
{
	struct lane_ctl *ctl = w->cfg.ctl;
	uint64_t start = atomic_load(&ctl->t_go_ns) + w->cfg.delay_ns, now;

	atomic_store_explicit(&w->state, WORKER_DELAY, memory_order_relaxed);
	while ((now = clock_now_ns(ctl->clock)) < start && !atomic_load(&ctl->stop))
		clock_sleep_until(ctl->clock, min_u64(start, now + LOOK_NS));
	return now;
}

static void finish(struct worker *w)
{
	if (w->cfg.end_fsync && w->cfg.writable && !atomic_load(&w->error)) {
		atomic_store_explicit(&w->state, WORKER_SYNC, memory_order_relaxed);
		sync_files(w, false);
	}
	if (atomic_load_explicit(&w->t_count_ns, memory_order_relaxed))
		worker_usage_publish(w, false);
	atomic_store_explicit(&w->t_end_ns, clock_now_ns(w->cfg.ctl->clock), memory_order_relaxed);
	/* The one before the close is not part of the measurement. */
	for (unsigned i = 0; w->cfg.spec->fsync_on_close && w->cfg.writable && i < w->cfg.n_files;
	     i++)
		if (w->fds[i] >= 0 && fsync(w->fds[i]) < 0)
			worker_fail(w, errno, "fsync_on_close of %s: %s", w->cfg.files[i].path,
				    strerror(errno));
}

/*
 * Paused and nothing in flight. pause_gen is read before `pause`, so what is published can only be too
 * old. The time lost is not caught up with: due times move on; and the ends of ramp and run when it is the
 * run that stands still.
 */
static uint64_t park(struct worker *w, uint64_t now, uint64_t *ramp_end_ns)
{
	struct lane_ctl *ctl = w->cfg.ctl;
	uint32_t gen = atomic_load(&ctl->pause_gen);
	uint64_t from = now;
	bool held;

	if (!atomic_load(&ctl->pause))
		return now;
	atomic_store(&w->parked_gen, gen);
	held = atomic_load(&ctl->held);
	now = idle(w, now, UINT64_MAX);
	rate_shift(&w->rate, now - from);
	worker_replay_shift(w, now - from);
	w->floor.from_ns = 0; /* rate_min is judged anew */
	if (!held)
		return now;
	*ramp_end_ns += now - from;
	if (w->end_ns != UINT64_MAX)
		w->end_ns += now - from;
	return now;
}

void worker_loop(struct worker *w)
{
	struct lane_ctl *ctl = w->cfg.ctl;
	uint64_t now = wait_for_start(w), ramp_end = now + w->cfg.ramp_ns;

	w->end_ns = UINT64_MAX;
	atomic_store_explicit(&w->state, WORKER_RAMP, memory_order_relaxed);
	worker_start_rate(w, now);
	worker_pace_start(w, now);
	worker_replay_start(w, now);
	worker_first_loop(w);
	worker_seek_start(w, now);
	for (;;) {
		uint64_t due;

		control(w, now, ramp_end);
		due = fill(w, now);
		if (w->n_batch)
			worker_submit(w, now);
		atomic_store_explicit(&w->inflight, w->n_inflight, memory_order_relaxed);
		if (w->draining && !w->n_inflight && !w->n_batch)
			break;
		if (w->n_inflight)
			now = reap(w, now, due);
		else if (w->n_batch)
			now = back_off(w, now);
		else if (w->reopen)
			now = reopen(w);
		else if (w->loop_due)
			worker_next_loop(w);
		else if (w->sync_due)
			now = sync_due(w);
		else if (due)
			now = idle(w, now, due);
		else if (atomic_load(&ctl->pause))
			now = park(w, now, &ramp_end);
		else
			now = worker_clock(w, now);
	}
	finish(w);
}
