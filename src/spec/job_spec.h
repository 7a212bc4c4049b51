/*
 * One job as asked for: the values of a job-file section or of a command line, defaults filled in,
 * nothing resolved against devices yet. Every field belongs to a row of jobopts.c; adding an option
 * is a field here and a row there. Strings are owned by the spec.
 */
#ifndef IODECK_SPEC_JOB_SPEC_H
#define IODECK_SPEC_JOB_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/option.h"
#include "src/spec/tuning.h"

/* rw=: which ops, which order. The suffix :N is rw_every (random) or rw_delta_bytes (sequential). */
struct rw_spec {
	uint8_t ops; /* IO_BIT() set */
	bool random;
	bool trim_first;         /* trimwrite: every block is trimmed, then written */
	uint32_t rand_every;     /* random: ops per random draw, 1 = every op */
	int64_t seq_delta_bytes; /* sequential: added after each op */
};

enum fallocate_mode {
	FALLOC_NATIVE,
	FALLOC_NONE,
	FALLOC_POSIX,
	FALLOC_KEEP,
	FALLOC_TRUNCATE,
};

/* mem=: what buffers are made of. */
enum mem_kind { MEM_MALLOC, MEM_MMAP, MEM_MMAPSHARED, MEM_MMAPHUGE, MEM_SHM, MEM_SHMHUGE };

enum sync_io { SYNC_NONE, SYNC_FULL, SYNC_DATA };
enum file_service {
	SERVE_ROUNDROBIN,
	SERVE_SEQUENTIAL,
	SERVE_RANDOM, /* from here on: drawn */
	SERVE_ZIPF,
	SERVE_PARETO,
	SERVE_NORMAL,
};
enum fadvise_hint { HINT_NONE, HINT_PATTERN, HINT_RANDOM, HINT_SEQUENTIAL };
enum { CONTINUE_READ = 1, CONTINUE_WRITE = 2, CONTINUE_VERIFY = 4 };
enum exit_what { EXIT_GROUP, EXIT_STONEWALL, EXIT_ALL };

/* percentile_list=: ascending, each once. */
#define PERCENTILES_MAX 20u

struct percentile_list {
	double v[PERCENTILES_MAX];
	uint32_t n;
};

/* steadystate=: what has to settle, and how it is measured. */
enum steady_kind { STEADY_IOPS, STEADY_IOPS_SLOPE, STEADY_BW, STEADY_BW_SLOPE };

enum unified_reporting { UNIFIED_NONE, UNIFIED_MIXED, UNIFIED_BOTH };

static inline bool steady_is_slope(enum steady_kind k)
{
	return k == STEADY_IOPS_SLOPE || k == STEADY_BW_SLOPE;
}

static inline bool steady_is_iops(enum steady_kind k)
{
	return k == STEADY_IOPS || k == STEADY_IOPS_SLOPE;
}

/* One figure is taken every so often. */
#define STEADY_MIN_NS 1000000000ull

/* An option as the user wrote it, for reports and for saving. val NULL: a bare word. */
struct opt_given {
	char *key, *val;
};

struct spec_engine;

struct job_spec {
	char *name, *description;
	char *filename, *directory; /* filename: ':' list, '\:' a literal colon */
	char *ioengine;
	bool engine_chosen; /* ioengine= was given: the target does not decide (apply_target()) */
	struct rw_spec rw;
	uint64_t bs_bytes[IO_OP_NR];
	uint32_t rwmixread; /* 0..100 */
	uint32_t iodepth, iodepth_batch, iodepth_batch_complete_min, iodepth_batch_complete_max,
		iodepth_low; /* 0: follow the rule of fio-language 1.4 */
	uint32_t numjobs;
	struct amount size, io_size, offset, offset_increment;
	uint64_t offset_align; /* of offsets in percent; 0: the smallest block */
	uint64_t number_ios;   /* 0: no limit */
	uint32_t loops;
	uint64_t runtime_ns, ramp_ns;               /* 0: none */
	uint64_t startdelay_ns, startdelay_high_ns; /* high: drawn between the two; 0: fixed */
	uint64_t rate_bps[IO_OP_NR], rate_iops[IO_OP_NR];
	bool time_based, norandommap, randrepeat, direct, group_reporting, new_group, stonewall,
		thread, invalidate, end_fsync, unlink;
	uint32_t fsync_every, fdatasync_every; /* writes between syncs; 0: never */
	uint64_t randseed;                     /* 0: from randrepeat */
	uint32_t kb_base;                      /* 1024 or 1000 */
	bool allow_mounted_write;

	/* Blocks. Texts are taken apart by job_lists.h. */
	char *bssplit, *bsrange;       /* instead of bs_bytes */
	uint64_t blockalign[IO_OP_NR]; /* 0: the block size */
	char *random_distribution;
	uint32_t random_generator; /* accepted words; all are our permutation */
	uint64_t percentage_random[IO_OP_NR];

	/* Data. */
	bool zero_buffers, refill_buffers, scramble_buffers;
	uint32_t compress_pct;
	uint64_t compress_chunk_bytes, iomem_align;
	uint32_t mem; /* enum mem_kind */
	uint64_t hugepage_bytes, lockmem_bytes;

	/* Files. */
	char *filesize, *filename_format;
	uint32_t nrfiles, openfiles; /* openfiles 0: all */
	uint32_t file_service;       /* enum file_service */
	uint32_t service_ios;        /* I/Os on one file before the next */
	/* theta, h, or deviation in percent; where the middle is, 0..1, negative: not said */
	double service_param, service_center;
	uint32_t fallocate;    /* enum fallocate_mode */
	uint32_t fadvise_hint; /* enum fadvise_hint */
	uint32_t sync_io;      /* enum sync_io */
	bool create_on_open, create_only, create_fsync, create_serialize, allow_file_create,
		overwrite, pre_read, fsync_on_close, unlink_each_loop;

	/* The thread. */
	char *cpus_allowed, *numa_cpu_nodes, *numa_mem_policy;
	bool cpus_split;
	int32_t nice_value;
	uint32_t prio, prioclass; /* class 0: none set */

	/* Time and rates. */
	uint64_t thinktime_ns, thinktime_spin_ns, thinktime_iotime_ns;
	uint32_t thinktime_blocks;
	bool thinktime_by_issue; /* blocks are counted when issued, not when done */
	uint64_t rate_min_bps[IO_OP_NR], rate_iops_min[IO_OP_NR], rate_cycle_ns;
	bool rate_poisson, rate_ignore_thinktime;
	uint64_t max_latency_ns[IO_OP_NR]; /* 0: none */
	/* The depth is sought at which latency_percentile of the I/Os take at most the target. */
	uint64_t latency_target_ns, latency_window_ns; /* target 0: none */
	double latency_percentile;                     /* 0..100 */
	bool latency_run;                              /* go on seeking until the job ends */

	/* The job ends when it has settled for so long. */
	enum steady_kind steady_kind;
	double steady_limit; /* percent of the mean, or IOPS, bytes/s */
	bool steady_pct;
	uint64_t steady_ns, steady_ramp_ns; /* steady_ns 0: it is not looked at */

	/* Ends and errors. */
	char *wait_for; /* name of the job */
	bool exitall, exitall_on_error, error_dump;
	uint32_t exit_what;         /* enum exit_what */
	uint32_t continue_on_error; /* CONTINUE_ bits */
	char *ignore_error;

	/* What the reports show. */
	struct percentile_list percentile_list;
	bool clat_percentiles, lat_percentiles, slat_percentiles;
	bool disable_lat, disable_clat, disable_slat, disable_bw, gtod_reduce;
	uint32_t significant_figures;  /* 1..10 */
	uint32_t unit_base;            /* 8 bytes, 1 bits, 0 fio's "auto", which is bytes */
	uint32_t unified_rw_reporting; /* enum unified_reporting */
	/* Logs: the prefix of their names; "" means the job's name, NULL no log. */
	char *write_bw_log, *write_iops_log, *write_lat_log, *write_hist_log;
	uint64_t log_avg_ns;  /* 0: a line for every I/O */
	uint64_t log_hist_ns; /* 0: as log_avg_ns */
	uint32_t log_hist_coarseness;
	bool log_max_value, log_offset, log_unix_epoch, per_job_logs;
	uint64_t bwavg_ns, iopsavg_ns; /* sample windows */

	/* Logs of I/O: played back, written. */
	char *read_iolog, *write_iolog; /* read: ':' list, one for each clone in turn */
	char *replay_redirect, *replay_skip;
	bool replay_no_stall, read_iolog_chunked;
	uint32_t replay_time_scale; /* percent; 200: twice as fast */
	uint64_t replay_align, replay_scale;

	/* Values of the engine's own options, of the engine engine_opts_of; NULL: all default. */
	void *engine_opts;
	const struct spec_engine *engine_opts_of;
	/* What was written, in order: this section's own options (not those of [global]). */
	struct opt_given *given;
	size_t n_given;
};

/* Defaults of every option. */
void job_spec_init(struct job_spec *);
void job_spec_copy(struct job_spec *dst, const struct job_spec *src); /* dst uninitialised */
void job_spec_fini(struct job_spec *);
/* Remembers an option as written. */
void job_spec_note_given(struct job_spec *, const char *key, const char *val);
/* "randread", "rw", "randtrimwrite": the word of rw= (without suffix). */
const char *job_spec_rw_word(const struct rw_spec *);
/* May the job write or trim? One that plays back a log may: only the log tells. */
bool job_spec_may_write(const struct job_spec *);
/* Is any rate= or rate_iops= set? */
bool job_spec_has_rate(const struct job_spec *);
/* Smallest and largest length of an I/O, whichever of bs, bsrange and bssplit says it. */
void job_spec_block_range(const struct job_spec *, unsigned op, uint64_t *lo, uint64_t *hi);
/* The live part of a spec. */
void job_spec_tuning(const struct job_spec *, struct tuning *);
/*
 * Checks that need only the spec itself (size < bs, rate and rate_iops together, numjobs 0, ...).
 * The message starts with the job's name.
 */
int job_spec_check(const struct job_spec *, struct err *);

/*
 * Names inside filename= and directory= lists. escape: a path as one entry of a list, colons and
 * backslashes before them kept apart (`x:y` -> `x\:y`). next: takes the first entry off *list,
 * unescaped; NULL at the end. Both give memory owned by the caller.
 */
char *spec_path_escape(const char *path);
char *spec_path_next(const char **list);

/* THE table, ended by a row without a name. */
extern const struct option_def job_options[];

#endif
