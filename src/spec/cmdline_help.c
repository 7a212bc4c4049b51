/* What the command line can tell about itself: help, --cmdhelp, --enghelp, --showcmd. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/spec/apply.h"
#include "src/spec/cmdline_words.h"
#include "src/spec/engines.h"
#include "src/spec/profile.h"

static void help_word(const struct cmdline_word *w, struct strbuf *out)
{
	bool optional = w->arg && *w->arg == '[';

	strbuf_addf(out, "  --%s%s%s", w->name, w->arg && !optional ? "=" : "",
		    w->arg ? w->arg : "");
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

/* One row as a block: everything it holds. */
static void describe(const struct option_def *row, struct strbuf *out)
{
	strbuf_addf(out, "%20s: %s\n", row->name, row->help);
	if (row->alias)
		strbuf_addf(out, "%20s: %s\n", "alias", row->alias);
	strbuf_addf(out, "%20s: ", "accepts");
	option_range(row, out);
	if (row->unit)
		strbuf_addf(out, "\n%20s: %s", "unit", row->unit);
	strbuf_addf(out, "\n%20s: %s\n", "default", row->def ? row->def : "none");
	for (const struct option_choice *c = row->choices; c && c->word; c++)
		if (c->help)
			strbuf_addf(out, "%20s: %s: %s\n", "", c->word, c->help);
}

static int no_option(const struct option_def *rows, const char *name, struct err *e)
{
	const char *near = option_nearest(rows, name);

	return err_set(e, EINVAL, "%.60s: no such option%s%s%s", name,
		       near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
}

int cmdline_cmdhelp(const char *topic, struct strbuf *out, struct err *e)
{
	const struct option_def *row;

	if (topic) {
		row = option_find(job_options, topic);
		if (!row)
			return no_option(job_options, topic, e);
		describe(row, out);
		return 0;
	}
	for (row = job_options; row->name; row++)
		strbuf_addf(out, "%-26s: %s\n", row->name, row->help);
	return 0;
}

static void list_engines(struct strbuf *out)
{
	strbuf_puts(out, "Engines:\n");
	for (const struct spec_engine *g = spec_engines(); g->name; g++)
		strbuf_addf(out, "  %-12s %s\n", g->name, g->summary);
}

int cmdline_enghelp(const char *topic, struct strbuf *out, struct err *e)
{
	const struct spec_engine *g;
	const struct option_def *row;
	const char *option;
	char name[64];

	if (!topic) {
		list_engines(out);
		return 0;
	}
	strncpy(name, topic, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	name[strcspn(name, ",")] = '\0';
	g = spec_engine_find(name);
	if (!g)
		return err_set(e, EINVAL, "engine %.60s not found", name);
	option = strchr(topic, ',');
	if (!g->options) {
		strbuf_addf(out, "%s has no options of its own\n", g->name);
		return 0;
	}
	if (option) {
		row = option_find(g->options, option + 1);
		if (!row)
			return no_option(g->options, option + 1, e);
		describe(row, out);
		return 0;
	}
	for (row = g->options; row->name; row++)
		strbuf_addf(out, "%-26s: %s\n", row->name, row->help);
	return 0;
}

/* -- --showcmd -------------------------------------------------------------------------------- */

/* Quoted for a shell when it holds anything but plain characters. */
static void add_word(const char *key, const char *val, struct strbuf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=.,:/%@";
	bool quote = val && val[strspn(val, plain)];

	strbuf_addf(out, "--%s", key);
	if (val)
		strbuf_putc(out, '=');
	if (quote)
		strbuf_putc(out, '\'');
	for (; val && *val; val++) {
		if (*val == '\'')
			strbuf_puts(out, "'\\''");
		else
			strbuf_putc(out, *val);
	}
	strbuf_puts(out, quote ? "' " : " ");
}

static void add_given(const struct opt_given *v, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].key, "name") != 0)
			add_word(v[i].key, v[i].val, out);
}

/* The lines of a job file, as words; its header is the job's name. */
static void add_values(const struct job_spec *job, struct strbuf *out)
{
	struct strbuf text = {0};
	char *line, *save, *eq;

	profile_print(job, &text);
	strtok_r(text.s, "\n", &save);
	while ((line = strtok_r(NULL, "\n", &save))) {
		eq = strchr(line, '=');
		if (eq)
			*eq++ = '\0';
		if (strcmp(line, "name") != 0)
			add_word(line, eq, out);
	}
	strbuf_fini(&text);
}

void cmdline_show(const struct cmdline *c, struct strbuf *out)
{
	strbuf_puts(out, "iodeck run ");
	/* With several sources one job's defaults are not another's: every job is spelt out then. */
	if (!c->several_sources)
		add_given(c->spec.globals, c->spec.n_globals, out);
	for (size_t i = 0; i < c->spec.n_jobs; i++) {
		const struct job_spec *job = &c->spec.jobs[i];

		add_word("name", job->name, out);
		if (c->several_sources)
			add_values(job, out);
		else
			add_given(job->given, job->n_given, out);
	}
	strbuf_putc(out, '\n');
}
