/* The Sweep screen's keys: what they send, what they show, what they refuse. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/dev/guard.h"
#include "tests/unit/fake_feed.h"
#include "ui/view_sweep.h"

static struct fake_console fc;
static char exported[64];
static size_t n_exported;

static int export(const struct sweep_result *r, const struct job_spec *job, const char *path,
		  struct err *e)
{
	(void)r;
	(void)e;
	cr_expect_not_null(job);
	snprintf(exported, sizeof(exported), "%s", path);
	n_exported++;
	return 0;
}

static void begin(void)
{
	fake_console_init(&fc, 100, 30);
	fc.cfg.export_sweep = export;
	fc.con.view = &view_sweep;
	fc.con.st.job.rw.ops = IO_BIT(IO_READ);
}

static void end(void)
{
	fake_console_fini(&fc);
}

TestSuite(console_sweep, .init = begin, .fini = end);

static bool shows(const char *part)
{
	char *screen = fake_console_screen(&fc);
	bool there = strstr(screen, part) != NULL;

	free(screen);
	return there;
}

/* A finished sweep as the feed tells it. */
static void finish(void)
{
	sweep_result_init(&fc.ff.snap->sweep.r, &fc.con.st.sweep.spec);
	snprintf(fc.ff.snap->sweep.r.target, sizeof(fc.ff.snap->sweep.r.target), "/dev/sda");
	fc.ff.snap->sweep.phase = SWEEP_OVER;
	fake_console_tick(&fc, RUN_DONE);
}

Test(console_sweep, b_puts_reads_and_writes_in_the_columns_and_takes_them_back)
{
	struct sweep_spec before = fc.con.st.sweep.spec;
	const struct sweep_spec *spec = &fc.con.st.sweep.spec;

	fc.con.st.sweep.col = 1;
	fake_console_key(&fc, 'b');
	cr_expect_eq(spec->col, SWEEP_MIX);
	cr_expect_eq(spec->axis[SWEEP_MIX].n, 2);
	cr_expect_eq(spec->axis[SWEEP_BS].n, 1);
	cr_expect_eq(spec->axis[SWEEP_BS].v[0], before.axis[SWEEP_BS].v[1], "the cursor's size");
	cr_expect(shows("rwmixread=100,0"));
	fake_console_key(&fc, 'b');
	cr_expect_eq(spec->axis[SWEEP_BS].n, before.axis[SWEEP_BS].n);
	cr_expect_eq(spec->axis[SWEEP_MIX].n, 0);
	cr_expect_eq(spec->col, SWEEP_BS);
}

/* Half of it writes: the guard is asked though the strip only reads. */
Test(console_sweep, reads_and_writes_ask_the_guard_once)
{
	struct guard_ask ask = {.path = "/dev/sda",
				.end_bytes = 4096,
				.report = {.verdict = GUARD_CONFIRM,
					   .for_writing = true,
					   .is_block = true,
					   .phrase = "sda 9K2F"}};

	fc.ff.ask = &ask;
	fake_console_key(&fc, 'a');
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP), 1, "reading asks nothing");
	fake_console_tick(&fc, RUN_DONE);
	fake_console_key(&fc, 'b');
	fake_console_key(&fc, 'a');
	cr_expect(dialog_is_open(&fc.con.dialog));
	fake_console_type(&fc, "sda 9K2F");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP), 2);
	cr_expect_eq(fc.con.sweep_job.jobs[0].rw.ops, IO_BIT(IO_READ) | IO_BIT(IO_WRITE));
	cr_expect_eq(fc.con.st.job.rw.ops, IO_BIT(IO_READ), "the strip keeps its pattern");
}

Test(console_sweep, s_sets_the_objective_of_the_next_sweep_and_of_this_one)
{
	fake_console_key(&fc, 's');
	fake_console_type(&fc, "p99<1ms");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect(fc.con.st.sweep.spec.slo.set);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP_SLO), 0, "nothing is measured yet");
	finish();
	fake_console_key(&fc, 's');
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP_SLO), 1);
	fake_console_key(&fc, 's');
	fake_console_type(&fc, "nonsense");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP_SLO), 1);
	cr_expect_not(fc.con.st.slo.set, "the Run screen has its own");
}

Test(console_sweep, x_exports_what_is_measured_and_nothing_else)
{
	fake_console_key(&fc, 'x');
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect(shows("nothing is measured yet"));
	fake_console_key(&fc, 'a');
	finish();
	fake_console_key(&fc, 'x');
	cr_expect(dialog_is_open(&fc.con.dialog));
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(n_exported, 1);
	cr_expect_str_eq(exported, "sweep.json");
	cr_expect(shows("written: sweep.json"));
}

Test(console_sweep, c_turns_the_curve)
{
	finish();
	cr_expect_not(fc.con.st.sweep.row_curve);
	fake_console_key(&fc, 'c');
	cr_expect(fc.con.st.sweep.row_curve);
	for (int h = 1; h < 40; h += 3)
		for (int w = 1; w < 130; w += 7) {
			canvas_resize(&fc.canvas, w, h);
			free(fake_console_screen(&fc));
		}
}

Test(console_sweep, a_simulated_device_is_marked_before_and_after)
{
	struct err e = {0};

	cr_expect_not(shows("SIMULATED"));
	cr_assert_eq(console_set_target(&fc.con, "sim:nvme", &e), 0, "%s", e.msg);
	fc.con.st.target_line[0] = '\0';
	cr_expect(shows("SIMULATED"));
	finish();
	cr_expect_not(shows("SIMULATED"), "what is shown was measured on /dev/sda");
	snprintf(fc.ff.snap->sweep.r.target, sizeof(fc.ff.snap->sweep.r.target), "sim:nvme");
	fake_console_tick(&fc, RUN_DONE);
	cr_expect(shows("SIMULATED"));
}

static struct job_spec noted;

static void see(struct archive *a, const struct snapshot *snap)
{
	(void)a;
	(void)snap;
}

static void checkpoint(struct archive *a, const struct archive_note *note)
{
	(void)a;
	job_spec_fini(&noted);
	job_spec_copy(&noted, note->job);
}

/* What a crash would leave names the sweep's job, not what the form shows meanwhile. */
Test(console_sweep, what_is_kept_meanwhile_is_of_the_sweep_s_job)
{
	static const struct archive_ops ops = {.see = see, .checkpoint = checkpoint};
	struct archive a = {.ops = &ops};

	job_spec_init(&noted);
	fc.con.st.job.rw.ops = IO_BIT(IO_READ);
	fake_console_key(&fc, ' ');
	cr_assert_gt(fc.con.sweep_job.n_jobs, 0);
	fc.cfg.archive = &a;
	fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
	fake_console_tick(&fc, RUN_ON);
	cr_expect_eq(noted.rw.ops, IO_BIT(IO_READ));
	fc.cfg.archive = NULL;
	job_spec_fini(&noted);
}
