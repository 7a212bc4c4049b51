/*
 * What a finished (or interrupted) run measured: the only input of the report formats. Built by
 * run/collect.c after the workers are joined, owned by the session until the next start. Entries are
 * already merged per group where group_reporting asks for it, and every derived number a report prints
 * is computed here once (result_derive).
 */
#ifndef IODECK_STAT_RESULT_H
#define IODECK_STAT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/ioop.h"
#include "src/spec/spec.h"
#include "src/stat/opstat.h"

/* 500 ms samples of one job and direction: KiB/s or IOPS. Windows without I/O are not in it (fio). */
struct samples {
	uint64_t n, min, max;
	double mean, m2; /* m2: sum of squared distances from the mean */
};

void samples_add(struct samples *, uint64_t value); /* Welford */
double samples_stddev(const struct samples *);
/* Clones of a group, fio's rule: min, max, mean, n and m2 are added. */
void samples_sum(struct samples *dst, const struct samples *src);

#define DEPTH_CELLS 7 /* depth: 1 2 4 8 16 32 >=64;  submit, complete: 0 4 8 16 32 64 >=64 */

struct dir_result {
	struct op_stat st;
	struct hist *slat_h;   /* owned; NULL: slat_percentiles was not asked for */
	struct lat_dist *resp; /* owned; from when an I/O was due; NULL: the job has no rate */
	uint64_t runtime_ms;   /* group: the longest clone; at least 1 when anything was done */
	struct samples bw_kib, iops_s;
	/* The same with windows without I/O as 0: a stall is the minimum. */
	struct samples bw_all_kib, iops_all;
	/* derived by result_derive() */
	double iops;       /* 1000 * ops / runtime_ms */
	uint64_t bw_bytes; /* 1000 * bytes / runtime_ms, truncated */
	double bw_agg_pct; /* mean of samples / group aggregate, at most 100 (fio's per=) */
};

/* latency_target: what became of the search for a depth; in order of how bad it is. */
enum search_state { SEARCH_NONE, SEARCH_MET, SEARCH_UNFINISHED, SEARCH_MISSED };
extern const char *const search_word[]; /* "none" "met" "unfinished" "missed" */

/* steadystate: the figures of the last seconds, in order of time. */
struct steady_result {
	unsigned seconds, n; /* wanted, had; n < seconds: the job ended before */
	uint64_t *iops, *bw_bytes;
	bool attained;
	double slope, deviation, criterion; /* slope per second; 0 when n < seconds */
};

uint64_t steady_mean(const uint64_t *v, unsigned n);

struct job_result {
	const struct job_spec *spec; /* of the first clone; borrowed from run_result.spec */
	unsigned group, clones;
	unsigned failed; /* clones that ended with an error; 0 with error set counts as 1 */
	int error;       /* errno of the first error, 0 */
	bool survived;   /* error ended no clone: continue_on_error or ignore_error let it pass */
	char error_text[256]; /* its one line, "" */
	int first_error;      /* errno of the first failed I/O, even one that was ignored; 0 */
	int pid;              /* thread id of the first clone */
	struct dir_result dir[IO_OP_NR];
	struct dir_result *mixed; /* owned: reads, writes and trims as one; NULL: not asked for.
				     Its samples are inputs, the rest is derived. */
	uint64_t sync_ops;        /* fsyncs done */
	uint64_t retries;     /* requests the kernel sent back with EAGAIN or EINTR; done again */
	uint64_t asked_bytes; /* what size, io_size and loops come to; 0: no such limit */
	struct lat_dist sync_lat;
	uint64_t runtime_ms; /* sum over clones */
	/* By the run's clock: the first clone began to count, the last one ended; 0: not yet. */
	uint64_t begin_ns, end_ns;
	uint64_t usr_us, sys_us, ctx, majf, minf; /* sums over clones */
	uint64_t depth[DEPTH_CELLS], submit[DEPTH_CELLS], complete[DEPTH_CELLS];
	struct {
		enum search_state state;
		uint32_t depth, depth_min, depth_max; /* of the last clone; over all of them */
	} search;
	struct steady_result *steady; /* owned; NULL: not asked for */
	bool sync_engine;             /* no slat; depth is 1 whatever was asked */
	bool simulated;               /* the engine only plays a device: every report says so */
	bool started;                 /* false: failed before its first I/O, prints no block */
	/* derived */
	uint64_t cells[LAT_CELLS]; /* clat of reads, writes and trims */
	double usr_pct, sys_pct;   /* of the run time, the average of the clones */
	uint64_t end_wall_ms;
};

/*
 * A line of "Run status group". agg is all bytes over the longest run time; min and max are rates of
 * single report entries.
 */
struct group_dir {
	bool used;
	uint64_t agg_bytes_s, min_bytes_s, max_bytes_s, bytes, min_ms, max_ms;
};

struct disk_result {
	char name[32];
	uint64_t ios[2], merges[2], sectors[2], ticks_ms[2],
		in_queue_ms; /* [0] reads, [1] writes */
	double util_pct;     /* 0..100 */
	unsigned n_slaves;   /* the next n entries of the array are its slaves */
	bool is_slave;
};

/* Index of the line for all kinds of I/O together; used when unified_rw_reporting asks for it. */
#define GROUP_MIXED IO_OP_NR
#define GROUP_DIRS  (IO_OP_NR + 1)

struct run_result {
	const struct spec *spec; /* as asked, owned by the session */
	struct job_result *jobs; /* report entries in order */
	size_t n_jobs;
	/* n_groups entries, made by whoever made this; every jobs[].group is below n_groups. */
	struct group_dir (*groups)[GROUP_DIRS];
	size_t n_groups;
	struct disk_result *disks;
	size_t n_disks; /* 0: no disk known */
	uint64_t start_wall_ms, end_wall_ms;
	uint64_t elapsed_s; /* since the program started, rounded up */
	int signal;         /* ended by this signal, 0 */
};

/*
 * Fills every field marked derived, and the entries of groups; empties what the job's disable_ options
 * and gtod_reduce leave out of reports. A direction that did I/O in less than a
 * millisecond gets runtime_ms 1. May be called again after the inputs changed.
 */
void result_derive(struct run_result *);
/* Failed clones, for the exit status (not capped). */
unsigned result_failed(const struct run_result *);

#endif
