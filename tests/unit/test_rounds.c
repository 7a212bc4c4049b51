/* steady: range and slope of the newest rounds, each computed another way here. */
#include <criterion/criterion.h>
#include <math.h>

#include "src/stat/rounds.h"

static const struct rounds_rule snia = {.window = 5, .range_pct = 20, .slope_pct = 10};

static struct rounds_verdict judge(const double *y, unsigned n)
{
	struct rounds s = {0};
	struct rounds_verdict v;

	for (unsigned i = 0; i < n; i++)
		rounds_add(&s, y[i]);
	rounds_judge(&s, &snia, &v);
	return v;
}

Test(rounds, too_few_rounds_say_nothing)
{
	struct rounds_verdict v = judge((const double[]){100, 100, 100, 100}, 4);

	cr_expect_not(v.steady);
	cr_expect(isnan(v.mean) && isnan(v.range_pct) && isnan(v.slope_pct));
}

Test(rounds, equal_rounds_are_steady)
{
	struct rounds_verdict v = judge((const double[]){500, 100, 100, 100, 100, 100}, 6);

	cr_expect(v.steady);
	cr_expect_eq(v.from, 1, "the newest five");
	cr_expect_float_eq(v.mean, 100, 1e-9);
	cr_expect_float_eq(v.range_pct, 0, 1e-9);
	cr_expect_float_eq(v.slope_pct, 0, 1e-9);
}

/* y = a + b i: the line is the data, its excursion is 4 b, and so is the range. */
Test(rounds, a_straight_line_has_its_own_slope)
{
	struct rounds_verdict v = judge((const double[]){96, 98, 100, 102, 104}, 5);

	cr_expect_float_eq(v.slope_pct, 8, 1e-9);
	cr_expect_float_eq(v.range_pct, 8, 1e-9);
	cr_expect(v.steady);
	v = judge((const double[]){94, 97, 100, 103, 106}, 5);
	cr_expect_float_eq(v.slope_pct, 12, 1e-9);
	cr_expect_not(v.steady, "within the range, but it climbs");
}

/* Up and down without a trend: only the range tells. */
Test(rounds, noise_without_a_trend_is_a_matter_of_range)
{
	struct rounds_verdict v = judge((const double[]){100, 85, 115, 85, 100}, 5);

	cr_expect_float_eq(v.slope_pct, 0, 1e-9);
	cr_expect_gt(v.range_pct, 30);
	cr_expect_not(v.steady);
}

Test(rounds, a_falling_device_is_not_steady_until_it_has_fallen)
{
	static const double y[] = {900, 700, 500, 400, 350, 310, 300, 302, 298, 300, 301};
	unsigned first = 0;

	for (unsigned n = 1; n <= sizeof(y) / sizeof(y[0]) && !first; n++)
		if (judge(y, n).steady)
			first = n;
	cr_expect_eq(first, 10, "after round %u", first);
}

Test(rounds, no_io_is_not_steady)
{
	struct rounds_verdict v = judge((const double[]){0, 0, 0, 0, 0}, 5);

	cr_expect_not(v.steady);
	cr_expect(isnan(v.range_pct));
}

Test(rounds, more_rounds_than_there_is_room_for_are_dropped)
{
	struct rounds s = {0};

	for (unsigned i = 0; i < 2 * ROUNDS_MAX; i++)
		rounds_add(&s, i);
	cr_expect(rounds_is_full(&s));
	cr_expect_eq(s.n, ROUNDS_MAX);
}
