#include "src/dev/link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/stack.h"
#include "src/dev/sysfs.h"

/* More controllers of one NVMe subsystem than this are no longer looked at. */
#define PATHS_MAX 16u

/* Ways to a device: "pci0000:00/0000:00:17.0/ata1/host0/...", the part below devices/. */
struct paths {
	const char *fsroot;
	unsigned n;
	char v[PATHS_MAX][256];
	char subsystem
		[SYSFS_NAME_MAX]; /* NVMe: what its controllers and namespaces are part of; "" */
};

/* The target of a link into /sys/devices, without what stands before the first folder there. */
static bool below_devices(const char *link, char *out, size_t size)
{
	char text[PATH_MAX];
	const char *at;
	ssize_t n = readlink(link, text, sizeof(text) - 1);

	if (n < 0)
		return false;
	text[n] = '\0';
	at = strstr(text, "devices/");
	if (at)
		at += strlen("devices/");
	else
		for (at = text; strncmp(at, "../", 3) == 0;)
			at += 3;
	return (size_t)snprintf(out, size, "%s", at) < size;
}

static void add_path(struct paths *p, const char *path)
{
	if (strncmp(path, "virtual/", strlen("virtual/")) != 0 && p->n < PATHS_MAX)
		snprintf(p->v[p->n++], sizeof(p->v[0]), "%s", path);
}

/* An entry of a subsystem's folder: nvme0 is a controller, nvme0n1 a namespace. */
static int add_controller(void *arg, const char *entry)
{
	struct paths *p = arg;
	char link[PATH_MAX], path[256];
	unsigned controller;
	int used = 0;

	if (sscanf(entry, "nvme%u%n", &controller, &used) != 1 || entry[used])
		return 0;
	if (sysfs_path(link, sizeof(link), p->fsroot, "/sys/class/nvme-subsystem/%s/%s",
		       p->subsystem, entry) >= 0 &&
	    below_devices(link, path, sizeof(path)))
		add_path(p, path);
	return 0;
}

/*
 * Native NVMe multipath: the disk hangs below its subsystem, "virtual/nvme-subsystem/nvme-subsys0/nvme0n1",
 * and its ways (nvme0c0n1 ...) are hidden. The ways are those of the subsystem's controllers.
 */
static void add_controllers(struct paths *p, const char *path)
{
	static const char above[] = "virtual/nvme-subsystem/";
	char folder[PATH_MAX];

	if (strncmp(path, above, sizeof(above) - 1) != 0)
		return;
	path += sizeof(above) - 1;
	snprintf(p->subsystem, sizeof(p->subsystem), "%.*s", (int)strcspn(path, "/"), path);
	snprintf(folder, sizeof(folder), "/sys/class/nvme-subsystem/%s", p->subsystem);
	sysfs_each(p->fsroot, folder, add_controller, p);
}

static void paths_of(const char *fsroot, const struct device *d, struct paths *p)
{
	char link[PATH_MAX], path[256];

	p->fsroot = fsroot;
	p->n = 0;
	p->subsystem[0] = '\0';
	if (sysfs_path(link, sizeof(link), fsroot, "/sys/dev/block/%u:%u", d->major, d->minor) <
		    0 ||
	    !below_devices(link, path, sizeof(path)))
		return;
	add_path(p, path);
	add_controllers(p, path);
}

/* "0000:00:17.0" */
static bool is_pci_function(const char *word, size_t n)
{
	unsigned domain, bus, dev, fn;
	int used = 0;

	return sscanf(word, "%x:%x:%x.%x%n", &domain, &bus, &dev, &fn, &used) == 4 &&
	       (size_t)used == n;
}

static bool is_scsi_host(const char *word, size_t n)
{
	unsigned host;
	int used = 0;

	return sscanf(word, "host%u%n", &host, &used) == 1 && (size_t)used == n;
}

/* Is there a PCI function further down this path? */
static bool has_pci_below(const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (is_pci_function(path, n))
			return true;
		path += n;
		path += *path == '/';
	}
	return false;
}

/* Both paths agree up to here: is it something that could be a bottleneck? */
static void note_common(const char *word, size_t n, const char *rest_a, const char *rest_b,
			char *out, size_t size)
{
	if (is_scsi_host(word, n))
		snprintf(out, size, "%.*s", (int)n, word);
	else if (is_pci_function(word, n))
		snprintf(out, size, "%s %.*s",
			 has_pci_below(rest_a) || has_pci_below(rest_b) ? "PCI port" : "controller",
			 (int)n, word);
}

static bool share_path(const char *a, const char *b, char *out, size_t size)
{
	out[0] = '\0';
	for (;;) {
		size_t n = strcspn(a, "/");

		if (!n || n != strcspn(b, "/") || strncmp(a, b, n) != 0)
			break;
		note_common(a, n, a + n, b + n, out, size);
		if (a[n] != '/' || b[n] != '/')
			break;
		a += n + 1;
		b += n + 1;
	}
	return out[0] != '\0';
}

static bool is_layer(const struct device *d)
{
	return d->is_partition || d->kind == DEV_DM || d->kind == DEV_MD || d->kind == DEV_LOOP;
}

/* A disk below both; one of flesh and blood rather than a layer above it. */
static bool share_disk(const struct device_list *l, const bool *a, const bool *b, char *out,
		       size_t size)
{
	const struct device *best = NULL;

	for (size_t i = 0; i < l->n; i++)
		if (a[i] && b[i] && (!best || is_layer(best)))
			best = &l->v[i];
	if (best)
		snprintf(out, size, "%s", best->name);
	return best;
}

/* One disk under two names, because there are two ways to it. */
static bool share_unit(const struct device_list *l, const bool *a, const bool *b, char *out,
		       size_t size)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; a[i] && !is_layer(&l->v[i]) && k < l->n; k++) {
			if (!b[k] || is_layer(&l->v[k]) || !l->v[i].wwn[0] ||
			    strcmp(l->v[i].wwn, l->v[k].wwn) != 0)
				continue;
			snprintf(out, size, "disk %s", l->v[i].wwn);
			return true;
		}
	return false;
}

static bool share_ways(const struct paths *a, const struct paths *b, char *out, size_t size)
{
	if (a->subsystem[0] && strcmp(a->subsystem, b->subsystem) == 0) {
		snprintf(out, size, "%s", a->subsystem);
		return true;
	}
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < b->n; k++)
			if (share_path(a->v[i], b->v[k], out, size))
				return true;
	return false;
}

static bool share_hardware(const char *fsroot, const struct device_list *l, const bool *a,
			   const bool *b, char *out, size_t size)
{
	struct paths *ways = xcalloc(2, sizeof(*ways));
	bool shared = false;

	for (size_t i = 0; i < l->n && !shared; i++) {
		if (!a[i] || is_layer(&l->v[i]))
			continue;
		paths_of(fsroot, &l->v[i], &ways[0]);
		for (size_t k = 0; k < l->n && !shared; k++) {
			if (!b[k] || is_layer(&l->v[k]))
				continue;
			paths_of(fsroot, &l->v[k], &ways[1]);
			shared = share_ways(&ways[0], &ways[1], out, size);
		}
	}
	free(ways);
	return shared;
}

/* What a loop device's file lies on is below it, too; the stack knows only devices. */
static void below(const struct device_list *l, const struct device *d, bool *set)
{
	bool added = true;

	stack_below(l, d, set);
	while (added) {
		added = false;
		for (size_t i = 0; i < l->n; i++) {
			const struct device *on;

			if (!set[i] || !l->v[i].backing_dev)
				continue;
			on = device_find_dev(l, major(l->v[i].backing_dev),
					     minor(l->v[i].backing_dev));
			if (!on || set[on - l->v])
				continue;
			stack_below(l, on, set);
			added = true;
		}
	}
}

bool link_shared(const char *fsroot, const struct device_list *l, const struct device *a,
		 const struct device *b, char *out, size_t size)
{
	bool *below_a = xcalloc(l->n, sizeof(bool)), *below_b = xcalloc(l->n, sizeof(bool)), shared;

	below(l, a, below_a);
	below(l, b, below_b);
	shared = share_disk(l, below_a, below_b, out, size) ||
		 share_unit(l, below_a, below_b, out, size) ||
		 share_hardware(fsroot, l, below_a, below_b, out, size);
	free(below_a);
	free(below_b);
	return shared;
}
