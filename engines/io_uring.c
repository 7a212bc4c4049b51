/*
 * The hot path of io_uring. submit fills SQEs and hands them to the kernel in one system call, which
 * also lets the kernel post what has finished; reap reads the completion ring in our own memory and
 * calls the kernel only to wait. The two calls are kept apart, although one could do both, because
 * submission latency and completion latency are shown apart.
 * The completion ring has twice depth_max entries and at most depth_max are in flight: it cannot overflow.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engines/fault.h"
#include "engines/io_uring_priv.h"
#include "engines/probe.h"

extern const struct engine_ops engine_io_uring;

/* A wait longer than this returns early; the caller asks again. */
#define WAIT_MAX_NS (3600 * NSEC_PER_SEC)

static int uring_probe(struct err *e)
{
	return engine_probe_io(&engine_io_uring, e);
}

static int uring_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct uring *u = calloc(1, sizeof(*u));
	int r;

	if (!u)
		return err_set(e, ENOMEM, "io_uring: no memory for %u slots", env->depth_max);
	r = uring_setup(u, env, e);
	if (r < 0) {
		free(u);
		return r;
	}
	eng->priv = u;
	eng->nowait = u->rw_flags & RWF_NOWAIT;
	return 0;
}

/* Gives what stands in the submission ring to the kernel. 0 or more: it took some; or -errno. */
static int flush(struct uring *u)
{
	uint32_t n = io_uring_sq_ready(&u->ring);
	int r = fault_submit(&n);

	/* With a submission thread there is nothing to enter the kernel for, unless it sleeps. */
	if (likely(r == 0))
		r = u->sqthread ? io_uring_submit(&u->ring)
				: io_uring_submit_and_get_events(&u->ring);
	if (likely(r > 0))
		backoff_reset(&u->backoff);
	return r;
}

/* Short of memory, or a signal: what the kernel did not take stays in the ring for the next try. */
static bool is_passing(int r)
{
	return r == -EAGAIN || r == -EBUSY || r == -EINTR;
}

/* Slots the kernel has and will give back. A submission thread takes what is in the ring by itself. */
static uint32_t in_kernel(const struct uring *u)
{
	return u->sqthread ? u->in_flight : u->in_flight - io_uring_sq_ready(&u->ring);
}

static void fill_sqe(struct uring *u, struct io_uring_sqe *sqe, struct io_slot *io, int fd)
{
	const void *addr = io->buf;
	uint32_t len = io->len;

	if (u->iov) {
		u->iov[io->index].iov_base = io->buf;
		u->iov[io->index].iov_len = io->len;
		addr = &u->iov[io->index];
		len = 1;
	}
	io_uring_prep_rw(u->opcode[io->op], sqe, fd, addr, len, io->offset);
	sqe->buf_index = (uint16_t)io->index; /* looked at by the fixed opcodes only */
	sqe->user_data = (uint64_t)(uintptr_t)io;
	sqe->rw_flags = (__kernel_rwf_t)u->rw_flags;
	if (u->fixed_files)
		sqe->flags |= IOSQE_FIXED_FILE;
	if (unlikely(u->async_every) && ++u->async_count >= u->async_every) {
		u->async_count = 0;
		sqe->flags |= IOSQE_ASYNC;
	}
}

static void answer(struct uring *u, struct io_slot *io, int32_t res)
{
	io->res = res;
	slot_ring_push(&u->done, io);
}

/* false: no SQE free (a submission thread has not yet moved its head). */
static bool queue_slot(struct uring *u, struct io_slot *io)
{
	struct io_uring_sqe *sqe;
	int fd = io->fd;

	if (u->fixed_files) {
		fd = fdmap_find(&u->files, io->fd);
		if (unlikely(fd < 0)) {
			answer(u, io, -EBADF);
			return true;
		}
	}
	sqe = io_uring_get_sqe(&u->ring);
	if (unlikely(!sqe))
		return false;
	fill_sqe(u, sqe, io, fd);
	return true;
}

static int uring_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	struct uring *u = eng->priv;
	uint32_t room = u->depth - u->in_flight, k;
	int r;

	if (n > room)
		n = room;
	for (k = 0; k < n && slot_is_plain(io[k], u->writable); k++)
		if (!queue_slot(u, io[k]))
			break;
	if (k == 0 && n && !slot_is_plain(io[0], u->writable)) {
		answer(u, io[0], slot_answer(io[0], u->writable));
		k = 1;
	}
	u->in_flight += k;
	if (io_uring_sq_ready(&u->ring) == 0)
		return (int)k;
	r = u->broken ? u->broken : flush(u);
	if (likely(r >= 0 || is_passing(r)))
		return (int)k;
	u->broken = r;
	return r;
}

/* Everything finished so far, up to max. */
static uint32_t take(struct uring *u, struct io_slot **done, uint32_t max)
{
	uint32_t n = slot_ring_pop(&u->done, done, max);
	struct io_uring_cq *cq = &u->ring.cq;
	uint32_t head = *cq->khead, ready = io_uring_cq_ready(&u->ring);

	if (ready > max - n)
		ready = max - n;
	for (uint32_t i = 0; i < ready; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & cq->ring_mask];
		struct io_slot *io = (struct io_slot *)(uintptr_t)cqe->user_data;

		io->res = cqe->res;
		done[n++] = io;
	}
	io_uring_cq_advance(&u->ring, ready);
	u->in_flight -= n;
	return n;
}

/* Does the kernel hold finished I/Os that it posts only when asked, or has not yet got all? */
static bool must_ask(const struct uring *u)
{
	return u->poll || io_uring_sq_ready(&u->ring) ||
	       (IO_URING_READ_ONCE(*u->ring.sq.kflags) &
		(IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW));
}

/*
 * A polled ring ignores timeouts inside the kernel: one look a call, and the clock is ours. A device
 * that hangs must not take Ctrl-C with it.
 */
static int wait_polling(struct uring *u, uint32_t want, uint64_t wait_ns)
{
	uint64_t end_ns = clock_mono_ns() + wait_ns;
	int r;

	do
		r = io_uring_get_events(&u->ring);
	while (r >= 0 && io_uring_cq_ready(&u->ring) < want && clock_mono_ns() < end_ns);
	return r;
}

/* Until `want` completions stand in the ring, for at most wait_ns. 0 or -errno. */
static int wait_ring(struct uring *u, uint32_t want, uint64_t wait_ns)
{
	struct __kernel_timespec ts;
	struct io_uring_cqe *cqe;
	int r;

	if (wait_ns > WAIT_MAX_NS)
		wait_ns = WAIT_MAX_NS;
	if (want == 0 || wait_ns == 0)
		return io_uring_get_events(&u->ring);
	if (u->poll)
		return wait_polling(u, want, wait_ns);
	ts.tv_sec = (long long)(wait_ns / NSEC_PER_SEC);
	ts.tv_nsec = (long long)(wait_ns % NSEC_PER_SEC);
	r = io_uring_wait_cqes(&u->ring, &cqe, want, &ts, NULL);
	return r == -ETIME ? 0 : r;
}

/* Waiting makes sense only for what the kernel has taken. */
static int wait_done(struct uring *u, uint32_t want, uint64_t wait_ns)
{
	uint32_t taken;
	int r = 0;

	if (unlikely(io_uring_sq_ready(&u->ring) && !u->broken))
		r = flush(u);
	if (unlikely(r < 0 && !is_passing(r)))
		u->broken = r;
	taken = in_kernel(u);
	if (unlikely(taken == 0))
		return u->broken ? u->broken : r < 0 ? backoff_wait(&u->backoff, wait_ns) : 0;
	r = wait_ring(u, want < taken ? want : taken, wait_ns);
	return is_passing(r) ? 0 : r;
}

static int uring_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
		      uint64_t wait_ns)
{
	struct uring *u = eng->priv;
	uint32_t n = take(u, done, max);
	int r = 0;

	if (min > n + u->in_flight)
		min = n + u->in_flight;
	if (min > max)
		min = max;
	if (n < min || (n == 0 && u->in_flight && must_ask(u))) {
		r = wait_done(u, min - n, wait_ns);
		n += take(u, done + n, max - n);
	}
	fault_results(done, n);
	return r < 0 && !n ? r : (int)n;
}

/* The kernel writes to the buffers until the last one is back, however long that takes. */
static void uring_close(struct engine *eng)
{
	struct uring *u = eng->priv;
	struct io_slot *gone[64];
	int r = u->sqthread ? flush(u) : 0;

	while ((r >= 0 || is_passing(r)) && in_kernel(u) > 0)
		if (!take(u, gone, 64))
			r = wait_ring(u, 1, NSEC_PER_SEC);
	uring_teardown(u);
	free(u);
	eng->priv = NULL;
}

const struct engine_ops engine_io_uring = {
	.name = "io_uring",
	.summary = "submission and completion rings shared with the kernel: the fastest",
	.flags = ENGINE_TRIM,
	.options = uring_options,
	.options_size = sizeof(struct uring_opts),
	.probe = uring_probe,
	.open = uring_open,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
