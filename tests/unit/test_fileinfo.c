/* fileinfo: what a target is, asked of its descriptor. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/dev/fileinfo.h"
#include "tests/unit/sysroot.h"

static char folder[64];

static void make_in(const char *base)
{
	snprintf(folder, sizeof(folder), "%.32s/iodeck-fi.XXXXXX", base);
	if (!mkdtemp(folder)) {
		folder[0] = '\0';
		cr_skip("%s: %s", base, strerror(errno));
	}
}

static int make_file(off_t size)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/f", folder);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	cr_assert_geq(fd, 0);
	cr_assert_eq(ftruncate(fd, size), 0);
	unlink(path); /* nothing is asked of the path */
	return fd;
}

static void cleanup(void)
{
	if (folder[0])
		rmdir(folder);
}

TestSuite(fileinfo, .fini = cleanup);

Test(fileinfo, missing)
{
	struct target_info info;
	struct err e = {0};

	cr_expect_eq(fileinfo_get(-1, "", &info, &e), 0);
	cr_expect_eq(info.kind, TARGET_MISSING);
	cr_expect_eq(info.n_disks, 0);
	cr_expect_eq(info.fs_free_bytes, UINT64_MAX);
	cr_expect_eq(fileinfo_get(9999, "", &info, &e), -EBADF);
	cr_expect(e.msg[0]);
}

Test(fileinfo, file_on_tmpfs_has_no_disk)
{
	struct target_info info;
	struct err e = {0};
	struct statfs fs;
	int fd;

	make_in("/dev/shm");
	fd = make_file(12345);
	cr_assert_eq(fstatfs(fd, &fs), 0);
	if (fs.f_type != 0x01021994)
		cr_skip("/dev/shm is no tmpfs here");
	cr_assert_eq(fileinfo_get(fd, "", &info, &e), 0);
	cr_expect_eq(info.kind, TARGET_FILE);
	cr_expect_eq(info.size_bytes, 12345);
	cr_expect(info.tmpfs);
	cr_expect_str_eq(info.fs_type, "tmpfs");
	cr_expect_eq(info.n_disks, 0);
	cr_expect_neq(info.fs_free_bytes, UINT64_MAX);
	close(fd);
}

Test(fileinfo, file_on_disk_names_its_disk)
{
	struct target_info info, dir;
	struct err e = {0};
	struct stat st;
	int fd, dfd;

	make_in("/tmp");
	fd = make_file(1 << 20);
	cr_assert_eq(fstat(fd, &st), 0);
	cr_assert_eq(fileinfo_get(fd, "", &info, &e), 0);
	cr_expect_eq(info.kind, TARGET_FILE);
	cr_expect_eq(info.size_bytes, 1 << 20);
	cr_expect_gt(info.fs_free_bytes, 0);
	if (major(st.st_dev)) {
		cr_expect_geq(info.n_disks, 1);
		cr_expect(info.logical_block >= 512 || info.no_direct, "%u", info.logical_block);
		cr_expect(info.fs_type[0]);
		cr_expect_not(info.tmpfs);
	}
	dfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_eq(fileinfo_get(dfd, "", &dir, &e), 0);
	cr_expect_eq(dir.kind, TARGET_OTHER);
	cr_expect_eq(dir.n_disks, info.n_disks, "a folder tells where a file would be made");
	cr_expect_str_eq(dir.fs_type, info.fs_type);
	cr_expect_neq(dir.fs_free_bytes, UINT64_MAX);
	close(dfd);
	close(fd);
}

Test(fileinfo, other_things)
{
	struct target_info info;
	struct err e = {0};
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), pipes[2];

	cr_assert_eq(fileinfo_get(fd, "", &info, &e), 0);
	cr_expect_eq(info.kind, TARGET_OTHER);
	close(fd);
	cr_assert_eq(pipe(pipes), 0);
	cr_assert_eq(fileinfo_get(pipes[0], "", &info, &e), 0);
	cr_expect_eq(info.kind, TARGET_OTHER);
	close(pipes[0]);
	close(pipes[1]);
}

/* Disks under a file system, over the fixture: partition -> disk, dm and md as they are. */
Test(fileinfo, disks_of_a_number)
{
	static const struct {
		uint32_t major, minor, want_major, want_minor;
		bool known;
	} row[] = {{8, 2, 8, 0, true},   {8, 0, 8, 0, true},     {252, 0, 252, 0, true},
		   {9, 0, 9, 0, true},   {104, 1, 104, 0, true}, {259, 5, 259, 5, true},
		   {0, 51, 0, 0, false}, {8, 250, 0, 0, false}};
	struct sysroot root;

	sysroot_load(&root, "server");
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct target_info info = {0};

		fileinfo_add_disk(root.path, row[i].major, row[i].minor, &info);
		fileinfo_add_disk(root.path, row[i].major, row[i].minor, &info);
		cr_assert_eq(info.n_disks, row[i].known, "row %zu", i);
		cr_expect_eq(info.disk[0].major, row[i].want_major, "row %zu", i);
		cr_expect_eq(info.disk[0].minor, row[i].want_minor, "row %zu", i);
	}
	sysroot_fini(&root);
}

Test(fileinfo, btrfs_has_all_its_members)
{
	struct target_info info = {0};
	struct sysroot root;

	sysroot_load(&root, "server");
	fileinfo_add_btrfs(root.path, "0f5c2d2e-7c0b-4a3c-9a55-08d6f8f7a001", &info);
	cr_assert_eq(info.n_disks, 2);
	cr_expect_eq(info.disk[0].minor + info.disk[1].minor, 80 + 96);
	fileinfo_add_btrfs(root.path, "no-such-uuid", &info);
	cr_expect_eq(info.n_disks, 2);
	sysroot_fini(&root);
}

Test(fileinfo, more_members_than_fit_are_cut_not_overrun)
{
	struct target_info info = {0};
	struct sysroot root;

	sysroot_init(&root);
	for (int i = 0; i < TARGET_DISK_MAX + 4; i++) {
		sysroot_line(&root, "disk sd%c 8:%d x 100", 'a' + i, i * 16);
		fileinfo_add_disk(root.path, 8, (uint32_t)i * 16, &info);
	}
	cr_expect_eq(info.n_disks, TARGET_DISK_MAX);
	sysroot_fini(&root);
}
