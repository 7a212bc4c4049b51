/*
 * Monotonic time in nanoseconds. Code that must be testable takes a struct clock; the worker and
 * the samplers call clock_now_ns() on the one their session was given.
 * A virtual clock only moves when told to; it is for one thread, or for several that take turns (turns.h).
 */
#ifndef IODECK_BASE_CLOCK_H
#define IODECK_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/tsc.h"

#define NSEC_PER_USEC 1000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC  1000000000ull

struct clock_turns;

struct clock {
	bool is_virtual;
	uint64_t
		now_ns; /* the virtual clock's time: of the thread that runs; unused by the real one */
	struct clock_turns *turns; /* NULL: one thread */
};

extern struct clock clock_real;

uint64_t clock_mono_ns(void); /* CLOCK_MONOTONIC, from the kernel */
/* How long the machine slept since it was booted: what clock_mono_ns() does not count. */
uint64_t clock_slept_ns(void);

/*
 * Real: CLOCK_MONOTONIC, where tsc_start() allowed it from the CPU's counter, then within about 1 us of the
 * kernel's. Two readings of one thread may then be a nanosecond out of order: never subtract them blindly.
 */
static inline uint64_t clock_now_ns(const struct clock *c)
{
	uint64_t ns;

	if (__builtin_expect(c->is_virtual, 0))
		return c->now_ns;
	ns = tsc_now_ns();
	return __builtin_expect(ns != 0, 1) ? ns : clock_mono_ns();
}

/* Sleeps until t_ns; a virtual clock jumps there (never back). */
void clock_sleep_until(struct clock *c, uint64_t t_ns);
/* The part of it that lies in turns.c. */
void clock_turns_sleep(struct clock *c, uint64_t t_ns);
/* Wall-clock milliseconds since the epoch, only for stamping records. */
uint64_t clock_wall_ms(void);

#endif
