/*
 * What every engine needs around a slot: a ring of finished ones, and the answer to slots that must
 * not reach the kernel's queue (trims, and writes nobody allowed). One instance, one thread.
 */
#ifndef IODECK_ENGINES_SLOT_H
#define IODECK_ENGINES_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "engines/engine.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* First in, first out; holds at least depth_max slots, and no engine accepts more than that. */
struct slot_ring {
	struct io_slot **slot;
	uint32_t head, tail, mask; /* head and tail run free; tail - head are inside */
};

/* 0 or -ENOMEM. */
int slot_ring_init(struct slot_ring *r, uint32_t depth_max);
void slot_ring_fini(struct slot_ring *r);

static inline uint32_t slot_ring_count(const struct slot_ring *r)
{
	return r->tail - r->head;
}

static inline void slot_ring_push(struct slot_ring *r, struct io_slot *io)
{
	r->slot[r->tail++ & r->mask] = io;
}

static inline uint32_t slot_ring_pop(struct slot_ring *r, struct io_slot **out, uint32_t max)
{
	uint32_t n = slot_ring_count(r);

	if (n > max)
		n = max;
	for (uint32_t i = 0; i < n; i++)
		out[i] = r->slot[(r->head + i) & r->mask];
	r->head += n;
	return n;
}

/* May this slot go to the kernel's queue? */
static inline bool slot_is_plain(const struct io_slot *io, bool writable)
{
	return likely(io->op == IO_READ || (io->op == IO_WRITE && writable));
}

/*
 * The result of a slot that is not plain: -EBADF when writing is not allowed, else the trim is done
 * here (BLKDISCARD on a block device, a punched hole in a file) and its result returned.
 */
int32_t slot_answer(const struct io_slot *io, bool writable);

#endif
