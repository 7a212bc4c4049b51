/* Pauses, rates, delays and stages: what the clock shows of them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/run/rate.h"
#include "tests/unit/run_rig.h"

TestSuite(run_time, .init = run_rig_setup, .fini = run_rig_cleanup);

Test(run_time, thinktime_pauses_after_so_many_ios)
{
	expect_ms("--name=t --ioengine=null --size=40k --thinktime=20ms", 180, 500);
	expect_ms("--name=t --ioengine=null --size=80k --thinktime=50ms --thinktime_blocks=5", 150,
		  450);
	expect_ms("--name=t --ioengine=null --size=40k --thinktime=20000 --thinktime_spin=20000 "
		  "--thinktime_blocks_type=issue",
		  180, 500);
	expect_ms("--name=t --ioengine=null --size=1g --time_based --thinktime=100ms "
		  "--thinktime_iotime=50ms --thinktime_blocks=1000000000 --runtime=400ms",
		  390, 800);
}

Test(run_time, trap_31_a_pause_does_not_outlive_the_runtime)
{
	expect_ms("--name=t --ioengine=null --size=1m --thinktime=5s --runtime=300ms", 290, 800);
	expect_ms("--name=t --ioengine=null --size=1m --rate_iops=1 --runtime=300ms", 290, 800);
}

/* case axboe/fio#556: thinktime with a rate must stay under the rate; without catching up if asked. */
Test(run_time, case_43_thinktime_with_a_rate)
{
	expect_reads("--name=t --ioengine=null --size=1g --rate=1m --thinktime=100ms "
		     "--thinktime_blocks=8 --bs=4k --time_based --runtime=1",
		     40, 88);
	expect_reads("--name=t --ioengine=null --size=1g --rate_iops=100 --thinktime=200ms "
		     "--thinktime_blocks=20 --time_based --runtime=1 --rate_ignore_thinktime=1",
		     35, 65);
	expect_reads("--name=t --ioengine=null --size=1g --rate_iops=100 --thinktime=200ms "
		     "--thinktime_blocks=20 --time_based --runtime=1",
		     75, 101);
}

/* case axboe/fio PR#1549: no burst right after the ramp. */
Test(run_time, case_44_no_burst_after_the_ramp)
{
	expect_reads("--name=t --ioengine=null --size=1g --time_based --ramp_time=400ms "
		     "--runtime=500ms --thinktime=50ms --thinktime_blocks=10",
		     60, 110);
}

/* case axboe/fio#333: Poisson arrivals must not double the rate. */
Test(run_time, case_41_poisson_keeps_the_rate)
{
	expect_reads("--name=t --ioengine=null --rw=randread --size=1g --rate_iops=1000 "
		     "--rate_process=poisson --time_based --runtime=1",
		     850, 1130);
}

Test(run_time, poisson_gaps_are_exponential)
{
	uint64_t iops[IO_OP_NR] = {1000}, bps[IO_OP_NR] = {0}, last = 0, due;
	unsigned longer = 0, n = 20000;
	struct rate r;

	rate_init(&r, iops, bps, 1);
	rate_make_poisson(&r, 3);
	for (unsigned i = 0; i < n; i++) {
		rate_issued(&r, IO_READ, 4096);
		due = rate_due_ns(&r, IO_READ);
		longer += due - last > NSEC_PER_MSEC;
		last = due;
	}
	cr_expect(last > 19.5 * 1e9 && last < 20.5 * 1e9, "%lu ns for 20000", last);
	cr_expect(longer > 7150 && longer < 7570, "%u of 20000 gaps above the mean, not 1/e",
		  longer);
}

Test(run_time, rate_min_fails_a_slow_job)
{
	struct run_help h;

	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=null --size=1g --rate_iops=50 --time_based "
			      "--runtime=6 --rate_iops_min=100 --rate_cycle=200",
			      ""),
		     0);
	cr_expect_eq(h.r->jobs[0].error, EIO);
	cr_expect(strstr(h.r->jobs[0].error_text, "rate_iops_min=100"), "%s",
		  h.r->jobs[0].error_text);
	cr_expect(h.r->jobs[0].runtime_ms >= 2000 && h.r->jobs[0].runtime_ms < 5900, "%lu ms",
		  h.r->jobs[0].runtime_ms);
	run_help_fini(&h);
}

Test(run_time, max_latency_fails_a_job)
{
	struct run_help h;

	run_ok(&h, "--name=t --filename=%s --size=64k --max_latency=10s");
	run_help_fini(&h);
	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=io_uring --filename=%s --size=4m --iodepth=64 "
			      "--bs=64k --max_latency=1us",
			      run_path),
		     0);
	cr_expect_eq(h.r->jobs[0].error, ETIMEDOUT);
	cr_expect(strstr(h.r->jobs[0].error_text, "max_latency"), "%s", h.r->jobs[0].error_text);
	run_help_fini(&h);
}

#define TRIES 8u

static int rising(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t median(uint64_t *v, unsigned n)
{
	qsort(v, n, sizeof(*v), rising);
	return v[n / 2];
}

/* The median of the times between the end of a stage and the begin of the next, by their own clock. */
static uint64_t gap_of_stages(const char *engine)
{
	uint64_t gap[4];
	struct run_help h;
	char args[300];

	snprintf(args, sizeof(args),
		 "--ioengine=%s --filename=%%s --size=1m --time_based --runtime=50ms "
		 "--rate_iops=200 --stonewall --name=a --name=b --name=c --name=d --name=e",
		 engine);
	run_ok(&h, args);
	cr_assert_eq(h.r->n_jobs, 5);
	for (unsigned i = 0; i < 4; i++) {
		cr_assert_geq(h.r->jobs[i + 1].begin_ns, h.r->jobs[i].end_ns, "one at a time");
		gap[i] = h.r->jobs[i + 1].begin_ns - h.r->jobs[i].end_ns;
	}
	run_help_fini(&h);
	return median(gap, 4);
}

/* fio-language 4.15 and issue axboe/fio#252: no idle gap between stages, where fio has 0.28 s. */
Test(run_time, stages_follow_each_other_within_20_ms)
{
	static const char *const engines[] = {"null", "psync", "libaio"};

	for (unsigned i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		uint64_t best = UINT64_MAX;

		for (unsigned try = 0; try < TRIES && best >= 20 * NSEC_PER_MSEC; try++) {
			uint64_t gap = gap_of_stages(engines[i]);

			best = gap < best ? gap : best;
		}
		cr_expect_lt(best, 20 * NSEC_PER_MSEC, "%s: %lu us between stages", engines[i],
			     best / 1000);
	}
}

Test(run_time, startdelay_and_its_range)
{
	expect_ms("--name=t --ioengine=null --size=1m --startdelay=150ms", 150, 450);
	expect_ms("--name=t --ioengine=null --size=1m --startdelay=100ms-200ms --numjobs=4", 100,
		  500);
}

/* case axboe/fio#188: a second group with a ramp must not sleep for ever. */
Test(run_time, case_46_two_groups_with_ramps)
{
	struct run_help h;

	run_ok(&h,
	       "--ioengine=null --size=1m --time_based --runtime=200ms --ramp_time=200ms --name=a "
	       "--name=b --stonewall");
	for (unsigned i = 0; i < 2; i++) {
		cr_expect_gt(h.r->jobs[i].dir[IO_READ].st.ops, 0);
		cr_expect(h.r->jobs[i].runtime_ms >= 195 && h.r->jobs[i].runtime_ms < 1200,
			  "%lu ms", h.r->jobs[i].runtime_ms);
	}
	run_help_fini(&h);
}

/* case axboe/fio#1640: every job ends within 20 ms of its runtime; the group's is the longest. */
Test(run_time, case_49_no_job_overruns)
{
	uint64_t best = UINT64_MAX;

	for (unsigned try = 0; try < TRIES && best > 520; try++) {
		uint64_t ms[8], longest = 0;
		struct run_help h;

		run_ok(&h, "--name=t --ioengine=null --size=1m --numjobs=8 --rate_iops=200 "
			   "--time_based --runtime=500ms");
		cr_assert_eq(h.r->n_jobs, 8);
		for (unsigned i = 0; i < 8; i++) {
			ms[i] = h.r->jobs[i].dir[IO_READ].runtime_ms;
			longest = ms[i] > longest ? ms[i] : longest;
			cr_assert_geq(ms[i], 499);
		}
		cr_expect_eq(h.r->groups[0][IO_READ].max_ms, longest);
		best = median(ms, 8) < best ? median(ms, 8) : best;
		run_help_fini(&h);
	}
	cr_expect_leq(best, 520, "half of the jobs took longer than %lu ms", best);
}
