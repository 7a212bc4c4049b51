/* Every engine, in the order help and the console list them. A new one: its file and one line here. */
#include <stddef.h>
#include <string.h>

#include "engines/engine.h"

#define ENGINES(X)                                                                                 \
	X(io_uring)                                                                                \
	X(libaio)                                                                                  \
	X(psync)                                                                                   \
	X(sync)                                                                                    \
	X(vsync)                                                                                   \
	X(pvsync)                                                                                  \
	X(pvsync2)                                                                                 \
	X(posixaio)                                                                                \
	X(mmap)                                                                                    \
	X(splice)                                                                                  \
	X(sim)                                                                                     \
	X(null)

#define DECLARE(name) extern const struct engine_ops engine_##name;
#define ROW(name)     &engine_##name,

ENGINES(DECLARE)

const struct engine_ops *const engine_table[] = {ENGINES(ROW) NULL};

const struct engine_ops *engine_find(const char *name)
{
	for (size_t i = 0; engine_table[i]; i++)
		if (!strcmp(engine_table[i]->name, name))
			return engine_table[i];
	return NULL;
}
