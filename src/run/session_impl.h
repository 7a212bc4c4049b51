/*
 * The session's inside, shared by session.c (feed, life), session_run.c (the director: layout, stages)
 * and session_query.c (results, progress). Nobody else includes this.
 *
 * Threads: the director runs one request after the other; the sampler ticks; callers come from anywhere.
 * `lock` guards spec, lanes, n_lanes, error, signo, disks; it is never held across I/O. The director changes
 * lanes only while state says that no run is on, or under `lock`.
 */
#ifndef IODECK_RUN_SESSION_IMPL_H
#define IODECK_RUN_SESSION_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/run/collect.h"
#include "src/run/events.h"
#include "src/run/lane.h"
#include "src/run/sampler.h"
#include "src/run/session.h"

struct session {
	struct session_cfg cfg;
	struct feed feed;
	pthread_t director, sampler_thread;
	_Atomic bool closing,
		stop;		/* stop: the present run shall drain, or its layout be cancelled */
	_Atomic int state;	/* enum run_state; written by director and session_start */
	_Atomic bool requested; /* a run waits for the director */

	pthread_mutex_t lock;
	struct spec spec;
	struct lane **lanes;
	size_t n_lanes;
	unsigned stage; /* the one that runs */
	bool end_all;	/* exitall: no further stage; director only */
	struct err error;
	int signo;
	struct run_disk *disks;
	size_t n_disks;
	uint64_t t_disks_ns, t_disks_end_ns, t_open_ns;
	uint64_t start_wall_ms, end_wall_ms;
	struct run_result result;

	struct wakeup wakeup; /* workers that leave, tunings, requests, closing */
	struct layout_progress layout;
	struct events events;
	struct sampler sampler;

	struct snapshot *building; /* sampler thread only */
	pthread_mutex_t pub_lock;  /* guards published */
	struct snapshot *published;
};

int session_spawn(pthread_t *, void *(*main)(void *), void *arg); /* with all signals blocked */
void session_wake(struct session *);
void *session_director(void *);
void session_pause(struct session *, bool on);
void session_sample_lanes(struct session *, uint64_t now_ns);
/* Frees the lanes of the run that is over; unlinks what is to be unlinked. */
void session_drop_lanes(struct session *);

#endif
