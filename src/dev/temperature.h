/*
 * The temperature that a disk's own sensor tells, by hwmon: nvme's composite temperature, drivetemp's of
 * SATA. A read may take long (a disk that sleeps, a controller in trouble). Any thread that may wait.
 */
#ifndef IODECK_DEV_TEMPERATURE_H
#define IODECK_DEV_TEMPERATURE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct temp_sensor {
	char path[PATH_MAX]; /* below fsroot */
	/*
	 * Asking goes between the I/Os: drivetemp sends ATA commands that cannot be queued, so the disk's
	 * queue is emptied for each. nvme has a queue of its own for it.
	 */
	bool disturbs;
};

/* -ENOENT: it has none that is known. */
int temp_find(const char *fsroot, uint32_t major, uint32_t minor, struct temp_sensor *out);
/* -ERANGE: what it tells is no disk's temperature. */
int temp_read(const char *fsroot, const struct temp_sensor *, double *celsius);

#endif
