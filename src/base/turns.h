/*
 * A virtual clock that several threads share: they take turns. Exactly one runs, the one whose time comes first,
 * until it sleeps or waits; then the clock jumps to the next one's time. So a run of many threads takes as long
 * as its arithmetic, and does the same each time, whatever the machine does meanwhile.
 *
 * What a program that is to work on either clock must do: start and join its threads, wait on conditions and
 * wake those that do through the functions below, which are the usual ones on the real clock; and hold no lock
 * that another thread wants while it sleeps. A thread that was not started so may call them, too: it sees
 * time stand still, and its waits are those of the real clock.
 *
 * Threads that know nothing of each other need not change places at each step: after clock_sleep_ahead() one may
 * be up to a millisecond ahead of the others that sleep so, but never past the time of one that does not.
 * Any thread.
 */
#ifndef IODECK_BASE_TURNS_H
#define IODECK_BASE_TURNS_H

#include <pthread.h>
#include <stdint.h>

#include "src/base/clock.h"

#define CLOCK_NEVER UINT64_MAX

/* Makes the clock virtual and shared; it goes on from its now_ns. The caller is the first to run. */
void clock_turns_begin(struct clock *);
/* All threads but the caller have been joined. */
void clock_turns_end(struct clock *);

/* thread_spawn() of a thread that takes turns, beginning now; 0/-errno. To be joined with clock_join(). */
int clock_spawn(struct clock *, pthread_t *, const pthread_attr_t *attr, void *(*fn)(void *),
		void *arg);
void clock_join(struct clock *, pthread_t);

/* Until clock_wake() of the same condition (or without reason), or until_ns: false. The mutex is held. */
bool clock_wait(struct clock *, pthread_cond_t *, pthread_mutex_t *, uint64_t until_ns);
/* Wakes all; the mutex is held. */
void clock_wake(struct clock *, pthread_cond_t *);

/* clock_sleep_until() of a thread that may be ahead of others. */
void clock_sleep_ahead(struct clock *, uint64_t t_ns);

#endif
