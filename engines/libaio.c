/*
 * The kernel's older asynchronous interface: io_submit(2), io_getevents(2). One iocb a slot, made in
 * open and refilled. Finished events are taken straight from the ring the kernel shares with us
 * when it has the layout we know; io_getevents is called only to wait, so a turn of the worker that finds
 * completions costs one system call, not two.
 */
#include <errno.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/aio_pool.h"
#include "engines/backoff.h"
#include "engines/fault.h"
#include "engines/probe.h"
#include "engines/slot.h"
#include "src/base/fsutil.h"

extern const struct engine_ops engine_libaio;

/*
 * What io_context_t points to: the kernel's struct aio_ring (fs/aio.c), the same since 2.6. The kernel
 * writes tail, we write head; it allows for a head moved by the program (user_refill_reqs_available).
 */
struct event_ring {
	uint32_t id, nr, head, tail, magic, compat, incompat, header_bytes;
	struct io_event event[];
};
#define EVENT_RING_MAGIC 0xa10a10a1u

/* A wait longer than this returns early; the caller asks again. */
#define WAIT_MAX_NS (3600 * NSEC_PER_SEC)

struct aio {
	io_context_t ctx;
	struct event_ring *ring; /* NULL: layout not known, always io_getevents */
	uint32_t depth, size;    /* slots; requests that ctx was made for */
	uint32_t in_kernel;      /* iocbs taken by io_submit, events not yet seen */
	bool writable;
	struct slot_ring done; /* answered without the kernel's queue */
	struct iocb *iocb;     /* by slot index */
	struct iocb **batch;
	struct io_event *event;
	struct backoff backoff;
};

static int aio_probe(struct err *e)
{
	return engine_probe_io(&engine_libaio, e);
}

static int setup_failed(struct err *e, int error, uint32_t depth)
{
	uint64_t used = 0, max = 0;

	if (error == EAGAIN && !fs_read_u64("", "/proc/sys/fs/aio-nr", &used) &&
	    !fs_read_u64("", "/proc/sys/fs/aio-max-nr", &max))
		return err_set(e, error,
			       "libaio: no room for a queue of %u: fs.aio-nr=%llu of "
			       "fs.aio-max-nr=%llu are taken; raise it with "
			       "sysctl fs.aio-max-nr=N",
			       depth, (unsigned long long)used, (unsigned long long)max);
	if (error == ENOSYS)
		return err_set(e, error,
			       "libaio: io_setup: this kernel has no asynchronous I/O "
			       "(CONFIG_AIO), or a seccomp filter hides it");
	if (error == EPERM)
		return err_set(e, error,
			       "libaio: io_setup: not permitted; a seccomp filter (a container's "
			       "profile?) refuses it");
	return err_set(e, error, "libaio: io_setup for a queue of %u: %s", depth, strerror(error));
}

static void aio_free(struct aio *a)
{
	slot_ring_fini(&a->done);
	free(a->iocb);
	free(a->batch);
	free(a->event);
	free(a);
}

static struct aio *aio_new(const struct engine_env *env)
{
	struct aio *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->depth = env->depth_max;
	a->writable = env->writable;
	a->iocb = calloc(a->depth, sizeof(*a->iocb));
	a->batch = calloc(a->depth, sizeof(struct iocb *));
	a->event = calloc(a->depth, sizeof(*a->event));
	if (!a->iocb || !a->batch || !a->event || slot_ring_init(&a->done, a->depth)) {
		aio_free(a);
		return NULL;
	}
	return a;
}

static struct event_ring *find_ring(io_context_t ctx)
{
	struct event_ring *ring = (struct event_ring *)ctx;

	return ring->magic == EVENT_RING_MAGIC && ring->incompat == 0 &&
			       ring->header_bytes == sizeof(*ring)
		       ? ring
		       : NULL;
}

static int aio_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct aio *a = aio_new(env);
	int r;

	if (!a)
		return err_set(e, ENOMEM, "libaio: no memory for %u slots", env->depth_max);
	r = aio_pool_take(a->depth, &a->ctx, &a->size);
	if (r < 0) {
		aio_free(a);
		return setup_failed(e, -r, env->depth_max);
	}
	a->ring = find_ring(a->ctx);
	eng->priv = a;
	return 0;
}

static struct iocb *fill_iocb(struct aio *a, struct io_slot *io)
{
	struct iocb *cb = &a->iocb[io->index];

	cb->data = io;
	cb->aio_lio_opcode = io->op == IO_READ ? IO_CMD_PREAD : IO_CMD_PWRITE;
	cb->aio_fildes = io->fd;
	cb->u.c.buf = io->buf;
	cb->u.c.nbytes = io->len;
	cb->u.c.offset = (long long)io->offset;
	return cb;
}

static int call_submit(struct aio *a, struct iocb **cb, uint32_t n)
{
	int r = fault_submit(&n);

	return r < 0 ? r : io_submit(a->ctx, (long)n, cb);
}

static void answer(struct aio *a, struct io_slot *io, int32_t res)
{
	io->res = res;
	slot_ring_push(&a->done, io);
}

/*
 * Hands batch[0..n) over. io_submit answers with an error only for the first iocb it looks at: that
 * slot has failed and goes back with the error, the rest is tried again.
 */
static int push_batch(struct aio *a, uint32_t n)
{
	uint32_t sent = 0;

	while (sent < n) {
		int r = call_submit(a, a->batch + sent, n - sent);

		if (likely(r > 0)) {
			a->in_kernel += (uint32_t)r;
			sent += (uint32_t)r;
		} else if (r == 0 || r == -EAGAIN) {
			break; /* no room now */
		} else if (r == -ENOSYS || r == -EPERM) {
			return sent ? (int)sent : r;
		} else if (r != -EINTR) {
			answer(a, a->batch[sent++]->data, r);
		}
	}
	if (likely(sent)) {
		backoff_reset(&a->backoff);
		return (int)sent;
	}
	/* With something in flight a reap makes room; without, there is nothing to wait for. */
	return a->in_kernel || slot_ring_count(&a->done) ? 0
							 : backoff_wait(&a->backoff, UINT64_MAX);
}

static int aio_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	struct aio *a = eng->priv;
	uint32_t room = a->depth - a->in_kernel - slot_ring_count(&a->done), k;

	if (n > room)
		n = room;
	for (k = 0; k < n && slot_is_plain(io[k], a->writable); k++)
		a->batch[k] = fill_iocb(a, io[k]);
	if (likely(k))
		return push_batch(a, k);
	if (!n)
		return 0;
	answer(a, io[0], slot_answer(io[0], a->writable));
	return 1;
}

static inline struct io_slot *take_event(const struct io_event *ev)
{
	struct io_slot *io = ev->data;

	io->res = (int32_t)ev->res;
	return io;
}

/* What the shared ring holds, without a system call. */
static uint32_t take_from_ring(struct aio *a, struct io_slot **done, uint32_t max)
{
	struct event_ring *ring = a->ring;
	uint32_t head, tail, n = 0;

	if (!ring)
		return 0;
	head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	while (head != tail && n < max) {
		done[n++] = take_event(&ring->event[head]);
		if (++head == ring->nr)
			head = 0;
	}
	if (n)
		__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return n;
}

/* Waits for `min` events at least. Slots taken or -errno. */
static int wait_events(struct aio *a, struct io_slot **done, uint32_t min, uint32_t max,
		       uint64_t wait_ns)
{
	struct timespec ts;
	int r;

	if (wait_ns > WAIT_MAX_NS)
		wait_ns = WAIT_MAX_NS;
	ts.tv_sec = (time_t)(wait_ns / NSEC_PER_SEC);
	ts.tv_nsec = (long)(wait_ns % NSEC_PER_SEC);
	r = io_getevents(a->ctx, (long)min, (long)max, a->event, &ts);
	for (int i = 0; i < r; i++)
		done[i] = take_event(&a->event[i]);
	return r == -EINTR ? 0 : r;
}

static int aio_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
		    uint64_t wait_ns)
{
	struct aio *a = eng->priv;
	uint32_t n, k;
	int r = 0;

	if (max > a->depth)
		max = a->depth;
	n = slot_ring_pop(&a->done, done, max);
	if (min > n + a->in_kernel)
		min = n + a->in_kernel;
	if (min > max)
		min = max;
	k = take_from_ring(a, done + n, max - n);
	if (n + k < min || (!a->ring && n < max && a->in_kernel)) {
		r = wait_events(a, done + n + k, n + k < min ? min - n - k : 0, max - n - k,
				wait_ns);
		k += r > 0 ? (uint32_t)r : 0;
	}
	a->in_kernel -= k;
	n += k;
	fault_results(done, n);
	return r < 0 && !n ? r : (int)n;
}

/* The kernel writes to the buffers until the last one is back, however long that takes. */
static void aio_close(struct engine *eng)
{
	struct aio *a = eng->priv;

	while (a->in_kernel) {
		int r = io_getevents(a->ctx, 1, (long)a->depth, a->event, NULL);

		if (r < 0 && r != -EINTR)
			break;
		a->in_kernel -= r > 0 ? (uint32_t)r : 0;
	}
	if (a->in_kernel)
		io_destroy(a->ctx);
	else
		aio_pool_give(a->ctx, a->size);
	aio_free(a);
	eng->priv = NULL;
}

const struct engine_ops engine_libaio = {
	.name = "libaio",
	.summary = "Linux native asynchronous I/O; wants direct=1, else submit blocks",
	.flags = ENGINE_TRIM,
	.probe = aio_probe,
	.open = aio_open,
	.submit = aio_submit,
	.reap = aio_reap,
	.close = aio_close,
};
