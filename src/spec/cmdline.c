#include "src/spec/cmdline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/apply.h"
#include "src/spec/cmdline_words.h"
#include "src/spec/engines.h"
#include "src/spec/jobfile.h"

/*
 * fio's scoping: options before the first --name, or after --name=global, are defaults for every job
 * that follows and for the job files; --name=X closes the open job and begins one from these defaults.
 * Job files come after all jobs of the command line.
 */
struct scan {
	int argc, i; /* i: the next argument */
	char *const *argv;
	struct cmdline *out;
	struct job_spec globals, job;
	struct given_list global_given, job_given;
	bool in_job;
	const char **files; /* of argv */
	size_t n_files;
	const char *bare;      /* the argument before was this bare flag */
	const char *bare_file; /* a job file that looks like the value of one */
	struct err *e;
};

/* One argument taken apart: -key, --key, -key=val. */
struct argument {
	char key[64];
	const char *val; /* behind '='; NULL: none */
};

static const struct cmdline_word *find_word(const char *name)
{
	for (const struct cmdline_word *w = cmdline_words; w->name; w++)
		if (strcmp(w->name, name) == 0 || (w->alias && strcmp(w->alias, name) == 0))
			return w;
	return NULL;
}

static bool is_fio_word(const char *name)
{
	for (const char *const *n = fio_cmdline_names; *n; n++)
		if (strcmp(*n, name) == 0)
			return true;
	return false;
}

bool cmdline_is_word(const char *name)
{
	const struct cmdline_word *w = find_word(name);

	/* The one-letter aliases mean nothing in a job file. */
	return (w && strcmp(w->name, name) == 0) || is_fio_word(name);
}

static int wrap(struct scan *s)
{
	return err_wrap(s->e, "command line: [%.80s]",
			s->in_job && s->job.name ? s->job.name : "global");
}

/* -- jobs ------------------------------------------------------------------------------------- */

static void drop_job(struct scan *s)
{
	job_spec_fini(&s->job);
	given_free(&s->job_given);
	s->in_job = false;
}

static int close_job(struct scan *s)
{
	int rc;

	if (!s->in_job)
		return 0;
	rc = apply_target(&s->job, s->e);
	if (rc == 0)
		rc = apply_check(&s->job, "command line:", &s->out->spec, s->e);
	if (rc) {
		err_wrap(s->e, "command line");
		drop_job(s);
		return rc;
	}
	s->job.given = s->job_given.v;
	s->job.n_given = s->job_given.n;
	s->job_given = (struct given_list){0};
	spec_add(&s->out->spec, &s->job);
	drop_job(s);
	return 0;
}

static int set_option(struct scan *s, const struct option_def *row, const char *val)
{
	struct job_spec *job = s->in_job ? &s->job : &s->globals;
	struct given_list *given = s->in_job ? &s->job_given : &s->global_given;
	int rc = apply_option(job, row, val, "command line:", given, &s->out->spec, s->e);

	return rc ? wrap(s) : 0;
}

static int begin_job(struct scan *s, const struct option_def *name_row, const char *name)
{
	int rc = close_job(s);

	if (rc)
		return rc;
	if (strncmp(name, "global", 6) == 0) {
		given_add(&s->global_given, "name", name);
		return 0;
	}
	apply_begin_job(&s->job, &s->globals);
	s->in_job = true;
	return set_option(s, name_row, name);
}

/* -- arguments -------------------------------------------------------------------------------- */

static int take_apart(const char *arg, struct argument *a, struct err *e)
{
	const char *key = arg + (arg[1] == '-' ? 2 : 1);
	size_t len = strcspn(key, "=");

	if (len == 0 || len >= sizeof(a->key))
		return err_set(e, EINVAL, "command line: '%.60s': unknown option", arg);
	memcpy(a->key, key, len);
	a->key[len] = '\0';
	a->val = key[len] ? key + len + 1 : NULL;
	return 0;
}

/* The value: attached, or the next argument. */
static int take_value(struct scan *s, const struct argument *a, const char **val, bool *was_next)
{
	*was_next = !a->val;
	*val = a->val;
	if (*val)
		return 0;
	if (s->i >= s->argc)
		return err_set(s->e, EINVAL, "command line: %s needs a value", a->key);
	*val = s->argv[s->i++];
	return 0;
}

static void add_hint(struct err *e, const char *hint)
{
	strncat(e->msg, hint, sizeof(e->msg) - strlen(e->msg) - 1);
}

static int do_word(struct scan *s, const struct cmdline_word *w, const struct argument *a)
{
	const char *val = NULL;
	bool was_next;
	int rc = 0;

	if (!w->arg && a->val)
		return err_set(s->e, EINVAL, "command line: %s takes no value", a->key);
	if (w->arg && *w->arg == '[')
		val = a->val;
	else if (w->arg)
		rc = take_value(s, a, &val, &was_next);
	if (rc || !w->set)
		return rc;
	rc = w->set(s->out, val, s->e);
	if (rc)
		err_wrap(s->e, "command line");
	return rc;
}

static int do_option(struct scan *s, const struct option_def *row, const struct argument *a)
{
	const char *val = a->val;
	bool was_next = false;
	int rc;

	if (option_is_bare(row)) {
		s->bare = val ? NULL : row->name;
	} else {
		rc = take_value(s, a, &val, &was_next);
		if (rc)
			return rc;
	}
	rc = strcmp(row->name, "name") == 0 ? begin_job(s, row, val) : set_option(s, row, val);
	if (rc && was_next && val[0] == '-')
		add_hint(s->e, " (the next argument was taken as its value)");
	return rc;
}

/* The nearest of job options and command-line words. */
static int unknown(struct scan *s, const char *key)
{
	const char *best = option_nearest(job_options, key);
	unsigned dist = best ? option_distance(best, key) : ~0u, d;

	for (const struct cmdline_word *w = cmdline_words; w->name; w++) {
		d = option_distance(w->name, key);
		if (w->help && d < dist && d <= strlen(w->name) / 2) {
			dist = d;
			best = w->name;
		}
	}
	if (best)
		return err_set(s->e, EINVAL, "command line: %s: unknown option, did you mean --%s?",
			       key, best);
	return err_set(s->e, EINVAL, "command line: %s: unknown option", key);
}

/* Known once ioengine= has been given, as in fio. */
static int do_engine_option(struct scan *s, const struct argument *a)
{
	struct job_spec *job = s->in_job ? &s->job : &s->globals;
	struct given_list *given = s->in_job ? &s->job_given : &s->global_given;
	const struct option_def *row = spec_engine_option(job->ioengine, a->key);
	const char *val = a->val;
	bool was_next;
	int rc = 0;

	if (row && option_is_bare(row))
		s->bare = val ? NULL : row->name;
	else if (row)
		rc = take_value(s, a, &val, &was_next);
	if (rc)
		return rc;
	rc = apply_engine_option(job, a->key, val, "command line:", given, &s->out->spec, s->e);
	if (rc && !row)
		add_hint(s->e, "; give ioengine= before it");
	return rc ? wrap(s) : 0;
}

static int do_unknown(struct scan *s, const struct argument *a)
{
	const struct option_def *row;
	enum lookup found = apply_lookup(a->key, &row, s->e);

	if (found == LOOKUP_ENGINE)
		return do_engine_option(s, a);
	if (found == LOOKUP_IGNORED) {
		apply_note_ignored(a->key, "command line:", &s->out->spec);
		return 0;
	}
	if (is_fio_word(a->key))
		return err_set(s->e, ENOTSUP, "command line: %s: known to fio, not supported here",
			       a->key);
	if (s->e->code == ENOTSUP)
		return wrap(s);
	return unknown(s, a->key);
}

static void add_file(struct scan *s, const char *path)
{
	if (s->bare)
		s->bare_file = path;
	s->files = xrealloc(s->files, (s->n_files + 1) * sizeof(*s->files));
	s->files[s->n_files++] = path;
}

static int do_argument(struct scan *s, const char *arg)
{
	const struct cmdline_word *w;
	const struct option_def *row;
	struct argument a;
	int rc;

	if (arg[0] != '-' || !arg[1]) {
		add_file(s, arg);
		s->bare = NULL;
		return 0;
	}
	s->bare = NULL;
	rc = take_apart(arg, &a, s->e);
	if (rc)
		return rc;
	w = find_word(a.key);
	if (w)
		return do_word(s, w, &a);
	row = option_find(job_options, a.key);
	return row ? do_option(s, row, &a) : do_unknown(s, &a);
}

/* -- the whole -------------------------------------------------------------------------------- */

/* From the second file on the defaults are fio's own again, and its first job waits for all before. */
static int load_files(struct scan *s)
{
	struct spec *spec = &s->out->spec;
	struct given_list globals;
	size_t before;
	int rc;

	for (size_t i = 0; i < s->n_files; i++) {
		before = spec->n_jobs;
		if (i > 0) {
			globals = (struct given_list){spec->globals, spec->n_globals};
			given_free(&globals);
			spec->globals = NULL;
			spec->n_globals = 0;
		}
		rc = jobfile_load_sections(s->files[i], s->out->sections.v, s->out->sections.n,
					   i == 0 ? &s->globals : NULL, spec, s->e);
		if (rc && s->files[i] == s->bare_file)
			add_hint(s->e, " (the flag before it takes a value only with '=')");
		if (rc)
			return rc;
		if (i > 0 && spec->n_jobs > before)
			spec->jobs[before].stonewall = true;
	}
	return 0;
}

/* -- --set ------------------------------------------------------------------------------------ */

static int override_job(struct scan *s, struct job_spec *job, const char *key, const char *val)
{
	struct given_list given = {job->given, job->n_given};
	const struct option_def *row;
	int rc;

	switch (apply_lookup(key, &row, s->e)) {
	case LOOKUP_ROW:
		rc = apply_option(job, row, val, "--set:", &given, &s->out->spec, s->e);
		break;
	case LOOKUP_ENGINE:
		rc = apply_engine_option(job, key, val, "--set:", &given, &s->out->spec, s->e);
		break;
	case LOOKUP_IGNORED:
		apply_note_ignored(key, "--set:", &s->out->spec);
		return 0;
	default:
		return -s->e->code;
	}
	job->given = given.v;
	job->n_given = given.n;
	return rc;
}

static int override(struct scan *s, const char *word)
{
	struct argument a;
	int rc = 0;

	if (strcspn(word, "=") >= sizeof(a.key))
		return err_set(s->e, EINVAL, "--set=%.60s: unknown option", word);
	snprintf(a.key, sizeof(a.key), "%.*s", (int)strcspn(word, "="), word);
	a.val = strchr(word, '=') ? strchr(word, '=') + 1 : NULL;
	if (strcmp(a.key, "name") == 0)
		return err_set(s->e, EINVAL, "--set=name: every job would have the same name");
	for (size_t i = 0; i < s->out->spec.n_jobs && rc == 0; i++) {
		struct job_spec *job = &s->out->spec.jobs[i];

		rc = override_job(s, job, a.key, a.val);
		if (rc)
			err_wrap(s->e, "--set: [%.80s]", job->name ? job->name : "");
	}
	return rc;
}

/* The last word: after the command line's jobs and all files. Each job is then checked again. */
static int override_all(struct scan *s)
{
	struct word_list *set = &s->out->set;
	int rc = 0;

	for (size_t i = 0; i < set->n && rc == 0; i++)
		rc = override(s, set->v[i]);
	for (size_t i = 0; set->n && i < s->out->spec.n_jobs && rc == 0; i++) {
		rc = apply_target(&s->out->spec.jobs[i], s->e);
		if (rc == 0)
			rc = job_spec_check(&s->out->spec.jobs[i], s->e);
		if (rc)
			err_wrap(s->e, "--set");
	}
	return rc;
}

/* Before anything is quoted in a message: it must stay one line. */
static int check_arguments(struct scan *s)
{
	for (int i = 0; i < s->argc; i++)
		if (text_has_control(s->argv[i]))
			return err_set(s->e, EINVAL,
				       "command line: a control character in argument %d", i + 1);
	return 0;
}

static int scan_arguments(struct scan *s)
{
	bool only_files = false;
	int rc = check_arguments(s);

	while (rc == 0 && s->i < s->argc) {
		const char *arg = s->argv[s->i++];

		if (only_files)
			add_file(s, arg);
		else if (strcmp(arg, "--") == 0)
			only_files = true;
		else
			rc = do_argument(s, arg);
	}
	return rc ? rc : close_job(s);
}

static void settle_formats(struct cmdline *c)
{
	bool append = c->formats & FORMAT_APPEND_TERSE;

	c->formats &= ~(unsigned)FORMAT_APPEND_TERSE;
	if (!c->formats)
		c->formats = FORMAT_NORMAL;
	if (append)
		c->formats |= FORMAT_TERSE;
}

static int no_jobs(struct scan *s)
{
	if (s->out->sections.n)
		return err_set(s->e, EINVAL,
			       "No job(s) defined: no section of the job files is called %.80s",
			       s->out->sections.v[0]);
	return err_set(s->e, EINVAL,
		       "No job(s) defined: give --name=NAME with options, or a job file");
}

static int parse(struct scan *s)
{
	struct cmdline *c = s->out;
	int rc = scan_arguments(s);

	settle_formats(c);
	if (rc)
		return rc;
	c->spec.globals = s->global_given.v;
	c->spec.n_globals = s->global_given.n;
	s->global_given = (struct given_list){0};
	if (c->help || c->version || c->cmdhelp || c->enghelp)
		return 0;
	c->several_sources = s->n_files + (c->spec.n_jobs > 0) > 1;
	rc = load_files(s);
	if (rc == 0 && c->spec.n_jobs == 0)
		return no_jobs(s);
	if (rc == 0)
		rc = override_all(s);
	if (rc == 0 && c->warnings_fatal && c->spec.notes.len)
		rc = err_set(s->e, EINVAL, "warnings-fatal: %.*s",
			     (int)strcspn(c->spec.notes.s, "\n"), c->spec.notes.s);
	return rc;
}

int cmdline_parse(int argc, char *const *argv, struct cmdline *out, struct err *e)
{
	struct err own = {0};
	struct scan s = {.argc = argc, .argv = argv, .out = out, .e = e ? e : &own};
	int rc;

	*out = (struct cmdline){.terse_version = 3, .eta_interval_ns = UNIT_SEC};
	spec_init(&out->spec);
	job_spec_init(&s.globals);
	rc = parse(&s);
	drop_job(&s);
	job_spec_fini(&s.globals);
	given_free(&s.global_given);
	free(s.files);
	if (rc)
		cmdline_fini(out);
	return rc;
}

static void free_words(struct word_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->v[i]);
	free(list->v);
}

void cmdline_fini(struct cmdline *c)
{
	spec_fini(&c->spec);
	free(c->output);
	free(c->state_dir);
	free(c->help_topic);
	free_words(&c->sections);
	free_words(&c->allow_destroy);
	free_words(&c->allow_overwrite);
	free_words(&c->set);
	*c = (struct cmdline){0};
}
