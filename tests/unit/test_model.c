/* model: series fed by snapshots, binned into chart columns. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/rng.h"
#include "ui/model.h"

#define MS  1000000ull
#define SEC (1000 * MS)

static struct model m;
static struct snapshot *snap; /* what feed() hands in next */

static void setup(void)
{
	model_init(&m);
	snap = calloc(1, sizeof(*snap));
	snap->n_lanes = 1;
	snap->t_ns = 1000 * SEC;
	snap->state = snap->lane[0].state = RUN_ON;
	snap->lane[0].t_start_ns = snap->t_ns;
}

static void teardown(void)
{
	model_fini(&m);
	free(snap);
}

TestSuite(model, .init = setup, .fini = teardown);

/* One tick of `ms` with these rates. seq is stepped by `step`: above 1, snapshots were missed. */
static void feed_step(unsigned ms, double r, double w, unsigned step)
{
	struct lane_snap *l = &snap->lane[0];

	snap->seq += step;
	snap->t_ns += ms * MS;
	snap->win_ns = ms * MS;
	l->tick[IO_READ].iops = r;
	l->tick[IO_WRITE].iops = w;
	l->tick[IO_READ].bps = 4096 * r;
	l->tick[IO_WRITE].bps = 4096 * w;
	l->total[IO_READ].ops += (uint64_t)(r * ms / 1000);
	l->total[IO_READ].bytes += (uint64_t)(4096 * r * ms / 1000);
	model_update(&m, snap);
}

static void feed(unsigned ms, double r, double w)
{
	feed_step(ms, r, w, 1);
}

static double column_ops(const struct point *p, double width_s)
{
	return isnan(p->iops[IO_READ]) ? 0 : p->iops[IO_READ] * width_s;
}

Test(model, empty_model_has_only_unknown_columns)
{
	struct point c[5];
	uint64_t a, b;

	cr_expect_not(model_span(&m, 0, &a, &b));
	for (uint64_t window = 0; window < 2 * SEC; window += SEC) {
		model_columns(&m, 0, 5 * SEC, window, c, 5);
		for (int i = 0; i < 5; i++)
			cr_expect(isnan(c[i].iops[IO_READ]) && isnan(c[i].iops_max));
	}
	model_columns(&m, 0, 0, 0, c, 5);
	model_columns(&m, 0, 0, SEC, c, 0);
}

Test(model, one_interval_per_column_is_the_sampler_s_rate)
{
	struct point c[10];

	for (int i = 0; i < 10; i++)
		feed(100, 1000 * (i + 1), 7);
	model_columns(&m, 0, snap->t_ns, SEC, c, 10);
	for (int i = 0; i < 10; i++) {
		cr_expect_float_eq(c[i].iops[IO_READ], 1000 * (i + 1), 1e-6);
		cr_expect_float_eq(c[i].iops[IO_WRITE], 7, 1e-6);
		cr_expect_float_eq(c[i].bps[IO_READ], 4096e3 * (i + 1), 1e-3);
		cr_expect_float_eq(c[i].iops_max, 1000 * (i + 1) + 7, 1e-6);
		cr_expect_eq(c[i].t_ns, snap->t_ns - (9 - (uint64_t)i) * 100 * MS);
	}
}

/* The sum over columns is what was done, whatever the number of columns. */
Test(model, bins_add_up)
{
	struct rng r;
	double ops = 0;

	rng_seed(&r, 42);
	for (int i = 0; i < 300; i++) {
		unsigned ms = 60 + (unsigned)rng_below(&r, 80);
		double iops = (double)rng_below(&r, 100000);

		feed(ms, iops, 0);
		ops += iops * ms / 1000;
	}
	for (size_t n = 1; n < 250; n += 7) {
		struct point *c = calloc(n, sizeof(*c));
		double sum = 0, max = 0,
		       width = (double)(snap->t_ns - 1000 * SEC) / 1e9 / (double)n;

		model_columns(&m, 0, snap->t_ns, 0, c, n);
		for (size_t i = 0; i < n; i++) {
			sum += column_ops(&c[i], width);
			max = fmax(max, c[i].iops_max);
			cr_assert(c[i].iops_max >= c[i].iops[IO_READ] * (1 - 1e-12));
		}
		cr_expect_float_eq(sum, ops, 1e-6 * ops, "%zu columns: %f of %f", n, sum, ops);
		cr_expect(max < 100000, "%zu", n);
		free(c);
	}
}

Test(model, a_pause_is_unknown_and_never_interpolated)
{
	struct point c[30];

	for (int i = 0; i < 10; i++)
		feed(100, 500, 0);
	snap->state = snap->lane[0].state = RUN_PAUSED;
	for (int i = 0; i < 10; i++)
		feed(100, 0, 0);
	snap->state = snap->lane[0].state = RUN_ON;
	for (int i = 0; i < 10; i++)
		feed(100, 900, 0);
	model_columns(&m, 0, snap->t_ns, 3 * SEC, c, 30);
	for (int i = 0; i < 30; i++) {
		if (i >= 10 && i < 20)
			cr_expect(isnan(c[i].iops[IO_READ]), "%d", i);
		else
			cr_expect_float_eq(c[i].iops[IO_READ], i < 10 ? 500 : 900, 1e-6, "%d", i);
	}
}

Test(model, a_measured_zero_is_zero_and_what_lies_before_the_run_is_unknown)
{
	struct point c[4];

	feed(100, 0, 0);
	feed(100, 0, 0);
	model_columns(&m, 0, snap->t_ns, 400 * MS, c, 4);
	cr_expect(isnan(c[0].iops[IO_READ]) && isnan(c[1].bps[IO_WRITE]));
	cr_expect_eq(c[2].iops[IO_READ], 0);
	cr_expect_eq(c[3].iops_max, 0);
}

/* A window that looks between two intervals shows the rate that was measured there, not a mean. */
Test(model, narrow_columns_show_steps)
{
	struct point c[20];

	feed(100, 100, 0);
	feed(100, 900, 0);
	model_columns(&m, 0, snap->t_ns, 200 * MS, c, 20);
	for (int i = 0; i < 20; i++)
		cr_expect_float_eq(c[i].iops[IO_READ], i < 10 ? 100 : 900, 1e-6, "%d", i);
}

/* axboe/fio#427: the last sample of a run "explodes" because it is short. */
Test(model, a_last_interval_below_20_ms_is_not_drawn)
{
	struct point c[10];
	uint64_t begin, end;

	for (int i = 0; i < 9; i++)
		feed(100, 1000, 0);
	feed(19, 1e9, 0);
	cr_expect(model_span(&m, 0, &begin, &end));
	cr_expect_eq(end, snap->t_ns - 19 * MS);
	model_columns(&m, 0, begin + SEC, SEC, c, 10);
	cr_expect_float_eq(c[8].iops[IO_READ], 1000, 1e-6);
	cr_expect(isnan(c[9].iops[IO_READ]));
}

Test(model, a_short_interval_within_a_run_is_kept_with_its_successor)
{
	struct point c[1];

	feed(100, 1000, 0);
	feed(10, 5000, 0);
	feed(90, 1000, 0);
	model_columns(&m, 0, snap->t_ns, 0, c, 1);
	cr_expect_float_eq(c[0].iops[IO_READ] * 0.2, 100 + 50 + 90, 1e-6);
	cr_expect_float_eq(c[0].iops_max, 1400, 1e-6, "140 in 100 ms, not 5000: %f", c[0].iops_max);
}

Test(model, the_newest_column_needs_20_ms)
{
	struct point c[2];

	feed(1010, 1000, 0);
	model_columns(&m, 0, snap->t_ns + 990 * MS, 2 * SEC, c, 2);
	cr_expect_float_eq(c[0].iops[IO_READ], 1000, 1e-6);
	cr_expect(isnan(c[1].iops[IO_READ]), "10 ms of it were measured");
	model_columns(&m, 0, snap->t_ns + 970 * MS, 2 * SEC, c, 2);
	cr_expect_float_eq(c[1].iops[IO_READ], 1000, 1e-6, "30 ms were");
}

/* After ten minutes intervals become seconds: nothing is lost, and maxima are kept. */
Test(model, old_time_is_thinned_without_losing_operations_or_peaks)
{
	struct point c[100];
	double sum = 0, width;

	for (int i = 0; i < 20000; i++)
		feed(100, i == 1234 ? 50000 : 1000, 0);
	model_columns(&m, 0, snap->t_ns, 0, c, 100);
	width = 2000.0 / 100;
	for (int i = 0; i < 100; i++)
		sum += column_ops(&c[i], width);
	cr_expect_float_eq(sum, 20000 * 100 + 4900, 1e-3, "%f", sum);
	cr_expect_float_eq(c[6].iops_max, 50000, 1e-6, "%f", c[6].iops_max);
	cr_expect_float_eq(c[50].iops_max, 1000, 1e-6);
}

Test(model, memory_is_bounded_to_a_day)
{
	struct point c[10];
	uint64_t begin, end;

	for (int i = 0; i < 90000; i++)
		feed(1000, 1000, 0);
	cr_expect(model_span(&m, 0, &begin, &end));
	cr_expect_eq(end, snap->t_ns);
	cr_expect_lt(end - begin, 93000 * SEC);
	cr_expect_geq(end - begin, 86400 * SEC);
	model_columns(&m, 0, snap->t_ns, 0, c, 10);
	for (int i = 0; i < 10; i++)
		cr_expect_float_eq(c[i].iops[IO_READ], 1000, 1e-6);
}

Test(model, a_new_run_begins_anew)
{
	struct point c[1];
	uint64_t begin, end;

	feed(100, 1000, 0);
	snap->state = snap->lane[0].state = RUN_DONE;
	feed(100, 0, 0);
	cr_expect(model_span(&m, 0, &begin, &end), "the finished run stays in view");
	snap->state = snap->lane[0].state = RUN_LAYOUT;
	snap->lane[0].t_start_ns = 0;
	feed(100, 0, 0);
	cr_expect_not(model_span(&m, 0, &begin, &end));
	snap->state = snap->lane[0].state = RUN_ON;
	snap->lane[0].t_start_ns = snap->t_ns;
	feed(100, 70, 0);
	model_columns(&m, 0, snap->t_ns, 0, c, 1);
	cr_expect_float_eq(c[0].iops[IO_READ], 70, 1e-6);
}

Test(model, a_run_that_ended_and_began_between_two_snapshots_is_new)
{
	uint64_t begin, end;

	for (int i = 0; i < 5; i++)
		feed(100, 1000, 0);
	snap->lane[0].t_start_ns = snap->t_ns;
	feed(100, 500, 0);
	cr_expect(model_span(&m, 0, &begin, &end));
	cr_expect_eq(end - begin, 100 * MS);
}

Test(model, ramp_to_run_is_one_run)
{
	uint64_t begin, end;

	snap->lane[0].t_start_ns = 0;
	snap->state = snap->lane[0].state = RUN_RAMP;
	feed(100, 1000, 0);
	snap->state = snap->lane[0].state = RUN_ON;
	snap->lane[0].t_start_ns = snap->t_ns;
	feed(100, 1000, 0);
	cr_expect(model_span(&m, 0, &begin, &end));
	cr_expect_eq(end - begin, 200 * MS);
}

/* A stalled terminal missed four snapshots: what was done meanwhile is in the totals. */
Test(model, missed_snapshots_leave_no_hole)
{
	struct point c[7];

	feed(100, 1000, 0);
	feed(100, 1000, 0);
	snap->t_ns += 400 * MS;
	snap->lane[0].total[IO_READ].ops += 800;
	feed_step(100, 1000, 0, 5);
	model_columns(&m, 0, snap->t_ns, 700 * MS, c, 7);
	for (int i = 0; i < 2; i++)
		cr_expect_float_eq(c[i].iops[IO_READ], 1000, 1e-6);
	for (int i = 2; i < 7; i++)
		cr_expect_float_eq(c[i].iops[IO_READ], 900 / 0.5, 1e-6, "%d: %f", i,
				   c[i].iops[IO_READ]);
}

Test(model, missed_snapshots_without_totals_are_a_hole)
{
	struct point c[3];

	snap->state = snap->lane[0].state = RUN_RAMP;
	feed(100, 1000, 0);
	snap->t_ns += 100 * MS;
	feed_step(100, 1000, 0, 2);
	model_columns(&m, 0, snap->t_ns, 300 * MS, c, 3);
	cr_expect_float_eq(c[0].iops[IO_READ], 1000, 1e-6);
	cr_expect(isnan(c[1].iops[IO_READ]));
	cr_expect_float_eq(c[2].iops[IO_READ], 1000, 1e-6);
}

Test(model, an_old_snapshot_changes_nothing)
{
	uint64_t begin, end;

	feed(100, 1000, 0);
	snap->t_ns += 100 * MS;
	model_update(&m, snap);
	cr_expect(model_span(&m, 0, &begin, &end));
	cr_expect_eq(end - begin, 100 * MS);
}

Test(model, axes_are_held_for_three_seconds_after_a_peak)
{
	for (int i = 0; i < 10; i++)
		feed(100, 8000, 0);
	model_hold_axes(&m, snap->t_ns, snap->t_ns, SEC);
	cr_expect_float_eq(m.hold[0][MODEL_IOPS].max, 8000, 1e-6);
	cr_expect_float_eq(m.hold[0][MODEL_BPS].max, 8000 * 4096, 1e-3);
	for (int i = 0; i < 39; i++) {
		feed(100, 1000, 0);
		model_hold_axes(&m, snap->t_ns, snap->t_ns, SEC);
		cr_expect_float_eq(m.hold[0][MODEL_IOPS].max, 8000, 1e-6, "%d", i);
	}
	feed(100, 1000, 0);
	model_hold_axes(&m, snap->t_ns, snap->t_ns, SEC);
	cr_expect_float_eq(m.hold[0][MODEL_IOPS].max, 1000, 1e-6);
}
