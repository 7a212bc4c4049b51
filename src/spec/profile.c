#include "src/spec/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/spec/apply.h"
#include "src/spec/engines.h"
#include "src/spec/profile_dirs.h"

#define NAME_LEN_MAX 100u

/* -- print ------------------------------------------------------------------------------------ */

/* A section called global... would not be a job; an unnamed job still needs a section. */
static bool fits_header(const char *name)
{
	return name && strncmp(name, "global", 6) != 0;
}

static void print_row(const struct option_def *row, const void *obj, uint32_t kb_base,
		      struct strbuf *out)
{
	strbuf_addf(out, "%s", row->name);
	if (!option_prints_bare(row, obj)) {
		strbuf_putc(out, '=');
		option_print_kb(row, obj, kb_base, out);
	}
	strbuf_putc(out, '\n');
}

static bool wanted(const struct option_def *row, const struct job_spec *job,
		   const struct job_spec *defaults)
{
	if (row->flags & OPT_MIRROR)
		return false;
	if (strcmp(row->name, "name") == 0)
		return job->name && !fits_header(job->name);
	return !option_equal(row, job, defaults);
}

/* The engine's own options, after ioengine= as fio wants it. */
static void print_engine_opts(const struct job_spec *job, struct strbuf *out)
{
	const struct spec_engine *g = job->engine_opts_of;
	void *defaults;

	if (!job->engine_opts || g != spec_engine_find(job->ioengine))
		return;
	defaults = xcalloc(1, g->options_size);
	option_defaults(g->options, defaults);
	for (const struct option_def *row = g->options; row->name; row++)
		if (!option_equal(row, job->engine_opts, defaults))
			print_row(row, job->engine_opts, job->kb_base, out);
	option_free(g->options, defaults);
	free(defaults);
}

void profile_print(const struct job_spec *job, struct strbuf *out)
{
	struct job_spec defaults;

	job_spec_init(&defaults);
	strbuf_addf(out, "[%s]\n", fits_header(job->name) ? job->name : "job");
	for (const struct option_def *row = job_options; row->name; row++)
		if (wanted(row, job, &defaults))
			print_row(row, job, job->kb_base, out);
	print_engine_opts(job, out);
	job_spec_fini(&defaults);
}

/* -- save ------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Would the text come back from a job file as it is? */
static int check_text(const char *key, const char *text, struct err *e)
{
	static const char *const variables[] = {"${", "$ncpus", "$pagesize", "$mb_memory", NULL};

	if (!*text) /* the same as not set */
		return 0;
	if (text_has_control(text))
		return err_set(e, EINVAL, "%s: a control character cannot be saved", key);
	if (strpbrk(text, ";#"))
		return err_set(e, EINVAL,
			       "%s=%.200s: ';' and '#' begin a comment in a job file, cannot be "
			       "saved",
			       key, text);
	if (is_blank(text[0]) || is_blank(text[strlen(text) - 1]))
		return err_set(e, EINVAL, "%s='%.200s': a blank at an end cannot be saved", key,
			       text);
	for (unsigned i = 0; variables[i]; i++)
		if (strstr(text, variables[i]))
			return err_set(e, EINVAL,
				       "%s=%.200s: '%s' is a variable in a job file, cannot be "
				       "saved",
				       key, text, variables[i]);
	return 0;
}

static int check_texts(const struct job_spec *job, struct err *e)
{
	int rc;

	for (const struct option_def *row = job_options; row->name; row++) {
		const char *text;

		if (row->type != OPT_STR)
			continue;
		text = *(char *const *)(const void *)((const char *)job + row->offset);
		rc = text ? check_text(row->name, text, e) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

static int check_name(const char *name, struct err *e)
{
	if (!*name || name[0] == '.' || strchr(name, '/') || text_has_control(name) ||
	    strlen(name) > NAME_LEN_MAX)
		return err_set(e, EINVAL,
			       "'%.100s' cannot name a profile: no '/', no leading '.', 1 to %u "
			       "characters",
			       name, NAME_LEN_MAX);
	return 0;
}

static char *user_path(const char *name)
{
	char *dir = profile_user_dir(), *path = NULL;

	if (dir)
		path = xasprintf("%s/%s.fio", dir, name);
	free(dir);
	return path;
}

bool profile_exists(const char *name)
{
	char *path = user_path(name);
	bool there = path && access(path, F_OK) == 0;

	free(path);
	return there;
}

int profile_save(const char *name, const struct job_spec *job, char **path, struct err *e)
{
	struct strbuf text = {0};
	char *to;
	int rc = check_name(name, e);

	if (rc == 0)
		rc = check_texts(job, e);
	if (rc)
		return rc;
	to = user_path(name);
	if (!to)
		return err_set(e, ENOENT,
			       "no folder for profiles: neither XDG_CONFIG_HOME nor "
			       "HOME is set");
	profile_print(job, &text);
	rc = fs_write_atomic(to, text.s, text.len);
	strbuf_fini(&text);
	if (rc) {
		err_set(e, -rc, "%.300s: %s", to, strerror(-rc));
		free(to);
		return rc;
	}
	if (path)
		*path = to;
	else
		free(to);
	return 0;
}
