/*
 * However the real binary ends while a run is on, the terminal is as it was: primary screen, settings,
 * cursor. What was measured is printed and written wherever the program still can.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "tests/pty/deck.h"
#include "tests/pty/shell.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

static void expect_restored(struct vt *vt, const char *what)
{
	struct strbuf sb = {0};
	bool visible;
	int x, y;

	cr_expect(vt_primary_screen_text(vt, &sb), "%s: left in the alternate screen", what);
	cr_expect_null(strstr(strbuf_str(&sb), "qd["), "%s: the console is still there:\n%s", what,
		       strbuf_str(&sb));
	cr_expect(vt_termios_is_back(vt), "%s: other settings than before", what);
	vt_cursor(vt, &x, &y, &visible);
	cr_expect(visible, "%s: cursor hidden", what);
	strbuf_fini(&sb);
}

/* I/Os of the report; -1: there is none. */
static double ios_reported(const struct deck *d)
{
	json_t *root = json_load_file(d->json, JSON_REJECT_DUPLICATES, NULL), *job;
	double n = -1;

	if (!root)
		return n;
	job = json_array_get(json_object_get(root, "jobs"), 0);
	n = json_number_value(json_object_get(json_object_get(job, "read"), "total_ios"));
	json_decref(root);
	return n;
}

static void expect_kept(struct deck *d, bool printed, const char *what)
{
	cr_expect_gt(ios_reported(d), 0, "%s: the partial result is lost", what);
	if (printed)
		cr_expect(vt_has_text(d->vt, "READ: bw="), "%s: no report on the screen", what);
}

static void start_running(struct deck *d)
{
	deck_start(d, &(struct deck_cfg){.target = "sim:nvme"});
	cr_assert(deck_run(d));
	cr_expect(vt_in_altscreen(d->vt) && !vt_termios_is_back(d->vt));
}

static bool exited(int status, int code)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static bool died(int status, int sig)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == sig;
}

Test(console_restore, signals_that_end_in_order_keep_the_result, .timeout = VT_TEST_S)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};

	for (size_t i = 0; i < ROWS(signals); i++) {
		const char *name = strsignal(signals[i]);
		struct deck d;
		int status;

		start_running(&d);
		vt_kill(d.vt, signals[i]);
		status = vt_wait_exit(d.vt, PATIENCE_MS);
		cr_expect(exited(status, 128 + signals[i]), "%s: status %x", name,
			  (unsigned)status);
		expect_restored(d.vt, name);
		expect_kept(&d, true, name);
		deck_end(&d);
	}
}

Test(console_restore, signals_that_kill_restore_first, .timeout = VT_TEST_S)
{
	static const int signals[] = {SIGQUIT, SIGSEGV, SIGABRT, SIGBUS};

	for (size_t i = 0; i < ROWS(signals); i++) {
		const char *name = strsignal(signals[i]);
		struct deck d;
		int status;

		start_running(&d);
		vt_kill(d.vt, signals[i]);
		status = vt_wait_exit(d.vt, PATIENCE_MS);
		cr_expect(died(status, signals[i]), "%s: status %x", name, (unsigned)status);
		expect_restored(d.vt, name);
		deck_end(&d);
	}
}

/* ---- threads ---- */

static bool comm_is(int pid, const char *tid, const char *name)
{
	char path[320], comm[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", pid, tid);
	f = fopen(path, "re");
	if (f && !fgets(comm, sizeof(comm), f))
		comm[0] = '\0';
	if (f)
		fclose(f);
	comm[strcspn(comm, "\n")] = '\0';
	return strcmp(comm, name) == 0;
}

/* A thread of the program by its name; 0: none. */
static int thread_named(int pid, const char *name)
{
	char path[64];
	struct dirent *e;
	int tid = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !tid && (e = readdir(dir)))
		if (e->d_name[0] != '.' && comm_is(pid, e->d_name, name))
			tid = atoi(e->d_name);
	if (dir)
		closedir(dir);
	return tid;
}

Test(console_restore, a_fault_in_any_thread_restores_first, .timeout = VT_TEST_S)
{
	static const char *const threads[] = {"iodeck-io", "iodeck-sampler", "iodeck-direct"};

	for (size_t i = 0; i < ROWS(threads); i++) {
		struct deck d;
		int tid, status;

		start_running(&d);
		tid = thread_named(vt_pid(d.vt), threads[i]);
		cr_assert_gt(tid, 0, "no thread is named %s", threads[i]);
		/* To this thread only: were it blocked there, nothing would happen. */
		cr_assert_eq(syscall(SYS_tgkill, vt_pid(d.vt), tid, SIGSEGV), 0);
		status = vt_wait_exit(d.vt, PATIENCE_MS);
		cr_expect(died(status, SIGSEGV), "%s: status %x", threads[i], (unsigned)status);
		expect_restored(d.vt, threads[i]);
		deck_end(&d);
	}
}

/* ---- dialogs ---- */

Test(console_restore, an_end_with_any_dialog_open_restores, .timeout = VT_TEST_S)
{
	static const struct {
		const char *keys, *shows;
	} dialogs[] = {
		{"?", "Help"},       {"d", "pick"},        {"p", "save as"},   {"m", "Text of"},
		{":", ":"},          {"w", "NAME.fio"},    {"s", "objective"}, {"q", "A run is on"},
		{"\r", "Enter set"}, {"2e", "next sweep"},
	};

	for (size_t i = 0; i < ROWS(dialogs); i++) {
		struct deck d;
		int status;

		start_running(&d);
		vt_send(d.vt, dialogs[i].keys);
		cr_expect(deck_shows(&d, dialogs[i].shows));
		vt_kill(d.vt, SIGTERM);
		status = vt_wait_exit(d.vt, PATIENCE_MS);
		cr_expect(exited(status, 128 + SIGTERM), "%s: status %x", dialogs[i].keys,
			  (unsigned)status);
		expect_restored(d.vt, dialogs[i].keys);
		expect_kept(&d, true, dialogs[i].keys);
		deck_end(&d);
	}
}

/* What stands between a foreign file and a run that writes: nothing is started, nothing is changed. */
Test(console_restore, an_end_with_the_guard_open_restores_and_writes_nothing, .timeout = VT_TEST_S)
{
	struct strbuf after = {0};
	char file[96];
	struct deck d;
	int status;

	deck_make(&d);
	deck_path(&d, "letter", file, sizeof(file));
	cr_assert_eq(fs_write_atomic(file, "not yours", 9), 0);
	deck_spawn(&d, &(struct deck_cfg){.target = file});
	cr_assert(deck_shows(&d, "IDLE"));
	vt_send(d.vt, ":set rw=randwrite bs=1 size=9\r ");
	cr_assert(deck_shows(&d, "letter"));
	cr_assert(deck_shows(&d, "make it read-only"));
	vt_kill(d.vt, SIGTERM);
	status = vt_wait_exit(d.vt, PATIENCE_MS);
	cr_expect(exited(status, 128 + SIGTERM), "status %x", (unsigned)status);
	expect_restored(d.vt, "guard");
	cr_assert_eq(fs_read_all("", file, &after), 0);
	cr_expect_str_eq(strbuf_str(&after), "not yours");
	strbuf_fini(&after);
	deck_end(&d);
}

/* ---- the terminal goes away ---- */

static bool has_ended(struct deck *d, int *status)
{
	*status = vt_wait_exit(d->vt, PATIENCE_MS);
	return *status != -1;
}

Test(console_restore, case_140_a_hang_up_stops_the_run_and_ends, .timeout = VT_TEST_S)
{
	struct deck d;
	int status;

	start_running(&d);
	vt_hangup(d.vt);
	cr_assert(has_ended(&d, &status), "it went on without a terminal");
	cr_expect(exited(status, 128 + SIGHUP), "status %x", (unsigned)status);
	expect_kept(&d, false, "hang-up");
	deck_end(&d);
}

/* stdout is a terminal of its own, which goes away alone: no signal tells of it. */
struct two_ttys {
	char **argv;
	const char *out; /* the slave's path */
};

static int exec_with_stdout(void *arg)
{
	struct two_ttys *t = arg;
	int fd = open(t->out, O_RDWR | O_NOCTTY);

	dup2(fd, STDOUT_FILENO);
	close(fd);
	execv(t->argv[0], t->argv);
	return 127;
}

static void drain(int master, int ms)
{
	char buf[4096];

	for (int i = 0; i < ms / 10; i++) {
		while (read(master, buf, sizeof(buf)) > 0)
			;
		usleep(10000);
	}
}

Test(console_restore, a_lost_stdout_stops_the_run_and_ends, .timeout = VT_TEST_S)
{
	struct winsize ws = {.ws_row = 24, .ws_col = 80};
	struct two_ttys two;
	char *argv[16], path[64];
	int master, slave, status;
	struct deck d;

	deck_make(&d);
	cr_assert_eq(openpty(&master, &slave, path, NULL, &ws), 0);
	fcntl(master, F_SETFL, O_NONBLOCK);
	fcntl(master, F_SETFD, FD_CLOEXEC);
	deck_argv(&d, &(struct deck_cfg){.target = "sim:nvme", .script = "run\nwait 600"}, argv);
	two = (struct two_ttys){.argv = argv, .out = path};
	d.vt = vt_fork(exec_with_stdout, &two, NULL, 80, 24);
	while (!thread_named(vt_pid(d.vt), "iodeck-io"))
		drain(master, 50);
	drain(master, 500);
	close(slave);
	close(master);
	cr_assert(has_ended(&d, &status), "it went on without its screen");
	cr_expect(exited(status, 128 + SIGHUP), "status %x", (unsigned)status);
	expect_kept(&d, false, "lost stdout");
	deck_end(&d);
}

Test(console_restore, case_140_without_a_terminal_it_says_so_at_once, .timeout = VT_TEST_S)
{
	static const char *const how[] = {
		"bash -o pipefail -c '$0 </dev/null 2>&1 >/dev/null' " IODECK_BIN,
		"bash -o pipefail -c '$0 </dev/null 2>&1 | cat' " IODECK_BIN,
		"bash -o pipefail -c 'setsid -w $0 </dev/null 2>&1 | cat' " IODECK_BIN,
		"bash -o pipefail -c '$0 <&- 2>&1 >/dev/null' " IODECK_BIN,
	};

	for (size_t i = 0; i < ROWS(how); i++) {
		char text[512] = "";
		FILE *p = popen(how[i], "re");
		int status;

		cr_assert_not_null(p);
		cr_expect_not_null(fgets(text, sizeof(text), p), "%s: silent", how[i]);
		cr_expect_not_null(strstr(text, "needs a terminal"), "%s: %s", how[i], text);
		cr_expect_not_null(strstr(text, "iodeck run"), "%s: %s", how[i], text);
		cr_expect_null(fgets(text, sizeof(text), p), "%s: more than a line", how[i]);
		status = pclose(p);
		cr_expect(exited(status, 2), "%s: status %x", how[i], (unsigned)status);
	}
}

/* `ulimit -f` makes the kernel send SIGXFSZ for a write too far. */
static int exec_with_limit(void *argv)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 20, 1 << 20});
	execv(((char **)argv)[0], argv);
	return 127;
}

Test(console_restore, a_file_size_limit_is_an_error_of_the_run, .timeout = VT_TEST_S)
{
	char *argv[16];
	struct deck d;

	deck_make(&d);
	deck_argv(&d, &(struct deck_cfg){0}, argv);
	d.vt = vt_fork(exec_with_limit, argv, NULL, 80, 24);
	cr_assert(deck_shows(&d, "IDLE"));
	vt_send(d.vt, ":set size=16m\r ");
	cr_expect(deck_shows(&d, "ile too large"));
	vt_send(d.vt, "q");
	cr_expect_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	expect_restored(d.vt, "ulimit -f");
	deck_end(&d);
}

/* ---- Ctrl-Z ---- */

static int exec_job(void *argv)
{
	execv(((char **)argv)[0], argv);
	return 127;
}

static void expect_stopped(struct deck *d, const char *number)
{
	cr_assert(deck_shows(d, number));
	expect_restored(d->vt, number);
}

static void go_on(struct deck *d)
{
	vt_send(d->vt, "fg\n");
	cr_assert(deck_shows(d, "qd["));
	cr_assert(deck_shows(d, "RUN"));
}

static void start_in_shell(struct deck *d, const struct deck_cfg *cfg)
{
	static char *argv[16];
	static struct shell_job job;
	char home[96];
	const char *env[] = {home, "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", NULL};

	deck_argv(d, cfg, argv);
	snprintf(home, sizeof(home), "HOME=%s", d->dir);
	job = (struct shell_job){.main = exec_job, .arg = argv};
	d->vt = vt_fork(shell_main, &job, env, 80, 24);
	cr_assert(deck_shows(d, "IDLE"));
}

Test(console_restore, a_stop_restores_and_the_run_goes_on_afterwards, .timeout = VT_TEST_S)
{
	struct deck d;
	pid_t job;

	deck_make(&d);
	start_in_shell(&d, &(struct deck_cfg){.target = "sim:nvme"});
	cr_assert(deck_run(&d));
	vt_send(d.vt, "\x1a");
	expect_stopped(&d, "#1");
	job = shell_stopped_job(d.vt);
	cr_assert_gt(job, 1);
	go_on(&d);
	kill(job, SIGTSTP);
	expect_stopped(&d, "#2");
	go_on(&d);
	kill(job, SIGSTOP); /* cannot be caught: only the way back can be right */
	cr_assert(deck_shows(&d, "#3"));
	vt_send(d.vt, "fg\n");
	cr_assert(vt_wait_gone(d.vt, "#3", PATIENCE_MS));
	vt_send(d.vt, "]");
	cr_assert(deck_shows(&d, "qd[64]"));
	vt_send(d.vt, "qs");
	cr_expect_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	expect_restored(d.vt, "the end");
	expect_kept(&d, true, "after three stops");
	deck_end(&d);
}

/* ---- a file behind a mapping that shrinks: SIGBUS ---- */

static void make_file(const char *path, off_t bytes)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	char block[65536];

	memset(block, 'x', sizeof(block));
	for (off_t at = 0; at < bytes; at += (off_t)sizeof(block))
		cr_assert_eq(write(fd, block, sizeof(block)), sizeof(block));
	close(fd);
}

#define MMAP_SET ":set ioengine=mmap direct=0 size=16m bs=4k\r"

static void expect_io_error(struct deck *d, const char *file)
{
	cr_assert(deck_run(d));
	cr_assert_eq(truncate(file, 4096), 0);
	cr_expect(deck_shows(d, "FAILED"));
	cr_expect(deck_shows(d, "nput/output error"));
	vt_send(d->vt, "q");
	cr_expect_eq(vt_wait_exit(d->vt, PATIENCE_MS), 0);
	expect_restored(d->vt, "a shrunk file");
	expect_kept(d, true, "a shrunk file");
}

Test(console_restore, a_mapped_file_cut_short_is_an_io_error, .timeout = VT_TEST_S)
{
	char file[96];
	struct deck d;

	deck_make(&d);
	deck_path(&d, "mapped", file, sizeof(file));
	make_file(file, 16 << 20);
	deck_spawn(&d, &(struct deck_cfg){.target = file});
	cr_assert(deck_shows(&d, "IDLE"));
	vt_send(d.vt, MMAP_SET);
	expect_io_error(&d, file);
	deck_end(&d);
}

/* Our handlers are taken off and put on around a stop; the engine's must live through it. */
Test(console_restore, a_mapped_file_cut_short_after_a_stop_is_an_io_error, .timeout = VT_TEST_S)
{
	char file[96];
	struct deck d;

	deck_make(&d);
	deck_path(&d, "mapped", file, sizeof(file));
	make_file(file, 16 << 20);
	start_in_shell(&d, &(struct deck_cfg){.target = file});
	vt_send(d.vt, MMAP_SET);
	cr_assert(deck_run(&d));
	vt_send(d.vt, "\x1a");
	expect_stopped(&d, "#1");
	go_on(&d);
	vt_send(d.vt, " ");
	cr_assert(deck_shows(&d, "DONE"));
	expect_io_error(&d, file);
	deck_end(&d);
}

/* ---- Ctrl-C, as often as it takes ---- */

Test(console_restore, ctrl_c_asks_then_stops_at_once, .timeout = VT_TEST_S)
{
	struct deck d;

	start_running(&d);
	vt_send(d.vt, "\x03");
	cr_assert(deck_shows(&d, "A run is on"));
	cr_expect_eq(vt_wait_exit(d.vt, 100), -1);
	vt_send(d.vt, "\x03");
	cr_expect_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	expect_restored(d.vt, "Ctrl-C twice");
	expect_kept(&d, true, "Ctrl-C twice");
	deck_end(&d);
}

/* Typed faster than the run drains: the third reaches a program that is leaving already. */
Test(console_restore, three_ctrl_c_in_a_row_lose_nothing, .timeout = VT_TEST_S)
{
	for (int i = 0; i < 5; i++) {
		struct deck d;
		int status;

		start_running(&d);
		vt_send(d.vt, "\x03\x03");
		vt_wait_gone(d.vt, "qd[", 1 + i * 3);
		vt_kill(d.vt, SIGINT); /* what the terminal makes of a Ctrl-C once it is restored */
		status = vt_wait_exit(d.vt, PATIENCE_MS);
		cr_expect(exited(status, 0) || exited(status, 130), "status %x", (unsigned)status);
		expect_restored(d.vt, "Ctrl-C thrice");
		expect_kept(&d, true, "Ctrl-C thrice");
		deck_end(&d);
	}
}

/* A worker that hangs as in an uninterruptible sleep: stopped by a tracer, the others go on. */
static int hang_worker(pid_t pid)
{
	int tid = thread_named(pid, "iodeck-io"), status;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) < 0)
		return -errno;
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) < 0 || waitpid(tid, &status, __WALL) != tid)
		return -errno;
	return tid;
}

/* The tracer is told first, and until it has heard the process is not over. */
static bool worker_is_gone(struct vt *vt, void *tid)
{
	int status;

	(void)vt;
	return waitpid(*(int *)tid, &status, __WALL | WNOHANG) != 0;
}

Test(console_restore, the_third_ctrl_c_leaves_hanging_workers_behind, .timeout = VT_TEST_S)
{
	struct deck d;
	int status, tid;
	bool gone;

	start_running(&d);
	tid = hang_worker(vt_pid(d.vt));
	if (tid < 0) {
		deck_end(&d);
		cr_skip("no ptrace here");
	}
	vt_send(d.vt, "\x03");
	cr_assert(deck_shows(&d, "A run is on"));
	vt_send(d.vt, "\x03");
	cr_assert(deck_shows(&d, "in flight, last completion"), "count and age");
	cr_assert(deck_shows(&d, "Ctrl-C leaves"));
	vt_send(d.vt, "\x03");
	gone = vt_wait(d.vt, worker_is_gone, &tid, PATIENCE_MS);
	cr_expect(gone, "it waits for the worker");
	if (!gone) { /* what a tracer has not heard of cannot be reaped: the test would hang, too */
		kill(vt_pid(d.vt), SIGKILL);
		waitpid(tid, &status, __WALL);
	}
	status = vt_wait_exit(d.vt, PATIENCE_MS);
	cr_expect(exited(status, 130), "status %x", (unsigned)status);
	expect_restored(d.vt, "Ctrl-C three times");
	expect_kept(&d, true, "Ctrl-C three times");
	deck_end(&d);
}
