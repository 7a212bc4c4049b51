/*
 * Block devices as the kernel shows them in sysfs, and what is mounted on them. Read under an `fsroot`
 * ("" or "/": the real machine; else a fixture tree), so the shipped code is the tested code.
 * A list is a plain snapshot owned by the caller; rescan by loading another one. Any thread.
 */
#ifndef IODECK_DEV_DEVICE_H
#define IODECK_DEV_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/disk_rate.h"
#include "src/base/err.h"

enum device_kind {
	DEV_UNKNOWN,
	DEV_NVME,
	DEV_SSD, /* SATA/SAS, not rotational */
	DEV_HDD,
	DEV_VIRTIO,
	DEV_LOOP,
	DEV_ZRAM,
	DEV_RAM,
	DEV_DM,
	DEV_MD,
	DEV_NBD,
	DEV_OTHER,
};

const char *device_kind_word(enum device_kind); /* "NVMe" "SSD" "HDD" ... */

#define DEVICE_UNKNOWN_U32 UINT32_MAX

struct device {
	char name[64]; /* kernel name, of a partition too */
	uint32_t major, minor;
	enum device_kind kind;
	bool is_partition;
	char parent[64];                          /* whole disk of a partition, "" */
	char model[64], serial[64], firmware[32]; /* "" unknown */
	char wwn[64];
	uint64_t size_bytes;
	uint32_t logical_block, physical_block;          /* DEVICE_UNKNOWN_U32: unknown */
	char scheduler[32];                              /* the active one, "" unknown */
	int numa_node;                                   /* -1 unknown or none */
	int rotational, discard, write_cache, read_only; /* 1, 0, -1 unknown */
	char (*holders)[64];                             /* kernel names of what is stacked on it */
	size_t n_holders;
	char (*slaves)[64]; /* what it is made of */
	size_t n_slaves;
	char (*mounts)[256]; /* mount points of this very device */
	size_t n_mounts;
	bool is_swap;
	char backing[256]; /* loop: the file behind it, "" */
	/* loop: that file's st_dev and inode, or the number of the device behind it and inode 0 */
	uint64_t backing_dev, backing_ino; /* as stat gives them; backing_dev 0: unknown */
	char dm_name[128], dm_uuid[136];   /* device mapper: "vg0-root", "LVM-...", "" else */
	uint32_t partition_number;         /* 0: a whole device */
	uint64_t start_bytes;              /* of a partition on its disk */
};

struct device_list {
	struct device *v; /* disks sorted by kind then name, each followed by its partitions */
	size_t n;
};

/* 0 or -errno. Devices that come or go while it reads are in the list or not, never half. */
int device_list_load(const char *fsroot, struct device_list *out, struct err *e);
void device_list_fini(struct device_list *);
const struct device *device_find_name(const struct device_list *, const char *name);
const struct device *device_find_dev(const struct device_list *, uint32_t major, uint32_t minor);
/*
 * The whole disk behind a block device number (a partition's parent); -ENOENT when sysfs has none.
 * name: at least 64 bytes.
 */
int device_whole_disk(const char *fsroot, uint32_t major, uint32_t minor, char name[64],
		      uint32_t *disk_major, uint32_t *disk_minor);
/* Where anything in the stack of `d` (itself, partitions, holders upward) is mounted; NULL: nowhere. */
const char *device_mounted_in_stack(const struct device_list *, const struct device *d);

#endif
