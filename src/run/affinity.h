/*
 * Where and how urgently a worker's thread runs: CPUs, NUMA nodes, niceness, I/O priority. What can be
 * checked is checked when the plan is made; the thread then applies it to itself.
 */
#ifndef IODECK_RUN_AFFINITY_H
#define IODECK_RUN_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/spec/job_lists.h"
#include "src/spec/job_spec.h"

struct affinity {
	bool has_cpus, has_policy;
	struct cpu_list cpus;  /* all of them, or with split the ones to choose from */
	struct cpu_list nodes; /* of the memory policy */
	enum mem_policy policy;
	int nice_value;
	uint32_t prio, prioclass;
	bool split;
};

/*
 * From the job's options; only CPUs this process may use are accepted (a container's own set is
 * enough). fsroot: where /sys is. -errno with the CPUs that could be had in e.
 */
int affinity_plan(struct affinity *, const struct job_spec *, const char *fsroot, struct err *e);
/* For the calling thread; `number` of this thread in the run chooses its CPU with split. */
int affinity_apply(const struct affinity *, unsigned number, struct err *e);

#endif
