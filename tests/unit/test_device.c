/* device, mounts, stack: what sysfs and mountinfo say about block devices, over fixture trees. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "src/dev/device.h"
#include "src/dev/mounts.h"
#include "src/dev/stack.h"
#include "tests/unit/sysroot.h"

static struct sysroot root;
static struct device_list list;

static void load(const char *fixture)
{
	struct err e = {0};

	sysroot_load(&root, fixture);
	cr_assert_eq(device_list_load(root.path, &list, &e), 0, "%s", e.msg);
}

static void cleanup(void)
{
	device_list_fini(&list);
	if (root.path[0])
		sysroot_fini(&root);
}

TestSuite(device, .fini = cleanup);

static const struct device *get(const char *name)
{
	const struct device *d = device_find_name(&list, name);

	cr_assert(d, "no %s in the list", name);
	return d;
}

Test(device, kinds_are_told_by_driver_not_by_name)
{
	static const struct {
		char fixture[16], name[16], word[8];
	} row[] = {
		{"workstation", "nvme0n1", "NVMe"},
		{"workstation", "nvme0n1p3", "NVMe"},
		{"workstation", "sda", "SSD"},
		{"workstation", "sdb", "HDD"},
		{"workstation", "sdb2", "HDD"},
		{"workstation", "dm-0", "dm"},
		{"workstation", "sr0", "disk"},
		{"workstation", "zram0", "zram"},
		{"workstation", "loop0", "loop"},
		{"workstation", "loop1", "loop"},
		{"server", "md0", "md"},
		{"server", "dm-4", "dm"},
		{"server", "nvme1n1", "NVMe"},
		{"server", "vdb", "virtio"},
		{"server", "nbd0", "nbd"},
		{"server", "ram0", "RAM"},
		{"server", "zd0", "disk"}, /* no device folder: case 131 */
		{"server", "cciss/c0d0p1", "disk"},
	};
	char loaded[16] = "";

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		if (strcmp(loaded, row[i].fixture)) {
			cleanup();
			load(strcpy(loaded, row[i].fixture));
		}
		cr_expect_str_eq(device_kind_word(get(row[i].name)->kind), row[i].word, "%s is %s",
				 row[i].name, device_kind_word(get(row[i].name)->kind));
	}
	cr_expect_str_eq(device_kind_word(DEV_UNKNOWN), "-");
}

Test(device, nvme_has_all_fields)
{
	const struct device *d;

	load("workstation");
	d = get("nvme0n1");
	cr_expect_eq(d->major, 259);
	cr_expect_eq(d->minor, 0);
	cr_expect_not(d->is_partition);
	cr_expect_str_eq(d->model, "Samsung SSD 980 PRO 500GB");
	cr_expect_str_eq(d->serial, "S5GYNX0R123456A");
	cr_expect_str_eq(d->firmware, "5B2QGXA7");
	cr_expect_str_eq(d->wwn, "eui.002538b111b0a2c4");
	cr_expect_eq(d->size_bytes, 1000215216ull * 512);
	cr_expect_eq(d->logical_block, 512);
	cr_expect_eq(d->physical_block, 512);
	cr_expect_eq(d->rotational, 0);
	cr_expect_eq(d->discard, 1);
	cr_expect_eq(d->write_cache, 1);
	cr_expect_eq(d->read_only, 0);
	cr_expect_eq(d->numa_node, 0);
	cr_expect_str_eq(d->scheduler, "none");
	cr_expect_eq(d->n_mounts, 0, "its partitions are mounted, not it");
}

Test(device, a_partition_is_told_by_its_attribute_and_shares_its_disks_queue)
{
	const struct device *d;

	load("workstation");
	d = get("nvme0n1p3");
	cr_expect(d->is_partition);
	cr_expect_str_eq(d->parent, "nvme0n1");
	cr_expect_eq(d->partition_number, 3);
	cr_expect_eq(d->start_bytes, 3147776ull * 512);
	cr_expect_eq(d->size_bytes, 900000000ull * 512);
	cr_expect_eq(d->logical_block, 512);
	cr_expect_str_eq(d->model, "Samsung SSD 980 PRO 500GB");
	cr_assert_eq(d->n_mounts, 1);
	cr_expect_str_eq(d->mounts[0], "/");
	cr_expect_not(get("sda")->is_partition);
}

Test(device, sata_details)
{
	const struct device *d;

	load("workstation");
	d = get("sda"); /* 4Kn */
	cr_expect_eq(d->logical_block, 4096);
	cr_expect_str_eq(d->model, "INTEL SSDSC2KB96", "ATA is no vendor");
	cr_expect_str_eq(d->firmware, "0132");
	cr_expect_eq(d->write_cache, 0);
	cr_expect_str_eq(d->scheduler, "mq-deadline");
	d = get("sdb"); /* 512e */
	cr_expect_eq(d->logical_block, 512);
	cr_expect_eq(d->physical_block, 4096);
	cr_expect_eq(d->rotational, 1);
	cr_expect_eq(d->discard, 0);
	cr_expect_str_eq(d->scheduler, "bfq");
	d = get("sdaa");
	cr_expect_str_eq(d->model, "SanDisk Cruzer Blade");
	cr_expect_eq(d->read_only, 1);
}

Test(device, scsi_serial_comes_from_page_80_and_padding_is_cut)
{
	struct err e = {0};

	sysroot_load(&root, "workstation");
	sysroot_line(&root, "set sda device/model   INTEL SSDSC2KB96   "); /* padded as SCSI does */
	/* header 00 80 00 08 would end a text; page and length bytes are all that matters here */
	sysroot_line(&root, "set sda device/vpd_pg80 xxx\x08 BTYF123extra");
	cr_assert_eq(device_list_load(root.path, &list, &e), 0);
	cr_expect_str_eq(get("sda")->serial, "BTYF123");
	cr_expect_str_eq(get("sda")->model, "INTEL SSDSC2KB96");
}

Test(device, what_is_not_known_is_unknown)
{
	const struct device *d;

	load("server");
	d = get("zd0");
	cr_expect_str_eq(d->model, "");
	cr_expect_str_eq(d->serial, "");
	cr_expect_str_eq(d->firmware, "");
	cr_expect_str_eq(d->wwn, "");
	cr_expect_str_eq(d->scheduler, "");
	cr_expect_eq(d->logical_block, DEVICE_UNKNOWN_U32);
	cr_expect_eq(d->physical_block, DEVICE_UNKNOWN_U32);
	cr_expect_eq(d->rotational, -1);
	cr_expect_eq(d->discard, -1);
	cr_expect_eq(d->write_cache, -1);
	cr_expect_eq(d->numa_node, -1);
	cr_expect_eq(d->size_bytes, 512000);
}

Test(device, nvme_multipath_is_one_device)
{
	const struct device *d;

	load("server");
	d = get("nvme1n1");
	cr_expect_str_eq(d->model, "KIOXIA CM7");
	cr_expect_str_eq(d->serial, "7FK0A00MTLE8");
	cr_expect_eq(d->numa_node, -1);
	cr_expect_null(device_find_name(&list, "nvme1c1n1"), "a hidden path is no device");
	cr_expect_eq(get("nvme10n1")->numa_node, 1);
	cr_expect_eq(get("nvme2n1")->numa_node, -1, "-1 in sysfs is unknown too");
}

Test(device, virtio_names_and_slashes)
{
	load("server");
	cr_expect_str_eq(get("vdb")->serial, "vol-0a1b2c3d4e5f6789");
	cr_expect_str_eq(get("vdb")->model, "", "a PCI number is no model");
	cr_expect_str_eq(get("cciss/c0d0p1")->parent, "cciss/c0d0");
	cr_expect_str_eq(get("cciss/c0d0p1")->mounts[0], "/var/lib/old things");
}

Test(device, loops_know_what_is_behind_them)
{
	load("workstation");
	cr_expect_str_eq(get("loop0")->backing, "/srv/archive/image.raw");
	cr_expect_eq(get("loop0")->backing_dev, 0, "a file of a fixture has no number");
	cr_expect_str_eq(get("loop1")->backing, "");
	cr_expect_eq(get("loop1")->size_bytes, 0);
	cr_expect_neq(get("loop2")->backing_dev, 0);
	cr_expect(stack_on(get("loop2"), get("sdb2")));
}

Test(device, sorted_by_kind_and_name_with_partitions_after_their_disk)
{
	static const char order[] = "nvme0n1 nvme0n1p1 nvme0n1p2 nvme0n1p3 nvme0n1p4 sda sdaa "
				    "sdb sdb1 sdb2 loop0 loop1 loop2 zram0 dm-0 sr0 ";
	char got[512] = "";

	load("workstation");
	for (size_t i = 0; i < list.n; i++) {
		strcat(got, list.v[i].name);
		strcat(got, " ");
	}
	cr_expect_str_eq(got, order);
	cleanup();
	load("server");
	cr_expect_lt(get("nvme2n1") - list.v, get("nvme10n1") - list.v);
}

Test(device, found_by_name_and_number)
{
	load("workstation");
	cr_expect_eq(device_find_dev(&list, 8, 17), get("sdb1"));
	cr_expect_null(device_find_dev(&list, 8, 200));
	cr_expect_null(device_find_name(&list, "sdz"));
}

Test(device, whole_disk_of_a_number)
{
	uint32_t major, minor;
	char name[64];

	load("workstation");
	cr_expect_eq(device_whole_disk(root.path, 259, 4, name, &major, &minor), 0);
	cr_expect_str_eq(name, "nvme0n1");
	cr_expect(major == 259 && minor == 0);
	cr_expect_eq(device_whole_disk(root.path, 252, 0, name, &major, &minor), 0);
	cr_expect_str_eq(name, "dm-0", "dm is kept as it is");
	cr_expect_eq(device_whole_disk(root.path, 8, 99, name, &major, &minor), -ENOENT);
}

Test(device, mounted_anywhere_above)
{
	static const struct {
		char fixture[16], name[16], where[24];
	} row[] = {
		{"workstation", "nvme0n1", "/boot/efi"}, /* the first of its partitions' */
		{"workstation", "nvme0n1p4", ""},        /* beside the others */
		{"workstation", "sdb", "/srv/archive"},  /* disk, partition, LVM */
		{"workstation", "sdb1", "/srv/archive"},
		{"workstation", "sdb2", ""},
		{"workstation", "dm-0", "/srv/archive"},
		{"workstation", "sda", ""},
		{"server", "sda", "/"},
		{"server", "sda1", ""},
		{"server", "md0", "/"},
		{"server", "dm-1", ""},
		{"server", "sdc", "/db"},
		{"server", "sdd", "/db"},
		{"server", "dm-2", "/db"},
		{"server", "sdf", "/pool"},
		{"server", "sdg", "/pool"}, /* the member that no mount names */
		{"server", "sdh", "bcachefs 77aa"},
	};
	char loaded[16] = "";

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const char *where;

		if (strcmp(loaded, row[i].fixture)) {
			cleanup();
			load(strcpy(loaded, row[i].fixture));
		}
		where = device_mounted_in_stack(&list, get(row[i].name));
		cr_expect_str_eq(where ? where : "", row[i].where, "%s", row[i].name);
	}
}

Test(device, swap_is_seen_and_holders_are_listed)
{
	load("workstation");
	cr_expect(get("zram0")->is_swap);
	cr_expect_not(get("sda")->is_swap);
	cr_assert_eq(get("sdb1")->n_holders, 1);
	cr_expect_str_eq(get("sdb1")->holders[0], "dm-0");
	cr_assert_eq(get("dm-0")->n_slaves, 1);
	cr_expect_str_eq(get("dm-0")->slaves[0], "sdb1");
	cr_expect_str_eq(get("dm-0")->dm_name, "vg_data-archive");
	cleanup();
	load("server");
	cr_expect(get("sde2")->is_swap);
	cr_expect_eq(get("md0")->n_slaves, 2);
}

Test(device, a_tree_without_sysfs_says_so)
{
	struct err e = {0};

	cr_expect_eq(device_list_load("/nonexistent", &list, &e), -ENOENT);
	cr_expect(strstr(e.msg, "is sysfs mounted?"));
}

Test(device, a_device_that_just_went_is_left_out)
{
	struct err e = {0};
	size_t n;

	load("workstation");
	n = list.n;
	device_list_fini(&list);
	sysroot_line(&root, "rm /sys/class/block/sda/size");
	cr_assert_eq(device_list_load(root.path, &list, &e), 0);
	cr_expect_eq(list.n, n - 1);
	cr_expect_null(device_find_name(&list, "sda"));
}

Test(device, the_real_machine_loads)
{
	struct err e = {0};

	if (device_list_load("", &list, &e))
		cr_skip("%s", e.msg);
	for (size_t i = 0; i < list.n; i++) {
		const struct device *d = &list.v[i];

		cr_expect(d->name[0]);
		cr_expect(!d->is_partition || d->parent[0], "%s", d->name);
	}
}

/* --- mounts --- */

static bool mounted(enum mounts_scope scope, uint32_t major, uint32_t minor, bool *is_system)
{
	const struct mount_row *row;
	struct mounts m;
	struct err e = {0};

	cr_assert_eq(mounts_load(root.path, scope, &m, &e), 0, "%s", e.msg);
	row = mounts_find(&m, major, minor, 0);
	*is_system = row && row->is_system;
	mounts_fini(&m);
	return row;
}

Test(device, mounts_of_other_namespaces)
{
	bool is_system;

	sysroot_load(&root, "server");
	cr_expect_not(mounted(MOUNTS_USUAL, 8, 128, &is_system));
	cr_expect(mounted(MOUNTS_ALL_NAMESPACES, 8, 128, &is_system));
	cr_expect_not(mounted(MOUNTS_ALL_NAMESPACES, 8, 144, &is_system),
		      "a namespace is read once, not once a process");
	cr_expect(mounted(MOUNTS_USUAL, 252, 0, &is_system));
	cr_expect(is_system);
	sysroot_line(&root, "mount-in 1 8:144 /boot ext4 /dev/sdj");
	cr_expect(mounted(MOUNTS_USUAL, 8, 144, &is_system), "process 1 is always looked at");
	cr_expect(is_system);
}

Test(device, mounts_without_process_1)
{
	struct mounts m;
	struct err e = {0};

	sysroot_load(&root, "server");
	cr_assert_eq(mounts_load(root.path, MOUNTS_USUAL, &m, &e), 0);
	cr_expect_not(m.init_unreadable);
	mounts_fini(&m);
	sysroot_line(&root, "rm /proc/1/mountinfo");
	cr_assert_eq(mounts_load(root.path, MOUNTS_USUAL, &m, &e), 0);
	cr_expect(m.init_unreadable);
	mounts_fini(&m);
	sysroot_line(&root, "rm /proc/self/mountinfo");
	cr_expect_eq(mounts_load(root.path, MOUNTS_USUAL, &m, &e), -ENOENT);
	cr_expect(strstr(e.msg, "/proc/self/mountinfo"));
}
