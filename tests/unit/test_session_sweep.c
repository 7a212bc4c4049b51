/*
 * A sweep on a real session: retuned live, interrupted, resumed, over engines. What asks for numbers runs on a
 * simulated device in virtual time, where the machine's load has no part in them.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/app_engines.h"
#include "src/base/turns.h"
#include "tests/unit/run_help.h"
#include "tests/unit/sysroot.h"

#define SIM_JOB    "--name=t --filename=sim:nvme --rw=randread"
#define NULL_JOB   "--name=t --ioengine=null --size=1g --rw=randread"
#define QUICK      " ramp=100ms min=500ms batch=100ms cap=700ms"
#define CELL(t, i) ((t)->v->r.cell[i])

struct trial {
	struct clock clock; /* virtual trials */
	struct cmdline cmd;
	struct session *s;
	struct sweep_view *v;
	struct sweep_spec spec;
	struct err e;
};

static void trial_open_on(struct trial *t, bool virtual, const char *args, const char *sweep,
			  const char *fsroot)
{
	struct session_cfg cfg = {.headroom = true, .fsroot = fsroot};
	char text[1024], *argv[64];
	int n = 0;

	memset(t, 0, sizeof(*t));
	app_engines_register();
	t->clock.now_ns = 1000 * NSEC_PER_SEC;
	if (virtual)
		clock_turns_begin(&t->clock);
	cfg.clock = virtual ? &t->clock : NULL;
	snprintf(text, sizeof(text), "%s", args);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		argv[n++] = w;
	cr_assert_eq(cmdline_parse(n, argv, &t->cmd, &t->e), 0, "%s", t->e.msg);
	cr_assert_eq(session_open(&t->s, &cfg, &t->e), 0);
	t->v = calloc(1, sizeof(*t->v));
	sweep_spec_init(&t->spec);
	cr_assert_eq(sweep_spec_parse(&t->spec, sweep, &t->e), 0, "%s", t->e.msg);
}

static void trial_open(struct trial *t, const char *args, const char *sweep)
{
	trial_open_on(t, false, args, sweep, "");
}

static void trial_open_virtual(struct trial *t, const char *args, const char *sweep)
{
	trial_open_on(t, true, args, sweep, "");
}

static int trial_start(struct trial *t)
{
	return session_sweep(t->s, &t->cmd.spec, &t->spec, &t->e);
}

static void trial_close(struct trial *t)
{
	session_close(t->s);
	if (t->clock.turns)
		clock_turns_end(&t->clock);
	cmdline_fini(&t->cmd);
	free(t->v);
}

static void trial_pause(struct trial *t)
{
	clock_sleep_until(t->clock.turns ? &t->clock : &clock_real,
			  clock_now_ns(t->clock.turns ? &t->clock : &clock_real) +
				  20 * NSEC_PER_MSEC);
}

#define UNTIL(t, cond)                                                                             \
	do {                                                                                       \
		int tries_ = 0;                                                                    \
		do {                                                                               \
			trial_pause(t);                                                            \
			session_sweep_view((t)->s, (t)->v);                                        \
		} while (!(cond) && ++tries_ < 1500);                                              \
		cr_assert(cond, "never saw: " #cond "; phase %d, %s", (int)(t)->v->phase,          \
			  (t)->v->why);                                                            \
	} while (0)

Test(session_sweep, cells_are_measured_on_one_run)
{
	struct trial t;

	trial_open_virtual(&t, SIM_JOB " --rate_iops=5000", "qd=1,4 bs=4k,16k" QUICK);
	cr_assert_eq(trial_start(&t), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->phase == SWEEP_OVER);
	cr_assert(session_wait(t.s, 10 * NSEC_PER_SEC));
	cr_expect_eq(t.v->r.done, 4);
	cr_expect_eq(t.v->eta_ns, 0);
	cr_expect_str_eq(t.v->r.engine, "sim");
	cr_expect_str_eq(t.v->r.rw, "randread");
	for (unsigned i = 0; i < 4; i++) {
		cr_expect_eq(CELL(&t, i).state, CELL_DONE);
		cr_expect_lt(fabs(CELL(&t, i).iops / 5000 - 1), 0.01, "%g", CELL(&t, i).iops);
		cr_expect_lt(fabs(CELL(&t, i).bps / CELL(&t, i).iops - (i % 2 ? 16384 : 4096)), 1);
		cr_expect(isnan(CELL(&t, i).cpu_ns), "simulated time is no processor time");
	}
	cr_expect_eq(CELL(&t, 2).inflight, 4);
	/* One run, retuned: its blocks are of both sizes. */
	cr_expect_eq(session_result(t.s)->n_jobs, 1);
	trial_close(&t);
}

Test(session_sweep, stop_keeps_what_is_measured_and_resume_goes_on)
{
	struct trial t;
	double first;

	trial_open_virtual(&t, SIM_JOB " --rate_iops=2000", "qd=1,2,4" QUICK);
	cr_assert_eq(trial_start(&t), 0, "%s", t.e.msg);
	cr_expect_eq(trial_start(&t), -EBUSY);
	UNTIL(&t, t.v->r.done >= 1);
	session_sweep_stop(t.s, 0);
	cr_assert(session_wait(t.s, 10 * NSEC_PER_SEC));
	UNTIL(&t, t.v->phase == SWEEP_STOPPED);
	first = CELL(&t, 0).iops;
	cr_expect_eq(CELL(&t, 0).state, CELL_DONE);
	cr_expect_eq(t.v->r.pending, 3 - t.v->r.done);
	cr_assert_eq(session_sweep_resume(t.s, &t.e), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->phase == SWEEP_OVER);
	cr_expect_eq(t.v->r.done, 3);
	cr_expect_eq(CELL(&t, 0).iops, first);
	cr_assert(session_wait(t.s, 10 * NSEC_PER_SEC));
	cr_expect_eq(session_sweep_resume(t.s, &t.e), -EALREADY);
	trial_close(&t);
}

/* As when the history's sweep is opened: what was measured is there, and only the rest is measured. */
Test(session_sweep, another_sessions_sweep_is_taken_and_gone_on_with)
{
	struct sweep_result *half = malloc(sizeof(*half));
	struct command c = {.kind = CMD_SWEEP_TAKE};
	struct trial t;
	struct feed *f;

	trial_open_virtual(&t, SIM_JOB, "qd=1,2,4" QUICK);
	cr_assert_eq(trial_start(&t), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->r.done == 2);
	session_sweep_stop(t.s, 0);
	cr_assert(session_wait(t.s, 10 * NSEC_PER_SEC));
	*half = t.v->r;
	trial_close(&t);
	trial_open_virtual(&t, SIM_JOB, "qd=1,2,4" QUICK);
	f = session_feed(t.s);
	c.u.sweep.spec = &t.cmd.spec;
	c.u.sweep.from = half;
	cr_assert_eq(f->ops->command(f, &c, &t.e), 0, "%s", t.e.msg);
	session_sweep_view(t.s, t.v);
	cr_expect_eq(t.v->phase, SWEEP_STOPPED);
	cr_expect_eq(t.v->r.done, 2);
	cr_expect_eq(t.v->r.pending, 1);
	cr_expect(session_wait(t.s, 0), "nothing runs");
	cr_assert_eq(session_sweep_resume(t.s, &t.e), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->phase == SWEEP_OVER);
	cr_expect_eq(t.v->r.done, 3);
	for (unsigned i = 0; i < 2; i++)
		cr_expect_eq(CELL(&t, i).n, half->cell[i].n, "measured once");
	cr_assert(session_wait(t.s, 10 * NSEC_PER_SEC));
	/* A whole one is taken, too, to be looked at. */
	*half = t.v->r;
	cr_assert_eq(f->ops->command(f, &c, &t.e), 0, "%s", t.e.msg);
	session_sweep_view(t.s, t.v);
	cr_expect_eq(t.v->phase, SWEEP_OVER);
	cr_expect_eq(session_sweep_resume(t.s, &t.e), -EALREADY);
	trial_close(&t);
	free(half);
}

Test(session_sweep, engines_are_started_one_after_the_other)
{
	char dir[64], args[256];
	struct trial t;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(args, sizeof(args),
		 "--name=t --filename=%s/f --size=1m --rw=randread --rate_iops=2000", dir);
	trial_open(&t, args, "jobs=1,2 engine=psync,mmap" QUICK);
	cr_assert_eq(trial_start(&t), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->phase == SWEEP_OVER);
	cr_expect_eq(t.v->r.done, 4);
	for (unsigned i = 0; i < 4; i++) {
		cr_expect_eq(CELL(&t, i).state, CELL_DONE);
		cr_expect_eq(CELL(&t, i).inflight, i / 2 + 1, "synchronous: one a job");
	}
	trial_close(&t);
	tmp_remove(dir);
}

Test(session_sweep, a_setting_that_cannot_be_had_fails_its_cell_only)
{
	char dir[64], args[256];
	struct trial t;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(args, sizeof(args),
		 "--name=t --filename=%s/f --size=64k --rw=randread --rate_iops=2000", dir);
	trial_open(&t, args, "bs=4k,16k,1m" QUICK);
	cr_assert_eq(trial_start(&t), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->phase == SWEEP_OVER);
	cr_expect_eq(CELL(&t, 0).state, CELL_DONE);
	cr_expect_eq(CELL(&t, 1).state, CELL_DONE);
	cr_expect_eq(CELL(&t, 2).state, CELL_FAILED);
	cr_expect(t.v->why[0]);
	trial_close(&t);
	tmp_remove(dir);
}

Test(session_sweep, what_makes_no_sense_is_refused_before_the_start)
{
	static const struct {
		const char *job, *sweep, *part;
	} cases[] = {
		{"--name=t --ioengine=psync --filename=/dev/null --rw=read", "qd=1,2",
		 "synchronous"},
		{"--name=t --ioengine=io_uring --size=1m --rw=read", "jobs=1,2", "filename="},
		{NULL_JOB, "jobs=1,2 engine=null,nix", "no such engine"},
		{NULL_JOB " --name=u", "qd=1,2", "one job"},
		{"--name=t --ioengine=null --rw=read", "qd=1,2", "size="},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trial t;

		trial_open(&t, cases[i].job, cases[i].sweep);
		cr_expect_lt(trial_start(&t), 0, "%s", cases[i].sweep);
		cr_expect(strstr(t.e.msg, cases[i].part), "%s", t.e.msg);
		session_sweep_view(t.s, t.v);
		cr_expect_eq(t.v->phase, SWEEP_OFF);
		trial_close(&t);
	}
}

/* Through the feed, as the console does it. */
Test(session_sweep, commands_and_snapshots)
{
	struct command c = {.kind = CMD_SWEEP};
	struct snapshot *snap = calloc(1, sizeof(*snap));
	struct feed *f;
	struct trial t;

	trial_open(&t, NULL_JOB " --rate_iops=2000", "qd=1,2" QUICK);
	f = session_feed(t.s);
	c.u.sweep.spec = &t.cmd.spec;
	c.u.sweep.sweep = &t.spec;
	cr_assert_eq(f->ops->command(f, &c, &t.e), 0, "%s", t.e.msg);
	for (int i = 0; i < 500 && snap->sweep.phase != SWEEP_MEASURE; i++) {
		usleep(20000);
		f->ops->next(f, snap->seq, snap);
	}
	cr_assert_eq(snap->sweep.phase, SWEEP_MEASURE);
	c = (struct command){.kind = CMD_TUNE, .u.tune = snap->lane[0].tune};
	cr_expect_eq(f->ops->command(f, &c, &t.e), -EBUSY, "the sweep sets the lane itself");
	UNTIL(&t, t.v->phase == SWEEP_OVER);
	cr_assert(session_wait(t.s, 10 * NSEC_PER_SEC));
	c = (struct command){.kind = CMD_SWEEP_REDO, .u.cell = {.row = 9}};
	cr_expect_eq(f->ops->command(f, &c, &t.e), -EINVAL);
	c.u.cell.row = 1;
	cr_assert_eq(f->ops->command(f, &c, &t.e), 0, "%s", t.e.msg);
	UNTIL(&t, t.v->phase == SWEEP_OVER && t.v->r.done == 2);
	c = (struct command){.kind = CMD_STOP};
	cr_expect_eq(f->ops->command(f, &c, &t.e), 0);
	trial_close(&t);
	free(snap);
}

/* ---- a target that does not answer ---- */

/*
 * Whoever asks what a file that will be written is used by looks at all block devices. One of them has a
 * pipe without a writer for an attribute, which does not answer.
 */
#define LOOKED_AT "/sys/class/block/vdz/ro"

static void hang(const struct sysroot *root)
{
	char path[128];

	snprintf(path, sizeof(path), "%s" LOOKED_AT, root->path);
	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
}

/* Whoever waits for it gets an empty file, and whoever comes later as well. */
static void answer(const struct sysroot *root)
{
	char path[128], empty[140];
	int fd = -1;

	snprintf(path, sizeof(path), "%s" LOOKED_AT, root->path);
	snprintf(empty, sizeof(empty), "%s.new", path);
	close(open(empty, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	for (int i = 0; i < 1500 && fd < 0; i++) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		usleep(fd < 0 ? 2000 : 0);
	}
	cr_assert_eq(rename(empty, path), 0);
	cr_assert_geq(fd, 0, "nobody looks at the target");
	close(fd);
}

static void *start_it(void *arg)
{
	struct trial *t = arg;

	return (void *)(intptr_t)trial_start(t);
}

static void snapshots_go_on(struct session *s)
{
	struct snapshot *snap = calloc(1, sizeof(*snap));
	struct feed *f = session_feed(s);
	uint64_t first;

	while (f->ops->next(f, 0, snap) == 0)
		usleep(1000);
	first = snap->seq;
	for (int i = 0; i < 5000 && snap->seq < first + 3; i++) {
		usleep(1000);
		f->ops->next(f, snap->seq, snap);
	}
	cr_expect_geq(snap->seq, first + 3, "the snapshots stand still");
	free(snap);
}

/* A machine with that device, and a file of ours that a job may write. */
struct stuck {
	struct sysroot root;
	char dir[64], args[256];
	struct trial t;
};

static void stuck_open(struct stuck *s, const char *sweep)
{
	struct run_help made;

	sysroot_init(&s->root);
	sysroot_line(&s->root, "disk vdz 250:0 pci/vdz 1000");
	tmp_make(s->dir, sizeof(s->dir), "/dev/shm");
	cr_assert_eq(run_help(&made,
			      "--name=t --filename=%s/f --size=64k --rw=write --ioengine=psync",
			      s->dir),
		     0, "%s", made.e.msg);
	run_help_fini(&made);
	snprintf(s->args, sizeof(s->args),
		 "--name=t --filename=%s/f --size=64k --rw=randwrite --rate_iops=2000", s->dir);
	trial_open_on(&s->t, false, s->args, sweep, s->root.path);
}

static void stuck_close(struct stuck *s)
{
	trial_close(&s->t);
	tmp_remove(s->dir);
	sysroot_fini(&s->root);
}

/* The kind: the sampler's tick waits for a lock that is held while a device is asked. */
static void start_hangs(bool stop)
{
	struct stuck s;
	pthread_t starter;
	void *rc;

	stuck_open(&s, "bs=4k,16k" QUICK);
	hang(&s.root);
	cr_assert_eq(pthread_create(&starter, NULL, start_it, &s.t), 0);
	snapshots_go_on(s.t.s);
	if (stop)
		session_sweep_stop(s.t.s, 0);
	answer(&s.root);
	pthread_join(starter, &rc);
	cr_expect_eq((int)(intptr_t)rc, 0, "%s", s.t.e.msg);
	UNTIL(&s.t, s.t.v->phase == (stop ? SWEEP_STOPPED : SWEEP_OVER));
	cr_assert(session_wait(s.t.s, 10 * NSEC_PER_SEC));
	cr_expect_eq(s.t.v->r.done, stop ? 0 : 2);
	stuck_close(&s);
}

Test(session_sweep, a_target_that_does_not_answer_does_not_stop_the_snapshots)
{
	start_hangs(false);
}

Test(session_sweep, a_stop_while_the_target_does_not_answer_is_not_lost)
{
	start_hangs(true);
}

/* The sampler must not be the one who opens the next engine's target. */
Test(session_sweep, the_next_engines_start_hangs_without_the_snapshots)
{
	struct stuck s;

	stuck_open(&s, "jobs=1 engine=psync,mmap" QUICK);
	cr_assert_eq(trial_start(&s.t), 0, "%s", s.t.e.msg);
	UNTIL(&s.t, s.t.v->phase == SWEEP_MEASURE);
	hang(&s.root);
	UNTIL(&s.t, s.t.v->r.done == 1);
	snapshots_go_on(s.t.s);
	answer(&s.root);
	UNTIL(&s.t, s.t.v->phase == SWEEP_OVER);
	cr_expect_eq(s.t.v->r.done, 2);
	stuck_close(&s);
}
