/*
 * A lane: one plan and the workers that run it. Worker slots live until the lane ends, so totals never step
 * back: a worker that was retired keeps its counters, and a later one in its slot goes on from them.
 *
 * lane_open, lane_go, lane_adjust, lane_join, lane_fini: the session's director thread. lane_tune,
 * lane_stop, lane_pause: any thread, short. Readers look at `workers[0..n_slots)` under `lock`.
 */
#ifndef IODECK_RUN_LANE_H
#define IODECK_RUN_LANE_H

#include "src/dev/below.h"
#include "src/run/plan.h"
#include "src/run/worker.h"
#include "src/stat/result.h"

/* Samples of one counter of one worker, kept by the sampler. The last of each array: all ops. */
struct sample_window {
	uint64_t t_ns, count[IO_OP_NR];    /* where the present window began */
	struct samples busy[IO_OP_NR + 1]; /* windows with I/O: what fio counts */
	struct samples all[IO_OP_NR + 1];  /* every window */
};

struct worker_samples {
	struct sample_window bw_kib, iops;
	uint64_t paused_ns; /* as of the last look */
	uint64_t last_ns;   /* worker_last.from_ns as of then */
};

struct steady;

struct lane {
	struct plan plan;
	struct lane_ctl ctl;
	pthread_mutex_t lock; /* guards workers and n_slots */
	struct worker **workers;
	struct worker_samples **samples; /* sampler only, same index */
	_Atomic unsigned n_slots;        /* written by the director under lock */
	bool headroom;                   /* room for live changes from the start */
	_Atomic bool opened;
	_Atomic bool lost;  /* a device of it has gone away; written by the director */
	struct below below; /* what its targets stand on; director only */
	unsigned pauses;    /* reasons to pause, under ctl.lock */
	uint64_t pause_asked_ns, hold_asked_ns; /* under ctl.lock; of any pause, of the run's */
	/* steadystate, of each clone; NULL: not asked for. The session's, read under its lock. */
	const struct steady **steady;
	unsigned n_steady;
	bool waiting;           /* wait_for: not started yet; director only */
	int cache_error;        /* errno: the page cache could not be dropped; director only */
	const char *cache_path; /* of what */
};

void lane_init(struct lane *, struct clock *, const _Atomic uint64_t *epoch, bool headroom,
	       struct wakeup *);
/* Opens the targets and starts the workers; they wait for go. The first failure is in e. */
int lane_open(struct lane *, struct err *);
void lane_go(struct lane *, uint64_t now_ns);
/* Publishes a checked tuning; the workers follow on their next turn. */
void lane_tune(struct lane *, const struct tuning *);
/* Starts or retires workers until their number is the asked one. 0 or -errno. */
int lane_adjust(struct lane *, struct err *);
void lane_stop(struct lane *);
/* "LOST: " before the errors of a lane whose device has gone away, else "". */
const char *lane_lost_text(const struct lane *);
/* Two reasons to do no I/O: the run is paused; it is another lane's turn. */
void lane_pause(struct lane *, bool on);
void lane_wait_turn(struct lane *, bool on);
/*
 * Nothing is in flight and nothing will be until the pause ends. From the last completion on, the time
 * counts as paused; until then it was the lane's own. To be asked now and then while paused.
 */
bool lane_is_parked(struct lane *);
bool lane_is_over(struct lane *); /* every worker has left */
unsigned lane_alive(struct lane *);
/* Has worker k left? Director only. */
bool lane_slot_left(struct lane *, unsigned k);
/* All workers that should run have taken over the newest tuning. */
bool lane_is_settled(struct lane *);
void lane_join(struct lane *);
void lane_fini(struct lane *); /* joined before; closes targets */

#endif
