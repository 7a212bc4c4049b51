/*
 * The only door to the running side: opens targets, owns lanes, workers and the sampler, publishes
 * snapshots through a feed and keeps the last result. Every function may be called from any thread.
 */
#ifndef IODECK_RUN_SESSION_H
#define IODECK_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/spec/spec.h"
#include "src/stat/feed.h"
#include "src/stat/result.h"

struct guard_ask;
struct session;

struct session_cfg {
	uint64_t tick_ns;    /* between snapshots; 0: 100 ms */
	const char *fsroot;  /* "" the real machine */
	struct clock *clock; /* NULL: clock_real */
	bool readonly;       /* --readonly: refuse writes, trims, and making or extending files */
	bool bandwidth_log;  /* --bandwidth-log: agg-read_bw.log and its like, of the whole run */
	bool headroom;       /* make room for live changes from the start (the console) */
	bool temperatures;   /* ask the disks for theirs now and then (the console) */
	/*
	 * --allow-destroy=DEV and --allow-overwrite=FILE. What they name is looked up once, by
	 * session_open(); from then on the consent belongs to that device or file, not to the name.
	 */
	const char *const *allow_destroy, *const *allow_overwrite;
	size_t n_allow_destroy, n_allow_overwrite;
	/* Called from the session's own thread for one-line notes ("Laying out IO file"); may be NULL. */
	void (*note)(void *arg, const char *line);
	void *note_arg;
};

int session_open(struct session **, const struct session_cfg *, struct err *e);
/* Stops what runs, joins every thread, frees. */
void session_close(struct session *);
/*
 * Checks everything that can be checked without touching the targets' data (plans, opens, refusals),
 * then runs in the background: layout, stages, drain. The spec is copied. -EBUSY while a run is on.
 */
int session_start(struct session *, const struct spec *, struct err *e);
/* Asks to drain; signo (0: none) is kept for the result. Again: no effect. */
void session_stop(struct session *, int signo);
/* Until the run is over or timeout_ns has passed: true when over. */
bool session_wait(struct session *, uint64_t timeout_ns);
/*
 * A tuning for one lane; takes effect within the workers' next turn. -EINVAL with the reason when it
 * cannot be had live (writes without a grant, block size against the logical block, ...).
 */
int session_tune(struct session *, uint32_t lane, const struct tuning *, struct err *e);
/* The lanes of a run take turns, or work at once; now and in later runs. slice_ns 0: as it was. */
int session_alternate(struct session *, bool on, uint64_t slice_ns, struct err *e);
/*
 * Measures the cells of a sweep with the only job of `spec` in the background: one run that is retuned,
 * started anew only where the engine changes. What it has measured stays until the next sweep.
 */
int session_sweep(struct session *, const struct spec *spec, const struct sweep_spec *,
		  struct err *e);
/* The same, without the cells that `from` has measured. -EALREADY: it has all of them. */
int session_sweep_go_on(struct session *, const struct spec *spec, const struct sweep_result *from,
			struct err *e);
/* What was measured elsewhere becomes this session's sweep, stopped: to be looked at, or gone on with. */
int session_sweep_take(struct session *, const struct spec *spec, const struct sweep_result *from,
		       struct err *e);
int session_sweep_resume(struct session *, struct err *e);
int session_sweep_redo(struct session *, unsigned row, unsigned col, struct err *e);
/* Another objective for what is measured; not set: none. */
int session_sweep_slo(struct session *, const struct slo *, struct err *e);
/* The cell at work is dropped, the others are kept; the run drains. */
void session_sweep_stop(struct session *, int signo);
/* The sweep's picture; phase SWEEP_OFF when there is none. */
void session_sweep_view(struct session *, struct sweep_view *out);
struct feed *session_feed(struct session *);
/*
 * What a start of this spec would change that is there already: at most max entries into asks, their
 * number into *n. Checks the spec as a start does. -EBUSY while a run is on.
 */
int session_guard(struct session *, const struct spec *, struct guard_ask *asks, size_t max,
		  size_t *n, struct err *e);
/*
 * The typed phrase of one of the targets that session_guard() told last: consent to it, until the session
 * ends. NULL: all consents are taken back. -EPERM: not such a phrase.
 */
int session_arm(struct session *, const char *typed, struct err *e);
/* Why the last run failed, if it did: its code, 0 otherwise. */
int session_error(struct session *, struct err *out);
/*
 * The result of the run that is over (after session_wait said so), valid until the next start; NULL
 * when nothing ran. With a run still on: a copy of the numbers so far.
 */
const struct run_result *session_result(struct session *);

/* What a status line needs of all jobs (snapshots carry at most LANE_MAX lanes). */
struct session_progress {
	unsigned jobs_total, jobs_running;    /* clones */
	char map[512];                        /* run-length state letters, fio-language 3.3 */
	double pct_done;                      /* NAN unknown */
	uint64_t eta_ns;                      /* UINT64_MAX unknown */
	double bps[IO_OP_NR], iops[IO_OP_NR]; /* last interval */
	bool layout;
	uint64_t layout_done, layout_total;
};
void session_progress(struct session *, struct session_progress *out);

#endif
