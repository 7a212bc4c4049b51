/* Typed values of the strip. What a field shows reads back; fio's spelling does too. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/setup.h"

#define VALUE_MAX 256

/* Without blanks: "4 KiB" -> "4KiB". */
static int squeeze(const char *text, char out[VALUE_MAX], struct err *e)
{
	size_t n = 0;

	for (; *text; text++) {
		if (isspace((unsigned char)*text))
			continue;
		if (n + 1 >= VALUE_MAX)
			return err_set(e, EINVAL, "the value is too long");
		out[n++] = *text;
	}
	out[n] = '\0';
	return 0;
}

static const struct option_def *row_of(enum field f)
{
	return option_find(job_options, state_field_option(f));
}

static int set_by_row(struct ui_state *s, enum field f, const char *text, struct err *e)
{
	return option_set(row_of(f), &s->job, text, s->job.kb_base, e);
}

static int parse_bs(const char *text, uint64_t *bytes, struct err *e)
{
	const struct option_def *row = row_of(FIELD_BS);
	int rc = units_parse_size_ui(text, bytes, e);

	if (rc < 0)
		return rc;
	if (*bytes == 0 || *bytes < row->min || (row->max && *bytes > row->max))
		return err_set(e, ERANGE, "bs=%s: out of range", text);
	return 0;
}

/* "4k", or "4k/64k" for reads and writes. */
static int type_bs(struct ui_state *s, char *text, struct err *e)
{
	char *second = text + strcspn(text, "/,");
	uint64_t r, w;
	int rc;

	if (*second)
		*second++ = '\0';
	rc = parse_bs(text, &r, e);
	w = r;
	if (rc == 0 && *second)
		rc = parse_bs(second, &w, e);
	if (rc < 0)
		return rc;
	s->job.bs_bytes[IO_READ] = r;
	s->job.bs_bytes[IO_WRITE] = w;
	s->job.bs_bytes[IO_TRIM] = r;
	return 0;
}

static int type_qd(struct ui_state *s, const char *text, struct err *e)
{
	uint64_t v;
	int rc = units_parse_u64(text, 1, TUNING_QD_MAX, &v, e);

	return rc < 0 ? rc : set_by_row(s, FIELD_QD, text, e);
}

static int type_jobs(struct ui_state *s, const char *text, struct err *e)
{
	uint64_t v;
	int rc = units_parse_u64(text, 1, TUNING_JOBS_MAX, &v, e);

	return rc < 0 ? rc : set_by_row(s, FIELD_JOBS, text, e);
}

static int type_engine(struct ui_state *s, const char *text, struct err *e)
{
	struct strbuf all = {0};

	for (const struct engine_info *i = s->engines; i && i->name; i++) {
		if (strcmp(i->name, text) == 0) {
			char *copy = xstrdup(text);

			free(s->job.ioengine);
			s->job.ioengine = copy;
			strbuf_fini(&all);
			return 0;
		}
		strbuf_addf(&all, " %s", i->name);
	}
	err_set(e, EINVAL, "engine=%s: not in this build; there are%s", text, strbuf_str(&all));
	strbuf_fini(&all);
	return -EINVAL;
}

static int type_direct(struct ui_state *s, const char *text, struct err *e)
{
	if (strcmp(text, "on") == 0 || strcmp(text, "1") == 0)
		s->job.direct = true;
	else if (strcmp(text, "off") == 0 || strcmp(text, "0") == 0)
		s->job.direct = false;
	else
		return err_set(e, EINVAL, "direct=%s: on or off", text);
	return 0;
}

/* "70" or "70/30": the share of reads. */
static int type_mix(struct ui_state *s, char *text, struct err *e)
{
	char *second = text + strcspn(text, "/");
	uint64_t r, w;
	int rc;

	if (*second)
		*second++ = '\0';
	rc = units_parse_u64(text, 0, 100, &r, e);
	if (rc < 0)
		return rc;
	if (*second) {
		rc = units_parse_u64(second, 0, 100, &w, e);
		if (rc < 0)
			return rc;
		if (r + w != 100)
			return err_set(e, EINVAL, "mix=%s/%s: the two must add up to 100", text,
				       second);
	}
	s->job.rwmixread = (uint32_t)r;
	return 0;
}

/* Case-blind: does `text` end in `tail`? Then it is cut off. */
static bool cut_tail(char *text, const char *tail)
{
	size_t n = strlen(text), t = strlen(tail);

	if (n < t || strcasecmp(text + n - t, tail) != 0)
		return false;
	text[n - t] = '\0';
	return true;
}

/* A count with a decimal suffix: "5k" = 5000, "1.5m". */
static int parse_count(const char *text, uint64_t *n, struct err *e)
{
	size_t digits = strspn(text, "0123456789.");
	double scale = 1, v;
	char *end;

	v = strtod(text, &end);
	if (digits == 0 || end != text + digits)
		return err_set(e, EINVAL, "rate=%s: IOPS (5k), bytes a second (100MiB/s) or max",
			       text);
	if (strcasecmp(end, "k") == 0)
		scale = 1e3;
	else if (strcasecmp(end, "m") == 0)
		scale = 1e6;
	else if (*end)
		return err_set(e, EINVAL, "rate=%s: suffix k or m", text);
	v *= scale;
	if (v > 1e12 || (v > 0 && v < 1))
		return err_set(e, ERANGE, "rate=%s: out of range", text);
	*n = (uint64_t)(v + 0.5);
	return 0;
}

static int parse_rate(char *text, uint64_t *iops, uint64_t *bps, struct err *e)
{
	bool per_s = cut_tail(text, "/s");

	*iops = *bps = 0;
	if (strcasecmp(text, "max") == 0 || *text == '\0')
		return 0;
	if (cut_tail(text, "iops"))
		return parse_count(text, iops, e);
	if (per_s || strpbrk(text, "bB"))
		return units_parse_size_ui(text, bps, e);
	return parse_count(text, iops, e);
}

/* "5k", "100MiB/s", "max", or two of them for reads and writes. */
static int type_rate(struct ui_state *s, char *text, struct err *e)
{
	char *second = text + strcspn(text, ",");
	uint64_t iops[2], bps[2];
	int rc;

	if (*second)
		*second++ = '\0';
	rc = parse_rate(text, &iops[0], &bps[0], e);
	iops[1] = iops[0];
	bps[1] = bps[0];
	if (rc == 0 && *second)
		rc = parse_rate(second, &iops[1], &bps[1], e);
	if (rc < 0)
		return rc;
	for (int op = 0; op < IO_OP_NR; op++) {
		s->job.rate_iops[op] = iops[op == IO_WRITE];
		s->job.rate_bps[op] = bps[op == IO_WRITE];
	}
	return 0;
}

/* "2:00" and "1:00:00" as clocks show them. false: not of that form. */
static bool parse_clock(const char *text, uint64_t *ns)
{
	unsigned v[3] = {0};
	int n, used = 0;

	if (strspn(text, "0123456789:") != strlen(text))
		return false;
	n = sscanf(text, "%5u:%2u:%2u%n", &v[0], &v[1], &v[2], &used);
	if (n != 3) {
		v[2] = 0;
		n = sscanf(text, "%5u:%2u%n", &v[1], &v[2], &used);
		v[0] = 0;
		if (n != 2)
			return false;
	} else if (v[1] > 59) {
		return false;
	}
	if (text[used] != '\0' || v[2] > 59)
		return false;
	*ns = ((uint64_t)v[0] * 3600 + (uint64_t)v[1] * 60 + v[2]) * NSEC_PER_SEC;
	return true;
}

/* "90", "2:00", "1h"; "<2:00" may end earlier; "1 pass" or 0: until the size is done. */
static int type_time(struct ui_state *s, const char *text, struct err *e)
{
	const struct option_def *row = row_of(FIELD_TIME);
	bool bound = text[0] == '<';
	uint64_t ns = 0;
	int rc;

	text += bound;
	if (strcmp(text, "1pass") != 0 && strcmp(text, "pass") != 0 && !parse_clock(text, &ns)) {
		rc = units_parse_time(text, UNIT_SEC, &ns, e);
		if (rc < 0)
			return rc;
	}
	if (row->max && ns > row->max)
		return err_set(e, ERANGE, "time=%s: too long", text);
	s->job.runtime_ns = ns;
	s->job.time_based = ns != 0 && !bound;
	return 0;
}

static int type_squeezed(struct ui_state *s, enum field f, char *v, struct err *e)
{
	switch (f) {
	case FIELD_RW:
		return set_by_row(s, f, v, e);
	case FIELD_BS:
		return type_bs(s, v, e);
	case FIELD_QD:
		return type_qd(s, v, e);
	case FIELD_JOBS:
		return type_jobs(s, v, e);
	case FIELD_ENGINE:
		return type_engine(s, v, e);
	case FIELD_DIRECT:
		return type_direct(s, v, e);
	case FIELD_MIX:
		return type_mix(s, v, e);
	case FIELD_RATE:
		return type_rate(s, v, e);
	case FIELD_TIME:
		return type_time(s, v, e);
	case FIELD_NR:
		break;
	}
	return err_set(e, EINVAL, "no such field");
}

int setup_type(struct ui_state *s, enum field f, const char *text, struct err *e)
{
	char v[VALUE_MAX];
	int rc = squeeze(text, v, e);

	if (rc < 0)
		return rc;
	if (*v == '\0' && f != FIELD_RATE)
		return err_set(e, EINVAL, "%s: a value is needed", state_field_label(f));
	return type_squeezed(s, f, v, e);
}

/* A field by the strip's label or by the option's own name; FIELD_NR: no field. */
static enum field field_named(const char *key)
{
	const struct option_def *row = option_find(job_options, key);

	for (enum field f = 0; f < FIELD_NR; f++)
		if (strcmp(state_field_label(f), key) == 0 || (row && row == row_of(f)))
			return f;
	return FIELD_NR;
}

int setup_assign(struct ui_state *s, const char *word, enum field *f, struct err *e)
{
	const struct option_def *row;
	const char *eq = strchr(word, '=');
	char key[64];

	if (!eq || eq == word || (size_t)(eq - word) >= sizeof(key))
		return err_set(e, EINVAL, "set %s: NAME=VALUE is needed", word);
	snprintf(key, sizeof(key), "%.*s", (int)(eq - word), word);
	*f = field_named(key);
	if (*f != FIELD_NR)
		return setup_type(s, *f, eq + 1, e);
	row = option_find(job_options, key);
	if (!row || (row->flags & OPT_CLI_ONLY)) {
		const char *near = option_nearest(job_options, key);

		return err_set(e, EINVAL, "set %s: no such setting%s%s", key,
			       near ? "; did you mean " : "", near ? near : "");
	}
	return option_set(row, &s->job, eq + 1, s->job.kb_base, e);
}

/* The field as one would type it: a plain value, not "-" or "1 sync". */
void setup_edit_begin(struct ui_state *s)
{
	s->editing = true;
	if (s->focus == FIELD_QD)
		snprintf(s->edit, sizeof(s->edit), "%u", s->job.iodepth);
	else if (s->focus == FIELD_MIX)
		snprintf(s->edit, sizeof(s->edit), "%u", s->job.rwmixread);
	else
		state_field_text(s, s->focus, s->edit, sizeof(s->edit));
	s->edit_pos = strlen(s->edit);
	s->edit_fresh = true;
	setup_edit_echo(s);
}

void setup_edit_echo(struct ui_state *s)
{
	struct ui_state trial = {.engines = s->engines};
	struct err e = {0};

	job_spec_copy(&trial.job, &s->job);
	if (setup_type(&trial, s->focus, s->edit, &e) == 0)
		state_field_text(&trial, s->focus, s->edit_echo, sizeof(s->edit_echo));
	else
		snprintf(s->edit_echo, sizeof(s->edit_echo), "%.*s", (int)sizeof(s->edit_echo) - 1,
			 e.msg);
	job_spec_fini(&trial.job);
}

void setup_edit_end(struct ui_state *s)
{
	s->editing = false;
	s->edit[0] = '\0';
	s->edit_echo[0] = '\0';
	s->edit_pos = 0;
}
