/* The parts of fio's json that stand in several places of it. Private to src/out. */
#ifndef IODECK_OUT_JSON_PARTS_H
#define IODECK_OUT_JSON_PARTS_H

#include "src/base/json_put.h"
#include "src/out/figures.h"
#include "src/stat/result.h"

/* An object of the listed percentiles, by their numbers. */
void out_json_percentiles(json_t *parent, const char *key, const struct lat_view *,
			  const struct percentile_list *);
/* fio's five of a latency; without samples all are 0, as in fio. Returns the new object. */
json_t *out_json_moments(json_t *parent, const char *key, const struct moments *);
/* Nothing without steadystate=. */
void out_json_steady(json_t *job, const struct job_result *);
void out_json_iodeck(json_t *job, const struct run_result *, const struct job_result *);

#endif
