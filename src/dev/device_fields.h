/* Reads one block device's sysfs attributes; a part of device.c of its own for size. */
#ifndef IODECK_DEV_DEVICE_FIELDS_H
#define IODECK_DEV_DEVICE_FIELDS_H

#include "src/dev/device.h"

/* Fills all but mounts and is_swap. -ENODEV: it is gone, and nothing in d needs freeing. */
int device_fields_read(const char *fsroot, uint32_t major, uint32_t minor, struct device *d);

#endif
