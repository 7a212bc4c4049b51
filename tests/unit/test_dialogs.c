/* Windows over the screen: what they show, what their keys answer. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_engines.h"
#include "src/base/fsutil.h"
#include "tests/unit/fake_feed.h"
#include "tests/unit/golden.h"

static struct fake_console fc;

static void begin(void)
{
	app_engines_register();
	fake_console_init(&fc, 80, 24);
	fc.ff.obey = true;
}

static void end(void)
{
	fake_console_fini(&fc);
}

TestSuite(dialogs, .init = begin, .fini = end);
TestSuite(golden_dialogs, .init = begin, .fini = end);

static void expect_shown(const char *text)
{
	char *screen = fake_console_screen(&fc);

	cr_expect(strstr(screen, text), "\"%s\" is not in\n%s", text, screen);
	free(screen);
}

static void expect_not_shown(const char *text)
{
	char *screen = fake_console_screen(&fc);

	cr_expect_null(strstr(screen, text), "\"%s\" is in\n%s", text, screen);
	free(screen);
}

/* The dialog alone on an empty screen: goldens must not change with the dashboard. */
static void golden_dialog(const char *name, int w, int h, const struct glyphs *g)
{
	struct canvas c;

	canvas_init(&c, w, h, g);
	c.owned = true;
	dialog_draw(&fc.con.dialog, &c);
	golden_canvas(name, &c);
	canvas_fini(&c);
}

Test(golden_dialogs, device)
{
	fake_console_key(&fc, 'd');
	golden_dialog("dialog-device-80x24-utf8", 80, 24, &glyphs_utf8);
	golden_dialog("dialog-device-120x40-ascii", 120, 40, &glyphs_ascii);
	golden_dialog("dialog-device-40x10-utf8", 40, 10, &glyphs_utf8);
}

Test(golden_dialogs, help)
{
	fake_console_key(&fc, '?');
	golden_dialog("dialog-help-80x24-utf8", 80, 24, &glyphs_utf8);
	fake_console_key(&fc, TERM_END);
	golden_dialog("dialog-help-end-80x24-ascii", 80, 24, &glyphs_ascii);
}

Test(golden_dialogs, quit)
{
	fake_console_key(&fc, ' ');
	console_pull(&fc.con);
	fake_console_key(&fc, 'q');
	golden_dialog("dialog-quit-80x24-utf8", 80, 24, &glyphs_utf8);
	golden_dialog("dialog-quit-40x10-ascii", 40, 10, &glyphs_ascii);
}

Test(golden_dialogs, text)
{
	fake_console_key(&fc, 'w');
	fake_console_type(&fc, "my-disk");
	golden_dialog("dialog-save-80x24-utf8", 80, 24, &glyphs_utf8);
}

Test(dialogs, the_picker_says_why_a_device_is_not_written_to)
{
	fake_console_key(&fc, 'd');
	expect_shown("nvme0n1");
	expect_shown("mounted at /");
	expect_shown("swap");
	expect_not_shown("loop1"); /* no size */
}

Test(dialogs, enter_picks_the_marked_device)
{
	struct dialog_reply *r = calloc(1, sizeof(*r));

	d_device_open(&fc.con.dialog, &fc.con.machine, NULL, "/dev/sda");
	dialog_key(&fc.con.dialog, TERM_ENTER, r);
	cr_expect_eq(r->act, DIALOG_PICK_TARGET);
	cr_expect_str_eq(r->text, "/dev/sda", "the cursor stands on the current target");
	dialog_key(&fc.con.dialog, TERM_DOWN, r);
	cr_expect_eq(r->act, DIALOG_STAY);
	dialog_key(&fc.con.dialog, TERM_ENTER, r);
	cr_expect_str_neq(r->text, "/dev/sda");
	free(r);
}

Test(dialogs, a_filter_narrows_and_esc_clears_it_first)
{
	fake_console_key(&fc, 'd');
	fake_console_key(&fc, '/');
	fake_console_type(&fc, "intel");
	expect_shown("sda");
	expect_not_shown("nvme0n1");
	fake_console_key(&fc, TERM_ENTER);
	expect_shown("filter: intel");
	fake_console_key(&fc, TERM_ESC);
	cr_expect(dialog_is_open(&fc.con.dialog));
	expect_shown("nvme0n1");
	fake_console_key(&fc, TERM_ESC);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
}

Test(dialogs, a_device_without_size_is_found_by_name)
{
	fake_console_key(&fc, 'd');
	fake_console_key(&fc, '/');
	fake_console_type(&fc, "loop1");
	expect_shown("loop1 ");
}

Test(dialogs, a_path_is_judged_before_it_is_taken)
{
	char path[128];

	fake_console_key(&fc, 'd');
	fake_console_key(&fc, 'f');
	fake_console_type(&fc, "/dev/null");
	fake_console_key(&fc, TERM_ENTER);
	expect_shown("character device");
	cr_expect(dialog_is_open(&fc.con.dialog));
	fake_console_key(&fc, TERM_ESC);
	snprintf(path, sizeof(path), "%s/new", fc.root);
	fake_console_key(&fc, 'f');
	for (int i = 0; i < 20; i++)
		fake_console_key(&fc, TERM_BACKSPACE);
	fake_console_type(&fc, path);
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect_str_eq(fc.con.st.job.filename, path);
}

Test(dialogs, rescan_sees_a_new_device)
{
	fake_console_key(&fc, 'd');
	expect_not_shown("sdz");
	sysroot_line(&fc.sys, "disk sdz 65:144 virtual/block 409600");
	fake_console_key(&fc, 'R');
	fake_console_key(&fc, TERM_END);
	expect_shown("sdz");
}

Test(dialogs, simulated_devices_stand_below_and_are_marked)
{
	fake_console_key(&fc, 'd');
	fake_console_key(&fc, TERM_END);
	expect_shown("sim:nvme");
	expect_shown("SIMULATED");
	expect_shown("flash behind PCIe");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_str_eq(fc.con.st.job.filename, "sim:nvme");
	cr_expect_str_eq(fc.con.st.job.ioengine, "sim");
	expect_shown("SIMULATED");
	/* Again: the cursor stands on it. */
	fake_console_key(&fc, 'd');
	expect_shown("an idea of flash behind PCIe");
	fake_console_key(&fc, '/');
	fake_console_type(&fc, "turns");
	expect_shown("sim:hdd");
	expect_not_shown("sim:nvme  ");
}

static void write_profile(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/iodeck/profiles/%s.fio", fc.root, name);
	cr_assert_eq(fs_write_atomic(path, text, strlen(text)), 0);
}

Test(dialogs, a_profile_is_previewed_and_loaded)
{
	write_profile("aa", "[aa]\nrw=read\nbs=64k\niodepth=3\n");
	fake_console_key(&fc, 'p');
	expect_shown("aa");
	expect_shown("iodepth=3");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect_eq(fc.con.st.job.iodepth, 3);
	cr_expect_eq(fc.con.st.job.bs_bytes[IO_READ], 65536);
}

Test(dialogs, a_broken_profile_is_marked_and_not_loaded)
{
	write_profile("aa", "[aa]\nrw=sideways\n");
	fake_console_key(&fc, 'p');
	expect_shown("! aa");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect(dialog_is_open(&fc.con.dialog));
	expect_shown("not loaded");
	cr_expect_eq(fc.con.st.job.iodepth, 32);
}

Test(dialogs, a_profile_of_several_jobs_starts_them_all)
{
	write_profile("aa", "[one]\nrw=read\nsize=1m\n[two]\nrw=randread\nsize=1m\n");
	fake_console_key(&fc, 'p');
	fake_console_key(&fc, TERM_ENTER);
	fake_console_key(&fc, ' ');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_START);
	cr_expect_eq(fake_feed_last(&fc.ff)->n_jobs, 2);
}

Test(dialogs, help_scrolls_to_its_end_and_back)
{
	fake_console_key(&fc, '?');
	expect_shown("Run screen");
	for (int i = 0; i < 50; i++)
		fake_console_key(&fc, TERM_PGDN);
	expect_shown("in the events");
	expect_not_shown("Run screen");
	fake_console_key(&fc, TERM_HOME);
	expect_shown("Run screen");
}

Test(dialogs, quit_choices)
{
	static const struct {
		uint32_t keys[3];
		enum dialog_act act;
	} cases[] = {
		{{'s'}, DIALOG_QUIT_SAVE},
		{{'d'}, DIALOG_QUIT_DISCARD},
		{{'k'}, DIALOG_CLOSE},
		{{TERM_ESC}, DIALOG_CLOSE},
		{{TERM_ENTER}, DIALOG_QUIT_SAVE},
		{{TERM_DOWN, TERM_ENTER}, DIALOG_QUIT_DISCARD},
		{{TERM_TAB, TERM_TAB, TERM_ENTER}, DIALOG_CLOSE},
		{{'x'}, DIALOG_STAY},
	};
	struct dialog_reply *r = calloc(1, sizeof(*r));

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		d_quit_open(&fc.con.dialog);
		for (int k = 0; k < 3 && cases[i].keys[k]; k++)
			dialog_key(&fc.con.dialog, cases[i].keys[k], r);
		cr_expect_eq(r->act, cases[i].act, "case %zu", i);
	}
	free(r);
}

Test(dialogs, text_is_edited_by_whole_characters)
{
	struct dialog_reply *r = calloc(1, sizeof(*r));
	static const uint32_t keys[] = {'a',       0xe9,      'b',      TERM_LEFT, TERM_BACKSPACE,
					'x',       TERM_HOME, TERM_DEL, TERM_END,  'z',
					TERM_ENTER};

	d_text_open(&fc.con.dialog, "t", "p", "");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		dialog_key(&fc.con.dialog, keys[i], r);
	cr_expect_eq(r->act, DIALOG_TEXT);
	cr_expect_str_eq(r->text, "xbz");
	free(r);
}

Test(dialogs, a_long_text_scrolls_and_stops_at_its_limit)
{
	fake_console_key(&fc, 'w');
	for (int i = 0; i < 3000; i++)
		fake_console_key(&fc, 'y');
	expect_shown("yyyyyyyy");
	cr_expect_geq(fc.canvas.cur_x, 0);
	fake_console_key(&fc, TERM_ENTER);
	cr_expect(strstr(fc.con.st.message, "plain name"), "%s", fc.con.st.message);
}

Test(dialogs, every_dialog_draws_at_every_size)
{
	static const uint32_t openers[] = {'d', 'p', '?', 'w', ':'};

	for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++) {
		fake_console_key(&fc, openers[i]);
		for (int w = 1; w <= 130; w += 3)
			for (int h = 1; h <= 45; h += 2) {
				canvas_resize(&fc.canvas, w, h);
				console_draw(&fc.con, &fc.canvas);
			}
		fake_console_key(&fc, TERM_ESC);
	}
}
