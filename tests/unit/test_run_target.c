/* latency_target: a job that seeks its own depth. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "tests/unit/run_rig.h"

TestSuite(run_target, .init = run_rig_setup, .fini = run_rig_cleanup);

#define ON_NULL "--name=t --ioengine=null --iodepth=8 --size=1m --time_based "

/* Everything holds: 1 2 4 8, then one window at 8 that the report is of. */
Test(run_target, the_report_is_of_the_last_window_alone)
{
	struct run_help h;
	const struct job_result *j;

	run_ok(&h, ON_NULL "--runtime=30 --latency_target=10s --latency_window=100ms");
	j = &h.r->jobs[0];
	cr_expect_eq(j->search.state, SEARCH_MET);
	cr_expect_eq(j->search.depth, 8);
	cr_expect(j->runtime_ms >= 99 && j->runtime_ms < 5000, "%lu ms", j->runtime_ms);
	cr_expect(j->dir[IO_READ].st.ops > 0);
	cr_expect_eq(j->dir[IO_READ].st.lat.m.n, j->dir[IO_READ].st.ops);
	for (unsigned i = 0; i < DEPTH_CELLS; i++)
		cr_expect(i == 3 ? j->depth[i] == j->dir[IO_READ].st.ops : j->depth[i] == 0,
			  "cell %u: %lu", i, j->depth[i]);
	cr_expect(strstr(h.notes, "is met up to a depth of 8"), "%s", h.notes);
	run_help_fini(&h);
}

Test(run_target, latency_run_goes_on_to_the_end)
{
	struct run_help h;

	run_ok(&h, ON_NULL "--runtime=700ms --latency_target=10s --latency_window=50ms "
			   "--latency_run=1");
	cr_expect_eq(h.r->jobs[0].search.state, SEARCH_MET);
	cr_expect_eq(h.r->jobs[0].search.depth, 8);
	cr_expect_geq(h.r->jobs[0].runtime_ms, 695);
	run_help_fini(&h);
}

/* Not even one at a time is fast enough: the job runs its time at 1 and the report is of all of it. */
Test(run_target, a_target_out_of_reach_is_missed)
{
	struct run_help h;

	run_ok(&h, "--name=t --filename=%s --rw=randwrite --ioengine=libaio --iodepth=8 --size=1m "
		   "--time_based --runtime=400ms --latency_target=1us --latency_window=50ms "
		   "--latency_percentile=99");
	cr_expect_eq(h.r->jobs[0].search.state, SEARCH_MISSED);
	cr_expect_eq(h.r->jobs[0].search.depth, 1);
	cr_expect_geq(h.r->jobs[0].runtime_ms, 395);
	cr_expect_eq(h.r->jobs[0].error, 0);
	cr_expect(strstr(h.notes, "not even with a depth of 1"), "%s", h.notes);
	run_help_fini(&h);
}

Test(run_target, all_of_the_ios_means_every_single_one)
{
	struct run_help h;

	cr_expect_eq(run_help(&h,
			      "--name=t --filename=%s --rw=randwrite --ioengine=libaio --iodepth=8 "
			      "--size=1m --time_based --runtime=20 --latency_target=1us "
			      "--latency_window=50ms",
			      run_path),
		     0);
	cr_expect_eq(h.r->jobs[0].error, ETIMEDOUT);
	cr_expect_lt(h.r->jobs[0].runtime_ms, 15000);
	run_help_fini(&h);
}

/* A simulated disk with one I/O at a time: the time in its queue grows with the depth. */
Test(run_target, clones_seek_each_for_themselves_and_syncs_count)
{
	struct run_help h;
	const struct job_result *j;

	run_ok(&h, "--name=t --filename=%s --rw=write --ioengine=libaio --iodepth=4 --size=1m "
		   "--time_based --runtime=30 --latency_target=10s --latency_window=100ms "
		   "--fsync=16 --numjobs=2 --group_reporting --slat_percentiles=1");
	j = &h.r->jobs[0];
	cr_expect_eq(j->search.state, SEARCH_MET);
	cr_expect(j->search.depth_min == 4 && j->search.depth_max == 4);
	cr_expect_eq(j->clones, 2);
	cr_expect_eq(j->sync_lat.m.n, j->sync_ops);
	cr_expect_leq(j->sync_ops * 16, j->dir[IO_WRITE].st.ops + 2 * 16);
	cr_expect_eq(hist_count(j->dir[IO_WRITE].slat_h), j->dir[IO_WRITE].st.ops);
	run_help_fini(&h);
}

Test(run_target, a_synchronous_engine_has_one_depth)
{
	struct run_help h;

	run_ok(&h, "--name=t --filename=%s --rw=write --iodepth=8 --size=1m --time_based "
		   "--runtime=30 --latency_target=10s --latency_window=50ms");
	cr_expect_eq(h.r->jobs[0].search.state, SEARCH_MET);
	cr_expect_eq(h.r->jobs[0].search.depth, 1);
	run_help_fini(&h);
}

Test(run_target, words_without_a_target_are_noted)
{
	struct run_help h;

	run_ok(&h, "--name=t --ioengine=null --size=4k --latency_window=5s");
	cr_expect(strstr(h.notes, "have no effect without latency_target"), "%s", h.notes);
	run_help_fini(&h);
	expect_refused("--name=t --ioengine=null --size=4k --latency_percentile=101", "0 to 100");
}
