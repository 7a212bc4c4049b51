/* The verbs, typed and from a file. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/fsutil.h"
#include "tests/unit/fake_feed.h"
#include "ui/script.h"

static struct fake_console fc;

static void begin(void)
{
	fake_console_init(&fc, 80, 24);
	fc.ff.obey = true;
}

static void end(void)
{
	fake_console_fini(&fc);
}

TestSuite(script, .init = begin, .fini = end);

static enum script_state run_text(const char *text, struct err *e)
{
	struct script s;
	enum script_state state;

	script_parse(&s, "a.iod", text);
	for (int i = 0; i < 200; i++) {
		state = script_step(&s, &fc.con, fc.ff.clock.now_ns, e);
		if (state != SCRIPT_WAITING)
			break;
		fake_console_tick(&fc, fc.ff.snap->state);
	}
	script_fini(&s);
	return state;
}

static void expect_fails(const char *text, const char *where, const char *why)
{
	struct err e = {0};

	cr_expect_eq(run_text(text, &e), SCRIPT_FAILED, "%s", text);
	cr_expect_eq(strncmp(e.msg, where, strlen(where)), 0, "%s", e.msg);
	cr_expect(strstr(e.msg, why), "\"%s\" does not say \"%s\"", e.msg, why);
}

Test(script, verbs_of_a_whole_session)
{
	struct err e = {0};

	cr_expect_eq(run_text("# comment\n\n:set qd=64 bs=16k\n  run\nwait running\nmark hot\n"
			      "key ]\nwait 1\nstop\nwait idle\n",
			      &e),
		     SCRIPT_DONE, "%s", e.msg);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_START), 1);
	cr_expect_eq(fc.ff.log[0].job.iodepth, 64);
	cr_expect_eq(fc.ff.log[0].job.bs_bytes[IO_READ], 16384);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_MARK), 1);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE), 1);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_STOP), 1);
}

Test(script, errors_name_file_and_line)
{
	expect_fails("set qd=8\nexplode\n", "a.iod:2:", "no such command");
	expect_fails("\n\n\nset qd=many", "a.iod:4:", "many");
	expect_fails("set", "a.iod:1:", "is needed");
	expect_fails("run now", "a.iod:1:", "no argument");
	expect_fails("key Hyper", "a.iod:1:", "no such key");
	expect_fails("wait forever", "a.iod:1:", "running, idle");
	expect_fails("wait running", "a.iod:1:", "no run is on");
	expect_fails("stop", "a.iod:1:", "no run is on");
	expect_fails("profile load", "a.iod:1:", "load NAME");
	expect_fails("profile load nosuch", "a.iod:1:", "nosuch");
	expect_fails("size 0x0", "a.iod:1:", "WxH");
	expect_fails("dev /dev/null", "a.iod:1:", "character device");
	expect_fails("assert no such words", "a.iod:1:", "no such words");
	expect_fails("save-screen x.png", "a.iod:1:", ".svg");
	expect_fails("wait text never there", "a.iod:1:", "never there");
}

Test(script, set_stops_at_the_first_bad_word)
{
	struct err e = {0};

	cr_expect_lt(script_verb(&fc.con, NULL, "set qd=8 bs=x jobs=3", 0, &e), 0);
	cr_expect_eq(fc.con.st.job.iodepth, 8);
	cr_expect_eq(fc.con.st.job.numjobs, 1);
}

Test(script, a_failed_run_ends_the_wait)
{
	struct err e = {0};
	struct script s;

	fc.ff.obey = false;
	script_parse(&s, "a.iod", "run\nwait running\n");
	cr_expect_eq(script_step(&s, &fc.con, fc.ff.clock.now_ns, &e), SCRIPT_WAITING);
	snprintf(fc.ff.snap->error, sizeof(fc.ff.snap->error), "no space left");
	fake_console_tick(&fc, RUN_FAILED);
	cr_expect_eq(script_step(&s, &fc.con, fc.ff.clock.now_ns, &e), SCRIPT_FAILED);
	cr_expect(strstr(e.msg, "no space left"), "%s", e.msg);
	script_fini(&s);
}

Test(script, idle_waits_for_a_run_that_no_snapshot_shows_yet)
{
	struct err e = {0};
	struct script s;

	fc.ff.obey = false;
	script_parse(&s, "a.iod", "run\nwait idle\nset qd=2\n");
	cr_expect_eq(script_step(&s, &fc.con, fc.ff.clock.now_ns, &e), SCRIPT_WAITING);
	cr_expect_eq(fc.con.st.job.iodepth, 32);
	fake_console_tick(&fc, RUN_DONE);
	cr_expect_eq(script_step(&s, &fc.con, fc.ff.clock.now_ns, &e), SCRIPT_DONE);
	cr_expect_eq(fc.con.st.job.iodepth, 2);
	script_fini(&s);
}

Test(script, every_key_has_its_verb)
{
	struct err e = {0};

	cr_expect_eq(script_verb(&fc.con, NULL, ":view", 0, &e), 0);
	cr_expect_eq(fc.con.st.pane, PANE_HEAT);
	cr_expect_eq(script_verb(&fc.con, NULL, "help", 0, &e), 0);
	cr_expect(dialog_is_open(&fc.con.dialog));
	cr_expect_lt(script_verb(&fc.con, NULL, "view 2", 0, &e), 0);
}

Test(script, script_only_verbs_are_refused_to_people)
{
	struct err e = {0};

	cr_expect_lt(script_verb(&fc.con, NULL, "wait 5", 0, &e), 0);
	cr_expect(strstr(e.msg, "only in a script"), "%s", e.msg);
}

Test(script, the_command_line_runs_verbs_and_remembers_them)
{
	fake_console_key(&fc, ':');
	fake_console_type(&fc, "set qd=5");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fc.con.st.job.iodepth, 5);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	fake_console_key(&fc, ':');
	fake_console_key(&fc, TERM_UP);
	fake_console_key(&fc, TERM_BACKSPACE);
	fake_console_type(&fc, "9");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fc.con.st.job.iodepth, 9);
	fake_console_key(&fc, ':');
	fake_console_type(&fc, "bogus");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect(strstr(fc.con.st.message, "no such command"), "%s", fc.con.st.message);
}

Test(script, screens_are_saved_by_their_suffix)
{
	static const struct {
		const char *name, *start;
	} cases[] = {{"s.txt", " iodeck"}, {"s.ans", ""}, {"s.svg", "<"}};
	char line[200], path[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf sb = {0};
		struct err e = {0};

		snprintf(path, sizeof(path), "%s/%s", fc.root, cases[i].name);
		snprintf(line, sizeof(line), "save-screen %s", path);
		cr_assert_eq(script_verb(&fc.con, NULL, line, 0, &e), 0, "%s", e.msg);
		cr_assert_eq(fs_read_all("", path, &sb), 0);
		cr_expect_gt(sb.len, 100);
		cr_expect_eq(strncmp(strbuf_str(&sb), cases[i].start, strlen(cases[i].start)), 0,
			     "%.20s", strbuf_str(&sb));
		strbuf_fini(&sb);
	}
}

Test(script, size_and_assert_work_on_the_memory_grid)
{
	struct err e = {0};

	cr_expect_eq(run_text("size 120x40\nassert randread\nsize 80x24\nassert 4 KiB\n", &e),
		     SCRIPT_DONE, "%s", e.msg);
}

Test(script, quit_in_a_script_stops_without_asking)
{
	struct err e = {0};

	cr_expect_eq(run_text("run\nwait running\nquit\nexplode\n", &e), SCRIPT_DONE, "%s", e.msg);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_STOP), 1);
	cr_expect_eq(fc.con.quit, QUIT_DRAINING);
	cr_expect_not(fc.con.end.discard);
}

Test(script, quit_with_a_bang_discards)
{
	struct err e = {0};

	cr_expect_eq(run_text("run\nquit!\n", &e), SCRIPT_DONE, "%s", e.msg);
	cr_expect(fc.con.end.discard);
}

Test(script, a_missing_or_binary_file_is_named)
{
	struct script s;
	struct err e = {0};
	char path[128];

	cr_expect_lt(script_load(&s, "/no/such.iod", &e), 0);
	cr_expect(strstr(e.msg, "/no/such.iod"), "%s", e.msg);
	script_fini(&s);
	snprintf(path, sizeof(path), "%s/bin.iod", fc.root);
	cr_assert_eq(fs_write_atomic(path, "run\0run", 7), 0);
	cr_expect_lt(script_load(&s, path, &e), 0);
	cr_expect(strstr(e.msg, "not a text file"), "%s", e.msg);
	script_fini(&s);
}

Test(script, a_long_line_is_refused_whole)
{
	struct strbuf sb = {0};
	struct err e = {0};

	for (int i = 0; i < 2000; i++)
		strbuf_putc(&sb, 'x');
	cr_expect_eq(run_text(strbuf_str(&sb), &e), SCRIPT_FAILED);
	cr_expect(strstr(e.msg, "longer than"), "%s", e.msg);
	strbuf_fini(&sb);
}
