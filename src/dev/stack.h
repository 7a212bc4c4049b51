/*
 * Who stands on whom. Above a device: its partitions, what holds it (dm, md, bcache ...) and loop
 * devices whose backing is it, and so on up: writing to the device changes all of these. Below: a
 * partition's disk, slaves, a loop's backing device. Sets are arrays of list->n flags, in list order.
 */
#ifndef IODECK_DEV_STACK_H
#define IODECK_DEV_STACK_H

#include <stdbool.h>

#include "src/dev/device.h"

/* Does `upper` stand directly on `lower`? */
bool stack_on(const struct device *upper, const struct device *lower);
/* Sets the flags of `d` and of everything above, or below; the flags must be false before. */
void stack_above(const struct device_list *, const struct device *d, bool *set);
void stack_below(const struct device_list *, const struct device *d, bool *set);
/* A partition, or a mapping that kpartx made of one. */
bool stack_is_partition(const struct device *);
/* Adds to `set` every partition of the devices in it. */
void stack_add_partitions(const struct device_list *, bool *set);

#endif
