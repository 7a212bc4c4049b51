/*
 * Figures that more than one format prints and that are not part of the result: which percentiles, the
 * shares of the cells, the average of a disk's slaves. Pure functions.
 */
#ifndef IODECK_OUT_FIGURES_H
#define IODECK_OUT_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/stat/result.h"

/* The values at the list's percentiles, ns, never above the maximum. */
void pct_values(const struct hist *, const struct moments *, const struct percentile_list *,
		uint64_t ns[PERCENTILES_MAX]);

/*
 * What a report shows of one latency of one direction. m: never NULL, n 0 when not measured. h: its
 * histogram, NULL when the job does not want percentiles of it.
 */
struct lat_view {
	const char *name; /* "slat" "clat" "lat" */
	const struct moments *m;
	const struct hist *h;
};
enum { VIEW_SLAT, VIEW_CLAT, VIEW_LAT, VIEW_NR };
void figures_lat(const struct job_result *, const struct dir_result *, struct lat_view v[VIEW_NR]);
/* Percentiles of fsyncs are shown with those of clat or lat. */
bool figures_sync_percentiles(const struct job_spec *);

/* Smallest share printed for a cell that holds anything. */
#define CELL_FLOOR_DEPTH 0.1
#define CELL_FLOOR_LAT   0.01

extern const char *const cell_depth_labels[DEPTH_CELLS]; /* of depth[] */
extern const char *const cell_call_labels[DEPTH_CELLS];  /* of submit[] and complete[] */
extern const char *const cell_lat_labels[LAT_CELLS_MS];  /* ns and us: the first ten */
/*
 * Shares in percent of the sum of all cells, each raised to `floor` when it is not empty (so the sum
 * may exceed 100 by the floors). All 0 when nothing was counted.
 */
void cell_shares(const uint64_t *n, unsigned count, double floor, double *pct);

/* The three tables of job_result.cells. */
struct lat_group {
	const char *json_key, *unit;
	unsigned first, count; /* cells [first, first + count) */
};
extern const struct lat_group lat_groups[3];

/* The extremes of a set of latencies in one unit: fio's rules for picking it (fio-language 3.4). */
enum lat_unit { LAT_NSEC, LAT_USEC, LAT_MSEC };
extern const char *const lat_unit_word[]; /* "nsec" "usec" "msec" */
/* stdev INFINITY: the rule for percentiles, which looks at the extremes only. */
enum lat_unit lat_unit_pick(uint64_t min_ns, uint64_t max_ns, double stdev_ns);

/* Was a submission apart from the completion measured? Not with an engine that does both in one. */
bool figures_has_slat(const struct job_result *, const struct dir_result *);

/* continue_on_error, ignore_error: are errors that did not end the job told of; all that there were. */
bool figures_tells_errors(const struct job_spec *);
uint64_t figures_errors(const struct job_result *);

/* iodepth, or the depth that latency_target came to. */
uint32_t figures_latency_depth(const struct job_result *);

/* unified_rw_reporting: are reads, writes and trims shown apart; are they shown together? */
bool figures_apart(const struct job_result *);

/* Averages of the n_slaves entries after master; util: the largest. Only when n_slaves > 0. */
struct disk_result disk_slaves(const struct disk_result *master);

#endif
