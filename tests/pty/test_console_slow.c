/* A terminal that takes little or nothing: the picture waits, the run and the signals do not. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "tests/pty/deck.h"

#define RATE 2000 /* far below what the simulated device can do */

/* A large window repainted again and again fills the pty, however large the kernel makes it. */
static void fill_up(struct deck *d, int ms)
{
	for (int i = 0; i < ms / 50; i++) {
		vt_send_unread(d->vt, "\f");
		usleep(50000);
	}
}

/* From two frames a second it is one step down and one step up. */
static void start_rated(struct deck *d)
{
	deck_start(d, &(struct deck_cfg){.target = "sim:nvme", .w = 300, .h = 90});
	cr_assert(deck_shows(d, "IDLE"));
	vt_send(d->vt, ":set fps=2\r:set rate_iops=2000 runtime=600\r");
	cr_assert(deck_run(d));
}

static double number_of(const struct deck *d, const char *object, const char *key)
{
	json_t *root = json_load_file(d->json, 0, NULL), *job, *read;
	double n = -1;

	if (!root)
		return n;
	job = json_array_get(json_object_get(root, "jobs"), 0);
	read = json_object_get(job, "read");
	n = json_number_value(json_object_get(object ? json_object_get(read, object) : read, key));
	json_decref(root);
	return n;
}

Test(console_slow, the_rate_backs_off_is_shown_and_recovers, .timeout = VT_TEST_S)
{
	bool shown = false;
	struct deck d;

	start_rated(&d);
	for (int i = 0; i < 10 && !shown; i++) {
		fill_up(&d, 1500);
		/* From here on it is read again; the frames of the next five seconds tell. */
		shown = vt_wait_text(d.vt, "tty 1 Hz", 4000);
	}
	cr_expect(shown, "nobody read, and the console did not back off");
	cr_expect(vt_wait_gone(d.vt, "tty 1 Hz", PATIENCE_MS), "no recovery");
	cr_expect(deck_shows(&d, "2 Hz"));
	vt_send(d.vt, "qs");
	cr_expect_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	/* In all these seconds the run went on: nothing is missing. */
	cr_expect_geq(number_of(&d, NULL, "iops"), RATE * 0.97);
	cr_expect_leq(number_of(&d, NULL, "iops"), RATE * 1.03);
	deck_end(&d);
}

Test(console_slow, a_signal_is_answered_while_nobody_reads, .timeout = VT_TEST_S)
{
	struct deck d;
	int status;

	start_rated(&d);
	fill_up(&d, 1500);
	vt_kill(d.vt, SIGTERM);
	/* Still unread: the result is safe before anybody looks. */
	for (int i = 0; i < PATIENCE_MS / 10 && access(d.json, F_OK); i++)
		usleep(10000);
	cr_expect_gt(number_of(&d, NULL, "total_ios"), 0, "no result while nobody reads");
	status = vt_wait_exit(d.vt, PATIENCE_MS);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM, "status %x",
		  (unsigned)status);
	cr_expect(vt_termios_is_back(d.vt));
	cr_expect_not(vt_in_altscreen(d.vt));
	deck_end(&d);
}

/* A key typed while nobody reads is acted on at once; its picture comes later. */
Test(console_slow, keys_act_while_nobody_reads, .timeout = VT_TEST_S)
{
	struct deck d;

	start_rated(&d);
	fill_up(&d, 1500);
	vt_send_unread(d.vt, "q");
	vt_send_unread(d.vt, "s"); /* stop, and print the report */
	for (int i = 0; i < PATIENCE_MS / 10 && access(d.json, F_OK); i++)
		usleep(10000);
	cr_expect_gt(number_of(&d, NULL, "total_ios"), 0);
	cr_expect_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	deck_end(&d);
}

/* At most 12 kB/s at 120x40, also with the shortest window, where the graphs move in each frame. */
Test(console_slow, a_second_of_a_run_costs_at_most_12_kB, .timeout = VT_TEST_S)
{
	uint64_t t0, bytes;
	double seconds;
	struct deck d;

	deck_start(&d, &(struct deck_cfg){.target = "sim:nvme", .w = 120, .h = 40});
	cr_assert(deck_run(&d));
	vt_send(d.vt, "tttt"); /* 1 m, 5 m, 30 m, all, 15 s */
	cr_assert(deck_shows(&d, "-0:15"));
	vt_wait_exit(d.vt, 5000); /* a third of it is filled */
	bytes = vt_bytes(d.vt);
	t0 = clock_mono_ns();
	vt_wait_exit(d.vt, 3000);
	seconds = (double)(clock_mono_ns() - t0) / 1e9;
	bytes = vt_bytes(d.vt) - bytes;
	cr_expect_gt(bytes, 1000, "nothing was drawn");
	cr_expect_lt((double)bytes, 12000 * seconds, "%.0f bytes a second",
		     (double)bytes / seconds);
	deck_end(&d);
}
