/* Rates and mixes: what is issued when. */
#include <criterion/criterion.h>

#include "src/base/clock.h"
#include "src/run/mix.h"
#include "src/run/rate.h"

Test(rate, iops_schedule_is_exact_over_long_times)
{
	static const uint64_t iops[IO_OP_NR] = {3, 0, 0}, bps[IO_OP_NR];
	struct rate r;

	rate_init(&r, iops, bps, 1000);
	cr_expect(r.any);
	cr_expect_eq(rate_due_ns(&r, IO_READ), 1000, "the first one is due at once");
	for (int i = 0; i < 3000000; i++)
		rate_issued(&r, IO_READ, 4096);
	cr_expect_eq(rate_due_ns(&r, IO_READ), 1000 + 1000000 * NSEC_PER_SEC);
	cr_expect_eq(rate_due_ns(&r, IO_WRITE), 0, "no cap on writes");
}

Test(rate, bytes_schedule_counts_bytes_not_blocks)
{
	static const uint64_t iops[IO_OP_NR], bps[IO_OP_NR] = {0, 1 << 20, 0};
	struct rate r;

	rate_init(&r, iops, bps, 0);
	rate_issued(&r, IO_WRITE, 512 << 10);
	cr_expect_eq(rate_due_ns(&r, IO_WRITE), NSEC_PER_SEC / 2);
}

Test(mix, every_hundred_holds_exactly_the_asked_reads)
{
	for (unsigned pct = 0; pct <= 100; pct += 5) {
		struct mix m;

		mix_init(&m, IO_BIT(IO_READ) | IO_BIT(IO_WRITE), (uint8_t)pct, pct);
		for (int deck = 0; deck < 50; deck++) {
			unsigned reads = 0;

			for (int i = 0; i < 100; i++)
				reads += mix_next(&m) == IO_READ;
			cr_assert_eq(reads, pct);
		}
	}
}

Test(mix, order_is_not_a_fixed_pattern)
{
	struct mix m;
	unsigned differ = 0;
	enum io_op first[100];

	mix_init(&m, IO_BIT(IO_READ) | IO_BIT(IO_WRITE), 50, 7);
	for (int i = 0; i < 100; i++)
		first[i] = mix_next(&m);
	for (int i = 0; i < 100; i++)
		differ += mix_next(&m) != first[i];
	cr_expect(differ > 25 && differ < 75, "%u of 100 differ between two decks", differ);
}

Test(mix, single_ops_and_trimwrite)
{
	struct mix m;

	mix_init(&m, IO_BIT(IO_WRITE), 50, 1);
	for (int i = 0; i < 10; i++)
		cr_expect_eq(mix_next(&m), IO_WRITE);
	mix_init(&m, IO_BIT(IO_TRIM) | IO_BIT(IO_WRITE), 50, 1);
	for (int i = 0; i < 10; i++)
		cr_expect_eq(mix_next(&m), i % 2 ? IO_WRITE : IO_TRIM);
}
