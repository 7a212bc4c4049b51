#include "src/spec/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/apply.h"
#include "src/spec/jobfile.h"
#include "src/spec/profile.h"

#define KEY_MARK      "iodeck:"
#define STEADY_ROUNDS 64 /* ROUNDS_MAX of stat, which this folder must not know */
#define FIELD(f)      offsetof(struct suite_opts, f)

const struct option_def suite_options[] = {
	{.name = "title", .type = OPT_STR, .offset = FIELD(title), .help = "What the stage shows."},
	{.name = "sweep",
	 .type = OPT_STR,
	 .offset = FIELD(sweep),
	 .help = "Axes and limits, as of iodeck sweep: the stage is a sweep of its job."},
	{.name = "steady",
	 .type = OPT_FLAG,
	 .offset = FIELD(steady),
	 .def = "0",
	 .help = "The job is repeated until it is steady: range and slope of the newest rounds."},
	{.name = "precondition",
	 .type = OPT_FLAG,
	 .offset = FIELD(precondition),
	 .def = "0",
	 .help = "Only with --precondition."},
	{.name = "round",
	 .type = OPT_TIME,
	 .offset = FIELD(round_ns),
	 .min = 500 * UNIT_MS,
	 .max = 3600 * UNIT_SEC,
	 .scale = UNIT_SEC,
	 .def = "60",
	 .unit = "s",
	 .help = "Length of one round of steady."},
	{.name = "window",
	 .type = OPT_U32,
	 .offset = FIELD(window),
	 .min = 3,
	 .max = STEADY_ROUNDS,
	 .def = "5",
	 .help = "Rounds that are judged."},
	{.name = "rounds",
	 .type = OPT_U32,
	 .offset = FIELD(rounds),
	 .min = 3,
	 .max = STEADY_ROUNDS,
	 .def = "25",
	 .help = "At most so many, steady or not."},
	{.name = "range",
	 .type = OPT_U32,
	 .offset = FIELD(range_pct),
	 .min = 1,
	 .max = 100,
	 .def = "20",
	 .unit = "%",
	 .help = "Steady: the window's values differ by no more than this share of their mean."},
	{.name = "slope",
	 .type = OPT_U32,
	 .offset = FIELD(slope_pct),
	 .min = 1,
	 .max = 100,
	 .def = "10",
	 .unit = "%",
	 .help = "Steady: the line through them changes by no more than this share."},
	{.name = NULL},
};

static void opts_init(struct suite_opts *o)
{
	memset(o, 0, sizeof(*o));
	option_defaults(suite_options, o);
}

static void opts_fini(struct suite_opts *o)
{
	free(o->title);
	free(o->sweep);
}

/* ---- the comment lines ---- */

/* The blanks at both ends; a comment stays, unlike with line_trim(). */
static char *trim(char *s)
{
	size_t n;

	s += strspn(s, " \t\r");
	for (n = strlen(s); n && strchr(" \t\r", s[n - 1]);)
		s[--n] = '\0';
	return s;
}

struct reader {
	const char *name;
	struct suite *suite;
	struct suite_stage *at; /* the section that the line stands in; NULL: none, or [global] */
	unsigned line;
	struct err *e;
};

static int set_key(struct reader *r, char *word)
{
	char *eq = strchr(word, '=');
	const struct option_def *row;

	if (eq)
		*eq = '\0';
	row = option_find(suite_options, word);
	if (!r->at)
		return err_set(r->e, EINVAL, "%s:%u: %.40s: not in a stage's section", r->name,
			       r->line, word);
	if (!row)
		return err_set(r->e, EINVAL, "%s:%u: %.40s: no such key of a stage", r->name,
			       r->line, word);
	if (!eq && !option_is_bare(row))
		return err_set(r->e, EINVAL, "%s:%u: %s: a value is needed", r->name, r->line,
			       row->name);
	if (option_set(row, &r->at->opts, eq ? eq + 1 : NULL, 1024, r->e) == 0)
		return 0;
	err_wrap(r->e, "%s:%u", r->name, r->line);
	return -EINVAL;
}

static struct suite_stage *add_stage(struct suite *s, const char *name)
{
	struct suite_stage *st;

	s->stage = xrealloc(s->stage, (s->n + 1) * sizeof(*s->stage));
	st = &s->stage[s->n++];
	memset(st, 0, sizeof(*st));
	st->name = xstrdup(name);
	opts_init(&st->opts);
	return st;
}

static void open_section(struct reader *r, const char *line)
{
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line + 1, "]"), line + 1);
	r->at = strncmp(name, "global", 6) == 0 ? NULL : add_stage(r->suite, name);
}

static int read_line(struct reader *r, char *text)
{
	char *line = trim(text);

	if (*line == '[') {
		open_section(r, line);
		return 0;
	}
	if (*line != ';' && *line != '#')
		return 0;
	line = trim(line + 1);
	if (strncmp(line, KEY_MARK, strlen(KEY_MARK)) == 0)
		return set_key(r, trim(line + strlen(KEY_MARK)));
	if (!r->suite->title && !r->at && *line)
		r->suite->title = xstrdup(line);
	return 0;
}

static int read_keys(struct reader *r, const char *text)
{
	int rc = 0;

	while (*text && rc == 0) {
		size_t n = strcspn(text, "\n");
		char *line = xasprintf("%.*s", (int)n, text);

		r->line++;
		rc = read_line(r, line);
		free(line);
		text += n + (text[n] != '\0');
	}
	return rc;
}

/* ---- stages ---- */

static int settle(const char *name, struct suite_stage *st, struct err *e)
{
	int rc = 0;

	if (st->opts.sweep && st->opts.steady)
		return err_set(e, EINVAL, "%s: [%s]: sweep and steady are two stages", name,
			       st->name);
	st->kind = st->opts.sweep ? SUITE_SWEEP : st->opts.steady ? SUITE_STEADY : SUITE_RUN;
	if (st->opts.steady && st->opts.rounds < st->opts.window)
		return err_set(e, EINVAL, "%s: [%s]: rounds: fewer than the window", name,
			       st->name);
	if (st->kind != SUITE_SWEEP)
		return 0;
	sweep_spec_init(&st->sweep);
	rc = sweep_spec_parse(&st->sweep, st->opts.sweep, e);
	if (rc < 0)
		err_wrap(e, "%s: [%s]: sweep", name, st->name);
	return rc;
}

int suite_parse(const char *name, const char *text, struct suite *s, struct err *e)
{
	struct reader r = {.name = name, .suite = s, .e = e};
	int rc;

	*s = (struct suite){0};
	spec_init(&s->spec);
	rc = jobfile_parse(name, text, strlen(text), NULL, &s->spec, e);
	if (rc == 0)
		rc = read_keys(&r, text);
	/* A section that came out of an include has no comment lines of its own here. */
	if (rc == 0 && s->n != s->spec.n_jobs)
		rc = err_set(e, EINVAL, "%s: a suite has its sections in one file", name);
	for (size_t i = 0; i < s->n && rc == 0; i++)
		rc = settle(name, &s->stage[i], e);
	if (rc)
		suite_fini(s);
	return rc;
}

int suite_load(const char *path, struct suite *s, struct err *e)
{
	struct strbuf sb = {0};
	int rc = fs_read_all("", path, &sb);

	if (rc)
		err_set(e, -rc, "%s: %s", path, strerror(-rc));
	else
		rc = suite_parse(path, strbuf_str(&sb), s, e);
	strbuf_fini(&sb);
	return rc;
}

static void stage_fini(struct suite_stage *st)
{
	free(st->name);
	opts_fini(&st->opts);
}

void suite_fini(struct suite *s)
{
	for (size_t i = 0; i < s->n; i++)
		stage_fini(&s->stage[i]);
	free(s->stage);
	free(s->title);
	spec_fini(&s->spec);
	*s = (struct suite){0};
}

/* ---- by name ---- */

static char *in_folder(char *dir, const char *name)
{
	char *path = dir ? xasprintf("%s/suite-%s.fio", dir, name) : NULL;

	free(dir);
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *suite_find(const char *name)
{
	size_t n = strlen(name);
	char *path;

	if (strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".fio") == 0))
		return xstrdup(name);
	path = in_folder(profile_user_dir(), name);
	return path ? path : in_folder(profile_shipped_dir(), name);
}

/* ---- changes ---- */

/* What a stage measures is the suite's; where and through what is the user's. */
static bool is_the_stages(const char *key)
{
	static const char *const own[] = {
		"rw",         "readwrite",       "bs",         "blocksize",
		"iodepth",    "rwmixread",       "rwmixwrite", "runtime",
		"timeout",    "ramp_time",       "time_based", "io_size",
		"io_limit",   "loops",           "stonewall",  "wait_for_previous",
		"number_ios", "startdelay",      "rate",       "rate_iops",
		"bsrange",    "blocksize_range", "bssplit",    "new_group"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(key, own[i]) == 0)
			return true;
	return false;
}

static int override_one(struct suite *s, size_t job, const struct opt_given *g, struct err *e)
{
	const struct option_def *row;
	struct given_list given = {s->spec.jobs[job].given, s->spec.jobs[job].n_given};
	enum lookup found = apply_lookup(g->key, &row, e);
	int rc = 0;

	if (found == LOOKUP_ROW)
		rc = apply_option(&s->spec.jobs[job], row, g->val, "command line", &given, &s->spec,
				  e);
	else if (found == LOOKUP_ENGINE)
		rc = apply_engine_option(&s->spec.jobs[job], g->key, g->val, "command line", &given,
					 &s->spec, e);
	s->spec.jobs[job].given = given.v;
	s->spec.jobs[job].n_given = given.n;
	return found == LOOKUP_REFUSED ? -e->code : rc;
}

/* The stages' own engine is a suggestion, which gives way to a target that decides it. */
static int settle_engines(struct suite *s, const struct job_spec *given, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < s->spec.n_jobs && rc == 0; i++) {
		s->spec.jobs[i].engine_chosen = given->engine_chosen;
		rc = apply_target(&s->spec.jobs[i], e);
	}
	return rc;
}

int suite_override(struct suite *s, const struct job_spec *job, struct err *e)
{
	for (size_t k = 0; k < job->n_given; k++) {
		const struct opt_given *g = &job->given[k];
		int rc = 0;

		if (strcmp(g->key, "name") == 0)
			continue;
		if (is_the_stages(g->key))
			return err_set(e, EINVAL, "%s: is what the suite's stages set", g->key);
		for (size_t i = 0; i < s->spec.n_jobs && rc == 0; i++)
			rc = override_one(s, i, g, e);
		if (rc)
			return rc;
	}
	return settle_engines(s, job, e);
}

static bool is_listed(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == len && strncmp(p, name, len) == 0)
			return true;
	return false;
}

static int check_names(const struct suite *s, const char *names, struct err *e)
{
	struct strbuf known = {0};
	int rc = 0;

	for (size_t i = 0; i < s->n; i++)
		strbuf_addf(&known, "%s%s", i ? "," : "", s->stage[i].name);
	for (const char *p = names; *p && rc == 0; p += strcspn(p, ","), p += *p == ',') {
		char *one = xasprintf("%.*s", (int)strcspn(p, ","), p);

		if (!is_listed(strbuf_str(&known), one))
			rc = err_set(e, ENOENT, "stages: there is no %.60s; there are %.300s", one,
				     strbuf_str(&known));
		free(one);
	}
	strbuf_fini(&known);
	return rc;
}

int suite_only(struct suite *s, const char *names, struct err *e)
{
	int rc = check_names(s, names, e);
	size_t kept = 0;

	for (size_t i = 0; i < s->n && rc == 0; i++) {
		if (!is_listed(names, s->stage[i].name)) {
			stage_fini(&s->stage[i]);
			job_spec_fini(&s->spec.jobs[i]);
			continue;
		}
		s->stage[kept] = s->stage[i];
		s->spec.jobs[kept++] = s->spec.jobs[i];
	}
	if (rc == 0)
		s->n = s->spec.n_jobs = kept;
	return rc == 0 && kept == 0 ? err_set(e, EINVAL, "stages: none is named") : rc;
}

/* ---- time ---- */

#define BATCH_MIN_NS (100 * UNIT_MS)
#define CELL_MIN_NS  (500 * UNIT_MS)
#define QUICK_AXIS   5u
#define QUICK_ROUNDS 8u

static uint64_t scaled(uint64_t ns, double factor, uint64_t least)
{
	double v = (double)ns * factor;

	return v > (double)least ? (uint64_t)v : least;
}

/* Every other value; the last stays. */
static void thin(struct sweep_axis *a)
{
	unsigned n = 0;

	if (a->n <= QUICK_AXIS)
		return;
	for (unsigned i = 0; i < a->n; i++) {
		if (i % 2 && i + 1 < a->n)
			continue;
		a->v[n] = a->v[i];
		memmove(a->word[n++], a->word[i], sizeof(a->word[0]));
	}
	a->n = n;
}

static void scale_sweep(struct sweep_spec *s, double factor, bool quick)
{
	s->ramp_ns = scaled(s->ramp_ns, factor, 0);
	s->batch_ns = scaled(s->batch_ns, factor, BATCH_MIN_NS);
	s->min_ns = scaled(s->min_ns, factor, CELL_MIN_NS);
	s->cap_ns = scaled(s->cap_ns, factor, s->min_ns);
	for (unsigned k = 0; k < SWEEP_KINDS && quick; k++)
		thin(&s->axis[k]);
}

void suite_scale(struct suite *s, double factor, bool quick)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suite_stage *st = &s->stage[i];
		struct job_spec *job = &s->spec.jobs[i];

		job->runtime_ns =
			job->runtime_ns ? scaled(job->runtime_ns, factor, CELL_MIN_NS) : 0;
		st->opts.round_ns = scaled(st->opts.round_ns, factor, CELL_MIN_NS);
		if (quick && st->opts.rounds > QUICK_ROUNDS)
			st->opts.rounds =
				st->opts.window > QUICK_ROUNDS ? st->opts.window : QUICK_ROUNDS;
		scale_sweep(&st->sweep, factor, quick);
	}
}
