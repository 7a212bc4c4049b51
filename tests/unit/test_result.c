/* result: the numbers of a report, from what was counted (fio-language 3.4 to 3.6, arithmetic R1 to R12). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/stat/result.h"

#define MAX_JOBS 4

static struct job_result jobs[MAX_JOBS];
static struct group_dir groups[2][GROUP_DIRS];

static struct run_result make(size_t n_jobs, size_t n_groups)
{
	static const struct job_spec spec;

	for (size_t i = 0; i < n_jobs; i++)
		jobs[i].spec = &spec;
	return (struct run_result){.jobs = jobs,
				   .n_jobs = n_jobs,
				   .groups = groups,
				   .n_groups = n_groups,
				   .end_wall_ms = 1700000000123};
}

static void set_dir(struct dir_result *d, uint64_t ops, uint64_t bytes, uint64_t ms)
{
	d->st.ops = ops;
	d->st.bytes = bytes;
	d->runtime_ms = ms;
}

Test(samples, welford_equals_direct)
{
	static const uint64_t v[] = {197384, 206320, 213488, 1, 0, 99};
	struct samples s = {0};
	double mean = 0, m2 = 0;

	cr_expect_eq(samples_stddev(&s), 0);
	for (size_t i = 0; i < 6; i++) {
		samples_add(&s, v[i]);
		mean += (double)v[i] / 6;
	}
	for (size_t i = 0; i < 6; i++)
		m2 += ((double)v[i] - mean) * ((double)v[i] - mean);
	cr_expect(s.n == 6 && s.min == 0 && s.max == 213488);
	cr_expect_float_eq(s.mean, mean, 1e-6);
	cr_expect_float_eq(samples_stddev(&s), sqrt(m2 / 5), 1e-6);
}

/* Case 95: the sampled mean of a group is that of the group, not of one clone. */
Test(samples, case_95_and_trap_22_clones_are_added)
{
	struct samples sum = {0}, one = {0};

	samples_add(&one, 990);
	samples_add(&one, 1010);
	for (int i = 0; i < 4; i++)
		samples_sum(&sum, &one);
	cr_expect(sum.n == 8 && sum.min == 3960 && sum.max == 4040);
	cr_expect_float_eq(sum.mean, 4000, 1e-9);
	cr_expect_float_eq(samples_stddev(&sum), sqrt(4 * 200.0 / 7), 1e-9);
}

/* The fixture of fio-language 3.11: one real run of fio 3.33. */
Test(result, golden_numbers_of_a_real_run)
{
	struct run_result r = make(1, 1);
	struct dir_result *rd = &jobs[0].dir[IO_READ], *wr = &jobs[0].dir[IO_WRITE];

	set_dir(rd, 103505, 423956480, 2001);
	set_dir(wr, 44181, 180965376, 2001);
	rd->bw_kib = (struct samples){.n = 3, .min = 197384, .max = 213488, .mean = 206320.0};
	wr->bw_kib = (struct samples){.n = 3, .min = 84480, .max = 91680, .mean = 87957.333333};
	result_derive(&r);
	cr_expect_float_eq(rd->iops, 51726.636682, 1e-6);
	cr_expect_eq(rd->bw_bytes, 211872303);
	cr_expect_float_eq(rd->bw_agg_pct, 99.716517, 1e-6);
	cr_expect_float_eq(wr->bw_agg_pct, 99.591429, 1e-6);
	cr_expect_eq(groups[0][IO_READ].agg_bytes_s, rd->bw_bytes);
	cr_expect(groups[0][IO_READ].min_ms == 2001 && groups[0][IO_READ].max_ms == 2001);
	cr_expect_not(groups[0][IO_TRIM].used);
	cr_expect_eq(jobs[0].end_wall_ms, r.end_wall_ms);
}

/* R1 R2 R4 for random counts. */
Test(result, rates_times_time_give_back_the_counts)
{
	struct run_result r = make(1, 1);
	struct dir_result *d = &jobs[0].dir[IO_READ];
	struct rng g;

	rng_seed(&g, 1);
	for (int i = 0; i < 10000; i++) {
		uint64_t ops = rng_below(&g, 1ull << 40) + 1, ms = rng_below(&g, 1u << 30) + 1;

		set_dir(d, ops, ops * 4096, ms);
		result_derive(&r);
		cr_expect_leq(fabs(d->iops * (double)ms / 1000 / (double)ops - 1), 1e-12);
		cr_expect_leq((double)d->bw_bytes, d->iops * 4096 * (1 + 1e-12));
		cr_expect_gt((double)d->bw_bytes + 1, d->iops * 4096 * (1 - 1e-12));
	}
}

Test(result, huge_byte_counts_do_not_wrap)
{
	struct run_result r = make(1, 1);

	set_dir(&jobs[0].dir[IO_READ], 1, 1ull << 60, 1000); /* 1000 * 2^60 is above 2^64 */
	result_derive(&r);
	cr_expect_eq(jobs[0].dir[IO_READ].bw_bytes, 1ull << 60);
}

/* R11: bytes over the longest time; two jobs at 1000 B/s, one twice as long, are not 2000 B/s. */
Test(result, group_rate_is_all_bytes_over_the_longest_time)
{
	struct run_result r = make(3, 2);
	struct group_dir *g = &groups[0][IO_READ];

	set_dir(&jobs[0].dir[IO_READ], 1, 2000, 2000);
	set_dir(&jobs[1].dir[IO_READ], 1, 4000, 4000);
	jobs[2].group = 1;
	set_dir(&jobs[2].dir[IO_READ], 9, 9000, 1000);
	set_dir(&jobs[2].dir[IO_WRITE], 1, 512, 1000);
	memset(groups, 0xff, sizeof(groups)); /* whatever stood there before */
	result_derive(&r);
	cr_expect(g->used && g->bytes == 6000 && g->agg_bytes_s == 1500);
	cr_expect(g->min_bytes_s == 1000 && g->max_bytes_s == 1000);
	cr_expect(g->min_ms == 2000 && g->max_ms == 4000);
	cr_expect_not(groups[0][IO_WRITE].used);
	cr_expect(groups[1][IO_READ].agg_bytes_s == 9000 && groups[1][IO_WRITE].bytes == 512);
}

/* R12, and case 101: a job alone in its group has 100 %; equal jobs share it. */
Test(result, case_101_and_trap_20_per_is_the_share_of_the_group_and_never_above_100)
{
	struct run_result r = make(4, 1);

	for (int i = 0; i < 4; i++) {
		set_dir(&jobs[i].dir[IO_WRITE], 1000, 1024000, 1000);
		jobs[i].dir[IO_WRITE].bw_kib = (struct samples){.n = 2, .mean = 1000.9};
	}
	result_derive(&r);
	for (int i = 0; i < 4; i++)
		cr_expect_float_eq(jobs[i].dir[IO_WRITE].bw_agg_pct, 25.0, 1e-9);
	r.n_jobs = 1;
	jobs[0].dir[IO_WRITE].bw_kib.mean = 1100;
	result_derive(&r);
	cr_expect_eq(jobs[0].dir[IO_WRITE].bw_agg_pct, 100);
	jobs[0].dir[IO_WRITE].bw_kib.n = 0;
	result_derive(&r);
	cr_expect_eq(jobs[0].dir[IO_WRITE].bw_agg_pct, 0);
}

Test(result, trap_33_cpu_is_the_average_clone)
{
	struct run_result r = make(1, 1);

	jobs[0].clones = 4;
	jobs[0].runtime_ms = 4 * 2000;
	jobs[0].usr_us = 4 * 500000;
	jobs[0].sys_us = 4 * 1000000;
	result_derive(&r);
	cr_expect_float_eq(jobs[0].usr_pct, 25, 1e-9);
	cr_expect_float_eq(jobs[0].sys_pct, 50, 1e-9);
}

/* R8: the cells are of reads, writes and trims together, and miss none. */
Test(result, cells_count_every_op_once)
{
	static struct op_live live;
	struct run_result r = make(1, 1);
	uint64_t sum = 0;

	for (int op = 0; op < IO_OP_NR; op++) {
		op_live_init(&live);
		for (uint64_t i = 0; i < 1000; i++) {
			struct op_sample s = {.clat_ns = 1 + i * i * i * 7, .bytes = 512};

			op_live_add(&live, hist_straddle_get(), &s);
		}
		op_live_read(&live, &jobs[0].dir[op].st);
		jobs[0].dir[op].runtime_ms = 1000;
	}
	result_derive(&r);
	for (int c = 0; c < LAT_CELLS; c++)
		sum += jobs[0].cells[c];
	cr_expect_eq(sum, 3000);
	cr_expect_eq(jobs[0].cells[0], 3); /* clat 1: [0, 2) ns */
	result_derive(&r);
	cr_expect_eq(jobs[0].cells[0], 3, "a second call adds nothing");
}

/* Case 50: nothing done, nothing divided by zero; fio-language: below 1 ms counts as 1 ms. */
Test(result, case_50_empty_and_instant_runs)
{
	struct run_result r = make(1, 1);
	const struct dir_result *d = &jobs[0].dir[IO_READ];

	result_derive(&r);
	cr_expect(d->iops == 0 && d->bw_bytes == 0 && d->bw_agg_pct == 0 && jobs[0].usr_pct == 0);
	cr_expect_not(groups[0][IO_READ].used);
	set_dir(&jobs[0].dir[IO_READ], 1, 4096, 0);
	result_derive(&r);
	cr_expect(d->iops == 1000 && d->bw_bytes == 4096000 && d->runtime_ms == 1);
	r = make(0, 0);
	result_derive(&r);
}

Test(result, trap_29_failed_clones_are_counted)
{
	struct run_result r = make(3, 1);

	cr_expect_eq(result_failed(&r), 0);
	jobs[1].error = 5;
	cr_expect_eq(result_failed(&r), 1);
	jobs[2].error = 28;
	jobs[2].failed = 3;
	cr_expect_eq(result_failed(&r), 4);
}
