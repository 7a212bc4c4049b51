/* Live changes: what the console does to a run. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/run_help.h"

struct live {
	struct cmdline cmd;
	struct session *s;
	struct feed *feed;
	struct snapshot *snap;
	struct err e;
};

static void live_start(struct live *l, const char *args)
{
	struct session_cfg cfg = {.headroom = true, .fsroot = ""};
	char text[1024], *argv[64];
	int n = 0;

	memset(l, 0, sizeof(*l));
	snprintf(text, sizeof(text), "%s", args);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		argv[n++] = w;
	cr_assert_eq(cmdline_parse(n, argv, &l->cmd, &l->e), 0, "%s", l->e.msg);
	cr_assert_eq(session_open(&l->s, &cfg, &l->e), 0);
	l->feed = session_feed(l->s);
	l->snap = calloc(1, sizeof(*l->snap));
	cr_assert_eq(session_start(l->s, &l->cmd.spec, &l->e), 0, "%s", l->e.msg);
}

static void live_end(struct live *l)
{
	session_close(l->s);
	cmdline_fini(&l->cmd);
	free(l->snap);
}

/* The next snapshot, at most a few seconds away. */
static void live_next(struct live *l)
{
	struct pollfd p = {.fd = l->feed->wake_fd, .events = POLLIN};
	uint64_t n, before = l->snap->seq;

	for (int i = 0; i < 100 && l->snap->seq == before; i++) {
		poll(&p, 1, 100);
		if (read(l->feed->wake_fd, &n, sizeof(n)) < 0)
			cr_assert_eq(errno, EAGAIN);
		l->feed->ops->next(l->feed, before, l->snap);
	}
	cr_assert_gt(l->snap->seq, before, "no snapshot came");
}

#define LIVE_UNTIL(l, cond)                                                                        \
	do {                                                                                       \
		int tries_ = 0;                                                                    \
		do                                                                                 \
			live_next(l);                                                              \
		while (!(cond) && ++tries_ < 60);                                                  \
		cr_assert(cond, "never saw: " #cond);                                              \
	} while (0)

static void live_tune(struct live *l, const struct tuning *t)
{
	cr_assert_eq(session_tune(l->s, 0, t, &l->e), 0, "%s", l->e.msg);
}

/* The n-th change of settings; a busy machine puts stalls between them. */
static const struct event *tuned(const struct live *l, int n)
{
	static const struct event none;

	for (uint32_t i = 0; i < l->snap->n_events; i++)
		if (l->snap->event[i].kind == EVENT_TUNE && n-- == 0)
			return &l->snap->event[i];
	return &none;
}

#define LANE(l) ((l)->snap->lane[0])

Test(live, queue_depth_follows_at_once_without_restart)
{
	struct tuning t;
	struct live l;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=randread --iodepth=4 --time_based "
		       "--runtime=60");
	LIVE_UNTIL(&l, LANE(&l).state == RUN_ON && LANE(&l).sec[IO_READ].iops > 0);
	t = LANE(&l).tune;
	t.qd = 64;
	live_tune(&l, &t);
	LIVE_UNTIL(&l, !LANE(&l).settling && LANE(&l).tune.qd == 64 && LANE(&l).inflight > 32);
	LIVE_UNTIL(&l, tuned(&l, 0)->after.valid);
	t.qd = 1000; /* beyond the headroom: the engine is made anew, nothing is lost */
	live_tune(&l, &t);
	LIVE_UNTIL(&l, LANE(&l).inflight > 500);
	t.qd = 1;
	live_tune(&l, &t);
	LIVE_UNTIL(&l, !LANE(&l).settling && LANE(&l).inflight <= 1);
	cr_expect_geq(tuned(&l, 2)->id, 3);
	cr_expect(strstr(tuned(&l, 0)->text, "qd 4 -> 64"), "%s", tuned(&l, 0)->text);
	cr_expect(tuned(&l, 1)->before.valid && tuned(&l, 1)->before.iops > 0);
	session_stop(l.s, 0);
	cr_assert(session_wait(l.s, 5 * NSEC_PER_SEC));
	{
		const struct run_result *r = session_result(l.s);

		cr_expect_eq(r->jobs[0].dir[IO_READ].st.ops,
			     hist_count(&r->jobs[0].dir[IO_READ].st.lat.h));
		cr_expect_gt(r->jobs[0].depth[6], 0, "no submit at depth 64 and more");
	}
	live_end(&l);
}

Test(live, jobs_go_up_and_down_and_totals_never_step_back)
{
	struct tuning t;
	struct live l;
	uint64_t last = 0;

	live_start(&l,
		   "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=1000 --time_based "
		   "--runtime=60");
	LIVE_UNTIL(&l, LANE(&l).state == RUN_ON);
	t = LANE(&l).tune;
	for (unsigned jobs = 1; jobs <= 4; jobs++) {
		t.jobs = jobs == 4 ? 1 : jobs * 2;
		live_tune(&l, &t);
		LIVE_UNTIL(&l, !LANE(&l).settling && LANE(&l).workers == t.jobs);
		cr_expect_geq(LANE(&l).total[IO_READ].ops, last);
		last = LANE(&l).total[IO_READ].ops;
	}
	t.jobs = 3;
	live_tune(&l, &t);
	LIVE_UNTIL(&l, !LANE(&l).settling && LANE(&l).workers == 3);
	LIVE_UNTIL(&l, LANE(&l).sec[IO_READ].iops > 2500 && LANE(&l).sec[IO_READ].iops < 3500);
	live_end(&l);
}

Test(live, block_size_rate_and_pattern_change)
{
	struct tuning t;
	struct live l;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=read --rate_iops=2000 --time_based "
		       "--runtime=60");
	LIVE_UNTIL(&l, LANE(&l).sec[IO_READ].iops > 1500 && LANE(&l).sec[IO_READ].iops < 2500);
	t = LANE(&l).tune;
	for (unsigned i = 0; i < IO_OP_NR; i++)
		t.bs_bytes[i] = 4 << 20;
	t.random = true;
	live_tune(&l, &t);
	LIVE_UNTIL(&l,
		   fabs(LANE(&l).tick[IO_READ].bps / LANE(&l).tick[IO_READ].iops - (4 << 20)) < 1);
	t.rate_iops[IO_READ] = 100;
	live_tune(&l, &t);
	LIVE_UNTIL(&l, LANE(&l).sec[IO_READ].iops > 80 && LANE(&l).sec[IO_READ].iops < 120);
	live_end(&l);
}

Test(live, writes_are_refused_on_a_read_only_target)
{
	char dir[64], args[256];
	struct tuning t;
	struct live l;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(args, sizeof(args),
		 "--name=t --filename=%s/f --size=1m --rw=randread --time_based --runtime=60 "
		 "--rate_iops=1000",
		 dir);
	live_start(&l, args);
	LIVE_UNTIL(&l, LANE(&l).state == RUN_ON);
	t = LANE(&l).tune;
	t.ops = IO_BIT(IO_WRITE);
	cr_expect_eq(session_tune(l.s, 0, &t, &l.e), -EROFS);
	t = LANE(&l).tune;
	t.bs_bytes[IO_READ] = 2 << 20;
	cr_expect_lt(session_tune(l.s, 0, &t, &l.e), 0, "a block larger than the file");
	t.bs_bytes[IO_READ] = 4096;
	t.qd = 0;
	cr_expect_lt(session_tune(l.s, 0, &t, &l.e), 0);
	live_end(&l);
	tmp_remove(dir);
}

Test(live, percentiles_of_a_window_never_exceed_its_maximum)
{
	struct live l;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=randread --iodepth=16 --time_based "
		       "--runtime=60");
	LIVE_UNTIL(&l, LANE(&l).sec[IO_READ].lat.n > 0);
	for (int i = 0; i < 15; i++) {
		const struct op_win *w[] = {LANE(&l).tick, LANE(&l).sec, LANE(&l).total};

		live_next(&l);
		for (unsigned k = 0; k < 3; k++) {
			const struct lat_view *v = &w[k][IO_OP_NR].lat;

			for (unsigned p = 0; p < PCT_NR; p++)
				cr_expect_leq(v->pct_ns[p], v->max_ns);
			for (unsigned p = 1; p < PCT_NR; p++)
				cr_expect_geq(v->pct_ns[p], v->pct_ns[p - 1]);
		}
	}
	live_end(&l);
}

Test(live, pause_holds_and_goes_on)
{
	struct live l;
	struct command c = {.kind = CMD_PAUSE, .u.flag = true};

	live_start(&l,
		   "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=1000 --time_based "
		   "--runtime=60");
	LIVE_UNTIL(&l, LANE(&l).tick[IO_READ].iops > 0);
	cr_assert_eq(l.feed->ops->command(l.feed, &c, &l.e), 0);
	LIVE_UNTIL(&l, LANE(&l).state == RUN_PAUSED && LANE(&l).tick[IO_READ].ops == 0);
	c.u.flag = false;
	cr_assert_eq(l.feed->ops->command(l.feed, &c, &l.e), 0);
	LIVE_UNTIL(&l, LANE(&l).tick[IO_READ].ops > 0);
	live_end(&l);
}

/* A pause is no part of the run: not of its clock, its averages, its end, or what a rate must keep. */
Test(live, a_pause_takes_nothing_from_the_run)
{
	struct live l;
	struct command c = {.kind = CMD_PAUSE, .u.flag = true};
	uint64_t t0, wall_ns;
	const struct job_result *j;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=1000 "
		       "--rate_iops_min=300 --time_based --runtime=4 --ramp_time=1");
	LIVE_UNTIL(&l, LANE(&l).state == RUN_RAMP);
	t0 = clock_mono_ns();
	cr_assert_eq(l.feed->ops->command(l.feed, &c, &l.e), 0);
	LIVE_UNTIL(&l, LANE(&l).parked);
	usleep(1500000); /* longer than the ramp: it must not end meanwhile */
	live_next(&l);
	cr_expect_eq(LANE(&l).t_start_ns, 0);
	c.u.flag = false;
	cr_assert_eq(l.feed->ops->command(l.feed, &c, &l.e), 0);
	LIVE_UNTIL(&l, LANE(&l).elapsed_ns > NSEC_PER_SEC / 2);
	c.u.flag = true;
	cr_assert_eq(l.feed->ops->command(l.feed, &c, &l.e), 0);
	LIVE_UNTIL(&l, LANE(&l).state == RUN_PAUSED && LANE(&l).parked);
	usleep(2500000);
	live_next(&l);
	cr_expect_lt(LANE(&l).elapsed_ns, 3 * NSEC_PER_SEC);
	cr_expect_gt(LANE(&l).held_ns, 2 * NSEC_PER_SEC);
	cr_expect_gt(LANE(&l).total[IO_READ].iops, 500);
	c.u.flag = false;
	cr_assert_eq(l.feed->ops->command(l.feed, &c, &l.e), 0);
	cr_assert(session_wait(l.s, 30 * NSEC_PER_SEC));
	wall_ns = clock_mono_ns() - t0;
	j = &session_result(l.s)->jobs[0];
	cr_expect_eq(j->error, 0, "%s", j->error_text);
	cr_expect_geq(wall_ns, 8 * NSEC_PER_SEC, "%lu", (unsigned long)wall_ns);
	cr_expect(j->runtime_ms >= 3900 && j->runtime_ms < 5500, "%lu ms",
		  (unsigned long)j->runtime_ms);
	cr_expect_leq(j->dir[IO_READ].st.ops, 5500, "no burst after a pause");
	live_next(&l);
	cr_expect_eq(l.snap->event[0].kind, EVENT_GAP);
	live_end(&l);
}

Test(live, a_run_can_be_started_again_in_the_same_session)
{
	struct live l;

	live_start(&l, "--name=t --ioengine=null --size=1m --rw=read");
	cr_assert(session_wait(l.s, 5 * NSEC_PER_SEC));
	cr_expect_eq(session_result(l.s)->jobs[0].dir[IO_READ].st.ops, 256);
	cr_assert_eq(session_start(l.s, &l.cmd.spec, &l.e), 0, "%s", l.e.msg);
	cr_assert(session_wait(l.s, 5 * NSEC_PER_SEC));
	cr_expect_eq(session_result(l.s)->jobs[0].dir[IO_READ].st.ops, 256);
	live_end(&l);
}

static double rows_iops(const struct lane_snap *lane)
{
	double iops = 0;

	for (uint32_t i = 0; i < lane->n_worker_rows; i++)
		iops += lane->worker[i].sec.iops;
	return iops;
}

/* Rows of workers add up to the lane, and more than 64 workers share the last row. */
Test(live, workers_add_up_to_their_lane)
{
	struct live l;
	uint32_t workers = 0;

	live_start(&l,
		   "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=100 --time_based "
		   "--runtime=60 --numjobs=70");
	/* The two readings are a moment apart, on a busy machine a long one: until they agree. */
	LIVE_UNTIL(&l, LANE(&l).state == RUN_ON && LANE(&l).sec[IO_READ].iops > 6000 &&
			       fabs(rows_iops(&LANE(&l)) / LANE(&l).sec[IO_OP_NR].iops - 1) < 0.05);
	cr_assert_eq(LANE(&l).n_worker_rows, WORKER_SNAP_MAX + 1);
	for (uint32_t i = 0; i <= WORKER_SNAP_MAX; i++)
		workers += LANE(&l).worker[i].count;
	cr_expect_eq(workers, 70);
	cr_expect_eq(LANE(&l).worker[WORKER_SNAP_MAX].count, 6);
	live_end(&l);
}

/* What the panes draw is of the windows it stands for. */
Test(live, histograms_hold_what_their_windows_count)
{
	struct live l;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=2000 "
		       "--time_based --runtime=60");
	LIVE_UNTIL(&l, LANE(&l).seg.lat.n > 1000);
	cr_expect_eq(hist_count(&LANE(&l).sec_lat), LANE(&l).sec[IO_OP_NR].lat.n);
	cr_expect_eq(hist_count(&LANE(&l).total_lat), LANE(&l).total[IO_OP_NR].lat.n);
	cr_expect_eq(hist_count(&LANE(&l).seg_lat), LANE(&l).seg.lat.n);
	cr_expect_geq(LANE(&l).total[IO_OP_NR].lat.n, LANE(&l).seg.lat.n);
	live_end(&l);
}

/* Each job has its own tail, of the same second as its maximum. */
Test(live, a_workers_p99_lies_between_its_mean_and_its_maximum)
{
	const struct worker_snap *w;
	struct live l;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=2000 "
		       "--time_based --runtime=60 --numjobs=2");
	LIVE_UNTIL(&l, LANE(&l).state == RUN_ON && LANE(&l).worker[1].sec.iops > 1000);
	for (uint32_t i = 0; i < 2; i++) {
		w = &LANE(&l).worker[i];
		cr_expect_gt(w->sec.p99_ns, 0);
		cr_expect_leq(w->sec.p99_ns, w->sec.max_ns);
		cr_expect_gt(w->total.p99_ns, 0);
		cr_expect_leq(w->total.p99_ns, w->total.max_ns);
	}
	live_end(&l);
}

/* What stands before the segment is in the totals, but in no segment; a change makes it so again. */
Test(live, the_first_second_is_in_no_segment)
{
	struct tuning t;
	struct live l;
	uint64_t first;

	live_start(&l, "--name=t --ioengine=null --size=1g --rw=randread --rate_iops=2000 "
		       "--time_based --runtime=60");
	LIVE_UNTIL(&l, LANE(&l).state == RUN_ON && LANE(&l).total[IO_OP_NR].ops > 0);
	cr_expect(LANE(&l).warming);
	cr_expect_eq(LANE(&l).seg_start_ns, 0);
	LIVE_UNTIL(&l, LANE(&l).seg.ops > 0);
	first = LANE(&l).seg_start_ns;
	cr_expect_not(LANE(&l).warming);
	cr_expect_geq(first, LANE(&l).t_start_ns + NSEC_PER_SEC);
	t = LANE(&l).tune;
	t.qd = 4;
	cr_assert_eq(session_tune(l.s, 0, &t, &l.e), 0, "%s", l.e.msg);
	LIVE_UNTIL(&l, LANE(&l).warming);
	LIVE_UNTIL(&l, LANE(&l).seg_start_ns > first);
	cr_expect_geq(LANE(&l).seg_start_ns, l.snap->event[0].t_ns + NSEC_PER_SEC);
	live_end(&l);
}

/* The kernel's split of the workers' time adds up to the time that their clocks tell. */
Test(live, cpu_parts_add_up)
{
	struct live l;

	live_start(&l,
		   "--name=t --ioengine=null --size=1g --rw=randread --time_based --runtime=60");
	LIVE_UNTIL(&l, LANE(&l).cpu_usr_pct > 0);
	cr_expect_float_eq(LANE(&l).cpu_usr_pct + LANE(&l).cpu_sys_pct, LANE(&l).cpu_pct, 1e-6);
	live_end(&l);
}
