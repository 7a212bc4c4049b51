/* A sweep as a json object, for the documents that hold one. Private to src/out. */
#ifndef IODECK_OUT_SWEEP_JSON_H
#define IODECK_OUT_SWEEP_JSON_H

#include <jansson.h>

#include "src/spec/job_spec.h"
#include "src/stat/sweep_result.h"

#define SWEEP_REAL_DIGITS 17 /* exact: what is read back is the same number */

/* job NULL: not known. The caller's. */
json_t *sweep_json_doc(const struct sweep_result *, const struct job_spec *job);

#endif
