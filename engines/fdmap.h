/* From a descriptor of engine_env.fds to its place there. Made in open, read-only after that. */
#ifndef IODECK_ENGINES_FDMAP_H
#define IODECK_ENGINES_FDMAP_H

#include <stdint.h>
#include <stdlib.h>

#include "engines/engine.h"

struct fdmap {
	int32_t *place; /* by descriptor; -1: not one of ours */
	int32_t size;
};

/* 0 or -ENOMEM. */
int fdmap_init(struct fdmap *m, const struct engine_env *env);

static inline void fdmap_fini(struct fdmap *m)
{
	free(m->place);
	m->place = NULL;
	m->size = 0;
}

/* -1: not a descriptor of the job. */
static inline int32_t fdmap_find(const struct fdmap *m, int fd)
{
	return fd >= 0 && fd < m->size ? m->place[fd] : -1;
}

#endif
