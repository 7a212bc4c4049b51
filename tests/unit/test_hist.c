/* hist: buckets, percentiles, moments and fio's latency cells, checked against plain arithmetic. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/stat/hist.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MS       1000000ull

/* Latencies from 1 ns to 20 min, every magnitude as likely. */
static uint64_t random_ns(struct rng *r)
{
	return (uint64_t)exp(rng_unit(r) * log(1.2e12));
}

Test(hist, buckets_join_without_gaps)
{
	cr_assert_eq(hist_low(0), 0);
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t low = hist_low(i), high = hist_high(i);

		cr_assert_eq(hist_index(low), i, "low of %u", i);
		cr_assert_eq(hist_index(high), i, "high of %u", i);
		cr_assert(low <= hist_value(i) && hist_value(i) <= high);
		if (i + 1 < HIST_BUCKETS)
			cr_assert_eq(high + 1, hist_low(i + 1), "gap after %u", i);
	}
	cr_expect_eq(hist_high(HIST_BUCKETS - 2) + 1, hist_low(HIST_BUCKETS - 1));
	cr_expect_eq(hist_low(HIST_BUCKETS), 1ull << 40); /* where the last one would have ended */
	cr_expect_eq(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

Test(hist, index_grows_with_the_value_and_midpoint_errs_by_0_8_pct_at_most)
{
	struct rng r;

	rng_seed(&r, 1);
	for (int k = 0; k < 200000; k++) {
		uint64_t v = (rng_next(&r) & ((1ull << 40) - 1)) >> rng_below(&r, 40);
		double err = fabs((double)hist_value(hist_index(v)) - (double)v);

		cr_assert_leq(hist_index(v), hist_index(v + 1));
		cr_assert_leq(err, 0.008 * (double)v, "%lu", v);
		if (v < 128)
			cr_assert_eq(err, 0);
	}
}

/* Below 17 s the layout is fio's: keys of its json+ bins (fio-language 3.5). */
Test(hist, midpoints_are_fios)
{
	static const struct {
		uint64_t v, mid;
	} t[] = {{0, 0},
		 {127, 127},
		 {128, 129},
		 {70000, 70144},
		 {77000, 77312},
		 {1941000, 1941504},
		 {742000000, 742391808},
		 {17112760319, 17112760320}};

	for (size_t i = 0; i < COUNT(t); i++)
		cr_expect_eq(hist_value(hist_index(t[i].v)), t[i].mid, "%lu: %lu", t[i].v,
			     hist_value(hist_index(t[i].v)));
}

/* Case 89: one latency a thousand times; fio prints the midpoint, above the maximum. */
Test(hist, percentile_never_exceeds_the_maximum)
{
	static const double pct[] = {0, 1, 50, 99, 99.9, 99.99, 100};
	struct hist h = {0};
	uint64_t v = 54776876;

	h.n[hist_index(v)] = 1000;
	cr_assert_gt(hist_value(hist_index(v)), v); /* or the case tests nothing */
	for (size_t i = 0; i < COUNT(pct); i++)
		cr_expect_eq(hist_percentile(&h, pct[i], v, v), v, "p%g", pct[i]);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

Test(hist, percentiles_match_sorted_values)
{
	static const double pct[] = {1, 5, 10, 50, 90, 95, 99, 99.9, 99.99, 100};
	static uint64_t v[1000];
	uint64_t out[COUNT(pct)];
	struct rng r;

	rng_seed(&r, 2);
	for (int round = 0; round < 50; round++) {
		size_t n = 1 + rng_below(&r, COUNT(v));
		struct hist h = {0};

		for (size_t i = 0; i < n; i++) {
			v[i] = random_ns(&r) % (1ull << 39);
			h.n[hist_index(v[i])]++;
		}
		qsort(v, n, sizeof(v[0]), by_value);
		hist_percentiles(&h, pct, COUNT(pct), v[0], v[n - 1], out);
		for (size_t i = 0; i < COUNT(pct); i++) {
			/* pct in hundredths, so that the wanted rank is exact */
			uint64_t hundredths = (uint64_t)llround(pct[i] * 100);
			uint64_t rank = (hundredths * n + 9999) / 10000;
			uint64_t want = v[rank - 1];

			cr_expect_leq(fabs((double)out[i] - (double)want), 0.008 * (double)want,
				      "n %zu p%g: %lu, sorted %lu", n, pct[i], out[i], want);
			cr_expect(out[i] >= v[0] && out[i] <= v[n - 1]);
			cr_expect(i == 0 || out[i] >= out[i - 1], "R7");
			cr_expect_eq(out[i], hist_percentile(&h, pct[i], v[0], v[n - 1]));
		}
	}
}

Test(hist, p99_9_of_a_thousand_is_the_999th)
{
	struct hist h = {0};

	h.n[hist_index(100)] = 999;
	h.n[hist_index(5000)] = 1;
	cr_expect_eq(hist_percentile(&h, 99.9, 100, 5000), 100);
	cr_expect_eq(hist_percentile(&h, 99.99, 100, 5000), 5000);
}

Test(hist, beyond_the_last_bucket_the_maximum_speaks)
{
	struct hist h = {0};
	uint64_t slow = 3000ull * 1000 * MS;

	h.n[hist_index(slow)] = 2;
	h.n[hist_index(10)] = 98;
	cr_expect_eq(hist_percentile(&h, 99, 10, slow), slow);
	cr_expect_eq(hist_percentile(&h, 98, 10, slow), 10);
}

Test(hist, empty_gives_zero_and_has_no_span)
{
	struct hist h = {0};
	uint32_t a, b;

	cr_expect_eq(hist_percentile(&h, 50, 0, 0), 0);
	cr_expect_eq(hist_count(&h), 0);
	cr_expect_not(hist_span(&h, &a, &b));
	h.n[7] = h.n[900] = 1;
	cr_expect(hist_span(&h, &a, &b));
	cr_expect(a == 7 && b == 900);
}

Test(hist, add_is_the_sum_and_sub_takes_it_back)
{
	static struct hist a, b, sum, back;
	struct rng r;

	rng_seed(&r, 3);
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		a.n[i] = rng_below(&r, 1000);
		b.n[i] = rng_below(&r, 1000);
	}
	sum = a;
	hist_add(&sum, &b);
	cr_expect_eq(hist_count(&sum), hist_count(&a) + hist_count(&b));
	hist_sub(&back, &sum, &b);
	cr_expect_eq(memcmp(&back, &a, sizeof(a)), 0);
	/* A counter that steps back gives nothing, not 2^64. */
	hist_sub(&back, &a, &sum);
	cr_expect_eq(hist_count(&back), 0);
}

static struct moments direct(const uint64_t *v, size_t n)
{
	struct moments m = {.n = n, .min_ns = UINT64_MAX};
	long double mean;

	for (size_t i = 0; i < n; i++) {
		m.sum_ns += v[i];
		m.min_ns = v[i] < m.min_ns ? v[i] : m.min_ns;
		m.max_ns = v[i] > m.max_ns ? v[i] : m.max_ns;
	}
	mean = (long double)m.sum_ns / (long double)n;
	for (size_t i = 0; i < n; i++)
		m.m2 += (double)(((long double)v[i] - mean) * ((long double)v[i] - mean));
	return m;
}

static void expect_moments(const struct moments *got, const struct moments *want)
{
	cr_expect_eq(got->n, want->n);
	cr_expect_eq(got->min_ns, want->min_ns);
	cr_expect_eq(got->max_ns, want->max_ns);
	cr_expect_eq(got->sum_ns, want->sum_ns);
	cr_expect_leq(fabs(got->m2 - want->m2), 1e-9 * want->m2 + 1e-6, "m2 %g, direct %g", got->m2,
		      want->m2);
}

Test(moments, live_and_merged_equal_direct_computation)
{
	static uint64_t v[3000];
	struct rng r;

	rng_seed(&r, 4);
	for (int round = 0; round < 20; round++) {
		size_t n = 2 + rng_below(&r, COUNT(v) - 2), cut = rng_below(&r, n + 1);
		struct moments whole = {0}, a = {0}, b = {0}, rest;
		struct moments_live la, lb;

		moments_live_init(&la);
		moments_live_init(&lb);
		for (size_t i = 0; i < n; i++) {
			/* Far from zero and close together: the hard case for sums of squares. */
			v[i] = 1000000000 + rng_below(&r, 1000);
			moments_live_add(i < cut ? &la : &lb, v[i]);
		}
		whole = direct(v, n);
		moments_live_read(&la, &a);
		moments_live_read(&lb, &b);
		moments_merge(&a, &b);
		expect_moments(&a, &whole);
		cr_expect_leq(fabs(moments_stddev(&a) - sqrt(whole.m2 / (double)(n - 1))), 1e-6);

		/* whole - b is the first part again; extremes stay those of the whole. */
		moments_sub(&rest, &whole, &b);
		cr_expect_eq(rest.n, cut);
		if (cut > 1) {
			struct moments want = direct(v, cut);

			cr_expect_eq(rest.sum_ns, want.sum_ns);
			cr_expect_leq(fabs(rest.m2 - want.m2), 1e-7 * whole.m2 + 1e-6);
		}
	}
}

Test(moments, few_values)
{
	struct moments m = {0};
	struct moments_live l;

	cr_expect_eq(moments_mean(&m), 0);
	cr_expect_eq(moments_stddev(&m), 0);
	moments_live_init(&l);
	moments_live_add(&l, 50);
	moments_live_read(&l, &m);
	cr_expect(m.n == 1 && m.min_ns == 50 && m.max_ns == 50);
	cr_expect_eq(moments_stddev(&m), 0);
	moments_live_add(&l, 20);
	moments_live_add(&l, 20);
	moments_live_read(&l, &m);
	cr_expect(m.n == 3 && m.min_ns == 20 && m.max_ns == 50);
	cr_expect_eq(moments_mean(&m), 30);
	cr_expect_float_eq(moments_stddev(&m), sqrt(300), 1e-9);
}

/* fio-language 3.5 in plain words: ns below 1000, whole us below 1000, else whole ms. */
static unsigned cell_by_rule(uint64_t ns)
{
	static const unsigned end[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
	unsigned first = 0, n = 10, i = 0;
	uint64_t v = ns;

	if (ns >= MS) {
		first = LAT_CELLS_NS + LAT_CELLS_US;
		n = 11;
		v = ns / MS;
	} else if (ns >= 1000) {
		first = LAT_CELLS_NS;
		v = ns / 1000;
	}
	while (i < n && v >= end[i])
		i++;
	return first + i;
}

static void add_with_straddles(struct hist *h, uint64_t *over, uint64_t v)
{
	const struct hist_straddle *st = hist_straddle_get();
	uint32_t i = hist_index(v);

	h->n[i]++;
	if (st->id[i] && v >= st->bound_ns[st->id[i]])
		over[st->id[i]]++;
}

Test(cells, trap_18_exact_at_every_bound)
{
	static const uint64_t end[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};

	for (uint64_t unit = 1; unit <= MS; unit *= 1000) {
		for (size_t i = 0; i < COUNT(end); i++) {
			for (int d = -1; d <= 1; d++) {
				uint64_t v = end[i] * unit + (uint64_t)d;
				uint64_t over[LAT_STRADDLES_MAX] = {0}, cells[LAT_CELLS];
				struct hist h = {0};

				add_with_straddles(&h, over, v);
				hist_cells(&h, over, cells);
				for (unsigned c = 0; c < LAT_CELLS; c++)
					cr_expect_eq(cells[c], c == cell_by_rule(v),
						     "%lu ns, cell %u: %lu", v, c, cells[c]);
			}
		}
	}
}

Test(cells, random_values_match_the_rule)
{
	uint64_t over[LAT_STRADDLES_MAX] = {0}, cells[LAT_CELLS], want[LAT_CELLS] = {0}, sum = 0;
	static struct hist h;
	struct rng r;

	rng_seed(&r, 5);
	for (int i = 0; i < 500000; i++) {
		uint64_t v = random_ns(&r);

		want[cell_by_rule(v)]++;
		add_with_straddles(&h, over, v);
	}
	hist_cells(&h, over, cells);
	for (unsigned c = 0; c < LAT_CELLS; c++) {
		cr_expect_eq(cells[c], want[c], "cell %u: %lu, not %lu", c, cells[c], want[c]);
		sum += cells[c];
	}
	cr_expect_eq(sum, 500000);
}

Test(cells, a_bucket_has_one_bound_inside_at_most_and_id_0_means_none)
{
	const struct hist_straddle *st = hist_straddle_get();
	unsigned n = 0;

	cr_assert_eq(st, hist_straddle_get());
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		unsigned id = st->id[i];

		if (id == 0)
			continue;
		n++;
		cr_assert_lt(id, LAT_STRADDLES_MAX);
		cr_expect(st->bound_ns[id] > hist_low(i) && st->bound_ns[id] <= hist_high(i));
	}
	cr_expect_gt(n, 10);
	cr_expect_eq(st->bound_ns[0], 0);
}

/* Looked for from the top or from the bottom, of a difference or of all: the same bucket. */
Test(hist, percentiles_since_are_those_of_the_difference)
{
	static const double pct[] = {1, 50, 90, 99, 99.9, 99.99, 100};
	struct hist *h = calloc(3, sizeof(*h));
	struct rng r;

	rng_seed(&r, 5);
	for (int round = 0; round < 200; round++) {
		uint64_t n = 0, max = 0;
		uint32_t last = 0;

		for (uint64_t i = rng_below(&r, 300); i; i--) {
			uint64_t ns = rng_below(&r, 1ull << (1 + rng_below(&r, 41)));
			bool old = rng_below(&r, 3) == 0;

			h[old ? 0 : 2].n[hist_index(ns)]++;
			n += !old;
			max = !old && ns > max ? ns : max;
			last = hist_index(ns) > last ? hist_index(ns) : last;
		}
		h[1] = h[0];
		hist_add(&h[1], &h[2]);
		for (size_t p = 0; p < sizeof(pct) / sizeof(pct[0]); p++)
			cr_expect_eq(hist_percentile_since(&h[1], &h[0], n, last, pct[p], max),
				     hist_percentile(&h[2], pct[p], 0, max), "p%g of %zu", pct[p],
				     (size_t)n);
		memset(h, 0, 3 * sizeof(*h));
	}
	free(h);
}
