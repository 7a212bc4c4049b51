#include "src/app_engines.h"

#include <assert.h>
#include <stddef.h>

#include "engines/engine.h"
#include "src/spec/engines.h"

#define ENGINES_MAX 31

static struct spec_engine table[ENGINES_MAX + 1];

void app_engines_register(void)
{
	size_t n = 0;

	for (; engine_table[n]; n++) {
		const struct engine_ops *ops = engine_table[n];

		assert(n < ENGINES_MAX);
		table[n] = (struct spec_engine){
			.name = ops->name,
			.summary = ops->summary,
			.options = ops->options,
			.options_size = ops->options_size,
			.device_prefix = ops->device ? ops->device->prefix : NULL,
		};
	}
	table[n] = (struct spec_engine){0};
	spec_set_engines(table);
}
