#include "src/dev/device.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/dev/device_fields.h"
#include "src/dev/mounts.h"
#include "src/dev/sysfs.h"

const char *device_kind_word(enum device_kind kind)
{
	static const char *const words[] = {
		[DEV_UNKNOWN] = "-", [DEV_NVME] = "NVMe", [DEV_SSD] = "SSD",
		[DEV_HDD] = "HDD",   [DEV_LOOP] = "loop", [DEV_VIRTIO] = "virtio",
		[DEV_ZRAM] = "zram", [DEV_RAM] = "RAM",   [DEV_DM] = "dm",
		[DEV_MD] = "md",     [DEV_NBD] = "nbd",   [DEV_OTHER] = "disk",
	};

	return (size_t)kind < sizeof(words) / sizeof(*words) ? words[kind] : "-";
}

/* --- loading --- */

struct loader {
	const char *fsroot;
	struct device_list *list;
	size_t cap;
};

static int load_entry(void *arg, const char *entry)
{
	struct loader *l = arg;
	unsigned major, minor;
	struct device *d;

	if (sscanf(entry, "%u:%u", &major, &minor) != 2)
		return 0;
	if (l->list->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 16;
		l->list->v = xrealloc(l->list->v, l->cap * sizeof(*l->list->v));
	}
	d = &l->list->v[l->list->n];
	if (device_fields_read(l->fsroot, major, minor, d) == 0)
		l->list->n++;
	return 0;
}

static void attach_mounts(struct device *d, const struct mounts *m)
{
	const struct mount_row *row;

	d->is_swap = mounts_find_swap(m, d->major, d->minor) != NULL;
	for (size_t i = 0; (row = mounts_find(m, d->major, d->minor, i)); i++) {
		d->mounts = xrealloc(d->mounts, (d->n_mounts + 1) * sizeof(*d->mounts));
		snprintf(d->mounts[d->n_mounts++], sizeof(*d->mounts), "%s", row->target);
	}
}

/* sdb before sdaa, nvme2n1 before nvme10n1. */
static int compare_names(const char *a, const char *b)
{
	size_t la = strcspn(a, "0123456789"), lb = strcspn(b, "0123456789");

	if (la != lb && a[0] == b[0])
		return la < lb ? -1 : 1;
	return strverscmp(a, b);
}

static int compare_devices(const void *pa, const void *pb)
{
	const struct device *a = pa, *b = pb;
	int by_disk;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	by_disk = compare_names(a->is_partition ? a->parent : a->name,
				b->is_partition ? b->parent : b->name);
	if (by_disk)
		return by_disk;
	return (a->partition_number > b->partition_number) -
	       (a->partition_number < b->partition_number);
}

int device_list_load(const char *fsroot, struct device_list *out, struct err *e)
{
	struct loader l = {.fsroot = fsroot, .list = out};
	struct mounts m;
	int rc;

	memset(out, 0, sizeof(*out));
	rc = sysfs_each(fsroot, "/sys/dev/block", load_entry, &l);
	if (rc < 0) {
		device_list_fini(out);
		return err_set(e, -rc, "/sys/dev/block: %s (is sysfs mounted?)", strerror(-rc));
	}
	rc = mounts_load(fsroot, MOUNTS_USUAL, &m, e);
	if (rc) {
		device_list_fini(out);
		return rc;
	}
	for (size_t i = 0; i < out->n; i++)
		attach_mounts(&out->v[i], &m);
	mounts_fini(&m);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), compare_devices);
	return 0;
}

void device_list_fini(struct device_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->v[i].holders);
		free(list->v[i].slaves);
		free(list->v[i].mounts);
	}
	free(list->v);
	memset(list, 0, sizeof(*list));
}

/* --- finding --- */

const struct device *device_find_name(const struct device_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->v[i].name, name) == 0)
			return &list->v[i];
	return NULL;
}

const struct device *device_find_dev(const struct device_list *list, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].major == major && list->v[i].minor == minor)
			return &list->v[i];
	return NULL;
}

int device_whole_disk(const char *fsroot, uint32_t major, uint32_t minor, char name[64],
		      uint32_t *disk_major, uint32_t *disk_minor)
{
	*disk_major = major;
	*disk_minor = minor;
	if (sysfs_exists(fsroot, "/sys/dev/block/%u:%u/partition", major, minor) &&
	    sysfs_devno(fsroot, disk_major, disk_minor, "/sys/dev/block/%u:%u/../dev", major,
			minor))
		return -ENOENT;
	return sysfs_name(fsroot, *disk_major, *disk_minor, name) ? -ENOENT : 0;
}
