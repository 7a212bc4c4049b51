/*
 * The parts of a worker's turn, for the files of the loop only: worker_loop.c, worker_issue.c,
 * worker_done.c. All of it runs in the worker's own thread.
 */
#ifndef IODECK_RUN_WORKER_TURN_H
#define IODECK_RUN_WORKER_TURN_H

#include "src/run/worker.h"

#define BUMP(p) RELAXED_ADD((p), 1)

/* The clock went back from `before` to `now`: the time to go on with. Cold. */
uint64_t worker_clock_went_back(struct worker *, uint64_t before, uint64_t now);

/* The time, not before `before`, the last one that this worker knows. */
static inline uint64_t worker_clock(struct worker *w, uint64_t before)
{
	uint64_t now = clock_now_ns(w->cfg.ctl->clock);

	return __builtin_expect(now >= before, 1) ? now : worker_clock_went_back(w, before, now);
}

static inline uint32_t depth_cell(uint32_t depth)
{
	uint32_t i = 31u - (uint32_t)__builtin_clz(depth | 1);

	return i < DEPTH_CELLS ? i : DEPTH_CELLS - 1;
}

/* 0 | 1-4 | 5-8 | 9-16 | 17-32 | 33-64 | >64 */
static inline uint32_t batch_cell(uint32_t n)
{
	uint32_t i;

	if (n == 0)
		return 0;
	if (n <= 4)
		return 1;
	i = 31u - (uint32_t)__builtin_clz(n - 1);
	return i < DEPTH_CELLS ? i : DEPTH_CELLS - 1;
}

/*
 * Fills the batch. Returns the time before which nothing more can be issued because of a rate; 0: not
 * limited by a rate.
 */
uint64_t worker_fill(struct worker *, uint64_t now);
/* The same for a job without rules (w->plain_bytes). */
uint64_t worker_fill_plain(struct worker *, uint64_t now);
/* The same from a log (cfg.replay). */
uint64_t worker_fill_replay(struct worker *, uint64_t now);
/*
 * How many I/Os may be put into the batch now, as far as depth, pauses and what is due allow. *until_ns as
 * worker_fill() returns it.
 */
uint32_t worker_room(struct worker *, uint64_t now, uint64_t *until_ns);
/* Is an fsync due before the next I/O of this op? */
bool worker_wants_sync(const struct worker *, enum io_op op);
struct io_at {
	uint64_t offset, start_ns, due_ns; /* due 0: no rate */
	uint32_t len, file;
	enum io_op op;
};
/* Puts one into the batch, with its data. */
void worker_put(struct worker *, const struct io_at *);
/* Hands the batch to the engine; what it does not take stays in the batch. */
void worker_submit(struct worker *, uint64_t now);
/* Gives the batch's slots back. */
void worker_drop_batch(struct worker *);
/* done[0..n) came back at `now`. */
void worker_complete(struct worker *, uint32_t n, uint64_t now);

#endif
