/*
 * Tests only: wrong answers from the kernel, given at the engine's own boundary with it, because the
 * handling of a refused submit happens inside the engine and a wrapper around it could not reach it.
 * Cost when unused: one predicted branch a batch, next to a system call; null has no kernel behind it
 * and no hook. Set before the worker starts, cleared after it ended; counters are for one worker.
 */
#ifndef IODECK_ENGINES_FAULT_H
#define IODECK_ENGINES_FAULT_H

#include <stdint.h>

#include "engines/engine.h"
#include "engines/slot.h"

struct engine_fault {
	uint32_t refuse;           /* the next so many submit calls ... */
	int refuse_errno;          /* ... answer -refuse_errno and take nothing; positive */
	uint32_t take_max;         /* a submit call of libaio takes at most so many; 0: no limit */
	uint32_t result_every;     /* every so many finished slots ... */
	int32_t result;            /* ... have this res instead of their own; 0: never */
	uint64_t backoff_ns;       /* how long a refused submit is tried again; 0: as shipped */
	uint64_t submits, results; /* seen so far */
};

/* NULL in every run but a test's. */
extern struct engine_fault *engine_fault;

/* A submit call of *n: 0 (and *n perhaps lowered), or the -errno to answer instead. */
int engine_fault_submit(uint32_t *n);
void engine_fault_results(struct io_slot *const *done, uint32_t n);

static inline int fault_submit(uint32_t *n)
{
	return unlikely(engine_fault != NULL) ? engine_fault_submit(n) : 0;
}

static inline void fault_results(struct io_slot *const *done, uint32_t n)
{
	if (unlikely(engine_fault != NULL))
		engine_fault_results(done, n);
}

#endif
