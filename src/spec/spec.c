#include "src/spec/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/xalloc.h"
#include "src/spec/apply.h"

void spec_init(struct spec *s)
{
	*s = (struct spec){0};
}

void spec_fini(struct spec *s)
{
	struct given_list globals = {s->globals, s->n_globals};

	for (size_t i = 0; i < s->n_jobs; i++)
		job_spec_fini(&s->jobs[i]);
	free(s->jobs);
	given_free(&globals);
	strbuf_fini(&s->notes);
	*s = (struct spec){0};
}

void spec_copy(struct spec *dst, const struct spec *src)
{
	struct given_list globals = {0};

	spec_init(dst);
	for (size_t i = 0; i < src->n_jobs; i++)
		spec_add(dst, &src->jobs[i]);
	for (size_t i = 0; i < src->n_globals; i++)
		given_add(&globals, src->globals[i].key, src->globals[i].val);
	dst->globals = globals.v;
	dst->n_globals = globals.n;
	if (src->notes.len)
		strbuf_add(&dst->notes, src->notes.s, src->notes.len);
}

struct job_spec *spec_add(struct spec *s, const struct job_spec *job)
{
	s->jobs = xrealloc(s->jobs, (s->n_jobs + 1) * sizeof(*s->jobs));
	job_spec_copy(&s->jobs[s->n_jobs], job);
	return &s->jobs[s->n_jobs++];
}

void spec_note(struct spec *s, const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	strbuf_puts(&s->notes, line);
	strbuf_putc(&s->notes, '\n');
}
