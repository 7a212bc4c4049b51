/* The terminal comes back however the process ends, and after a stop. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/pty/app.h"
#include "tests/pty/shell.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

/* The primary screen is back with what was on it, and the line discipline as it was. */
static void expect_restored(struct vt *vt, const char *what)
{
	struct strbuf sb = {0};
	struct termios t = vt_termios(vt);
	bool visible;
	int x, y;

	cr_expect(vt_primary_screen_text(vt, &sb), "%s: left in the alternate screen", what);
	cr_expect(strncmp(strbuf_str(&sb), "shell: before\n", 14) == 0, "%s: screen is\n%s", what,
		  strbuf_str(&sb));
	cr_expect_null(strstr(strbuf_str(&sb), "scene"), "%s", what);
	cr_expect((t.c_lflag & (ICANON | ECHO | ISIG)) == (ICANON | ECHO | ISIG), "%s: lflag %x",
		  what, t.c_lflag);
	cr_expect(t.c_iflag & ICRNL, "%s", what);
	cr_expect(t.c_cc[VINTR] == 3 && t.c_cc[VSUSP] == 26, "%s: VINTR %u", what, t.c_cc[VINTR]);
	vt_cursor(vt, &x, &y, &visible);
	cr_expect(visible, "%s: cursor hidden", what);
	strbuf_fini(&sb);
}

Test(term_restore, every_signal_restores, .timeout = VT_TEST_S)
{
	static const struct {
		int sig;
		bool by_signal; /* dies of it; else exits 128 + n in order */
	} cases[] = {
		{SIGTERM, false}, {SIGINT, false}, {SIGHUP, false},
		{SIGQUIT, true},  {SIGSEGV, true}, {SIGABRT, true},
		{SIGBUS, true},   {SIGFPE, true},  {SIGILL, true},
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct vt *vt = app_start(NULL, 80, 24);
		int status;

		cr_expect(vt_in_altscreen(vt));
		vt_kill(vt, cases[i].sig);
		status = vt_wait_exit(vt, WAIT_MS);
		if (cases[i].by_signal)
			cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].sig,
				  "%s: status %x", strsignal(cases[i].sig), (unsigned)status);
		else
			cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 128 + cases[i].sig,
				  "%s: status %x", strsignal(cases[i].sig), (unsigned)status);
		expect_restored(vt, strsignal(cases[i].sig));
		vt_free(vt);
	}
}

Test(term_restore, every_way_to_die_restores, .timeout = VT_TEST_S)
{
	static const struct {
		const char *keys, *what;
		int sig; /* 0: exits with `code` */
		int code;
	} cases[] = {
		{"q", "quit", 0, 0},
		{"E", "exit() without term_close()", 0, 3},
		{"A", "abort()", SIGABRT, 0},
		{"S", "write to nowhere", SIGSEGV, 0},
		{"T", "fault in another thread", SIGSEGV, 0},
		{"O", "stack overflow", SIGSEGV, 0},
		{"\x1c", "Ctrl-\\", SIGQUIT, 0},
		{"Cq", "stdout closed, then quit", 0, 0},
		{"CS", "stdout closed, then a fault", SIGSEGV, 0},
	};

	for (size_t i = 0; i < ROWS(cases); i++) {
		struct vt *vt = app_start(NULL, 80, 24);
		int status;

		vt_send(vt, cases[i].keys);
		status = vt_wait_exit(vt, WAIT_MS);
		if (cases[i].sig)
			cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].sig,
				  "%s: status %x", cases[i].what, (unsigned)status);
		else
			cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == cases[i].code,
				  "%s: status %x", cases[i].what, (unsigned)status);
		expect_restored(vt, cases[i].what);
		vt_free(vt);
	}
}

Test(term_restore, what_libraries_print_is_shown_after_the_end_and_not_before, .timeout = VT_TEST_S)
{
	static const char *const ends[] = {"q", "S"};

	for (size_t i = 0; i < ROWS(ends); i++) {
		struct vt *vt = app_start(NULL, 80, 24);

		vt_send(vt, "W");
		cr_assert(app_shows(vt, "1: W."));
		cr_expect_not(vt_has_text(vt, "library says"));
		vt_send(vt, ends[i]);
		cr_expect_neq(vt_wait_exit(vt, WAIT_MS), -1);
		cr_expect(vt_has_text(vt, "library says hello"), "after '%s'", ends[i]);
		expect_restored(vt, ends[i]);
		vt_free(vt);
	}
}

Test(term_restore, can_be_closed_and_opened_again, .timeout = VT_TEST_S)
{
	struct vt *vt = app_start(NULL, 80, 24);

	vt_send(vt, "R");
	cr_assert(app_shows(vt, "1: R."));
	vt_send(vt, "R");
	cr_assert(app_shows(vt, "2: R R."));
	cr_expect(vt_in_altscreen(vt));
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	expect_restored(vt, "reopened");
	vt_free(vt);
}

Test(term_restore, a_terminal_that_goes_away_ends_the_program, .timeout = VT_TEST_S)
{
	struct vt *vt = app_start(NULL, 80, 24);
	int status;

	vt_hangup(vt);
	status = vt_wait_exit(vt, WAIT_MS);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGHUP, "status %x",
		  (unsigned)status);
	vt_free(vt);
}

/* ---- job control: needs a shell between the pty and the program ---- */

static struct term_cfg shell_cfg;
static struct shell_job shell_app = {.main = app_main, .arg = &shell_cfg};

Test(term_restore, ctrl_z_restores_stops_and_comes_back, .timeout = VT_TEST_S)
{
	struct vt *vt = vt_fork(shell_main, &shell_app, NULL, 80, 24);
	pid_t job;

	cr_assert(app_shows(vt, "scene"));
	vt_send(vt, "\x1a");
	cr_assert(app_shows(vt, "stopped"));
	expect_restored(vt, "Ctrl-Z");
	job = shell_stopped_job(vt);
	cr_assert_gt(job, 1);
	vt_resize(vt, 60, 20); /* while it sleeps */
	vt_send(vt, "fg\n");
	cr_assert(app_shows(vt, "1: CTRL_Z."));
	cr_expect(vt_in_altscreen(vt));
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	expect_restored(vt, "quit after Ctrl-Z");
	vt_free(vt);
}

Test(term_restore, a_stop_from_outside_restores_and_comes_back, .timeout = VT_TEST_S)
{
	struct vt *vt = vt_fork(shell_main, &shell_app, NULL, 80, 24);
	pid_t job;

	cr_assert(app_shows(vt, "scene"));
	vt_send(vt, "\x1a");
	cr_assert(app_shows(vt, "#1"));
	job = shell_stopped_job(vt);
	cr_assert_gt(job, 1);
	vt_send(vt, "fg\n");
	cr_assert(app_shows(vt, "scene"));
	kill(job, SIGTSTP);
	cr_assert(app_shows(vt, "#2"));
	expect_restored(vt, "SIGTSTP");
	vt_send(vt, "fg\n");
	cr_assert(app_shows(vt, "scene"));
	kill(job, SIGSTOP); /* cannot be caught: only the way back can be right */
	cr_assert(app_shows(vt, "#3"), "the shell writes over our picture");
	vt_send(vt, "fg\n");
	cr_assert(vt_wait_gone(vt, "#3", WAIT_MS));
	vt_send(vt, "z");
	cr_expect(app_shows(vt, " z."));
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	vt_free(vt);
}
