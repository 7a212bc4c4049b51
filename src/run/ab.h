/*
 * Lanes that take turns: which of them may do I/O now, so that a shared controller, link or CPU cannot
 * colour the result. Slices go round in order (ABAB), so a slow drift hits all lanes alike. Between two
 * slices nobody works until nothing of the last one is in flight.
 *
 *      A ------- drain          A -------
 *                      B ------- drain         slice_ns: from the start until the drain begins
 *
 * A pure state machine: what is seen goes in, who shall wait comes out. One thread.
 */
#ifndef IODECK_RUN_AB_H
#define IODECK_RUN_AB_H

#include <stdbool.h>
#include <stdint.h>

#define AB_SLICE_DEFAULT_NS 10000000000ull
#define AB_SLICE_MIN_NS     1000000000ull /* a slice without a whole second says nothing */
#define AB_SLICE_MAX_NS     3600000000000ull

struct ab {
	bool alternate;
	uint64_t slice_ns;
	/* the present slice */
	bool begun, draining;
	unsigned turn;
	uint64_t left_ns, last_ns; /* of the slice; the last look */
	uint64_t slices;           /* begun so far */
};

/* Sets of lanes: bit i is lane i. */
struct ab_seen {
	uint64_t now_ns;
	unsigned n_lanes; /* at most 32 */
	uint32_t over;    /* have ended */
	uint32_t idle;    /* nothing in flight, and nothing will be while they wait */
	bool held;        /* the whole run is paused: a slice does not grow shorter */
};

struct ab_todo {
	uint32_t wait;    /* these shall not do I/O */
	bool new_slice;   /* turn has just begun a slice */
	uint64_t look_ns; /* look again within this time */
};

void ab_init(struct ab *);
/* Any time; takes effect with the next step. slice_ns 0: as it was. */
void ab_set(struct ab *, bool alternate, uint64_t slice_ns);
/* A run begins. */
void ab_begin(struct ab *);
void ab_step(struct ab *, const struct ab_seen *, struct ab_todo *);

#endif
