/*
 * A file that stands for one below /proc, in a folder of this process's own that is gone at its end. For
 * targets whose parser reads a file by itself.
 */
#ifndef IODECK_TESTS_FUZZ_PROC_FILE_H
#define IODECK_TESTS_FUZZ_PROC_FILE_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "tests/fuzz/fuzz.h"

struct proc_file {
	char root[64], path[128];
};

static struct proc_file proc_file;

static inline void proc_file_remove(void)
{
	char *slash;

	unlink(proc_file.path);
	while ((slash = strrchr(proc_file.path, '/')) && slash > proc_file.path) {
		*slash = '\0';
		if (rmdir(proc_file.path) || strcmp(proc_file.path, proc_file.root) == 0)
			break;
	}
}

/* `name` is like "/proc/diskstats". Returns the folder that stands for "/". */
static inline const char *proc_file_write(const char *name, const uint8_t *data, size_t size)
{
	int fd;

	if (!proc_file.root[0]) {
		snprintf(proc_file.root, sizeof(proc_file.root), "%s/iodeck-fuzz-XXXXXX",
			 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
		FUZZ_CHECK(mkdtemp(proc_file.root));
		snprintf(proc_file.path, sizeof(proc_file.path), "%s%s", proc_file.root, name);
		for (char *p = proc_file.path + strlen(proc_file.root) + 1; (p = strchr(p, '/'));
		     p++) {
			*p = '\0';
			FUZZ_CHECK(mkdir(proc_file.path, 0700) == 0);
			*p = '/';
		}
		atexit(proc_file_remove);
	}
	fd = open(proc_file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	close(fd);
	return proc_file.root;
}

#endif
