/* heat: latency counts over time; a count is never lost, scaled or invented. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "ui/heat.h"
#include "ui/w_heat.h"

#define MS  1000000ull
#define SEC (1000 * MS)

static struct heat *h;
static struct hist lat;
static struct heat_col cols[400];

static void setup(void)
{
	h = heat_new();
}

static void teardown(void)
{
	heat_free(h);
}

TestSuite(heat, .init = setup, .fini = teardown);

static void add(uint64_t end_ns, uint64_t len_ns, uint64_t lat_ns, uint64_t n)
{
	memset(&lat, 0, sizeof(lat));
	lat.n[hist_index(lat_ns)] = n;
	heat_add(h, end_ns - len_ns, end_ns, &lat);
}

static uint64_t sum(size_t n)
{
	uint64_t s = 0;

	for (size_t i = 0; i < n; i++)
		s += cols[i].total;
	return s;
}

Test(heat, edges_are_round_and_log_spaced)
{
	static const struct {
		int bin;
		uint64_t ns;
	} v[] = {
		{0, 0},       {1, 1000},   {2, 1120},
		{7, 2000},    {21, 10000}, {41, 100000},
		{61, 1 * MS}, {121, SEC},  {HEAT_BINS - 1, 10 * SEC},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		cr_expect_eq(heat_edge_ns(v[i].bin), v[i].ns, "bin %d: %lu", v[i].bin,
			     heat_edge_ns(v[i].bin));
	for (int b = 1; b + 1 < HEAT_BINS; b++) {
		double step = (double)heat_edge_ns(b + 1) / (double)heat_edge_ns(b);

		cr_expect(step > 1.10 && step < 1.15, "bin %d: %f", b, step);
		cr_expect_eq(heat_bin(heat_edge_ns(b)), b);
		cr_expect_eq(heat_bin(heat_edge_ns(b + 1) - 1), b);
	}
	cr_expect_eq(heat_bin(0), 0);
	cr_expect_eq(heat_bin(UINT64_MAX), HEAT_BINS - 1);
}

Test(heat, each_tick_has_its_column)
{
	for (uint64_t i = 1; i <= 10; i++)
		add(SEC + i * 100 * MS, 100 * MS, 80000, i);
	heat_columns(h, SEC, 100 * MS, cols, 10);
	for (uint64_t i = 0; i < 10; i++) {
		cr_expect_eq(cols[i].total, i + 1);
		cr_expect_eq(cols[i].n[heat_bin(80000)], i + 1);
	}
}

/* Nothing is lost or counted twice, whatever the number of columns and however old the rows are. */
Test(heat, counts_add_up_over_hours)
{
	struct rng r;
	uint64_t t = 1000 * SEC, total = 0, slow = 0;

	rng_seed(&r, 3);
	for (int i = 0; i < 60000; i++) {
		uint64_t n = rng_below(&r, 1000);
		bool one = rng_below(&r, 500) == 0;

		t += 100 * MS;
		add(t, 100 * MS, one ? 3 * SEC : 90000, one ? 1 : n);
		total += one ? 1 : n;
		slow += one;
	}
	for (size_t n = 1; n <= 200; n += 17) {
		uint64_t seen = 0;

		heat_columns(h, 1000 * SEC, (double)(t - 1000 * SEC) / (double)n, cols, n);
		cr_expect_eq(sum(n), total, "%zu columns: %lu of %lu", n, sum(n), total);
		for (size_t i = 0; i < n; i++)
			seen += cols[i].n[heat_bin(3 * SEC)];
		cr_expect_eq(seen, slow, "%zu columns: a slow I/O vanished", n);
	}
}

/* A window with columns narrower than a tick has no holes. */
Test(heat, narrow_columns_are_filled)
{
	for (uint64_t i = 1; i <= 150; i++)
		add(SEC + i * 100 * MS, 100 * MS, 80000, 5);
	heat_columns(h, SEC, 75.0 * MS, cols, 200);
	for (size_t i = 0; i < 200; i++)
		cr_expect_gt(cols[i].total, 0, "column %zu is empty", i);
}

Test(heat, a_gap_stays_empty)
{
	add(SEC, 100 * MS, 80000, 1);
	add(3 * SEC, 100 * MS, 80000, 1);
	heat_columns(h, 900 * MS, 100.0 * MS, cols, 21);
	for (size_t i = 1; i < 20; i++)
		cr_expect_eq(cols[i].total, 0);
	cr_expect(cols[0].total == 1 && cols[20].total == 1);
	heat_clear(h);
	heat_columns(h, 900 * MS, 100.0 * MS, cols, 21);
	cr_expect_eq(sum(21), 0);
}

/* Whatever is measured: rows fit, begin at 0, rise, and hold every bin. */
/* Bounds, never better than what was measured. */
Test(heat, a_column_is_read_out_by_upper_bounds)
{
	static struct heat_col col;

	col.n[heat_bin(100000)] = 90;
	col.n[heat_bin(5000000)] = 9;
	col.n[HEAT_BINS - 1] = 1;
	col.total = 100;
	cr_expect_gt(heat_below_ns(&col, 50), 100000);
	cr_expect_leq(heat_below_ns(&col, 90), 112202);
	cr_expect_gt(heat_below_ns(&col, 99), 5000000);
	cr_expect_eq(heat_below_ns(&col, 100), UINT64_MAX);
}

Test(heat, rows_hold_every_bin_and_fit)
{
	struct rng r;

	rng_seed(&r, 9);
	for (int round = 0; round < 3000; round++) {
		uint64_t n[HEAT_BINS] = {0};
		int edge[HEAT_ROWS_MAX + 1], rows = 2 + (int)rng_below(&r, 30), got;

		for (int k = (int)rng_below(&r, 12); k >= 0; k--)
			n[rng_below(&r, HEAT_BINS)] += 1 + rng_below(&r, 1 << rng_below(&r, 20));
		got = heat_rows(n, rows, edge);
		cr_assert(got >= 2 && got <= rows, "%d rows of %d", got, rows);
		cr_assert_eq(edge[0], 0);
		cr_assert_eq(edge[got], HEAT_BINS);
		for (int i = 0; i < got; i++)
			cr_assert_lt(edge[i], edge[i + 1], "round %d, %d rows: %d", round, rows, i);
	}
}

/* Where most I/Os are the rows are fine, although single ones are a hundred times slower. */
Test(heat, rows_are_fine_where_the_ios_are)
{
	uint64_t n[HEAT_BINS] = {0};
	int edge[HEAT_ROWS_MAX + 1], got, within = 0;

	n[heat_bin(85000)] = 30000;
	n[heat_bin(100000)] = 60000;
	n[heat_bin(150000)] = 9500;
	n[heat_bin(9 * MS)] = 3;
	got = heat_rows(n, 9, edge);
	for (int i = 0; i < got; i++)
		within += heat_edge_ns(edge[i]) >= 70000 && heat_edge_ns(edge[i]) <= 160000;
	cr_expect_geq(within, 4);
	cr_expect_leq(heat_edge_ns(edge[got - 1]), 9 * MS);
}

Test(heat, whatever_is_not_nothing_has_a_shade)
{
	cr_expect_eq(heat_shade(0, 1000), -1);
	cr_expect_eq(heat_shade(1, UINT64_MAX / 2), 0);
	cr_expect_eq(heat_shade(1000, 1000), 6);
	for (uint64_t i = 1; i < 1000; i++)
		cr_expect_leq(heat_shade(i, 1000), heat_shade(i + 1, 1000));
}
