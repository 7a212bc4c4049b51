/* What came back: counted, tried again, or told as an error. */
#include "src/run/worker_turn.h"

#include <errno.h>
#include <string.h>

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

void worker_complete(struct worker *w, uint32_t n, uint64_t now)
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
