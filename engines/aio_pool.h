/*
 * Kernel contexts of libaio that nobody uses just now. io_destroy(2) waits for the kernel to let go of the
 * context, tens of milliseconds, and all the workers of a stage would make the next one wait for it; so a few
 * empty contexts are kept for the next open. What they reserve of fs.aio-max-nr is small, and given back
 * before an open fails for want of it. Any thread.
 */
#ifndef IODECK_ENGINES_AIO_POOL_H
#define IODECK_ENGINES_AIO_POOL_H

#include <libaio.h>
#include <stdint.h>

/* A context for so many requests; *size: what it was made for. 0 or -errno of io_setup(2). */
int aio_pool_take(uint32_t depth, io_context_t *ctx, uint32_t *size);
/* Nothing is in flight in it. */
void aio_pool_give(io_context_t ctx, uint32_t size);
/* Destroys all that are kept. */
void aio_pool_drain(void);

#endif
