#include "src/stat/suite_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

const char *suite_state_word(enum suite_state s)
{
	static const char *const words[] = {
		[SUITE_PENDING] = "not run", [SUITE_DONE] = "done",
		[SUITE_SKIPPED] = "skipped", [SUITE_STOPPED] = "cut short",
		[SUITE_FAILED] = "failed",
	};

	return (unsigned)s < sizeof(words) / sizeof(words[0]) ? words[s] : "?";
}

static void stage_init(struct suite_stage_result *r, const struct suite_stage *st,
		       const struct job_spec *job)
{
	*r = (struct suite_stage_result){
		.name = st->name,
		.title = st->opts.title ? st->opts.title : st->name,
		.job = job,
		.kind = st->kind,
		.precondition = st->opts.precondition,
		.round_ns = st->opts.round_ns,
		.rule = {.window = st->opts.window,
			 .range_pct = st->opts.range_pct,
			 .slope_pct = st->opts.slope_pct},
		.verdict = {.mean = NAN, .range_pct = NAN, .slope_pct = NAN},
		.window = {.iops = NAN, .bps = NAN, .mean_ns = NAN},
	};
}

void suite_result_init(struct suite_result *r, const char *name, const struct suite *s)
{
	*r = (struct suite_result){
		.name = name, .title = s->title ? s->title : name, .scale = 1, .n = s->n};
	r->stage = xcalloc(s->n + 1, sizeof(*r->stage));
	for (size_t i = 0; i < s->n; i++)
		stage_init(&r->stage[i], &s->stage[i], &s->spec.jobs[i]);
}

void suite_result_fini(struct suite_result *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->stage[i].sweep);
	free(r->stage);
	r->stage = NULL;
	r->n = 0;
}

int suite_best_row(const struct sweep_result *r, unsigned col)
{
	int best = -1;

	for (unsigned row = 0; row < r->rows; row++) {
		const struct sweep_cell *c = sweep_cell_get(r, row, col);

		if (sweep_cell_has(c) &&
		    (best < 0 || c->iops > sweep_cell_get(r, (unsigned)best, col)->iops))
			best = (int)row;
	}
	return best;
}

bool suite_is_preconditioned(const struct suite_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (!r->stage[i].precondition)
			continue;
		if (r->stage[i].state != SUITE_DONE)
			return false;
		n++;
	}
	return n > 0;
}

uint64_t suite_written_bytes(const struct suite_result *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += r->stage[i].written_bytes;
	return sum;
}
