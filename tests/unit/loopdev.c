#include "tests/unit/loopdev.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 64 /* other programs take free loop devices too */

void loopdev_sandbox(char folder[64])
{
	folder[0] = '\0';
	if (access("/dev/loop-control", R_OK | W_OK))
		cr_skip("no loop devices here: %s", strerror(errno));
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		cr_skip("mounting is not possible here: %s", strerror(errno));
	strcpy(folder, "/tmp/iodeck-loop.XXXXXX");
	cr_assert(mkdtemp(folder), "%m");
}

void loopdev_sandbox_remove(const char *folder)
{
	char command[96];

	if (!folder[0])
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	cr_expect_eq(system(command), 0);
}

static bool configure(struct loopdev *l, int backing, const struct loopdev_cfg *cfg)
{
	struct loop_config config = {
		.fd = (uint32_t)backing,
		.block_size = cfg->block_bytes,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR | (cfg->read_only ? LO_FLAGS_READ_ONLY : 0) |
				 (cfg->partitions ? LO_FLAGS_PARTSCAN : 0),
	};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), nr;

	if (control < 0)
		cr_skip("no loop devices here: %s", strerror(errno));
	nr = ioctl(control, LOOP_CTL_GET_FREE);
	close(control);
	snprintf(l->path, sizeof(l->path), "/dev/loop%d", nr);
	l->number = (unsigned)nr;
	/* The driver makes a device that was set up through a read-only descriptor read-only. */
	l->fd = open(l->path, (cfg->read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	if (l->fd >= 0 && ioctl(l->fd, LOOP_CONFIGURE, &config) == 0)
		return true;
	if (l->fd < 0 || errno != EBUSY)
		cr_skip("%s: %s", l->path, strerror(errno));
	close(l->fd);
	return false;
}

void loopdev_open(struct loopdev *l, const char *folder, const char *name,
		  const struct loopdev_cfg *cfg)
{
	int backing, tries = 0;

	if (cfg->backing)
		snprintf(l->image, sizeof(l->image), "%s", cfg->backing);
	else
		snprintf(l->image, sizeof(l->image), "%s/%s", folder, name);
	backing = open(l->image, (cfg->read_only ? O_RDONLY : O_RDWR) | O_CREAT | O_CLOEXEC, 0600);
	cr_assert_geq(backing, 0, "%s: %m", l->image);
	if (cfg->bytes)
		cr_assert_eq(ftruncate(backing, (off_t)cfg->bytes), 0);
	while (!configure(l, backing, cfg))
		cr_assert_lt(++tries, TRIES, "no free loop device");
	close(backing);
}

void loopdev_close(struct loopdev *l)
{
	if (l->path[0] && l->fd >= 0)
		close(l->fd);
	l->path[0] = '\0';
}

void loopdev_replace(struct loopdev *l, const char *backing)
{
	struct loop_config config = {.info.lo_flags = LO_FLAGS_AUTOCLEAR};
	int file = open(backing, O_RDWR | O_CLOEXEC);

	cr_assert_geq(file, 0, "%s: %m", backing);
	/* With one opener only the old file goes at once. */
	cr_assert_eq(ioctl(l->fd, LOOP_CLR_FD), 0, "%m");
	close(l->fd);
	l->fd = open(l->path, O_RDWR | O_CLOEXEC);
	cr_assert_geq(l->fd, 0, "%m");
	config.fd = (uint32_t)file;
	if (ioctl(l->fd, LOOP_CONFIGURE, &config))
		cr_skip("somebody else took %s: %s", l->path, strerror(errno));
	close(file);
}

static void put_le32(unsigned char *p, uint64_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> (8 * i));
}

void loopdev_write_table(const char *image, uint64_t bytes)
{
	const uint64_t start = 2048, half = bytes / 512 / 2, end = bytes / 512;
	unsigned char sector[512] = {0}, *entry = sector + 446;
	int fd = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0, "%s: %m", image);
	cr_assert_eq(ftruncate(fd, (off_t)bytes), 0);
	for (int i = 0; i < 2; i++, entry += 16) {
		entry[4] = 0x83; /* Linux */
		put_le32(entry + 8, i ? half : start);
		put_le32(entry + 12, i ? end - half : half - start);
	}
	sector[510] = 0x55;
	sector[511] = 0xaa;
	cr_assert_eq(pwrite(fd, sector, sizeof(sector), 0), sizeof(sector));
	close(fd);
}

/* By hand: a kernel without the DOS table's reader has partitions all the same. */
static bool add_partition(const struct loopdev *l, int number, uint64_t start, uint64_t bytes)
{
	struct blkpg_partition p = {
		.start = (long long)start, .length = (long long)bytes, .pno = number};
	struct blkpg_ioctl_arg arg = {.op = BLKPG_ADD_PARTITION, .datalen = sizeof(p), .data = &p};

	return ioctl(l->fd, BLKPG, &arg) == 0 || errno == EBUSY; /* EBUSY: is there already */
}

static bool wait_for_node(const char *path)
{
	for (int tries = 0; access(path, F_OK) && tries < 100; tries++)
		usleep(20000); /* made by the kernel or by udev */
	return access(path, F_OK) == 0;
}

bool loopdev_add_partitions(const struct loopdev *l, uint64_t bytes, char part[2][40])
{
	const uint64_t start = 1 << 20, half = bytes / 2;

	for (int i = 0; i < 2; i++)
		snprintf(part[i], 40, "%sp%d", l->path, i + 1);
	return add_partition(l, 1, start, half - start) &&
	       add_partition(l, 2, half, bytes - half) && wait_for_node(part[0]) &&
	       wait_for_node(part[1]);
}

uint64_t loopdev_checksum(const char *image)
{
	static unsigned char buf[1 << 16];
	uint64_t hash = 0xcbf29ce484222325ull;
	int fd = open(image, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	cr_assert_geq(fd, 0, "%s: %m", image);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t i = 0; i < n; i++)
			hash = (hash ^ buf[i]) * 0x100000001b3ull;
	close(fd);
	return hash;
}
