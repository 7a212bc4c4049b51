/* Patterns: what blocks a job touches, in which order, how often. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "src/run/pattern.h"

static struct pattern_cfg cfg_of(uint64_t len, uint64_t bs, bool random)
{
	return (struct pattern_cfg){.len_bytes = len,
				    .bs_bytes = {bs, bs, bs},
				    .random = random,
				    .rand_every = 1,
				    .seed = 0x89};
}

static void expect_once_each(const struct pattern_cfg *c, uint64_t n, uint64_t passes)
{
	struct pattern p;
	unsigned *seen = calloc(n, sizeof(*seen));

	pattern_init(&p, c);
	for (uint64_t pass = 1; pass <= passes; pass++) {
		for (uint64_t i = 0; i < n; i++) {
			uint64_t off = pattern_next(&p, IO_READ) - c->off_bytes;

			cr_assert_eq(off % c->bs_bytes[0], 0);
			cr_assert_lt(off / c->bs_bytes[0], n);
			seen[off / c->bs_bytes[0]]++;
		}
		for (uint64_t i = 0; i < n; i++)
			cr_assert_eq(seen[i], pass, "n=%lu block %lu seen %u times after pass %lu",
				     n, i, seen[i], pass);
	}
	free(seen);
}

Test(pattern, random_touches_each_block_once_per_pass)
{
	static const uint64_t sizes[] = {1,  2,  3,  4,   5,   7,    8,    9,
					 15, 16, 17, 100, 256, 1000, 4096, 65537};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pattern_cfg c = cfg_of(sizes[i] * 4096, 4096, true);

		c.off_bytes = 12288;
		expect_once_each(&c, sizes[i], 3);
		c.rand_every = 4;
		expect_once_each(&c, sizes[i], 3);
	}
}

Test(pattern, a_rest_shorter_than_a_block_is_never_touched)
{
	struct pattern_cfg c = cfg_of(10000, 4096, true);

	expect_once_each(&c, 2, 2);
	c.random = false;
	expect_once_each(&c, 2, 2);
}

Test(pattern, reads_and_writes_share_one_random_map)
{
	struct pattern_cfg c = cfg_of(64 * 4096, 4096, true);
	struct pattern p;
	unsigned seen[64] = {0};

	pattern_init(&p, &c);
	for (int i = 0; i < 64; i++)
		seen[pattern_next(&p, i % 3 ? IO_READ : IO_WRITE) / 4096]++;
	for (int i = 0; i < 64; i++)
		cr_expect_eq(seen[i], 1);
}

Test(pattern, paired_ops_walk_the_same_blocks)
{
	struct pattern_cfg c = cfg_of(64 * 4096, 4096, true);
	struct pattern p;

	c.paired = true;
	pattern_init(&p, &c);
	for (int i = 0; i < 200; i++)
		cr_assert_eq(pattern_next(&p, IO_TRIM), pattern_next(&p, IO_WRITE));
}

Test(pattern, sequential_reads_and_writes_have_their_own_positions)
{
	struct pattern_cfg c = cfg_of(16 * 4096, 4096, false);
	struct pattern p;

	pattern_init(&p, &c);
	cr_expect_eq(pattern_next(&p, IO_READ), 0);
	cr_expect_eq(pattern_next(&p, IO_READ), 4096);
	cr_expect_eq(pattern_next(&p, IO_WRITE), 0);
	cr_expect_eq(pattern_next(&p, IO_READ), 8192);
	cr_expect_eq(pattern_next(&p, IO_WRITE), 4096);
}

/* fio-language 1.4: read:4k reads every 2nd block, read:-8k walks backwards 0 14 13 12. */
Test(pattern, sequential_delta_forward_and_backward)
{
	static const uint64_t fwd[] = {0, 2, 4, 6, 8, 10, 12, 14, 0, 2};
	static const uint64_t back[] = {0, 14, 13, 12, 11};
	struct pattern_cfg c = cfg_of(16 * 4096, 4096, false);
	struct pattern p;

	c.seq_delta_bytes = 4096;
	pattern_init(&p, &c);
	for (unsigned i = 0; i < 10; i++)
		cr_expect_eq(pattern_next(&p, IO_READ), fwd[i] * 4096, "step %u", i);
	c.seq_delta_bytes = -8192;
	pattern_init(&p, &c);
	for (unsigned i = 0; i < 5; i++)
		cr_expect_eq(pattern_next(&p, IO_READ), back[i] * 4096, "step %u", i);
}

/* case axboe/fio#223: a backward walk stays inside its region and never stops. */
Test(pattern, case_32_backward_on_part_of_a_device)
{
	struct pattern_cfg c = cfg_of(1 << 20, 512, false);
	struct pattern p;

	c.seq_delta_bytes = -1024;
	pattern_init(&p, &c);
	for (int i = 0; i < 10000; i++)
		cr_assert_leq(pattern_next(&p, IO_READ), (1u << 20) - 512);
}

Test(pattern, norandommap_repeats_blocks_and_is_uniform)
{
	struct pattern_cfg c = cfg_of(256 * 4096, 4096, true);
	struct pattern p;
	unsigned seen[256] = {0}, distinct = 0;

	c.repeats = true;
	pattern_init(&p, &c);
	for (int i = 0; i < 256; i++)
		distinct += !seen[pattern_next(&p, IO_READ) / 4096]++;
	cr_expect(distinct > 130 && distinct < 190, "%u distinct of 256 (expected about 162)",
		  distinct);
	for (int i = 0; i < 256 * 999; i++)
		seen[pattern_next(&p, IO_READ) / 4096]++;
	for (int i = 0; i < 256; i++)
		cr_expect(seen[i] > 840 && seen[i] < 1160, "block %d: %u", i, seen[i]);
}

Test(pattern, same_seed_same_sequence_other_seed_another)
{
	struct pattern_cfg c = cfg_of(1000 * 4096, 4096, true);
	struct pattern a, b, d;
	unsigned same = 0;

	pattern_init(&a, &c);
	pattern_init(&b, &c);
	c.seed++;
	pattern_init(&d, &c);
	for (int i = 0; i < 1000; i++) {
		uint64_t x = pattern_next(&a, IO_READ);

		cr_assert_eq(x, pattern_next(&b, IO_READ));
		same += x == pattern_next(&d, IO_READ);
	}
	cr_expect_lt(same, 20);
}

/* 100 TiB of 512-byte blocks: no memory, no repeats in a long prefix (case 37). */
Test(pattern, case_37_huge_region_in_bounded_memory)
{
	struct pattern_cfg c = cfg_of(100ull << 40, 512, true);
	struct pattern p;
	uint64_t n = pattern_blocks(&c, IO_READ), quarter[4] = {0};

	pattern_init(&p, &c);
	for (int i = 0; i < 100000; i++)
		quarter[pattern_next(&p, IO_READ) / 512 / (n / 4 + 1)]++;
	for (int i = 0; i < 4; i++)
		cr_expect(quarter[i] > 24000 && quarter[i] < 26000, "quarter %d: %lu", i,
			  quarter[i]);
}

/* Successive offsets of a random pattern must not be correlated (an elevator would notice). */
Test(pattern, neighbours_in_time_are_far_apart)
{
	struct pattern_cfg c = cfg_of(1ull << 30, 4096, true);
	struct pattern p;
	double sum = 0;
	uint64_t last;

	pattern_init(&p, &c);
	last = pattern_next(&p, IO_READ);
	for (int i = 0; i < 20000; i++) {
		uint64_t at = pattern_next(&p, IO_READ);

		sum += (double)(at > last ? at - last : last - at) / (double)(1ull << 30);
		last = at;
	}
	cr_expect(sum / 20000 > 0.32 && sum / 20000 < 0.35,
		  "mean seek %.3f of the region (1/3 if random)", sum / 20000);
}

/* What the loop takes for jobs without rules is the same sequence, draw by draw, in turns too. */
Test(pattern, the_plain_way_gives_the_same_blocks)
{
	static const uint64_t sizes[] = {1, 2, 5, 16, 17, 33, 1000};

	for (unsigned i = 0; i < 4 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pattern_cfg c = cfg_of(sizes[i / 4] * 4096 + 100, 4096, i & 1);
		struct pattern a, b;

		c.repeats = i & 2;
		c.off_bytes = 8192;
		pattern_init(&a, &c);
		pattern_init(&b, &c);
		cr_assert(pattern_is_plain(&b));
		for (unsigned k = 0; k < 2500; k++) {
			uint64_t want = pattern_next(&a, IO_READ);

			cr_assert_eq(k % 7 ? pattern_next_plain(&b, IO_READ)
					   : pattern_next(&b, IO_READ),
				     want, "case %u, draw %u", i, k);
		}
	}
}

Test(pattern, rules_are_not_plain)
{
	struct pattern_cfg plain = cfg_of(1 << 20, 4096, true), c;
	struct pattern p;

#define EXPECT_RULE(...)                                                                           \
	do {                                                                                       \
		c = plain;                                                                         \
		__VA_ARGS__;                                                                       \
		pattern_init(&p, &c);                                                              \
		cr_expect(!pattern_is_plain(&p), #__VA_ARGS__);                                    \
	} while (0)
	EXPECT_RULE(c.rand_every = 4);
	EXPECT_RULE(c.seq_pct[IO_WRITE] = 30);
	EXPECT_RULE(c.align_bytes[IO_READ] = 512);
	EXPECT_RULE(c.random = false, c.seq_delta_bytes = 4096);
#undef EXPECT_RULE
}

Test(pattern, a_run_of_a_permutation_is_its_images)
{
	for (uint64_t n = 1; n < 300; n++) {
		struct permutation p;
		uint64_t run[37];

		permutation_init(&p, n, n * 7);
		for (uint64_t i = 0; i < n; i += 13) {
			unsigned count = (unsigned)(n - i < 37 ? n - i : 37);

			permutation_run(&p, i, count, run);
			for (unsigned k = 0; k < count; k++)
				cr_assert_eq(run[k], permutation_at(&p, i + k), "n %lu, %lu + %u",
					     n, i, k);
		}
	}
}
