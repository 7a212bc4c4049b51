#include "src/spec/sweep_spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/sweep_values.h"

#define FIELD(f) offsetof(struct sweep_spec, f)

static const struct option_choice order_choices[] = {
	{"snake", SWEEP_SNAKE, "down one column, up the next: the smallest changes"},
	{"random", SWEEP_RANDOM, "a drifting device colours no row or column"},
	{NULL, 0, NULL},
};

/* -- the rows that are not plain fields ------------------------------------------------------- */

static enum sweep_kind kind_of(const struct option_def *row)
{
	return (enum sweep_kind)((row->offset - FIELD(axis)) / sizeof(struct sweep_axis));
}

static int axis_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct sweep_axis axis;
	int rc = sweep_values_parse(kind_of(row), text, &axis, e);

	if (rc)
		return rc;
	((struct sweep_spec *)obj)->axis[kind_of(row)] = axis;
	return 0;
}

/* Three values or more, each twice the one before. */
static bool doubles(const struct sweep_axis *a)
{
	for (unsigned i = 1; i < a->n; i++)
		if (a->v[i] != 2 * a->v[i - 1])
			return false;
	return a->n > 2 && a->v[0] > 0;
}

static void axis_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct sweep_spec *s = obj;
	enum sweep_kind kind = kind_of(row);
	const struct sweep_axis *a = &s->axis[kind];
	bool range = kind != SWEEP_ENGINE && doubles(a);
	char text[32];

	for (unsigned i = 0; i < a->n; i += range ? a->n - 1 : 1) {
		sweep_axis_label(s, kind, i, text, sizeof(text));
		strbuf_addf(out, "%s%s", i == 0 ? "" : range ? ".." : ",", text);
	}
}

static int ci_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	char *end;
	double v = strtod(text, &end);

	/* Digits only: strtod would take "inf", "nan" and hexadecimals. */
	if (strspn(text, "0123456789.") != strlen(text) || end == text || *end || v < 0.1 || v > 50)
		return err_set(e, EINVAL, "%s=%.40s: percent, 0.1 to 50", row->name, text);
	((struct sweep_spec *)obj)->ci_pct = v;
	return 0;
}

static void ci_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	(void)row;
	strbuf_addf(out, "%g", ((const struct sweep_spec *)obj)->ci_pct);
}

static int slo_row_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	(void)row;
	return slo_parse(text, &((struct sweep_spec *)obj)->slo, e);
}

static void slo_row_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	char text[48];

	(void)row;
	slo_print(&((const struct sweep_spec *)obj)->slo, text, sizeof(text));
	strbuf_puts(out, text);
}

#define AXIS(kind)                                                                                 \
	.type = OPT_CUSTOM, .offset = FIELD(axis[kind]), .parse = axis_parse, .print = axis_print

/* The axes stand first, in the order of enum sweep_kind. */
const struct option_def sweep_options[] = {
	{.name = "qd",
	 .alias = "iodepth",
	 AXIS(SWEEP_QD),
	 .help = "Axis: requests in flight of each job."},
	{.name = "jobs", .alias = "numjobs", AXIS(SWEEP_JOBS), .help = "Axis: jobs at once."},
	{.name = "rate_iops",
	 AXIS(SWEEP_RATE),
	 .unit = "IOPS",
	 .help = "Axis: IOPS that each job is held to."},
	{.name = "bs",
	 .alias = "blocksize",
	 AXIS(SWEEP_BS),
	 .unit = "bytes",
	 .help = "Axis: block sizes."},
	{.name = "rwmixread", AXIS(SWEEP_MIX), .unit = "%", .help = "Axis: percent of reads."},
	{.name = "engine", .alias = "ioengine", AXIS(SWEEP_ENGINE), .help = "Axis: engines."},
	{.name = "order",
	 .type = OPT_ENUM,
	 .offset = FIELD(order),
	 .choices = order_choices,
	 .def = "snake",
	 .help = "Order of the cells."},
	{.name = "seed",
	 .type = OPT_U64,
	 .offset = FIELD(seed),
	 .def = "1",
	 .help = "Of the random order."},
	{.name = "ramp",
	 .type = OPT_TIME,
	 .offset = FIELD(ramp_ns),
	 .max = 3600 * UNIT_SEC,
	 .scale = UNIT_SEC,
	 .def = "1",
	 .unit = "s",
	 .help = "Not measured after each change."},
	{.name = "batch",
	 .type = OPT_TIME,
	 .offset = FIELD(batch_ns),
	 .min = 100 * UNIT_MS,
	 .max = 60 * UNIT_SEC,
	 .scale = UNIT_SEC,
	 .def = "250ms",
	 .unit = "s",
	 .help = "Length of one batch mean; the interval is computed from these."},
	{.name = "ci",
	 .type = OPT_CUSTOM,
	 .offset = FIELD(ci_pct),
	 .parse = ci_parse,
	 .print = ci_print,
	 .def = "2",
	 .unit = "%",
	 .help = "A cell is done when the 95 % interval of its IOPS is within this share of the "
		 "mean."},
	{.name = "min",
	 .type = OPT_TIME,
	 .offset = FIELD(min_ns),
	 .min = 500 * UNIT_MS,
	 .max = 86400 * UNIT_SEC,
	 .scale = UNIT_SEC,
	 .def = "1500ms",
	 .unit = "s",
	 .help = "Shortest measuring time of a cell."},
	{.name = "cap",
	 .type = OPT_TIME,
	 .offset = FIELD(cap_ns),
	 .min = 500 * UNIT_MS,
	 .max = 86400 * UNIT_SEC,
	 .scale = UNIT_SEC,
	 .def = "15",
	 .unit = "s",
	 .help = "Longest measuring time of a cell; then it is marked ~."},
	{.name = "cell_bytes",
	 .type = OPT_SIZE,
	 .offset = FIELD(cell_bytes),
	 .def = "0",
	 .unit = "bytes",
	 .help = "A cell ends after so many bytes (0: no limit)."},
	{.name = "skip_saturated",
	 .type = OPT_FLAG,
	 .offset = FIELD(skip_saturated),
	 .def = "0",
	 .help = "Leave out the rest of a column after two steps that gained less than 3 %."},
	{.name = "slo",
	 .type = OPT_CUSTOM,
	 .offset = FIELD(slo),
	 .parse = slo_row_parse,
	 .print = slo_row_print,
	 .help = "Latency to stay below: 'p99<500us'; mean, p50, p90, p99, p99.9 or max."},
	{.name = "slo_search",
	 .type = OPT_BOOL,
	 .offset = FIELD(slo_search),
	 .def = "1",
	 .help = "With slo: bisect each column for the highest load inside it."},
	{.name = NULL},
};

/* -- set, parse, print ------------------------------------------------------------------------ */

void sweep_spec_init(struct sweep_spec *s)
{
	memset(s, 0, sizeof(*s));
	option_defaults(sweep_options, s);
	s->row = s->col = SWEEP_NO_AXIS;
}

int sweep_spec_set(struct sweep_spec *s, const char *name, const char *value, struct err *e)
{
	const struct option_def *row = option_find(sweep_options, name);

	if (!row)
		return err_set(e, ENOENT, "%.40s: no such option of a sweep", name);
	if (!value && !option_is_bare(row))
		return err_set(e, EINVAL, "%s: a value is needed", name);
	return option_set(row, s, value, 1024, e);
}

static int set_word(struct sweep_spec *s, char *word, struct err *e)
{
	char *eq = strchr(word, '=');

	if (eq)
		*eq = '\0';
	return sweep_spec_set(s, word, eq ? eq + 1 : NULL, e);
}

int sweep_spec_parse(struct sweep_spec *s, const char *words, struct err *e)
{
	char *copy = xstrdup(words), *save = NULL;
	int rc = 0;

	for (char *w = strtok_r(copy, " \t", &save); w && rc == 0; w = strtok_r(NULL, " \t", &save))
		rc = set_word(s, w, e);
	free(copy);
	return rc ? rc : sweep_spec_settle(s, e);
}

void sweep_spec_print(const struct sweep_spec *s, struct strbuf *out)
{
	struct sweep_spec plain;
	const char *sep = "";

	sweep_spec_init(&plain);
	for (const struct option_def *row = sweep_options; row->name; row++) {
		if (option_equal(row, s, &plain))
			continue;
		strbuf_addf(out, "%s%s=", sep, row->name);
		option_print(row, s, out);
		sep = " ";
	}
}

/* -- settle ----------------------------------------------------------------------------------- */

static int check_times(const struct sweep_spec *s, struct err *e)
{
	if (s->min_ns > s->cap_ns)
		return err_set(e, EINVAL, "min: longer than cap");
	if (3 * s->batch_ns > s->cap_ns)
		return err_set(e, EINVAL, "batch: at least three must fit into cap");
	return 0;
}

int sweep_spec_settle(struct sweep_spec *s, struct err *e)
{
	s->row = s->col = SWEEP_NO_AXIS;
	for (unsigned k = 0; k < SWEEP_KINDS; k++) {
		if (s->axis[k].n < 2)
			continue;
		if (s->col != SWEEP_NO_AXIS)
			return err_set(e, EINVAL, "%s: a third axis; two of %s, %s and %s",
				       sweep_kind_word((enum sweep_kind)k), sweep_kind_word(s->row),
				       sweep_kind_word(s->col),
				       sweep_kind_word((enum sweep_kind)k));
		if (s->row == SWEEP_NO_AXIS)
			s->row = (enum sweep_kind)k;
		else
			s->col = (enum sweep_kind)k;
	}
	if (s->row == SWEEP_NO_AXIS)
		return err_set(e, EINVAL,
			       "no axis: give several values to one or two of qd, jobs, rate_iops, "
			       "bs, rwmixread, engine (qd=1..128)");
	return check_times(s, e);
}

static unsigned count(const struct sweep_spec *s, enum sweep_kind k)
{
	return k == SWEEP_NO_AXIS ? 1 : s->axis[k].n;
}

unsigned sweep_spec_rows(const struct sweep_spec *s)
{
	return count(s, s->row);
}

unsigned sweep_spec_cols(const struct sweep_spec *s)
{
	return count(s, s->col);
}

/* -- a cell ----------------------------------------------------------------------------------- */

/* Which value of axis k holds in a cell; false: none was given. */
static bool index_at(const struct sweep_spec *s, enum sweep_kind k, unsigned row, unsigned col,
		     unsigned *i)
{
	*i = k == s->row ? row : k == s->col ? col : 0;
	return *i < s->axis[k].n;
}

void sweep_spec_tune(struct tuning *t, enum sweep_kind k, uint64_t v)
{
	switch (k) {
	case SWEEP_QD:
		t->qd = (uint32_t)v;
		break;
	case SWEEP_JOBS:
		t->jobs = (uint32_t)v;
		break;
	case SWEEP_RATE:
		for (unsigned op = 0; op < IO_OP_NR; op++)
			t->rate_iops[op] = v;
		break;
	case SWEEP_BS:
		for (unsigned op = 0; op < IO_OP_NR; op++)
			t->bs_bytes[op] = v;
		break;
	case SWEEP_MIX:
		t->read_pct = (uint8_t)v;
		t->ops = IO_BIT(IO_READ) | IO_BIT(IO_WRITE);
		break;
	default:
		break;
	}
}

void sweep_spec_tuning(const struct sweep_spec *s, unsigned row, unsigned col,
		       const struct tuning *base, struct tuning *out)
{
	unsigned i;

	*out = *base;
	for (unsigned k = 0; k < SWEEP_KINDS; k++)
		if (index_at(s, (enum sweep_kind)k, row, col, &i))
			sweep_spec_tune(out, (enum sweep_kind)k, s->axis[k].v[i]);
}

const char *sweep_spec_engine(const struct sweep_spec *s, unsigned row, unsigned col)
{
	unsigned i;

	return index_at(s, SWEEP_ENGINE, row, col, &i) ? s->axis[SWEEP_ENGINE].word[i] : NULL;
}

void sweep_spec_job_tune(struct job_spec *job, const struct tuning *t, const char *engine)
{
	job->iodepth = t->qd;
	job->numjobs = t->jobs;
	job->rwmixread = t->read_pct;
	job->rw.ops = t->ops;
	memcpy(job->bs_bytes, t->bs_bytes, sizeof(job->bs_bytes));
	memcpy(job->rate_iops, t->rate_iops, sizeof(job->rate_iops));
	if (engine) {
		free(job->ioengine);
		job->ioengine = xstrdup(engine);
	}
}

void sweep_spec_job(const struct sweep_spec *s, unsigned row, unsigned col, struct job_spec *job)
{
	struct tuning base, t;

	job_spec_tuning(job, &base);
	sweep_spec_tuning(s, row, col, &base, &t);
	sweep_spec_job_tune(job, &t, sweep_spec_engine(s, row, col));
}

/* -- words ------------------------------------------------------------------------------------ */

const char *sweep_kind_word(enum sweep_kind k)
{
	return k < SWEEP_KINDS ? sweep_options[k].name : "";
}

void sweep_axis_label(const struct sweep_spec *s, enum sweep_kind k, unsigned i, char *out,
		      size_t size)
{
	out[0] = '\0';
	if (k >= SWEEP_KINDS || i >= s->axis[k].n)
		return;
	if (k == SWEEP_ENGINE)
		snprintf(out, size, "%s", s->axis[k].word[i]);
	else if (k == SWEEP_BS)
		units_fmt_size_exact(out, size, s->axis[k].v[i]);
	else
		snprintf(out, size, "%llu", (unsigned long long)s->axis[k].v[i]);
}
