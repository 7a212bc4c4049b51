#include "src/app_target.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "src/dev/device.h"

void app_target_identity(const char *path, char *out, size_t size)
{
	struct device_list list = {0};
	const struct device *d;
	struct stat st;

	out[0] = '\0';
	if (!path || stat(path, &st) || !S_ISBLK(st.st_mode) || device_list_load("", &list, NULL))
		return;
	d = device_find_dev(&list, major(st.st_rdev), minor(st.st_rdev));
	if (d)
		snprintf(out, size, "%s%s%s%s%s%llu bytes", d->model, d->model[0] ? ", " : "",
			 d->serial[0] ? "serial " : "", d->serial, d->serial[0] ? ", " : "",
			 (unsigned long long)d->size_bytes);
	device_list_fini(&list);
}
