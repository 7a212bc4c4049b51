#include "src/spec/apply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/spec/engines.h"

/* Accepted without effect by fio, and seen in its own examples. */
static const char *const ignored_names[] = {"threads", NULL};

static bool in_list(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

void given_add(struct given_list *list, const char *key, const char *val)
{
	list->v = xrealloc(list->v, (list->n + 1) * sizeof(*list->v));
	list->v[list->n++] = (struct opt_given){xstrdup(key), xstrdup(val)};
}

void given_free(struct given_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->v[i].key);
		free(list->v[i].val);
	}
	free(list->v);
	*list = (struct given_list){0};
}

void apply_begin_job(struct job_spec *job, const struct job_spec *globals)
{
	*job = (struct job_spec){0};
	option_copy(job_options, job, globals);
	engine_opts_copy(job, globals);
	job->engine_chosen = globals->engine_chosen;
}

bool text_has_control(const char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7f)
			return true;
	return false;
}

enum lookup apply_lookup(const char *name, const struct option_def **row, struct err *e)
{
	const char *near;

	*row = option_find(job_options, name);
	if (*row)
		return LOOKUP_ROW;
	if (in_list(ignored_names, name))
		return LOOKUP_IGNORED;
	if (spec_engine_with(name))
		return LOOKUP_ENGINE;
	near = option_nearest(job_options, name);
	if (in_list(fio_job_option_names, name))
		err_set(e, ENOTSUP, "%.60s: known to fio, not supported here", name);
	else if (near)
		err_set(e, EINVAL, "%.60s: unknown option, did you mean %s?", name, near);
	else
		err_set(e, EINVAL, "%.60s: unknown option", name);
	return LOOKUP_REFUSED;
}

void apply_note_ignored(const char *name, const char *where, struct spec *notes)
{
	spec_note(notes, "%s %s has no effect, as in fio (the option is thread)", where, name);
}

static int set_row(struct job_spec *job, void *obj, const struct option_def *row, const char *val,
		   const char *where, struct given_list *given, struct spec *notes, struct err *e)
{
	struct strbuf note = {0};
	int rc = option_set_note(row, obj, val, job->kb_base, &note, e);

	if (rc == 0) {
		given_add(given, row->name, val);
		if (strcmp(row->name, "ioengine") == 0)
			job->engine_chosen = true;
		if (note.len)
			spec_note(notes, "%s %s", where, note.s);
	}
	strbuf_fini(&note);
	return rc;
}

int apply_option(struct job_spec *job, const struct option_def *row, const char *val,
		 const char *where, struct given_list *given, struct spec *notes, struct err *e)
{
	return set_row(job, job, row, val, where, given, notes, e);
}

int apply_engine_option(struct job_spec *job, const char *name, const char *val, const char *where,
			struct given_list *given, struct spec *notes, struct err *e)
{
	const struct option_def *row = spec_engine_option(job->ioengine, name);

	if (!row)
		return err_set(e, EINVAL, "%.60s: an option of ioengine=%s, not of %.60s", name,
			       spec_engine_with(name), job->ioengine);
	return set_row(job, engine_opts_get(job), row, val, where, given, notes, e);
}

static void set_engine(struct job_spec *job, const char *name)
{
	free(job->ioengine);
	job->ioengine = xstrdup(name);
}

int apply_target(struct job_spec *job, struct err *e)
{
	const struct spec_engine *needs = spec_engine_of_target(job->filename), *has;

	has = spec_engine_find(job->ioengine);
	if (needs == has)
		return 0;
	if (needs && job->engine_chosen)
		return err_set(e, EINVAL,
			       "filename=%.80s is a device of ioengine=%s, ioengine=%.40s cannot "
			       "use it; leave ioengine= out",
			       job->filename, needs->name, job->ioengine);
	if (needs)
		set_engine(job, needs->name);
	else if (has && has->device_prefix && !job->engine_chosen)
		set_engine(job, option_find(job_options, "ioengine")->def);
	return 0;
}

int apply_check(const struct job_spec *job, const char *where, struct spec *notes, struct err *e)
{
	int rc = job_spec_check(job, e);

	if (rc == 0 && job->time_based && !job->runtime_ns)
		spec_note(notes, "%s time_based has no effect without runtime=", where);
	return rc;
}
