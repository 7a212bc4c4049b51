/*
 * guard: verdict and reasons for every kind of stack, over fixture trees; the rules for files; and what
 * a consent is worth. test_guard_real.c does the same to real devices.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/dev/guard.h"
#include "src/dev/ownfile.h"
#include "tests/unit/sysroot.h"

static struct sysroot root;
static struct device_list list;
static struct mounts mounts;

static void unload(void)
{
	device_list_fini(&list);
	mounts_fini(&mounts);
	if (root.path[0])
		sysroot_fini(&root);
	root.path[0] = '\0';
}

static void load_lists(void)
{
	struct err e = {0};

	cr_assert_eq(device_list_load(root.path, &list, &e), 0, "%s", e.msg);
	cr_assert_eq(mounts_load(root.path, MOUNTS_ALL_NAMESPACES, &mounts, &e), 0, "%s", e.msg);
}

TestSuite(guard, .fini = unload);

#define REFUSE  GUARD_REFUSE
#define CONFIRM GUARD_CONFIRM

/*
 * The table. `more`: lines added to the fixture, separated by '|'. `text`: a part of the reasons, or for
 * CONFIRM the phrase that has to be typed.
 */
static const struct row {
	const char *fixture, *device;
	enum guard_verdict verdict;
	enum guard_reason reason;
	const char *text, *more;
} rows[] = {
	/* the disk under the system, NVMe with partitions */
	{"workstation", "nvme0n1", REFUSE, GUARD_MOUNTED, "nvme0n1p3 is mounted at / (ext4)", NULL},
	{"workstation", "nvme0n1", REFUSE, GUARD_SYSTEM_DISK, "the disk that carries /", NULL},
	{"workstation", "nvme0n1p1", REFUSE, GUARD_MOUNTED, "/boot/efi (vfat)", NULL},
	{"workstation", "nvme0n1p2", REFUSE, GUARD_MOUNTED, "/boot (ext4)", NULL},
	{"workstation", "nvme0n1p3", REFUSE, GUARD_MOUNTED, "mounted at /", NULL},
	{"workstation", "nvme0n1p4", REFUSE, GUARD_SYSTEM_DISK, "nvme0n1p4 is on the disk", NULL},
	/* free disks: typed confirmation */
	{"workstation", "sda", CONFIRM, GUARD_DEVICE, "sda 894G", NULL}, /* 4Kn, no serial */
	{"workstation", "sda", CONFIRM, GUARD_DEVICE, "sda 0042", "set sda device/serial ABC-0042"},
	{"workstation", "sda", CONFIRM, GUARD_DEVICE, "sda 894G", "set sda device/serial 42"},
	{"workstation", "loop0", CONFIRM, GUARD_DEVICE, "loop0 1M", NULL}, /* over a file */
	/* LVM on a partition of a hard disk */
	{"workstation", "sdb", REFUSE, GUARD_MOUNTED, "vg_data-archive is mounted", NULL},
	{"workstation", "sdb", REFUSE, GUARD_HELD, "vg_data-archive (dm) is built on sdb1", NULL},
	{"workstation", "sdb1", REFUSE, GUARD_HELD, "vg_data-archive (dm) is built on sdb1", NULL},
	{"workstation", "dm-0", REFUSE, GUARD_MOUNTED, "/srv/archive (xfs)", NULL},
	{"workstation", "sdb1", REFUSE, GUARD_HELD, "is built on sdb1",
	 "rm /proc/self/mountinfo|rm /proc/1/mountinfo|mount 0:20 /proc proc proc"},
	/* a loop device on a partition: the kernel lists no holder */
	{"workstation", "sdb2", REFUSE, GUARD_HELD, "loop2 (loop) is built on sdb2", NULL},
	{"workstation", "loop2", CONFIRM, GUARD_DEVICE, "loop2 931G", NULL},
	{"workstation", "loop2", REFUSE, GUARD_MOUNTED, "sdb2 is mounted at /mnt",
	 "mount 8:18 /mnt ext4 /dev/sdb2"},
	{"workstation", "sdb2", REFUSE, GUARD_MOUNTED, "loop2 is mounted at /mnt",
	 "mount 7:2 /mnt ext4 /dev/loop2"},
	{"workstation", "loop3", REFUSE, GUARD_MOUNTED, "loop2 is mounted at /mnt",
	 "disk loop3 7:3 virtual/block 100|set loop3 loop/backing_file /dev/sdb2|"
	 "mount 7:2 /mnt ext4 /dev/loop2"}, /* two loops, one device */
	{"workstation", "loop3", REFUSE, GUARD_HELD, "loop2 (loop) is built on sdb2",
	 "disk loop3 7:3 virtual/block 100|set loop3 loop/backing_file /dev/sdb2"},
	{"workstation", "loop2", REFUSE, GUARD_MOUNTED, "loop2p1 is mounted at /mnt",
	 "part loop2p1 259:20 loop2 1 8 900|mount 259:20 /mnt ext4 /dev/loop2p1"},
	{"workstation", "loop3", REFUSE, GUARD_MOUNTED, "loop2p1 is mounted at /mnt",
	 "part loop2p1 259:20 loop2 1 8 900|mount 259:20 /mnt ext4 /dev/loop2p1|"
	 "disk loop3 7:3 virtual/block 100|set loop3 loop/backing_file /dev/sdb2"},
	/* a loop over a file on the very same disk: only the disk is refused */
	{"workstation", "loop0", CONFIRM, GUARD_DEVICE, "loop0 1M",
	 "rm /sys/class/block/loop0/loop/backing_file|set loop0 loop/backing_file "
	 "/home/u/disk.img"},
	/* swap, read-only, nothing there */
	{"workstation", "zram0", REFUSE, GUARD_SWAP, "zram0 is in use as swap", NULL},
	{"workstation", "sdaa", REFUSE, GUARD_READ_ONLY, "sdaa is read-only", NULL},
	{"workstation", "sdaa1", REFUSE, GUARD_READ_ONLY, "sdaa1 is read-only",
	 "part sdaa1 65:161 sdaa 1 8 100"},
	{"workstation", "loop1", REFUSE, GUARD_EMPTY, "size 0", NULL},
	/* mounted as a whole, with a partition table beside it */
	{"workstation", "sda1", REFUSE, GUARD_MOUNTED, "sda is mounted at /mnt",
	 "part sda1 8:1 sda 1 8 100|mount 8:0 /mnt vfat /dev/sda"},
	{"workstation", "sda1", REFUSE, GUARD_SWAP, "sda is in use as swap",
	 "part sda1 8:1 sda 1 8 100|swap /dev/sda partition"},
	{"workstation", "sda1", REFUSE, GUARD_HELD, "dm-9 (dm) is built on sda",
	 "part sda1 8:1 sda 1 8 100|disk dm-9 252:9 virtual/block 9|set dm-9 dm/name dm-9|on dm-9 "
	 "sda"},
	/* partitions beside each other, and on top of each other */
	{"workstation", "sda2", CONFIRM, GUARD_DEVICE, "sda2 50K",
	 "part sda1 8:1 sda 1 8 100|part sda2 8:2 sda 2 108 100|mount 8:1 /mnt ext4 /dev/sda1"},
	{"workstation", "sda5", REFUSE, GUARD_MOUNTED, "sda1 is mounted",
	 "part sda1 8:1 sda 1 8 100|part sda5 8:5 sda 5 107 100|mount 8:1 /mnt ext4 /dev/sda1"},
	/* bind mounts are further rows of the same number */
	{"workstation", "sda", REFUSE, GUARD_MOUNTED, "sda is mounted at /srv/bind",
	 "mount 8:0 /srv/bind ext4 /dev/sda"},
	/* a by-id link or another name in the mount table changes nothing: the number counts */
	{"workstation", "sda", REFUSE, GUARD_MOUNTED, "sda is mounted at /mnt",
	 "mount 8:0 /mnt ext4 /dev/disk/by-id/wwn-0x5000"},
	{"workstation", "sda", CONFIRM, GUARD_DEVICE, "sda 894G",
	 "mount 0:77 /net nfs server:/dev/sda"},
	/* a FUSE file system has a number of its own; its source still names the device */
	{"workstation", "sda", REFUSE, GUARD_MOUNTED, "/mnt (fuse)",
	 "mount 0:78 /mnt fuse /dev/sda"},
	/* root on LVM over md over two disks */
	{"server", "sda", REFUSE, GUARD_SYSTEM_DISK, "sda is on the disk that carries /", NULL},
	{"server", "sda", REFUSE, GUARD_MOUNTED, "vg0-root is mounted at /", NULL},
	{"server", "sda1", REFUSE, GUARD_SYSTEM_DISK, "sda1 is on the disk", NULL}, /* BIOS boot */
	{"server", "sdb2", REFUSE, GUARD_HELD, "md0 (md) is built on sdb2", NULL},
	{"server", "sdb3", REFUSE, GUARD_SYSTEM_DISK, "sdb3 is on the disk", NULL},
	{"server", "md0", REFUSE, GUARD_HELD, "vg0-scratch (dm) is built on md0", NULL},
	{"server", "md0", REFUSE, GUARD_SYSTEM_DISK, "md0 is on the disk", NULL},
	{"server", "dm-0", REFUSE, GUARD_SYSTEM_DISK, "vg0-root", NULL},
	{"server", "dm-1", CONFIRM, GUARD_DEVICE, "vg0-scratch 47G", NULL}, /* made to be used */
	/* NVMe with native multipath */
	{"server", "nvme1n1", CONFIRM, GUARD_DEVICE, "nvme1n1 TLE8", NULL},
	{"server", "nvme1n1", REFUSE, GUARD_MOUNTED, "/fast", "mount 259:5 /fast xfs /dev/nvme1n1"},
	/* dm multipath: both paths, the map, its kpartx partition */
	{"server", "sdc", REFUSE, GUARD_HELD, "mpatha (dm) is built on sdc", NULL},
	{"server", "sdd", REFUSE, GUARD_MOUNTED, "mpatha-part1 is mounted at /db", NULL},
	{"server", "dm-2", REFUSE, GUARD_MOUNTED, "mpatha-part1 is mounted at /db", NULL},
	{"server", "dm-3", REFUSE, GUARD_MOUNTED, "/db (xfs)", NULL},
	{"server", "dm-8", CONFIRM, GUARD_DEVICE, "mpatha-part2 4K",
	 "disk dm-8 252:8 virtual/block 8|link dm-8 dm/.x -|set dm-8 dm/name mpatha-part2|"
	 "set dm-8 dm/uuid part2-mpath-36|on dm-8 dm-2"},
	/* LUKS that is open but not mounted */
	{"server", "sde1", REFUSE, GUARD_HELD, "luks-1234 (dm) is built on sde1", NULL},
	{"server", "sde", REFUSE, GUARD_HELD, "luks-1234 (dm) is built on sde1", NULL},
	{"server", "sde", REFUSE, GUARD_SWAP, "sde2 is in use as swap", NULL},
	{"server", "sde2", REFUSE, GUARD_SWAP, "sde2 is in use as swap", NULL},
	{"server", "dm-4", CONFIRM, GUARD_DEVICE, "luks-1234 1G", NULL},
	/* file systems over several disks */
	{"server", "sdf", REFUSE, GUARD_MOUNTED, "sdf is mounted at /pool (btrfs)", NULL},
	{"server", "sdg", REFUSE, GUARD_MOUNTED, "sdg is mounted at /pool (btrfs)", NULL},
	{"server", "sdh", REFUSE, GUARD_MOUNTED, "bcachefs 77aa", NULL},
	/* mounted in a container only, and in process 1 only */
	{"server", "sdi", REFUSE, GUARD_MOUNTED, "sdi is mounted at /data", NULL},
	{"server", "sdj", REFUSE, GUARD_MOUNTED, "/hidden",
	 "mount-in 1 8:144 /hidden ext4 /dev/sdj"},
	{"server", "sdj", REFUSE, GUARD_SYSTEM_DISK, "carries /boot",
	 "mount-in 1 8:144 /boot ext4 /dev/sdj"},
	{"server", "sdj", CONFIRM, GUARD_DEVICE, "sdj 2G", NULL},
	/* odd ones */
	{"server", "vdb", CONFIRM, GUARD_DEVICE, "vdb 6789", NULL},
	{"server", "zd0", CONFIRM, GUARD_DEVICE, "zd0 500K", NULL}, /* no device folder */
	{"server", "nbd0", CONFIRM, GUARD_DEVICE, "nbd0 500K", NULL},
	{"server", "ram0", CONFIRM, GUARD_DEVICE, "ram0 4M", NULL},
	{"server", "cciss/c0d0", REFUSE, GUARD_MOUNTED, "cciss/c0d0p1 is mounted", NULL},
	{"server", "zd0", REFUSE, GUARD_HELD, "bcache7 holds zd0",
	 "ln /sys/class/block/zd0/holders/bcache7 ../../bcache7"}, /* not in /sys/dev/block */
};

static void add_lines(const char *more)
{
	char *copy = strdup(more), *save, *line;

	for (line = strtok_r(copy, "|", &save); line; line = strtok_r(NULL, "|", &save))
		sysroot_line(&root, "%s", line);
	free(copy);
}

Test(guard, table)
{
	const char *loaded = ""; /* a fixture without additions serves several rows */

	cr_assert_geq(sizeof(rows) / sizeof(*rows), 40);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		const struct device *d;
		struct guard_report r;
		char text[4096];

		if (row->more || strcmp(loaded, row->fixture)) {
			unload();
			sysroot_load(&root, row->fixture);
			if (row->more)
				add_lines(row->more);
			load_lists();
			loaded = row->more ? "" : row->fixture;
		}
		d = device_find_name(&list, row->device);
		cr_assert(d, "row %zu: no %s", i, row->device);
		guard_judge(&list, &mounts, d, &r);
		guard_text(&r, text, sizeof(text));
		cr_expect_eq(r.verdict, row->verdict, "row %zu, %s: verdict %d: %s", i, row->device,
			     r.verdict, text);
		cr_expect(guard_has_reason(&r, row->reason), "row %zu, %s: reasons: %s", i,
			  row->device, text);
		if (row->verdict == GUARD_CONFIRM) {
			cr_expect_str_eq(r.phrase, row->text, "row %zu: %s", i, r.phrase);
		} else {
			cr_expect(strstr(text, row->text), "row %zu: no \"%s\" in: %s", i,
				  row->text, text);
			cr_expect_str_eq(r.phrase, "", "nothing to type for a refusal");
		}
	}
}

/* The user is told all, not the first. */
Test(guard, all_reasons_are_told)
{
	struct guard_report r;
	char text[4096];

	sysroot_load(&root, "workstation");
	load_lists();
	guard_judge(&list, &mounts, device_find_name(&list, "nvme0n1"), &r);
	guard_text(&r, text, sizeof(text));
	cr_expect(strstr(text, "/boot/efi"), "%s", text);
	cr_expect(strstr(text, "at /boot "), "%s", text);
	cr_expect(strstr(text, "at / "), "%s", text);
	cr_expect(strstr(text, "on the disk"), "%s", text);
	cr_expect_null(strstr(text, "would be destroyed"), "a refusal is no question: %s", text);
	for (size_t size = 0; size < 40; size++) { /* cut, not overrun */
		memset(text, 'x', sizeof(text));
		guard_text(&r, text, size);
		cr_expect_eq(text[size], 'x');
		cr_expect(size == 0 || strlen(text) < size);
	}
}

Test(guard, more_reasons_than_fit_still_refuse)
{
	struct guard_report r;

	sysroot_load(&root, "workstation");
	for (int i = 0; i < GUARD_WHY_MAX + 5; i++)
		sysroot_line(&root, "mount 8:0 /m%d ext4 /dev/sda", i);
	load_lists();
	cr_expect_eq(guard_judge(&list, &mounts, device_find_name(&list, "sda"), &r), GUARD_REFUSE);
	cr_expect_eq(r.n_why, GUARD_WHY_MAX);
	cr_expect_geq(r.n_more, 5);
}

Test(guard, a_zeroed_report_refuses)
{
	struct guard_report r = {0};
	struct err e = {0};

	cr_expect_null(guard_grant(&r, NULL, &e));
	cr_expect(strstr(e.msg, "refused"));
}

Test(guard, a_picker_report_gives_no_grant)
{
	struct guard_report r;
	struct guard_consent yes = {0};
	struct err e = {0};

	sysroot_load(&root, "workstation");
	load_lists();
	cr_expect_eq(guard_judge(&list, &mounts, device_find_name(&list, "sda"), &r),
		     GUARD_CONFIRM);
	yes.typed = r.phrase;
	cr_expect_null(guard_grant(&r, &yes, &e), "nobody looked at the device itself");
}

/* --- files --- */

static char folder[64];
static struct err e;

static void make_folder(void)
{
	strcpy(folder, "/tmp/iodeck-guard.XXXXXX");
	cr_assert(mkdtemp(folder));
	sysroot_load(&root, "workstation");
}

static void remove_folder(void)
{
	char command[96];

	unload();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	if (folder[0])
		cr_expect_eq(system(command), 0);
}

TestSuite(guard_file, .init = make_folder, .fini = remove_folder);

static const char *at(const char *name)
{
	static char path[4][128];
	static unsigned turn;
	char *p = path[turn++ % 4];

	snprintf(p, 128, "%s/%s", folder, name);
	return p;
}

static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "we");

	cr_assert(f);
	fputs(text, f);
	fclose(f);
}

static void expect_text(const char *name, const char *text)
{
	char got[64] = "";
	FILE *f = fopen(at(name), "re");

	cr_assert(f, "%s is gone", name);
	cr_assert(fgets(got, sizeof(got), f) || !*text);
	fclose(f);
	cr_expect_str_eq(got, text, "%s was changed", name);
}

static enum guard_verdict inspect(const char *path, bool writes, uint64_t need,
				  struct guard_report *r)
{
	struct guard_intent want = {.writes = writes, .need_bytes = need};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	cr_assert_geq(fd, 0, "%s: %m", path);
	guard_inspect(fd, path, root.path, &want, r);
	close(fd);
	return r->verdict;
}

Test(guard_file, foreign_files)
{
	static const struct {
		bool writes;
		uint64_t need;
		enum guard_verdict verdict;
		enum guard_reason reason;
	} row[] = {
		{false, 0, GUARD_ALLOW, 0},
		{false, 8, GUARD_ALLOW, 0},                     /* long enough */
		{false, 9, GUARD_CONFIRM, GUARD_FOREIGN_SHORT}, /* fio would refill it */
		{true, 0, GUARD_CONFIRM, GUARD_FOREIGN_FILE},
		{true, 8, GUARD_CONFIRM, GUARD_FOREIGN_FILE},
		{true, 1 << 20, GUARD_CONFIRM, GUARD_FOREIGN_FILE},
	};
	struct guard_report r;

	write_text("data", "precious");
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		cr_expect_eq(inspect(at("data"), row[i].writes, row[i].need, &r), row[i].verdict,
			     "row %zu", i);
		if (row[i].verdict == GUARD_ALLOW) {
			cr_expect_null(guard_grant(&r, NULL, &e),
				       "row %zu: to read is no leave to write", i);
			continue;
		}
		cr_expect(guard_has_reason(&r, row[i].reason), "row %zu", i);
		cr_expect_str_eq(r.phrase, "overwrite data");
		cr_expect_null(guard_grant(&r, NULL, &e), "row %zu", i);
		cr_expect(strstr(e.msg, "--allow-overwrite"), "%s", e.msg);
	}
	expect_text("data", "precious");
}

Test(guard_file, our_files_need_no_consent)
{
	int fd = ownfile_create(at("mine"), 0, &e);
	struct write_grant *g;
	struct guard_report r;

	cr_assert_geq(fd, 0, "%s", e.msg);
	close(fd);
	cr_expect_eq(inspect(at("mine"), true, 4096, &r), GUARD_ALLOW);
	g = guard_grant(&r, NULL, &e);
	cr_assert(g, "%s", e.msg);
	fd = guard_open(g, at("mine"), root.path, 0, &e);
	cr_assert_geq(fd, 0, "%s", e.msg);
	cr_expect_eq(write(fd, "x", 1), 1);
	cr_expect_eq(guard_recheck(g, fd, root.path, &e), 0, "%s", e.msg);
	close(fd);
	guard_grant_free(g);
}

Test(guard_file, consent_by_phrase_or_by_naming_the_file)
{
	struct guard_report r;
	struct write_grant *g;

	write_text("data", "precious");
	write_text("other", "precious");
	cr_assert_eq(inspect(at("data"), true, 0, &r), GUARD_CONFIRM);
	static const char *const wrong[] = {"",
					    "y",
					    "yes",
					    "data",
					    "overwrite",
					    "overwrite dat",
					    "overwrite data ",
					    "overwrite other"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_null(guard_grant(&r, &(struct guard_consent){.typed = wrong[i]}, &e),
			       "typed \"%s\"", wrong[i]);
	g = guard_grant(&r, &(struct guard_consent){.typed = "overwrite data"}, &e);
	cr_expect(g);
	guard_grant_free(g);

	cr_assert_eq(symlink("data", at("link")), 0);
	const char *lists[][2] = {{at("other"), NULL}, {at("link"), NULL}, {at("data"), "ok"}};
	for (size_t i = 0; i < 3; i++) {
		struct guard_consent c = {.overwrite = lists[i], .n_overwrite = 1};
		struct guard_consent d = {.destroy = lists[i], .n_destroy = 1};

		g = guard_grant(&r, &c, &e);
		cr_expect_eq(g != NULL, lists[i][1] != NULL, "list %zu", i);
		guard_grant_free(g);
		cr_expect_null(guard_grant(&r, &d, &e), "--allow-destroy is for devices");
	}
	expect_text("data", "precious");
}

Test(guard_file, a_final_symlink_is_refused_for_writing)
{
	struct guard_report r;

	write_text("data", "precious");
	cr_assert_eq(symlink("data", at("link")), 0);
	cr_assert_eq(symlink("link", at("chain")), 0);
	cr_expect_eq(inspect(at("link"), true, 0, &r), GUARD_REFUSE);
	cr_expect(guard_has_reason(&r, GUARD_SYMLINK));
	cr_expect_eq(inspect(at("chain"), true, 0, &r), GUARD_REFUSE);
	cr_expect_eq(inspect(at("link"), false, 100, &r), GUARD_REFUSE, "a read job would refill");
	cr_expect_eq(inspect(at("link"), false, 8, &r), GUARD_ALLOW, "reading is harmless");
	expect_text("data", "precious");
}

Test(guard_file, dev_fd_is_a_symlink_too)
{
	struct guard_report r;
	char path[32];
	int fd;

	write_text("data", "precious");
	fd = open(at("data"), O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	cr_expect_eq(inspect(path, true, 0, &r), GUARD_REFUSE);
	close(fd);
	expect_text("data", "precious");
}

/* Something happens between the verdict and the open. */
Test(guard_file, swapped_after_the_verdict)
{
	struct guard_report r;
	struct write_grant *g;
	int fd = ownfile_create(at("mine"), 0, &e);

	close(fd);
	write_text("data", "precious");
	cr_assert_eq(inspect(at("mine"), true, 0, &r), GUARD_ALLOW);
	g = guard_grant(&r, NULL, &e);
	cr_assert(g);
	/* by a link to a foreign file */
	cr_assert_eq(rename(at("mine"), at("away")), 0);
	cr_assert_eq(symlink("data", at("mine")), 0);
	cr_expect_eq(guard_open(g, at("mine"), root.path, O_TRUNC, &e), -ELOOP);
	cr_expect(strstr(e.msg, "symbolic link"), "%s", e.msg);
	/* by a foreign file */
	cr_assert_eq(unlink(at("mine")), 0);
	cr_assert_eq(link(at("data"), at("mine")), 0);
	cr_expect_eq(guard_open(g, at("mine"), root.path, O_TRUNC, &e), -ENODEV);
	/* by nothing */
	cr_assert_eq(unlink(at("mine")), 0);
	cr_expect_eq(guard_open(g, at("mine"), root.path, O_CREAT | O_TRUNC, &e), -ENOENT);
	cr_expect_eq(access(at("mine"), F_OK), -1, "and nothing is made");
	/* and the right one again */
	cr_assert_eq(rename(at("away"), at("mine")), 0);
	fd = guard_open(g, at("mine"), root.path, 0, &e);
	cr_expect_geq(fd, 0, "%s", e.msg);
	close(fd);
	guard_grant_free(g);
	expect_text("data", "precious");
}

Test(guard_file, o_trunc_and_friends_never_get_through)
{
	struct guard_report r;
	struct write_grant *g;
	int fd;

	write_text("data", "precious");
	cr_assert_eq(inspect(at("data"), true, 0, &r), GUARD_CONFIRM);
	g = guard_grant(&r, &(struct guard_consent){.typed = "overwrite data"}, &e);
	cr_assert(g);
	fd = guard_open(g, at("data"), root.path, O_TRUNC | O_APPEND | O_CREAT, &e);
	cr_assert_geq(fd, 0, "%s", e.msg);
	cr_expect_eq(fcntl(fd, F_GETFL) & O_APPEND, 0);
	close(fd);
	guard_grant_free(g);
	expect_text("data", "precious");
}

Test(guard_file, moved_between_open_and_inspect)
{
	struct guard_intent want = {.writes = true};
	struct guard_report r;
	int fd;

	write_text("data", "precious");
	write_text("other", "x");
	fd = open(at("data"), O_RDONLY | O_CLOEXEC);
	cr_assert_eq(rename(at("other"), at("data")), 0);
	cr_expect_eq(guard_inspect(fd, at("data"), root.path, &want, &r), GUARD_REFUSE);
	cr_expect(guard_has_reason(&r, GUARD_MOVED));
	cr_assert_eq(unlink(at("data")), 0);
	cr_expect_eq(guard_inspect(fd, at("data"), root.path, &want, &r), GUARD_REFUSE);
	cr_expect(guard_has_reason(&r, GUARD_MOVED));
	close(fd);
}

Test(guard_file, things_that_are_no_storage)
{
	static const struct {
		const char *path;
		enum guard_verdict write, read;
	} row[] = {
		{"/dev/null", GUARD_ALLOW, GUARD_ALLOW},
		{"/dev/zero", GUARD_ALLOW, GUARD_ALLOW},
		{"/dev/full", GUARD_ALLOW, GUARD_ALLOW},
		{"/dev/random", GUARD_REFUSE, GUARD_ALLOW},
		{"/", GUARD_REFUSE, GUARD_ALLOW},
		{"/proc/version", GUARD_REFUSE, GUARD_ALLOW},
		{"/proc/self/comm", GUARD_REFUSE, GUARD_ALLOW},
		{"/sys/kernel/uevent_seqnum", GUARD_REFUSE, GUARD_ALLOW},
	};
	struct guard_report r;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		if (access(row[i].path, R_OK))
			continue;
		cr_expect_eq(inspect(row[i].path, true, 0, &r), row[i].write, "%s", row[i].path);
		cr_expect_eq(guard_has_reason(&r, GUARD_NOT_STORAGE), row[i].write == GUARD_REFUSE,
			     "%s", row[i].path);
		cr_expect_eq(inspect(row[i].path, false, 0, &r), row[i].read, "%s", row[i].path);
	}
	cr_assert_eq(mkfifo(at("pipe"), 0600), 0);
	cr_expect_eq(inspect(at("pipe"), true, 0, &r), GUARD_REFUSE);
}

Test(guard_file, without_sysfs_nothing_is_allowed)
{
	struct guard_report r;
	struct guard_intent want = {.writes = true};
	int fd = ownfile_create(at("mine"), 0, &e);

	cr_expect_eq(guard_inspect(fd, at("mine"), "/nonexistent", &want, &r), GUARD_REFUSE);
	cr_expect(guard_has_reason(&r, GUARD_UNKNOWN));
	close(fd);
	cr_expect_eq(guard_inspect(-1, "x", root.path, &want, &r), GUARD_REFUSE);
}
