#include "src/spec/jobfile.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/spec/apply.h"
#include "src/spec/cmdline.h"
#include "src/spec/line.h"
#include "src/spec/source.h"

/*
 * inih drives the parse: what is a section, what a key. Its buffers are small and fixed when it was
 * built (200 bytes a line, 50 a name), it makes no call for a section without keys, takes an indented
 * line for more of the value before, refuses a bare key and gives no line numbers. So its reader is
 * ours: it cuts comments, expands variables, checks the line, keeps the whole texts in `kept` and hands
 * inih a short line of the same shape, with a key of its own after each section header.
 */
#define SECTION_KEY "@section"
#define KEY_MAX     48 /* inih keeps 49 characters of a name; no option is that long */

/* An option of the open section, waiting for the section's end: kb_base first, filename last. */
struct pending {
	const struct option_def *row; /* NULL: accepted and ignored, or the engine's */
	bool of_engine;
	char *key, *val, *where;
};

struct jobfile {
	struct source_stack sources;
	struct spec out;         /* jobs and notes of this file only */
	struct job_spec globals; /* what the next section starts from */
	struct given_list global_given;
	struct strbuf line, expanded;
	/* the line that inih is looking at */
	struct {
		char *section, *val;
		bool announce; /* the section key is due */
	} kept;
	/* the open section */
	char *section, *where; /* where: "job.fio:3", of its header */
	struct pending *pending;
	size_t n_pending;
	char *const *only; /* sections that are wanted; n_only 0: all */
	size_t n_only;
	bool noted_blanks;
	int rc; /* of the first error; everything stops then */
	struct err *e;
};

static int fail_here(struct jobfile *f, int rc)
{
	const struct source *s = source_top(&f->sources);

	if (f->section && !f->kept.announce)
		err_wrap(f->e, "%.200s:%u: [%.80s]", s->name, s->line, f->section);
	else
		err_wrap(f->e, "%.200s:%u", s->name, s->line);
	f->rc = rc;
	return rc;
}

/* -- sections --------------------------------------------------------------------------------- */

static bool is_global(const char *section)
{
	return strncmp(section, "global", 6) == 0;
}

static void clear_section(struct jobfile *f)
{
	for (size_t i = 0; i < f->n_pending; i++) {
		free(f->pending[i].key);
		free(f->pending[i].val);
		free(f->pending[i].where);
	}
	free(f->pending);
	free(f->section);
	free(f->where);
	f->pending = NULL;
	f->n_pending = 0;
	f->section = f->where = NULL;
}

#define TURNS 4

static unsigned turn_of(const struct pending *p)
{
	if (p->of_engine)
		return 3;
	if (!p->row)
		return 1;
	return p->row->flags & OPT_EARLY ? 0 : p->row->flags & OPT_LATE ? 2 : 1;
}

static int apply_one(struct jobfile *f, const struct pending *p, struct job_spec *job,
		     struct given_list *given)
{
	if (p->row)
		return apply_option(job, p->row, p->val, p->where, given, &f->out, f->e);
	if (p->of_engine)
		return apply_engine_option(job, p->key, p->val, p->where, given, &f->out, f->e);
	apply_note_ignored(p->key, p->where, &f->out);
	return 0;
}

static int apply_pending(struct jobfile *f, struct job_spec *job, struct given_list *given)
{
	int rc;

	for (unsigned turn = 0; turn < TURNS; turn++) {
		for (size_t i = 0; i < f->n_pending; i++) {
			const struct pending *p = &f->pending[i];

			if (turn_of(p) != turn)
				continue;
			rc = apply_one(f, p, job, given);
			if (rc) {
				err_wrap(f->e, "%s", p->where);
				return rc;
			}
		}
	}
	return 0;
}

static int close_job(struct jobfile *f)
{
	struct option_def const *name_row = option_find(job_options, "name");
	struct given_list given = {0};
	struct job_spec job;
	int rc;

	apply_begin_job(&job, &f->globals);
	rc = option_set(name_row, &job, f->section, job.kb_base, f->e);
	if (rc == 0)
		rc = apply_pending(f, &job, &given);
	if (rc == 0) {
		rc = apply_target(&job, f->e);
		if (rc == 0)
			rc = apply_check(&job, f->where, &f->out, f->e);
		if (rc)
			err_wrap(f->e, "%s", f->where);
	}
	job.given = given.v;
	job.n_given = given.n;
	if (rc == 0)
		spec_add(&f->out, &job);
	job_spec_fini(&job);
	return rc;
}

static bool is_wanted(const struct jobfile *f)
{
	for (size_t i = 0; i < f->n_only; i++)
		if (strcmp(f->only[i], f->section) == 0)
			return true;
	return f->n_only == 0;
}

static int close_section(struct jobfile *f)
{
	int rc = 0;

	if (f->section && is_global(f->section))
		rc = apply_pending(f, &f->globals, &f->global_given);
	else if (f->section && is_wanted(f))
		rc = close_job(f);
	clear_section(f);
	return rc;
}

static int open_section(struct jobfile *f)
{
	const struct source *s = source_top(&f->sources);

	f->section = f->kept.section;
	f->kept.section = NULL;
	f->where = xasprintf("%.200s:%u", s->name, s->line);
	return 0;
}

/* -- what inih calls -------------------------------------------------------------------------- */

static int add_option(struct jobfile *f, const char *key)
{
	const struct source *s = source_top(&f->sources);
	const struct option_def *row;
	struct pending *p;
	enum lookup found;

	if (cmdline_is_word(key) && !option_find(job_options, key))
		return err_set(f->e, EINVAL, "%s: command-line option, not allowed in a job file",
			       key);
	found = apply_lookup(key, &row, f->e);
	if (found == LOOKUP_REFUSED)
		return -f->e->code;
	f->pending = xrealloc(f->pending, (f->n_pending + 1) * sizeof(*f->pending));
	p = &f->pending[f->n_pending++];
	*p = (struct pending){.row = row,
			      .of_engine = found == LOOKUP_ENGINE,
			      .key = xstrdup(key),
			      .val = f->kept.val};
	p->where = xasprintf("%.200s:%u: [%.80s]", s->name, s->line, f->section);
	f->kept.val = NULL;
	return 0;
}

static int handle(void *user, const char *section, const char *name, const char *value)
{
	struct jobfile *f = user;
	int rc;

	(void)section;
	(void)value;
	if (!name || f->rc) /* some builds of inih also call for the header itself */
		return 1;
	if (strcmp(name, SECTION_KEY) == 0) {
		open_section(f);
		return 1;
	}
	rc = add_option(f, name);
	if (rc)
		fail_here(f, rc);
	return rc == 0;
}

/* -- what inih reads -------------------------------------------------------------------------- */

static int read_header(struct jobfile *f, char *line, char *out, size_t size)
{
	size_t n = strlen(line);
	int rc;

	f->kept.announce = true;
	if (f->sources.depth > 1)
		return err_set(f->e, EINVAL, "an included file may not hold sections");
	if (line[n - 1] != ']')
		return err_set(f->e, EINVAL, "'%.80s': the ']' of the section name is missing",
			       line);
	line[n - 1] = '\0';
	if (!line[1])
		return err_set(f->e, EINVAL, "the section has no name");
	rc = close_section(f);
	if (rc) {
		f->rc = rc; /* its place stands in the message already */
		return rc;
	}
	f->kept.section = xstrdup(line + 1);
	snprintf(out, size, "[%.40s]\n", line + 1);
	return 0;
}

static int check_key(const struct jobfile *f, const char *key)
{
	if (!*key)
		return err_set(f->e, EINVAL, "an option name is missing before '='");
	if (key[strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] ||
	    strlen(key) > KEY_MAX)
		return err_set(f->e, EINVAL, "%.60s: unknown option", key);
	return 0;
}

static void note_blanks(struct jobfile *f, const char *key)
{
	const struct source *s = source_top(&f->sources);

	if (f->noted_blanks)
		return;
	f->noted_blanks = true;
	spec_note(&f->out,
		  "%.200s:%u: [%.80s] blanks after '=' are dropped (%s = ...); fio keeps them in "
		  "the value",
		  s->name, s->line, f->section, key);
}

static int read_option(struct jobfile *f, char *line, char *out, size_t size)
{
	struct strbuf value = {0};
	struct key_value kv;
	bool had_keyword;
	int rc;

	if (!f->section)
		return err_set(f->e, EINVAL, "option '%.80s' outside of a [section]", line);
	strbuf_reset(&f->expanded);
	rc = line_expand(line, &f->expanded, &had_keyword, f->e);
	if (rc)
		return rc;
	if (text_has_control(strbuf_str(&f->expanded)))
		return err_set(f->e, EINVAL, "a variable in the line holds a control character");
	kv = line_split(f->expanded.s);
	rc = check_key(f, kv.key);
	if (rc)
		return rc;
	if (kv.blank_before_value)
		note_blanks(f, kv.key);
	if (kv.val && had_keyword) {
		rc = line_evaluate(kv.val, &value, f->e);
		if (rc)
			err_wrap(f->e, "%s=%.60s", kv.key, kv.val);
	} else if (kv.val) {
		strbuf_puts(&value, kv.val);
	}
	free(f->kept.val);
	f->kept.val = kv.val ? xstrdup(strbuf_str(&value)) : NULL;
	strbuf_fini(&value);
	snprintf(out, size, "%s=1\n", kv.key);
	return rc;
}

/* `include FILE`: the word, a blank, a path. */
static const char *include_path(const char *line)
{
	if (strncmp(line, "include", 7) != 0 || (line[7] && line[7] != ' ' && line[7] != '\t'))
		return NULL;
	return line + 7 + strspn(line + 7, " \t");
}

static int read_include(struct jobfile *f, const char *path)
{
	struct strbuf expanded = {0};
	bool had_keyword;
	int rc;

	if (!f->section)
		return err_set(f->e, EINVAL, "include outside of a [section]");
	rc = line_expand(path, &expanded, &had_keyword, f->e);
	if (rc == 0)
		rc = source_push_include(&f->sources, strbuf_str(&expanded), f->e);
	strbuf_fini(&expanded);
	return rc;
}

/* One line for inih: 1, 0 when this line gives none (blank, comment, include), or -errno. */
static int read_line(struct jobfile *f, char *out, size_t size)
{
	char *line = line_trim(f->line.s);
	const char *path;
	int rc;

	if (!*line)
		return 0;
	path = include_path(line);
	if (path)
		return read_include(f, path);
	rc = *line == '[' ? read_header(f, line, out, size) : read_option(f, line, out, size);
	return rc ? rc : 1;
}

static char *read_for_inih(char *out, int size, void *stream)
{
	struct jobfile *f = stream;
	int rc = 0;

	if (f->rc)
		return NULL;
	if (f->kept.announce) {
		f->kept.announce = false;
		snprintf(out, (size_t)size, SECTION_KEY "=1\n");
		return out;
	}
	while (rc == 0) {
		rc = source_next(&f->sources, &f->line, f->e);
		if (rc == 0)
			return NULL;
		if (rc > 0)
			rc = read_line(f, out, (size_t)size);
	}
	if (rc < 0 && !f->rc)
		fail_here(f, rc);
	return rc < 0 ? NULL : out;
}

/* -- the file --------------------------------------------------------------------------------- */

static void jobfile_fini(struct jobfile *f)
{
	clear_section(f);
	free(f->kept.section);
	free(f->kept.val);
	source_fini(&f->sources);
	spec_fini(&f->out);
	job_spec_fini(&f->globals);
	given_free(&f->global_given);
	strbuf_fini(&f->line);
	strbuf_fini(&f->expanded);
}

/* Hands everything over; what is left in f is empty. */
static void move_into(struct jobfile *f, struct spec *spec)
{
	struct given_list globals = {spec->globals, spec->n_globals};

	for (size_t i = 0; i < f->out.n_jobs; i++)
		spec_add(spec, &f->out.jobs[i]);
	for (size_t i = 0; i < f->global_given.n; i++)
		given_add(&globals, f->global_given.v[i].key, f->global_given.v[i].val);
	spec->globals = globals.v;
	spec->n_globals = globals.n;
	if (f->out.notes.len)
		strbuf_add(&spec->notes, f->out.notes.s, f->out.notes.len);
}

static int parse(struct jobfile *f, struct spec *spec)
{
	const char *name = f->sources.v[0].name;
	int ini_rc;

	ini_rc = ini_parse_stream(read_for_inih, f, handle, f);
	if (f->rc == 0 && ini_rc)
		f->rc = err_set(f->e, EINVAL, "%.200s: cannot be read as a job file", name);
	if (f->rc == 0)
		f->rc = close_section(f);
	if (f->rc == 0 && f->out.n_jobs == 0 && f->n_only == 0)
		f->rc = err_set(f->e, EINVAL, "%.200s: no job section in it, nothing to run", name);
	if (f->rc == 0)
		move_into(f, spec);
	return f->rc;
}

static void jobfile_init(struct jobfile *f, const struct job_spec *defaults, struct err *e)
{
	*f = (struct jobfile){.e = e};
	if (defaults)
		apply_begin_job(&f->globals, defaults);
	else
		job_spec_init(&f->globals);
}

int jobfile_load(const char *path, const struct job_spec *defaults, struct spec *spec,
		 struct err *e)
{
	return jobfile_load_sections(path, NULL, 0, defaults, spec, e);
}

int jobfile_load_sections(const char *path, char *const *sections, size_t n_sections,
			  const struct job_spec *defaults, struct spec *spec, struct err *e)
{
	struct err own = {0};
	struct jobfile f;
	int rc;

	jobfile_init(&f, defaults, e ? e : &own);
	f.only = sections;
	f.n_only = n_sections;
	rc = source_push_file(&f.sources, path, f.e);
	if (rc == 0)
		rc = parse(&f, spec);
	jobfile_fini(&f);
	return rc;
}

int jobfile_parse(const char *name, const char *text, size_t len, const struct job_spec *defaults,
		  struct spec *spec, struct err *e)
{
	struct err own = {0};
	struct jobfile f;
	int rc;

	jobfile_init(&f, defaults, e ? e : &own);
	source_push_text(&f.sources, name, text, len);
	rc = parse(&f, spec);
	jobfile_fini(&f);
	return rc;
}
