/*
 * Asks disks for their temperature every few seconds, in a thread of its own: a disk may take long to
 * answer, and one that does not must hold up nobody. A disk that is measured is not asked where asking
 * would get between its I/Os (temp_sensor.disturbs): its temperature is then unknown until the run is over.
 *
 * Any thread may call; no call waits for a disk. A NULL thermo knows nothing.
 */
#ifndef IODECK_RUN_THERMO_H
#define IODECK_RUN_THERMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/disk_rate.h"

struct thermo;

/* NULL: there is no thread for it. fsroot is copied; period_ns 0: 5 s. */
struct thermo *thermo_start(const char *fsroot, uint64_t period_ns);
/* Leaves a thread that waits for a disk behind; it frees what it holds when the disk answers. */
void thermo_stop(struct thermo *);
/*
 * These disks are asked from now on (no more than DISK_RATE_MAX), and what is known of them is filled in.
 * measuring: I/O of a run is on those that are targets.
 */
void thermo_fill(struct thermo *, struct disk_rate *disks, size_t n, bool measuring);

#endif
