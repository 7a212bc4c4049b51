#include "ui/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/units.h"

void state_next_pane(struct ui_state *s)
{
	s->pane = (enum pane)((state_pane(s) + 1) % PANE_NR);
}

enum pane state_pane(const struct ui_state *s)
{
	return s->two_panes && s->pane == PANE_IOPS ? PANE_HEAT : s->pane;
}

static const struct {
	const char *label, *option;
} fields[FIELD_NR] = {
	[FIELD_RW] = {"rw", "rw"},
	[FIELD_BS] = {"bs", "bs"},
	[FIELD_QD] = {"qd", "iodepth"},
	[FIELD_JOBS] = {"jobs", "numjobs"},
	[FIELD_ENGINE] = {"engine", "ioengine"},
	[FIELD_DIRECT] = {"direct", "direct"},
	[FIELD_MIX] = {"mix", "rwmixread"},
	[FIELD_RATE] = {"rate", "rate_iops"},
	[FIELD_TIME] = {"time", "runtime"},
};

const char *state_field_label(enum field f)
{
	return fields[f].label;
}

const char *state_field_option(enum field f)
{
	return fields[f].option;
}

const struct engine_info *state_engine(const struct ui_state *s)
{
	for (const struct engine_info *e = s->engines; e && e->name; e++)
		if (s->job.ioengine && strcmp(e->name, s->job.ioengine) == 0)
			return e;
	return NULL;
}

static bool engine_is_sync(const struct ui_state *s)
{
	const struct engine_info *e = state_engine(s);

	return e && e->sync;
}

static bool rw_is_mixed(const struct rw_spec *rw)
{
	return (rw->ops & IO_BIT(IO_READ)) && (rw->ops & IO_BIT(IO_WRITE));
}

bool state_field_used(const struct ui_state *s, enum field f)
{
	if (f == FIELD_QD)
		return !engine_is_sync(s);
	if (f == FIELD_MIX)
		return rw_is_mixed(&s->job.rw);
	return true;
}

void state_size_text(uint64_t bytes, char *out, size_t size)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	unsigned u = 0;

	while (bytes && bytes % 1024 == 0 && u + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1024;
		u++;
	}
	snprintf(out, size, "%" PRIu64 " %s", bytes, units[u]);
}

/* One text when all ops in use agree, "4 KiB/64 KiB" when reads and writes differ. */
static void bs_text(const struct job_spec *j, char *out, size_t size)
{
	char r[32], w[32];
	bool differs = rw_is_mixed(&j->rw) && j->bs_bytes[IO_READ] != j->bs_bytes[IO_WRITE];
	enum io_op op = j->rw.ops & IO_BIT(IO_READ)    ? IO_READ
			: j->rw.ops & IO_BIT(IO_WRITE) ? IO_WRITE
						       : IO_TRIM;

	if (!differs) {
		state_size_text(j->bs_bytes[op], out, size);
		return;
	}
	state_size_text(j->bs_bytes[IO_READ], r, sizeof(r));
	state_size_text(j->bs_bytes[IO_WRITE], w, sizeof(w));
	snprintf(out, size, "%s/%s", r, w);
}

static void rate_one_text(const struct job_spec *j, enum io_op op, char *out, size_t size)
{
	char bytes[32];

	if (j->rate_iops[op]) {
		snprintf(out, size, "%" PRIu64 " IOPS", j->rate_iops[op]);
	} else if (j->rate_bps[op]) {
		state_size_text(j->rate_bps[op], bytes, sizeof(bytes));
		snprintf(out, size, "%s/s", bytes);
	} else {
		snprintf(out, size, "max");
	}
}

/* The cap of one job, per op: fio's rate= and rate_iops=. */
static void rate_text(const struct job_spec *j, char *out, size_t size)
{
	char r[48], w[48];

	rate_one_text(j, IO_READ, r, sizeof(r));
	rate_one_text(j, IO_WRITE, w, sizeof(w));
	if (strcmp(r, w) == 0 || !(j->rw.ops & IO_BIT(IO_WRITE)))
		snprintf(out, size, "%s", r);
	else if (!(j->rw.ops & IO_BIT(IO_READ)))
		snprintf(out, size, "%s", w);
	else
		snprintf(out, size, "%s,%s", r, w);
}

/* "2:00"; "<2:00" ends earlier when the size is done; "1 pass" has no clock at all. */
static void time_text(const struct job_spec *j, char *out, size_t size)
{
	char t[32];

	if (!j->runtime_ns) {
		snprintf(out, size, "1 pass");
		return;
	}
	if (j->runtime_ns % NSEC_PER_SEC)
		units_fmt_time_exact(t, sizeof(t), j->runtime_ns);
	else
		units_fmt_clock(t, sizeof(t), j->runtime_ns);
	snprintf(out, size, "%s%s", j->time_based ? "" : "<", t);
}

void state_field_text(const struct ui_state *s, enum field f, char *out, size_t size)
{
	const struct job_spec *j = &s->job;

	switch (f) {
	case FIELD_RW:
		snprintf(out, size, "%s", job_spec_rw_word(&j->rw));
		break;
	case FIELD_BS:
		bs_text(j, out, size);
		break;
	case FIELD_QD:
		if (engine_is_sync(s))
			snprintf(out, size, "1 sync");
		else
			snprintf(out, size, "%u", j->iodepth);
		break;
	case FIELD_JOBS:
		snprintf(out, size, "%u", j->numjobs);
		break;
	case FIELD_ENGINE:
		snprintf(out, size, "%s", j->ioengine ? j->ioengine : "-");
		break;
	case FIELD_DIRECT:
		snprintf(out, size, "%s", j->direct ? "on" : "off");
		break;
	case FIELD_MIX:
		if (rw_is_mixed(&j->rw))
			snprintf(out, size, "%u/%u", j->rwmixread, 100 - j->rwmixread);
		else
			snprintf(out, size, "-");
		break;
	case FIELD_RATE:
		rate_text(j, out, size);
		break;
	case FIELD_TIME:
		time_text(j, out, size);
		break;
	case FIELD_NR:
		snprintf(out, size, "%s", "");
		break;
	}
}

void state_asking_text(const struct ui_state *s, char *out, size_t size)
{
	char age[32];

	out[0] = '\0';
	if (!s->asking && !s->opening)
		return;
	units_fmt_clock(age, sizeof(age), s->asking ? s->asking_ns : s->opening_ns);
	snprintf(out, size, " %s %s ", s->asking ? "ASKING" : "OPENING", age);
}
