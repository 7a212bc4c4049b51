/* The write guard in the console: nothing writes before the dialog is answered, and only its phrase does. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/rng.h"
#include "src/dev/guard.h"
#include "tests/unit/fake_feed.h"
#include "tests/unit/loopdev.h"

#define PHRASE "sda 9K2F"

static struct fake_console fc;
static struct guard_ask ask;

static void add_reason(enum guard_reason reason, const char *text)
{
	struct guard_why *w = &ask.report.why[ask.report.n_why++];

	w->reason = reason;
	snprintf(w->text, sizeof(w->text), "%s", text);
}

static void begin(void)
{
	fake_console_init(&fc, 100, 30);
	fc.ff.obey = true;
	ask = (struct guard_ask){
		.path = "/dev/sda",
		.off_bytes = 1 << 20,
		.end_bytes = 3 << 20,
		.report = {.verdict = GUARD_CONFIRM,
			   .for_writing = true,
			   .is_block = true,
			   .size_bytes = 8 << 20,
			   .name = "sda",
			   .phrase = PHRASE},
	};
	add_reason(GUARD_DEVICE, "everything on sda would be destroyed (8M, serial S6PN9K2F)");
	add_reason(GUARD_SIGNATURE, "sda holds: gpt partition table");
	fc.ff.ask = &ask;
	fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
}

static void end(void)
{
	fake_console_fini(&fc);
}

TestSuite(console_guard, .init = begin, .fini = end);

static size_t starts(void)
{
	return fake_feed_count(&fc.ff, CMD_START);
}

static bool asked(void)
{
	return dialog_is_open(&fc.con.dialog) && dialog_keys(&fc.con.dialog) == KEYS_GUARD;
}

static void expect_screen(const char *part, bool there)
{
	char *screen = fake_console_screen(&fc);

	cr_expect_eq(strstr(screen, part) != NULL, there, "%s '%s' in:\n%s",
		     there ? "no" : "there is", part, screen);
	free(screen);
}

static void refuse(void)
{
	ask.report.verdict = GUARD_REFUSE;
	ask.report.phrase[0] = '\0';
	add_reason(GUARD_MOUNTED, "sda1 is mounted at /home (ext4)");
}

Test(console_guard, a_start_that_writes_asks_first)
{
	fake_console_key(&fc, ' ');
	cr_expect(asked());
	cr_expect_eq(starts(), 0);
	cr_expect_not(console_is_running(&fc.con));
	expect_screen("This run WRITES to /dev/sda", true);
	expect_screen("everything on sda would be destroyed", true);
	expect_screen("sda holds: gpt partition table", true);
	expect_screen("bytes 1048576 to 3145728 (2 MiB, 25", true);
	expect_screen("checked: mounts", true);
	expect_screen(PHRASE, true);
	expect_screen("WRITES ARMED", false);
}

Test(console_guard, reading_asks_nothing)
{
	fc.con.st.job.rw.ops = IO_BIT(IO_READ);
	fake_console_key(&fc, ' ');
	cr_expect_not(asked());
	cr_expect_eq(starts(), 1);
}

Test(console_guard, the_phrase_and_nothing_else_starts_it)
{
	static const char *const wrong[] = {"",         "y",         "yes",     "sda",
					    "sda 9k2f", "sda 9K2F ", PHRASE "x"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		fake_console_key(&fc, ' ');
		fake_console_type(&fc, wrong[i]);
		fake_console_key(&fc, TERM_ENTER);
		if (asked()) /* "y" and "sda" may have been keys of the dialog */
			fake_console_key(&fc, TERM_ESC);
		cr_expect_eq(starts(), 0, "'%s'", wrong[i]);
		cr_expect_not(fc.ff.ask_agreed, "'%s'", wrong[i]);
	}
	fake_console_key(&fc, ' ');
	fake_console_type(&fc, PHRASE);
	cr_expect_eq(starts(), 0, "not before Enter");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(starts(), 1);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
}

Test(console_guard, once_for_a_device)
{
	for (int i = 0; i < 2; i++) {
		fake_console_key(&fc, ' ');
		if (i == 0) {
			fake_console_type(&fc, PHRASE);
			fake_console_key(&fc, TERM_ENTER);
		}
		console_pull(&fc.con);
		cr_expect(console_is_running(&fc.con));
		fake_console_key(&fc, ' ');
		console_pull(&fc.con);
	}
	cr_expect_eq(starts(), 2);
	expect_screen("WRITES ARMED", true);
}

Test(console_guard, esc_goes_back_and_nothing_is_written)
{
	fake_console_key(&fc, ' ');
	fake_console_type(&fc, "sda");
	fake_console_key(&fc, TERM_ESC);
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect_eq(starts(), 0);
	cr_expect_eq(fc.con.st.job.rw.ops, IO_BIT(IO_WRITE), "the settings stay");
}

Test(console_guard, r_makes_it_read_only)
{
	fc.con.st.job.rw.random = true;
	fake_console_key(&fc, ' ');
	fake_console_key(&fc, 'r');
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect_eq(fc.con.st.job.rw.ops, IO_BIT(IO_READ));
	cr_expect(fc.con.st.job.rw.random);
	fake_console_key(&fc, ' ');
	cr_expect_eq(starts(), 1);
}

Test(console_guard, f_uses_a_file_of_our_own)
{
	cr_assert_eq(chdir(fc.root), 0);
	fake_console_key(&fc, ' ');
	fake_console_key(&fc, 'f');
	cr_expect_not(dialog_is_open(&fc.con.dialog));
	cr_expect_str_eq(fc.con.st.job.filename, "iodeck.scratch");
	cr_expect_eq(starts(), 0);
	cr_assert_eq(chdir("/"), 0);
}

/* ram0 begins with a key of the dialog: it is text there, and F2 still works. */
Test(console_guard, a_phrase_may_begin_with_a_key_of_the_dialog)
{
	strcpy(ask.report.phrase, "ram0 8M");
	fake_console_key(&fc, ' ');
	fake_console_type(&fc, "ram0 8M");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(starts(), 1);
}

Test(console_guard, what_is_refused_has_no_phrase)
{
	refuse();
	fake_console_key(&fc, ' ');
	expect_screen("sda1 is mounted at /home", true);
	expect_screen("Refused", true);
	expect_screen("everything on sda", false);
	fake_console_type(&fc, PHRASE);
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(starts(), 0);
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(starts(), 0);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_ARM), 0);
}

/* Mounted between the question and the answer: the start asks again, and is refused. */
Test(console_guard, the_verdict_is_taken_anew_after_the_answer)
{
	fake_console_key(&fc, ' ');
	fake_console_type(&fc, PHRASE);
	refuse();
	strcpy(ask.report.phrase, PHRASE);
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(starts(), 0);
	expect_screen("sda1 is mounted at /home", true);
}

Test(console_guard, one_key_takes_consent_back_and_stops_writing)
{
	fake_console_key(&fc, ' ');
	fake_console_type(&fc, PHRASE);
	fake_console_key(&fc, TERM_ENTER);
	console_pull(&fc.con);
	cr_assert(console_is_running(&fc.con));
	fake_console_key(&fc, 'r');
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_STOP), 1);
	cr_expect_not(fc.ff.ask_agreed);
	cr_expect_eq(fc.con.st.job.rw.ops, IO_BIT(IO_READ));
	console_pull(&fc.con);
	fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
	fake_console_key(&fc, ' ');
	cr_expect(asked());
}

Test(console_guard, a_sweep_that_writes_asks_and_then_sweeps)
{
	struct err e = {0};

	cr_assert_eq(console_request(&fc.con, REQ_SWEEP_ANEW, &e), 0, "%s", e.msg);
	cr_expect(asked());
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP), 0);
	fake_console_type(&fc, PHRASE);
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_SWEEP), 1);
	cr_expect_eq(starts(), 0, "a run is not what was asked for");
}

Test(console_guard, every_size_of_screen_draws_it)
{
	fake_console_key(&fc, ' ');
	for (int h = 1; h < 40; h += 3)
		for (int w = 1; w < 130; w += 7) {
			canvas_resize(&fc.canvas, w, h);
			free(fake_console_screen(&fc));
		}
}

/* ---- the picker ---- */

Test(console_guard, the_picker_says_what_a_write_meets)
{
	fake_console_key(&fc, 'd');
	expect_screen("no: mounted at /", true);
	expect_screen("a write job is refused: nvme0n1 is on the disk that carries /", true);
	expect_screen("asks first", true);
}

static void put_bytes(const char *name, size_t at, const void *bytes, size_t n)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/dev/%s", fc.root, name);
	f = fopen(path, "a");
	cr_assert_not_null(f, "%s: %m", path);
	fclose(f);
	cr_assert_eq(truncate(path, 1 << 20), 0);
	f = fopen(path, "r+");
	cr_assert_eq(fseek(f, (long)at, SEEK_SET), 0);
	cr_assert_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* What is on the disk and on its partitions, before anything is written. */
Test(console_guard, the_picker_says_what_a_write_would_destroy)
{
	static const unsigned char luks[8] = {'L', 'U', 'K', 'S', 0xba, 0xbe, 0, 1};
	char path[128], table[128];

	sysroot_line(&fc.sys, "part sda1 8:33 sda 1 2048 900000");
	snprintf(path, sizeof(path), "%s/dev", fc.root);
	mkdir(path, 0700);
	snprintf(table, sizeof(table), "%s/dev/sda", fc.root);
	loopdev_write_table(table, 8 << 20);
	put_bytes("sda1", 0, luks, sizeof(luks));
	put_bytes("loop0", 0, "", 1);
	cr_assert_eq(machine_load(&fc.con.machine, fc.root, NULL), 0);
	fake_console_key(&fc, 'd');
	expect_screen("asks: dos, crypto_LUKS on sda1, not mounted", true);
	expect_screen("asks: crypto_LUKS", true);
	expect_screen("asks: no signature", true);
}

Test(console_guard, hot_plug_and_unplug_are_seen_within_a_second)
{
	fake_console_key(&fc, 'd');
	expect_screen("sdq", false);
	sysroot_line(&fc.sys, "disk sdq 65:0 virtual/block 2048");
	fc.ff.clock.now_ns += NSEC_PER_SEC;
	console_tick(&fc.con, fc.ff.clock.now_ns);
	expect_screen("sdq", true);
	sysroot_line(&fc.sys, "rm /sys/dev/block/65:0");
	fc.ff.clock.now_ns += NSEC_PER_SEC;
	console_tick(&fc.con, fc.ff.clock.now_ns);
	expect_screen("sdq", false);
}

/* ---- the monkey ---- */

static uint32_t random_key(struct rng *r)
{
	static const uint32_t odd[] = {' ', TERM_ENTER, 's', 'd', 'a', '9', 'K', '2', 'F'};
	size_t n = 0;

	while (keys_table[n].request)
		n++;
	if (rng_below(r, 4) == 0)
		return odd[rng_below(r, sizeof(odd) / sizeof(odd[0]))];
	return keys_table[rng_below(r, n)].key;
}

/* 30000 keys, many of them of the phrase: writes are never reached without it. */
Test(console_guard, monkey, .timeout = 120)
{
	struct rng r;

	rng_seed(&r, 20261130);
	cr_assert_eq(chdir(fc.root), 0);
	for (int i = 0; i < 30000; i++) {
		size_t from = fc.ff.n;

		if (rng_below(&r, 20) == 0 && !console_is_running(&fc.con))
			fc.con.st.job.rw.ops = IO_BIT(IO_WRITE);
		fake_console_key(&fc, random_key(&r));
		if (rng_below(&r, 20) == 0)
			fake_console_tick(&fc, fc.ff.snap->state);
		for (size_t k = from; k < fc.ff.n; k++) {
			const struct fake_command *c = &fc.ff.log[k];

			cr_assert(c->kind != CMD_ARM || !c->flag, "armed by chance after %d keys",
				  i);
			cr_assert(c->kind != CMD_START || !(c->job.rw.ops & ~IO_BIT(IO_READ)),
				  "a run of writes after %d keys", i);
			cr_assert(c->kind != CMD_TUNE || !(c->tune.ops & ~IO_BIT(IO_READ)));
		}
		fc.con.quit = QUIT_NO;
	}
	cr_expect_gt(fc.ff.n_guard, 100, "the monkey must get to the question");
	cr_expect_gt(starts(), 5, "and to runs that read: %zu", starts());
	cr_assert_eq(chdir("/"), 0);
}
