#include "src/spec/engines.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

static const struct spec_engine no_engines[] = {{.name = NULL}};
static const struct spec_engine *engines = no_engines;

void spec_set_engines(const struct spec_engine *table)
{
	engines = table ? table : no_engines;
}

const struct spec_engine *spec_engines(void)
{
	return engines;
}

const struct spec_engine *spec_engine_find(const char *name)
{
	for (const struct spec_engine *g = engines; name && g->name; g++)
		if (strcmp(g->name, name) == 0)
			return g;
	return NULL;
}

const struct spec_engine *spec_engine_of_target(const char *filename)
{
	for (const struct spec_engine *g = engines; filename && g->name; g++)
		if (g->device_prefix &&
		    strncmp(filename, g->device_prefix, strlen(g->device_prefix)) == 0)
			return g;
	return NULL;
}

const struct option_def *spec_engine_option(const char *engine, const char *option)
{
	const struct spec_engine *g = spec_engine_find(engine);

	return g && g->options ? option_find(g->options, option) : NULL;
}

const char *spec_engine_with(const char *option)
{
	for (const struct spec_engine *g = engines; g->name; g++)
		if (g->options && option_find(g->options, option))
			return g->name;
	return NULL;
}

void *engine_opts_get(struct job_spec *j)
{
	const struct spec_engine *g = spec_engine_find(j->ioengine);

	if (j->engine_opts && j->engine_opts_of == g)
		return j->engine_opts;
	engine_opts_free(j);
	if (!g || !g->options)
		return NULL;
	j->engine_opts_of = g;
	j->engine_opts = xcalloc(1, g->options_size);
	option_defaults(g->options, j->engine_opts);
	return j->engine_opts;
}

void engine_opts_copy(struct job_spec *dst, const struct job_spec *src)
{
	if (!src->engine_opts)
		return;
	dst->engine_opts_of = src->engine_opts_of;
	dst->engine_opts = xcalloc(1, src->engine_opts_of->options_size);
	option_copy(src->engine_opts_of->options, dst->engine_opts, src->engine_opts);
}

void engine_opts_free(struct job_spec *j)
{
	if (j->engine_opts) {
		option_free(j->engine_opts_of->options, j->engine_opts);
		free(j->engine_opts);
	}
	j->engine_opts = NULL;
	j->engine_opts_of = NULL;
}
