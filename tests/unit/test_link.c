/* link: what two block devices share on the way to the processor, over fixture trees. */
#include <criterion/criterion.h>
#include <string.h>

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
