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

struct null_engine {
	struct slot_ring done;
	uint32_t depth;
};

static int null_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct null_engine *n = calloc(1, sizeof(*n));

	if (!n || slot_ring_init(&n->done, env->depth_max)) {
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
	uint32_t room = null->depth - slot_ring_count(&null->done);

	if (n > room)
		n = room;
	for (uint32_t i = 0; i < n; i++) {
		io[i]->res = (int32_t)io[i]->len;
		slot_ring_push(&null->done, io[i]);
	}
	return (int)n;
}

static int null_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
		     uint64_t wait_ns)
{
	struct null_engine *n = eng->priv;

	(void)min;
	(void)wait_ns;
	return (int)slot_ring_pop(&n->done, done, max);
}

static void null_close(struct engine *eng)
{
	struct null_engine *n = eng->priv;

	slot_ring_fini(&n->done);
	free(n);
	eng->priv = NULL;
}

const struct engine_ops engine_null = {
	.name = "null",
	.summary = "does nothing, at once: shows what iodeck itself costs",
	.flags = ENGINE_DISKLESS | ENGINE_TRIM,
	.open = null_open,
	.submit = null_submit,
	.reap = null_reap,
	.close = null_close,
};
