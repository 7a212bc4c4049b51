#include "src/dev/device_fields.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <linux/major.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/dev/sysfs.h"

#define SECTOR_BYTES   512u
#define SCSI_TYPE_DISK 0u
#define SCSI_TYPE_ZBC  0x14u
#define VPD_HEADER     4
#define DEV_FMT        "/sys/dev/block/%u:%u/"

/* What every reader here needs: the device and its whole disk. */
struct where {
	const char *fsroot;
	uint32_t major, minor;           /* the device itself */
	uint32_t disk_major, disk_minor; /* its disk, the same unless it is a partition */
};

static void disk_text(const struct where *w, char *out, size_t size, const char *attr)
{
	sysfs_text(w->fsroot, out, size, DEV_FMT "%s", w->disk_major, w->disk_minor, attr);
}

static int disk_u64(const struct where *w, uint64_t *value, const char *attr)
{
	return sysfs_u64(w->fsroot, value, DEV_FMT "%s", w->disk_major, w->disk_minor, attr);
}

static bool disk_has(const struct where *w, const char *attr)
{
	return sysfs_exists(w->fsroot, DEV_FMT "%s", w->disk_major, w->disk_minor, attr);
}

/* 1 for a value above zero, 0, -1: unknown */
static int disk_flag(const struct where *w, const char *attr)
{
	uint64_t value;

	return disk_u64(w, &value, attr) ? -1 : value > 0;
}

static uint32_t disk_u32(const struct where *w, const char *attr)
{
	uint64_t value;

	return disk_u64(w, &value, attr) || value >= DEVICE_UNKNOWN_U32 ? DEVICE_UNKNOWN_U32
									: (uint32_t)value;
}

/* --- kind --- */

static enum device_kind scsi_kind(const struct where *w)
{
	uint64_t type;
	int rotational = disk_flag(w, "queue/rotational");

	if (disk_u64(w, &type, "device/type") == 0 && type != SCSI_TYPE_DISK &&
	    type != SCSI_TYPE_ZBC)
		return DEV_OTHER; /* optical, ... */
	if (rotational < 0)
		return DEV_OTHER;
	return rotational ? DEV_HDD : DEV_SSD;
}

/* By what drives it; names are for people. Numbers only where the kernel fixed them (devices.txt). */
static enum device_kind read_kind(const struct where *w)
{
	static const struct {
		const char *subsystem;
		enum device_kind kind;
	} by_bus[] = {{"nvme", DEV_NVME}, {"nvme-subsystem", DEV_NVME}, {"virtio", DEV_VIRTIO}};
	char bus[32];

	if (disk_has(w, "dm"))
		return DEV_DM;
	if (disk_has(w, "md"))
		return DEV_MD;
	if (w->disk_major == LOOP_MAJOR)
		return DEV_LOOP;
	if (w->disk_major == RAMDISK_MAJOR)
		return DEV_RAM;
	if (w->disk_major == NBD_MAJOR)
		return DEV_NBD;
	if (disk_has(w, "disksize") && disk_has(w, "comp_algorithm"))
		return DEV_ZRAM;
	if (sysfs_link_base(w->fsroot, bus, sizeof(bus), DEV_FMT "device/subsystem", w->disk_major,
			    w->disk_minor) <= 0)
		return disk_has(w, "size") ? DEV_OTHER : DEV_UNKNOWN;
	for (size_t i = 0; i < sizeof(by_bus) / sizeof(*by_bus); i++)
		if (strcmp(bus, by_bus[i].subsystem) == 0)
			return by_bus[i].kind;
	return strcmp(bus, "scsi") == 0 ? scsi_kind(w) : DEV_OTHER;
}

/* --- identity --- */

/* Vital product data page 0x80: four bytes of header, then the serial in ASCII. */
static void read_vpd_serial(const struct where *w, char *out, size_t size)
{
	char path[PATH_MAX];
	unsigned char page[256];
	size_t n = 0, len;
	FILE *f;

	if (sysfs_path(path, sizeof(path), w->fsroot, DEV_FMT "device/vpd_pg80", w->disk_major,
		       w->disk_minor) < 0)
		return;
	f = fopen(path, "re");
	if (!f)
		return;
	len = fread(page, 1, sizeof(page), f);
	fclose(f);
	for (size_t i = VPD_HEADER; i < len && i < VPD_HEADER + (size_t)page[3]; i++)
		if (page[i] > ' ' && page[i] < 0x7f && n + 1 < size)
			out[n++] = (char)page[i];
	out[n] = '\0';
}

static void read_model(const struct where *w, char *out, size_t size)
{
	char vendor[32], model[64];

	disk_text(w, model, sizeof(model), "device/model");
	if (!model[0])
		disk_text(w, model, sizeof(model), "device/name"); /* mmc */
	disk_text(w, vendor, sizeof(vendor), "device/vendor");
	/* "ATA" is the translation layer's name, a number is a PCI or virtio id: not a vendor. */
	if (!model[0] || !vendor[0] || strcmp(vendor, "ATA") == 0 || strncmp(vendor, "0x", 2) == 0)
		snprintf(out, size, "%s", model);
	else
		snprintf(out, size, "%.20s %.42s", vendor, model);
}

static void read_identity(const struct where *w, struct device *d)
{
	read_model(w, d->model, sizeof(d->model));
	disk_text(w, d->serial, sizeof(d->serial), "device/serial"); /* NVMe, mmc */
	if (!d->serial[0])
		disk_text(w, d->serial, sizeof(d->serial), "serial"); /* virtio */
	if (!d->serial[0])
		read_vpd_serial(w, d->serial, sizeof(d->serial));
	disk_text(w, d->firmware, sizeof(d->firmware), "device/firmware_rev");
	if (!d->firmware[0])
		disk_text(w, d->firmware, sizeof(d->firmware), "device/rev");
	disk_text(w, d->wwn, sizeof(d->wwn), "wwid");
	if (!d->wwn[0])
		disk_text(w, d->wwn, sizeof(d->wwn), "device/wwid");
	disk_text(w, d->dm_name, sizeof(d->dm_name), "dm/name");
	disk_text(w, d->dm_uuid, sizeof(d->dm_uuid), "dm/uuid");
}

/* The nearest folder upwards in the device tree that has a numa_node. */
static int read_numa_node(const struct where *w)
{
	char link[PATH_MAX], path[PATH_MAX], text[16];
	char *slash, *tree;
	ssize_t n;

	if (sysfs_path(link, sizeof(link), w->fsroot, "/sys/dev/block/%u:%u", w->disk_major,
		       w->disk_minor) < 0)
		return -1;
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return -1;
	path[n] = '\0';
	tree = strstr(path, "/devices/");
	while (tree && (slash = strrchr(tree + 1, '/'))) {
		if (sysfs_text(w->fsroot, text, sizeof(text), "/sys%s/numa_node", tree) > 0)
			return atoi(text);
		*slash = '\0';
	}
	return -1;
}

/* --- queue --- */

/* "none [mq-deadline] kyber": the one in brackets; a word alone is the only one there is. */
static void read_scheduler(const struct where *w, char *out, size_t size)
{
	char text[256], *open, *close;

	disk_text(w, text, sizeof(text), "queue/scheduler");
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close) {
		*close = '\0';
		snprintf(out, size, "%.31s", open + 1);
	} else if (!strchr(text, ' ')) {
		snprintf(out, size, "%.31s", text);
	}
}

static void read_queue(const struct where *w, struct device *d)
{
	char cache[32];

	d->logical_block = disk_u32(w, "queue/logical_block_size");
	d->physical_block = disk_u32(w, "queue/physical_block_size");
	d->rotational = disk_flag(w, "queue/rotational");
	d->discard = disk_flag(w, "queue/discard_max_bytes");
	disk_text(w, cache, sizeof(cache), "queue/write_cache");
	d->write_cache = cache[0] ? strcmp(cache, "write back") == 0 : -1;
	read_scheduler(w, d->scheduler, sizeof(d->scheduler));
}

/* --- stack --- */

struct name_list {
	char (*v)[64];
	size_t n;
};

static int collect_name(void *arg, const char *entry)
{
	struct name_list *l = arg;
	char *name;

	l->v = xrealloc(l->v, (l->n + 1) * sizeof(*l->v));
	name = l->v[l->n++];
	snprintf(name, sizeof(*l->v), "%.63s", entry);
	for (; *name; name++)
		if (*name == '!')
			*name = '/';
	return 0;
}

static void read_names(const struct where *w, const char *folder, char (**v)[64], size_t *n)
{
	struct name_list l = {0};
	char path[128];

	snprintf(path, sizeof(path), DEV_FMT "%s", w->major, w->minor, folder);
	sysfs_each(w->fsroot, path, collect_name, &l);
	*v = l.v;
	*n = l.n;
}

/* The loop driver's own numbers, for a backing file whose path is of another namespace or gone. */
static bool loop_status(const struct device *d, struct loop_info64 *info)
{
	char path[80];
	struct stat st;
	bool ok;
	int fd;

	snprintf(path, sizeof(path), "/dev/%s", d->name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) &&
	     st.st_rdev == makedev(d->major, d->minor) && ioctl(fd, LOOP_GET_STATUS64, info) == 0;
	close(fd);
	return ok;
}

static void read_backing(const struct where *w, struct device *d)
{
	struct loop_info64 info = {0};
	uint32_t major, minor;
	struct stat st;

	if (!d->is_partition)
		disk_text(w, d->backing, sizeof(d->backing), "loop/backing_file");
	if (!d->backing[0])
		return;
	if (!sysfs_is_real(w->fsroot)) {
		if (sysfs_find_name(w->fsroot, d->backing, &major, &minor) == 0)
			d->backing_dev = makedev(major, minor);
	} else if (loop_status(d, &info)) {
		d->backing_dev = info.lo_rdevice ? info.lo_rdevice : info.lo_device;
		d->backing_ino = info.lo_rdevice ? 0 : info.lo_inode;
	} else if (strncmp(d->backing, "/dev/", 5) == 0 && stat(d->backing, &st) == 0 &&
		   S_ISBLK(st.st_mode)) {
		d->backing_dev = st.st_rdev;
	}
}

static void read_partition(const struct where *w, struct device *d)
{
	uint64_t value;

	d->is_partition = w->major != w->disk_major || w->minor != w->disk_minor;
	if (!d->is_partition)
		return;
	sysfs_name(w->fsroot, w->disk_major, w->disk_minor, d->parent);
	if (sysfs_u64(w->fsroot, &value, DEV_FMT "partition", w->major, w->minor) == 0)
		d->partition_number = (uint32_t)value;
	if (sysfs_u64(w->fsroot, &value, DEV_FMT "start", w->major, w->minor) == 0)
		d->start_bytes = value * SECTOR_BYTES;
}

int device_fields_read(const char *fsroot, uint32_t major, uint32_t minor, struct device *d)
{
	struct where w = {.fsroot = fsroot, .major = major, .minor = minor};
	char disk_name[SYSFS_NAME_MAX];
	uint64_t value;

	memset(d, 0, sizeof(*d));
	d->major = major;
	d->minor = minor;
	if (sysfs_name(fsroot, major, minor, d->name) ||
	    device_whole_disk(fsroot, major, minor, disk_name, &w.disk_major, &w.disk_minor))
		return -ENODEV;
	if (sysfs_u64(fsroot, &value, DEV_FMT "size", major, minor))
		return -ENODEV; /* every block device has one: this is one that just went */
	d->size_bytes = value * SECTOR_BYTES;
	d->read_only = sysfs_u64(fsroot, &value, DEV_FMT "ro", major, minor) ? -1 : value != 0;
	read_partition(&w, d);
	d->kind = read_kind(&w);
	d->numa_node = read_numa_node(&w);
	read_identity(&w, d);
	read_queue(&w, d);
	read_backing(&w, d);
	read_names(&w, "holders", &d->holders, &d->n_holders);
	read_names(&w, "slaves", &d->slaves, &d->n_slaves);
	return 0;
}
