#include "src/spec/cmdline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/spec/apply.h"
#include "src/spec/cmdline_words.h"
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
	if (w->arg)
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

static int do_unknown(struct scan *s, const struct argument *a)
{
	const struct option_def *row;
	enum lookup found = apply_lookup(a->key, &row, s->e);

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
		rc = jobfile_load(s->files[i], i == 0 ? &s->globals : NULL, spec, s->e);
		if (rc && s->files[i] == s->bare_file)
			add_hint(s->e, " (the flag before it takes a value only with '=')");
		if (rc)
			return rc;
		if (i > 0)
			spec->jobs[before].stonewall = true;
	}
	return 0;
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
	if (c->help || c->version)
		return 0;
	rc = load_files(s);
	if (rc == 0 && c->spec.n_jobs == 0)
		rc = err_set(s->e, EINVAL,
			     "No job(s) defined: give --name=NAME with options, or a job file");
	return rc;
}

int cmdline_parse(int argc, char *const *argv, struct cmdline *out, struct err *e)
{
	struct err own = {0};
	struct scan s = {.argc = argc, .argv = argv, .out = out, .e = e ? e : &own};
	int rc;

	*out = (struct cmdline){0};
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

void cmdline_fini(struct cmdline *c)
{
	spec_fini(&c->spec);
	free(c->output);
	*c = (struct cmdline){0};
}

/* -- help ------------------------------------------------------------------------------------- */

static void help_word(const struct cmdline_word *w, struct strbuf *out)
{
	strbuf_addf(out, "  --%s%s%s", w->name, w->arg ? "=" : "", w->arg ? w->arg : "");
	if (w->alias)
		strbuf_addf(out, ", -%s%s%s", w->alias, w->arg ? " " : "", w->arg ? w->arg : "");
	strbuf_addf(out, "\n        %s\n", w->help);
}

static void help_option(const struct option_def *row, struct strbuf *out)
{
	strbuf_addf(out, "  %s", row->name);
	if (row->alias)
		strbuf_addf(out, ", %s", row->alias);
	strbuf_puts(out, ": ");
	option_range(row, out);
	if (row->def)
		strbuf_addf(out, " (%s)", row->def);
	strbuf_addf(out, "\n        %s\n", row->help);
}

void cmdline_help(struct strbuf *out)
{
	strbuf_puts(out,
		    "usage: iodeck run [options] [job options] [job file...]\n\n"
		    "Options take one or two dashes, the value after '=' or as the next word.\n"
		    "--name=X begins a job; job options before the first are defaults.\n"
		    "'-' reads a job file from standard input.\n\n");
	for (const struct cmdline_word *w = cmdline_words; w->name; w++)
		if (w->help)
			help_word(w, out);
	strbuf_puts(out, "\nJob options, here and in job files (default in parentheses):\n");
	for (const struct option_def *row = job_options; row->name; row++)
		help_option(row, out);
}
