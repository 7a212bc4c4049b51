#include "engines/sync_common.h"

#include <stdlib.h>

#include "engines/fault.h"

int sync_open(struct engine *eng, const struct engine_env *env, size_t size, struct err *e)
{
	struct sync_engine *s = calloc(1, size);

	if (!s || slot_ring_init(&s->done, env->depth_max)) {
		free(s);
		return err_set(e, ENOMEM, "%s: no memory for %u slots", eng->ops->name,
			       env->depth_max);
	}
	s->depth = env->depth_max;
	s->writable = env->writable;
	eng->priv = s;
	return 0;
}

int sync_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
	      uint64_t wait_ns)
{
	struct sync_engine *s = eng->priv;
	uint32_t n = slot_ring_pop(&s->done, done, max);

	(void)min;
	(void)wait_ns;
	fault_results(done, n);
	return (int)n;
}

void sync_close(struct engine *eng)
{
	struct sync_engine *s = eng->priv;

	slot_ring_fini(&s->done);
	free(s);
	eng->priv = NULL;
}
