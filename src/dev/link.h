/*
 * What two block devices have in common on the way to the processor: then the load of one may be in the
 * other's numbers. Read from the stack of devices and from sysfs under `fsroot`. Any thread.
 */
#ifndef IODECK_DEV_LINK_H
#define IODECK_DEV_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "src/dev/device.h"

/*
 * Into out, the nearest of: a disk below both ("sda"), one disk under two names ("disk naa.5000..."), the NVMe
 * subsystem of both ("nvme-subsys0"), their SCSI host ("host0"), the PCI function that serves both ("controller
 * 0000:00:17.0"), a bridge or root port above both ("PCI port 0000:00:1d.0"). Of several ways to a disk any one in
 * common counts. false: nothing of these, or it cannot be known. A host bridge alone is no bottleneck and does
 * not count.
 */
bool link_shared(const char *fsroot, const struct device_list *, const struct device *a,
		 const struct device *b, char *out, size_t size);

#endif
