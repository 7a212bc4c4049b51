/* The History screen over a real store in a folder of its own: keys to files, and what is drawn. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/rec/store.h"
#include "tests/unit/fake_feed.h"
#include "tests/unit/golden.h"
#include "ui/term.h"
#include "ui/view_history.h"

static struct fake_console fc;
static char runs[256];

static void begin(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	fake_console_init(&fc, 100, 30);
	snprintf(runs, sizeof(runs), "%.200s/runs", fc.root);
	fc.cfg.archive = store_open(&(struct store_cfg){.folder = runs});
	fc.ff.obey = true;
}

static void end(void)
{
	struct archive *a = fc.cfg.archive;

	fake_console_fini(&fc);
	store_close(a);
}

TestSuite(history, .init = begin, .fini = end);

static void expect_screen(const char *part)
{
	char *text = fake_console_screen(&fc);

	cr_expect(strstr(text, part), "\"%s\" is not on\n%s", part, text);
	free(text);
}

/* A run of a second that the user stops. */
static void run(uint64_t ops)
{
	struct lane_snap *l = &fc.ff.snap->lane[0];

	/* Each begins later, as a new run does. */
	fake_console_key(&fc, ' ');
	console_pull(&fc.con);
	for (int i = 0; i < 11; i++) {
		fake_console_tick(&fc, RUN_ON);
		snprintf(l->target, sizeof(l->target), "/dev/nvme1n1");
		l->elapsed_ns += 100 * NSEC_PER_MSEC;
		l->total[IO_READ].ops += ops / 10;
		l->total[IO_OP_NR] = l->total[IO_READ];
		l->total[IO_OP_NR].iops = (double)ops;
		l->total[IO_OP_NR].bps = (double)ops * 4096;
	}
	fake_console_key(&fc, ' ');
	console_pull(&fc.con);
	cr_assert(!console_is_running(&fc.con));
	memset(l, 0, sizeof(*l));
}

static size_t kept(void)
{
	struct archive_list l;
	struct err e = {0};
	size_t n;

	cr_assert_eq(fc.cfg.archive->ops->list(fc.cfg.archive, &l, &e), 0, "%s", e.msg);
	n = l.n;
	archive_list_fini(&l);
	return n;
}

Test(history, a_run_that_ends_is_kept_and_shown)
{
	run(364000);
	cr_expect_eq(kept(), 1);
	cr_expect(strstr(fc.con.st.message, "History"), "%s", fc.con.st.message);
	fake_console_key(&fc, '4');
	expect_screen("nvme1n1");
	expect_screen("364k");
	expect_screen("stopped");
	expect_screen("1 run");
}

Test(history, a_discarded_run_is_not_kept)
{
	fake_console_key(&fc, ' ');
	console_pull(&fc.con);
	fc.ff.snap->lane[0].total[IO_OP_NR].ops = 5;
	fake_console_tick(&fc, RUN_ON);
	fake_console_key(&fc, 'q');
	fake_console_key(&fc, 'd');
	console_pull(&fc.con);
	cr_expect_eq(fc.con.quit, QUIT_NOW);
	cr_expect_eq(kept(), 0);
}

Test(history, without_an_archive_the_screen_says_so)
{
	struct archive *a = fc.cfg.archive;

	fc.cfg.archive = NULL;
	fake_console_key(&fc, '4');
	expect_screen("keeps no runs");
	fake_console_key(&fc, 'x');
	cr_expect(strstr(fc.con.st.message, "nothing is kept"), "%s", fc.con.st.message);
	fc.cfg.archive = a;
}

Test(history, tag_filter_and_back)
{
	run(1000);
	fake_console_key(&fc, 'T');
	fake_console_type(&fc, "new cable");
	fake_console_key(&fc, TERM_ENTER);
	run(2000);
	fake_console_key(&fc, '4');
	expect_screen("2 runs");
	fake_console_key(&fc, '/');
	fake_console_type(&fc, "CABLE");
	fake_console_key(&fc, TERM_ENTER);
	expect_screen("1 of 2");
	expect_screen("new cable");
	fake_console_key(&fc, TERM_ESC);
	expect_screen("2 runs");
}

Test(history, the_overlay_shows_each_picked_run_by_its_letter)
{
	run(1000);
	run(3000);
	fake_console_key(&fc, '4');
	fake_console_key(&fc, ' ');
	fake_console_key(&fc, TERM_DOWN);
	fake_console_key(&fc, ' ');
	fake_console_key(&fc, 'o');
	expect_screen("AAAAAAAA");
	expect_screen("BBBBBBBB");
	cr_expect_eq(fc.con.st.history.n_picks, 2);
	fake_console_key(&fc, TERM_ESC);
	cr_expect_not(fc.con.st.history.overlay);
	fake_console_key(&fc, ' ');
	cr_expect_eq(fc.con.st.history.n_picks, 1);
}

Test(history, at_most_six_are_picked)
{
	for (int i = 0; i < 7; i++)
		run(1000);
	fake_console_key(&fc, '4');
	for (int i = 0; i < 7; i++) {
		fake_console_key(&fc, ' ');
		if (i < 6)
			fake_console_key(&fc, TERM_DOWN);
	}
	cr_expect_eq(fc.con.st.history.n_picks, HISTORY_PICKS);
	cr_expect(strstr(fc.con.st.message, "at most"), "%s", fc.con.st.message);
}

Test(history, deleting_asks_for_the_word)
{
	run(1000);
	fake_console_key(&fc, '4');
	fake_console_key(&fc, 'D');
	fake_console_type(&fc, "y");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(kept(), 1);
	fake_console_key(&fc, 'D');
	fake_console_type(&fc, "yes");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(kept(), 0);
	expect_screen("nothing yet");
}

Test(history, enter_puts_the_settings_on_the_run_screen)
{
	fake_console_key(&fc, ']');
	cr_assert_eq(fc.con.st.job.iodepth, 64);
	run(1000);
	fake_console_key(&fc, '[');
	fake_console_key(&fc, '[');
	fake_console_key(&fc, '4');
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fc.con.view, view_table[0]);
	cr_expect_eq(fc.con.st.job.iodepth, 64);
}

Test(history, an_export_replaces_nothing_unless_told_to)
{
	struct err e = {0};
	char *path = xasprintf("html %s/out.html", fc.root);

	run(1000);
	cr_assert_eq(console_export(&fc.con, path, false, &e), 0, "%s", e.msg);
	cr_expect_eq(console_export(&fc.con, path, false, &e), -EEXIST);
	cr_expect_eq(console_export(&fc.con, path, true, &e), 0);
	cr_expect_lt(console_export(&fc.con, "pdf x.pdf", false, &e), 0);
	cr_expect_lt(console_export(&fc.con, "x", false, &e), 0);
	free(path);
}

Test(history, a_damaged_one_can_be_seen_and_not_opened)
{
	char *path = xasprintf("%s/20260101-000000-dead/run.json", runs);

	cr_assert_eq(fs_write_atomic(path, "{", 1), 0);
	fake_console_key(&fc, '4');
	expect_screen("damaged");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect(strstr(fc.con.st.message, "damaged"), "%s", fc.con.st.message);
	free(path);
}

/* ---- pictures ---- */

static struct archive_entry entries[] = {
	{.id = "20260726-174601-ab12",
	 .start_ms = 1785087961000,
	 .kind = "run",
	 .target = "/dev/nvme1n1",
	 .device = "/dev/nvme1n1  PM9A3 3.49 TiB NVMe",
	 .rw = "randread",
	 .engine = "io_uring",
	 .tag = "fan curve changed",
	 .bs_bytes = 4096,
	 .elapsed_ms = 120000,
	 .qd = 32,
	 .jobs = 4,
	 .iops = 626000,
	 .bps = 626000.0 * 4096,
	 .n = 75120000,
	 .p50_ns = 201000,
	 .p99_ns = 318000,
	 .p999_ns = 690000,
	 .max_ns = 9300000},
	{.id = "20260726-170000-cd34",
	 .start_ms = 1785085200000,
	 .kind = "run",
	 .status = ARCHIVE_STOPPED,
	 .simulated = true,
	 .target = "sim:hdd",
	 .device = "sim:hdd  SIMULATED",
	 .rw = "randrw",
	 .engine = "sim",
	 .bs_bytes = 65536,
	 .elapsed_ms = 61000,
	 .qd = 1,
	 .jobs = 1,
	 .iops = 181,
	 .bps = 181.0 * 65536,
	 .n = 11041,
	 .p50_ns = 5200000,
	 .p99_ns = 14800000,
	 .p999_ns = 21000000,
	 .max_ns = 23900000},
	{.id = "20260725-090000-0bad",
	 .damaged = true,
	 .why = "run.json:12: unexpected end of file"},
};

static struct archive_point rows[2][20];

static void make_state(struct ui_state *st, bool overlay)
{
	static size_t shown[] = {0, 1, 2};
	struct history_state *h = &st->history;

	*h = (struct history_state){
		.available = true,
		.list = {entries, 3},
		.shown = shown,
		.n_shown = 3,
		.overlay = overlay,
		.n_picks = overlay ? 2 : 0,
	};
	for (int k = 0; k < 2; k++) {
		for (unsigned i = 0; i < 20; i++)
			rows[k][i] = (struct archive_point){.t_ms = (i + 1) * 1000,
							    .dur_ms = 1000,
							    .iops = k ? 90e3 + i * 2e3 : 160e3,
							    .p99_ns = 2e5};
		h->pick[k].entry = entries[k];
		snprintf(h->pick[k].id, sizeof(h->pick[k].id), "%s", entries[k].id);
		h->pick[k].series = (struct archive_series){rows[k], k ? 14 : 20};
	}
}

static void draw(struct canvas *c, const struct ui_state *st, int w, int h, const struct glyphs *g)
{
	canvas_init(c, w, h, g);
	c->owned = true;
	view_history.draw(st, &fc.con.model, c);
}

Test(history, screens)
{
	static const struct {
		int w, h;
		bool overlay, ascii, mono;
	} screens[] = {
		{80, 24, false, false, false},  {100, 30, false, false, false},
		{120, 40, false, false, false}, {40, 10, false, false, false},
		{39, 2, false, true, false},    {80, 24, false, true, false},
		{80, 24, false, false, true},   {80, 24, true, false, false},
		{120, 40, true, false, false},  {100, 30, true, true, false},
		{40, 10, true, false, false},   {80, 24, true, false, true},
		{120, 40, false, true, false},
	};
	static struct ui_state st;
	char name[64];

	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		struct canvas c;

		make_state(&st, screens[i].overlay);
		draw(&c, &st, screens[i].w, screens[i].h,
		     screens[i].ascii ? &glyphs_ascii : &glyphs_utf8);
		snprintf(name, sizeof(name), "history-%s-%dx%d-%s",
			 screens[i].overlay ? "overlay" : "list", screens[i].w, screens[i].h,
			 screens[i].mono    ? "mono"
			 : screens[i].ascii ? "ascii"
					    : "utf8");
		if (screens[i].mono)
			golden_canvas_mono(name, &c);
		else
			golden_canvas(name, &c);
		canvas_fini(&c);
	}
}

Test(history, draws_at_every_size)
{
	static struct ui_state st;

	for (int overlay = 0; overlay < 2; overlay++) {
		make_state(&st, overlay);
		for (int h = 1; h <= 60; h++)
			for (int w = 1; w <= 200; w += w < 64 ? 1 : 7) {
				struct canvas c;

				draw(&c, &st, w, h, (w + h) % 2 ? &glyphs_ascii : &glyphs_utf8);
				canvas_fini(&c);
			}
	}
}
