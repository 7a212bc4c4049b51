/* Jobs on the devices that an engine brings along: filename=sim:nvme, from the plan to the disk's numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/out/report.h"
#include "src/run/sampler_device.h"
#include "tests/unit/run_help.h"

#define BASE "--name=t --ioengine=sim --rw=randread --bs=4k --iodepth=8 --number_ios=200 "

Test(plan_device, the_device_says_how_large_it_is)
{
	struct run_help r;

	/* No size: all of it; a region past its end is refused as on any device. */
	cr_assert_eq(run_help(&r, BASE "--filename=sim:nvme", ""), 0, "%s", r.e.msg);
	cr_expect_eq(run_help_ops(&r, IO_READ), 200);
	run_help_fini(&r);
	cr_expect_lt(run_help(&r, BASE "--filename=sim:floppy --offset=1g", ""), 0);
	cr_expect(strstr(r.e.msg, "sim:floppy") && strstr(r.e.msg, "past the end"), "%s", r.e.msg);
	run_help_fini(&r);
}

Test(plan_device, an_escaped_colon_is_the_same_name)
{
	struct run_help r;

	cr_assert_eq(run_help(&r, BASE "--filename=sim\\:nvme", ""), 0, "%s", r.e.msg);
	cr_expect_eq(run_help_ops(&r, IO_READ), 200);
	run_help_fini(&r);
}

Test(plan_device, an_unknown_one_is_refused_with_the_known_ones)
{
	struct run_help r;

	cr_expect_lt(run_help(&r, BASE "--filename=sim:tape", ""), 0);
	cr_expect(strstr(r.e.msg, "tape") && strstr(r.e.msg, "nvme"), "%s", r.e.msg);
	run_help_fini(&r);
}

/* Else fio's list would make a file "sim" and a file "nvme" of it. */
Test(plan_device, with_another_engine_it_is_no_file_name)
{
	struct run_help r;

	cr_expect_lt(run_help(&r,
			      "--name=t --ioengine=psync --size=4k --rw=write "
			      "--filename=sim:nvme",
			      ""),
		     0);
	cr_expect(strstr(r.e.msg, "ioengine=sim"), "%s", r.e.msg);
	run_help_fini(&r);
}

/* The device's flush is what fsync= waits for. Its time is the sync's, not that of the next write. */
Test(plan_device, a_sync_is_the_flush_of_the_device, .timeout = 60)
{
	const struct job_result *j;
	struct run_help r;

	cr_assert_eq(
		run_help(&r,
			 "--name=t --ioengine=sim --filename=sim:nvme?flush=100ms --rw=randwrite "
			 "--bs=4k --fsync=1 --number_ios=6",
			 ""),
		0, "%s", r.e.msg);
	j = &r.r->jobs[0];
	cr_expect_eq(j->sync_ops, 5);
	cr_expect_gt(moments_mean(&j->sync_lat.m), 40e6);
	cr_expect_lt(moments_mean(&j->dir[IO_WRITE].st.lat.m), moments_mean(&j->sync_lat.m) / 2,
		     "%g of %g", moments_mean(&j->dir[IO_WRITE].st.lat.m),
		     moments_mean(&j->sync_lat.m));
	run_help_fini(&r);
}

/* Every report says that the device was played, and shows what it counted. */
Test(plan_device, reports_say_simulated_and_have_its_disk_line)
{
	static const unsigned formats[] = {FORMAT_NORMAL, FORMAT_JSON, FORMAT_TERSE};
	static const char *const says[][2] = {
		{"SIMULATED    : [sim:nvme]", "\n  sim:nvme: ios=200/0"},
		{"\"simulated\": true", "\"name\": \"sim:nvme\""},
		{";sim:nvme;200;0;", ";SIMULATED"},
	};
	struct run_help r;

	cr_assert_eq(run_help(&r, BASE "--filename=sim:nvme", ""), 0, "%s", r.e.msg);
	for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct strbuf sb = {0};

		report_print(formats[i], r.r, &sb);
		for (unsigned k = 0; k < 2; k++)
			cr_expect(strstr(strbuf_str(&sb), says[i][k]), "%s not in\n%s", says[i][k],
				  strbuf_str(&sb));
		strbuf_fini(&sb);
	}
	run_help_fini(&r);
}

/* One second: 1000 reads of 8 sectors that took 100 us each, busy half of the time. */
Test(plan_device, rates_are_those_of_iostat)
{
	struct engine_counters a = {.ios = {5}, .ticks_ns = {7}}, b = a;
	struct disk_rate r;

	b.ios[IO_READ] += 1000;
	b.sectors[IO_READ] += 8000;
	b.ticks_ns[IO_READ] += 1000 * 100000ull;
	b.busy_ns += NSEC_PER_SEC / 2;
	b.queue_ns += NSEC_PER_SEC / 10;
	b.inflight = 3;
	device_rate_make(&a, &b, NSEC_PER_SEC, &r);
	cr_expect_float_eq(r.r_iops, 1000, 1e-9);
	cr_expect_float_eq(r.r_bps, 8000 * 512.0, 1e-6);
	cr_expect_float_eq(r.r_await_ns, 100000, 1e-6);
	cr_expect(isnan(r.w_await_ns), "no write, no await");
	cr_expect_float_eq(r.util_pct, 50, 1e-9);
	cr_expect_float_eq(r.aqu_sz, 0.1, 1e-9);
	cr_expect_float_eq(r.inflight, 3, 1e-9);
}

Test(plan_device, the_snapshot_shows_it_as_the_target_disk, .timeout = 60)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct run_help r;
	struct feed *f;

	run_help_begin(&r,
		       "--name=t --ioengine=sim --filename=sim:sata --rw=randread --bs=4k "
		       "--iodepth=8 --time_based --runtime=3",
		       "");
	f = session_feed(r.session);
	while (!session_wait(r.session, NSEC_PER_SEC / 20) &&
	       !(s->n_disks && s->disk[0].is_target && s->disk[0].r_iops > 0 &&
		 s->lane[0].split.state == SPLIT_OK))
		f->ops->next(f, s->seq, s);
	cr_expect_str_eq(s->disk[0].name, "sim:sata");
	cr_expect(s->disk[0].is_target);
	cr_expect(s->lane[0].simulated);
	cr_expect_eq(s->lane[0].split.state, SPLIT_OK, "state %d", s->lane[0].split.state);
	cr_expect_float_eq(s->lane[0].split.host_ns + s->lane[0].split.dev_ns,
			   s->lane[0].split.app_ns, 1);
	cr_expect_str_eq(s->lane[0].target, "sim:sata");
	run_help_end(&r);
	run_help_fini(&r);
	free(s);
}
