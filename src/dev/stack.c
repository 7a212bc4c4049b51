#include "src/dev/stack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "src/base/xalloc.h"

static bool has_name(char (*const names)[64], size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

bool stack_on(const struct device *upper, const struct device *lower)
{
	if (upper == lower)
		return false;
	if (upper->is_partition && strcmp(upper->parent, lower->name) == 0)
		return true;
	if (upper->backing_dev && upper->backing_ino == 0 &&
	    upper->backing_dev == makedev(lower->major, lower->minor))
		return true;
	return has_name(lower->holders, lower->n_holders, upper->name) ||
	       has_name(upper->slaves, upper->n_slaves, lower->name);
}

/* Whole-list sweeps until nothing is added: stacks are a few levels deep. */
static void close_over(const struct device_list *list, bool *set, bool upwards)
{
	bool added;

	do {
		added = false;
		for (size_t from = 0; from < list->n; from++)
			for (size_t to = 0; set[from] && to < list->n; to++) {
				const struct device *a = &list->v[to], *b = &list->v[from];

				if (set[to] || !(upwards ? stack_on(a, b) : stack_on(b, a)))
					continue;
				set[to] = added = true;
			}
	} while (added);
}

void stack_above(const struct device_list *list, const struct device *d, bool *set)
{
	set[d - list->v] = true;
	close_over(list, set, true);
}

void stack_below(const struct device_list *list, const struct device *d, bool *set)
{
	set[d - list->v] = true;
	close_over(list, set, false);
}

bool stack_is_partition(const struct device *d)
{
	return d->is_partition || strncmp(d->dm_uuid, "part", 4) == 0;
}

void stack_add_partitions(const struct device_list *list, bool *set)
{
	bool *disks = xcalloc(list->n + 1, sizeof(*disks));

	memcpy(disks, set, list->n * sizeof(*disks));
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; stack_is_partition(&list->v[i]) && k < list->n; k++)
			if (disks[k] && stack_on(&list->v[i], &list->v[k]))
				set[i] = true;
	free(disks);
}

const char *device_mounted_in_stack(const struct device_list *list, const struct device *d)
{
	bool *set = xcalloc(list->n, sizeof(*set));
	const char *where = d->n_mounts ? d->mounts[0] : NULL;

	stack_above(list, d, set);
	for (size_t i = 0; !where && i < list->n; i++)
		if (set[i] && list->v[i].n_mounts)
			where = list->v[i].mounts[0];
	free(set);
	return where;
}
