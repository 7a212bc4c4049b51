/*
 * aio_read(3) and aio_write(3) of the C library. glibc runs them with threads of its own, takes its own
 * locks and memory for requests, and does the requests of one file one after the other: what
 * is measured here is glibc, and depth on one file adds waiting, not parallelism.
 */
#include <aio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/backoff.h"
#include "engines/fault.h"
#include "engines/probe.h"
#include "engines/slot.h"

extern const struct engine_ops engine_posixaio;

/* A wait longer than this returns early; the caller asks again. */
#define WAIT_MAX_NS (3600 * NSEC_PER_SEC)

struct posixaio {
	uint32_t depth, n_busy;
	bool writable;
	struct slot_ring done; /* answered without the library */
	struct aiocb *cb;      /* by slot index */
	/* The first n_busy, without order: aio_suspend wants the list, we want the slots. */
	const struct aiocb **busy;
	struct io_slot **busy_slot;
	struct backoff backoff;
};

static int posixaio_probe(struct err *e)
{
	return engine_probe_io(&engine_posixaio, e);
}

static void free_all(struct posixaio *a)
{
	slot_ring_fini(&a->done);
	free(a->cb);
	free(a->busy);
	free(a->busy_slot);
	free(a);
}

static int posixaio_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct posixaio *a = calloc(1, sizeof(*a));

	if (!a)
		return err_set(e, ENOMEM, "posixaio: no memory for %u slots", env->depth_max);
	a->depth = env->depth_max;
	a->writable = env->writable;
	a->cb = calloc(a->depth, sizeof(*a->cb));
	a->busy = calloc(a->depth, sizeof(const struct aiocb *));
	a->busy_slot = calloc(a->depth, sizeof(struct io_slot *));
	if (!a->cb || !a->busy || !a->busy_slot || slot_ring_init(&a->done, a->depth)) {
		free_all(a);
		return err_set(e, ENOMEM, "posixaio: no memory for %u slots", env->depth_max);
	}
	eng->priv = a;
	return 0;
}

static void answer(struct posixaio *a, struct io_slot *io, int32_t res)
{
	io->res = res;
	slot_ring_push(&a->done, io);
}

/* 0, or -EAGAIN: the library has no room. Any other refusal is the slot's own result. */
static int start(struct posixaio *a, struct io_slot *io)
{
	struct aiocb *cb = &a->cb[io->index];
	uint32_t n = 1;
	int r = fault_submit(&n);

	memset(cb, 0, sizeof(*cb));
	cb->aio_fildes = io->fd;
	cb->aio_buf = io->buf;
	cb->aio_nbytes = io->len;
	cb->aio_offset = (off_t)io->offset;
	cb->aio_sigevent.sigev_notify = SIGEV_NONE;
	if (r == 0 && (io->op == IO_READ ? aio_read(cb) : aio_write(cb)))
		r = -errno;
	if (r == -EAGAIN)
		return r;
	if (r < 0) {
		answer(a, io, r);
		return 0;
	}
	a->busy[a->n_busy] = cb;
	a->busy_slot[a->n_busy++] = io;
	return 0;
}

static int posixaio_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	struct posixaio *a = eng->priv;
	uint32_t room = a->depth - a->n_busy - slot_ring_count(&a->done), k;

	if (n > room)
		n = room;
	for (k = 0; k < n && slot_is_plain(io[k], a->writable); k++)
		if (start(a, io[k]) < 0)
			break;
	if (k) {
		backoff_reset(&a->backoff);
		return (int)k;
	}
	if (n && !slot_is_plain(io[0], a->writable)) {
		answer(a, io[0], slot_answer(io[0], a->writable));
		return 1;
	}
	/* With something in flight a reap makes room; without, there is nothing to wait for. */
	return n == 0 || a->n_busy || slot_ring_count(&a->done)
		       ? 0
		       : backoff_wait(&a->backoff, UINT64_MAX);
}

static uint32_t take(struct posixaio *a, struct io_slot **done, uint32_t max)
{
	uint32_t n = slot_ring_pop(&a->done, done, max), i = 0;

	while (i < a->n_busy && n < max) {
		struct io_slot *io = a->busy_slot[i];
		struct aiocb *cb = &a->cb[io->index];
		int error = aio_error(cb);
		ssize_t r;

		if (error == EINPROGRESS) {
			i++;
			continue;
		}
		r = aio_return(cb);
		io->res = error ? -error : (int32_t)r;
		done[n++] = io;
		a->n_busy--;
		a->busy[i] = a->busy[a->n_busy];
		a->busy_slot[i] = a->busy_slot[a->n_busy];
	}
	return n;
}

static int posixaio_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
			 uint64_t wait_ns)
{
	struct posixaio *a = eng->priv;
	uint32_t n = take(a, done, max);
	uint64_t end_ns, now_ns;

	if (wait_ns > WAIT_MAX_NS)
		wait_ns = WAIT_MAX_NS;
	if (min > max)
		min = max;
	if (n >= min || !a->n_busy)
		goto out;
	end_ns = clock_mono_ns() + wait_ns;
	while (n < min && a->n_busy && (now_ns = clock_mono_ns()) < end_ns) {
		struct timespec ts = {.tv_sec = (time_t)((end_ns - now_ns) / NSEC_PER_SEC),
				      .tv_nsec = (long)((end_ns - now_ns) % NSEC_PER_SEC)};

		if (aio_suspend(a->busy, (int)a->n_busy, &ts) && errno != EAGAIN)
			break; /* a signal */
		n += take(a, done + n, max - n);
	}
out:
	fault_results(done, n);
	return (int)n;
}

/* The library's threads write to the buffers until the last one is back. */
static void posixaio_close(struct engine *eng)
{
	struct posixaio *a = eng->priv;
	struct io_slot *gone[64];

	while (a->n_busy)
		if (!take(a, gone, 64))
			(void)aio_suspend(a->busy, (int)a->n_busy, NULL);
	free_all(a);
	eng->priv = NULL;
}

const struct engine_ops engine_posixaio = {
	.name = "posixaio",
	.summary = "aio_read(3) and aio_write(3): threads of the C library",
	.flags = ENGINE_TRIM,
	.probe = posixaio_probe,
	.open = posixaio_open,
	.submit = posixaio_submit,
	.reap = posixaio_reap,
	.close = posixaio_close,
};
