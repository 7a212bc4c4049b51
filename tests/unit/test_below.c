/* below: what a target stands on, and when some of it has gone. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/dev/below.h"
#include "tests/unit/sysroot.h"

static struct sysroot root;
static struct device_list list;
static struct below below;

/* An LVM volume over md over two disks' partitions; a loop device over a file on the volume. */
static void setup(void)
{
	sysroot_init(&root);
	sysroot_line(&root, "disk sda 8:0 virtual/block 100000");
	sysroot_line(&root, "set sda diskseq 7");
	sysroot_line(&root, "part sda1 8:1 sda 1 2048 90000");
	sysroot_line(&root, "disk sdb 8:16 virtual/block 100000");
	sysroot_line(&root, "part sdb1 8:17 sdb 1 2048 90000");
	sysroot_line(&root, "disk md0 9:0 virtual/block 90000");
	sysroot_line(&root, "on md0 sda1");
	sysroot_line(&root, "on md0 sdb1");
	sysroot_line(&root, "disk dm-0 252:0 virtual/block 80000");
	sysroot_line(&root, "on dm-0 md0");
	sysroot_line(&root, "disk sdz 65:0 virtual/block 5000");
	cr_assert_eq(device_list_load(root.path, &list, NULL), 0);
}

static void cleanup(void)
{
	below_fini(&below);
	device_list_fini(&list);
	sysroot_fini(&root);
}

TestSuite(below, .init = setup, .fini = cleanup);

static void add_block(uint32_t major, uint32_t minor)
{
	struct target_info info = {.kind = TARGET_BLOCK, .major = major, .minor = minor};

	below_add(&below, root.path, &list, &info);
}

static void expect_missing(const char *name)
{
	const char *got = below_missing(&below, root.path);

	cr_expect_str_eq(got ? got : "none", name);
}

Test(below, everything_down_to_the_disks_is_remembered)
{
	add_block(252, 0);
	cr_expect_eq(below.n, 6, "dm-0, md0, two partitions, two disks: %zu", below.n);
	expect_missing("none");
}

Test(below, a_disk_that_is_pulled_out_is_missed)
{
	add_block(252, 0);
	sysroot_line(&root, "rm /sys/dev/block/8:16");
	expect_missing("sdb");
}

Test(below, a_disk_that_has_lost_its_size_is_missed)
{
	add_block(8, 1);
	sysroot_line(&root, "set sda size 0");
	expect_missing("sda");
}

/* Another disk under the same number: plugged in again, or a swapped one. */
Test(below, a_disk_that_came_back_is_another_one)
{
	add_block(252, 0);
	sysroot_line(&root, "set sda diskseq 8");
	expect_missing("sda");
}

Test(below, what_it_does_not_stand_on_is_nobodys_business)
{
	add_block(252, 0);
	sysroot_line(&root, "rm /sys/dev/block/65:0");
	expect_missing("none");
}

/* A file: the device of its file system, or the members that btrfs has. */
Test(below, a_file_stands_on_its_file_systems_disks)
{
	struct target_info info = {.kind = TARGET_FILE, .n_disks = 2};

	info.disk[0] = (struct target_disk){8, 0};
	info.disk[1] = (struct target_disk){65, 0};
	below_add(&below, root.path, &list, &info);
	cr_expect_eq(below.n, 2);
	sysroot_line(&root, "rm /sys/dev/block/65:0");
	expect_missing("sdz");
}

Test(below, unknown_devices_and_file_systems_without_one_add_nothing)
{
	struct target_info nfs = {.kind = TARGET_FILE};

	below_add(&below, root.path, &list, &nfs);
	add_block(99, 1);
	cr_expect_eq(below.n, 0);
	expect_missing("none");
}

Test(below, what_had_no_size_cannot_lose_it)
{
	sysroot_line(&root, "set sdz size 0");
	add_block(65, 0);
	expect_missing("none");
}

Test(below, the_same_device_is_remembered_once)
{
	add_block(252, 0);
	add_block(252, 0);
	add_block(8, 0);
	cr_expect_eq(below.n, 6);
}
