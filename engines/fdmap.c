#include "engines/fdmap.h"

#include <errno.h>

int fdmap_init(struct fdmap *m, const struct engine_env *env)
{
	int32_t size = 1;

	for (uint32_t i = 0; i < env->n_fds; i++)
		if (env->fds[i] >= size)
			size = env->fds[i] + 1;
	m->place = malloc((size_t)size * sizeof(*m->place));
	if (!m->place)
		return -ENOMEM;
	m->size = size;
	for (int32_t fd = 0; fd < size; fd++)
		m->place[fd] = -1;
	for (uint32_t i = 0; i < env->n_fds; i++)
		if (env->fds[i] >= 0)
			m->place[env->fds[i]] = (int32_t)i;
	return 0;
}
