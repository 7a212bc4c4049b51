/*
 * Runs that are kept: what the console may do with them. The store behind it (src/rec) is put together
 * with the reports by the application, as the console knows neither. One thread, the console's.
 */
#ifndef IODECK_STAT_ARCHIVE_H
#define IODECK_STAT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"
#include "src/spec/job_spec.h"
#include "src/stat/snapshot.h"

#define ARCHIVE_ID_SIZE  40
#define ARCHIVE_TAG_SIZE 64

enum archive_status {
	ARCHIVE_DONE,    /* ran to its end */
	ARCHIVE_STOPPED, /* ended by the user or a signal: the numbers are of what was done */
	ARCHIVE_FAILED,  /* ended by an error */
	ARCHIVE_LOST,    /* its device went away */
	ARCHIVE_PARTIAL, /* the process died; the numbers are of what was on disk by then */
	ARCHIVE_STATUS_NR
};
/* "done" "stopped" "failed" "lost" "partial", as in the files. */
extern const char *const archive_status_words[ARCHIVE_STATUS_NR];

struct archive_entry;
/* The same as a person is told it: "partial: ended by a crash". */
const char *archive_ended_text(const struct archive_entry *);

/* One run in the list. Numbers are of all ops; unknown ones NAN or 0 as noted. */
struct archive_entry {
	char id[ARCHIVE_ID_SIZE]; /* its folder's name, begins with the time */
	bool damaged;             /* what stands below is not known; see why */
	char why[200];     /* of a damaged one: file and reason; of a failed one: the error */
	uint64_t start_ms; /* wall clock, since the epoch */
	char kind[16];     /* "run" "compare" "sweep" */
	enum archive_status status;
	bool simulated;
	char target[128], device[256]; /* path; what it is, as shown when it ran */
	char rw[24], engine[24], tag[ARCHIVE_TAG_SIZE];
	uint64_t bs_bytes, elapsed_ms;
	uint32_t qd, jobs;
	/* Of a sweep nothing below is known: it had many loads. */
	double iops, bps;                            /* NAN: nothing was measured */
	uint64_t n, p50_ns, p99_ns, p999_ns, max_ns; /* n 0: the others are not known */
};

struct archive_list {
	struct archive_entry *v; /* newest first */
	size_t n;
};

/* One row of a run's series. */
struct archive_point {
	uint64_t t_ms, dur_ms; /* its end since the run began to count; how long it is */
	double iops, bps, p50_ns, p99_ns, max_ns; /* NAN: unknown */
};

struct archive_series {
	struct archive_point *v; /* of the first lane, in the order of time */
	size_t n;
};

/* What the console adds to what the snapshots told. */
struct archive_note {
	const struct job_spec *job; /* the settings as last shown */
	const char *device;         /* the target as the console names it */
	const char *screen_svg;     /* the last picture */
	bool stopped;               /* the user ended it */
};

enum archive_format { ARCHIVE_SVG, ARCHIVE_HTML, ARCHIVE_JSON, ARCHIVE_CSV, ARCHIVE_FORMAT_NR };
/* "svg" "html" "json" "csv" */
extern const char *const archive_format_words[ARCHIVE_FORMAT_NR];

struct archive;
struct archive_ops {
	/* Every snapshot, in order. What is saved is made of them. */
	void (*see)(struct archive *, const struct snapshot *);
	/*
	 * While a run is on: at most once a second what is known of it goes to disk, for the case that the
	 * process dies. Returns at once.
	 */
	void (*checkpoint)(struct archive *, const struct archive_note *);
	/* The run that is on, or is over and not kept, shall not be. */
	void (*discard)(struct archive *);
	/*
	 * Keeps the run that is over. 1 and its id; 0: nothing was measured, nothing is kept; -errno.
	 * A run that is kept already is not kept again (its id is told).
	 */
	int (*save)(struct archive *, const struct archive_note *, char id[ARCHIVE_ID_SIZE],
		    struct err *e);
	/* What a crash has left is taken in first. Damaged ones are in it. What cannot be read at all is an error. */
	int (*list)(struct archive *, struct archive_list *, struct err *e);
	int (*series)(struct archive *, const char *id, struct archive_series *, struct err *e);
	/* Its settings as a job file. */
	int (*job)(struct archive *, const char *id, struct strbuf *text, struct err *e);
	int (*tag)(struct archive *, const char *id, const char *text, struct err *e);
	/* Its files, and the folder when nothing of somebody else's is in it. */
	int (*remove)(struct archive *, const char *id, struct err *e);
	/* As text; the caller writes it. */
	int (*export_text)(struct archive *, const char *id, enum archive_format,
			   struct strbuf *text, struct err *e);
};

struct archive {
	const struct archive_ops *ops;
	const char *folder; /* where they are, for messages */
};

void archive_list_fini(struct archive_list *);
void archive_series_fini(struct archive_series *);

#endif
