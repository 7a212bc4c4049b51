#include "src/dev/signature.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "src/dev/sysfs.h"

static const char *value(blkid_probe pr, const char *name)
{
	const char *text;

	return blkid_probe_lookup_value(pr, name, &text, NULL) == 0 ? text : NULL;
}

/* Labels are whatever somebody wrote there; control characters must not reach a terminal. */
static void clean(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

static void describe(blkid_probe pr, char out[SIGNATURE_TEXT])
{
	const char *type = value(pr, "TYPE"), *table = value(pr, "PTTYPE");
	const char *usage = value(pr, "USAGE"), *label = value(pr, "LABEL");

	if (!type)
		snprintf(out, SIGNATURE_TEXT, "%.32s partition table", table ? table : "unknown");
	else
		snprintf(out, SIGNATURE_TEXT, "%.32s%s%s%.32s", type,
			 usage && strcmp(usage, "filesystem") == 0 ? " file system" : "",
			 label ? ", label " : "", label ? label : "");
	clean(out);
}

int signature_list(int fd, char (*out)[SIGNATURE_TEXT], size_t max)
{
	blkid_probe pr = blkid_new_probe();
	size_t n = 0;
	int rc = 0;

	if (!pr)
		return -ENOMEM;
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
						      BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(pr, 1);
	errno = 0;
	if (blkid_probe_set_device(pr, fd, 0, 0))
		rc = errno ? -errno : -EIO;
	/* One result a call, through all file systems and then all tables: 1 when there are no more. */
	while (rc == 0 && n < max && (rc = blkid_do_probe(pr)) == 0)
		describe(pr, out[n++]);
	blkid_free_probe(pr);
	return rc < 0 && n == 0 ? (rc == -1 ? -EIO : rc) : (int)n;
}

/* Names in /dev can be anything. In a fixture tree a plain file stands for the device. */
static int open_node(const char *fsroot, const char *name, uint32_t major, uint32_t minor)
{
	char path[PATH_MAX];
	struct stat st;
	int fd = sysfs_path(path, sizeof(path), fsroot, "/dev/%s", name);

	if (fd < 0)
		return fd;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 &&
	    (sysfs_is_real(fsroot) ? S_ISBLK(st.st_mode) && st.st_rdev == makedev(major, minor)
				   : S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -ENODEV;
}

int signature_read(const char *fsroot, const char *name, uint32_t major, uint32_t minor,
		   char (*out)[SIGNATURE_TEXT], size_t max)
{
	int fd = open_node(fsroot, name, major, minor), n;

	if (fd < 0)
		return fd;
	n = signature_list(fd, out, max);
	close(fd);
	return n;
}
