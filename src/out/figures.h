/*
 * Figures that more than one format prints and that are not part of the result: which percentiles, the
 * shares of the cells, the average of a disk's slaves. Pure functions.
 */
#ifndef IODECK_OUT_FIGURES_H
#define IODECK_OUT_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/stat/result.h"

#define PCT_MAX 20 /* fio's limit, and terse has that many fields */

struct pct_list {
	double p[PCT_MAX]; /* ascending, each once */
	unsigned n;
};

/* fio's seventeen, 1 to 99.99. */
extern const struct pct_list pct_default;
/* Sorted and made unique (a json object holds a key once, cases 107). n beyond PCT_MAX is cut. */
void pct_list_set(struct pct_list *, const double *p, unsigned n);
/* The values at the list's percentiles, ns, never above the maximum. */
void pct_values(const struct lat_dist *, const struct pct_list *, uint64_t ns[PCT_MAX]);

/* Smallest share printed for a cell that holds anything. */
#define CELL_FLOOR_DEPTH 0.1
#define CELL_FLOOR_LAT	 0.01

extern const char *const cell_depth_labels[DEPTH_CELLS]; /* of depth[] */
extern const char *const cell_call_labels[DEPTH_CELLS];	 /* of submit[] and complete[] */
extern const char *const cell_lat_labels[LAT_CELLS_MS];	 /* ns and us: the first ten */
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
bool figures_has_slat(const struct job_result *, enum io_op);

/* Averages of the n_slaves entries after master; util: the largest. Only when n_slaves > 0. */
struct disk_result disk_slaves(const struct disk_result *master);

#endif
