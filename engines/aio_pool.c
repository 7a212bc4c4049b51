#include "engines/aio_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define POOL_CONTEXTS 16u
#define POOL_REQUESTS 2048u /* in all */

struct kept {
	io_context_t ctx;
	uint32_t size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the rest */
static struct kept pool[POOL_CONTEXTS];
static unsigned n_kept;
static uint32_t n_requests;

/* The smallest that is large enough. */
static bool take_kept(uint32_t depth, struct kept *out)
{
	unsigned best = POOL_CONTEXTS;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < n_kept; i++)
		if (pool[i].size >= depth &&
		    (best == POOL_CONTEXTS || pool[i].size < pool[best].size))
			best = i;
	if (best < POOL_CONTEXTS) {
		*out = pool[best];
		n_requests -= out->size;
		pool[best] = pool[--n_kept];
	}
	pthread_mutex_unlock(&lock);
	return best < POOL_CONTEXTS;
}

int aio_pool_take(uint32_t depth, io_context_t *ctx, uint32_t *size)
{
	struct kept k = {.size = depth};
	int rc = 0;

	if (!take_kept(depth, &k)) {
		rc = io_setup((int)depth, &k.ctx);
		if (rc == -EAGAIN) {
			aio_pool_drain();
			rc = io_setup((int)depth, &k.ctx);
		}
	}
	*ctx = k.ctx;
	*size = k.size;
	return rc;
}

void aio_pool_give(io_context_t ctx, uint32_t size)
{
	bool kept;

	pthread_mutex_lock(&lock);
	kept = n_kept < POOL_CONTEXTS && size <= POOL_REQUESTS - n_requests;
	if (kept) {
		pool[n_kept++] = (struct kept){ctx, size};
		n_requests += size;
	}
	pthread_mutex_unlock(&lock);
	if (!kept)
		io_destroy(ctx);
}

void aio_pool_drain(void)
{
	struct kept k;

	while (take_kept(0, &k))
		io_destroy(k.ctx);
}
