#include "src/dev/temperature.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/dev/sysfs.h"

#define LOWEST_C  (-60.0) /* a sensor that tells 0 K, or all ones, tells nothing */
#define HIGHEST_C 200.0

struct search {
	const char *fsroot;
	char folder[PATH_MAX - 64];
	struct temp_sensor *out;
};

/* One of a hwmon driver's folders; 1: it is the one. */
static int try_hwmon(void *arg, const char *entry)
{
	struct search *s = arg;
	char driver[64];

	if (strncmp(entry, "hwmon", 5) != 0 || entry[5] < '0' || entry[5] > '9')
		return 0;
	if (sysfs_text(s->fsroot, driver, sizeof(driver), "%s/%s/name", s->folder, entry) <= 0 ||
	    (strcmp(driver, "nvme") != 0 && strcmp(driver, "drivetemp") != 0) ||
	    !sysfs_exists(s->fsroot, "%s/%s/temp1_input", s->folder, entry))
		return 0;
	if (snprintf(s->out->path, sizeof(s->out->path), "%s/%s/temp1_input", s->folder, entry) >=
	    (int)sizeof(s->out->path))
		return 0;
	s->out->disturbs = strcmp(driver, "nvme") != 0;
	return 1;
}

static bool look_in(struct search *s, const char *folder)
{
	if (snprintf(s->folder, sizeof(s->folder), "%s", folder) >= (int)sizeof(s->folder))
		return false;
	return sysfs_each(s->fsroot, s->folder, try_hwmon, s) == 1;
}

/*
 * Where it is depends on what the driver gave as the parent: a SCSI device or a PCI function has a folder
 * "hwmon" for it, a device of a class (nvme0, since Linux 5.16 or so) has hwmonN among its own files.
 */
static bool look_at_device(struct search *s, const char *device)
{
	static const char *const places[] = {"/hwmon", "", "/device/hwmon"};
	char folder[PATH_MAX];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(folder, sizeof(folder), "%.4000s%s", device, places[i]);
		if (look_in(s, folder))
			return true;
	}
	return false;
}

/* A namespace with several paths belongs to a subsystem, which has links to its controllers. */
static int try_controller(void *arg, const char *entry)
{
	struct search *s = arg;
	char device[PATH_MAX], *end;

	if (strncmp(entry, "nvme", 4) != 0 || (strtoul(entry + 4, &end, 10), end == entry + 4) ||
	    *end)
		return 0;
	snprintf(device, sizeof(device), "%.3900s/%.64s", s->folder, entry);
	return look_at_device(&(struct search){.fsroot = s->fsroot, .out = s->out}, device);
}

int temp_find(const char *fsroot, uint32_t major, uint32_t minor, struct temp_sensor *out)
{
	struct search s = {.fsroot = fsroot, .out = out};
	char device[64];

	snprintf(device, sizeof(device), "/sys/dev/block/%u:%u/device", major, minor);
	if (look_at_device(&s, device))
		return 0;
	snprintf(s.folder, sizeof(s.folder), "%s", device);
	return sysfs_each(fsroot, s.folder, try_controller, &s) == 1 ? 0 : -ENOENT;
}

/* Thousandths of a degree. */
int temp_read(const char *fsroot, const struct temp_sensor *sensor, double *celsius)
{
	char text[32], *end;
	ssize_t n = sysfs_text(fsroot, text, sizeof(text), "%s", sensor->path);
	long v;

	if (n < 0)
		return (int)n;
	errno = 0;
	v = strtol(text, &end, 10);
	if (end == text || *end || errno || (double)v / 1000 < LOWEST_C ||
	    (double)v / 1000 > HIGHEST_C)
		return -ERANGE;
	*celsius = (double)v / 1000;
	return 0;
}
