#include "src/dev/below.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "src/base/xalloc.h"
#include "src/dev/stack.h"
#include "src/dev/sysfs.h"

static uint64_t attribute(const char *fsroot, uint32_t major, uint32_t minor, const char *name)
{
	uint64_t v;

	return sysfs_u64(fsroot, &v, "/sys/dev/block/%u:%u/%s", major, minor, name) ? 0 : v;
}

static bool has(const struct below *b, const struct device *d)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].major == d->major && b->v[i].minor == d->minor)
			return true;
	return false;
}

static void add(struct below *b, const char *fsroot, const struct device *d)
{
	struct below_device *new;

	/* What had no size from the start cannot lose it. */
	if (has(b, d) || attribute(fsroot, d->major, d->minor, "size") == 0)
		return;
	b->v = xrealloc(b->v, (b->n + 1) * sizeof(*b->v));
	new = &b->v[b->n++];
	*new = (struct below_device){.major = d->major, .minor = d->minor};
	new->diskseq = attribute(fsroot, d->major, d->minor, "diskseq");
	memcpy(new->name, d->name, sizeof(new->name));
}

/* The device of the file system that carries a loop device's file. */
static const struct device *file_device(const struct device_list *list, const struct device *d)
{
	if (!d->backing_dev || d->backing_ino == 0)
		return NULL;
	return device_find_dev(list, major(d->backing_dev), minor(d->backing_dev));
}

static void add_from(struct below *b, const char *fsroot, const struct device_list *list,
		     const struct device *top)
{
	bool *set;

	if (!top || has(b, top))
		return;
	set = xcalloc(list->n + 1, sizeof(*set));
	stack_below(list, top, set);
	for (size_t i = 0; i < list->n; i++)
		if (set[i])
			add(b, fsroot, &list->v[i]);
	/* Found by has() when loops are stacked in a circle. */
	for (size_t i = 0; i < list->n; i++)
		if (set[i])
			add_from(b, fsroot, list, file_device(list, &list->v[i]));
	free(set);
}

void below_add(struct below *b, const char *fsroot, const struct device_list *list,
	       const struct target_info *info)
{
	if (info->major)
		add_from(b, fsroot, list, device_find_dev(list, info->major, info->minor));
	for (size_t i = 0; i < info->n_disks; i++)
		add_from(b, fsroot, list,
			 device_find_dev(list, info->disk[i].major, info->disk[i].minor));
}

static bool is_there(const struct below_device *d, const char *fsroot)
{
	uint64_t seq = attribute(fsroot, d->major, d->minor, "diskseq");

	return attribute(fsroot, d->major, d->minor, "size") > 0 &&
	       (!d->diskseq || !seq || seq == d->diskseq);
}

const char *below_missing(const struct below *b, const char *fsroot)
{
	for (size_t i = 0; i < b->n; i++)
		if (!is_there(&b->v[i], fsroot))
			return b->v[i].name;
	return NULL;
}

void below_fini(struct below *b)
{
	free(b->v);
	*b = (struct below){0};
}
