/* A against B: Welch's test on known data, and which seconds of a run count. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/clock.h"
#include "src/base/rng.h"
#include "src/stat/compare.h"

/*
 * Two examples whose numbers are R's t.test(a, b): Student's sleep data (extra hours, two drugs), and the
 * unequal one of Welch's kind below, computed by hand in the comment.
 */
static const double sleep_a[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_b[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

Test(compare, agrees_with_r_on_the_sleep_data)
{
	struct compare c;

	compare_make(&c, sleep_a, 10, sleep_b, 10);
	/* t = -1.8608, df = 17.776, interval [-3.3654832, 0.2054832], means 0.75 and 2.33 */
	cr_expect_float_eq(c.a, 0.75, 1e-9);
	cr_expect_float_eq(c.b, 2.33, 1e-9);
	cr_expect_float_eq(c.diff, -1.58, 1e-9);
	/* Our dof are rounded down to 17: t 2.1098 instead of 2.1027, an interval 0.3 % wider. */
	cr_expect_float_eq(c.ci_half, 1.7854832 * 2.1098 / 2.1028, 2e-3);
	cr_expect_eq(c.verdict, COMPARE_SAME);
}

/* a: mean 100, var 2.5, n 5; b: mean 90, var 10, n 5. va+vb = 0.5+2 = 2.5; dof = 6.25/(0.0625+1) = 5.88. */
Test(compare, unequal_variances)
{
	const double a[] = {98, 99, 100, 101, 102}, b[] = {86, 88, 90, 92, 94};
	struct compare c;

	compare_make(&c, a, 5, b, 5);
	cr_expect_float_eq(c.diff, 10, 1e-9);
	cr_expect_float_eq(c.ci_half, 2.5706 * sqrt(2.5), 1e-3);
	cr_expect_eq(c.verdict, COMPARE_A_MORE);
	cr_expect_float_eq(c.ratio, 100.0 / 90, 1e-9);
	compare_make(&c, b, 5, a, 5);
	cr_expect_eq(c.verdict, COMPARE_B_MORE);
}

Test(compare, too_little_is_said_so)
{
	const double v[] = {1, NAN, NAN}, w[] = {5, 6};
	struct compare c;

	compare_make(&c, v, 3, w, 2);
	cr_expect_eq(c.n_a, 1);
	cr_expect_eq(c.verdict, COMPARE_UNKNOWN);
	cr_expect(isnan(c.ci_half));
	compare_make(&c, v + 1, 2, w, 2);
	cr_expect(isnan(c.a) && isnan(c.ratio) && isnan(c.diff));
	cr_expect_eq(c.verdict, COMPARE_UNKNOWN);
}

Test(compare, without_any_spread_a_difference_is_one)
{
	const double a[] = {7, 7, 7}, b[] = {8, 8};
	struct compare c;

	compare_make(&c, a, 3, a, 3);
	cr_expect_eq(c.verdict, COMPARE_SAME);
	compare_make(&c, a, 3, b, 2);
	cr_expect_eq(c.verdict, COMPARE_B_MORE);
	cr_expect_float_eq(c.ci_half, 0, 1e-12);
}

/* Of equal sides, about 1 in 20 intervals misses 0: that is what 95 % means. */
Test(compare, errs_once_in_twenty)
{
	struct rng r;
	unsigned wrong = 0;

	rng_seed(&r, 42);
	for (int round = 0; round < 2000; round++) {
		double a[10], b[10];
		struct compare c;

		for (int i = 0; i < 10; i++) {
			a[i] = b[i] = 0;
			/* Sums of uniforms are nearly normal. */
			for (int k = 0; k < 12; k++) {
				a[i] += (double)rng_below(&r, 1000);
				b[i] += (double)rng_below(&r, 1000);
			}
		}
		compare_make(&c, a, 10, b, 10);
		wrong += c.verdict != COMPARE_SAME;
	}
	cr_expect(wrong > 60 && wrong < 140, "%u of 2000", wrong);
}

/* ---- seconds ---- */

struct rig {
	struct snapshot *s;
	struct compare_track *t;
};

static void rig_init(struct rig *r)
{
	r->s = calloc(1, sizeof(*r->s));
	r->t = calloc(1, sizeof(*r->t));
	r->s->n_lanes = 2;
	r->s->t_ns = 100 * NSEC_PER_SEC;
	for (int i = 0; i < 2; i++) {
		r->s->lane[i].state = RUN_ON;
		r->s->lane[i].t_start_ns = r->s->t_ns;
	}
}

static void rig_fini(struct rig *r)
{
	free(r->s);
	free(r->t);
}

static void set_iops(struct rig *r, unsigned lane, double iops)
{
	struct op_win *w = &r->s->lane[lane].sec[IO_OP_NR];

	w->iops = iops;
	w->bps = iops * 4096;
	w->lat.n = (uint64_t)iops;
	w->lat.mean_ns = 1e5;
	for (int i = 0; i < PCT_NR; i++)
		w->lat.pct_ns[i] = 100000u + 1000u * (unsigned)i;
	w->lat.max_ns = 200000;
}

static void ticks(struct rig *r, unsigned n)
{
	while (n--) {
		r->s->seq++;
		r->s->t_ns += 100 * NSEC_PER_MSEC;
		compare_track_add(r->t, r->s);
	}
}

Test(compare, a_second_counts_once)
{
	struct rig r;
	struct compare c;

	rig_init(&r);
	set_iops(&r, 0, 5000);
	set_iops(&r, 1, 1000);
	ticks(&r, 41);
	compare_lanes(r.t, 0, 1, COMPARE_IOPS, 0, &c);
	cr_expect_eq(c.n_a, 4, "%zu", c.n_a);
	cr_expect_float_eq(c.ratio, 5, 1e-9);
	cr_expect_eq(c.verdict, COMPARE_A_MORE);
	compare_lanes(r.t, 0, 1, COMPARE_P50, 0, &c);
	cr_expect_eq(c.verdict, COMPARE_SAME);
	cr_expect(compare_is_weak(r.t, 0, COMPARE_P999));
	cr_expect_not(compare_is_weak(r.t, 0, COMPARE_P99));
	rig_fini(&r);
}

/* Every second in the same bucket: no spread, and yet no more is known than the bucket. */
Test(compare, a_percentile_is_known_to_its_bucket)
{
	struct rig r;
	struct compare c;

	rig_init(&r);
	set_iops(&r, 0, 5000);
	set_iops(&r, 1, 5000);
	r.s->lane[0].sec[IO_OP_NR].lat.pct_ns[0] = 101000; /* 1 % more than 100 us */
	ticks(&r, 41);
	compare_lanes(r.t, 0, 1, COMPARE_P50, 0, &c);
	cr_expect_float_eq(c.diff, 1000, 1e-6);
	cr_expect(c.ci_half > 1000 && c.ci_half < 2048, "%g", c.ci_half);
	cr_expect_eq(c.verdict, COMPARE_SAME);
	r.s->lane[0].sec[IO_OP_NR].lat.pct_ns[0] = 105000;
	r.s->lane[0].gen++;
	ticks(&r, 41);
	compare_lanes(r.t, 0, 1, COMPARE_P50, 0, &c);
	cr_expect_eq(c.verdict, COMPARE_A_MORE);
	/* The mean is exact. */
	compare_lanes(r.t, 0, 1, COMPARE_MEAN, 0, &c);
	cr_expect_eq(c.ci_half, 0);
	rig_fini(&r);
}

/* Seconds of other settings would be compared with those of the present ones. */
Test(compare, a_change_drops_what_was_before)
{
	struct rig r;
	struct compare c;

	rig_init(&r);
	set_iops(&r, 0, 5000);
	set_iops(&r, 1, 1000);
	ticks(&r, 41);
	r.s->lane[0].gen++;
	set_iops(&r, 0, 9000);
	ticks(&r, 21);
	compare_lanes(r.t, 0, 1, COMPARE_IOPS, 10, &c);
	cr_expect_eq(c.n_a, 2, "%zu", c.n_a);
	cr_expect_eq(c.n_b, 6, "%zu", c.n_b);
	cr_expect_float_eq(c.a, 9000, 1e-9);
	rig_fini(&r);
}

/* The second in which a change settled, or a turn began or ended, is nobody's. */
Test(compare, only_whole_steady_seconds)
{
	struct rig r;
	struct compare c;

	rig_init(&r);
	set_iops(&r, 0, 5000);
	set_iops(&r, 1, 1000);
	ticks(&r, 25);
	r.s->lane[0].settling = true;
	r.s->lane[1].state = RUN_PAUSED;
	ticks(&r, 7);
	r.s->lane[0].settling = false;
	ticks(&r, 15);
	compare_lanes(r.t, 0, 1, COMPARE_IOPS, 0, &c);
	cr_expect_eq(c.n_a, 3, "%zu", c.n_a);
	cr_expect_eq(c.n_b, 2, "%zu", c.n_b);
	rig_fini(&r);
}

Test(compare, the_newest_seconds_and_a_new_run)
{
	struct rig r;
	struct compare c;

	rig_init(&r);
	set_iops(&r, 0, 100);
	set_iops(&r, 1, 100);
	ticks(&r, 101);
	set_iops(&r, 0, 900);
	ticks(&r, 30);
	compare_lanes(r.t, 0, 1, COMPARE_IOPS, 3, &c);
	cr_expect_float_eq(c.a, 900, 1e-9);
	r.s->lane[0].t_start_ns = r.s->t_ns;
	ticks(&r, 1);
	compare_lanes(r.t, 0, 1, COMPARE_IOPS, 0, &c);
	cr_expect_eq(c.n_a, 0);
	rig_fini(&r);
}
