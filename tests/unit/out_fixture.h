/*
 * Results for the tests of src/out: built by hand, measured with the real counters, or taken from a
 * report of fio itself. Everything a fixture points to is owned by it.
 */
#ifndef IODECK_TESTS_OUT_FIXTURE_H
#define IODECK_TESTS_OUT_FIXTURE_H

#include <jansson.h>

#include "src/stat/result.h"

#define FIXTURE_JOBS  4
#define FIXTURE_DISKS 8

struct fixture {
	struct job_spec spec_job[FIXTURE_JOBS];
	struct spec spec;
	struct job_result job[FIXTURE_JOBS];
	struct group_dir group[FIXTURE_JOBS][GROUP_DIRS];
	struct disk_result disk[FIXTURE_DISKS];
	struct run_result r;
};

/* n jobs named job0.. that started and did nothing; no group, no disk; ended 2026-01-02 03:04:05 UTC. */
struct fixture *fixture_new(size_t n_jobs);
void fixture_free(struct fixture *);

/* Latencies given as a report prints them. */
struct moments fixture_moments(uint64_t n, uint64_t min, uint64_t max, double mean, double stdev);
/* A histogram of n values whose percentiles p[i] (ascending) are v[i]. */
void fixture_percentiles(struct hist *, uint64_t n, const double *p, const uint64_t *v,
			 unsigned count);
struct samples fixture_samples(uint64_t n, uint64_t min, uint64_t max, double mean, double stdev);

/* n I/Os of `bytes` in ms with made-up latencies, counted the way a worker counts them. */
void fixture_measure(struct job_result *, enum io_op, uint64_t n, uint64_t bytes, uint64_t ms,
		     uint64_t seed);
/* `measured` jobs with reads, writes, syncs and two disks; derived. */
struct fixture *fixture_measured(size_t n_jobs);

/* A report of it as json; the test fails when that is not one valid document with each key once. */
json_t *fixture_json(const struct fixture *, unsigned format);
json_t *fixture_json_parse(const char *text);

/*
 * The result that fio's json+ document tells of, derived by our own code. What json does not hold (pid)
 * is left 0. NULL when there are more jobs or disks than a fixture has.
 */
struct fixture *fixture_from_fio(const json_t *root);

/* Runs fio with `args` and --output-format=`format`; its output, or NULL when there is no fio. */
char *fixture_run_fio(const char *args, const char *format);

#endif
