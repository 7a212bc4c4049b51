/*
 * The real binary on a terminal, as a user has it: what the golden screens cannot see. Facts are taken
 * from the program's own json, not from its picture.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/pty/deck.h"
#include "tests/unit/run_help.h"

/* A small file: layout must not take the test's time. */
static void console_start(struct deck *d, int w, int h)
{
	deck_start(d, &(struct deck_cfg){.w = w, .h = h});
	cr_assert(deck_shows(d, "IDLE"), "the console did not come up");
	vt_send(d->vt, ":set size=16m\r");
}

static json_t *report(const struct deck *c)
{
	json_error_t e;
	json_t *root = json_load_file(c->json, JSON_REJECT_DUPLICATES, &e);

	cr_assert_not_null(root, "%s: %s", c->json, e.text);
	return root;
}

static json_t *job_of(json_t *root)
{
	return json_array_get(json_object_get(root, "jobs"), 0);
}

Test(console_pty, start_retune_resize_stop_quit, .timeout = VT_TEST_S)
{
	struct deck c;
	struct strbuf text = {0};
	json_t *root, *depth;
	struct stat st;

	console_start(&c, 80, 24);
	vt_send(c.vt, " ");
	cr_assert(vt_wait_text(c.vt, "RUN", PATIENCE_MS));
	cr_assert(vt_wait_text(c.vt, "qd[32]", PATIENCE_MS));
	vt_send(c.vt, "+");
	cr_assert(vt_wait_text(c.vt, "qd[64]", PATIENCE_MS));
	cr_assert(vt_wait_text(c.vt, "in flight 64/64", PATIENCE_MS), "the workers did not follow");
	cr_assert(vt_wait_text(c.vt, "qd 32 → 64", PATIENCE_MS), "no event tells of the change");
	vt_resize(c.vt, 120, 40);
	cr_assert(vt_wait_text(c.vt, "heat map", PATIENCE_MS), "the large layout did not come");
	vt_resize(c.vt, 30, 3);
	cr_assert(vt_wait_gone(c.vt, "heat map", PATIENCE_MS));
	vt_resize(c.vt, 80, 24);
	cr_assert(vt_wait_text(c.vt, "devices", PATIENCE_MS));
	vt_send(c.vt, " ");
	cr_assert(vt_wait_text(c.vt, "DONE", PATIENCE_MS));
	vt_send(c.vt, "q");
	cr_assert_eq(vt_wait_exit(c.vt, PATIENCE_MS), 0);
	cr_assert(vt_primary_screen_text(c.vt, &text), "the alternate screen was left on");
	cr_expect(strstr(strbuf_str(&text), "READ: bw="), "no final report:\n%s",
		  strbuf_str(&text));
	root = report(&c);
	depth = json_object_get(job_of(root), "iodepth_level");
	cr_expect_gt(json_real_value(json_object_get(depth, ">=64")), 0, "64 were never in flight");
	cr_expect_neq(stat(c.scratch, &st), 0, "the scratch file was left behind without --keep");
	json_decref(root);
	strbuf_fini(&text);
	deck_end(&c);
}

Test(console_pty, quit_while_running_asks_and_esc_never_quits, .timeout = VT_TEST_S)
{
	struct deck c;

	console_start(&c, 80, 24);
	vt_send(c.vt, " ");
	cr_assert(vt_wait_text(c.vt, "RUN", PATIENCE_MS));
	vt_send(c.vt, "\033");
	vt_send(c.vt, "q");
	cr_assert(vt_wait_text(c.vt, "keep running", PATIENCE_MS));
	vt_send(c.vt, "\033");
	cr_assert(vt_wait_gone(c.vt, "keep running", PATIENCE_MS));
	cr_expect_eq(vt_wait_exit(c.vt, 200), -1, "Esc ended the program");
	vt_kill(c.vt, SIGTERM);
	{
		int status = vt_wait_exit(c.vt, PATIENCE_MS);

		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM, "status %x",
			  status);
	}
	cr_expect(!vt_in_altscreen(c.vt), "SIGTERM left the alternate screen on");
	deck_end(&c);
}

Test(console_pty, a_saved_profile_is_a_job_file_and_loads_again, .timeout = VT_TEST_S)
{
	char path[256], cmd[512];
	struct deck c;
	struct stat st;

	console_start(&c, 100, 30);
	vt_send(c.vt, ":set qd=7 bs=8k rw=randread\r");
	cr_assert(vt_wait_text(c.vt, "qd[7]", PATIENCE_MS));
	vt_send(c.vt, ":profile save mine\r");
	snprintf(path, sizeof(path), "%s/iodeck/profiles/mine.fio", c.dir);
	cr_assert(vt_wait_text(c.vt, "mine", PATIENCE_MS));
	cr_assert_eq(stat(path, &st), 0, "%s was not written", path);
	vt_send(c.vt, ":set qd=1\r");
	cr_assert(vt_wait_text(c.vt, "qd[1]", PATIENCE_MS));
	vt_send(c.vt, ":profile load mine\r");
	cr_assert(vt_wait_text(c.vt, "qd[7]", PATIENCE_MS), "the profile did not bring qd back");
	vt_send(c.vt, "q");
	cr_assert_eq(vt_wait_exit(c.vt, PATIENCE_MS), 0);
	snprintf(cmd, sizeof(cmd), "! command -v fio >/dev/null || fio --parse-only %s >/dev/null",
		 path);
	cr_expect_eq(system(cmd), 0, "fio does not take the profile");
	deck_end(&c);
}

/* Any key ends the script of a demo and nothing else; the keys after it are the user's. */
Test(console_pty, any_key_takes_a_demo_over, .timeout = VT_TEST_S)
{
	char bin[PATH_MAX], config[160], home[160], dir[64];
	char *argv[] = {bin, (char[]){"--demo"}, (char[]){"--demo-step=1000"}, NULL};
	const char *env[] = {config, home, NULL};
	struct vt *vt;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", dir);
	snprintf(home, sizeof(home), "HOME=%s", dir);
	cr_assert_not_null(realpath(IODECK_BIN, bin));
	vt = vt_spawn(argv, env, 100, 30);
	cr_assert(vt_wait_text(vt, "This is the latency", PATIENCE_MS), "no caption came");
	cr_assert(vt_wait_text(vt, "SIMULATED", PATIENCE_MS));
	vt_send(vt, "x");
	cr_assert(vt_wait_text(vt, "every key is yours", PATIENCE_MS));
	cr_assert(vt_wait_text(vt, "qd[1]", PATIENCE_MS), "the key did something");
	vt_send(vt, "]");
	cr_assert(vt_wait_text(vt, "qd[2]", PATIENCE_MS), "the run did not go on");
	vt_send(vt, " ");
	cr_assert(vt_wait_text(vt, "DONE", PATIENCE_MS));
	vt_send(vt, "q");
	cr_assert_eq(vt_wait_exit(vt, PATIENCE_MS), 0);
	vt_free(vt);
	tmp_remove(dir);
}
