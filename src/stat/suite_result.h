/* What a suite has measured: the input of its reports. Plain data; sweeps are owned. */
#ifndef IODECK_STAT_SUITE_RESULT_H
#define IODECK_STAT_SUITE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/spec/suite.h"
#include "src/stat/rounds.h"
#include "src/stat/sweep_result.h"

enum suite_state {
	SUITE_PENDING, /* not begun */
	SUITE_DONE,
	SUITE_SKIPPED, /* not wanted, or may not write: why */
	SUITE_STOPPED, /* by a signal; what is measured counts */
	SUITE_FAILED,  /* why */
};

struct suite_stage_result {
	const char *name, *title; /* the suite's */
	const struct job_spec *job;
	enum suite_kind kind;
	enum suite_state state;
	bool precondition;
	char why[256];
	uint64_t took_ns, written_bytes, read_bytes;
	struct sweep_result *sweep; /* SUITE_SWEEP; NULL: nothing measured */
	/* SUITE_STEADY: IOPS of each round, the verdict on the newest, and the numbers of its window */
	struct rounds rounds;
	struct rounds_rule rule;
	struct rounds_verdict verdict;
	uint64_t round_ns;
	struct sweep_cell
		window; /* n 0: not measured. Of it: iops, bps, mean_ns, pct_ns, elapsed_ns */
};

struct suite_result {
	const char *name, *title;
	char target[128], target_id[192], engine[SWEEP_WORD_SIZE];
	bool simulated, quick;
	double scale;
	uint64_t begin_wall_ms, took_ns;
	struct suite_stage_result *stage;
	size_t n;
};

const char *suite_state_word(enum suite_state);
void suite_result_init(struct suite_result *, const char *name, const struct suite *);
void suite_result_fini(struct suite_result *);
/* The best cell of a column by IOPS; -1: none was measured. */
int suite_best_row(const struct sweep_result *, unsigned col);
/* Every precondition stage came to its end; false: at least one did not, or there is none. */
bool suite_is_preconditioned(const struct suite_result *);
uint64_t suite_written_bytes(const struct suite_result *);

#endif
