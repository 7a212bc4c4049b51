/*
 * Logs of bandwidth, IOPS and latencies (fio-language 3.10), streamed to disk while the run is on: a thread
 * of its own reads the workers' counters when a window closes and takes their records of single I/Os from
 * bounded queues. Memory does not grow with the length of the run, and no worker waits for a disk.
 */
#ifndef IODECK_RUN_LOG_H
#define IODECK_RUN_LOG_H

#include "src/run/lane.h"

struct logger;

/* Must the workers of this job record every I/O? (No averaging, or the maximum of a window.) */
bool logger_needs_ring(const struct job_spec *);
/*
 * Starts the thread; *out NULL when no job asks for a log. bandwidth: --bandwidth-log, the sum of all jobs. Files are made (and emptied) here. The lanes stay
 * until logger_stop().
 */
int logger_start(struct logger **out, struct lane *const *lanes, size_t n_lanes, struct clock *,
		 bool bandwidth, struct err *);
/*
 * After the workers are joined: writes the rest, closes. -errno with e filled when not all could be written;
 * *dropped: records that were lost because the log's disk was too slow. l may be NULL.
 */
int logger_stop(struct logger *l, uint64_t *dropped, struct err *);

#endif
