/* A disk's own sensor, wherever the kernel keeps it; and the thread that asks, which holds up nobody. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/dev/temperature.h"
#include "src/run/thermo.h"
#include "tests/unit/sysroot.h"

static struct sysroot root;

static void begin(void)
{
	sysroot_init(&root);
	sysroot_line(&root, "disk nvme0n1 259:0 pci/0000:03:00.0/nvme/nvme0 1000");
	sysroot_line(&root, "link nvme0n1 device ../../nvme0");
	sysroot_line(&root,
		     "ln /sys/devices/pci/0000:03:00.0/nvme/nvme0/device ../../../0000:03:00.0");
	sysroot_line(&root, "disk sda 8:0 pci/ata1/host0/target0:0:0/0:0:0:0/block 1000");
	sysroot_line(&root, "link sda device ../../../0:0:0:0");
}

static void end(void)
{
	sysroot_fini(&root);
}

TestSuite(temperature, .init = begin, .fini = end, .timeout = 120);

/* folder: below the device's; NAN: none is found. */
static double celsius(uint32_t major, const char *folder, const char *driver, const char *value)
{
	struct temp_sensor s;
	double c = -1;

	sysroot_line(&root, "file /sys/devices/pci/%s/name %s", folder, driver);
	sysroot_line(&root, "file /sys/devices/pci/%s/temp1_input %s", folder, value);
	if (temp_find(root.path, major, 0, &s))
		return -1;
	cr_expect_eq(s.disturbs, major == 8);
	return temp_read(root.path, &s, &c) == 0 ? c : -2;
}

Test(temperature, of_a_disk_with_no_sensor_is_unknown)
{
	struct temp_sensor s;

	cr_expect_eq(temp_find(root.path, 259, 0, &s), -ENOENT);
	cr_expect_eq(temp_find(root.path, 1, 1, &s), -ENOENT, "there is no such disk");
}

Test(temperature, of_nvme_below_the_controller)
{
	cr_expect_eq(celsius(259, "0000:03:00.0/nvme/nvme0/hwmon3", "nvme", "47850"), 47.85);
}

Test(temperature, of_nvme_below_the_pci_function)
{
	cr_expect_eq(celsius(259, "0000:03:00.0/hwmon/hwmon1", "nvme", "-5000"), -5.0);
}

Test(temperature, of_nvme_with_several_paths_is_the_controllers)
{
	struct temp_sensor s;
	double c;

	sysroot_line(&root, "disk nvme1n1 259:1 virtual/nvme-subsystem/nvme-subsys1 1000");
	sysroot_line(&root, "link nvme1n1 device ../../nvme-subsys1");
	sysroot_line(&root, "ln /sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1 "
			    "../../../pci/nvme1");
	sysroot_line(&root, "file /sys/devices/pci/nvme1/hwmon0/name nvme");
	sysroot_line(&root, "file /sys/devices/pci/nvme1/hwmon0/temp1_input 40850");
	cr_assert_eq(temp_find(root.path, 259, 1, &s), 0);
	cr_assert_eq(temp_read(root.path, &s, &c), 0);
	cr_expect_eq(c, 40.85);
}

Test(temperature, of_sata_gets_between_its_commands)
{
	cr_expect_eq(
		celsius(8, "ata1/host0/target0:0:0/0:0:0:0/hwmon/hwmon0", "drivetemp", "31000"),
		31.0);
}

Test(temperature, of_another_sensor_is_not_the_disks)
{
	cr_expect_eq(celsius(259, "0000:03:00.0/hwmon/hwmon1", "iwlwifi", "47850"), -1);
}

Test(temperature, nonsense_is_unknown)
{
	static const char *const texts[] = {"-273150", "-", "12x", "999999999999999999999",
					    "65535000"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_expect_eq(celsius(259, "0000:03:00.0/hwmon/hwmon1", "nvme", texts[i]), -2,
			     "'%s'", texts[i]);
		sysroot_line(&root, "rm /sys/devices/pci/0000:03:00.0/hwmon/hwmon1/name");
		sysroot_line(&root, "rm /sys/devices/pci/0000:03:00.0/hwmon/hwmon1/temp1_input");
	}
}

/* ---- the thread ---- */

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static bool fill_until(struct thermo *t, struct disk_rate *d, bool measuring, bool known)
{
	for (int i = 0; i < 2500; i++) {
		thermo_fill(t, d, 1, measuring);
		if (d->has_temp == known)
			return true;
		nap();
	}
	return false;
}

Test(temperature, is_asked_again_and_again)
{
	struct disk_rate d = {.major = 259, .is_target = true};
	struct thermo *t = thermo_start(root.path, NSEC_PER_MSEC);

	sysroot_line(&root, "file /sys/devices/pci/0000:03:00.0/hwmon/hwmon1/name nvme");
	sysroot_line(&root, "file /sys/devices/pci/0000:03:00.0/hwmon/hwmon1/temp1_input 47850");
	cr_assert(fill_until(t, &d, true, true), "nvme is asked during a run too");
	cr_expect_eq(d.temp_c, 47.85);
	thermo_stop(t);
}

Test(temperature, of_sata_is_asked_only_while_it_is_not_measured)
{
	struct disk_rate d = {.major = 8, .is_target = true};
	struct thermo *t = thermo_start(root.path, NSEC_PER_MSEC);

	sysroot_line(&root,
		     "file /sys/devices/pci/ata1/host0/target0:0:0/0:0:0:0/hwmon/hwmon0/name "
		     "drivetemp");
	sysroot_line(&root, "file /sys/devices/pci/ata1/host0/target0:0:0/0:0:0:0/hwmon/hwmon0/"
			    "temp1_input 31000");
	for (int i = 0; i < 20; i++, nap()) {
		thermo_fill(t, &d, 1, true);
		cr_assert_not(d.has_temp);
	}
	cr_expect(fill_until(t, &d, false, true));
	cr_expect_eq(d.temp_c, 31.0);
	thermo_stop(t);
}

/* A reader of a pipe that nobody writes to waits as one of a hung disk does. */
Test(temperature, a_disk_that_does_not_answer_holds_up_nobody)
{
	struct disk_rate d = {.major = 259};
	struct thermo *t = thermo_start(root.path, NSEC_PER_MSEC);
	uint64_t from = clock_mono_ns();
	char pipe[256];
	int fd = -1;

	sysroot_line(&root, "file /sys/devices/pci/0000:03:00.0/hwmon/hwmon1/name nvme");
	snprintf(pipe, sizeof(pipe), "%s/sys/devices/pci/0000:03:00.0/hwmon/hwmon1/temp1_input",
		 root.path);
	cr_assert_eq(mkfifo(pipe, 0600), 0);
	for (int i = 0; i < 10; i++, nap())
		thermo_fill(t, &d, 1, false);
	cr_expect_not(d.has_temp);
	thermo_stop(t);
	cr_expect_lt(clock_mono_ns() - from, 5 * NSEC_PER_SEC);
	/* It answers at last: the thread that was left behind ends and frees what it holds. */
	for (int i = 0; i < 500 && fd < 0; i++, nap())
		fd = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	for (int i = 0; i < 50; i++)
		nap();
}
