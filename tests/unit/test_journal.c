/* What is on disk of a run that nobody ends: whole or not at all, whenever the process dies. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/fsutil.h"
#include "src/base/strbuf.h"
#include "src/base/xalloc.h"
#include "src/rec/journal.h"
#include "src/rec/store.h"

#define ID    "20260101-000000-0001"
#define PLACE (2u << 20) /* of each state in its file */

static char dir[64];
static struct err e;

static void begin(void)
{
	snprintf(dir, sizeof(dir), "/tmp/iodeck-journal-XXXXXX");
	cr_assert(mkdtemp(dir));
}

static void end(void)
{
	char cmd[128];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	cr_assert_eq(system(cmd), 0);
}

TestSuite(journal, .init = begin, .fini = end, .timeout = 120);

static char *path_of(const char *folder, const char *file)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, folder, file);
	return path;
}

static bool is_there(const char *folder)
{
	return access(path_of(folder, ""), F_OK) == 0;
}

/* Until the file holds the text: another thread writes it. */
static void wait_for(const char *file, const char *text)
{
	struct strbuf sb = {0};
	bool seen = false;

	for (int i = 0; i < 5000 && !seen; i++) {
		strbuf_reset(&sb);
		if (fs_read_all("", path_of(ID JOURNAL_END, file), &sb) == 0)
			seen = sb.len && memmem(sb.s, sb.len, text, strlen(text));
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	strbuf_fini(&sb);
	cr_assert(seen, "%s never held %s", file, text);
}

/* Two states and two rows, as a dead process leaves them. */
static void leave_behind(void)
{
	struct journal *j = journal_begin(dir, ID);

	journal_rows(j, "head\nrow 1\n", 11);
	journal_state(j, "first state", 11);
	wait_for("state", "first state");
	journal_state(j, "second state", 12);
	wait_for("state", "second state");
	wait_for("series.csv", "row 1\n");
	journal_end(j, false);
}

static void spoil(const char *file, off_t at, const char *text)
{
	int fd = open(path_of(ID JOURNAL_END, file), O_WRONLY | O_CLOEXEC);

	if (at < 0)
		at = lseek(fd, 0, SEEK_END);
	cr_assert_eq(pwrite(fd, text, strlen(text), at), (ssize_t)strlen(text));
	close(fd);
}

static void expect_file(const char *file, const char *text)
{
	struct strbuf sb = {0};

	cr_assert_eq(fs_read_all("", path_of(ID, file), &sb), 0, "%s", file);
	cr_expect_str_eq(strbuf_str(&sb), text);
	strbuf_fini(&sb);
}

Test(journal, the_newest_state_and_all_rows_come_back)
{
	leave_behind();
	cr_assert_eq(journal_recover(dir, ID JOURNAL_END, &e), 1, "%s", e.msg);
	expect_file("run.json", "second state");
	expect_file("series.csv", "head\nrow 1\n");
	cr_expect_not(is_there(ID JOURNAL_END));
	cr_expect_eq(access(path_of(ID, "state"), F_OK), -1);
}

Test(journal, a_torn_state_leaves_the_one_before)
{
	leave_behind();
	spoil("state", PLACE + 64 + 3, "X");
	cr_assert_eq(journal_recover(dir, ID JOURNAL_END, &e), 1, "%s", e.msg);
	expect_file("run.json", "first state");
}

Test(journal, half_a_row_is_cut_off)
{
	leave_behind();
	spoil("series.csv", -1, "row 2, half of i");
	cr_assert_eq(journal_recover(dir, ID JOURNAL_END, &e), 1, "%s", e.msg);
	expect_file("series.csv", "head\nrow 1\n");
}

Test(journal, two_torn_states_stay_as_they_are_and_are_told)
{
	leave_behind();
	spoil("state", 64, "X");
	spoil("state", PLACE, "X");
	cr_expect_eq(journal_recover(dir, ID JOURNAL_END, &e), -EBADMSG);
	cr_expect(strstr(e.msg, "not whole"), "%s", e.msg);
	cr_expect(is_there(ID JOURNAL_END));
}

Test(journal, without_a_state_nothing_was_measured)
{
	struct journal *j = journal_begin(dir, ID);

	journal_rows(j, "head\n", 5);
	wait_for("series.csv", "head");
	journal_end(j, false);
	cr_expect_eq(journal_recover(dir, ID JOURNAL_END, &e), 0, "%s", e.msg);
	cr_expect_not(is_there(ID JOURNAL_END));
	cr_expect_not(is_there(ID));
}

Test(journal, a_writer_that_lives_is_left_alone)
{
	struct journal *j = journal_begin(dir, ID);

	journal_state(j, "a state", 7);
	wait_for("state", "a state");
	cr_expect_eq(journal_recover(dir, ID JOURNAL_END, &e), 0);
	cr_expect(is_there(ID JOURNAL_END));
	cr_expect_not(is_there(ID));
	journal_end(j, true);
	cr_expect_not(is_there(ID JOURNAL_END), "it is kept elsewhere");
}

/* The run was kept, and the process died before the folder could go. */
Test(journal, what_is_kept_already_is_not_changed)
{
	leave_behind();
	cr_assert_eq(fs_write_atomic(path_of(ID, "run.json"), "kept", 4), 0);
	cr_expect_geq(journal_recover(dir, ID JOURNAL_END, &e), 0, "%s", e.msg);
	expect_file("run.json", "kept");
	cr_expect_not(is_there(ID JOURNAL_END));
}

/* The process that took it in died between the file and the name. */
Test(journal, taking_in_goes_on_where_it_ended)
{
	leave_behind();
	cr_assert_eq(fs_write_atomic(path_of(ID JOURNAL_END, "run.json"), "whole", 5), 0);
	unlink(path_of(ID JOURNAL_END, "state"));
	cr_expect_eq(journal_recover(dir, ID JOURNAL_END, &e), 1, "%s", e.msg);
	expect_file("run.json", "whole");
}

Test(journal, a_place_that_cannot_be_written_costs_nothing)
{
	struct journal *j = journal_begin("/proc/nowhere", ID);

	journal_rows(j, "row\n", 4);
	journal_state(j, "state", 5);
	journal_end(j, true);
}

/* ---- with the store ---- */

static struct snapshot *snap;
static struct job_spec job;
static const struct archive_note note = {.job = &job, .device = "made up"};

/* 100 ms at 10000 IOPS. */
static void tick(struct archive *a, enum run_state state)
{
	struct lane_snap *l = &snap->lane[0];
	struct op_win *w = &l->total[IO_OP_NR];

	snap->seq++;
	snap->t_ns = snap->t_ns ? snap->t_ns + 100 * NSEC_PER_MSEC : 1000 * NSEC_PER_SEC;
	snap->n_lanes = 1;
	snap->state = l->state = state;
	l->t_start_ns = 999 * NSEC_PER_SEC;
	l->elapsed_ns = snap->t_ns - l->t_start_ns;
	w->ops += 1000;
	w->iops = 10000;
	l->total[IO_READ] = *w;
	a->ops->see(a, snap);
	a->ops->checkpoint(a, &note);
}

static struct archive *store(void)
{
	return store_open(&(struct store_cfg){.folder = dir});
}

static void make_run(void)
{
	snap = xcalloc(1, sizeof(*snap));
	job_spec_init(&job);
}

static void drop_run(void)
{
	free(snap);
	job_spec_fini(&job);
}

/* Until something of the run is on disk; then die as told. */
static void run_and_die(int signo)
{
	struct archive *a = store();
	char cmd[160];

	make_run();
	for (int i = 0; i < 25; i++)
		tick(a, RUN_ON);
	snprintf(cmd, sizeof(cmd), "grep -qs made.up %s/*.partial/state", dir);
	while (system(cmd))
		tick(a, RUN_ON);
	raise(signo);
	_exit(1);
}

static struct archive_list list(struct archive *a)
{
	struct archive_list l;

	cr_assert_eq(a->ops->list(a, &l, &e), 0, "%s", e.msg);
	return l;
}

Test(journal, a_killed_process_leaves_its_run)
{
	static const int signals[] = {SIGKILL, SIGTERM};
	struct archive *a = store();
	struct archive_list l;
	int status;

	for (size_t i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (pid == 0)
			run_and_die(signals[i]);
		cr_assert_eq(waitpid(pid, &status, 0), pid);
		cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
	}
	l = list(a);
	cr_assert_eq(l.n, 2);
	for (size_t i = 0; i < 2; i++) {
		cr_expect_not(l.v[i].damaged, "%s", l.v[i].why);
		cr_expect_eq(l.v[i].status, ARCHIVE_PARTIAL);
		cr_expect_eq(l.v[i].iops, 10000);
		cr_expect_str_eq(archive_ended_text(&l.v[i]), "partial: ended by a crash");
	}
	archive_list_fini(&l);
	store_close(a);
}

Test(journal, a_run_that_is_kept_or_discarded_leaves_nothing_else)
{
	struct archive *a = store();
	char id[ARCHIVE_ID_SIZE];
	struct archive_list l;

	make_run();
	for (int i = 0; i < 5; i++)
		tick(a, RUN_ON);
	l = list(a);
	cr_expect_eq(l.n, 0, "it is on");
	archive_list_fini(&l);
	tick(a, RUN_DONE);
	cr_assert_eq(a->ops->save(a, &note, id, &e), 1, "%s", e.msg);
	for (int i = 0; i < 5; i++) {
		snap->lane[0].t_start_ns++;
		tick(a, RUN_ON);
	}
	a->ops->discard(a);
	l = list(a);
	cr_assert_eq(l.n, 1);
	cr_expect_str_eq(l.v[0].id, id);
	cr_expect_eq(l.v[0].status, ARCHIVE_DONE);
	archive_list_fini(&l);
	store_close(a);
	drop_run();
}

/* Workers that hang in the kernel are left behind without an end: what is known stays. */
Test(journal, a_run_without_an_end_is_taken_in_by_the_next_look)
{
	struct archive *a = store();
	struct archive_list l;

	make_run();
	for (int i = 0; i < 5; i++)
		tick(a, RUN_ON);
	store_close(a);
	a = store();
	l = list(a);
	cr_assert_eq(l.n, 1);
	cr_expect_eq(l.v[0].status, ARCHIVE_PARTIAL);
	archive_list_fini(&l);
	store_close(a);
	drop_run();
}
