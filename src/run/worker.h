/*
 * One worker: a thread with its own engine instance, buffers and counters, driving one clone of a job.
 *
 * Who writes what: `ctl` belongs to the lane (see there). Everything under "published" is written by
 * this worker only, with relaxed atomics, and read by the sampler and by collect.c. The rest is the
 * worker's own. In its loop a worker takes no lock (except when the lane's generation changed), allocates
 * nothing, and makes no system call but the engine's, the clock's, and one getrusage a second.
 */
#ifndef IODECK_RUN_WORKER_H
#define IODECK_RUN_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engines/engine.h"
#include "src/run/log_ring.h"
#include "src/run/affinity.h"
#include "src/run/blocks.h"
#include "src/run/dist.h"
#include "src/run/fill.h"
#include "src/run/memory.h"
#include "src/run/mix.h"
#include "src/run/pattern.h"
#include "src/run/rate.h"
#include "src/run/seek.h"
#include "src/spec/iolog.h"
#include "src/spec/job_lists.h"
#include "src/spec/job_spec.h"
#include "src/spec/tuning.h"
#include "src/stat/opstat.h"
#include "src/stat/result.h"

/* How workers and callers get the director's attention. */
struct wakeup {
	struct clock *clock; /* its waits are on it */
	pthread_mutex_t lock;
	pthread_cond_t cond;
	uint64_t count; /* guarded by lock; grows with every call */
};

void wakeup_init(struct wakeup *, struct clock *);
void wakeup_fini(struct wakeup *);
void wakeup_call(struct wakeup *);
/* Until count differs from *seen or timeout_ns has passed; *seen is updated. */
void wakeup_wait(struct wakeup *, uint64_t *seen, uint64_t timeout_ns);

/* A gap between completions that is worth a note. */
#define WORKER_GAP_NS (50 * NSEC_PER_MSEC)

/* Shared by the workers of a lane. */
struct lane_ctl {
	pthread_mutex_t lock;         /* guards tune, ready, failed; never held across I/O */
	pthread_cond_t cond;          /* go or stop */
	struct tuning tune;           /* written by lane_tune() */
	_Atomic uint32_t gen;         /* grows with every change of tune; written under lock */
	_Atomic bool go, stop, pause; /* written by the lane */
	_Atomic uint32_t pause_gen;   /* grows before `pause` changes */
	/* Time without I/O because of pauses, under lock; lane.h tells when one begins. */
	uint64_t paused_ns, paused_from_ns; /* of those that ended; of the present one, 0: none */
	/* The part of it in which the whole run was paused: neither run time nor ramp goes on then. */
	uint64_t held_ns, held_from_ns;
	_Atomic bool held;             /* the run is paused, not only this lane */
	_Atomic uint64_t t_go_ns;      /* when `go` was given; end times count from here */
	unsigned ready;                /* workers whose engine is open or failed */
	const _Atomic uint64_t *epoch; /* the sampler's tick number */
	struct clock *clock;
	struct wakeup *wakeup; /* called when a worker leaves; NULL: nobody waits */
};

/* A file of the job as this clone uses it. */
struct worker_file {
	int fd;
	const char *path;
	uint64_t off_bytes, len_bytes;
	bool made; /* by this run */
};

struct worker_cfg {
	struct lane_ctl *ctl;
	const struct engine_ops *engine;
	const void *engine_opts;
	struct engine_device *device; /* the plan's; NULL: none */
	struct worker_file *files;    /* owned by the lane's plan; none for a diskless engine: one
					   entry with fd -1 */
	unsigned n_files;
	uint32_t align;
	uint32_t depth_min; /* room made from the start, for live changes */
	uint64_t len_min;
	uint64_t io_bytes;   /* stop after this many issued bytes; UINT64_MAX: no limit */
	uint64_t loop_bytes; /* after so many the files are emptied; UINT64_MAX: never */
	uint64_t number_ios; /* UINT64_MAX: no limit */
	uint64_t delay_ns, ramp_ns, runtime_ns;                       /* runtime 0: none */
	uint32_t batch_submit, complete_min, complete_max, depth_low; /* 0: no rule */
	uint32_t fsync_every, fdatasync_every;
	bool log_ring; /* record every I/O for the logger */
	bool trace;    /* record every I/O that is issued, for write_iolog */
	bool extra;    /* count what op_extra_live holds */
	bool end_fsync, norandommap, paired, writable;
	uint32_t rand_every;
	int64_t seq_delta_bytes;
	uint64_t seed;
	unsigned number; /* of this worker in the run */
	/* Borrowed from the plan and its spec, constant while the worker lives. */
	const struct job_spec *spec;
	const struct blocks *blocks;     /* NULL: one length for each op */
	const struct distribution *dist; /* NULL: uniform */
	const struct error_list *ignore; /* NULL: none */
	const struct affinity *affinity;
	const struct iolog *replay; /* NULL: the I/O is made up */
};

/* Pauses between I/Os (thinktime). */
struct think {
	uint64_t count;       /* I/Os since the last pause */
	uint64_t io_since_ns; /* end of the last pause */
	uint64_t until_ns;    /* of the pause that is on; 0: none */
	uint64_t spin_ns;     /* ... and until when it burns the CPU */
	uint64_t began_ns;
	bool due; /* drain, then pause */
};

/* Where the playback of a log is. */
struct replay {
	size_t at; /* the next record */
	/* Times of version 3 count from base: when the record before was due, or issued, if that was late. */
	uint64_t base_ns, begun_ns, due_ns;
	bool looked, waited; /* due_ns is that of the next record; it was waited for */
};

/* Checking rate_min once a cycle. */
struct rate_floor {
	uint64_t next_ns, from_ns;
	uint64_t ops[IO_OP_NR], bytes[IO_OP_NR];
};

/* How far the search for a depth has come; SEEK_STATE_NONE: there is none. */
enum seek_state {
	SEEK_STATE_NONE,
	SEEK_STATE_ON,
	SEEK_STATE_MET,    /* the last depth held; the job ended by it, or goes on at it */
	SEEK_STATE_MISSED, /* not even a depth of 1 did */
};

/* The last window of a search, counted alone. Written by the worker. */
struct worker_last {
	_Atomic uint64_t from_ns; /* 0: it is not on; the rest is valid after it */
	struct op_live op[IO_OP_NR];
	struct op_extra_live extra[IO_OP_NR];
	struct op_live sync;
	/* What had been counted before; constant while it is on. */
	uint64_t errors[IO_OP_NR], shorts[IO_OP_NR], syncs, paused_ns;
	uint64_t depth[DEPTH_CELLS], submit[DEPTH_CELLS], complete[DEPTH_CELLS];
};

/* Written by the director. TUNED: fewer jobs are wanted, it may come back. DONE: it has settled. */
enum retire { RETIRE_NO, RETIRE_TUNED, RETIRE_DONE };

enum worker_state {
	WORKER_NEW,
	WORKER_READY, /* engine open, waiting for go */
	WORKER_DELAY,
	WORKER_RAMP,
	WORKER_RUN,
	WORKER_SYNC, /* fsync at the end */
	WORKER_DONE,
	WORKER_FAILED, /* done, with an error */
};

struct worker_usage {
	_Atomic uint64_t usr_us, sys_us, ctx, majf, minf; /* since counting began */
};

struct worker {
	struct worker_cfg cfg;
	pthread_t thread;
	_Atomic bool has_thread; /* started and not yet joined; written by the lane */
	_Atomic int retire;      /* enum retire: leave after what is in flight */

	/* published */
	_Atomic int state; /* enum worker_state */
	_Atomic uint32_t gen_seen, inflight;
	_Atomic uint32_t parked_gen; /* the pause_gen under which it stands still */
	_Atomic uint64_t paused_at_count_ns, held_at_count_ns; /* before counting began */
	_Atomic uint64_t last_done_ns, t_count_ns, t_end_ns; /* counting began, ended; 0: not yet */
	_Atomic uint64_t ramp_ops[IO_OP_NR], ramp_bytes[IO_OP_NR];
	_Atomic uint64_t depth[DEPTH_CELLS], submit[DEPTH_CELLS], complete[DEPTH_CELLS];
	_Atomic uint64_t retries, syncs, sync_errors;
	_Atomic int tid, error;   /* errno of the first error; error_text is set before it */
	_Atomic int first_error;  /* of those that did not end the job, too */
	_Atomic uint64_t ignored; /* errors that did not end the job */
	char error_text[256];
	/* The longest time without a completion, something in flight, that ended in a tick; see extreme. */
	struct {
		_Atomic uint64_t epoch, ns, end_ns;
		_Atomic uint32_t inflight;
	} gap[OP_EPOCHS];
	struct op_live *op;          /* [IO_OP_NR], page-aligned */
	struct log_ring *log;        /* NULL: not asked for */
	struct trace_ring *trace;    /* likewise */
	struct op_extra_live *extra; /* [IO_OP_NR], of op[]; NULL: not asked for */
	struct op_live *sync;        /* latency of fsyncs; NULL when none are asked for */
	struct worker_usage usage;
	struct worker_last *last;    /* NULL: no search for a depth, or one that never ends */
	_Atomic uint32_t seek_depth; /* the depth that is tried, or was found */
	_Atomic int seek_state;      /* enum seek_state */

	/* the sampler's own: its CPU time, and when that was read */
	uint64_t cpu_ns, cpu_t_ns;

	/* the worker's own */
	struct engine engine;
	bool engine_open;
	struct tuning tune;
	uint32_t qd, depth_max; /* qd: effective */
	uint64_t len_max, pool_stride, write_at;
	struct memory pool_memory; /* pool begins iomem_align bytes behind it */
	struct memory locked;      /* lockmem: not used for anything */
	uint8_t *
		pool; /* slot i at i * pool_stride: read buffer, then, at write_at, the write buffer */
	struct io_slot *slots;
	struct io_slot **free, **batch, **done;
	uint64_t *filled; /* bytes of each write buffer that hold data */
	int *fds;
	uint32_t n_free, n_batch, n_inflight;
	uint64_t issued_ios, issued_bytes, end_ns, stuck_since_ns;
	uint64_t limit_bytes; /* of issued_bytes: the end of this loop, or of the job */
	uint64_t
		quiet_since_ns; /* last completion, or when the first I/O went out after none was */
	uint64_t writes_since_sync;
	uint64_t look_ns; /* when to look at the controls though nobody asked */
	uint64_t
		plain_bytes; /* the I/O length of a job without rules, see worker_is_plain(); 0: has some */
	enum io_op plain_op;
	bool one_time; /* submitting and doing are one: no slat, one reading of the clock */
	struct pattern *pattern; /* one a file */
	/*
	 * Of several files so many are worked on at a time: openfiles, or all. Each has a place; a place
	 * is empty when its file is done and no other waits. When all are done everything begins again.
	 */
	unsigned n_places, n_busy, next_place;
	unsigned *place_file;   /* of each place; from n_files on: none */
	unsigned new_file;      /* the next one that has had no place yet */
	struct dist *file_dist; /* file_service_type=zipf and its like; NULL: another one */
	struct distribution file_dist_def;
	struct mix mix;
	struct rate rate;
	struct think think;
	struct rate_floor floor;
	struct replay replay;
	struct seek seek;
	struct {
		uint64_t end_ns, ops, slow; /* ops: done before it; slow: missed the target in it */
		bool drain;                 /* what is in flight belongs to the depth before */
	} window;
	uint64_t slow_ns[IO_OP_NR]; /* an I/O that took longer is looked at */
	bool aside;                 /* an I/O goes to the log or to the last window, too */
	struct fill_cfg fill;
	uint64_t service_left; /* I/Os on the present file before the next */
	uint64_t *file_bytes;  /* issued to each file in this pass */
	unsigned *slot_file;   /* of each slot, for the trace; NULL: none is asked for */
	unsigned sync_one;     /* sync_due is for this file only, from 1; 0: for all */
	bool sync_data;        /* ... and its length and times may wait */
	struct rng rng;
	enum io_op next_op;
	bool has_next_op, draining, refilling, sync_due, reopen, loop_due, turn_over;
	bool late; /* started after the lane's go */
	const struct hist_straddle *straddle;
	uint64_t usage_epoch;
	struct worker_usage usage_base;
};

/* Allocates statistics; the worker is then started by worker_start. Errors only for memory. */
int worker_init(struct worker *, const struct worker_cfg *);
void worker_fini(struct worker *); /* thread joined before */
int worker_start(struct worker *); /* spawns the thread; 0 or -errno */
void worker_join(struct worker *);

/* How long the lane was paused, in sum, until now_ns. Takes its lock for a moment; any thread. */
uint64_t lane_ctl_paused_ns(struct lane_ctl *, uint64_t now_ns);
/* The same for pauses of the whole run. */
uint64_t lane_ctl_held_ns(struct lane_ctl *, uint64_t now_ns);

/* worker_setup.c: engine, buffers, generators; called by the worker's own thread. */
int worker_open(struct worker *, struct err *);
void worker_close(struct worker *);
void worker_apply_tuning(struct worker *, const struct tuning *, uint64_t now_ns);
void worker_start_rate(struct worker *, uint64_t now_ns);
bool worker_needs_reopen(const struct worker *, const struct tuning *);
void worker_fill_write(struct worker *, struct io_slot *);
void worker_usage_publish(struct worker *, bool is_base);
/* worker_pace.c: pauses and lower limits of a rate; what holds the loop back or ends it. */
void worker_pace_start(struct worker *, uint64_t now_ns);
/* Counts I/Os towards the next pause. */
static inline void worker_think_count(struct worker *w, uint32_t n, bool issued)
{
	if (issued == w->cfg.spec->thinktime_by_issue)
		w->think.count += n;
}

/* May nothing be issued because of a pause? *until_ns: its end, 0 while the queue drains. */
bool worker_is_thinking(struct worker *, uint64_t now_ns, uint64_t *until_ns);
void worker_check_floor(struct worker *, uint64_t now_ns);
/* worker_seek.c: the depth that keeps latency_target; all do nothing without one. */
int worker_seek_init(struct worker *);
void worker_seek_fini(struct worker *);
void worker_seek_start(struct worker *, uint64_t now_ns);
/* iodepth has changed. */
void worker_seek_limit(struct worker *);
/* Judges the window when it is over; may change w->qd. */
void worker_seek(struct worker *, uint64_t now_ns);
/* n I/Os took longer than slow_ns. */
void worker_seek_slow(struct worker *, uint32_t n, uint64_t lat_ns, uint64_t now_ns);
/* worker_files.c: jobs of several files, and loops that begin with empty ones. */
void worker_files_init(struct worker *);
void worker_files_fini(struct worker *);
/* The file that the next I/O goes to; with n_files 1 not worth the call. */
unsigned worker_choose_file(struct worker *);
/* so many bytes were issued to it */
void worker_served(struct worker *, unsigned file, uint32_t len);
void worker_first_loop(struct worker *);
/* All bytes or I/Os are issued: of the job, or of this loop. */
void worker_limits_reached(struct worker *);
/* Nothing is in flight. */
void worker_next_loop(struct worker *);
/* worker_replay.c: the next I/O comes from a log. */
void worker_replay_start(struct worker *, uint64_t now_ns);
/* Time that does not count: the due times move on by it. */
void worker_replay_shift(struct worker *, uint64_t ns);
/* worker_loop.c */
void worker_loop(struct worker *);
/* Keeps the first error; the job then drains and ends. */
void worker_fail(struct worker *, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
