/*
 * guard on real devices: loop devices over files of this test, mounts in a namespace of its own. Every
 * attempt that is refused or not confirmed leaves the bytes of the backing file as they were.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/dev/fileinfo.h"
#include "src/dev/guard.h"
#include "src/dev/ownfile.h"
#include "tests/unit/loopdev.h"

#define MIB (1024ull * 1024)

static char folder[64], mnt[80];
static struct loopdev a = {.fd = -1}, b = {.fd = -1};
static struct err e;

static void setup(void)
{
	loopdev_sandbox(folder);
	snprintf(mnt, sizeof(mnt), "%s/mnt", folder);
	cr_assert_eq(mkdir(mnt, 0700), 0);
}

static void cleanup(void)
{
	umount2(mnt, MNT_DETACH);
	loopdev_close(&b);
	loopdev_close(&a);
	loopdev_sandbox_remove(folder);
}

/* A skipped test does not get to its .fini. */
static void skip(const char *why)
{
	cleanup();
	cr_skip("%s", why);
}

TestSuite(guard_real, .init = setup, .fini = cleanup, .timeout = 120);

static bool sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static bool sh(const char *fmt, ...)
{
	char command[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	snprintf(command + n, sizeof(command) - (size_t)n, " >/dev/null 2>&1");
	return system(command) == 0;
}

static void make_ext4(const char *device)
{
	if (!sh("mkfs.ext4 -q -F -L precious '%s'", device))
		skip("no mkfs.ext4 here");
}

static void mount_at(const char *device)
{
	cr_assert_eq(mount(device, mnt, "ext4", MS_RDONLY, NULL), 0, "%s: %m", device);
}

static void open_whole(void)
{
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.bytes = 16 * MIB});
}

/* A device with two partitions; part holds their paths. */
static char part[2][40];

static void open_partitioned(void)
{
	char image[96];

	snprintf(image, sizeof(image), "%s/a.img", folder);
	loopdev_write_table(image, 32 * MIB);
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.partitions = true});
	if (!loopdev_add_partitions(&a, 32 * MIB, part))
		skip("no partitions on loop devices here");
}

static enum guard_verdict inspect(const char *path, struct guard_report *r)
{
	struct guard_intent want = {.writes = true};
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert_geq(fd, 0, "%s: %m", path);
	guard_inspect(fd, path, "", &want, r);
	close(fd);
	return r->verdict;
}

/* Consent to whatever is asked, in every way there is. */
static struct write_grant *insist(const struct guard_report *r, const char *path)
{
	const char *const list[] = {path};
	struct guard_consent all = {.typed = r->phrase,
				    .destroy = list,
				    .n_destroy = 1,
				    .overwrite = list,
				    .n_overwrite = 1};

	return guard_grant(r, &all, &e);
}

/* Refused for `reason` however much is said, and nothing is changed. */
static void expect_refused(const char *path, enum guard_reason reason)
{
	uint64_t before = loopdev_checksum(a.image);
	struct guard_report r;
	char text[2048];

	inspect(path, &r);
	guard_text(&r, text, sizeof(text));
	cr_expect_eq(r.verdict, GUARD_REFUSE, "%s: %s", path, text);
	cr_expect(guard_has_reason(&r, reason), "%s: %s", path, text);
	cr_expect_null(insist(&r, path), "%s", path);
	cr_expect(strstr(e.msg, "refused"), "%s", e.msg);
	cr_expect_eq(loopdev_checksum(a.image), before, "%s: bytes changed", path);
}

static struct write_grant *expect_confirm(const char *path)
{
	uint64_t before = loopdev_checksum(a.image);
	struct write_grant *g;
	struct guard_report r;
	char text[2048];

	inspect(path, &r);
	guard_text(&r, text, sizeof(text));
	cr_assert_eq(r.verdict, GUARD_CONFIRM, "%s: %s", path, text);
	cr_expect_null(guard_grant(&r, NULL, &e), "nothing was said");
	cr_expect(strstr(e.msg, "--allow-destroy"), "%s", e.msg);
	cr_expect_null(guard_grant(&r, &(struct guard_consent){.typed = "yes"}, &e));
	g = insist(&r, path);
	cr_assert(g, "%s", e.msg);
	cr_expect_eq(loopdev_checksum(a.image), before, "asking changes nothing");
	return g;
}

static void expect_opens(const struct write_grant *g, const char *path)
{
	int fd = guard_open(g, path, "", 0, &e);

	cr_assert_geq(fd, 0, "%s", e.msg);
	cr_expect_eq(pwrite(fd, "x", 1, 0), 1, "%m");
	cr_expect_eq(guard_recheck(g, fd, "", &e), 0, "%s", e.msg);
	close(fd);
}

/* --- refusals --- */

Test(guard_real, mounted_partition_its_disk_and_the_one_beside)
{
	struct write_grant *g;

	open_partitioned();
	make_ext4(part[0]);
	mount_at(part[0]);
	expect_refused(a.path, GUARD_MOUNTED);
	expect_refused(a.path, GUARD_EXCLUSIVE);
	expect_refused(part[0], GUARD_MOUNTED);
	expect_refused(part[0], GUARD_EXCLUSIVE);
	g = expect_confirm(part[1]);
	expect_opens(g, part[1]);
	cr_expect_lt(guard_open(g, part[0], "", 0, &e), 0, "a grant is for one device");
	cr_expect_lt(guard_open(g, a.path, "", 0, &e), 0);
	guard_grant_free(g);
	umount(mnt);
	cr_expect(sh("e2fsck -fn '%s'", part[0]), "the file system beside is whole");
}

Test(guard_real, links_and_dev_fd_lead_to_the_same_device)
{
	char path[96], chain[96], dev_fd[32];
	struct write_grant *g;
	int fd;

	open_whole();
	snprintf(path, sizeof(path), "%s/by-id", folder);
	snprintf(chain, sizeof(chain), "%s/chain", folder);
	cr_assert_eq(symlink(a.path, path), 0);
	cr_assert_eq(symlink("by-id", chain), 0);
	fd = open(a.path, O_RDONLY | O_CLOEXEC);
	snprintf(dev_fd, sizeof(dev_fd), "/dev/fd/%d", fd);
	g = expect_confirm(chain);
	expect_opens(g, chain);
	guard_grant_free(g);
	g = expect_confirm(dev_fd);
	expect_opens(g, dev_fd);
	expect_opens(g, a.path);
	guard_grant_free(g);
	make_ext4(a.path);
	mount_at(a.path);
	expect_refused(a.path, GUARD_MOUNTED);
	expect_refused(path, GUARD_MOUNTED);
	expect_refused(chain, GUARD_MOUNTED);
	expect_refused(dev_fd, GUARD_MOUNTED);
	close(fd);
}

Test(guard_real, a_node_of_another_name_is_the_same_device)
{
	char node[96];
	struct stat st;

	open_whole();
	make_ext4(a.path);
	mount_at(a.path);
	cr_assert_eq(stat(a.path, &st), 0);
	snprintf(node, sizeof(node), "%s/innocent", folder);
	if (mknod(node, S_IFBLK | 0600, st.st_rdev) || open(node, O_RDONLY | O_CLOEXEC) < 0)
		skip("no device nodes here");
	expect_refused(node, GUARD_MOUNTED);
}

Test(guard_real, swap)
{
	open_whole();
	if (!sh("mkswap '%s'", a.path) || swapon(a.path, 0))
		skip("no swap here");
	expect_refused(a.path, GUARD_SWAP);
	expect_refused(a.path, GUARD_EXCLUSIVE);
	cr_assert_eq(swapoff(a.path), 0);
	guard_grant_free(expect_confirm(a.path));
}

Test(guard_real, a_loop_device_on_it_holds_it)
{
	open_whole();
	loopdev_open(&b, folder, "", &(struct loopdev_cfg){.backing = a.path});
	expect_refused(a.path, GUARD_HELD);
	guard_grant_free(expect_confirm(b.path));
	make_ext4(b.path);
	mount_at(b.path);
	expect_refused(a.path, GUARD_MOUNTED);
	expect_refused(b.path, GUARD_MOUNTED);
}

Test(guard_real, read_only_device)
{
	open_whole();
	loopdev_close(&a);
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.read_only = true});
	expect_refused(a.path, GUARD_READ_ONLY);
}

Test(guard_real, empty_device)
{
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.bytes = 0});
	expect_refused(a.path, GUARD_EMPTY);
}

Test(guard_real, opened_exclusively_by_a_program)
{
	int fd;

	open_whole();
	fd = open(a.path, O_RDONLY | O_EXCL | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	expect_refused(a.path, GUARD_EXCLUSIVE);
	close(fd);
	guard_grant_free(expect_confirm(a.path));
}

/* A child with a mount namespace that we are not in. */
static pid_t mount_elsewhere(void)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		byte = unshare(CLONE_NEWNS) == 0 &&
		       mount(a.path, mnt, "ext4", MS_RDONLY, NULL) == 0;
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	cr_expect_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	cr_expect(byte, "the child could not mount");
	return pid;
}

Test(guard_real, mounted_in_another_namespace_only)
{
	pid_t child;

	open_whole();
	make_ext4(a.path);
	child = mount_elsewhere();
	expect_refused(a.path, GUARD_MOUNTED);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

Test(guard_real, a_loop_devices_file_is_in_use)
{
	int fd;

	open_whole();
	expect_refused(a.image, GUARD_HELD);
	fd = open(a.image, O_RDWR | O_CLOEXEC);
	cr_assert_eq(ownfile_mark(fd, a.image, &e), 0, "%s", e.msg);
	expect_refused(a.image, GUARD_HELD); /* also when we made it */
	close(fd);
}

/* --- what is there --- */

Test(guard_real, signatures_are_listed)
{
	struct guard_report r;
	char text[2048];

	open_partitioned();
	make_ext4(part[0]);
	inspect(a.path, &r);
	guard_text(&r, text, sizeof(text));
	cr_expect_eq(r.verdict, GUARD_CONFIRM);
	cr_expect(guard_has_reason(&r, GUARD_SIGNATURE));
	cr_expect(strstr(text, "holds: dos partition table"), "%s", text);
	inspect(part[0], &r);
	guard_text(&r, text, sizeof(text));
	cr_expect(strstr(text, "holds: ext4 file system, label precious"), "%s", text);
	inspect(part[1], &r);
	cr_expect_not(guard_has_reason(&r, GUARD_SIGNATURE));
}

Test(guard_real, consent_names_exactly_this_device)
{
	struct guard_consent c = {0};
	struct guard_report r;

	open_partitioned();
	inspect(part[1], &r);
	const char *const wrong[] = {a.path, part[0], a.image, "/dev/null", "/nonexistent", ""};
	c.destroy = wrong;
	c.n_destroy = sizeof(wrong) / sizeof(*wrong);
	cr_expect_null(guard_grant(&r, &c, &e));
	const char *const right[] = {part[1]};
	struct guard_consent over = {.overwrite = right, .n_overwrite = 1};
	cr_expect_null(guard_grant(&r, &over, &e), "--allow-overwrite is for files");
}

/* Partitions of one disk differ in nothing but the number. */
Test(guard_real, a_grant_opens_no_other_partition_and_not_the_disk)
{
	struct write_grant *g;

	open_partitioned();
	g = expect_confirm(part[1]);
	cr_expect_eq(guard_open(g, part[0], "", 0, &e), -ENODEV);
	cr_expect_eq(guard_open(g, a.path, "", 0, &e), -ENODEV);
	expect_opens(g, part[1]);
	guard_grant_free(g);
}

/* --- what happens after the consent --- */

Test(guard_real, mounted_between_the_dialog_and_the_start)
{
	struct write_grant *g;
	uint64_t before;

	open_whole();
	make_ext4(a.path);
	g = expect_confirm(a.path);
	mount_at(a.path);
	before = loopdev_checksum(a.image);
	cr_expect_eq(guard_open(g, a.path, "", 0, &e), -EBUSY);
	cr_expect(strstr(e.msg, "exclusively"), "%s", e.msg);
	cr_expect_eq(loopdev_checksum(a.image), before);
	guard_grant_free(g);
}

Test(guard_real, held_by_a_loop_device_between_the_dialog_and_the_start)
{
	struct write_grant *g;

	open_whole();
	g = expect_confirm(a.path);
	loopdev_open(&b, folder, "", &(struct loopdev_cfg){.backing = a.path});
	cr_expect_eq(guard_open(g, a.path, "", 0, &e), -EBUSY, "O_EXCL alone does not see this");
	cr_expect(strstr(e.msg, "is built on"), "%s", e.msg);
	guard_grant_free(g);
}

Test(guard_real, another_disk_under_the_same_number)
{
	char other[96];
	struct write_grant *g;
	uint64_t before;

	open_whole();
	g = expect_confirm(a.path);
	snprintf(other, sizeof(other), "%s/other.img", folder);
	cr_assert(sh("truncate -s 16M '%s' && mkfs.ext4 -q -F '%s'", other, other));
	loopdev_replace(&a, other);
	before = loopdev_checksum(other);
	cr_expect_eq(guard_open(g, a.path, "", 0, &e), -ENODEV);
	cr_expect_eq(loopdev_checksum(other), before);
	guard_grant_free(g);
}

Test(guard_real, a_link_that_was_turned_to_another_device)
{
	char path[96];
	struct write_grant *g;

	open_whole();
	loopdev_open(&b, folder, "b.img", &(struct loopdev_cfg){.bytes = 16 * MIB});
	snprintf(path, sizeof(path), "%s/link", folder);
	cr_assert_eq(symlink(a.path, path), 0);
	g = expect_confirm(path);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(symlink(b.path, path), 0);
	cr_expect_eq(guard_open(g, path, "", 0, &e), -ENODEV);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(symlink(a.image, path), 0);
	cr_expect_lt(guard_open(g, path, "", 0, &e), 0, "nor to a file");
	guard_grant_free(g);
}

Test(guard_real, held_for_the_whole_run)
{
	struct write_grant *g;
	int fd, more;

	open_whole();
	make_ext4(a.path);
	g = expect_confirm(a.path);
	fd = guard_open(g, a.path, "", O_DIRECT, &e);
	cr_assert_geq(fd, 0, "%s", e.msg);
	cr_expect(fcntl(fd, F_GETFL) & O_DIRECT);
	cr_expect_neq(mount(a.path, mnt, "ext4", MS_RDONLY, NULL), 0, "nobody can mount it");
	cr_expect_eq(guard_open(g, a.path, "", 0, &e), -EBUSY, "one holder");
	more = guard_reopen(g, fd, 0, &e);
	cr_expect_geq(more, 0, "%s", e.msg);
	cr_expect_not(fcntl(more, F_GETFL) & O_DIRECT);
	close(more);
	close(fd);
	guard_grant_free(g);
}

Test(guard_real, recheck_sees_a_new_user_and_a_vanished_device)
{
	struct write_grant *g;
	int fd;

	open_whole();
	g = expect_confirm(a.path);
	fd = guard_open(g, a.path, "", 0, &e);
	cr_assert_geq(fd, 0, "%s", e.msg);
	cr_expect_eq(guard_recheck(g, fd, "", &e), 0, "%s", e.msg);
	loopdev_open(&b, folder, "", &(struct loopdev_cfg){.backing = a.path});
	cr_expect_eq(guard_recheck(g, fd, "", &e), -EBUSY);
	loopdev_close(&b);
	cr_expect_eq(guard_recheck(g, fd, "", &e), 0, "%s", e.msg);
	cr_assert_eq(truncate(a.image, 0), 0);
	cr_assert_eq(ioctl(a.fd, LOOP_SET_CAPACITY), 0);
	cr_expect_eq(guard_recheck(g, fd, "", &e), -ENODEV, "a pulled disk has the size 0");
	close(fd);
	guard_grant_free(g);
}

/* --- fileinfo and the device list see the same device --- */

Test(guard_real, fileinfo_and_list_of_a_4kn_device)
{
	struct device_list list;
	const struct device *d;
	struct target_info info;

	loopdev_open(&a, folder, "a.img",
		     &(struct loopdev_cfg){.bytes = 16 * MIB, .block_bytes = 4096});
	cr_assert_eq(fileinfo_get(a.fd, "", &info, &e), 0);
	cr_expect_eq(info.kind, TARGET_BLOCK);
	cr_expect_eq(info.size_bytes, 16 * MIB);
	cr_expect_eq(info.logical_block, 4096);
	cr_assert_eq(info.n_disks, 1);
	cr_expect_eq(info.disk[0].minor, a.number);
	cr_assert_eq(device_list_load("", &list, &e), 0, "%s", e.msg);
	d = device_find_dev(&list, info.major, info.minor);
	cr_assert(d);
	cr_expect_eq(d->kind, DEV_LOOP);
	cr_expect_eq(d->logical_block, 4096);
	cr_expect_str_eq(d->backing, a.image);
	cr_expect_neq(d->backing_ino, 0);
	device_list_fini(&list);
}

Test(guard_real, fileinfo_of_a_partition_names_its_disk)
{
	struct target_info info;
	int fd;

	open_partitioned();
	fd = open(part[1], O_RDONLY | O_CLOEXEC);
	cr_assert_eq(fileinfo_get(fd, "", &info, &e), 0);
	cr_expect_eq(info.size_bytes, 16 * MIB);
	cr_assert_eq(info.n_disks, 1);
	cr_expect_eq(info.disk[0].major, 7);
	cr_expect_eq(info.disk[0].minor, a.number);
	cr_expect_neq(info.major, 7, "its own number is another");
	close(fd);
}
