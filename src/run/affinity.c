#include "src/run/affinity.h"

#include <errno.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/strbuf.h"

#define WHO_THREAD 1 /* IOPRIO_WHO_PROCESS: one thread, whatever the name says */
#define NODES_MAX  1024u

/* The kernel's own limit may be larger than cpu_set_t's 1024. */
static void own_cpus(struct cpu_list *l)
{
	*l = (struct cpu_list){0};
	if (syscall(SYS_sched_getaffinity, 0, sizeof(l->bits), l->bits) < 0)
		memset(l->bits, 0xff, sizeof(l->bits));
}

/* "0-3,8" */
static void print_list(const struct cpu_list *l, struct strbuf *out)
{
	for (uint32_t cpu = 0; cpu < CPUS_MAX; cpu++) {
		uint32_t from = cpu;

		if (!cpu_list_has(l, cpu))
			continue;
		while (cpu_list_has(l, cpu + 1))
			cpu++;
		strbuf_addf(out, out->len ? ",%u" : "%u", from);
		if (cpu > from)
			strbuf_addf(out, "-%u", cpu);
	}
}

static int check_cpus(const struct cpu_list *want, const char *option, const char *text,
		      struct err *e)
{
	struct strbuf have = {0};
	struct cpu_list own;
	int rc = 0;

	own_cpus(&own);
	for (uint32_t cpu = 0; cpu < CPUS_MAX && rc == 0; cpu++) {
		if (!cpu_list_has(want, cpu) || cpu_list_has(&own, cpu))
			continue;
		print_list(&own, &have);
		rc = err_set(e, EINVAL,
			     "%s=%.80s: CPU %u is not there or not allowed; the CPUs of this "
			     "process: %.200s",
			     option, text, cpu, strbuf_str(&have));
	}
	strbuf_fini(&have);
	return rc;
}

static int read_list(const char *fsroot, const char *path, struct cpu_list *l, struct err *e)
{
	char text[4096];
	ssize_t n = fs_read_small(fsroot, path, text, sizeof(text));

	if (n < 0)
		return err_set(e, (int)-n, "%s: %s", path, strerror((int)-n));
	if (n == 0) { /* a node without CPUs */
		*l = (struct cpu_list){0};
		return 0;
	}
	return cpu_list_parse(text, l, e);
}

static int add_node_cpus(const char *fsroot, uint32_t node, struct cpu_list *cpus, struct err *e)
{
	struct cpu_list of_node;
	char path[80];
	int rc;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
	rc = read_list(fsroot, path, &of_node, e);
	for (unsigned i = 0; i < CPUS_MAX / 64 && rc == 0; i++)
		cpus->bits[i] |= of_node.bits[i];
	return rc;
}

static int plan_nodes(struct affinity *a, const char *text, const char *fsroot, struct err *e)
{
	struct cpu_list nodes;
	int rc;

	if (strcmp(text, "all") == 0)
		rc = read_list(fsroot, "/sys/devices/system/node/online", &nodes, e);
	else
		rc = cpu_list_parse(text, &nodes, e);
	for (uint32_t node = 0; node < NODES_MAX && rc == 0; node++)
		if (cpu_list_has(&nodes, node))
			rc = add_node_cpus(fsroot, node, &a->cpus, e);
	a->has_cpus = true;
	if (rc)
		return err_wrap(e, "numa_cpu_nodes=%.60s", text);
	return check_cpus(&a->cpus, "numa_cpu_nodes", text, e);
}

int affinity_plan(struct affinity *a, const struct job_spec *s, const char *fsroot, struct err *e)
{
	int rc = 0;

	*a = (struct affinity){.nice_value = s->nice_value,
			       .prio = s->prio,
			       .prioclass = s->prioclass,
			       .split = s->cpus_split};
	/* A priority without a class is one of the normal class. */
	if (s->prio && !s->prioclass)
		a->prioclass = IOPRIO_CLASS_BE;
	if (s->cpus_allowed) {
		a->has_cpus = true;
		rc = cpu_list_parse(s->cpus_allowed, &a->cpus, e);
		if (rc == 0)
			rc = check_cpus(&a->cpus, "cpus_allowed", s->cpus_allowed, e);
	} else if (s->numa_cpu_nodes) {
		rc = plan_nodes(a, s->numa_cpu_nodes, fsroot, e);
	}
	if (rc == 0 && s->numa_mem_policy) {
		a->has_policy = true;
		rc = mem_policy_parse(s->numa_mem_policy, &a->policy, &a->nodes, e);
	}
	return rc;
}

/* The number-th CPU of the list, round and round. */
static void choose_one(const struct cpu_list *from, unsigned number, struct cpu_list *one)
{
	uint32_t cpus[CPUS_MAX], n = 0;

	for (uint32_t cpu = 0; cpu < CPUS_MAX; cpu++)
		if (cpu_list_has(from, cpu))
			cpus[n++] = cpu;
	*one = (struct cpu_list){0};
	if (n)
		cpu_list_add(one, cpus[number % n]);
}

static int apply_cpus(const struct affinity *a, unsigned number, struct err *e)
{
	struct cpu_list cpus = a->cpus, own;

	if (!a->has_cpus && !a->split)
		return 0;
	own_cpus(&own);
	if (!a->has_cpus)
		cpus = own;
	if (a->split) {
		struct cpu_list all = cpus;

		choose_one(&all, number, &cpus);
	}
	/* Already so: a container may forbid the call. */
	if (memcmp(&cpus, &own, sizeof(own)) == 0)
		return 0;
	if (syscall(SYS_sched_setaffinity, 0, sizeof(cpus.bits), cpus.bits) < 0)
		return err_set(e, errno, "cpus_allowed: %s", strerror(errno));
	return 0;
}

int affinity_apply(const struct affinity *a, unsigned number, struct err *e)
{
	int rc = apply_cpus(a, number, e);

	if (rc)
		return rc;
	if (a->nice_value && setpriority(PRIO_PROCESS, (id_t)gettid(), a->nice_value) < 0)
		return err_set(e, errno, "nice=%d: %s", a->nice_value, strerror(errno));
	if (a->prioclass &&
	    syscall(SYS_ioprio_set, WHO_THREAD, 0, IOPRIO_PRIO_VALUE(a->prioclass, a->prio)) < 0)
		return err_set(e, errno, "prioclass=%u: %s", a->prioclass, strerror(errno));
	/* The buffers are allocated after this, by this thread: they follow the policy. */
	if (a->has_policy &&
	    syscall(SYS_set_mempolicy, a->policy,
		    a->policy == MEM_DEFAULT || a->policy == MEM_LOCAL ? NULL : a->nodes.bits,
		    (unsigned long)NODES_MAX) < 0)
		return err_set(e, errno, "numa_mem_policy: %s", strerror(errno));
	return 0;
}
