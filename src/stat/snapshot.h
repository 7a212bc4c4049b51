/*
 * The one public picture of a moment, published by the session ten times a second. All derived numbers
 * (rates, percentiles, utilisation) are computed here once, by the sampler; views and reporters only
 * format. Plain data, about half a megabyte; models keep series of the numbers, not snapshots.
 * Unknown numbers are NAN.
 */
#ifndef IODECK_STAT_SNAPSHOT_H
#define IODECK_STAT_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/disk_rate.h"
#include "src/base/ioop.h"
#include "src/spec/tuning.h"
#include "src/stat/opstat.h"
#include "src/stat/sweep_view.h"

#define LANE_MAX  4
#define EVENT_MAX 64

enum run_state {
	RUN_IDLE,   /* nothing started yet */
	RUN_LAYOUT, /* making or filling files; see layout_* */
	RUN_RAMP,   /* I/O runs, nothing is counted yet */
	RUN_ON,
	RUN_PAUSED,
	RUN_DRAIN,  /* stopping: waiting for what is in flight */
	RUN_DONE,   /* results stand */
	RUN_FAILED, /* could not start or ended by an error; see error */
};

const char *run_state_word(enum run_state); /* "IDLE" "LAYOUT" "RAMP" "RUN" ... */

/* p50 p90 p95 p99 p99.9 p99.99 */
#define PCT_NR 6
extern const double pct_points[PCT_NR];

/* Latency of one interval, submit call to reap. */
struct lat_view {
	uint64_t n;
	uint64_t min_ns, max_ns; /* exact where known, else bucket bounds (lat_view_make) */
	double mean_ns;
	uint64_t pct_ns[PCT_NR]; /* of pct_points; never above max_ns; meaningless when n = 0 */
};

/* One op over one interval. */
struct op_win {
	double iops, bps; /* divided by the real elapsed time; 0 is a measured 0 */
	uint64_t ops, bytes, errors;
	struct lat_view lat;
};

/*
 * The latency picture of a window (op_stat_sub of two copies, or such windows merged). n is the sum of
 * its lat buckets. exact_*: the extremes that op_live_extremes() gave for the window's ticks, or
 * UINT64_MAX and 0 when they are not known. Ticks and copies do not begin at the same instant, so each
 * exact extreme is used only when it lies in the outermost non-empty bucket of its side; else the
 * bucket's own bound, narrowed to the cumulative extremes, stands in: at most 1.6 % too wide. Mean and
 * percentiles are kept within [min_ns, max_ns]. Empty window: all zero.
 */
void lat_view_make(struct lat_view *, const struct op_stat *window, uint64_t exact_min_ns,
		   uint64_t exact_max_ns);
/* dt_ns: the real time between the two copies; 0: rates are unknown (NAN). */
void op_win_make(struct op_win *out, const struct op_stat *window, uint64_t dt_ns,
		 uint64_t exact_min_ns, uint64_t exact_max_ns);

/* One worker, or in the row WORKER_SNAP_MAX all those that have no row of their own. */
#define WORKER_SNAP_MAX 64
struct worker_win {
	double iops, bps; /* NAN: unknown */
	double mean_ns;   /* NAN: nothing done */
	uint64_t p99_ns;  /* 0: unknown or nothing done; never above max_ns */
	uint64_t max_ns;  /* 0: nothing done */
};
struct worker_snap {
	struct worker_win sec, total; /* the last second; since it began to count */
	uint32_t count, alive;        /* workers in this row; those of them that have not ended */
	uint32_t inflight;
	double cpu_pct; /* of the last second, 100 = one core; NAN: it has ended */
};

/*
 * Where the time of an I/O goes, means of one second (run/sampler_split). Only state SPLIT_OK has host and
 * device; app is known whenever something was completed.
 */
enum split_state {
	SPLIT_OK,
	SPLIT_NO_DISK, /* no block device's counters tell of this target */
	SPLIT_WAIT,    /* not a whole second yet */
	SPLIT_IDLE,    /* the device was busy for less than its counters resolve */
	SPLIT_OPS, /* the job's I/Os are not the device's requests: cached, split, merged, foreign */
	SPLIT_SHARED, /* another lane uses the device, its await is not this lane's alone */
};
struct time_split {
	enum split_state state;
	double app_ns, host_ns, dev_ns; /* NAN: unknown */
	double ops_ratio;               /* requests of the device per I/O of the job */
	double foreign_pct; /* part of the device's bytes that no job moved; NAN: unknown */
};

/* Index IO_OP_NR: all ops together. */
struct lane_snap {
	enum run_state state;
	char target[128], engine[16];
	struct tuning tune;       /* what is asked for */
	uint32_t gen, workers;    /* workers alive */
	uint32_t inflight;        /* now, all workers */
	uint32_t qd_effective;    /* tune.qd, or 1 with a synchronous engine */
	bool settling;            /* not all workers have taken over the last change */
	bool direct, sync_engine; /* O_DIRECT; depth is 1 whatever is asked */
	bool tmpfs, simulated;    /* the target is memory; the engine only plays a device */
	bool writes;              /* writes are armed for this lane */
	uint32_t zeroes_pct;      /* of the data it writes; 0 when it writes none */
	double usr_pct,
		sys_pct; /* CPU of all workers over the run, 100 = one core; NAN until its end */
	bool lost;       /* its device has gone away */
	uint64_t t_start_ns;               /* when counting began; 0: not yet */
	uint64_t elapsed_ns, remaining_ns; /* without held_ns; remaining: UINT64_MAX when unknown */
	uint64_t held_ns;                  /* time since t_start_ns in which the run was paused */
	bool parked; /* paused: nothing is in flight and nothing will be until the pause ends */
	uint64_t bytes_done, bytes_total; /* of a size-bound run; total 0: unbounded */
	uint64_t tick_ns; /* time without pauses of `tick`, its end; 0 in no run: all of win_ns */
	struct op_win tick[IO_OP_NR + 1];  /* since the previous snapshot */
	struct op_win sec[IO_OP_NR + 1];   /* the last second */
	struct op_win total[IO_OP_NR + 1]; /* since counting began */
	struct op_win seg;                 /* all ops since the present segment began */
	uint64_t seg_start_ns;             /* 0: it has not (a change is settling) */
	/* All ops: of this tick, of the last second, of the present segment, since counting began. */
	struct hist tick_lat, sec_lat, seg_lat, total_lat;
	bool warming; /* what is done now is in no segment: the first second, or a change's ramp */
	double cpu_pct; /* of all workers, 100 = one core */
	/* cpu_pct parted as the kernel parted the last two whole seconds; they add up to it. NAN: unknown */
	double cpu_usr_pct, cpu_sys_pct;
	/* Mean in flight of the last second by Little's law, IOPS x mean latency; NAN: nothing done. */
	double little;
	struct time_split split;
	double reached_pct; /* the disks' bytes in % of the job's since it began; NAN: unknown */
	uint32_t n_worker_rows; /* WORKER_SNAP_MAX + 1: the last row sums the others */
	struct worker_snap worker[WORKER_SNAP_MAX + 1];
	/* Time since the last completion (none yet: since the start) while in flight > 0; else 0. */
	uint64_t oldest_ns;
};

enum event_kind {
	EVENT_TUNE,
	EVENT_MARK,
	EVENT_STALL,
	EVENT_ERROR,
	EVENT_STATE,
	EVENT_SLICE, /* `lane` has its turn */
	EVENT_GAP,   /* nothing was measured: a pause, a machine that slept */
};

/* Numbers of the segment before and after a change; valid false: not measured (yet). */
struct segment {
	bool valid;
	double iops, bps;
	uint64_t p99_ns;
};

struct event {
	uint64_t id;   /* from 1, grows */
	uint64_t t_ns; /* monotonic */
	enum event_kind kind;
	uint32_t lane;
	char text[96];                /* "qd 8 -> 32", "stall 62 ms" */
	struct segment before, after; /* EVENT_TUNE; `after` grows until the next change */
};

struct snapshot {
	uint64_t seq;          /* from 1, grows by one */
	uint64_t t_ns, win_ns; /* when taken; real time since the previous one */
	enum run_state state;
	bool starting;   /* a run was asked for that `state` does not know of yet */
	char error[512]; /* why RUN_FAILED; else the last I/O error or "" */
	uint64_t layout_done, layout_total; /* bytes */
	uint32_t n_lanes;
	struct lane_snap lane[LANE_MAX];
	uint32_t n_disks;
	struct disk_rate disk[DISK_RATE_MAX]; /* targets first, then other busy devices by name */
	uint32_t n_events;
	struct event event[EVENT_MAX]; /* the newest ones, oldest first */
	/* Lanes that take turns: whose it is (n_lanes: between two). */
	struct {
		bool alternate;
		uint32_t turn;
		uint64_t slice_ns, left_ns;
	} ab;
	struct sweep_view sweep; /* phase SWEEP_OFF: there is none */
};

#endif
