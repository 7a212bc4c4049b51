/*
 * What all synchronous engines share: submit does the I/O with the calling thread, the finished slots
 * wait in a ring for the next reap. An engine brings one function that moves one slot; its own struct
 * starts with a struct sync_engine.
 */
#ifndef IODECK_ENGINES_SYNC_COMMON_H
#define IODECK_ENGINES_SYNC_COMMON_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#include "engines/engine.h"
#include "engines/slot.h"

struct sync_engine {
	struct slot_ring done;
	uint32_t depth;
	bool writable;
};

/* Moves one slot's data. Bytes, or -1 with errno. io->op is IO_READ or (allowed) IO_WRITE. */
typedef ssize_t sync_xfer(void *self, const struct io_slot *io);

/* Allocates `size` zeroed bytes that start with a struct sync_engine, into eng->priv. */
int sync_open(struct engine *eng, const struct engine_env *env, size_t size, struct err *e);
int sync_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
	      uint64_t wait_ns);
/* Frees eng->priv; what the engine holds beyond struct sync_engine it has released before. */
void sync_close(struct engine *eng);

/* Inlined with a constant xfer, so that it is a direct call. */
static inline __attribute__((always_inline)) int sync_submit(struct engine *eng,
							     struct io_slot *const *io, uint32_t n,
							     sync_xfer *xfer)
{
	struct sync_engine *s = eng->priv;
	uint32_t room = s->depth - slot_ring_count(&s->done);

	if (n > room)
		n = room;
	for (uint32_t i = 0; i < n; i++) {
		ssize_t r;

		if (slot_is_plain(io[i], s->writable)) {
			do
				r = xfer(s, io[i]);
			while (unlikely(r < 0 && errno == EINTR));
			io[i]->res = r < 0 ? -errno : (int32_t)r;
		} else {
			io[i]->res = slot_answer(io[i], s->writable);
		}
		slot_ring_push(&s->done, io[i]);
	}
	return (int)n;
}

#endif
