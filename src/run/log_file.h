/*
 * The files of the logs: names, rows, failures. A file is shared by all who ask for the same name
 * (per_job_logs=0). The logger's thread only.
 */
#ifndef IODECK_RUN_LOG_FILE_H
#define IODECK_RUN_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/base/err.h"
#include "src/base/ioop.h"
#include "src/spec/job_spec.h"
#include "src/stat/hist.h"

enum log_kind { LOG_BW, LOG_IOPS, LOG_LAT, LOG_SLAT, LOG_CLAT, LOG_HIST, LOG_KINDS };

struct log_file {
	char *path;
	FILE *f;
	bool failed; /* a write failed; nothing more is written */
};

struct log_files {
	struct log_file **v;
	size_t n;
};

/* Does the job want this log? */
bool log_wanted(const struct job_spec *, enum log_kind);
/*
 * PREFIX_bw.1.log; without the number when per_job_logs=0. A simulated device's is PREFIX_bw.sim.1.log: the rows
 * are fio's and have no room for the badge, and a name with more parts is found by all who look for
 * "*_bw.*.log", as fio2gnuplot does. Owned by the caller.
 */
char *log_path(const struct job_spec *, enum log_kind, bool simulated, unsigned job_number);
/*
 * Opens (and empties) the file, or gives the one that is open under this name. NULL with e filled when it
 * cannot be had; anything but a regular file is refused.
 */
struct log_file *log_file_get(struct log_files *, const char *path, struct err *e);
/* 0, or -errno of a write that failed at any time. Closes and frees all. */
int log_files_close(struct log_files *, struct err *e);
void log_files_flush(struct log_files *);

struct log_row {
	uint64_t t_ms, value, offset;
	uint32_t bs; /* 0 in averaged rows */
	enum io_op op;
};

void log_write_row(struct log_file *, const struct job_spec *, const struct log_row *);
/* The same without what only one job has: offset, block size. */
void log_write_sum(struct log_file *, const struct log_row *);
/* fio's 1856 buckets, 2^coarseness of them added up; slower values count in the last. */
void log_write_hist(struct log_file *, const struct job_spec *, const struct log_row *,
		    const struct hist *);

#endif
