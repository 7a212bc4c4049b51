/* A sweep as a job file that fio runs: one section a cell, each waits for the one before. */
#include <stdio.h>
#include <stdlib.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/out/out_sweep.h"
#include "src/spec/profile.h"

/* "qd32-bs4k" */
static char *section_name(const struct sweep_result *r, unsigned row, unsigned col)
{
	char a[32], b[32];

	sweep_axis_label(&r->spec, r->spec.row, row, a, sizeof(a));
	sweep_axis_label(&r->spec, r->spec.col, col, b, sizeof(b));
	if (r->spec.col == SWEEP_NO_AXIS)
		return xasprintf("%s%s", sweep_kind_word(r->spec.row), a);
	return xasprintf("%s%s-%s%s", sweep_kind_word(r->spec.row), a, sweep_kind_word(r->spec.col),
			 b);
}

static uint64_t whole_seconds(uint64_t t_ns)
{
	return (t_ns + UNIT_SEC - 1) / UNIT_SEC * UNIT_SEC;
}

/* What iodeck does by itself, and fio only when told: whole batches, and all that is done at once. */
static void add_batches(struct job_spec *cell)
{
	if (cell->iodepth <= 1)
		return;
	if (cell->iodepth_batch <= 1)
		cell->iodepth_batch = cell->iodepth;
	if (!cell->iodepth_batch_complete_max)
		cell->iodepth_batch_complete_max = cell->iodepth;
}

static void add_section(const struct sweep_result *r, unsigned row, unsigned col,
			const struct job_spec *job, struct strbuf *out)
{
	const struct sweep_cell *c = sweep_cell_get(r, row, col);
	struct job_spec cell;

	job_spec_copy(&cell, job);
	sweep_spec_job(&r->spec, row, col, &cell);
	free(cell.name);
	cell.name = section_name(r, row, col);
	cell.time_based = true;
	cell.ramp_ns = whole_seconds(r->spec.ramp_ns);
	cell.runtime_ns = whole_seconds(c->elapsed_ns ? c->elapsed_ns : r->spec.cap_ns);
	cell.stonewall = row + col > 0;
	cell.group_reporting = true;
	add_batches(&cell);
	strbuf_putc(out, '\n');
	profile_print(&cell, out);
	job_spec_fini(&cell);
}

void sweep_out_jobs(const struct sweep_result *r, const struct job_spec *job, struct strbuf *out)
{
	struct strbuf words = {0};

	sweep_spec_print(&r->spec, &words);
	strbuf_addf(out, "; iodeck sweep, %u x %u cells, one section each\n; %s\n", r->rows,
		    r->cols, strbuf_str(&words));
	strbuf_fini(&words);
	if (r->simulated)
		strbuf_addf(
			out,
			"; SIMULATED: %s is no real device; only iodeck can run these sections\n",
			r->target);
	for (unsigned row = 0; row < r->rows; row++)
		for (unsigned col = 0; col < r->cols; col++)
			if (sweep_cell_get(r, row, col)->state != CELL_SKIPPED &&
			    sweep_cell_get(r, row, col)->state != CELL_FAILED)
				add_section(r, row, col, job, out);
}
