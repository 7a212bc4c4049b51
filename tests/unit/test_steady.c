/* steady: range and slope of the newest rounds, each computed another way here. */
#include <criterion/criterion.h>
#include <math.h>

#include "src/stat/steady.h"

static const struct steady_rule snia = {.window = 5, .range_pct = 20, .slope_pct = 10};

static struct steady_verdict judge(const double *y, unsigned n)
{
	struct steady s = {0};
	struct steady_verdict v;

	for (unsigned i = 0; i < n; i++)
		steady_add(&s, y[i]);
	steady_judge(&s, &snia, &v);
	return v;
}

Test(steady, too_few_rounds_say_nothing)
{
	struct steady_verdict v = judge((const double[]){100, 100, 100, 100}, 4);

	cr_expect_not(v.steady);
	cr_expect(isnan(v.mean) && isnan(v.range_pct) && isnan(v.slope_pct));
}

Test(steady, equal_rounds_are_steady)
{
	struct steady_verdict v = judge((const double[]){500, 100, 100, 100, 100, 100}, 6);

	cr_expect(v.steady);
	cr_expect_eq(v.from, 1, "the newest five");
	cr_expect_float_eq(v.mean, 100, 1e-9);
	cr_expect_float_eq(v.range_pct, 0, 1e-9);
	cr_expect_float_eq(v.slope_pct, 0, 1e-9);
}

/* y = a + b i: the line is the data, its excursion is 4 b, and so is the range. */
Test(steady, a_straight_line_has_its_own_slope)
{
	struct steady_verdict v = judge((const double[]){96, 98, 100, 102, 104}, 5);

	cr_expect_float_eq(v.slope_pct, 8, 1e-9);
	cr_expect_float_eq(v.range_pct, 8, 1e-9);
	cr_expect(v.steady);
	v = judge((const double[]){94, 97, 100, 103, 106}, 5);
	cr_expect_float_eq(v.slope_pct, 12, 1e-9);
	cr_expect_not(v.steady, "within the range, but it climbs");
}

/* Up and down without a trend: only the range tells. */
Test(steady, noise_without_a_trend_is_a_matter_of_range)
{
	struct steady_verdict v = judge((const double[]){100, 85, 115, 85, 100}, 5);

	cr_expect_float_eq(v.slope_pct, 0, 1e-9);
	cr_expect_gt(v.range_pct, 30);
	cr_expect_not(v.steady);
}

Test(steady, a_falling_device_is_not_steady_until_it_has_fallen)
{
	static const double y[] = {900, 700, 500, 400, 350, 310, 300, 302, 298, 300, 301};
	unsigned first = 0;

	for (unsigned n = 1; n <= sizeof(y) / sizeof(y[0]) && !first; n++)
		if (judge(y, n).steady)
			first = n;
	cr_expect_eq(first, 10, "after round %u", first);
}

Test(steady, no_io_is_not_steady)
{
	struct steady_verdict v = judge((const double[]){0, 0, 0, 0, 0}, 5);

	cr_expect_not(v.steady);
	cr_expect(isnan(v.range_pct));
}

Test(steady, more_rounds_than_there_is_room_for_are_dropped)
{
	struct steady s = {0};

	for (unsigned i = 0; i < 2 * STEADY_ROUNDS_MAX; i++)
		steady_add(&s, i);
	cr_expect(steady_is_full(&s));
	cr_expect_eq(s.n, STEADY_ROUNDS_MAX);
}
