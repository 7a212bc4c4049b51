/*
 * ownfile: a file is ours only if iodeck made it and nobody else wrote to it since. The same tests run
 * on every kind of file system: disk, tmpfs, ramfs (no attributes, no birth time), ext4 without
 * attributes (a sidecar, but with a birth time).
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "src/dev/ownfile.h"

static char folder[64], image[72];
static struct err e;

static void at(char out[160], const char *name)
{
	snprintf(out, 160, "%.63s/%.90s", folder, name);
}

static bool exists(const char *name)
{
	char path[160];
	struct stat st;

	at(path, name);
	return lstat(path, &st) == 0;
}

/* Runs a shell command in the folder; true when it succeeded. */
static bool sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static bool sh(const char *fmt, ...)
{
	char command[512];
	int n = snprintf(command, sizeof(command), "cd '%s' && ", folder);
	va_list ap;

	va_start(ap, fmt);
	n += vsnprintf(command + n, sizeof(command) - (size_t)n, fmt, ap);
	va_end(ap);
	snprintf(command + n, sizeof(command) - (size_t)n, " >/dev/null 2>&1");
	return system(command) == 0;
}

static int open_at(const char *name)
{
	char path[160];
	int fd;

	at(path, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	cr_assert_geq(fd, 0, "%s: %m", path);
	return fd;
}

static int create(const char *name)
{
	char path[160];
	int fd;

	at(path, name);
	fd = ownfile_create(path, 0, &e);
	cr_assert_geq(fd, 0, "%s", e.msg);
	return fd;
}

static bool ours(const char *name)
{
	char path[160];
	int fd = open_at(name);
	bool yes;

	at(path, name);
	yes = ownfile_is_ours(fd, path);
	close(fd);
	return yes;
}

static void cleanup(void)
{
	if (!folder[0])
		return;
	sh("rm -rf ./* ./.??*");
	umount2(folder, MNT_DETACH);
	rmdir(folder);
	if (image[0])
		unlink(image);
}

/* A skipped test does not get to its .fini. */
static void skip(const char *why)
{
	cleanup();
	cr_skip("%s", why);
}

static void make_folder(const char *base)
{
	snprintf(folder, sizeof(folder), "%.32s/iodeck-own.XXXXXX", base);
	if (!mkdtemp(folder)) {
		folder[0] = '\0';
		cr_skip("%s: %s", base, strerror(errno));
	}
}

/* Mounts are made in a namespace of this test's own process: they go when it ends, however it ends. */
static void own_namespace(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		cr_skip("mounting is not possible here: %s", strerror(errno));
}

static void setup_ramfs(void)
{
	own_namespace();
	make_folder("/tmp");
	if (mount("ramfs", folder, "ramfs", 0, "mode=0755"))
		skip("no ramfs here");
}

static void setup_ext4_without_xattrs(void)
{
	own_namespace();
	make_folder("/tmp");
	snprintf(image, sizeof(image), "%s.img", folder);
	if (!sh("truncate -s 8M '%s' && mkfs.ext4 -q -I 256 -O ^ext_attr '%s' && "
		"mount -o loop '%s' '%s'",
		image, image, image, folder))
		skip("no ext4 image can be mounted here");
}

TestSuite(ownfile, .fini = cleanup);

static bool uses_sidecar(void)
{
	return exists(".mine.iodeck");
}

/* What must hold everywhere. */
static void check_rules(void)
{
	char path[160];
	int fd = create("mine");

	at(path, "mine");
	cr_expect(ownfile_is_ours(fd, path));
	cr_assert_eq(write(fd, "0123456789", 10), 10);
	cr_expect(ownfile_is_ours(fd, path), "our own writes do not matter before the seal");
	cr_expect_eq(ownfile_seal(fd, path, &e), 0, "%s", e.msg);
	cr_expect(ours("mine"));

	/* A copy is another file, even when all attributes come along. */
	cr_assert(sh("cp -a mine copy"));
	sh("cp -a .mine.iodeck .copy.iodeck");
	cr_expect_not(ours("copy"), "cp -a");

	/* Another file under the marked name. */
	cr_assert(sh("mv mine kept && cp -a copy mine"));
	cr_expect_not(ours("mine"), "another file took the name");
	cr_assert(sh("mv -f kept mine"));
	cr_expect(ours("mine"), "back again");

	/* Somebody's own bytes in our file. */
	usleep(20000); /* the kernel's file clock ticks every 4 to 10 ms */
	cr_assert(sh("printf precious12 >mine"));
	cr_expect_not(ours("mine"), "same size, but written by somebody else");
	cr_expect_eq(ownfile_seal(fd, path, &e), -EPERM);
	cr_expect_eq(ownfile_unlink(fd, path, &e), -EPERM);
	cr_expect(exists("mine"), "and so it is kept");
	close(fd);

	/* A foreign file is never ours, nor removed. */
	cr_assert(sh("echo data >foreign"));
	cr_expect_not(ours("foreign"));
	fd = open_at("foreign");
	at(path, "foreign");
	cr_expect_eq(ownfile_unlink(fd, path, &e), -EPERM);
	cr_expect_eq(ownfile_seal(fd, path, &e), -EPERM);
	cr_expect(exists("foreign"));
	close(fd);
}

static void check_next_run(void)
{
	char path[160];
	int fd = create("mine");

	at(path, "mine");
	cr_assert_eq(ownfile_seal(fd, path, &e), 0);
	usleep(20000);
	cr_expect(ours("mine"));
	cr_assert_eq(ownfile_mark(fd, path, &e), 0); /* the next run starts to write */
	cr_assert_eq(write(fd, "x", 1), 1);
	cr_expect(ours("mine"), "a run that was killed leaves it ours");
	cr_assert_eq(ownfile_seal(fd, path, &e), 0);
	cr_expect(ours("mine"));
	cr_expect_eq(ownfile_unlink(fd, path, &e), 0, "%s", e.msg);
	cr_expect_not(exists("mine"));
	cr_expect_not(exists(".mine.iodeck"), "the sidecar goes with it");
	close(fd);
}

static void check_create(void)
{
	char path[160];
	int fd;

	cr_assert(sh("echo data >there; ln -s there link; ln -s nowhere dangling; mkdir sub"));
	at(path, "there");
	cr_expect_eq(ownfile_create(path, 0, &e), -EEXIST);
	cr_expect(strstr(e.msg, path));
	at(path, "link");
	cr_expect_eq(ownfile_create(path, 0, &e), -EEXIST);
	at(path, "dangling");
	cr_expect_eq(ownfile_create(path, 0, &e), -EEXIST);
	cr_expect_not(exists("nowhere"));
	at(path, "sub/none/f");
	cr_expect_eq(ownfile_create(path, 0, &e), -ENOENT);
	at(path, "sub");
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_expect_eq(ownfile_mark(fd, path, &e), -EINVAL, "a folder is not marked");
	cr_expect_not(ownfile_is_ours(fd, path));
	close(fd);
	at(path, "direct");
	fd = ownfile_create(path, O_DIRECT, &e);
	if (fd >= 0) {
		cr_expect(fcntl(fd, F_GETFL) & O_DIRECT);
		close(fd);
	} else {
		cr_expect_not(exists("direct"), "refused O_DIRECT leaves nothing behind");
		cr_expect_not(exists(".direct.iodeck"));
	}
}

static void check_unlink_race(void)
{
	char path[160];
	int fd = create("mine");

	at(path, "mine");
	cr_assert(sh("mv mine away && echo theirs >mine"));
	cr_expect_lt(ownfile_unlink(fd, path, &e), 0);
	cr_expect(exists("mine"), "another file has the name now");
	close(fd);
}

#define ON(fs, setup)                                                                              \
	Test(ownfile, rules_on_##fs)                                                               \
	{                                                                                          \
		setup;                                                                             \
		check_rules();                                                                     \
	}                                                                                          \
	Test(ownfile, next_run_on_##fs)                                                            \
	{                                                                                          \
		setup;                                                                             \
		check_next_run();                                                                  \
	}                                                                                          \
	Test(ownfile, create_on_##fs)                                                              \
	{                                                                                          \
		setup;                                                                             \
		check_create();                                                                    \
	}                                                                                          \
	Test(ownfile, unlink_race_on_##fs)                                                         \
	{                                                                                          \
		setup;                                                                             \
		check_unlink_race();                                                               \
	}

ON(disk, make_folder("/tmp"))
ON(tmpfs, make_folder("/dev/shm"))
ON(ramfs, setup_ramfs())
ON(ext4_without_xattrs, setup_ext4_without_xattrs())

Test(ownfile, the_fallback_is_really_used)
{
	setup_ramfs();
	close(create("mine"));
	cr_expect(uses_sidecar());
}

Test(ownfile, the_attribute_is_really_used)
{
	char value[256];
	ssize_t n;
	int fd;

	make_folder("/tmp");
	fd = create("mine");
	n = fgetxattr(fd, "user.iodeck", value, sizeof(value));
	close(fd);
	if (n < 0)
		cr_skip("/tmp has no user attributes here");
	cr_expect_eq(strncmp(value, "iodeck 1 ino=", 13), 0);
	cr_expect_not(uses_sidecar(), "no litter where it is not needed");
}

/* A restored backup may get the old inode number and brings the attribute along. */
Test(ownfile, a_mark_on_a_reused_inode_does_not_count)
{
	char path[160], value[256];
	struct stat old, new = {0};
	ssize_t n;
	int fd;

	make_folder("/tmp");
	fd = create("mine");
	at(path, "mine");
	n = fgetxattr(fd, "user.iodeck", value, sizeof(value));
	cr_assert_eq(fstat(fd, &old), 0);
	close(fd);
	cr_assert_eq(unlink(path), 0);
	for (int i = 0; n > 0 && i < 1000 && new.st_ino != old.st_ino; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", i);
		at(path, name);
		usleep(i ? 0 : 20000); /* a later birth than the first file's */
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		cr_assert_eq(fstat(fd, &new), 0);
		if (new.st_ino != old.st_ino)
			close(fd);
	}
	if (n <= 0 || new.st_ino != old.st_ino)
		skip("no attributes, or inodes are not used again here");
	cr_assert_eq(fsetxattr(fd, "user.iodeck", value, (size_t)n, 0), 0);
	cr_expect_not(ownfile_is_ours(fd, path));
	close(fd);
}

Test(ownfile, damaged_marks_do_not_count)
{
	static const char *const marks[] = {
		"",        "iodeck",         "iodeck 1", "iodeck 1 ino=1",
		"1\n2\n3", "iodeck 2 ino=1", "\xff\xff"};
	char path[160], value[512] = {0};
	ssize_t n;
	int fd;

	make_folder("/dev/shm");
	fd = create("mine");
	at(path, "mine");
	n = fgetxattr(fd, "user.iodeck", value, sizeof(value) - 2);
	if (n < 0)
		cr_skip("/dev/shm has no user attributes here");
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		cr_assert_eq(fsetxattr(fd, "user.iodeck", marks[i], strlen(marks[i]), 0), 0);
		cr_expect_not(ownfile_is_ours(fd, path), "mark %zu", i);
	}
	for (ssize_t len = 0; len < n; len++) { /* cut short */
		cr_assert_eq(fsetxattr(fd, "user.iodeck", value, (size_t)len, 0), 0);
		cr_expect_not(ownfile_is_ours(fd, path), "%zd bytes", len);
	}
	value[n] = '0'; /* one digit more */
	cr_assert_eq(fsetxattr(fd, "user.iodeck", value, (size_t)n + 1, 0), 0);
	cr_expect_not(ownfile_is_ours(fd, path));
	memset(value, 'x', sizeof(value));
	cr_assert_eq(fsetxattr(fd, "user.iodeck", value, sizeof(value), 0), 0);
	cr_expect_not(ownfile_is_ours(fd, path), "longer than any mark");
	close(fd);
}

Test(ownfile, a_strangers_sidecar_does_not_count)
{
	if (geteuid() != 0)
		cr_skip("needs root to make a file of another user");
	setup_ramfs();
	close(create("mine"));
	cr_expect(ours("mine"));
	cr_assert(sh("chown 65534 .mine.iodeck"));
	cr_expect_not(ours("mine"));
	cr_assert(sh("mv .mine.iodeck real && chown 0 real && ln -s real .mine.iodeck"));
	cr_expect_not(ours("mine"), "nor does a link");
}

Test(ownfile, a_name_too_long_for_a_sidecar_leaves_nothing_behind)
{
	char path[512], name[256];

	setup_ramfs();
	memset(name, 'n', 250);
	name[250] = '\0';
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	cr_expect_eq(ownfile_create(path, 0, &e), -ENAMETOOLONG);
	cr_expect_eq(access(path, F_OK), -1);
}
