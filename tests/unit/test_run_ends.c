/* Who ends when: wait_for, exitall, and errors that end a job or do not. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/run_rig.h"

TestSuite(run_ends, .init = run_rig_setup, .fini = run_rig_cleanup);

Test(run_ends, wait_for_starts_when_the_other_has_ended)
{
	static const char three[] = "--ioengine=null --size=1m --time_based --runtime=150ms "
				    "--name=c --wait_for=b --name=a --name=b --wait_for=a";
	struct run_help h;

	expect_ms(three, 445, 900);
	run_ok(&h, three);
	for (unsigned i = 0; i < 3; i++)
		cr_expect_gt(h.r->jobs[i].dir[IO_READ].st.ops, 0);
	run_help_fini(&h);
	expect_refused("--ioengine=null --size=1m --name=a --wait_for=nosuch",
		       "no other job has this name");
	expect_refused("--ioengine=null --size=1m --name=a --wait_for=b --name=b --wait_for=a",
		       "wait for each other");
	expect_refused("--ioengine=null --size=1m --name=a --wait_for=b --name=b --stonewall",
		       "later stage");
}

Test(run_ends, exitall_ends_the_others)
{
	static const struct {
		const char *args;
		unsigned low, high;
	} v[] = {
		{"--ioengine=null --size=1m --time_based --runtime=20 --name=a --name=b "
		 "--runtime=100ms "
		 "--exitall",
		 100, 1500},
		/* another group goes on */
		{"--ioengine=null --size=1m --time_based --runtime=600ms --name=a --name=b "
		 "--new_group "
		 "--runtime=100ms --exitall",
		 590, 2000},
		{"--ioengine=null --size=1m --time_based --runtime=20 --name=a --name=b "
		 "--new_group "
		 "--runtime=100ms --exitall --exit_what=all --name=c --stonewall",
		 100, 1500},
		{"--ioengine=null --size=1m --time_based --runtime=20 --name=a --name=b "
		 "--runtime=100ms --exitall --exit_what=stonewall --name=c --stonewall "
		 "--runtime=300ms",
		 395, 1900},
	};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		expect_ms(v[i].args, v[i].low, v[i].high);
	}
}

/* A file cut short under a read job gives EIO behind its end. */
static void run_on_short_file(struct run_help *h, const char *opts)
{
	char args[300];

	unlink(run_path); /* cut short behind iodeck's back it counts as somebody else's */
	cr_expect_eq(ops_of("--name=t --filename=%s --size=64k --rw=write", IO_WRITE), 16);
	snprintf(args, sizeof(args),
		 "--name=t --filename=%%s --size=64k --rw=read --startdelay=150ms %s", opts);
	run_help_begin(h, args, run_path);
	usleep(50000);
	cr_assert_eq(truncate(run_path, 16384), 0);
	run_help_end(h);
}

Test(run_ends, errors_end_the_job_or_do_not)
{
	struct run_help h;

	run_on_short_file(&h, "");
	cr_expect_eq(h.r->jobs[0].error, EIO);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.ops, 4);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 1);
	cr_expect_eq(result_failed(h.r), 1);
	run_help_fini(&h);
	run_on_short_file(&h, "--continue_on_error=read");
	cr_expect_eq(h.r->jobs[0].error, EIO, "the report tells of it");
	cr_expect(h.r->jobs[0].survived);
	cr_expect_eq(result_failed(h.r), 0, "but the job has not failed");
	cr_expect_eq(h.e.code, 0, "%s", h.e.msg);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 12);
	run_help_fini(&h);
	run_on_short_file(&h, "--continue_on_error=write");
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 1);
	run_help_fini(&h);
	run_on_short_file(&h, "--ignore_error=EIO --error_dump=1");
	cr_expect_eq(result_failed(h.r), 0);
	cr_expect_eq(h.r->jobs[0].first_error, EIO);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 12);
	cr_expect(strstr(h.notes, "12 errors were ignored"), "%s", h.notes);
	run_help_fini(&h);
	run_on_short_file(&h, "--ignore_error=ENOSPC,EIO");
	cr_expect_eq(h.r->jobs[0].error, EIO, "the list of writes is not that of reads");
	run_help_fini(&h);
}

Test(run_ends, exitall_on_error)
{
	struct run_help h;
	char args[400];
	uint64_t t0;

	cr_expect_eq(ops_of("--name=t --filename=%s --size=64k --rw=write", IO_WRITE), 16);
	snprintf(args, sizeof(args),
		 "--name=a --ioengine=null --size=1m --time_based --runtime=20 --name=b "
		 "--filename=%%s "
		 "--size=64k --startdelay=150ms --exitall_on_error");
	t0 = clock_mono_ns();
	run_help_begin(&h, args, run_path);
	usleep(50000);
	cr_assert_eq(truncate(run_path, 4096), 0);
	run_help_end(&h);
	cr_expect_lt((clock_mono_ns() - t0) / NSEC_PER_MSEC, 15000);
	cr_expect_eq(h.r->jobs[1].error, EIO);
	run_help_fini(&h);
}
