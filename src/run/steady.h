/*
 * Has a job settled? A figure a second, IOPS and bytes/s, the last so many kept. Over them either the slope
 * of the straight line through them (least squares), or the largest distance from their mean, must be
 * below a limit, in percent of the mean or absolute: fio's rules. Pure.
 */
#ifndef IODECK_RUN_STEADY_H
#define IODECK_RUN_STEADY_H

#include "src/spec/job_spec.h"
#include "src/stat/result.h"

struct steady {
	enum steady_kind kind;
	double limit;
	bool pct;
	struct steady_result r;
};

void steady_init(struct steady *, const struct job_spec *);
void steady_fini(struct steady *);
/* One more second. True when it has settled, from then on for good: further figures are not taken. */
bool steady_add(struct steady *, uint64_t iops, uint64_t bw_bytes);
/* A copy, owned by the caller. */
struct steady_result *steady_copy(const struct steady *);
/* Would the two judge alike? */
bool steady_same(const struct job_spec *a, const struct job_spec *b);

#endif
