#include "src/run/plan_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/spec/engines.h"

/* All of filename= is one name here; a colon may be written as in a list. */
static char *device_text(const char *filename)
{
	struct strbuf sb = {0};

	for (const char *c = filename; *c; c++) {
		if (c[0] == '\\' && c[1] == ':')
			c++;
		strbuf_putc(&sb, *c);
	}
	return sb.s ? sb.s : xstrdup("");
}

int plan_device_open(struct plan *p, struct clock *clock, struct err *e)
{
	const struct engine_device_ops *ops = p->engine->device;
	int rc;

	if (!ops || !p->spec->filename)
		return 0;
	p->device_name = device_text(p->spec->filename);
	rc = ops->get(p->device_name, clock, &p->device, e);
	return rc ? err_wrap(e, "%s", p->spec->name) : 0;
}

void plan_device_close(struct plan *p)
{
	if (p->device)
		p->engine->device->put(p->device);
	free(p->device_name);
	p->device = NULL;
	p->device_name = NULL;
}

uint64_t plan_device_bytes(const struct plan *p)
{
	return p->device ? p->engine->device->size_bytes(p->device) : p->spec->size.bytes;
}

int plan_device_refuse(const struct job_spec *job, const char *engine, struct err *e)
{
	const struct spec_engine *needs = spec_engine_of_target(job->filename);

	if (!needs || strcmp(needs->name, engine) == 0)
		return 0;
	return err_set(e, EINVAL, "%s: filename=%s needs ioengine=%s, not ioengine=%s", job->name,
		       job->filename, needs->name, engine);
}
