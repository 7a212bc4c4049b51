/*
 * Moves nothing: every slot is done as soon as it is handed over and comes back from the next reap.
 * What is left is the cost of iodeck itself, so this file is kept to the fewest instructions a slot.
 * Writes need no permission here: no file is touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engines/engine.h"
#include "engines/slot.h"

extern const struct engine_ops engine_null;

/* A plain array, not a ring: the reap after a submit nearly always empties it. */
struct null_engine {
	struct io_slot **done;
	uint32_t depth, head, n; /* done[head .. head + n) wait for a reap */
};

static int null_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct null_engine *n = calloc(1, sizeof(*n));

	if (n)
		n->done = calloc(env->depth_max, sizeof(struct io_slot *));
	if (!n || !n->done) {
		free(n);
		return err_set(e, ENOMEM, "null: no memory for %u slots", env->depth_max);
	}
	n->depth = env->depth_max;
	eng->priv = n;
	return 0;
}

static int null_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	struct null_engine *null = eng->priv;
	struct io_slot **at;

	/* Depth 1: straight through. */
	if (n == 1 && null->n == 0) {
		io[0]->res = (int32_t)io[0]->len;
		null->done[0] = io[0];
		null->n = 1;
		return 1;
	}
	if (n > null->depth - null->n)
		n = null->depth - null->n;
	if (unlikely(null->head + null->n + n > null->depth)) {
		memmove(null->done, null->done + null->head, null->n * sizeof(*null->done));
		null->head = 0;
	}
	at = null->done + null->head + null->n;
	for (uint32_t i = 0; i < n; i++) {
		io[i]->res = (int32_t)io[i]->len;
		at[i] = io[i];
	}
	null->n += n;
	return (int)n;
}

static int null_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
		     uint64_t wait_ns)
{
	struct null_engine *null = eng->priv;
	struct io_slot **at = null->done + null->head;
	uint32_t n = null->n < max ? null->n : max;

	(void)min;
	(void)wait_ns;
	if (n == 1 && null->n == 1) {
		done[0] = at[0];
		null->n = null->head = 0;
		return 1;
	}
	for (uint32_t i = 0; i < n; i++)
		done[i] = at[i];
	null->n -= n;
	null->head = null->n ? null->head + n : 0;
	return (int)n;
}

static void null_close(struct engine *eng)
{
	struct null_engine *n = eng->priv;

	free(n->done);
	free(n);
	eng->priv = NULL;
}

const struct engine_ops engine_null = {
	.name = "null",
	.summary = "does nothing, at once: shows what iodeck itself costs",
	.flags = ENGINE_DISKLESS | ENGINE_TRIM | ENGINE_AT_ONCE,
	.open = null_open,
	.submit = null_submit,
	.reap = null_reap,
	.close = null_close,
};
