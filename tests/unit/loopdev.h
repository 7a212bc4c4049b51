/*
 * Loop devices over files of the test's own, for tests that need a real block device. They are made
 * with autoclear, so they go with the last descriptor, however the test ends. Everything skips the test
 * when it cannot be had (no root, no loop driver, no partition scan).
 */
#ifndef IODECK_TESTS_LOOPDEV_H
#define IODECK_TESTS_LOOPDEV_H

#include <stdbool.h>
#include <stdint.h>

struct loopdev {
	int fd;          /* keeps it alive; -1: none */
	unsigned number; /* minor */
	char path[32];   /* /dev/loopN */
	char image[96];  /* the file behind it */
};

struct loopdev_cfg {
	uint64_t bytes;      /* of the new image */
	const char *backing; /* instead: this file or device */
	bool read_only, partitions;
	uint32_t block_bytes; /* 0: 512 */
};

/* A folder for images and mount points, and a mount namespace of this process's own. */
void loopdev_sandbox(char folder[64]);
void loopdev_sandbox_remove(const char *folder);
void loopdev_open(struct loopdev *, const char *folder, const char *name,
		  const struct loopdev_cfg *);
void loopdev_close(struct loopdev *);
/* Gives the device another backing file by taking the old one away: a new disk with the same name. */
void loopdev_replace(struct loopdev *, const char *backing);
/* A DOS table with two partitions, [1 MiB, +half) and the rest, in the image before it is opened. */
void loopdev_write_table(const char *image, uint64_t bytes);
/* Makes the kernel see these two; part: their paths. false: no partitions here. */
bool loopdev_add_partitions(const struct loopdev *, uint64_t bytes, char part[2][40]);
/* FNV-1a of all bytes of a file. */
uint64_t loopdev_checksum(const char *image);

#endif
