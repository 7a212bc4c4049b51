/*
 * A kernel that refuses a submit (EAGAIN, EBUSY: short of memory) while nothing is in flight: there
 * is no completion to wait for, so waiting for one would hang for ever. The engine then sleeps a
 * little and lets its caller try again; after ten seconds without one success it gives up.
 */
#ifndef IODECK_ENGINES_BACKOFF_H
#define IODECK_ENGINES_BACKOFF_H

#include <stdint.h>

struct backoff {
	uint64_t since_ns; /* of the first refusal in a row; 0: none */
	uint64_t step_ns;
};

/* One sleep of at most max_ns and 1 ms. 0: try again; -EAGAIN: refused for too long. */
int backoff_wait(struct backoff *b, uint64_t max_ns);

static inline void backoff_reset(struct backoff *b)
{
	b->since_ns = 0;
}

#endif
