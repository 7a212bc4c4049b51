#include <string.h>

#include "src/base/strbuf.h"
#include "src/base/xalloc.h"
#include "src/spec/job_spec.h"

/* fio's rule: only "\:" is an escape, any other backslash stands for itself. */

char *spec_path_escape(const char *path)
{
	char *out = xcalloc(2 * strlen(path) + 1, 1), *to = out;

	for (; *path; path++) {
		if (*path == ':')
			*to++ = '\\';
		*to++ = *path;
	}
	return out;
}

char *spec_path_next(const char **list)
{
	const char *p = *list;
	char *out, *to;

	if (!*p)
		return NULL;
	out = to = xcalloc(strlen(p) + 1, 1);
	for (; *p && *p != ':'; p++) {
		if (p[0] == '\\' && p[1] == ':')
			p++;
		*to++ = *p;
	}
	*list = *p ? p + 1 : p;
	return out;
}
