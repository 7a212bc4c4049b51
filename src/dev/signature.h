/* What a block device or image holds, by libblkid: what a write would destroy. Any thread. */
#ifndef IODECK_DEV_SIGNATURE_H
#define IODECK_DEV_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_TEXT 96

/*
 * "ext4 file system, label data", "gpt partition table", "LVM2_member": at most `max` texts. Their
 * number, or -errno when the device cannot be read.
 */
int signature_list(int fd, char (*out)[SIGNATURE_TEXT], size_t max);
/*
 * The same of a device by its kernel name, read through its node in /dev below fsroot: -ENODEV when
 * that is another device. Opens it, which takes as long as a dead device does not answer.
 */
int signature_read(const char *fsroot, const char *name, uint32_t major, uint32_t minor,
		   char (*out)[SIGNATURE_TEXT], size_t max);

#endif
