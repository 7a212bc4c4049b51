/*
 * Do two targets end on the same disk, or behind the same controller or port? Then each one's load may be
 * in the other's numbers. UI thread.
 */
#ifndef IODECK_UI_SHARED_DISK_H
#define IODECK_UI_SHARED_DISK_H

#include <stdbool.h>
#include <stddef.h>

#include "src/dev/device.h"

/* What they share into out, as link_shared() names it. false: they do not, or it cannot be known. */
bool shared_disk(const char *path_a, const char *path_b, const char *fsroot,
		 const struct device_list *, char *out, size_t size);

#endif
