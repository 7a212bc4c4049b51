/* opstat: what a worker counts, and what readers make of two copies. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/stat/opstat.h"

#define N 5000

static struct op_live live, live2;
static struct op_stat now, before, win, want;

static struct op_sample random_sample(struct rng *r, uint64_t epoch)
{
	struct op_sample s = {.epoch = epoch, .bytes = 4096};

	/* A third without slat, as a job whose depth goes to 1 and back has them. */
	s.slat_ns = rng_below(r, 3) ? rng_below(r, 3000) : 0;
	s.clat_ns = (uint64_t)exp(rng_unit(r) * 25);
	s.lat_ns = s.slat_ns + s.clat_ns;
	return s;
}

static void add(struct op_live *o, const struct op_sample *s)
{
	op_live_add(o, hist_straddle_get(), s);
}

/* The plain form of the same samples, by the definitions. */
static void expect_counts(const struct op_stat *st, const struct op_sample *s, size_t n)
{
	const struct hist_straddle *sd = hist_straddle_get();
	double mean = 0, m2 = 0;

	memset(&want, 0, sizeof(want));
	for (size_t i = 0; i < n; i++) {
		uint32_t c = hist_index(s[i].clat_ns);

		want.ops++;
		want.bytes += s[i].bytes;
		want.slat.sum_ns += s[i].slat_ns;
		want.clat.m.sum_ns += s[i].clat_ns;
		want.lat.m.sum_ns += s[i].lat_ns;
		want.clat.h.n[c]++;
		want.lat.h.n[hist_index(s[i].lat_ns)]++;
		if (sd->id[c] && s[i].clat_ns >= sd->bound_ns[sd->id[c]])
			want.over[sd->id[c]]++;
	}
	cr_expect_eq(st->ops, want.ops);
	cr_expect_eq(st->bytes, want.bytes);
	cr_expect_eq(st->slat.sum_ns, want.slat.sum_ns);
	cr_expect_eq(st->clat.m.sum_ns, want.clat.m.sum_ns);
	cr_expect_eq(st->lat.m.sum_ns, want.lat.m.sum_ns);
	cr_expect(st->slat.n == n && st->clat.m.n == n && st->lat.m.n == n);
	cr_expect_eq(memcmp(&st->clat.h, &want.clat.h, sizeof(want.clat.h)), 0);
	cr_expect_eq(memcmp(&st->lat.h, &want.lat.h, sizeof(want.lat.h)), 0);
	cr_expect_eq(memcmp(st->over, want.over, sizeof(want.over)), 0);
	mean = (double)want.lat.m.sum_ns / (double)n;
	for (size_t i = 0; i < n; i++)
		m2 += ((double)s[i].lat_ns - mean) * ((double)s[i].lat_ns - mean);
	cr_expect_leq(fabs(st->lat.m.m2 - m2), 1e-6 * m2, "m2 %g, direct %g", st->lat.m.m2, m2);
}

static struct op_sample samples[N];

/* A synchronous engine: slat is 0 for each, and known to be; lat is clat in every respect. */
Test(opstat, without_slat_lat_is_clat)
{
	struct op_sums sums;
	struct hist h;
	struct rng r;

	rng_seed(&r, 5);
	op_live_init(&live);
	for (int i = 0; i < N; i++) {
		samples[i] = random_sample(&r, 0);
		samples[i].slat_ns = 0;
		samples[i].lat_ns = samples[i].clat_ns;
		add(&live, &samples[i]);
	}
	op_live_read(&live, &now);
	expect_counts(&now, samples, N);
	cr_expect(now.slat.n == N && now.slat.sum_ns == 0 && now.slat.max_ns == 0 &&
		  now.slat.m2 == 0);
	cr_expect_eq(memcmp(&now.clat, &now.lat, sizeof(now.lat)), 0);
	op_live_read_sums(&live, &sums);
	cr_expect(sums.slat.n == N && sums.clat.n == N && sums.lat.n == N);
	cr_expect_eq(sums.clat.sum_ns, now.clat.m.sum_ns);
	op_live_read_clat_hist(&live, &h);
	cr_expect_eq(memcmp(&h, &now.clat.h, sizeof(h)), 0);
}

/* A batch counted is the same to the last bit as one by one (m2 to rounding). */
Test(opstat, alike_equals_one_by_one)
{
	const struct hist_straddle *st = hist_straddle_get();
	uint64_t lo = UINT64_MAX, hi = 0;
	struct rng r;
	size_t n = 0;

	rng_seed(&r, 2);
	op_live_init(&live);
	while (n < N) {
		struct op_sample s = random_sample(&r, 3);
		uint64_t times = 1 + rng_below(&r, N - n < 200 ? N - n : 200);

		op_live_add_alike(&live, st, &s, times);
		while (times--)
			samples[n++] = s;
		lo = s.lat_ns < lo ? s.lat_ns : lo;
		hi = s.lat_ns > hi ? s.lat_ns : hi;
	}
	op_live_read(&live, &now);
	expect_counts(&now, samples, N);
	cr_expect(now.lat.m.min_ns == lo && now.lat.m.max_ns == hi);
	cr_expect_eq(live.begun, live.ops);
}

Test(opstat, live_equals_plain)
{
	struct rng r;

	rng_seed(&r, 1);
	op_live_init(&live);
	for (int i = 0; i < N; i++) {
		samples[i] = random_sample(&r, 0);
		add(&live, &samples[i]);
	}
	op_live_read(&live, &now);
	expect_counts(&now, samples, N);
	cr_expect_eq(now.ops, hist_count(&now.lat.h));
	/* R6: per I/O slat + clat = lat, so the means add up exactly. */
	cr_expect_eq(now.slat.sum_ns + now.clat.m.sum_ns, now.lat.m.sum_ns);
}

Test(opstat, a_window_is_the_difference_of_two_copies)
{
	struct rng r;
	const int cut = N / 3;
	uint64_t lo = UINT64_MAX, hi = 0;

	rng_seed(&r, 2);
	op_live_init(&live);
	for (int i = 0; i < N; i++) {
		samples[i] = random_sample(&r, 0);
		/* The extremes of all time come before the cut. */
		if (i == 3 || i == 4) {
			samples[i].clat_ns = i == 3 ? 1 : 1ull << 38;
			samples[i].lat_ns = samples[i].clat_ns + samples[i].slat_ns;
		}
		if (i == cut)
			op_live_read(&live, &before);
		if (i >= cut) {
			lo = samples[i].lat_ns < lo ? samples[i].lat_ns : lo;
			hi = samples[i].lat_ns > hi ? samples[i].lat_ns : hi;
		}
		add(&live, &samples[i]);
	}
	op_live_read(&live, &now);
	op_stat_sub(&win, &now, &before);
	/* m2 of 2^38 next to the rest leaves little of it: compare counts with an own m2 */
	cr_expect_eq(win.ops, (uint64_t)(N - cut));
	cr_expect_eq(hist_count(&win.clat.h), win.ops);
	cr_expect_eq(win.bytes, win.ops * 4096);
	cr_expect_eq(win.lat.m.sum_ns, win.slat.sum_ns + win.clat.m.sum_ns);
	/* Bounds of the outermost buckets: around the true extremes, within a bucket's width. */
	cr_expect(win.lat.m.min_ns <= lo && hist_index(win.lat.m.min_ns) == hist_index(lo));
	cr_expect(win.lat.m.max_ns >= hi && hist_index(win.lat.m.max_ns) == hist_index(hi));
	/* window + before = now */
	op_stat_merge(&before, &win);
	cr_expect_eq(before.ops, now.ops);
	cr_expect_eq(memcmp(&before.lat.h, &now.lat.h, sizeof(now.lat.h)), 0);
	cr_expect_eq(memcmp(before.over, now.over, sizeof(now.over)), 0);
	cr_expect_eq(before.lat.m.sum_ns, now.lat.m.sum_ns);
	cr_expect_leq(fabs(before.lat.m.m2 - now.lat.m.m2), 1e-9 * now.lat.m.m2);
}

Test(opstat, window_bounds_are_narrowed_to_all_time_extremes)
{
	struct op_sample s = {.clat_ns = 1000000, .lat_ns = 1000000};

	op_live_init(&live);
	op_live_read(&live, &before);
	add(&live, &s);
	op_live_read(&live, &now);
	op_stat_sub(&win, &now, &before);
	cr_expect(win.lat.m.min_ns == 1000000 && win.lat.m.max_ns == 1000000);
	/* Nothing since: an empty window, and dst may be one of the two. */
	before = now;
	op_stat_sub(&now, &now, &before);
	cr_expect(now.ops == 0 && now.lat.m.n == 0 && now.lat.m.sum_ns == 0);
}

Test(opstat, merge_of_workers_is_one_worker_with_all)
{
	struct rng r;

	rng_seed(&r, 3);
	op_live_init(&live);
	op_live_init(&live2);
	for (int i = 0; i < N; i++) {
		samples[i] = random_sample(&r, 0);
		add(i % 3 ? &live : &live2, &samples[i]);
	}
	op_live_read(&live, &now);
	op_live_read(&live2, &before);
	op_stat_merge(&now, &before);
	expect_counts(&now, samples, N);
	memset(&win, 0, sizeof(win));
	op_stat_merge(&win, &now); /* into an empty one */
	expect_counts(&win, samples, N);
	cr_expect(win.lat.m.min_ns == now.lat.m.min_ns && win.lat.m.max_ns == now.lat.m.max_ns);
}

Test(opstat, extremes_belong_to_their_tick)
{
	uint64_t lo = UINT64_MAX, hi = 0;

	op_live_init(&live);
	op_live_extremes(&live, 0, &lo, &hi);
	cr_expect(lo == UINT64_MAX && hi == 0, "nothing was done in tick 0");
	for (uint64_t tick = 0; tick < 3 * OP_EPOCHS; tick++) {
		if (tick % 5 == 4)
			continue; /* a stall: no I/O in this tick */
		for (uint64_t k = 0; k < 10; k++) {
			struct op_sample s = {.epoch = tick, .lat_ns = 100 * tick + 50 + k};

			add(&live, &s);
		}
		lo = UINT64_MAX, hi = 0;
		op_live_extremes(&live, tick, &lo, &hi);
		cr_expect(lo == 100 * tick + 50 && hi == 100 * tick + 59, "tick %lu: %lu %lu", tick,
			  lo, hi);
		if (tick % 5)
			op_live_extremes(&live, tick - 1, &lo, &hi); /* widens */
		cr_expect_eq(lo, tick % 5 ? 100 * tick - 50 : 100 * tick + 50);
	}
	lo = UINT64_MAX, hi = 0;
	op_live_extremes(&live, 34, &lo, &hi); /* the stalled one, its slot holds an older tick */
	cr_expect(lo == UINT64_MAX && hi == 0);
}

Test(opstat, errors_and_short_transfers_pass_through)
{
	op_live_init(&live);
	op_live_read(&live, &before);
	RELAXED_ADD(&live.errors, 3);
	RELAXED_ADD(&live.shorts, 2);
	op_live_read(&live, &now);
	cr_expect(now.ops == 0 && now.errors == 3 && now.shorts == 2);
	op_stat_sub(&win, &now, &before);
	cr_expect(win.errors == 3 && win.shorts == 2);
}

/* A copy that meets a half-counted I/O says so by begun != ops, and still ends. */
Test(opstat, reader_does_not_wait_for_a_stopped_writer)
{
	struct op_sample s = {.clat_ns = 500, .lat_ns = 500};

	op_live_init(&live);
	add(&live, &s);
	RELAXED_ADD(&live.begun, 1);
	op_live_read(&live, &now);
	cr_expect_eq(now.ops, 1);
	cr_expect_eq(now.lat.m.n, 1);
}
