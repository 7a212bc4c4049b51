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

#include "src/run/worker.h"

/* The longest a worker sleeps or waits without looking at its controls. */
#define LOOK_NS      (20 * NSEC_PER_MSEC)
#define USAGE_EPOCHS 10u
/* How long what a worker does by itself may be late: usage, rate_min. End and ramp are to the turn. */
#define USAGE_LOOK_NS NSEC_PER_MSEC
#define BACK_OFF_NS   (100 * NSEC_PER_USEC)
#define STUCK_NS      (10 * NSEC_PER_SEC)

/* A clock that steps back by less was read out of order; by more, it was given up (tsc.h). */
#define CLOCK_STEP_NS NSEC_PER_MSEC

#define BUMP(p) RELAXED_ADD((p), 1)

/*
 * The clock went back: what is in flight has no known beginning any more, so it begins now. Cold, and
 * better than a latency of 580 years.
 */
static __attribute__((noinline, cold)) uint64_t clock_went_back(struct worker *w, uint64_t before,
								uint64_t now)
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

/* The time, not before `before`, the last one that this worker knows. */
static inline uint64_t read_clock(struct worker *w, uint64_t before)
{
	uint64_t now = clock_now_ns(w->cfg.ctl->clock);

	return __builtin_expect(now >= before, 1) ? now : clock_went_back(w, before, now);
}

static inline uint32_t depth_cell(uint32_t depth)
{
	uint32_t i = 31u - (uint32_t)__builtin_clz(depth | 1);

	return i < DEPTH_CELLS ? i : DEPTH_CELLS - 1;
}

/* 0 | 1-4 | 5-8 | 9-16 | 17-32 | 33-64 | >64 */
static inline uint32_t batch_cell(uint32_t n)
{
	uint32_t i;

	if (n == 0)
		return 0;
	if (n <= 4)
		return 1;
	i = 31u - (uint32_t)__builtin_clz(n - 1);
	return i < DEPTH_CELLS ? i : DEPTH_CELLS - 1;
}

static inline bool limits_reached(const struct worker *w)
{
	return w->issued_bytes >= w->limit_bytes || w->issued_ios >= w->cfg.number_ios;
}

/* With a rate on both directions the one that is further behind goes next; else the deck decides. */
static enum io_op choose_op(struct worker *w)
{
	uint64_t due_r, due_w;

	if (w->has_next_op)
		return w->next_op;
	if (w->rate.any && w->tune.ops == (IO_BIT(IO_READ) | IO_BIT(IO_WRITE))) {
		due_r = rate_due_ns(&w->rate, IO_READ);
		due_w = rate_due_ns(&w->rate, IO_WRITE);
		if (due_r && due_w)
			return due_r <= due_w ? IO_READ : IO_WRITE;
	}
	w->next_op = mix_next(&w->mix);
	w->has_next_op = true;
	return w->next_op;
}

static bool wants_sync(const struct worker *w, enum io_op op)
{
	uint32_t every = w->cfg.fsync_every ? w->cfg.fsync_every : w->cfg.fdatasync_every;

	return every && op == IO_WRITE && w->writes_since_sync >= every;
}

static void prepare(struct worker *w, enum io_op op, uint64_t now, uint64_t due)
{
	struct io_slot *s = w->free[--w->n_free];
	unsigned f = w->cfg.n_files == 1 ? 0 : worker_choose_file(w);
	uint64_t len, left = w->limit_bytes - w->issued_bytes;

	s->offset = pattern_next_len(&w->pattern[f], op, &len);
	/* The last one of several lengths ends where the job's bytes end. */
	s->len = (uint32_t)(len > left && w->cfg.blocks ? left : len);
	if (w->cfg.n_files > 1)
		worker_served(w, f, s->len);
	s->fd = w->fds[f];
	s->op = (uint8_t)op;
	s->res = 0;
	s->done_bytes = 0;
	s->start_ns = now;
	s->issue_ns = 0;
	s->due_ns = due;
	if (op == IO_WRITE) {
		worker_fill_write(w, s);
		w->writes_since_sync++;
	} else {
		s->buf = w->pool + s->index * w->pool_stride;
	}
	w->issued_ios++;
	w->issued_bytes += s->len;
	w->has_next_op = false;
	worker_think_count(w, 1, true);
	if (w->rate.any)
		rate_issued(&w->rate, op, s->len);
	w->batch[w->n_batch++] = s;
}

/*
 * Fills the batch. Returns the time before which nothing more can be issued because of a rate; 0: not
 * limited by a rate.
 */
static uint64_t fill(struct worker *w, uint64_t now)
{
	uint32_t room;
	uint64_t pause_end;

	if (w->draining || w->reopen || w->sync_due || w->loop_due ||
	    atomic_load_explicit(&w->cfg.ctl->pause, memory_order_relaxed))
		return 0;
	if (worker_is_thinking(w, now, &pause_end))
		return pause_end;
	if (w->n_inflight + w->n_batch >= w->qd) {
		w->refilling = false;
		return 0;
	}
	room = w->qd - w->n_inflight - w->n_batch;
	/* iodepth_low: once full, drain to it first. iodepth_batch: wait until that many fit. */
	if (w->cfg.depth_low && !w->refilling && w->n_inflight > w->cfg.depth_low)
		return 0;
	w->refilling = true;
	if (w->cfg.batch_submit > 1 && room < w->cfg.batch_submit && room < w->qd)
		return 0;
	while (room-- && w->n_free && !limits_reached(w)) {
		enum io_op op = choose_op(w);
		uint64_t due = w->rate.any ? rate_due_ns(&w->rate, op) : 0;

		if (due > now)
			return due;
		if (wants_sync(w, op)) {
			w->sync_due = true;
			break;
		}
		prepare(w, op, now, due);
		if (w->cfg.spec->thinktime_by_issue && w->cfg.spec->thinktime_ns &&
		    w->think.count >= w->cfg.spec->thinktime_blocks)
			break;
	}
	if (limits_reached(w))
		worker_limits_reached(w);
	return 0;
}

/*
 * The same for a job without rules (worker_is_plain): reads of one length in one file. The last I/Os before
 * a limit are left to fill().
 */
static uint64_t fill_plain(struct worker *w, uint64_t now)
{
	uint32_t used = w->n_inflight + w->n_batch, n;
	uint64_t bs = w->plain_bytes;
	struct io_slot **batch = w->batch + w->n_batch;

	if (used >= w->qd)
		return 0;
	n = w->qd - used;
	if (w->cfg.number_ios - w->issued_ios <= n || n * bs >= w->limit_bytes - w->issued_bytes ||
	    w->draining || w->reopen ||
	    atomic_load_explicit(&w->cfg.ctl->pause, memory_order_relaxed))
		return fill(w, now);
	w->n_free -= n;
	for (uint32_t i = 0; i < n; i++) {
		struct io_slot *s = w->free[w->n_free + n - 1 - i];

		s->offset = pattern_next_plain(w->pattern, w->plain_op);
		s->len = (uint32_t)bs;
		s->fd = w->fds[0];
		s->op = (uint8_t)w->plain_op;
		s->res = 0;
		s->done_bytes = 0;
		s->start_ns = now;
		s->issue_ns = s->due_ns = 0;
		s->buf = w->pool + s->index * w->pool_stride;
		batch[i] = s;
	}
	w->issued_ios += n;
	w->issued_bytes += n * bs;
	w->n_batch += n;
	return 0;
}

static void account_submit(struct worker *w, uint32_t n, uint64_t issue_ns)
{
	if (w->n_inflight == 0)
		w->quiet_since_ns = issue_ns;
	for (uint32_t i = 0; i < n; i++)
		if (!w->batch[i]->issue_ns)
			w->batch[i]->issue_ns = issue_ns;
	w->n_inflight += n;
	w->n_batch -= n;
	if (__builtin_expect(w->n_batch, 0))
		memmove(w->batch, w->batch + n, w->n_batch * sizeof(*w->batch));
	RELAXED_ADD(&w->depth[depth_cell(w->n_inflight)], n);
	BUMP(&w->submit[batch_cell(n)]);
}

static void drop_batch(struct worker *w)
{
	while (w->n_batch)
		w->free[w->n_free++] = w->batch[--w->n_batch];
}

static void submit(struct worker *w, uint64_t now)
{
	int rc = w->cfg.engine->submit(&w->engine, w->batch, w->n_batch);

	if (rc == -EAGAIN || rc == -EINTR)
		rc = 0;
	if (rc < 0) {
		worker_fail(w, -rc, "%s: submitting %u requests: %s", w->cfg.engine->name,
			    w->n_batch, strerror(-rc));
		drop_batch(w); /* nothing was accepted: the slots are ours again */
		return;
	}
	if (rc > 0) {
		account_submit(w, (uint32_t)rc, w->one_time ? now : read_clock(w, now));
		w->stuck_since_ns = 0;
	}
}

static const char *path_of(const struct worker *w, int fd)
{
	for (unsigned i = 0; i < w->cfg.n_files; i++)
		if (w->fds[i] == fd)
			return w->cfg.files[i].path;
	return "";
}

static bool is_ignored(const struct worker *w, unsigned op, int code)
{
	const struct error_list *l = w->cfg.ignore;

	for (uint32_t i = 0; l && i < l->n[op]; i++)
		if (l->v[op][i] == code)
			return true;
	return false;
}

/* fio goes on after errors of the medium only; others would repeat for ever (no space left). */
static bool may_continue(const struct worker *w, unsigned op, int code)
{
	uint32_t bit = op == IO_READ ? CONTINUE_READ : CONTINUE_WRITE;

	return code == EIO && (w->cfg.spec->continue_on_error & bit);
}

static void io_error(struct worker *w, struct io_slot *s, int code)
{
	RELAXED_ADD(&w->op[s->op].errors, 1);
	if (!atomic_load_explicit(&w->first_error, memory_order_relaxed))
		atomic_store_explicit(&w->first_error, code, memory_order_relaxed);
	worker_think_count(w, 1, false);
	w->free[w->n_free++] = s;
	if (is_ignored(w, s->op, code) || may_continue(w, s->op, code)) {
		RELAXED_ADD(&w->ignored, 1);
		return;
	}
	worker_fail(w, code, "%s of %s at offset %llu: %s (wanted %u bytes, got %u)",
		    io_op_name((enum io_op)s->op), path_of(w, s->fd), (unsigned long long)s->offset,
		    code == EIO && s->res == 0 ? "no data; past the end, or the device is gone"
					       : strerror(code),
		    s->len, s->done_bytes);
}

/* Part of it was done: the rest goes out at once, the I/O counts once, from its first issue. */
static void resubmit_rest(struct worker *w, struct io_slot *s)
{
	s->done_bytes += (uint32_t)s->res;
	s->offset += (uint64_t)s->res;
	s->buf = (uint8_t *)s->buf + s->res;
	s->len -= (uint32_t)s->res;
	w->batch[w->n_batch++] = s;
}

static void log_io(struct worker *w, const struct io_slot *s, const struct op_sample *sample,
		   uint64_t now)
{
	const struct log_record rec = {
		.done_ns = now,
		.offset = s->offset - s->done_bytes,
		.slat_ns = sample->slat_ns,
		.clat_ns = sample->clat_ns,
		.len = (uint32_t)sample->bytes,
		.op = s->op,
	};

	log_ring_put(w->log, &rec);
}

/* Rare: slower than max_latency or latency_target. */
static void slow_io(struct worker *w, const struct io_slot *s, uint32_t n, uint64_t now)
{
	uint64_t max = w->cfg.spec->max_latency_ns[s->op], lat_ns = now - s->start_ns;

	if (max && lat_ns > max)
		worker_fail(w, ETIMEDOUT,
			    "%s of %s at offset %llu took %llu us, max_latency is %llu us",
			    io_op_name((enum io_op)s->op), path_of(w, s->fd),
			    (unsigned long long)s->offset,
			    (unsigned long long)(lat_ns / NSEC_PER_USEC),
			    (unsigned long long)(max / NSEC_PER_USEC));
	worker_seek_slow(w, n, lat_ns, now);
}

/* Rare: counted elsewhere, too. */
static void account_aside(struct worker *w, const struct io_slot *s, const struct op_sample *sample,
			  uint32_t n, uint64_t now)
{
	if (w->last && atomic_load_explicit(&w->last->from_ns, memory_order_relaxed))
		op_live_add_alike(&w->last->op[s->op], w->straddle, sample, n);
	if (w->log)
		log_io(w, s, sample, now);
}

/* n finished I/Os like s: the same op, length and times. */
static inline void account(struct worker *w, const struct io_slot *s, uint32_t n, uint64_t now,
			   uint64_t epoch, bool counting)
{
	struct op_live *op = &w->op[s->op];
	uint64_t bytes = (uint64_t)s->len + s->done_bytes;

	worker_think_count(w, n, false);
	if (counting) {
		struct op_sample sample = {
			.slat_ns = s->issue_ns - s->start_ns,
			.clat_ns = now - s->issue_ns,
			.lat_ns = now - s->start_ns,
			.resp_ns = now - (s->due_ns ? s->due_ns : s->start_ns),
			.bytes = bytes,
			.epoch = epoch,
		};

		op_live_add_alike(op, w->straddle, &sample, n);
		if (__builtin_expect(w->aside, 0))
			account_aside(w, s, &sample, n, now);
	} else {
		RELAXED_ADD(&w->ramp_ops[s->op], n);
		RELAXED_ADD(&w->ramp_bytes[s->op], bytes * n);
	}
	/* Last: what it leads to looks at the counters. */
	if (__builtin_expect(now - s->start_ns > w->slow_ns[s->op], 0))
		slow_io(w, s, n, now);
}

static inline bool is_whole(const struct io_slot *s)
{
	return __builtin_expect(s->res == (int32_t)s->len, 1);
}

static inline bool is_alike(const struct io_slot *a, const struct io_slot *b)
{
	return a->issue_ns == b->issue_ns && a->start_ns == b->start_ns && a->op == b->op &&
	       a->due_ns == b->due_ns && a->len == b->len && a->done_bytes == b->done_bytes;
}

/* Not all of it was done, or none. */
static void complete_odd(struct worker *w, struct io_slot *s, bool counting)
{
	if ((s->res == -EAGAIN && !w->engine.nowait) || s->res == -EINTR) {
		BUMP(&w->retries);
		w->batch[w->n_batch++] = s;
	} else if (s->res <= 0) {
		io_error(w, s, s->res < 0 ? -s->res : EIO);
	} else {
		if (counting && s->done_bytes == 0)
			BUMP(&w->op[s->op].shorts);
		resubmit_rest(w, s);
	}
}

/* Rare: nothing came back for long. The longest of a tick is kept for the sampler. */
static void note_gap(struct worker *w, uint64_t now, uint64_t epoch)
{
	uint64_t ns = now - w->quiet_since_ns;
	unsigned slot = (unsigned)(epoch % OP_EPOCHS);

	if (atomic_load_explicit(&w->gap[slot].epoch, memory_order_relaxed) == epoch &&
	    atomic_load_explicit(&w->gap[slot].ns, memory_order_relaxed) >= ns)
		return;
	atomic_store_explicit(&w->gap[slot].ns, ns, memory_order_relaxed);
	atomic_store_explicit(&w->gap[slot].end_ns, now, memory_order_relaxed);
	atomic_store_explicit(&w->gap[slot].inflight, w->n_inflight, memory_order_relaxed);
	atomic_store_explicit(&w->gap[slot].epoch, epoch, memory_order_release);
}

static void complete(struct worker *w, uint32_t n, uint64_t now)
{
	uint64_t epoch = atomic_load_explicit(w->cfg.ctl->epoch, memory_order_relaxed);
	bool counting = atomic_load_explicit(&w->t_count_ns, memory_order_relaxed) != 0;
	bool one_by_one = w->log != NULL; /* each I/O is a record of its own */
	struct io_slot **done = w->done;

	if (__builtin_expect(now - w->quiet_since_ns >= WORKER_GAP_NS, 0))
		note_gap(w, now, epoch);
	w->quiet_since_ns = now;
	w->n_inflight -= n;
	for (uint32_t i = 0; i < n;) {
		struct io_slot *s = done[i], **free = w->free + w->n_free;
		uint32_t k = 0;

		if (!is_whole(s)) {
			complete_odd(w, s, counting);
			i++;
			continue;
		}
		do
			free[k++] = done[i++];
		while (i < n && !one_by_one && is_whole(done[i]) && is_alike(s, done[i]));
		w->n_free += k;
		account(w, s, k, now, epoch, counting);
	}
	atomic_store_explicit(&w->last_done_ns, now, memory_order_relaxed);
}

/* One sync that took from t0_ns until now; code: 0 or what went wrong. */
static void account_sync(struct worker *w, const char *what, int code, uint64_t t0_ns)
{
	uint64_t now = read_clock(w, t0_ns), dt = now > t0_ns ? now - t0_ns : 0;
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

/* The time after it: what is issued next must not count the sync as its own. */
static uint64_t sync_files(struct worker *w, bool data_only)
{
	uint64_t t0 = clock_now_ns(w->cfg.ctl->clock);

	if (w->cfg.engine->sync)
		account_sync(w, w->cfg.files[0].path, -w->cfg.engine->sync(&w->engine, data_only),
			     t0);
	for (unsigned i = 0; i < w->cfg.n_files && !w->cfg.engine->sync; i++) {
		int rc;

		t0 = clock_now_ns(w->cfg.ctl->clock);
		/* A job without a file (ioengine=null) has nothing to sync, as in fio. */
		rc = w->fds[i] < 0 ? 0 : data_only ? fdatasync(w->fds[i]) : fsync(w->fds[i]);
		account_sync(w, w->cfg.files[i].path, rc < 0 ? errno : 0, t0);
	}
	w->writes_since_sync = 0;
	w->sync_due = false;
	return clock_now_ns(w->cfg.ctl->clock);
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
	return read_clock(w, now);
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
	now = read_clock(w, now);
	if (n == -EINTR || n == -EAGAIN)
		n = 0;
	if (n < 0) {
		worker_fail(w, -n, "%s: waiting for completions: %s", w->cfg.engine->name,
			    strerror(-n));
		drop_batch(w);
		w->n_inflight = 0; /* the engine is broken; close() waits for what it still holds */
		return now;
	}
	BUMP(&w->complete[batch_cell((uint32_t)n)]);
	if (n)
		complete(w, (uint32_t)n, now);
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
		drop_batch(w);
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
	worker_first_loop(w);
	worker_seek_start(w, now);
	for (;;) {
		uint64_t due;

		control(w, now, ramp_end);
		due = w->plain_bytes ? fill_plain(w, now) : fill(w, now);
		if (w->n_batch)
			submit(w, now);
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
			now = sync_files(w, !w->cfg.fsync_every);
		else if (due)
			now = idle(w, now, due);
		else if (atomic_load(&ctl->pause))
			now = park(w, now, &ramp_end);
		else
			now = read_clock(w, now);
	}
	finish(w);
}
