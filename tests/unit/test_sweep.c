/* The sweep's state machine on synthetic snapshots. */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_rig.h"

#define CELL(rig_, row, col) sweep_cell_get(&(rig_)->sw.v.r, row, col)

static struct sweep_rig *rig(const char *words)
{
	struct sweep_rig *r = calloc(1, sizeof(*r));

	rig_init(r, words);
	return r;
}

static void expect_cell(struct sweep_rig *r, unsigned row, unsigned col)
{
	const struct sweep_cell *c = CELL(r, row, col);
	struct tuning t;
	double x;

	sweep_spec_tuning(&r->sw.v.r.spec, row, col, &r->sw.base, &t);
	x = rig_iops(r, &t);
	cr_assert_eq(c->state, CELL_DONE, "%u,%u: %s", row, col, cell_state_word(c->state));
	cr_expect_lt(fabs(c->iops / x - 1), 0.02, "%u,%u: %g, not %g", row, col, c->iops, x);
	cr_expect_lt(fabs(c->bps / (x * (double)t.bs_bytes[0]) - 1), 0.02);
	cr_expect_lt(fabs(c->little / (t.qd * t.jobs) - 1), 0.03, "%g", c->little);
	cr_expect_lt(fabs(c->cpu_ns / (0.5e9 / x) - 1), 0.03, "%g", c->cpu_ns);
	cr_expect_leq(c->ci_pct, 2);
	cr_expect_leq(c->pct_ns[3], c->max_ns);
	cr_expect_leq(c->pct_ns[0], c->pct_ns[1]);
}

Test(sweep, a_grid_is_measured_and_its_findings_are_right)
{
	struct sweep_rig *r = rig("qd=1..128 bs=4k,16k");
	const struct sweep_findings *f = r->sw.v.r.find;

	r->bps = 3e9; /* 16 KiB: 183 k IOPS */
	rig_run(r, 2000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_eq(r->sw.v.phase, SWEEP_OVER);
	cr_expect_eq(r->sw.v.eta_ns, 0);
	cr_expect_eq(r->tunes, 16);
	for (unsigned row = 0; row < 8; row++)
		for (unsigned col = 0; col < 2; col++)
			expect_cell(r, row, col);
	cr_expect_eq(f[0].knee[KNEE_POWER], 5, "qd 32");
	cr_expect_eq(f[1].knee[KNEE_POWER], 4, "qd 16");
	cr_expect_eq(f[0].knee[KNEE_SLO], -1, "no SLO");
	cr_assert_neq(f[0].fit.form, FIT_NONE, "%s", f[0].fit.why);
	cr_expect_lt(fabs(f[0].fit.xmax / 400e3 - 1), 0.03);
	cr_expect_lt(fabs(f[1].fit.xmax / (3e9 / 16384) - 1), 0.03);
	cr_expect_lt(r->sw.v.r.little_off_pct, 3);
	free(r);
}

/* Ramp 1 s, then at least 1.5 s and five batches; little noise needs no more. */
Test(sweep, a_quiet_cell_takes_the_least_time)
{
	struct sweep_rig *r = rig("qd=1,2");
	unsigned ticks = rig_run(r, 200);

	/* settle 2, ramp 10, measure 15 each */
	cr_expect(ticks >= 50 && ticks <= 58, "%u ticks", ticks);
	cr_expect_geq(CELL(r, 0, 0)->elapsed_ns, 1500000000u);
	free(r);
}

/* Four completions a second, as even as they can be: one a batch. Five of them are no 2 %. */
Test(sweep, few_completions_are_not_precise_however_even)
{
	struct sweep_rig *r = rig("qd=1,2 cap=60");

	r->xmax = 4;
	r->noise = 0;
	rig_run(r, 2000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_geq(CELL(r, 0, 0)->n, 50);
	cr_expect_lt(fabs(CELL(r, 0, 0)->iops / 4 - 1), 0.021, "%g", CELL(r, 0, 0)->iops);
	free(r);
}

Test(sweep, noise_takes_longer_and_a_lot_of_it_is_marked)
{
	struct sweep_rig *r = rig("qd=1,2"), *wild = rig("qd=1,2");

	r->noise = 0.08;
	rig_run(r, 400);
	cr_expect_eq(CELL(r, 0, 0)->state, CELL_DONE);
	cr_expect_eq(CELL(r, 0, 0)->flags & CELL_WIDE, 0);
	cr_expect_leq(CELL(r, 0, 0)->ci_pct, 2);
	wild->noise = 0.9;
	rig_run(wild, 400);
	cr_expect(CELL(wild, 0, 0)->flags & CELL_WIDE);
	cr_expect_gt(CELL(wild, 0, 0)->ci_pct, 2);
	cr_expect_geq(CELL(wild, 0, 0)->elapsed_ns, 15000000000u);
	cr_expect_lt(CELL(wild, 0, 0)->elapsed_ns, 15200000000u, "the cap holds");
	cr_expect_eq(wild->sw.v.r.wide, 2);
	free(r);
	free(wild);
}

Test(sweep, a_drift_is_not_taken_for_an_answer)
{
	struct sweep_rig *r = rig("qd=1,2");

	r->noise = 0.002;
	r->drift_s = -0.03; /* a cache fills */
	rig_run(r, 400);
	cr_expect(CELL(r, 0, 0)->flags & CELL_DRIFT, "flags %x, interval %g", CELL(r, 0, 0)->flags,
		  CELL(r, 0, 0)->ci_pct);
	cr_expect(CELL(r, 0, 0)->flags & CELL_WIDE);
	free(r);
}

Test(sweep, a_stall_is_measured_and_marked)
{
	struct sweep_rig *r = rig("qd=1,2");

	r->dead_from_ns = r->now_ns + 1800000000ull;
	r->dead_to_ns = r->dead_from_ns + 1000000000ull;
	rig_run(r, 500);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect(CELL(r, 0, 0)->flags & CELL_STALL);
	cr_expect_eq(CELL(r, 0, 0)->stall_ns, 1000000000u);
	cr_expect_eq(CELL(r, 1, 0)->flags & CELL_STALL, 0);
	free(r);
}

Test(sweep, a_device_that_answers_nothing_ends_too)
{
	struct sweep_rig *r = rig("qd=1,2 cap=3");
	unsigned ticks;

	r->dead = true;
	ticks = rig_run(r, 1000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_lt(ticks, 200);
	cr_expect_eq(CELL(r, 0, 0)->state, CELL_NO_IO);
	cr_expect_eq(CELL(r, 0, 0)->iops, 0, "a measured zero");
	cr_expect(isnan(CELL(r, 0, 0)->mean_ns));
	cr_expect(isnan(CELL(r, 0, 0)->little));
	cr_expect_eq(r->sw.v.r.find[0].points, 0);
	cr_expect_eq(r->sw.v.r.find[0].peak, -1);
	free(r);
}

/* A second a request: nothing of the old depth is counted, and slow is no stall. */
Test(sweep, a_slow_device_ramps_until_its_depth_is_new)
{
	struct sweep_rig *r = rig("qd=8,32 cap=60");

	r->r0_ns = 4e9;
	r->xmax = 10;
	r->noise = 0;
	rig_run(r, 3000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_eq(CELL(r, 1, 0)->state, CELL_DONE);
	cr_expect_eq(CELL(r, 1, 0)->flags & CELL_STALL, 0);
	cr_expect_lt(fabs(CELL(r, 0, 0)->iops / 2 - 1), 0.05);
	cr_expect_lt(fabs(CELL(r, 1, 0)->iops / 8 - 1), 0.05);
	free(r);
}

Test(sweep, workers_that_do_not_follow_are_given_up)
{
	struct sweep_rig *r = rig("qd=1,2 cap=3");

	r->settle_ticks = UINT_MAX;
	rig_run(r, 1000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_eq(CELL(r, 0, 0)->state, CELL_FAILED);
	cr_expect(strstr(r->sw.v.why, "did not take"), "%s", r->sw.v.why);
	free(r);
}

Test(sweep, refused_settings_mark_the_cell_and_go_on)
{
	struct sweep_rig *r = rig("qd=1,2,4");

	r->step = sweep_refused(&r->sw, "bs: larger than the file", r->now_ns);
	cr_expect_eq(r->step, SWEEP_TUNE);
	cr_expect_eq(CELL(r, 0, 0)->state, CELL_FAILED);
	cr_expect_str_eq(r->sw.v.why, "bs: larger than the file");
	rig_run(r, 300);
	expect_cell(r, 1, 0);
	expect_cell(r, 2, 0);
	free(r);
}

static void order_of(const char *words, unsigned *loads, unsigned *n)
{
	struct sweep_rig *r = rig(words);

	*n = 0;
	while (r->step != SWEEP_DONE && *n < 64) {
		if (r->step == SWEEP_TUNE)
			loads[(*n)++] = r->sw.v.row * 10 + r->sw.v.col;
		rig_tick(r);
	}
	free(r);
}

Test(sweep, snake_goes_down_and_up)
{
	static const unsigned want[] = {0, 10, 20, 21, 11, 1, 2, 12, 22};
	unsigned got[64], n;

	order_of("qd=1,2,4 bs=4k,8k,16k", got, &n);
	cr_assert_eq(n, 9);
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(got[i], want[i], "%u: %u", i, got[i]);
}

Test(sweep, random_order_visits_each_cell_once_and_repeats_with_its_seed)
{
	unsigned a[64], b[64], c[64], n, seen[100] = {0};

	order_of("qd=1..8 bs=4k,8k,16k order=random seed=3", a, &n);
	order_of("qd=1..8 bs=4k,8k,16k order=random seed=3", b, &n);
	order_of("qd=1..8 bs=4k,8k,16k order=random seed=4", c, &n);
	cr_assert_eq(n, 12);
	cr_expect_eq(memcmp(a, b, n * sizeof(*a)), 0);
	cr_expect_neq(memcmp(a, c, n * sizeof(*a)), 0);
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(seen[a[i]]++, 0);
}

Test(sweep, engines_stay_together_in_a_random_order)
{
	unsigned got[64], n, changes = 0;

	order_of("qd=1..8 engine=psync,mmap,null order=random", got, &n);
	cr_assert_eq(n, 12);
	for (unsigned i = 1; i < n; i++)
		changes += got[i] % 10 != got[i - 1] % 10;
	cr_expect_eq(changes, 2);
}

Test(sweep, saturated_columns_are_cut_off)
{
	struct sweep_rig *r = rig("qd=1..256 bs=4k,16k skip_saturated");

	rig_run(r, 2000);
	/* 32 is the bend; 64 and 128 gain nothing; 256 is left out. */
	cr_expect_eq(CELL(r, 7, 0)->state, CELL_DONE);
	cr_expect_eq(CELL(r, 8, 0)->state, CELL_SKIPPED);
	cr_expect_eq(CELL(r, 8, 1)->state, CELL_SKIPPED);
	cr_expect_eq(r->sw.v.r.skipped, 2);
	cr_expect_neq(r->sw.v.r.find[0].fit.form, FIT_NONE);
	free(r);
}

Test(sweep, pause_costs_nothing_and_the_cell_begins_anew)
{
	struct sweep_rig *r = rig("qd=1,2");

	for (int i = 0; i < 20; i++)
		rig_tick(r);
	cr_expect_eq(r->sw.v.phase, SWEEP_MEASURE);
	sweep_pause(&r->sw, true);
	for (int i = 0; i < 500; i++)
		rig_tick(r);
	cr_expect_eq(CELL(r, 0, 0)->state, CELL_RUNNING);
	sweep_pause(&r->sw, false);
	rig_run(r, 100);
	cr_assert_eq(r->step, SWEEP_DONE);
	expect_cell(r, 0, 0);
	cr_expect_lt(CELL(r, 0, 0)->elapsed_ns, 3000000000u);
	free(r);
}

Test(sweep, an_interrupted_sweep_keeps_its_cells_and_goes_on)
{
	struct sweep_rig *r = rig("qd=1,2,4");
	double first;

	while (CELL(r, 0, 0)->state != CELL_DONE)
		rig_tick(r);
	for (int i = 0; i < 15; i++)
		rig_tick(r);
	first = CELL(r, 0, 0)->iops;
	sweep_interrupt(&r->sw, SWEEP_STOPPED, NULL);
	cr_expect_eq(r->sw.v.phase, SWEEP_STOPPED);
	cr_expect_eq(CELL(r, 1, 0)->state, CELL_PENDING);
	cr_expect_eq(r->sw.v.todo, 2);
	rig_tick(r);
	cr_expect_eq(r->step, SWEEP_HOLD);
	r->now_ns += 3600000000000ull;
	r->step = sweep_resume(&r->sw, r->now_ns);
	cr_expect_eq(r->step, SWEEP_TUNE);
	rig_run(r, 200);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_eq(CELL(r, 0, 0)->iops, first, "measured once");
	expect_cell(r, 1, 0);
	expect_cell(r, 2, 0);
	cr_expect_eq(sweep_resume(&r->sw, r->now_ns), SWEEP_DONE, "nothing is left");
	free(r);
}

Test(sweep, one_cell_is_measured_again)
{
	struct sweep_rig *r = rig("qd=1,2,4");

	rig_run(r, 300);
	r->xmax = 20e3; /* another device now */
	sweep_redo(&r->sw, 1, 0);
	r->step = sweep_resume(&r->sw, r->now_ns);
	cr_expect_eq(r->step, SWEEP_TUNE);
	cr_expect_eq(sweep_next(&r->sw)->tune.qd, 2);
	rig_run(r, 100);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_lt(fabs(CELL(r, 1, 0)->iops / 20e3 - 1), 0.02);
	cr_expect_gt(CELL(r, 2, 0)->iops, 40e3);
	free(r);
}

Test(sweep, a_redo_that_is_stopped_keeps_the_old_numbers)
{
	struct sweep_rig *r = rig("qd=1,2,4");
	double before;

	rig_run(r, 300);
	before = CELL(r, 1, 0)->iops;
	sweep_redo(&r->sw, 1, 0);
	r->step = sweep_resume(&r->sw, r->now_ns);
	for (int i = 0; i < 15; i++)
		rig_tick(r);
	sweep_interrupt(&r->sw, SWEEP_STOPPED, NULL);
	cr_expect_eq(CELL(r, 1, 0)->state, CELL_DONE);
	cr_expect_eq(CELL(r, 1, 0)->iops, before);
	free(r);
}

/* p99 is twice N / X: inside 500 us up to X = 400 k at N = 100. */
Test(sweep, the_highest_depth_inside_the_slo_is_bisected)
{
	struct sweep_rig *r = rig("qd=1..256 slo=p99<500us");
	const struct slo_found *f = &r->sw.v.r.slo[0];

	rig_run(r, 3000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_eq(f->state, SLO_FOUND);
	cr_expect(f->searched);
	cr_expect(f->load >= 97 && f->load <= 101, "qd %u", (unsigned)f->load);
	cr_expect(f->probes >= 4 && f->probes <= 7, "%u", f->probes);
	cr_expect_lt(f->cell.pct_ns[2], 500000);
	cr_expect_eq(r->sw.v.r.find[0].knee[KNEE_SLO], 6, "of the grid: qd 64");
	free(r);
}

Test(sweep, an_slo_that_holds_everywhere_or_nowhere_needs_no_search)
{
	struct sweep_rig *all = rig("qd=1..8 slo=p99<1s"), *none = rig("qd=1..8 slo=p99<1us"),
			 *off = rig("qd=1..256 slo=p99<500us slo_search=0");

	rig_run(all, 3000);
	rig_run(none, 3000);
	rig_run(off, 3000);
	cr_expect_eq(all->sw.v.r.slo[0].state, SLO_ALL);
	cr_expect_eq(all->sw.v.r.slo[0].load, 8);
	cr_expect_eq(none->sw.v.r.slo[0].state, SLO_NOT_ONE);
	cr_expect_eq(all->tunes, 4);
	cr_expect_eq(none->tunes, 4);
	cr_expect_eq(off->tunes, 9);
	cr_expect_eq(off->sw.v.r.slo[0].state, SLO_FOUND);
	cr_expect_eq(off->sw.v.r.slo[0].load, 64);
	cr_expect_not(off->sw.v.r.slo[0].searched);
	free(all);
	free(none);
	free(off);
}

Test(sweep, time_left_shrinks_and_is_right_in_the_end)
{
	struct sweep_rig *r = rig("qd=1..128");
	uint64_t left;
	unsigned ticks;

	cr_expect_eq(r->sw.v.eta_ns, UINT64_MAX, "nothing measured yet");
	while (CELL(r, 3, 0)->state != CELL_DONE)
		rig_tick(r);
	left = r->sw.v.eta_ns;
	cr_expect_eq(r->sw.v.todo, 4);
	ticks = rig_run(r, 1000);
	cr_expect_lt(fabs((double)left / (ticks * 1e8) - 1), 0.1, "%g s said, %g s taken",
		     (double)left / 1e9, ticks / 10.0);
	free(r);
}

Test(sweep, written_bytes_count_the_ramp_too)
{
	struct sweep_rig *r = rig("rwmixread=0,50");

	rig_run(r, 200);
	cr_expect_gt((double)CELL(r, 0, 0)->written_bytes,
		     1.3 * CELL(r, 0, 0)->bps * (double)CELL(r, 0, 0)->elapsed_ns / 1e9);
	free(r);
}

Test(sweep, a_cell_ends_by_its_bytes)
{
	struct sweep_rig *r = rig("qd=1,2 cell_bytes=10m");

	rig_run(r, 200);
	cr_expect(CELL(r, 0, 0)->flags & CELL_SHORT);
	cr_expect_leq(CELL(r, 0, 0)->elapsed_ns, 500000000u);
	free(r);
}

/* A hundred random devices and grids: always ends, never a nonsense number. */
Test(sweep, property_every_sweep_ends_with_sane_cells)
{
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct sweep_rig *r = rig(seed % 2 ? "qd=1..64 bs=4k,64k slo=p90<1ms cap=4"
						   : "jobs=1..8 qd=2 skip_saturated cap=4 ci=5");

		rng_seed(&r->rng, seed);
		r->r0_ns = 1e3 + rng_unit(&r->rng) * 1e7;
		r->xmax = 50 + rng_unit(&r->rng) * 1e6;
		r->noise = rng_unit(&r->rng);
		r->drift_s = rng_unit(&r->rng) * 0.1 - 0.05;
		r->dead_from_ns = r->now_ns + rng_below(&r->rng, 60000000000ull);
		r->dead_to_ns = r->dead_from_ns + rng_below(&r->rng, 20000000000ull);
		rig_run(r, 6000);
		cr_assert_eq(r->step, SWEEP_DONE, "seed %u", (unsigned)seed);
		for (unsigned i = 0; i < r->sw.v.r.rows * r->sw.v.r.cols; i++) {
			const struct sweep_cell *c = &r->sw.v.r.cell[i];

			cr_expect_neq(c->state, CELL_PENDING);
			cr_expect_neq(c->state, CELL_RUNNING);
			cr_expect(!(c->iops < 0) && !(c->ci_pct < 0));
			for (unsigned p = 1; c->n && p < CELL_PCT_NR; p++)
				cr_expect_leq(c->pct_ns[p - 1], c->pct_ns[p]);
			cr_expect(!c->n || c->pct_ns[3] <= c->max_ns);
		}
		free(r);
	}
}

/* ---- another objective afterwards ---- */

static struct slo slo_of(const char *text)
{
	struct slo slo = {0};

	if (*text)
		cr_assert_eq(slo_parse(text, &slo, NULL), 0);
	return slo;
}

Test(sweep, an_objective_set_afterwards_judges_what_is_measured_and_leaves_a_search)
{
	struct sweep_rig *r = calloc(1, sizeof(*r));
	struct slo slo = slo_of("mean<150us");
	uint32_t grid_load;

	rig_init(r, "qd=1..64");
	rig_run(r, 10000);
	cr_assert_eq(r->sw.v.phase, SWEEP_OVER);
	cr_expect_eq(r->sw.v.r.slo[0].state, SLO_UNKNOWN);
	cr_expect_eq(sweep_set_slo(&r->sw, &slo, r->now_ns), SWEEP_HOLD);
	cr_expect_eq(r->sw.v.r.slo[0].state, SLO_FOUND);
	cr_expect_not(r->sw.v.r.slo[0].searched);
	grid_load = (uint32_t)r->sw.v.r.slo[0].load;
	cr_expect_eq(r->sw.v.phase, SWEEP_STOPPED, "the search is left to do");
	r->step = sweep_resume(&r->sw, r->now_ns);
	cr_assert_eq(r->step, SWEEP_TUNE);
	rig_run(r, 10000);
	cr_expect_eq(r->sw.v.phase, SWEEP_OVER);
	cr_expect(r->sw.v.r.slo[0].searched);
	cr_expect_geq(r->sw.v.r.slo[0].load, grid_load);
	slo = slo_of("");
	sweep_set_slo(&r->sw, &slo, r->now_ns);
	cr_expect_eq(r->sw.v.phase, SWEEP_OVER);
	cr_expect_eq(r->sw.v.r.slo[0].state, SLO_UNKNOWN);
	free(r);
}

/* The probe at work was for the old objective: it is dropped. */
Test(sweep, an_objective_set_while_searching_begins_the_search_anew)
{
	struct sweep_rig *r = calloc(1, sizeof(*r));
	struct slo slo = slo_of("mean<100us");

	rig_init(r, "qd=1..64 slo=mean<150us");
	for (int i = 0; i < 10000 && !r->sw.v.probing; i++)
		rig_tick(r);
	cr_assert(r->sw.v.probing);
	r->step = sweep_set_slo(&r->sw, &slo, r->now_ns);
	cr_expect_eq(r->step, SWEEP_TUNE);
	cr_expect_eq(r->sw.v.r.slo[0].probes, 0);
	rig_run(r, 10000);
	cr_expect_eq(r->sw.v.phase, SWEEP_OVER);
	cr_expect(r->sw.v.r.slo[0].searched);
	cr_expect_lt(r->sw.v.r.slo[0].cell.mean_ns, 100e3);
	free(r);
}

Test(sweep, it_goes_on_from_what_an_earlier_one_has_measured)
{
	struct sweep_rig *old = rig("qd=1,2,4,8"), *r = rig("qd=1,2,4,8");
	struct tuning base = old->sw.base;
	unsigned before;

	while (old->sw.v.r.done < 2)
		rig_tick(old);
	sweep_interrupt(&old->sw, SWEEP_STOPPED, NULL);
	r->step = sweep_init_from(&r->sw, &old->sw.v.r, &base, r->now_ns);
	cr_assert_eq(r->step, SWEEP_TUNE);
	cr_expect_eq(r->sw.v.r.done, 2);
	cr_expect_eq(sweep_next(&r->sw)->tune.qd, 4);
	before = r->tunes;
	rig_run(r, 10000);
	cr_assert_eq(r->step, SWEEP_DONE);
	cr_expect_eq(r->tunes - before, 2, "only what was missing");
	cr_expect_eq(CELL(r, 0, 0)->iops, CELL(old, 0, 0)->iops);
	cr_expect_eq(sweep_init_from(&old->sw, &r->sw.v.r, &base, r->now_ns), SWEEP_DONE);
	free(old);
	free(r);
}
