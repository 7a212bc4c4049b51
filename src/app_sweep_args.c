#include "src/app_sweep_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_sweep_files.h"
#include "src/base/xalloc.h"
#include "src/spec/jobfile.h"
#include "src/spec/profile.h"

#define KEY_SIZE 64

const struct sweep_word sweep_words[] = {
	{"output-format", "LIST", "normal, json, csv, with ',' between."},
	{"export-jobs", "FILE", "Write a job file with one section a cell, which fio runs."},
	{"resume", "FILE",
	 "Go on from what --output-format=json has saved, or from a sweep of the history: its "
	 "run.json or "
	 "its name. The job and the axes may be left out."},
	{NULL, NULL, NULL},
};

struct words {
	char **v; /* for cmdline_parse: each owned */
	int n;
	bool named; /* --name, or a job file, is among them */
};

static void add_word(struct words *w, char *word)
{
	w->v = xrealloc(w->v, ((size_t)w->n + 1) * sizeof(*w->v));
	w->v[w->n++] = word;
}

static void words_fini(struct words *w)
{
	for (int i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
}

/* "--slo-search=0" -> "slo_search", value "0"; false: not an option. */
static bool take_apart(const char *arg, char key[KEY_SIZE], const char **value)
{
	const char *name = arg + strspn(arg, "-");
	size_t len = strcspn(name, "=");

	if (arg[0] != '-' || len == 0 || len >= KEY_SIZE)
		return false;
	memcpy(key, name, len);
	key[len] = '\0';
	for (char *p = key; *p; p++)
		if (*p == '-')
			*p = '_';
	*value = name[len] ? name + len + 1 : NULL;
	return true;
}

/* Axes of one value are the job's own option; its name where it differs. */
static const char *job_name_of(const struct option_def *row)
{
	if (row->type != OPT_CUSTOM || option_find(job_options, row->name) == NULL)
		return row->alias && option_find(job_options, row->alias) ? row->alias : NULL;
	return row->name;
}

static bool is_axis(const struct option_def *row)
{
	return row - sweep_options < SWEEP_KINDS;
}

static bool is_one_value(const char *value)
{
	return !strchr(value, ',') && !strstr(value, "..");
}

struct scan {
	int argc, i;
	char *const *argv;
	struct sweep_args *out;
	struct words words;
	struct err *e;
};

static int value_of(struct scan *s, const char *key, const char **value)
{
	if (*value)
		return 0;
	if (s->i >= s->argc)
		return err_set(s->e, EINVAL, "command line: %s needs a value", key);
	*value = s->argv[s->i++];
	return 0;
}

static int do_row(struct scan *s, const struct option_def *row, const char *value)
{
	if (!option_is_bare(row) && value_of(s, row->name, &value))
		return -s->e->code;
	if (is_axis(row) && is_one_value(value) && job_name_of(row)) {
		add_word(&s->words, xasprintf("--%s=%s", job_name_of(row), value));
		return 0;
	}
	return sweep_spec_set(&s->out->spec, row->name, value, s->e);
}

static int do_own(struct scan *s, const char *key, const char *value, bool *taken)
{
	*taken = true;
	if (strcmp(key, "export_jobs") == 0) {
		if (value_of(s, "export-jobs", &value))
			return -s->e->code;
		s->out->export_jobs = value;
		return 0;
	}
	if (strcmp(key, "resume") == 0) {
		if (value_of(s, "resume", &value))
			return -s->e->code;
		s->out->resume = value;
		return 0;
	}
	if (strcmp(key, "output_format") == 0) {
		if (value_of(s, "output-format", &value))
			return -s->e->code;
		s->out->formats = sweep_formats_parse(value, s->e);
		return s->out->formats ? 0 : -s->e->code;
	}
	*taken = false;
	return 0;
}

static int do_argument(struct scan *s, const char *arg)
{
	const struct option_def *row;
	const char *value;
	char key[KEY_SIZE];
	bool taken;
	int rc;

	if (!take_apart(arg, key, &value)) {
		add_word(&s->words, xstrdup(arg));
		return 0;
	}
	rc = do_own(s, key, value, &taken);
	if (rc || taken)
		return rc;
	row = option_find(sweep_options, key);
	if (row)
		return do_row(s, row, value);
	add_word(&s->words, xstrdup(arg));
	return 0;
}

/* Without --name and without a job file the options themselves are the job. */
static int parse_job(struct scan *s)
{
	struct cmdline *cmd = &s->out->cmd;
	struct words named = {0};
	struct err first = {0};
	int rc = cmdline_parse(s->words.n, s->words.v, cmd, &first);

	if (rc == 0 || !strstr(first.msg, "No job")) {
		*s->e = first;
		return rc;
	}
	add_word(&named, xstrdup("--name=sweep"));
	for (int i = 0; i < s->words.n; i++)
		add_word(&named, xstrdup(s->words.v[i]));
	rc = cmdline_parse(named.n, named.v, cmd, s->e);
	words_fini(&named);
	return rc;
}

/* -- going on from a saved sweep --------------------------------------------------------------- */

static bool job_was_given(const struct spec *spec)
{
	if (spec->n_jobs != 1)
		return true;
	for (size_t i = 0; i < spec->jobs[0].n_given; i++)
		if (strcmp(spec->jobs[0].given[i].key, "name") != 0)
			return true;
	return false;
}

/* The first line of `now` that is not in `was`; NULL: none. The section's name does not count. */
static char *differing_line(const char *was, const char *now)
{
	while (*now) {
		size_t n = strcspn(now, "\n");
		char *line = xasprintf("%.*s", (int)n, now), *wrapped = xasprintf("\n%s\n", line);
		bool same = *line == '[' || strncmp(line, "name=", 5) == 0 || strstr(was, wrapped);

		free(wrapped);
		if (!same)
			return line;
		free(line);
		now += n + (now[n] != '\0');
	}
	return NULL;
}

static int other_job(const struct sweep_args *a, const char *was, const char *now, struct err *e)
{
	char *has = differing_line(now, was), *gives = differing_line(was, now);
	int rc = 0;

	if (has || gives)
		rc = err_set(e, EINVAL, "%s: is of another job: it has %.80s, this one %.80s",
			     a->resume, has ? has : "no such line", gives ? gives : "does not");
	free(has);
	free(gives);
	return rc;
}

static int same_job(const struct sweep_args *a, struct err *e)
{
	struct strbuf now = {0};
	int rc;

	profile_print(&a->cmd.spec.jobs[0], &now);
	rc = other_job(a, a->saved->job, strbuf_str(&now), e);
	strbuf_fini(&now);
	return rc;
}

static int take_job(struct sweep_args *a, struct err *e)
{
	struct spec spec;
	int rc;

	spec_init(&spec);
	rc = jobfile_parse(a->resume, a->saved->job, strlen(a->saved->job), NULL, &spec, e);
	if (rc == 0) {
		spec_fini(&a->cmd.spec);
		a->cmd.spec = spec;
		return 0;
	}
	spec_fini(&spec);
	return rc;
}

static int same_words(const struct sweep_args *a, struct err *e)
{
	struct strbuf now = {0};
	int rc = 0;

	sweep_spec_print(&a->spec, &now);
	if (now.len && strcmp(strbuf_str(&now), a->saved->words) != 0)
		rc = err_set(e, EINVAL, "%s: is of another sweep: %.150s, not %.150s", a->resume,
			     a->saved->words, strbuf_str(&now));
	strbuf_fini(&now);
	return rc;
}

static int go_on(struct sweep_args *a, struct err *e)
{
	char *path = app_sweep_find(a->resume);
	int rc;

	a->saved = xcalloc(1, sizeof(*a->saved));
	rc = sweep_load(path, a->saved, e);
	free(path);
	if (rc == 0)
		rc = job_was_given(&a->cmd.spec) ? same_job(a, e) : take_job(a, e);
	if (rc == 0)
		rc = same_words(a, e);
	if (rc)
		return rc;
	a->spec = a->saved->r.spec;
	return app_sweep_same_target(a->resume, &a->saved->r, &a->cmd.spec.jobs[0], e);
}

static int check(struct sweep_args *a, struct err *e)
{
	if (a->cmd.help || a->cmd.version)
		return 0;
	if (a->cmd.spec.n_jobs != 1)
		return err_set(e, EINVAL, "a sweep runs one job; the request has %zu",
			       a->cmd.spec.n_jobs);
	return a->resume ? go_on(a, e) : sweep_spec_settle(&a->spec, e);
}

int sweep_args_parse(int argc, char *const *argv, struct sweep_args *out, struct err *e)
{
	struct scan s = {.argc = argc, .argv = argv, .out = out, .e = e};
	int rc = 0;

	memset(out, 0, sizeof(*out));
	sweep_spec_init(&out->spec);
	out->formats = SWEEP_NORMAL;
	while (rc == 0 && s.i < argc)
		rc = do_argument(&s, argv[s.i++]);
	if (rc == 0)
		rc = parse_job(&s);
	words_fini(&s.words);
	if (rc)
		return rc;
	rc = check(out, e);
	if (rc)
		sweep_args_fini(out);
	return rc;
}

void sweep_args_fini(struct sweep_args *a)
{
	cmdline_fini(&a->cmd);
	if (a->saved)
		sweep_saved_fini(a->saved);
	free(a->saved);
	a->saved = NULL;
}

void sweep_args_help(struct strbuf *out)
{
	strbuf_puts(
		out,
		"usage: iodeck sweep [options] [job options | job file]\n\n"
		"Measures a grid of cells with one job. One or two options get several values and\n"
		"become its axes: lists (4k,16k), ranges that double (1..256) or step "
		"(0..100/10).\n\n"
		"  --output=FILE --eta=WHEN --readonly --parse-only\n"
		"  --allow-destroy=DEV --allow-overwrite=FILE\n"
		"        As of iodeck run.\n\n");
	for (const struct sweep_word *w = sweep_words; w->name; w++)
		strbuf_addf(out, "  --%s=%s\n        %s\n", w->name, w->arg, w->help);
	strbuf_putc(out, '\n');
	for (const struct option_def *row = sweep_options; row->name; row++) {
		strbuf_addf(out, "  --%s%s%s", row->name, row->alias ? ", --" : "",
			    row->alias ? row->alias : "");
		if (row->def)
			strbuf_addf(out, " (%s)", row->def);
		strbuf_addf(out, "\n        %s\n", row->help);
	}
	strbuf_puts(out, "\nJob options: see iodeck run --help.\n");
}
