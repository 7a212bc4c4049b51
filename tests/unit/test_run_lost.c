/*
 * A device that goes away or is taken away while it is used, itself or below what is used: the run ends as
 * LOST or stops writing, and keeps its results. Loop devices over files of the test.
 */
#include <criterion/criterion.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/unit/loopdev.h"
#include "tests/unit/run_help.h"

#define MIB (1024ull * 1024)

static char folder[64];
static struct loopdev a = {.fd = -1};

static void setup(void)
{
	loopdev_sandbox(folder);
	loopdev_open(&a, folder, "a.img", &(struct loopdev_cfg){.bytes = 8 * MIB});
	cr_assert_geq(a.fd, 0);
}

static void cleanup(void)
{
	loopdev_close(&a);
	loopdev_sandbox_remove(folder);
}

TestSuite(run_lost, .init = setup, .fini = cleanup, .timeout = 120);

/* A session whose run has been on for a second. */
static struct session *begin(const struct spec *spec, const struct session_cfg *cfg)
{
	struct session *s;
	struct err e = {0};

	cr_assert_eq(session_open(&s, cfg, &e), 0, "%s", e.msg);
	cr_assert_eq(session_start(s, spec, &e), 0, "%s", e.msg);
	cr_assert_not(session_wait(s, NSEC_PER_SEC));
	return s;
}

/* A loop device follows the size of its file. */
static void lose_disk(void)
{
	cr_assert_eq(truncate(a.image, 0), 0);
	cr_assert_eq(ioctl(a.fd, LOOP_SET_CAPACITY, 0), 0, "%m");
}

Test(run_lost, a_device_that_goes_away_in_mid_run_is_lost)
{
	struct session_cfg cfg = {.fsroot = ""};
	const struct run_result *r;
	struct session *s;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};

	job = run_help_spec(&spec, a.path, IO_BIT(IO_READ));
	job->rate_iops[IO_READ] = 500;
	run_help_for_a_minute(job);
	s = begin(&spec, &cfg);
	lose_disk();
	cr_assert(session_wait(s, 30 * NSEC_PER_SEC), "it went on without a device");
	r = session_result(s);
	cr_expect_gt(r->jobs[0].dir[IO_READ].st.ops, 50, "results are kept");
	cr_expect_eq(result_failed(r), 1);
	cr_expect(strncmp(r->jobs[0].error_text, "LOST", 4) == 0, "%s", r->jobs[0].error_text);
	cr_expect_neq(session_error(s, &e), 0);
	cr_expect(strstr(e.msg, "LOST"), "%s", e.msg);
	session_close(s);
	spec_fini(&spec);
}

/* What stands on a lost disk keeps its size; only its I/O fails. */
Test(run_lost, a_disk_lost_below_a_stack_is_lost_too)
{
	struct session_cfg cfg = {.fsroot = ""};
	struct loopdev upper = {.fd = -1};
	const struct run_result *r;
	struct session *s;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};

	loopdev_open(&upper, folder, "upper", &(struct loopdev_cfg){.backing = a.path});
	job = run_help_spec(&spec, upper.path, IO_BIT(IO_READ));
	job->rate_iops[IO_READ] = 500;
	job->rw.random = true;
	job->direct = true;
	run_help_for_a_minute(job);
	s = begin(&spec, &cfg);
	lose_disk();
	cr_assert(session_wait(s, 30 * NSEC_PER_SEC), "it went on without a device");
	r = session_result(s);
	cr_expect_gt(r->jobs[0].dir[IO_READ].st.ops, 50, "results are kept");
	cr_expect(strncmp(r->jobs[0].error_text, "LOST", 4) == 0, "%s", r->jobs[0].error_text);
	cr_expect_neq(session_error(s, &e), 0);
	cr_expect(strstr(e.msg, "LOST"), "%s", e.msg);
	session_close(s);
	spec_fini(&spec);
	loopdev_close(&upper);
}

/* Somebody builds on the device in mid-run: within the second the writers stop, and the reason is told. */
Test(run_lost, a_device_that_is_taken_away_in_mid_run_is_written_no_more)
{
	const char *consent[] = {a.path};
	struct session_cfg cfg = {.fsroot = "", .allow_destroy = consent, .n_allow_destroy = 1};
	struct loopdev upper = {.fd = -1};
	const struct run_result *r;
	struct session *s;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};

	job = run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	job->rate_iops[IO_WRITE] = 200;
	run_help_for_a_minute(job);
	s = begin(&spec, &cfg);
	loopdev_open(&upper, folder, "upper", &(struct loopdev_cfg){.backing = a.path});
	cr_assert(session_wait(s, 30 * NSEC_PER_SEC), "it went on writing");
	r = session_result(s);
	cr_expect_gt(r->jobs[0].dir[IO_WRITE].st.ops, 20, "results are kept");
	cr_expect_neq(session_error(s, &e), 0);
	cr_expect(strstr(e.msg, "writing was stopped"), "%s", e.msg);
	cr_expect(strstr(e.msg, "is built on"), "%s", e.msg);
	cr_expect_null(strstr(e.msg, "LOST"), "%s", e.msg);
	session_close(s);
	spec_fini(&spec);
	loopdev_close(&upper);
}

/* Nothing is in flight, so no I/O can fail: the device itself tells. */
Test(run_lost, a_device_that_goes_away_before_the_first_io_is_lost)
{
	struct session_cfg cfg = {.fsroot = ""};
	struct session *s;
	struct spec spec;
	struct job_spec *job;
	struct err e = {0};

	job = run_help_spec(&spec, a.path, IO_BIT(IO_READ));
	job->startdelay_ns = 100 * NSEC_PER_SEC;
	run_help_for_a_minute(job);
	s = begin(&spec, &cfg);
	lose_disk();
	cr_assert(session_wait(s, 60 * NSEC_PER_SEC), "it waits for a device that is gone");
	cr_expect_neq(session_error(s, &e), 0);
	cr_expect(strstr(e.msg, "LOST"), "%s", e.msg);
	session_close(s);
	spec_fini(&spec);
}

/* A RAID does without one of its disks: what is below may be missed only when I/O fails. */
Test(run_lost, a_disk_lost_below_is_no_loss_while_io_goes_well)
{
	struct session_cfg cfg = {.fsroot = ""};
	struct loopdev upper = {.fd = -1};
	struct session *s;
	struct spec spec;
	struct job_spec *job;

	loopdev_open(&upper, folder, "upper", &(struct loopdev_cfg){.backing = a.path});
	job = run_help_spec(&spec, upper.path, IO_BIT(IO_READ));
	job->startdelay_ns = 100 * NSEC_PER_SEC;
	run_help_for_a_minute(job);
	s = begin(&spec, &cfg);
	lose_disk();
	cr_expect_not(session_wait(s, NSEC_PER_SEC), "no I/O has failed");
	session_close(s);
	spec_fini(&spec);
	loopdev_close(&upper);
}

Test(run_lost, a_job_on_another_device_goes_on)
{
	const char *consent[] = {a.path};
	struct session_cfg cfg = {.fsroot = "", .allow_destroy = consent, .n_allow_destroy = 1};
	struct loopdev upper = {.fd = -1}, b = {.fd = -1};
	const struct run_result *r;
	struct session *s;
	struct spec spec, other;
	struct job_spec *job;

	loopdev_open(&b, folder, "b.img", &(struct loopdev_cfg){.bytes = 4 * MIB});
	job = run_help_spec(&spec, a.path, IO_BIT(IO_WRITE));
	job->rate_iops[IO_WRITE] = 200;
	run_help_for_a_minute(job);
	job = run_help_spec(&other, b.path, IO_BIT(IO_READ));
	job->rate_iops[IO_READ] = 200;
	job->time_based = true;
	job->runtime_ns = 5 * NSEC_PER_SEC;
	spec_add(&spec, job);
	s = begin(&spec, &cfg);
	loopdev_open(&upper, folder, "upper", &(struct loopdev_cfg){.backing = a.path});
	cr_assert(session_wait(s, 60 * NSEC_PER_SEC), "it went on writing");
	r = session_result(s);
	cr_expect_geq(r->jobs[1].dir[IO_READ].runtime_ms, 4900, "the reader was stopped, too");
	session_close(s);
	spec_fini(&spec);
	spec_fini(&other);
	loopdev_close(&upper);
	loopdev_close(&b);
}
