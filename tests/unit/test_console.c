/* Keys to commands: what the feed is told, what is refused, how one leaves. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/rng.h"
#include "tests/unit/fake_feed.h"

static struct fake_console fc;

static void begin(void)
{
	fake_console_init(&fc, 100, 30);
	fc.ff.obey = true;
}

static void end(void)
{
	fake_console_fini(&fc);
}

TestSuite(console, .init = begin, .fini = end);

static void expect_message(const char *part)
{
	cr_expect(strstr(fc.con.st.message, part), "\"%s\" does not say \"%s\"", fc.con.st.message,
		  part);
}

static void start(void)
{
	fake_console_key(&fc, ' ');
	console_pull(&fc.con);
	cr_assert(console_is_running(&fc.con));
}

Test(console, space_starts_and_stops)
{
	const struct fake_command *c;

	start();
	c = fake_feed_last(&fc.ff);
	cr_expect_eq(c->kind, CMD_START);
	cr_expect_eq(c->n_jobs, 1);
	cr_expect_eq(c->job.iodepth, 32);
	cr_expect_eq(c->job.rw.ops, IO_BIT(IO_READ));
	fake_console_key(&fc, ' ');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_STOP);
	console_pull(&fc.con);
	cr_expect_not(console_is_running(&fc.con));
}

Test(console, a_start_holds_until_a_snapshot_of_it_is_seen)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	cr_expect(console_is_running(&fc.con));
	fake_console_key(&fc, ' ');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_STOP, "a second Space never starts again");
	fake_console_tick(&fc, RUN_DONE);
	cr_expect_not(console_is_running(&fc.con), "a run may be over before it was ever seen");
}

Test(console, a_refused_start_says_why)
{
	fc.ff.refuse = EPERM;
	fc.ff.refuse_msg = "/dev/sda: writes are refused: mounted at /";
	fake_console_key(&fc, ' ');
	expect_message("mounted at /");
	cr_expect_not(console_is_running(&fc.con));
}

Test(console, bracket_keys_tune_the_running_lane)
{
	start();
	fake_console_key(&fc, ']');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_TUNE);
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.qd, 64);
	cr_expect_eq(fc.con.st.job.iodepth, 64);
	fake_console_key(&fc, '.');
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.bs_bytes[IO_READ], 8192);
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.qd, 64, "the change before is not lost");
	fake_console_key(&fc, ')');
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.jobs, 2);
}

Test(console, a_refused_change_is_taken_back)
{
	start();
	fc.ff.refuse = EINVAL;
	fc.ff.refuse_msg = "bs=2k: not a multiple of 4096";
	fake_console_key(&fc, ',');
	expect_message("multiple of 4096");
	cr_expect_eq(fc.con.st.job.bs_bytes[IO_READ], 4096);
	fc.ff.refuse = 0;
	fake_console_key(&fc, ']');
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.bs_bytes[IO_READ], 4096);
}

Test(console, what_is_not_live_waits_for_the_next_start)
{
	start();
	fc.con.st.focus = FIELD_ENGINE;
	fake_console_key(&fc, '+');
	expect_message("takes effect at the next start");
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE), 0);
	fc.con.st.focus = FIELD_RW;
	fake_console_key(&fc, TERM_ENTER);
	fake_console_type(&fc, "randwrite");
	fake_console_key(&fc, TERM_ENTER);
	expect_message("takes effect at the next start");
	fake_console_key(&fc, ']');
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.ops, IO_BIT(IO_READ),
		     "a run of reads never turns into writes by another key");
}

Test(console, a_change_during_the_layout_is_taken_over_when_the_run_is_on)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	fake_console_tick(&fc, RUN_LAYOUT);
	fake_console_key(&fc, ']');
	fake_console_key(&fc, ')');
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE), 0);
	fake_console_tick(&fc, RUN_ON);
	cr_assert_eq(fake_feed_count(&fc.ff, CMD_TUNE), 1);
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.qd, 64);
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.jobs, 2);
	fake_console_tick(&fc, RUN_ON);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE), 1, "once");
}

Test(console, a_late_change_that_is_refused_leaves_what_the_lane_has)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	job_spec_tuning(&fc.con.st.job, &fc.ff.snap->lane[0].tune);
	fake_console_tick(&fc, RUN_LAYOUT);
	fake_console_key(&fc, ']');
	fc.ff.refuse = EINVAL;
	fc.ff.refuse_msg = "qd=64: too deep";
	fake_console_tick(&fc, RUN_ON);
	expect_message("too deep");
	cr_expect_eq(fc.con.st.job.iodepth, 32);
}

Test(console, typing_replaces_the_old_value)
{
	fc.con.st.focus = FIELD_QD;
	fake_console_key(&fc, TERM_ENTER);
	fake_console_type(&fc, "12");
	fake_console_key(&fc, TERM_BACKSPACE);
	fake_console_type(&fc, "6");
	cr_expect_str_eq(fc.con.st.edit, "16");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fc.con.st.job.iodepth, 16);
	cr_expect_not(fc.con.st.editing);
}

Test(console, a_bad_value_stays_in_the_field_with_its_reason)
{
	fc.con.st.focus = FIELD_QD;
	fake_console_key(&fc, TERM_ENTER);
	fake_console_type(&fc, "many");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect(fc.con.st.editing);
	expect_message("many");
	fake_console_key(&fc, TERM_ESC);
	cr_expect_not(fc.con.st.editing);
	cr_expect_eq(fc.con.st.job.iodepth, 32);
}

Test(console, targets_and_profiles_are_fixed_while_a_run_is_on)
{
	struct err e = {0};

	start();
	cr_expect_eq(console_set_target(&fc.con, "/tmp/x", &e), -EBUSY);
	cr_expect_eq(console_load_profile(&fc.con, "x", &e), -EBUSY);
}

Test(console, mark_and_segment_need_a_run)
{
	fake_console_key(&fc, 'm');
	expect_message("no run is on");
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	start();
	fake_console_key(&fc, 'm');
	fake_console_type(&fc, "fan curve");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_MARK);
	cr_expect_str_eq(fake_feed_last(&fc.ff)->text, "fan curve");
	fake_console_key(&fc, 'n');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_SEGMENT);
}

Test(console, q_leaves_at_once_when_idle_and_asks_while_running)
{
	start();
	fake_console_key(&fc, 'q');
	cr_expect_eq(fc.con.quit, QUIT_NO);
	cr_expect(dialog_is_open(&fc.con.dialog));
	fake_console_key(&fc, TERM_ESC);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect(console_is_running(&fc.con), "Esc keeps it running");
	fake_console_key(&fc, 'q');
	fake_console_key(&fc, 's');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_STOP);
	cr_expect_eq(fc.con.quit, QUIT_DRAINING);
	console_pull(&fc.con);
	cr_expect_eq(fc.con.quit, QUIT_NOW);
	cr_expect_not(fc.con.end.discard);
}

Test(console, q_when_idle)
{
	fake_console_key(&fc, 'q');
	cr_expect_eq(fc.con.quit, QUIT_NOW);
}

Test(console, esc_never_quits)
{
	for (int i = 0; i < 10; i++)
		fake_console_key(&fc, TERM_ESC);
	cr_expect_eq(fc.con.quit, QUIT_NO);
}

Test(console, esc_cancels_a_layout)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	fake_console_tick(&fc, RUN_LAYOUT);
	fake_console_key(&fc, TERM_ESC);
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_STOP);
	fake_console_tick(&fc, RUN_ON);
	fake_console_key(&fc, TERM_ESC);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_STOP), 1, "a run is not stopped by Esc");
}

Test(console, ctrl_c_three_times)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	fake_console_tick(&fc, RUN_ON);
	fake_console_key(&fc, TERM_CTRL_C);
	cr_expect(dialog_is_open(&fc.con.dialog));
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_STOP), 0);
	fake_console_key(&fc, TERM_CTRL_C);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_STOP), 1);
	cr_expect_eq(fc.con.quit, QUIT_DRAINING);
	fake_console_tick(&fc, RUN_DRAIN);
	expect_message("Ctrl-C");
	fake_console_key(&fc, TERM_CTRL_C);
	cr_expect_eq(fc.con.quit, QUIT_NOW);
	cr_expect(fc.con.end.abandoned);
}

Test(console, a_late_second_ctrl_c_only_asks_again)
{
	start();
	fake_console_key(&fc, TERM_CTRL_C);
	fc.ff.clock.now_ns += 6 * NSEC_PER_SEC;
	fake_console_key(&fc, TERM_CTRL_C);
	cr_expect_eq(fc.con.quit, QUIT_NO);
}

Test(console, a_signal_stops_drains_and_is_remembered)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	fake_console_tick(&fc, RUN_ON);
	console_signal(&fc.con, SIGTERM);
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_STOP);
	cr_expect_eq(fake_feed_last(&fc.ff)->signo, SIGTERM, "the report tells of it");
	cr_expect_eq(fc.con.quit, QUIT_DRAINING);
	fake_console_tick(&fc, RUN_DONE);
	cr_expect_eq(fc.con.quit, QUIT_NOW);
	cr_expect_eq(fc.con.end.signo, SIGTERM);
	cr_expect_not(fc.con.end.abandoned);
}

Test(console, a_failed_run_says_why)
{
	fc.ff.obey = false;
	fake_console_key(&fc, ' ');
	snprintf(fc.ff.snap->error, sizeof(fc.ff.snap->error), "No space left on device");
	fake_console_tick(&fc, RUN_FAILED);
	expect_message("No space left");
}

Test(console, a_new_file_gets_a_size_and_is_remembered_for_removal)
{
	struct err e = {0};
	char path[128];

	snprintf(path, sizeof(path), "%s/new:file", fc.root);
	cr_assert_eq(console_set_target(&fc.con, path, &e), 0, "%s", e.msg);
	cr_expect(strstr(fc.con.st.job.filename, "new\\:file"), "%s", fc.con.st.job.filename);
	cr_expect_eq(fc.con.st.job.size.bytes, 1ull << 30);
	start();
	cr_assert_eq(fc.con.end.n_new_files, 1);
	cr_expect_str_eq(fc.con.end.new_files[0], path);
}

Test(console, a_size_that_was_asked_for_stays)
{
	struct err e = {0};
	char path[128];

	snprintf(path, sizeof(path), "%s/new", fc.root);
	cr_assert_eq(console_set(&fc.con, "size=16m", &e), 0, "%s", e.msg);
	cr_assert_eq(console_set_target(&fc.con, path, &e), 0, "%s", e.msg);
	cr_expect_eq(fc.con.st.job.size.bytes, 16ull << 20);
}

Test(console, what_cannot_be_a_target_is_refused_by_name)
{
	static const struct {
		const char *path, *why;
	} cases[] = {
		{"/dev/null", "character device"},
		{"/tmp", "folder"},
		{"/dev/nosuchdisk", "no such device"},
		{"/no/such/folder/file", "no such folder"},
		{"", "path is needed"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err e = {0};

		cr_expect_lt(console_set_target(&fc.con, cases[i].path, &e), 0, "%s",
			     cases[i].path);
		cr_expect(strstr(e.msg, cases[i].why), "%s: %s", cases[i].path, e.msg);
		cr_expect_null(fc.con.st.job.filename);
	}
}

Test(console, saving_asks_before_it_replaces)
{
	struct err e = {0};

	fake_console_key(&fc, 'w');
	fake_console_type(&fc, "mine");
	fake_console_key(&fc, TERM_ENTER);
	expect_message("saved");
	fake_console_key(&fc, 'w');
	fake_console_key(&fc, TERM_ENTER); /* its name is preset */
	cr_expect(dialog_is_open(&fc.con.dialog), "it asks");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	expect_message("saved");
	cr_assert_eq(console_set(&fc.con, "qd=7", &e), 0);
	cr_assert_eq(console_load_profile(&fc.con, "mine", &e), 0, "%s", e.msg);
	cr_expect_eq(fc.con.st.job.iodepth, 32, "loaded back");
	cr_expect_lt(console_save_profile(&fc.con, "../evil", true, &e), 0);
}

Test(console, views_and_units_are_switched)
{
	fake_console_key(&fc, 'v');
	cr_expect_eq(fc.con.st.pane, PANE_HEAT);
	fake_console_key(&fc, 'u');
	cr_expect(fc.con.st.si);
	fake_console_key(&fc, 'i');
	cr_expect(fc.con.st.totals);
	fake_console_key(&fc, 'y');
	cr_expect_eq(fc.con.st.y_mode, Y_FITTED);
	for (int i = 0; i < 3; i++)
		fake_console_key(&fc, 't');
	cr_expect_eq(fc.con.st.window_ns, 0);
	fake_console_key(&fc, 'f');
	cr_expect_not(fc.con.st.frozen, "nothing to freeze yet");
	start();
	fake_console_key(&fc, 'f');
	cr_expect(fc.con.st.frozen);
}

/* ---- the monkey ---- */

static uint32_t random_key(struct rng *r)
{
	static const uint32_t odd[] = {0x1f600, 0xe9, '0', '5', '9', 'a', 'Z', '/', '~', 0x10ffff};
	size_t n = 0;

	while (keys_table[n].request)
		n++;
	if (rng_below(r, 8) == 0)
		return odd[rng_below(r, sizeof(odd) / sizeof(odd[0]))];
	return keys_table[rng_below(r, n)].key;
}

static void check_start(const struct fake_command *c)
{
	cr_assert_geq(c->n_jobs, 1);
	cr_assert_not_null(c->job.name);
	cr_assert(c->job.numjobs >= 1 && c->job.numjobs <= TUNING_JOBS_MAX);
	cr_assert(c->job.iodepth >= 1 && c->job.iodepth <= TUNING_QD_MAX);
	cr_assert(c->job.rw.ops);
	for (int op = 0; op < IO_OP_NR; op++)
		cr_assert_geq(c->job.bs_bytes[op], 1);
}

static void check_tune(const struct tuning *t, uint8_t start_ops)
{
	cr_assert(t->jobs >= 1 && t->jobs <= TUNING_JOBS_MAX);
	cr_assert(t->qd >= 1 && t->qd <= TUNING_QD_MAX);
	cr_assert(t->ops && !(t->ops & ~start_ops), "ops beyond those of the start");
	cr_assert_leq(t->read_pct, 100);
	for (int op = 0; op < IO_OP_NR; op++)
		cr_assert_geq(t->bs_bytes[op], 1);
}

static void check_log(const struct fake_feed *ff, size_t from)
{
	static uint8_t start_ops[LANE_MAX];

	for (size_t i = from; i < ff->n; i++) {
		if (ff->log[i].kind == CMD_START) {
			check_start(&ff->log[i]);
			memcpy(start_ops, ff->log[i].ops, sizeof(start_ops));
		} else if (ff->log[i].kind == CMD_SWEEP || ff->log[i].kind == CMD_SWEEP_RESUME ||
			   ff->log[i].kind == CMD_SWEEP_REDO) {
			memset(start_ops, 0xff,
			       sizeof(start_ops)); /* tunes its lane itself, and refuses others */
		} else if (ff->log[i].kind == CMD_TUNE) {
			check_tune(&ff->log[i].tune, start_ops[ff->log[i].lane]);
		}
	}
}

static void monkey_turn(struct rng *r)
{
	size_t from = fc.ff.n;

	fc.ff.clock.now_ns += rng_below(r, 50) * NSEC_PER_MSEC;
	fc.ff.refuse = rng_below(r, 10) == 0 ? EINVAL : 0;
	fc.ff.refuse_msg = "the monkey is refused";
	fake_console_key(&fc, random_key(r));
	check_log(&fc.ff, from);
	if (rng_below(r, 20) == 0)
		fake_console_tick(&fc, fc.ff.snap->state);
	if (rng_below(r, 50) == 0)
		canvas_resize(&fc.canvas, 1 + (int)rng_below(r, 150), 1 + (int)rng_below(r, 50));
	if (rng_below(r, 10) == 0)
		free(fake_console_screen(&fc));
	fc.con.quit = QUIT_NO; /* the monkey never gets out */
}

/* 20000 keys; a failure names the seed, which makes it again. Profiles go to the test's own folder. */
Test(console, monkey, .timeout = 120)
{
	const uint64_t seed = 20240607;
	struct rng r;

	rng_seed(&r, seed);
	if (chdir(fc.root) != 0)
		cr_skip("no folder of its own");
	for (int i = 0; i < 20000; i++)
		monkey_turn(&r);
	cr_expect_gt(fake_feed_count(&fc.ff, CMD_START), 20, "the monkey must get somewhere");
	cr_expect_gt(fake_feed_count(&fc.ff, CMD_TUNE), 50);
	if (chdir("/") != 0)
		cr_log_warn("still in the test's folder");
}

Test(console, the_objective_is_typed_and_cleared)
{
	struct err e = {0};

	cr_expect_eq(console_slo(&fc.con, "p99<200us", &e), 0, "%s", e.msg);
	cr_expect(fc.con.st.slo.set && fc.con.st.slo.limit_ns == 200000);
	cr_expect_lt(console_slo(&fc.con, "p99", &e), 0);
	cr_expect(fc.con.st.slo.set, "a bad one leaves the old one");
	cr_expect_eq(console_slo(&fc.con, " ", &e), 0);
	cr_expect_not(fc.con.st.slo.set);
	fake_console_key(&fc, 's');
	cr_expect(dialog_is_open(&fc.con.dialog));
}

/* While frozen, left and right read values; the focus stays where it is. */
Test(console, frozen_arrows_move_the_cursor)
{
	enum field focus = fc.con.st.focus;

	fc.con.model.snap->seq = 1;
	fc.con.model.snap->t_ns = 1000 * NSEC_PER_SEC;
	fake_console_key(&fc, 'f');
	cr_expect_eq(fc.con.st.cursor_ns, fc.con.st.frozen_t_ns);
	fake_console_key(&fc, 'l');
	cr_expect_eq(fc.con.st.cursor_ns, fc.con.st.frozen_t_ns, "not beyond the end");
	fake_console_key(&fc, 'h');
	cr_expect_lt(fc.con.st.cursor_ns, fc.con.st.frozen_t_ns);
	cr_expect_eq(fc.con.st.focus, focus);
	fake_console_key(&fc, 'f');
	fake_console_key(&fc, 'l');
	cr_expect_neq(fc.con.st.focus, focus);
}

/* Who stops a run looks at the screen; who has gone for coffee wants to hear its end. */
Test(console, the_bell_is_for_runs_that_end_by_themselves)
{
	for (int bell = 0; bell < 2; bell++) {
		fc.cfg.bell = bell;
		start();
		fake_console_tick(&fc, RUN_DONE);
		cr_expect_eq(fc.con.wish.bell, bell);
		start();
		fake_console_key(&fc, ' ');
		console_pull(&fc.con);
		cr_expect_not(fc.con.wish.bell);
	}
}
