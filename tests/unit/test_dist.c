/* Offset distributions against the probabilities they promise, and lengths that are drawn. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/xalloc.h"
#include "src/run/blocks.h"
#include "src/run/dist.h"
#include "src/run/pattern.h"

#define DRAWS 200000u

/* How often each of n blocks is drawn; owned by the caller. */
static uint32_t *draw(const char *text, uint64_t n, uint64_t block_bytes)
{
	struct distribution def;
	struct err e = {0};
	struct dist d;
	struct rng rng;
	uint32_t *count = xcalloc(n, sizeof(*count));

	cr_assert_eq(distribution_parse(text, 1024, &def, &e), 0, "%s: %s", text, e.msg);
	dist_init(&d, &def, 0, n, block_bytes, 7);
	rng_seed(&rng, 11);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t b = dist_next(&d, &rng);

		cr_assert_lt(b, n, "%s: block %lu of %lu", text, b, n);
		count[b]++;
	}
	return count;
}

static int falling(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x < y) - (x > y);
}

static double share(const uint32_t *count, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	for (uint64_t i = from; i < to; i++)
		sum += count[i];
	return (double)sum / DRAWS;
}

Test(dist, zipf_is_one_over_rank_to_the_theta)
{
	static const double thetas[] = {0.5, 1.1, 2.0};

	for (unsigned t = 0; t < 3; t++) {
		char text[32];
		double norm = 0;
		uint32_t *count;

		snprintf(text, sizeof(text), "zipf:%g:0", thetas[t]);
		count = draw(text, 1000, 4096);
		for (unsigned k = 1; k <= 1000; k++)
			norm += pow(k, -thetas[t]);
		for (unsigned k = 1; k <= 4; k++) {
			double want = pow(k, -thetas[t]) / norm, got = share(count, k - 1, k);

			cr_expect_float_eq(got, want, 5 * sqrt(want / DRAWS),
					   "%s rank %u: %.5f, not %.5f", text, k, got, want);
		}
		free(count);
	}
}

Test(dist, zipf_without_a_center_is_scattered_but_as_skewed)
{
	uint32_t *packed = draw("zipf:1.2:0", 4096, 4096), *spread = draw("zipf:1.2", 4096, 4096);

	cr_expect_lt(share(spread, 0, 41), 0.5, "the hot blocks lie at the start");
	qsort(spread, 4096, sizeof(*spread), falling);
	qsort(packed, 4096, sizeof(*packed), falling);
	cr_expect_float_eq(share(spread, 0, 41), share(packed, 0, 41), 0.01);
	free(packed);
	free(spread);
}

/* pareto:h puts 1-h of the I/Os on h of the blocks. */
Test(dist, pareto_keeps_its_rule)
{
	static const double h[] = {0.1, 0.2, 0.3};

	for (unsigned i = 0; i < 3; i++) {
		char text[32];
		uint32_t *count;

		snprintf(text, sizeof(text), "pareto:%g:0", h[i]);
		count = draw(text, 1000, 4096);
		cr_expect_float_eq(share(count, 0, (uint64_t)(1000 * h[i])), 1 - h[i], 0.01, "%s",
				   text);
		free(count);
	}
}

Test(dist, normal_lies_around_the_middle)
{
	uint32_t *count = draw("normal:10", 1000, 4096);

	cr_expect_float_eq(share(count, 400, 600), 0.6827, 0.01, "one deviation");
	cr_expect_float_eq(share(count, 300, 700), 0.9545, 0.01, "two deviations");
	cr_expect_float_eq(share(count, 0, 500), 0.5, 0.01);
	free(count);
}

Test(dist, zones_get_their_share)
{
	uint32_t *count = draw("zoned:60/10:30/20:10/70", 1000, 4096);

	cr_expect_float_eq(share(count, 0, 100), 0.6, 0.01);
	cr_expect_float_eq(share(count, 100, 300), 0.3, 0.01);
	cr_expect_float_eq(share(count, 300, 1000), 0.1, 0.01);
	free(count);
	count = draw("zoned_abs:70/400k:30/1m", 1000, 4096);
	cr_expect_float_eq(share(count, 0, 100), 0.7, 0.01);
	cr_expect_float_eq(share(count, 100, 356), 0.3, 0.01);
	free(count);
}

/* -- lengths ---------------------------------------------------------------------------------- */

static void make_blocks(struct blocks *b, const char *row, const char *text, const char *rw)
{
	struct job_spec job;
	struct err e = {0};

	job_spec_init(&job);
	cr_assert_eq(option_set(option_find(job_options, row), &job, text, 1024, &e), 0, "%s",
		     e.msg);
	cr_assert_eq(option_set(option_find(job_options, "rw"), &job, rw, 1024, &e), 0);
	cr_assert(blocks_init(b, &job), "%s=%s", row, text);
	job_spec_fini(&job);
}

/* Every byte of the region exactly once in a pass, in two passes of different order. */
Test(dist, several_lengths_cover_every_byte_once_in_a_pass)
{
	static const struct {
		const char *row, *text;
		uint64_t len;
	} v[] = {
		{"bsrange", "4k-16k", 1 << 20},       {"bsrange", "4k-16k", (1 << 20) + 4096},
		{"bssplit", "4k/50:64k/50", 4 << 20}, {"bssplit", "4k/10:64k/50:32k/40", 10 << 20},
		{"bssplit", "6k/50:4k/50", 1 << 20},  {"bsrange", "512-1m", 3 << 20},
		{"bsrange", "4k-16k", 8192},
	};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct blocks b;
		struct pattern p;
		uint64_t cells = v[i].len / 512, first_sum = 0, second_sum = 0;
		uint8_t *hit = xcalloc(cells, 1);
		uint64_t unit, whole;

		make_blocks(&b, v[i].row, v[i].text, "randread");
		unit = b.op[IO_READ].unit;
		whole = v[i].len / unit * unit;
		pattern_init(&p, &(struct pattern_cfg){.len_bytes = v[i].len,
						       .random = true,
						       .blocks = &b,
						       .ops = IO_BIT(IO_READ),
						       .seed = 5});
		for (unsigned pass = 1; pass <= 2; pass++) {
			uint64_t done = 0, n = 0;

			while (done < whole) {
				uint64_t len, at = pattern_next_len(&p, IO_READ, &len);

				cr_assert(len > 0 && len <= b.op[IO_READ].hi && len % unit == 0);
				cr_assert_leq(at + len, whole);
				for (uint64_t c = at / 512; c < (at + len) / 512; c++)
					cr_assert_eq(hit[c]++, pass - 1, "%s=%s: byte %lu again",
						     v[i].row, v[i].text, c * 512);
				*(pass == 1 ? &first_sum : &second_sum) += at * ++n;
				done += len;
			}
			cr_assert_eq(done, whole);
		}
		if (whole > 1 << 20)
			cr_expect_neq(first_sum, second_sum, "both passes have one order");
		free(hit);
	}
}

Test(dist, bssplit_shares_are_kept)
{
	struct blocks b;
	struct rng rng;
	unsigned n[3] = {0};

	make_blocks(&b, "bssplit", "4k/10:64k/50:32k/40", "randread");
	cr_expect_float_eq(b.op[0].mean, 4096 * .1 + 65536 * .5 + 32768 * .4, 1);
	rng_seed(&rng, 1);
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t len = block_len_draw(&b.op[0], &rng);

		n[len == 4096 ? 0 : len == 65536 ? 1 : 2]++;
	}
	cr_expect_float_eq((double)n[0] / DRAWS, 0.1, 0.005);
	cr_expect_float_eq((double)n[1] / DRAWS, 0.5, 0.005);
	cr_expect_float_eq((double)n[2] / DRAWS, 0.4, 0.005);
}

Test(dist, percentage_random_and_blockalign)
{
	struct pattern_cfg c = {.len_bytes = 64 << 20,
				.random = true,
				.bs_bytes = {4096, 4096, 4096},
				.seq_pct = {70, 70, 70},
				.seed = 9};
	struct pattern p;
	uint64_t last = 0;
	unsigned followed = 0;

	pattern_init(&p, &c);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t at = pattern_next(&p, IO_READ);

		followed += at == last;
		last = at + 4096;
	}
	cr_expect(followed > 13500 && followed < 14500, "%u of 20000 follow", followed);
	c = (struct pattern_cfg){.len_bytes = 1 << 20,
				 .random = true,
				 .bs_bytes = {4096, 4096, 4096},
				 .align_bytes = {1024, 1024, 1024},
				 .seed = 9};
	pattern_init(&p, &c);
	followed = 0;
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t at = pattern_next(&p, IO_READ);

		cr_assert_eq(at % 1024, 0);
		cr_assert_leq(at + 4096, 1 << 20);
		followed += at % 4096 == 0;
	}
	cr_expect(followed > 4500 && followed < 5500, "%u of 20000 on a block", followed);
}
