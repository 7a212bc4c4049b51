/*
 * Several threads, each with its own instance of each engine on its own file, under ThreadSanitizer:
 * instances must share nothing. Ends with "N passed, N failed".
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/engine.h"
#include "src/base/rng.h"
#include "src/base/xalloc.h"

#define THREADS 4u
#define DEPTH   16u
#define BLOCK   4096u
#define BLOCKS  64u
#define ROUNDS  2000u
#define WAIT_NS (20 * NSEC_PER_SEC)

/*
 * Rings are mapped and unmapped behind TSan's back. All of an engine's threads therefore open before
 * any of them works, and close after all have worked: no ring takes the address of a dead one
 * without an ordering that TSan can see.
 */
static pthread_barrier_t barrier;

struct worker {
	pthread_t thread;
	const struct engine_ops *ops;
	unsigned seed;
	struct err err; /* err.code 0: all went well */
};

struct run {
	struct engine eng;
	struct io_slot slots[DEPTH], *free[DEPTH], *done[DEPTH];
	uint64_t version[BLOCKS]; /* what each block should hold */
	uint32_t n_free;
	char *pool;
	int fd;
	struct rng rng;
	bool busy[BLOCKS]; /* a block has at most one I/O, so that its contents are certain */
};

/* A path nobody else has, gone from the folder at once. */
static int temp_file(void)
{
	char path[] = "/tmp/iodeck-stress-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	return fd >= 0 && ftruncate(fd, BLOCKS * BLOCK) == 0 ? fd : -1;
}

static void stamp(char *buf, uint64_t v)
{
	for (uint32_t i = 0; i < BLOCK; i += 8)
		memcpy(buf + i, &v, 8);
}

static bool stamped(const char *buf, uint64_t v)
{
	for (uint32_t i = 0; i < BLOCK; i += 8)
		if (memcmp(buf + i, &v, 8))
			return false;
	return true;
}

static struct io_slot *prepare(struct run *r)
{
	uint64_t b = rng_below(&r->rng, BLOCKS);
	struct io_slot *io;

	if (r->busy[b])
		return NULL;
	r->busy[b] = true;
	io = r->free[--r->n_free];
	io->op = rng_below(&r->rng, 2) ? IO_WRITE : IO_READ;
	io->offset = b * BLOCK;
	if (io->op == IO_WRITE)
		stamp(io->buf, ++r->version[b]);
	return io;
}

static int check(struct run *r, struct io_slot *io, struct err *e)
{
	uint64_t b = io->offset / BLOCK;

	if (io->res != BLOCK)
		return err_set(e, EIO, "res %d at block %lu", io->res, (unsigned long)b);
	if (io->op == IO_READ && !(r->eng.ops->flags & ENGINE_DISKLESS) &&
	    !stamped(io->buf, r->version[b]))
		return err_set(e, EIO, "wrong data in block %lu", (unsigned long)b);
	r->busy[b] = false;
	r->free[r->n_free++] = io;
	return 0;
}

static int send_some(struct run *r, uint32_t max, struct err *e)
{
	struct io_slot *batch[DEPTH];
	uint32_t n = 0, sent = 0;

	while (n < max && r->n_free) {
		struct io_slot *io = prepare(r);

		if (!io)
			break;
		batch[n++] = io;
	}
	while (sent < n) {
		int k = r->eng.ops->submit(&r->eng, batch + sent, n - sent);

		if (k < 0)
			return err_set(e, -k, "submit: %s", strerror(-k));
		sent += (uint32_t)k;
	}
	return (int)n;
}

static int pump(struct run *r, struct err *e)
{
	uint32_t sent = 0, back = 0;

	while (back < ROUNDS) {
		int k = send_some(r, ROUNDS - sent < DEPTH ? ROUNDS - sent : DEPTH, e);

		if (k < 0)
			return k;
		sent += (uint32_t)k;
		k = r->eng.ops->reap(&r->eng, r->done, 1, DEPTH, WAIT_NS);
		if (k < 0)
			return err_set(e, -k, "reap: %s", strerror(-k));
		for (int i = 0; i < k; i++)
			if (check(r, r->done[i], e))
				return -e->code;
		back += (uint32_t)k;
	}
	return 0;
}

static void run_engine(struct run *r, const struct worker *w, struct err *e)
{
	uint32_t depth = w->ops->flags & ENGINE_SYNC ? 1 : DEPTH;
	struct engine_env env = {
		.fds = &r->fd,
		.n_fds = w->ops->flags & ENGINE_DISKLESS ? 0 : 1,
		.align = BLOCK,
		.depth_max = depth,
		.len_max = BLOCK,
		.pool = r->pool,
		.pool_stride = BLOCK,
		.slots = r->slots,
		.clock = &clock_real,
		.seed = w->seed,
		.writable = true,
	};

	for (uint32_t i = 0; i < depth; i++) {
		r->slots[i] = (struct io_slot){
			.buf = r->pool + i * BLOCK, .len = BLOCK, .index = i, .fd = r->fd};
		r->free[r->n_free++] = &r->slots[i];
	}
	r->eng.ops = w->ops;
	rng_seed(&r->rng, w->seed);
	w->ops->open(&r->eng, &env, e);
	pthread_barrier_wait(&barrier);
	if (r->eng.priv)
		pump(r, e);
	pthread_barrier_wait(&barrier);
	if (r->eng.priv)
		w->ops->close(&r->eng);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct run *r = xcalloc(1, sizeof(*r));

	r->pool = buf_alloc(DEPTH * BLOCK);
	r->fd = temp_file();
	run_engine(r, w, &w->err);
	if (r->fd < 0)
		err_set(&w->err, EBADF, "no temporary file");
	close(r->fd);
	buf_free(r->pool, DEPTH * BLOCK);
	free(r);
	return NULL;
}

/*
 * Why an engine cannot take part; NULL: it can. The threads that glibc makes for aio_read are unknown
 * to TSan's run time, which crashes when one of them makes another.
 */
static const char *excuse(const struct engine_ops *ops, struct err *e)
{
#ifdef __SANITIZE_THREAD__
	if (!strcmp(ops->name, "posixaio"))
		return "posixaio: glibc's own threads crash TSan";
#endif
	return ops->probe && ops->probe(e) ? e->msg : NULL;
}

/* Failed threads of one engine. */
static unsigned stress(const struct engine_ops *ops)
{
	struct worker workers[THREADS] = {0};
	unsigned failed = 0;

	for (unsigned t = 0; t < THREADS; t++) {
		workers[t].ops = ops;
		workers[t].seed = t + 1;
		if (pthread_create(&workers[t].thread, NULL, worker_main, &workers[t]))
			abort();
	}
	for (unsigned t = 0; t < THREADS; t++) {
		pthread_join(workers[t].thread, NULL);
		if (workers[t].err.code)
			printf("%s: %s\n", ops->name, workers[t].err.msg);
		failed += workers[t].err.code != 0;
	}
	return failed;
}

int main(void)
{
	unsigned passed = 0, failed = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (size_t i = 0; engine_table[i]; i++) {
		struct err e = {0};
		const char *why_not = excuse(engine_table[i], &e);
		unsigned bad;

		if (why_not) {
			printf("left out: %s\n", why_not);
			continue;
		}
		bad = stress(engine_table[i]);
		failed += bad;
		passed += THREADS - bad;
	}
	pthread_barrier_destroy(&barrier);
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
