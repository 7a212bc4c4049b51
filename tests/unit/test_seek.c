/* run/seek: the largest depth that keeps a latency target. */
#include <criterion/criterion.h>

#include "src/run/seek.h"

/* Depths up to `best` hold. The depth the search ends at; *windows: how many it took. 0: lost. */
static uint32_t search(uint32_t limit, uint32_t best, bool twice, unsigned *windows)
{
	struct seek s;

	seek_init(&s, limit, false, twice);
	for (*windows = 1; *windows < 1000; ++*windows) {
		bool held = s.depth <= best;
		enum seek_next next = held ? seek_held(&s) : seek_failed(&s);

		cr_assert(s.depth >= 1 && s.depth <= limit);
		if (next == SEEK_DONE)
			return s.depth;
		if (next == SEEK_LOST)
			return 0;
	}
	cr_assert_fail("no end: limit %u, best %u", limit, best);
	return 0;
}

Test(seek, finds_the_largest_depth_that_holds)
{
	static const uint32_t limits[] = {1, 2, 3, 7, 8, 32, 33, 100, 256, 1000};

	for (unsigned l = 0; l < sizeof(limits) / sizeof(limits[0]); l++)
		for (uint32_t best = 0; best <= limits[l] + 1; best++)
			for (unsigned twice = 0; twice < 2; twice++) {
				uint32_t want = best < limits[l] ? best : limits[l];
				unsigned n;

				cr_expect_eq(search(limits[l], best, twice, &n), want,
					     "limit %u, best %u", limits[l], best);
				/* Doubling, halving, one that settles it, the last one. */
				cr_expect_leq(n, twice ? 32u : 22u, "%u windows", n);
			}
}

Test(seek, doubles_then_halves)
{
	static const uint32_t want[] = {1, 2, 4, 8, 16, 32, 24, 20, 18, 17};
	struct seek s;

	seek_init(&s, 32, false, false);
	for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		cr_expect_eq(s.depth, want[i], "step %u: %u", i, s.depth);
		if (s.depth <= 17)
			seek_held(&s);
		else
			cr_expect_eq(seek_failed(&s), SEEK_DOWN);
	}
	cr_expect(s.last, "17 held and 18 did not: one more window");
	cr_expect_eq(seek_held(&s), SEEK_DONE);
}

Test(seek, one_bad_window_is_not_enough)
{
	struct seek s;

	seek_init(&s, 8, false, true);
	cr_expect_eq(seek_failed(&s), SEEK_RETRY);
	cr_expect_eq(seek_held(&s), SEEK_UP);
	cr_expect_eq(s.depth, 2);
	cr_expect_eq(seek_failed(&s), SEEK_RETRY);
	cr_expect_eq(s.depth, 2);
	cr_expect_eq(seek_failed(&s), SEEK_DOWN);
	cr_expect_eq(s.depth, 1);
	cr_expect_eq(seek_held(&s), SEEK_LAST);
	cr_expect_eq(seek_failed(&s), SEEK_RETRY);
	cr_expect(s.last, "the last window is repeated");
	cr_expect_eq(seek_held(&s), SEEK_DONE);
}

Test(seek, a_last_window_that_fails_goes_on_downwards)
{
	struct seek s;

	seek_init(&s, 4, false, false);
	cr_expect_eq(seek_held(&s), SEEK_UP);
	cr_expect_eq(seek_held(&s), SEEK_UP);
	cr_expect_eq(seek_held(&s), SEEK_LAST);
	cr_expect_eq(seek_failed(&s), SEEK_DOWN);
	cr_expect_not(s.last);
	cr_expect_eq(s.depth, 3);
	cr_expect_eq(seek_held(&s), SEEK_LAST);
	cr_expect_eq(seek_held(&s), SEEK_DONE);
	cr_expect_eq(s.depth, 3);
}

/* latency_run: what was too much once is tried again, and the search follows a change. */
Test(seek, forever_follows_what_holds)
{
	struct seek s;
	uint32_t best = 10, low = UINT32_MAX, high = 0;

	seek_init(&s, 64, true, true);
	for (unsigned i = 0; i < 400; i++) {
		enum seek_next next = s.depth <= best ? seek_held(&s) : seek_failed(&s);

		cr_assert(next != SEEK_DONE && next != SEEK_LAST && next != SEEK_LOST);
		best = i < 200 ? 10 : 30;
		if (i > 100 && i < 200) {
			low = s.depth < low ? s.depth : low;
			high = s.depth > high ? s.depth : high;
		}
	}
	cr_expect(low >= 9 && high <= 12, "%u to %u around 10", low, high);
	cr_expect(s.depth >= 28 && s.depth <= 33, "%u: 30 has become possible", s.depth);
}

Test(seek, a_new_limit_is_kept)
{
	struct seek s;

	seek_init(&s, 64, false, false);
	for (unsigned i = 0; i < 5; i++)
		seek_held(&s);
	cr_expect_eq(s.depth, 32);
	seek_limit(&s, 8);
	cr_expect_eq(s.depth, 8);
	cr_expect_eq(seek_held(&s), SEEK_LAST);
	seek_limit(&s, 16);
	cr_expect_eq(seek_held(&s), SEEK_UP);
	cr_expect_eq(s.depth, 16);
	seek_limit(&s, 1);
	cr_expect_eq(seek_held(&s), SEEK_LAST);
	cr_expect_eq(seek_held(&s), SEEK_DONE);
}
