#include "ui/setup.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/xalloc.h"

#define STEP_BS_MIN   512ull
#define STEP_BS_MAX   (64ull << 20)
#define STEP_RATE_MAX 10000000ull /* a cap above this is none */
#define MIX_STEP      5u

static const char *const rw_words[] = {"randread", "read", "randrw", "rw", "randwrite", "write"};
#define RW_WORDS ((int)(sizeof(rw_words) / sizeof(rw_words[0])))

static const uint64_t time_presets_s[] = {0, 10, 30, 60, 120, 300, 600, 1800, 3600, 28800, 86400};
#define TIME_PRESETS (sizeof(time_presets_s) / sizeof(time_presets_s[0]))

static const struct option_def *field_row(enum field f)
{
	return option_find(job_options, state_field_option(f));
}

static int set_rw(struct job_spec *j, const char *word, struct err *e)
{
	return option_set(option_find(job_options, "rw"), j, word, 1024, e);
}

static void set_engine(struct job_spec *j, const char *name)
{
	char *copy = xstrdup(name);

	free(j->ioengine);
	j->ioengine = copy;
}

void setup_defaults(struct ui_state *s)
{
	struct job_spec *j = &s->job;

	job_spec_init(j);
	free(j->name);
	j->name = xstrdup("console");
	set_rw(j, "randread", NULL);
	for (int op = 0; op < IO_OP_NR; op++)
		j->bs_bytes[op] = 4096;
	j->iodepth = 32;
	j->direct = true;
	j->time_based = true;
	j->runtime_ns = 120 * NSEC_PER_SEC;
	j->group_reporting = true;
	set_engine(j, "io_uring");
	if (s->engines && s->engines[0].name && !state_engine(s))
		set_engine(j, s->engines[0].name);
}

static int last_value(const struct ui_state *s, enum field f, struct err *e)
{
	char text[64];

	state_field_text(s, f, text, sizeof(text));
	return err_set(e, ERANGE, "%s: %s is the last value", state_field_label(f), text);
}

/* The next of n words after the current one, round and round. */
static int next_index(int at, int dir, int n)
{
	return at < 0 ? 0 : (at + dir + n) % n;
}

static int step_rw(struct ui_state *s, int dir, struct err *e)
{
	const char *now = job_spec_rw_word(&s->job.rw);
	int at = -1;

	for (int i = 0; i < RW_WORDS; i++)
		if (strcmp(rw_words[i], now) == 0)
			at = i;
	return set_rw(&s->job, rw_words[next_index(at, dir, RW_WORDS)], e);
}

static int step_engine(struct ui_state *s, int dir, struct err *e)
{
	int n = 0, at = -1;

	for (; s->engines && s->engines[n].name; n++)
		if (s->job.ioengine && strcmp(s->engines[n].name, s->job.ioengine) == 0)
			at = n;
	if (n == 0)
		return err_set(e, EINVAL, "engine: this build has none");
	set_engine(&s->job, s->engines[next_index(at, dir, n)].name);
	return 0;
}

/* The power of two above or below v. */
static uint64_t step_pow2(uint64_t v, int dir)
{
	uint64_t p = 1;

	if (dir > 0) {
		while (p <= v)
			p *= 2;
		return p;
	}
	while (p * 2 < v)
		p *= 2;
	return p;
}

/* Reads and writes that differ in size keep their own steps; one at its end stops both. */
static int step_bs(struct ui_state *s, int dir, struct err *e)
{
	uint64_t next[IO_OP_NR];

	for (int op = 0; op < IO_OP_NR; op++) {
		next[op] = step_pow2(s->job.bs_bytes[op], dir);
		if (next[op] < STEP_BS_MIN || next[op] > STEP_BS_MAX)
			return last_value(s, FIELD_BS, e);
	}
	memcpy(s->job.bs_bytes, next, sizeof(next));
	return 0;
}

static int step_qd(struct ui_state *s, int dir, struct err *e)
{
	uint64_t next = step_pow2(s->job.iodepth, dir);

	if (!state_field_used(s, FIELD_QD))
		return err_set(e, EINVAL, "qd: engine %s is synchronous, one I/O at a time",
			       s->job.ioengine);
	if (next > TUNING_QD_MAX || next == s->job.iodepth)
		return last_value(s, FIELD_QD, e);
	s->job.iodepth = (uint32_t)next;
	return 0;
}

static int step_jobs(struct ui_state *s, int dir, struct err *e)
{
	int64_t next = (int64_t)s->job.numjobs + dir;

	if (next < 1 || next > TUNING_JOBS_MAX)
		return last_value(s, FIELD_JOBS, e);
	s->job.numjobs = (uint32_t)next;
	return 0;
}

static int step_mix(struct ui_state *s, int dir, struct err *e)
{
	int64_t pct = s->job.rwmixread;

	if (!state_field_used(s, FIELD_MIX))
		return err_set(e, EINVAL, "mix: only with rw=rw or rw=randrw");
	if ((pct == 0 && dir < 0) || (pct == 100 && dir > 0))
		return last_value(s, FIELD_MIX, e);
	pct += dir * (int)MIX_STEP;
	s->job.rwmixread = pct < 0 ? 0 : pct > 100 ? 100 : (uint32_t)pct;
	return 0;
}

/* Three significant digits, so that ten steps of 10 % do not leave 1003.3. */
static uint64_t round3(double v)
{
	double unit = 1;

	while (v / unit >= 1000)
		unit *= 10;
	return (uint64_t)((uint64_t)(v / unit + 0.5) * (uint64_t)unit);
}

static uint64_t step_cap(uint64_t cap, int dir)
{
	uint64_t next = round3(dir > 0 ? (double)cap * 1.1 : (double)cap / 1.1);

	if (next == cap)
		next = dir > 0 ? cap + 1 : cap - 1;
	return next > 0 ? next : 1;
}

/* From "max" a step down begins at 90 % of what one job does now; a step up has nowhere to go. */
static int step_from_max(struct ui_state *s, int dir, double iops_seen, struct err *e)
{
	uint64_t cap = iops_seen > 1 ? round3(iops_seen / 1.1) : 1000;

	if (dir > 0)
		return last_value(s, FIELD_RATE, e);
	for (int op = 0; op < IO_OP_NR; op++)
		s->job.rate_iops[op] = cap ? cap : 1;
	return 0;
}

static int step_rate(struct ui_state *s, int dir, double iops_seen, struct err *e)
{
	struct job_spec *j = &s->job;
	bool capped = false;

	for (int op = 0; op < IO_OP_NR; op++) {
		uint64_t *cap = j->rate_bps[op] ? &j->rate_bps[op] : &j->rate_iops[op];

		if (!*cap)
			continue;
		capped = true;
		*cap = step_cap(*cap, dir);
		if (cap == &j->rate_iops[op] && *cap > STEP_RATE_MAX)
			*cap = 0;
	}
	return capped ? 0 : step_from_max(s, dir, iops_seen, e);
}

static int step_time(struct ui_state *s, int dir, struct err *e)
{
	struct job_spec *j = &s->job;
	uint64_t next_ns = UINT64_MAX;

	for (size_t i = 0; i < TIME_PRESETS; i++) {
		uint64_t t_ns = time_presets_s[i] * NSEC_PER_SEC;

		if (dir > 0 && t_ns > j->runtime_ns && next_ns == UINT64_MAX)
			next_ns = t_ns;
		if (dir < 0 && t_ns < j->runtime_ns)
			next_ns = t_ns;
	}
	if (next_ns == UINT64_MAX)
		return last_value(s, FIELD_TIME, e);
	if (j->runtime_ns == 0 || next_ns == 0)
		j->time_based = next_ns != 0;
	j->runtime_ns = next_ns;
	return 0;
}

int setup_step(struct ui_state *s, enum field f, int dir, double iops_seen, struct err *e)
{
	switch (f) {
	case FIELD_RW:
		return step_rw(s, dir, e);
	case FIELD_BS:
		return step_bs(s, dir, e);
	case FIELD_QD:
		return step_qd(s, dir, e);
	case FIELD_JOBS:
		return step_jobs(s, dir, e);
	case FIELD_ENGINE:
		return step_engine(s, dir, e);
	case FIELD_DIRECT:
		s->job.direct = !s->job.direct;
		return 0;
	case FIELD_MIX:
		return step_mix(s, dir, e);
	case FIELD_RATE:
		return step_rate(s, dir, iops_seen, e);
	case FIELD_TIME:
		return step_time(s, dir, e);
	case FIELD_NR:
		break;
	}
	return err_set(e, EINVAL, "no such field");
}

bool setup_field_live(enum field f)
{
	const struct option_def *row = field_row(f);

	return row && (row->flags & OPT_LIVE);
}

static bool tune_rw(struct tuning *t, const struct rw_spec *rw, uint8_t start_ops)
{
	if (rw->ops & (uint8_t)~start_ops || rw->trim_first)
		return false;
	if (rw->random ? rw->rand_every > 1 : rw->seq_delta_bytes != 0)
		return false;
	t->ops = rw->ops;
	t->random = rw->random;
	return true;
}

bool setup_tune(struct tuning *t, enum field f, const struct job_spec *job, uint8_t start_ops)
{
	struct tuning all;

	if (!setup_field_live(f))
		return false;
	job_spec_tuning(job, &all);
	switch (f) {
	case FIELD_RW:
		return tune_rw(t, &job->rw, start_ops);
	case FIELD_BS:
		memcpy(t->bs_bytes, all.bs_bytes, sizeof(t->bs_bytes));
		return true;
	case FIELD_QD:
		t->qd = all.qd;
		return true;
	case FIELD_JOBS:
		t->jobs = all.jobs;
		return true;
	case FIELD_MIX:
		t->read_pct = all.read_pct;
		return true;
	case FIELD_RATE:
		memcpy(t->rate_iops, all.rate_iops, sizeof(t->rate_iops));
		memcpy(t->rate_bps, all.rate_bps, sizeof(t->rate_bps));
		return true;
	case FIELD_ENGINE:
	case FIELD_DIRECT:
	case FIELD_TIME:
	case FIELD_NR:
		break;
	}
	return false;
}

void setup_from_tuning(struct job_spec *j, const struct tuning *t)
{
	j->iodepth = t->qd;
	j->numjobs = t->jobs;
	j->rwmixread = t->read_pct;
	memcpy(j->bs_bytes, t->bs_bytes, sizeof(j->bs_bytes));
	memcpy(j->rate_iops, t->rate_iops, sizeof(j->rate_iops));
	memcpy(j->rate_bps, t->rate_bps, sizeof(j->rate_bps));
}
