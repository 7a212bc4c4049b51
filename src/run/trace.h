/*
 * write_iolog: every I/O of a job, in the order of issue, appended to a log of fio's version 3 (spec/iolog.h)
 * while the run is on. Jobs and clones that name the same log write one, merged by time, so that it plays back
 * as what they did together. The logger's thread only.
 */
#ifndef IODECK_RUN_TRACE_H
#define IODECK_RUN_TRACE_H

#include <stdio.h>

#include "src/run/lane.h"

/* A file of the jobs as the log names it. */
struct trace_file {
	char *path;
	bool open;
	struct trace_file *next; /* in the order of the log */
};

/* A clone. */
struct trace_job {
	struct lane *lane;
	unsigned index;            /* worker slot in the lane */
	struct trace_file **files; /* of the clone's files; owned */
	struct trace_ring *ring;   /* NULL: the worker is not there yet */
};

struct trace_log {
	char *path;
	FILE *f;
	bool failed; /* a write failed; nothing more is written */
	struct trace_file *first, *last;
	void *by_name; /* tsearch(3) tree of the files */
	struct trace_job *jobs;
	size_t n_jobs;
	uint64_t begun_ns;
};

struct traces {
	struct trace_log *v;
	size_t n;
};

/*
 * Opens the logs that these lanes ask for and writes their first lines. -EINVAL: there is a file under that
 * name which is no such log; nothing is appended to it.
 */
int traces_open(struct traces *, struct lane *const *lanes, size_t n_lanes, uint64_t now_ns,
		struct err *e);
/* Writes what was issued before until_ns. */
void traces_drain(struct traces *, uint64_t until_ns);
void traces_flush(struct traces *);
/* After the workers are joined: the rest, the last lines. -errno when not all of it is there; e says why. */
int traces_close(struct traces *, uint64_t now_ns, struct err *e);

#endif
