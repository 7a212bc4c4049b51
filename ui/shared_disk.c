#include "ui/shared_disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/dev/fileinfo.h"
#include "src/dev/link.h"
#include "src/spec/engines.h"

/* A file that is not there yet is on no disk yet. */
static bool look(const char *path, const char *fsroot, struct target_info *info)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), rc;

	if (fd < 0)
		return false;
	rc = fileinfo_get(fd, fsroot, info, NULL);
	close(fd);
	return rc == 0;
}

bool shared_disk(const char *path_a, const char *path_b, const char *fsroot,
		 const struct device_list *list, char *out, size_t size)
{
	struct target_info a, b;

	/* Lanes that name the same simulated device work on one. */
	if (spec_engine_of_target(path_a) && strcmp(path_a, path_b) == 0) {
		snprintf(out, size, "%s", path_a);
		return true;
	}
	if (!look(path_a, fsroot, &a) || !look(path_b, fsroot, &b))
		return false;
	for (size_t i = 0; i < a.n_disks; i++)
		for (size_t k = 0; k < b.n_disks; k++) {
			const struct device *x, *y;

			x = device_find_dev(list, a.disk[i].major, a.disk[i].minor);
			y = device_find_dev(list, b.disk[k].major, b.disk[k].minor);
			if (x && y && link_shared(fsroot, list, x, y, out, size))
				return true;
		}
	return false;
}
