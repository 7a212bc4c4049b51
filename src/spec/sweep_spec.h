/*
 * What a sweep measures: one or two axes of values, how long each cell takes, in which order. Plain data,
 * copied by value. Every field belongs to a row of sweep_options, which the command line, the console and
 * help share. Words: `qd=1..256` doubles, `rwmixread=0..100/10` steps, `bs=4k,16k,64k` lists.
 *
 * An axis of one value is a setting of all cells. Of the others the first in the order of enum sweep_kind
 * runs down (the rows), so that a column is a curve over the load; the second runs across.
 */
#ifndef IODECK_SPEC_SWEEP_SPEC_H
#define IODECK_SPEC_SWEEP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/option.h"
#include "src/spec/job_spec.h"
#include "src/spec/tuning.h"

enum sweep_kind {
	SWEEP_QD,
	SWEEP_JOBS,
	SWEEP_RATE, /* IOPS of each job and op, as fio's rate_iops */
	SWEEP_BS,
	SWEEP_MIX, /* percent of reads */
	SWEEP_ENGINE,
	SWEEP_KINDS,
	SWEEP_NO_AXIS = SWEEP_KINDS
};

#define SWEEP_VALUES_MAX 16u
#define SWEEP_WORD_SIZE  16u

struct sweep_axis {
	unsigned n; /* 0: not given */
	uint64_t v[SWEEP_VALUES_MAX];
	char word[SWEEP_VALUES_MAX][SWEEP_WORD_SIZE]; /* engines; v is then the index */
};

enum sweep_order { SWEEP_SNAKE, SWEEP_RANDOM };

enum slo_metric { SLO_MEAN, SLO_P50, SLO_P90, SLO_P99, SLO_P999, SLO_MAX, SLO_METRICS };

/* "p99<500us": a latency that must not be exceeded. */
struct slo {
	bool set;
	enum slo_metric metric;
	uint64_t limit_ns;
};

struct sweep_spec {
	struct sweep_axis axis[SWEEP_KINDS];
	enum sweep_kind row, col; /* settled; SWEEP_NO_AXIS: there is one row or column only */
	uint32_t order;           /* enum sweep_order */
	uint64_t seed;            /* of the random order */
	uint64_t ramp_ns;         /* after a change, before measuring */
	uint64_t batch_ns;        /* of one batch mean */
	uint64_t min_ns, cap_ns;  /* measuring time of a cell */
	double ci_pct;            /* wanted half width of the 95 % interval, percent of the mean */
	uint64_t cell_bytes;      /* a cell ends after so many; 0: no limit */
	bool skip_saturated; /* leave out deeper cells of a column that gains nothing any more */
	bool slo_search;     /* after the grid: bisect for the highest load inside the SLO */
	struct slo slo;
};

/* THE table, ended by a row without a name. */
extern const struct option_def sweep_options[];

/* Defaults, no axis. */
void sweep_spec_init(struct sweep_spec *);
/* Row by name or alias, then its value; the message names the option. -ENOENT: no such option. */
int sweep_spec_set(struct sweep_spec *, const char *name, const char *value, struct err *e);
/* "qd=1..128 bs=4k,16k slo=p99<500us": words with blanks between, then settled. */
int sweep_spec_parse(struct sweep_spec *, const char *words, struct err *e);
/* Chooses rows and columns and checks the whole. To be called after the last set. */
int sweep_spec_settle(struct sweep_spec *, struct err *e);
/* What differs from the defaults, as sweep_spec_parse() reads it. */
void sweep_spec_print(const struct sweep_spec *, struct strbuf *out);

unsigned sweep_spec_rows(const struct sweep_spec *); /* 1..SWEEP_VALUES_MAX once settled */
unsigned sweep_spec_cols(const struct sweep_spec *);
/* The settings of a cell, on top of `base`. */
void sweep_spec_tuning(const struct sweep_spec *, unsigned row, unsigned col,
		       const struct tuning *base, struct tuning *out);
/* One setting of a tuning, whatever the axes say. */
void sweep_spec_tune(struct tuning *, enum sweep_kind, uint64_t value);
/* The engine of a cell; NULL: the job's own. */
const char *sweep_spec_engine(const struct sweep_spec *, unsigned row, unsigned col);
/* The settings of a tuning, and the engine unless NULL, into a job. */
void sweep_spec_job_tune(struct job_spec *, const struct tuning *, const char *engine);
/* A job that runs the cell alone: changed in place. */
void sweep_spec_job(const struct sweep_spec *, unsigned row, unsigned col, struct job_spec *job);
/* "qd", "bs" ... and value i of the axis as text ("32", "4k", "70", "psync"). Exact. */
const char *sweep_kind_word(enum sweep_kind);
void sweep_axis_label(const struct sweep_spec *, enum sweep_kind, unsigned i, char *out,
		      size_t size);

const char *slo_metric_word(enum slo_metric);
int slo_parse(const char *text, struct slo *, struct err *e);
void slo_print(const struct slo *, char *out, size_t size); /* "" when not set */

#endif
