/* snapshot: the live numbers of a window, made once, wrong never. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/stat/snapshot.h"

static struct op_live live;
static struct op_stat now, before, win;
static struct lat_view v;

static void add(uint64_t lat_ns, uint64_t epoch)
{
	struct op_sample s = {.lat_ns = lat_ns, .clat_ns = lat_ns, .bytes = 4096, .epoch = epoch};

	op_live_add(&live, hist_straddle_get(), &s);
}

static void window_since_before(void)
{
	op_live_read(&live, &now);
	op_stat_sub(&win, &now, &before);
}

Test(snapshot, every_state_has_a_word)
{
	cr_expect_str_eq(run_state_word(RUN_IDLE), "IDLE");
	cr_expect_str_eq(run_state_word(RUN_ON), "RUN");
	cr_expect_str_eq(run_state_word(RUN_FAILED), "FAILED");
	cr_expect_str_eq(run_state_word((enum run_state)99), "?");
	for (enum run_state s = RUN_IDLE; s <= RUN_FAILED; s++)
		cr_expect_str_neq(run_state_word(s), "?");
	for (int i = 1; i < PCT_NR; i++)
		cr_expect_gt(pct_points[i], pct_points[i - 1]);
}

Test(snapshot, exact_extremes_are_taken_when_the_buckets_agree)
{
	op_live_init(&live);
	add(1, 0);
	add(9000000, 0);
	op_live_read(&live, &before);
	add(100001, 1);
	add(200002, 1);
	add(150000, 1);
	window_since_before();
	lat_view_make(&v, &win, 100001, 200002);
	cr_expect(v.n == 3 && v.min_ns == 100001 && v.max_ns == 200002);
	cr_expect_float_eq(v.mean_ns, (100001 + 200002 + 150000) / 3.0, 1e-6);
	cr_expect_leq(v.pct_ns[PCT_NR - 1], v.max_ns);
}

Test(snapshot, foreign_extremes_are_not_believed)
{
	op_live_init(&live);
	add(1, 0);
	add(9000000, 0);
	op_live_read(&live, &before);
	add(100001, 1);
	add(200002, 1);
	window_since_before();
	lat_view_make(&v, &win, 50000, 9000000); /* of a neighbouring tick */
	cr_expect_eq(v.min_ns, hist_low(hist_index(100001)));
	cr_expect_eq(v.max_ns, hist_high(hist_index(200002)));
	lat_view_make(&v, &win, UINT64_MAX, 0); /* not known */
	cr_expect_eq(v.min_ns, hist_low(hist_index(100001)));
	cr_expect_eq(v.max_ns, hist_high(hist_index(200002)));
	lat_view_make(&v, &win, 100001, 9000000); /* each side for itself */
	cr_expect_eq(v.min_ns, 100001);
	cr_expect_eq(v.max_ns, hist_high(hist_index(200002)));
}

Test(snapshot, bucket_bounds_do_not_pass_all_time_extremes)
{
	op_live_init(&live);
	op_live_read(&live, &before);
	add(100001, 0);
	add(200002, 0);
	window_since_before();
	lat_view_make(&v, &win, UINT64_MAX, 0);
	cr_expect(v.min_ns == 100001 && v.max_ns == 200002);
}

Test(snapshot, slower_than_the_last_bucket)
{
	uint64_t slow = 3600ull * 1000000000;

	op_live_init(&live);
	op_live_read(&live, &before);
	add(slow, 0);
	window_since_before();
	lat_view_make(&v, &win, UINT64_MAX, 0);
	cr_expect(v.min_ns == slow && v.max_ns == slow && v.pct_ns[0] == slow);
}

Test(snapshot, empty_window_is_a_measured_zero_and_no_time_is_unknown)
{
	struct op_win w;

	memset(&win, 0, sizeof(win));
	op_win_make(&w, &win, 100000000, UINT64_MAX, 0);
	cr_expect(w.iops == 0 && w.bps == 0 && w.lat.n == 0 && w.lat.max_ns == 0);
	op_win_make(&w, &win, 0, UINT64_MAX, 0);
	cr_expect(isnan(w.iops) && isnan(w.bps));
}

Test(snapshot, rates_divide_by_the_real_time)
{
	struct op_win w;

	memset(&win, 0, sizeof(win));
	win.ops = 2000;
	win.bytes = 2000 * 4096;
	win.errors = 3;
	op_win_make(&w, &win, 125000000, UINT64_MAX, 0);
	cr_expect_float_eq(w.iops, 16000, 1e-6);
	cr_expect_float_eq(w.bps, 16000.0 * 4096, 1e-3);
	cr_expect(w.ops == 2000 && w.bytes == 2000 * 4096 && w.errors == 3);
}

/* A model of the sampler: random ticks; every window keeps min <= mean, percentiles <= max. */
Test(snapshot, windows_obey_order_and_add_up)
{
	struct rng r;
	uint64_t total = 0;

	rng_seed(&r, 9);
	op_live_init(&live);
	op_live_read(&live, &before);
	for (uint64_t tick = 0; tick < 300; tick++) {
		uint64_t n = rng_below(&r, 40), lo = UINT64_MAX, hi = 0, true_hi = 0;

		for (uint64_t i = 0; i < n; i++) {
			uint64_t ns = (uint64_t)exp(rng_unit(&r) * 29);

			true_hi = ns > true_hi ? ns : true_hi;
			add(ns, tick);
		}
		window_since_before();
		op_live_extremes(&live, tick, &lo, &hi);
		lat_view_make(&v, &win, lo, hi);
		before = now;
		total += v.n;
		cr_assert_eq(v.n, n);
		cr_assert_eq(v.max_ns, true_hi);
		cr_assert(n == 0 ||
			  ((double)v.min_ns <= v.mean_ns && v.mean_ns <= (double)v.max_ns));
		for (int p = 0; p < PCT_NR; p++) {
			cr_assert(v.pct_ns[p] >= v.min_ns && v.pct_ns[p] <= v.max_ns);
			cr_assert(p == 0 || v.pct_ns[p] >= v.pct_ns[p - 1]);
		}
	}
	cr_expect_eq(total, now.ops);
}
