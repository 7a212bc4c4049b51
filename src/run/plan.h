/*
 * A job turned into checked numbers: engine found and usable, targets inspected and admitted, regions,
 * limits, clones. Building a plan touches no data. Owned by the lane that runs it.
 */
#ifndef IODECK_RUN_PLAN_H
#define IODECK_RUN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "engines/engine.h"
#include "src/base/strbuf.h"
#include "src/run/affinity.h"
#include "src/run/blocks.h"
#include "src/run/target.h"
#include "src/run/worker.h"
#include "src/spec/iolog.h"
#include "src/spec/job_lists.h"
#include "src/spec/job_spec.h"

struct plan {
	const struct job_spec *spec; /* borrowed from the session's copy */
	const struct engine_ops *engine;
	unsigned group, stage; /* report group; jobs of a stage run together */
	struct tuning tune;
	struct target *targets;      /* shared by all clones, or clone k has [k*n_files..] */
	unsigned n_targets, n_files; /* files of one clone */
	/* The device that the engine brings along, and its name; owned. NULL: it has none of its own. */
	struct engine_device *device;
	char *device_name;
	bool shared_files;
	bool writes;
	uint32_t align;                /* offsets and lengths must be multiples of it */
	uint64_t io_bytes, number_ios; /* of one clone; UINT64_MAX: no limit */
	bool size_bound;               /* ends by size */
	unsigned first_worker;         /* workers of the run before this job's */
	bool many_lengths;             /* bsrange or bssplit: blocks says which */
	struct blocks blocks;
	struct distribution *dist; /* owned; NULL: uniform */
	struct error_list ignore;
	struct affinity affinity;
	struct iolog_set *iolog; /* what is played back; owned; NULL: the I/O is made up */
	uint64_t *file_sizes;    /* of file k * n_files + f with filesize=lo-hi; owned; or NULL */
};

struct plan_env {
	struct target_env target;
	struct strbuf *notes; /* one line each, may be NULL */
	struct clock *clock;  /* of devices that an engine brings along; NULL: clock_real */
	unsigned first_worker;
};

int plan_build(struct plan *, const struct job_spec *, const struct plan_env *, struct err *);
void plan_fini(struct plan *);
/* fio numbers clones downwards: report entry k of n runs clone 0, n-1, n-2, .. 1 (fio-language 1.4). */
unsigned plan_clone_number(const struct plan *, unsigned k);
/*
 * The region of file f for report entry k, with the target's present size. Errors as in plan_build
 * (offset past the end, less than one block, ...).
 */
int plan_region(const struct plan *, unsigned k, unsigned f, uint64_t *off, uint64_t *len,
		struct err *);
/* Checks a live change against the plan: block sizes, writes, jobs. */
int plan_check_tuning(const struct plan *, const struct tuning *now, const struct tuning *want,
		      struct err *);

#endif
