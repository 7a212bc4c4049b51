/*
 * The session's inside, shared by session.c (feed, life), session_run.c (the director: layout, stages)
 * and session_query.c (results, progress). Nobody else includes this.
 *
 * Threads: the director runs one request after the other; the sampler ticks; callers come from anywhere.
 * `lock` guards spec, lanes, n_lanes, error, signo, disks, agreed, asked; it is never held across I/O. The director changes
 * lanes only while state says that no run is on, or under `lock`.
 */
#ifndef IODECK_RUN_SESSION_IMPL_H
#define IODECK_RUN_SESSION_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/run/ab.h"
#include "src/run/collect.h"
#include "src/run/events.h"
#include "src/run/hold.h"
#include "src/run/lane.h"
#include "src/run/sampler.h"
#include "src/run/session.h"
#include "src/run/steady.h"
#include "src/run/sweep.h"

struct session {
	struct session_cfg cfg;
	struct feed feed;
	pthread_t director, sampler_thread;
	_Atomic bool closing,
		stop;           /* stop: the present run shall drain, or its layout be cancelled */
	_Atomic int state;      /* enum run_state; written by director and session_start */
	_Atomic bool requested; /* a run waits for the director */
	_Atomic bool preparing; /* a caller is in session_start() */

	pthread_mutex_t lock;
	struct spec spec;
	struct lane **lanes;
	size_t n_lanes;
	unsigned stage;      /* the one that runs */
	struct ab ab;        /* under lock */
	_Atomic bool paused; /* session_pause(); written under lock */
	/* Under lock: the run's pauses that ended; what the lanes had when the present one began. */
	uint64_t held_ns, held_at_pause_ns;
	bool end_all; /* exitall: no further stage; director only */
	struct err error;
	int signo;
	struct run_disk *disks;
	size_t n_disks;
	uint64_t t_disks_ns, t_disks_end_ns, t_open_ns;
	uint64_t start_wall_ms, end_wall_ms;
	struct run_result result;
	struct steady_unit **steady; /* values under lock; the director's otherwise */
	size_t n_steady;
	struct hold_list holds; /* session_start while no run is on, then the director */
	/* Consents of this program's life; nowhere else, never stored. */
	struct guard_id *agreed;
	size_t n_agreed;
	struct ask_list asked; /* what session_guard() told last */

	struct wakeup wakeup; /* workers that leave, tunings, requests, closing */
	struct layout_progress layout;
	struct events events;
	struct sampler sampler;

	/* The sweep; session_sweep.c only. sweep_lock is taken before any other lock. */
	pthread_mutex_t sweep_lock;
	struct sweep *sweep; /* NULL: none yet */
	struct spec sweep_job;
	char sweep_engine[SWEEP_WORD_SIZE]; /* of the run that is on */
	bool sweep_restart;                 /* that run is stopped for another engine */
	bool sweep_preparing;               /* a start for it looks at its target */
	bool sweep_stop;                    /* a stop came meanwhile */

	uint64_t slept_ns;         /* sampler thread only */
	struct snapshot *building; /* sampler thread only */
	pthread_mutex_t pub_lock;  /* guards published */
	struct snapshot *published;
};

void session_wake(struct session *);
void *session_director(void *);
void session_pause(struct session *, bool on);
/* session_ab.c: the turns. Director; returns within which time to look again. */
void session_ab_begin(struct session *, size_t from, size_t to);
uint64_t session_ab_step(struct session *, size_t from, size_t to);
void session_ab_view(struct session *, struct snapshot *);
void session_sample_lanes(struct session *, uint64_t now_ns);
/* session_sweep.c: one tick, in the sampler thread; the picture into the snapshot. */
void session_sweep_tick(struct session *, uint64_t now_ns, struct snapshot *);
bool session_sweep_runs(struct session *);
bool session_sweep_restart(struct session *);
void session_sweep_pause(struct session *, bool on);
void session_sweep_free(struct session *);
/* session_ends.c; lanes [from, to) are the running stage. Director only, but for check_waits. */
void session_check_ends(struct session *, size_t from, size_t to);
void session_start_waiting(struct session *, size_t from, size_t to);
/* Will every wait_for end? Once the stages are known. */
int session_check_waits(struct session *, struct err *);
/* Frees the lanes of the run that is over; unlinks what is to be unlinked. */
void session_drop_lanes(struct session *);
/* session_steady.c: jobs that end when they have settled. begin, free: with the lanes, under lock. */
int session_steady_begin(struct session *, struct err *e);
void session_steady_free(struct session *);
/* Director; returns within which time to look again. */
uint64_t session_steady_step(struct session *, size_t from, size_t to);
/* session_guard.c: consents of the configuration; what a run may do; both want no lock. */
int session_take_consents(struct session *, struct err *e);
/* A copy of all consents; the caller frees *copy after the last use. Takes the lock. */
struct guard_consent session_copy_consent(struct session *, struct guard_id **copy);
bool session_is_running(const struct session *);
/* Looks after what is written: stops the lanes whose target is lost or taken away. Director. */
void session_check_holds(struct session *, size_t from, size_t to);
void session_check_lanes(struct session *, size_t from, size_t to);
/* The same once the lanes are over. */
void session_check_lanes_at_end(struct session *, size_t from, size_t to);
/* What the targets stand on, for session_check_lanes(): once they are open. Director. */
void session_remember_below(struct session *, size_t from, size_t to);
void session_keep_error(struct session *, const struct err *e);
/* What opening a lane showed that the reader of its numbers must know. Director. */
void session_note_opened(struct session *, const struct lane *);

#endif
