/* A target that does not answer: the keys stay alive, and nothing starts behind the user's back. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/dev/guard.h"
#include "tests/unit/fake_feed.h"

static struct fake_console fc;
static struct guard_ask ask;

static void begin(void)
{
	fake_console_init(&fc, 100, 30);
	fc.cfg.ask_wait_ns = 1;
	fc.ff.obey = true;
	ask = (struct guard_ask){
		.path = "/dev/sda",
		.end_bytes = 1 << 20,
		.report = {.verdict = GUARD_CONFIRM,
			   .for_writing = true,
			   .is_block = true,
			   .name = "sda",
			   .phrase = "sda 9K2F"},
	};
	fc.con.st.job.rw.ops = IO_BIT(IO_READ);
}

static void end(void)
{
	fake_feed_go_on(&fc.ff);
	fake_console_fini(&fc);
}

TestSuite(console_asking, .init = begin, .fini = end, .timeout = 120);

static void tick(void)
{
	console_pull(&fc.con);
	console_tick(&fc.con, fc.ff.clock.now_ns);
}

/* Until all threads have answered; their answers are taken over by the next tick. */
static void settle(void)
{
	fake_feed_go_on(&fc.ff);
	cr_assert(asking_all_done(60 * NSEC_PER_SEC));
	tick();
}

static void start_and_hang(enum command_kind at)
{
	fc.ff.hang = (int)at;
	fake_console_key(&fc, ' ');
	fake_feed_wait_hang(&fc.ff);
}

static bool shows(const char *part)
{
	char *screen = fake_console_screen(&fc);
	bool there = strstr(screen, part) != NULL;

	free(screen);
	return there;
}

static size_t starts(void)
{
	return fake_feed_count(&fc.ff, CMD_START);
}

Test(console_asking, the_screen_says_so_and_keys_work)
{
	uint32_t qd = fc.con.st.job.iodepth;

	start_and_hang(CMD_GUARD);
	fc.ff.clock.now_ns += 3 * NSEC_PER_SEC;
	tick();
	cr_expect(shows("ASKING 0:03"));
	cr_expect(shows("Esc gives up"));
	fake_console_key(&fc, ']');
	cr_expect_gt(fc.con.st.job.iodepth, qd, "the strip is alive");
	fake_console_key(&fc, '?');
	cr_expect(dialog_is_open(&fc.con.dialog), "so is the help");
	cr_expect_eq(starts(), 0);
	fake_console_key(&fc, TERM_ESC);
	settle();
	cr_expect_eq(starts(), 1);
	cr_expect(console_is_running(&fc.con));
	cr_expect_not(shows("ASKING"));
}

/* What was changed while it was asked about reaches the run. */
Test(console_asking, a_change_meanwhile_is_not_lost)
{
	start_and_hang(CMD_GUARD);
	fake_console_key(&fc, ']');
	settle();
	fake_console_tick(&fc, RUN_ON);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE), 1);
	cr_expect_eq(fake_feed_last(&fc.ff)->tune.qd, fc.con.st.job.iodepth);
}

Test(console_asking, a_second_start_waits_for_the_first)
{
	struct err e = {0};

	start_and_hang(CMD_GUARD);
	cr_expect_eq(console_start(&fc.con, &e), -16, "%s", e.msg);
	cr_expect(strstr(e.msg, "not answered"), "%s", e.msg);
	settle();
	cr_expect_eq(starts(), 1);
}

Test(console_asking, esc_and_space_give_up)
{
	static const uint32_t keys[] = {TERM_ESC, ' '};

	for (size_t i = 0; i < 2; i++) {
		start_and_hang(CMD_GUARD);
		fake_console_key(&fc, keys[i]);
		cr_expect_not(console_is_running(&fc.con));
		cr_expect(shows("given up"));
		settle();
		cr_expect_eq(starts(), 0, "key %zu", i);
	}
}

/* Too late to hold it back: it is stopped as soon as it has begun. */
Test(console_asking, given_up_while_the_start_is_on_its_way)
{
	start_and_hang(CMD_START);
	fake_console_key(&fc, TERM_ESC);
	settle();
	cr_expect_eq(starts(), 1);
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_STOP);
}

Test(console_asking, the_question_comes_with_the_answer)
{
	fc.ff.ask = &ask;
	fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
	start_and_hang(CMD_GUARD);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	fake_console_key(&fc, '?');
	settle();
	cr_expect(dialog_is_open(&fc.con.dialog));
	cr_expect_eq(dialog_keys(&fc.con.dialog), KEYS_GUARD);
	cr_expect_eq(starts(), 0);
}

Test(console_asking, a_refusal_that_comes_late_is_told)
{
	fc.ff.refuse = 5;
	fc.ff.refuse_msg = "sda does not like it";
	start_and_hang(CMD_GUARD);
	settle();
	cr_expect(shows("sda does not like it"));
	cr_expect_not(console_is_running(&fc.con));
}

Test(console_asking, quitting_does_not_wait_for_it)
{
	start_and_hang(CMD_GUARD);
	fake_console_key(&fc, 'q');
	cr_expect_eq(fc.con.quit, QUIT_NOW);
	cr_expect_not(console_ask_end(&fc.con), "a thread is still in the kernel");
	cr_expect_eq(starts(), 0);
	settle();
	cr_expect(console_ask_end(&fc.con));
}

/* ---- WRITES ARMED before the first start ---- */

static void write_with_consent(void)
{
	struct err e = {0};

	cr_assert_eq(console_set_target(&fc.con, "sim:hdd", &e), 0, "%s", e.msg);
	fc.ff.ask = &ask;
	fc.ff.ask_agreed = true;
	fc.con.has_consent = true;
	fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
}

Test(console_asking, consent_of_the_command_line_is_shown_at_once)
{
	write_with_consent();
	cr_expect_not(shows("WRITES ARMED"));
	tick();
	settle();
	cr_expect(shows("WRITES ARMED"));
	cr_expect_eq(starts(), 0);
	for (int i = 0; i < 5; i++)
		tick();
	cr_expect_eq(fc.ff.n_guard, 1, "it is asked once for a target");
}

Test(console_asking, consent_for_another_target_does_not_arm_this_one)
{
	write_with_consent();
	fc.ff.ask_agreed = false;
	tick();
	settle();
	cr_expect_not(shows("WRITES ARMED"));
	cr_expect_not(dialog_is_open(&fc.con.dialog), "nothing is asked before a start");
}

Test(console_asking, another_target_is_not_armed_until_it_is_known)
{
	struct err e = {0};

	write_with_consent();
	tick();
	settle();
	fc.ff.hang = CMD_GUARD;
	cr_assert_eq(console_set_target(&fc.con, "sim:nvme", &e), 0, "%s", e.msg);
	tick();
	cr_expect_not(shows("WRITES ARMED"));
	settle();
	cr_expect_eq(fc.ff.n_guard, 2);
}

Test(console_asking, without_any_consent_nothing_is_asked)
{
	fc.ff.ask = &ask;
	fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
	tick();
	settle();
	cr_expect_eq(fc.ff.n_guard, 0);
}

/* Two looks at one device at once would find each other: the start comes after the probe. */
Test(console_asking, a_start_waits_for_the_probe_of_the_same_target)
{
	write_with_consent();
	fc.ff.hang = CMD_GUARD;
	tick();
	fake_feed_wait_hang(&fc.ff);
	fake_console_key(&fc, ' ');
	cr_expect(shows("ASKING"));
	cr_expect_eq(fc.ff.n_guard, 0);
	settle();
	cr_expect_eq(fc.ff.n_guard, 2);
	cr_expect_eq(starts(), 1);
}
