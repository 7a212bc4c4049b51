/* link: what two block devices share on the way to the processor, over fixture trees. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "src/dev/link.h"
#include "tests/unit/sysroot.h"

static struct sysroot root;
static struct device_list list;

static void cleanup(void)
{
	device_list_fini(&list);
	if (root.path[0])
		sysroot_fini(&root);
}

TestSuite(link, .fini = cleanup);

static void load(void)
{
	struct err e = {0};

	cr_assert_eq(device_list_load(root.path, &list, &e), 0, "%s", e.msg);
}

/* want NULL: nothing that is known of. Both ways round. */
static void expect(const char *a, const char *b, const char *want)
{
	const struct device *x = device_find_name(&list, a), *y = device_find_name(&list, b);
	char got[2][64] = {"", ""};

	cr_assert(x && y, "%s, %s", a, b);
	cr_expect_eq(link_shared(root.path, &list, x, y, got[0], sizeof(got[0])), want != NULL);
	cr_expect_eq(link_shared(root.path, &list, y, x, got[1], sizeof(got[1])), want != NULL);
	for (int i = 0; want && i < 2; i++)
		cr_expect_str_eq(got[i], want, "%s and %s share '%s'", a, b, got[i]);
}

Test(link, a_disk_below_both_is_named_first)
{
	sysroot_load(&root, "workstation");
	load();
	expect("sda", "sda", "sda");
	expect("nvme0n1p1", "nvme0n1p4", "nvme0n1");
	expect("dm-0", "sdb2", "sdb");
}

Test(link, members_of_an_array_are_below_it)
{
	sysroot_load(&root, "server");
	load();
	expect("dm-0", "sda1", "sda");
	expect("dm-0", "dm-1", "sda");
	expect("md0", "sdb3", "sdb");
}

Test(link, ports_of_one_controller)
{
	sysroot_load(&root, "workstation");
	load();
	expect("sda", "sdb", "controller 0000:00:17.0");
	expect("sda", "dm-0", "controller 0000:00:17.0");
	expect("nvme0n1", "sda", NULL);
	expect("sdaa", "sda", NULL);
}

/* A host bridge in common is no link in common. */
Test(link, a_root_port_counts_and_a_host_bridge_does_not)
{
	sysroot_init(&root);
	sysroot_line(&root, "disk nvme0n1 259:0 "
			    "pci0000:40/0000:40:01.0/0000:41:00.0/0000:42:00.0/nvme/nvme0 1000");
	sysroot_line(&root, "disk nvme1n1 259:1 "
			    "pci0000:40/0000:40:01.0/0000:41:00.0/0000:42:01.0/nvme/nvme1 1000");
	sysroot_line(&root, "disk nvme2n1 259:2 "
			    "pci0000:40/0000:40:01.0/0000:43:00.0/nvme/nvme2 1000");
	sysroot_line(&root, "disk nvme3n1 259:3 pci0000:40/0000:40:02.0/nvme/nvme3 1000");
	load();
	expect("nvme0n1", "nvme1n1", "PCI port 0000:41:00.0");
	expect("nvme0n1", "nvme2n1", "PCI port 0000:40:01.0");
	expect("nvme0n1", "nvme3n1", NULL);
}

Test(link, disks_behind_one_adapter)
{
	sysroot_init(&root);
	sysroot_line(&root, "disk sda 8:0 pci0000:80/0000:80:01.0/0000:81:00.0/host4/port-4:0/"
			    "end_device-4:0/target4:0:0/4:0:0:0/block 1000");
	sysroot_line(&root, "disk sdb 8:16 pci0000:80/0000:80:01.0/0000:81:00.0/host4/port-4:1/"
			    "end_device-4:1/target4:0:1/4:0:1:0/block 1000");
	load();
	expect("sda", "sdb", "host4");
}

Test(link, what_is_nowhere_shares_nothing)
{
	sysroot_init(&root);
	sysroot_line(&root, "disk ram0 1:0 virtual/block 1000");
	sysroot_line(&root, "disk ram1 1:1 virtual/block 1000");
	load();
	expect("ram0", "ram1", NULL);
	expect("ram0", "ram0", "ram0");
}

/* As Linux shows native multipath: the disks hang below their subsystem, and the ways to them are hidden. */
static void add_subsystem(const char *name, const char *disk, const char *number,
			  const char *const ways[2])
{
	sysroot_line(&root, "disk %s %s virtual/nvme-subsystem/%s 1000", disk, number, name);
	sysroot_line(&root,
		     "ln /sys/class/nvme-subsystem/%s ../../devices/virtual/nvme-subsystem/%s",
		     name, name);
	for (int i = 0; i < 2; i++)
		sysroot_line(&root, "ln /sys/devices/virtual/nvme-subsystem/%s/%s ../../../%s",
			     name, strrchr(ways[i], '/') + 1, ways[i]);
}

Test(link, of_several_ways_to_an_nvme_disk_one_in_common_counts)
{
	static const char *const a[] = {"pci0000:00/0000:00:01.0/0000:01:00.0/nvme/nvme0",
					"pci0000:80/0000:80:01.0/0000:81:00.0/nvme/nvme1"};
	static const char *const b[] = {"pci0000:00/0000:00:02.0/0000:02:00.0/nvme/nvme2",
					"pci0000:80/0000:80:01.0/0000:82:00.0/nvme/nvme3"};
	static const char *const c[] = {"virtual/nvme-fabrics/ctl/nvme4",
					"pci0000:00/0000:00:03.0/0000:03:00.0/nvme/nvme5"};

	sysroot_init(&root);
	add_subsystem("nvme-subsys0", "nvme0n1", "259:0", a);
	sysroot_line(&root, "disk nvme0n2 259:1 virtual/nvme-subsystem/nvme-subsys0 1000");
	sysroot_line(&root, "part nvme0n2p1 259:2 nvme0n2 1 8 100");
	add_subsystem("nvme-subsys2", "nvme2n1", "259:3", b);
	add_subsystem("nvme-subsys4", "nvme4n1", "259:4", c);
	sysroot_line(&root, "disk sda 8:0 pci0000:00/0000:00:03.0/0000:04:00.0/host0/block 1000");
	load();
	expect("nvme0n1", "nvme0n2", "nvme-subsys0");
	expect("nvme0n1", "nvme0n2p1", "nvme-subsys0");
	expect("nvme0n1", "nvme2n1", "PCI port 0000:80:01.0");
	expect("nvme0n2p1", "nvme2n1", "PCI port 0000:80:01.0");
	expect("nvme0n1", "nvme4n1", NULL);
	expect("nvme4n1", "sda", "PCI port 0000:00:03.0");
}

Test(link, one_disk_under_two_names)
{
	sysroot_init(&root);
	sysroot_line(&root, "disk sda 8:0 pci0000:00/0000:00:03.0/0000:04:00.0/host0/block 1000");
	sysroot_line(&root, "disk sdb 8:16 pci0000:80/0000:80:03.0/0000:84:00.0/host1/block 1000");
	sysroot_line(&root, "disk sdc 8:32 pci0000:40/0000:40:03.0/0000:44:00.0/host2/block 1000");
	sysroot_line(&root, "set sda wwid naa.5000c500a1b2c3d4");
	sysroot_line(&root, "set sdb wwid naa.5000c500a1b2c3d4");
	sysroot_line(&root, "set sdc wwid naa.5000c500a1b2c3d5");
	sysroot_line(&root, "disk dm-0 253:0 virtual/block 1000");
	sysroot_line(&root, "on dm-0 sdb");
	load();
	expect("sda", "sdb", "disk naa.5000c500a1b2c3d4");
	expect("sda", "dm-0", "disk naa.5000c500a1b2c3d4");
	expect("sda", "sdc", NULL);
}

Test(link, a_loop_device_shares_the_disk_of_its_file)
{
	sysroot_load(&root, "workstation");
	load();
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i].kind == DEV_LOOP) {
			list.v[i].backing_dev = makedev(8, 0);
			list.v[i].backing_ino = 12;
			expect(list.v[i].name, "sda", "sda");
			return;
		}
	cr_assert_fail("the fixture has no loop device");
}
