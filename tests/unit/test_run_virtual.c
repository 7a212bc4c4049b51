/* Whole sessions in virtual time: the same numbers each time, in a moment. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_engines.h"
#include "src/base/turns.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define MINUTE (60 * NSEC_PER_SEC)

struct virtual
{
	struct clock clock;
	struct session *s;
	struct cmdline cmd;
	struct err e;
};

static void begin(struct virtual *v, const char *args)
{
	struct session_cfg cfg = {.fsroot = "", .headroom = true, .clock = &v->clock};
	char text[1024], *argv[64];
	int n = 0;

	*v = (struct virtual){.clock.now_ns = 1000 * NSEC_PER_SEC};
	app_engines_register();
	snprintf(text, sizeof(text), "%s", args);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		argv[n++] = w;
	cr_assert_eq(cmdline_parse(n, argv, &v->cmd, &v->e), 0, "%s", v->e.msg);
	clock_turns_begin(&v->clock);
	cr_assert_eq(session_open(&v->s, &cfg, &v->e), 0, "%s", v->e.msg);
}

static void end(struct virtual *v)
{
	session_close(v->s);
	clock_turns_end(&v->clock);
	cmdline_fini(&v->cmd);
}

static void run(struct virtual *v)
{
	cr_assert_eq(session_start(v->s, &v->cmd.spec, &v->e), 0, "%s", v->e.msg);
	cr_assert(session_wait(v->s, 100 * MINUTE), "the run did not end");
	cr_assert_eq(session_error(v->s, &v->e), 0, "%s", v->e.msg);
}

#define LOAD "--rw=randread --time_based "

Test(run_virtual, a_minute_is_a_minute_to_the_nanosecond)
{
	struct virtual v;
	const struct run_result *r;

	begin(&v, LOAD "--name=a --filename=sim:sata --iodepth=4 --runtime=60");
	run(&v);
	r = session_result(v.s);
	cr_expect_eq(r->jobs[0].runtime_ms, 60000);
	/* Little's law on the whole of it. */
	cr_expect_leq(fabs((double)r->jobs[0].dir[IO_READ].st.ops / 60 *
				   r->jobs[0].dir[IO_READ].st.lat.m.sum_ns /
				   (double)r->jobs[0].dir[IO_READ].st.lat.m.n / 1e9 -
			   4),
		      0.004);
	end(&v);
}

/* Two lanes on their own devices, three jobs that share one: all their numbers, twice. */
Test(run_virtual, the_same_numbers_each_time)
{
	uint64_t first[3][3] = {{0}};

	for (int round = 0; round < 3; round++) {
		struct virtual v;
		const struct run_result *r;

		begin(&v, LOAD "--runtime=3 --name=a --filename=sim:sata --iodepth=8 "
			       "--name=b --filename=sim:nvme --iodepth=2 "
			       "--name=c --filename=sim:hdd --numjobs=3 --group_reporting");
		run(&v);
		r = session_result(v.s);
		for (size_t i = 0; i < 3; i++) {
			const struct op_stat *st = &r->jobs[i].dir[IO_READ].st;
			uint64_t got[3] = {st->ops, st->lat.m.sum_ns, st->lat.m.max_ns};

			cr_assert_gt(got[0], 0);
			if (round == 0)
				memcpy(first[i], got, sizeof(got));
			cr_expect_arr_eq(got, first[i], sizeof(got), "round %d, job %zu", round, i);
		}
		end(&v);
	}
}

/* No drive lets the request pass that goes on where the last one ended, however many others wait. */
Test(run_virtual, a_disk_is_as_fast_in_a_row_at_any_depth)
{
	static const unsigned depths[] = {4, 16, 32};

	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		char args[128];
		struct virtual v;
		double mbps;

		snprintf(args, sizeof(args),
			 "--rw=read --time_based --runtime=5 --name=a --filename=sim:hdd "
			 "--iodepth=%u",
			 depths[i]);
		begin(&v, args);
		run(&v);
		mbps = (double)session_result(v.s)->jobs[0].dir[IO_READ].st.bytes / 5e6;
		cr_expect(mbps > 95 && mbps < 115, "depth %u: %.1f MB/s", depths[i], mbps);
		end(&v);
	}
}

Test(run_virtual, engines_of_the_machine_have_no_part_in_it)
{
	struct virtual v;

	begin(&v, LOAD "--name=a --ioengine=null --size=1g --runtime=1");
	cr_expect_lt(session_start(v.s, &v.cmd.spec, &v.e), 0);
	cr_expect(strstr(v.e.msg, "ioengine=null works in real time"), "%s", v.e.msg);
	end(&v);
}
