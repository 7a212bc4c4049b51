#include "src/dev/link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/stack.h"
#include "src/dev/sysfs.h"

/* "../../devices/pci0000:00/0000:00:17.0/ata1/host0/..." of a device; the part below devices/. */
static bool hardware_path(const char *fsroot, const struct device *d, char *out, size_t size)
{
	char link[PATH_MAX], text[PATH_MAX];
	const char *at;
	ssize_t n;

	if (sysfs_path(link, sizeof(link), fsroot, "/sys/dev/block/%u:%u", d->major, d->minor) < 0)
		return false;
	n = readlink(link, text, sizeof(text) - 1);
	if (n < 0)
		return false;
	text[n] = '\0';
	at = strstr(text, "devices/");
	if (!at)
		return false;
	snprintf(out, size, "%s", at + strlen("devices/"));
	return strncmp(out, "virtual/", strlen("virtual/")) != 0;
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

static bool share_hardware(const char *fsroot, const struct device_list *l, const bool *a,
			   const bool *b, char *out, size_t size)
{
	char path_a[PATH_MAX], path_b[PATH_MAX];

	for (size_t i = 0; i < l->n; i++) {
		if (!a[i] || is_layer(&l->v[i]) ||
		    !hardware_path(fsroot, &l->v[i], path_a, sizeof(path_a)))
			continue;
		for (size_t k = 0; k < l->n; k++)
			if (b[k] && !is_layer(&l->v[k]) &&
			    hardware_path(fsroot, &l->v[k], path_b, sizeof(path_b)) &&
			    share_path(path_a, path_b, out, size))
				return true;
	}
	return false;
}

bool link_shared(const char *fsroot, const struct device_list *l, const struct device *a,
		 const struct device *b, char *out, size_t size)
{
	bool *below_a = xcalloc(l->n, sizeof(bool)), *below_b = xcalloc(l->n, sizeof(bool)), shared;

	stack_below(l, a, below_a);
	stack_below(l, b, below_b);
	shared = share_disk(l, below_a, below_b, out, size) ||
		 share_hardware(fsroot, l, below_a, below_b, out, size);
	free(below_a);
	free(below_b);
	return shared;
}
