/* What goes out: which I/O is next, when it may, and handing a batch to the engine. */
#include "src/run/worker_turn.h"

#include <errno.h>
#include <string.h>

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

bool worker_wants_sync(const struct worker *w, enum io_op op)
{
	uint32_t every = w->cfg.fsync_every ? w->cfg.fsync_every : w->cfg.fdatasync_every;

	return every && op == IO_WRITE && w->writes_since_sync >= every;
}

static inline void put(struct worker *w, const struct io_at *io)
{
	struct io_slot *s = w->free[--w->n_free];

	s->offset = io->offset;
	s->len = io->len;
	s->fd = w->fds[io->file];
	s->op = (uint8_t)io->op;
	s->res = 0;
	s->done_bytes = 0;
	s->start_ns = io->start_ns;
	s->issue_ns = 0;
	s->due_ns = io->due_ns;
	if (io->op == IO_WRITE) {
		worker_fill_write(w, s);
		w->writes_since_sync++;
	} else {
		s->buf = w->pool + s->index * w->pool_stride;
	}
	if (__builtin_expect(w->slot_file != NULL, 0))
		w->slot_file[s->index] = io->file;
	w->issued_ios++;
	w->issued_bytes += s->len;
	worker_think_count(w, 1, true);
	if (w->rate.any)
		rate_issued(&w->rate, io->op, s->len);
	w->batch[w->n_batch++] = s;
}

void worker_put(struct worker *w, const struct io_at *io)
{
	put(w, io);
}

static void prepare(struct worker *w, enum io_op op, uint64_t now, uint64_t due)
{
	unsigned f = w->cfg.n_files == 1 ? 0 : worker_choose_file(w);
	uint64_t len, left = w->limit_bytes - w->issued_bytes;
	struct io_at io = {.start_ns = now, .due_ns = due, .file = f, .op = op};

	io.offset = pattern_next_len(&w->pattern[f], op, &len);
	/* The last one of several lengths ends where the job's bytes end. */
	io.len = (uint32_t)(len > left && w->cfg.blocks ? left : len);
	if (w->cfg.n_files > 1)
		worker_served(w, f, io.len);
	w->has_next_op = false;
	put(w, &io);
}

static inline uint32_t room_now(struct worker *w, uint64_t now, uint64_t *until_ns)
{
	*until_ns = 0;
	if (w->draining || w->reopen || w->sync_due || w->loop_due ||
	    atomic_load_explicit(&w->cfg.ctl->pause, memory_order_relaxed))
		return 0;
	if (worker_is_thinking(w, now, until_ns))
		return 0;
	if (w->n_inflight + w->n_batch >= w->qd) {
		w->refilling = false;
		return 0;
	}
	/* iodepth_low: once full, drain to it first. */
	if (w->cfg.depth_low && !w->refilling && w->n_inflight > w->cfg.depth_low)
		return 0;
	w->refilling = true;
	return w->qd - w->n_inflight - w->n_batch;
}

uint32_t worker_room(struct worker *w, uint64_t now, uint64_t *until_ns)
{
	return room_now(w, now, until_ns);
}

uint64_t worker_fill(struct worker *w, uint64_t now)
{
	uint64_t until_ns;
	uint32_t room = room_now(w, now, &until_ns);

	if (!room)
		return until_ns;
	while (room-- && w->n_free && !limits_reached(w)) {
		enum io_op op = choose_op(w);
		uint64_t due = w->rate.any ? rate_due_ns(&w->rate, op) : 0;

		if (due > now)
			return due;
		if (worker_wants_sync(w, op)) {
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
 * a limit are left to worker_fill().
 */
uint64_t worker_fill_plain(struct worker *w, uint64_t now)
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
		return worker_fill(w, now);
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

/* Rare: for write_iolog, in the order of issue. What goes out again was there already. */
static void trace(struct worker *w, uint32_t n, uint64_t issue_ns)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct io_slot *s = w->batch[i];
		const struct trace_record rec = {.issue_ns = issue_ns,
						 .offset = s->offset,
						 .len = s->len,
						 .file = w->slot_file[s->index],
						 .kind = s->op};

		if (!s->issue_ns)
			trace_ring_put(w->trace, &rec);
	}
}

static void account_submit(struct worker *w, uint32_t n, uint64_t issue_ns)
{
	if (__builtin_expect(w->trace != NULL, 0))
		trace(w, n, issue_ns);
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

void worker_drop_batch(struct worker *w)
{
	while (w->n_batch)
		w->free[w->n_free++] = w->batch[--w->n_batch];
}

/*
 * iodepth_batch as in fio: no more than that many in one call; what is left goes with the next. A full queue
 * never waits for a batch to fill up. The option's 1 is also what nobody asked for: no limit.
 */
static uint32_t batch_size(const struct worker *w)
{
	uint32_t most = w->cfg.batch_submit;

	return most > 1 && w->n_batch > most ? most : w->n_batch;
}

void worker_submit(struct worker *w, uint64_t now)
{
	int rc = w->cfg.engine->submit(&w->engine, w->batch, batch_size(w));

	if (rc == -EAGAIN || rc == -EINTR)
		rc = 0;
	if (rc < 0) {
		worker_fail(w, -rc, "%s: submitting %u requests: %s", w->cfg.engine->name,
			    w->n_batch, strerror(-rc));
		worker_drop_batch(w); /* nothing was accepted: the slots are ours again */
		return;
	}
	if (rc > 0) {
		account_submit(w, (uint32_t)rc, w->one_time ? now : worker_clock(w, now));
		w->stuck_since_ns = 0;
	}
}
