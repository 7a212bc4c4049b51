/*
 * What happened when: changes with the numbers before and after, marks, stalls, errors. One log per
 * session, bounded, guarded by its own lock; any thread may add, the sampler copies it into snapshots.
 * The slices of lanes that take turns come for ever: they never push out more than half of the rest.
 */
#ifndef IODECK_RUN_EVENTS_H
#define IODECK_RUN_EVENTS_H

#include <pthread.h>

#include "src/stat/snapshot.h"

struct events {
	pthread_mutex_t lock;
	struct event v[EVENT_MAX]; /* oldest first */
	unsigned n;
	uint64_t last_id;
};

void events_init(struct events *);
void events_fini(struct events *);
void events_reset(struct events *);
/* Returns the event's id. before: NULL when not known. */
uint64_t events_add(struct events *, uint64_t t_ns, enum event_kind, uint32_t lane,
		    const struct segment *before, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
/* Updates the numbers after a change; nothing when the event has been pushed out. */
void events_set_after(struct events *, uint64_t id, const struct segment *after);
/* Replaces the text (a stall that goes on). */
void events_set_text(struct events *, uint64_t id, const char *text);
/* Those that are kept, oldest first, into the snapshot. */
void events_copy(struct events *, struct snapshot *);
/* "qd 8 -> 32, bs 4k -> 16k": what differs; "" when nothing. */
void events_describe_change(const struct tuning *a, const struct tuning *b, char *out, size_t size);

#endif
