/* The headless mode on a terminal, and its output into things that break. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "src/base/fsutil.h"
#include "tests/pty/deck.h"

#define JOB                                                                                        \
	" run --name=a --ioengine=null --size=1g --rw=randread --rate_iops=1000 "                  \
	"--time_based --runtime=3"

static void start_shell(struct deck *d, const char *command)
{
	char bin[PATH_MAX], line[PATH_MAX + 512];
	char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, line, NULL};

	deck_make(d);
	cr_assert_not_null(realpath(IODECK_BIN, bin));
	snprintf(line, sizeof(line), "cd %s; %s%s", d->dir, bin, command);
	d->vt = vt_spawn(argv, NULL, 80, 24);
}

/* Each line of a log is whole, whatever happens to the window meanwhile. */
Test(run_pty, case_149_progress_in_a_log_is_whole_lines, .timeout = VT_TEST_S)
{
	struct strbuf log = {0};
	unsigned lines = 0;
	char path[128];
	struct deck d;

	start_shell(&d, JOB " --eta=always 2>log");
	deck_path(&d, "log", path, sizeof(path));
	cr_assert(deck_wait_file(&d, path), "no progress line");
	for (int w = 20; w <= 120; w += 20)
		vt_resize(d.vt, w, 10);
	cr_assert_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	cr_assert_eq(fs_read_all("", path, &log), 0);
	for (char *line = log.s, *nl; (nl = strchr(line, '\n')); line = nl + 1, lines++) {
		*nl = '\0';
		/* The last one may be of the moment when the job is over and its report is not out. */
		cr_expect(strncmp(line, "Jobs: 1 (f=1): [", 16) == 0 ||
				  (!nl[1] && strncmp(line, "Jobs: 0 (f=0): [", 16) == 0),
			  "'%s'", line);
		cr_expect_null(strpbrk(line, "\r\033"), "'%s'", line);
		cr_expect(nl[-1] == ']', "'%s'", line);
		cr_expect_not(nl[1] != '\0' && !strchr(nl + 1, '\n'), "an unfinished last line");
	}
	cr_expect_gt(lines, 0);
	strbuf_fini(&log);
	deck_end(&d);
}

/* On a terminal the line is rewritten in place and never wraps. */
Test(run_pty, the_live_line_fits_the_window, .timeout = VT_TEST_S)
{
	struct deck d;

	start_shell(&d, JOB);
	vt_resize(d.vt, 40, 24);
	cr_assert(deck_shows(&d, "Jobs: 1 (f=1)"));
	vt_wait_quiet(d.vt, 50, 1000);
	for (int y = 0; y < 23; y++) {
		char row[200], next[200];

		vt_row(d.vt, y, row, sizeof(row));
		vt_row(d.vt, y + 1, next, sizeof(next));
		if (strncmp(row, "Jobs: 1", 7) == 0)
			cr_expect_str_empty(next, "wrapped: '%s'", next);
	}
	cr_assert_eq(vt_wait_exit(d.vt, PATIENCE_MS), 0);
	deck_end(&d);
}

/* What was asked for and could not be written is a failure with one line, in every mode. */
Test(run_pty, an_output_that_cannot_be_written_is_a_failure, .timeout = VT_TEST_S)
{
	static const char *const commands[] = {
		" run --name=a --ioengine=null --size=4k --rw=read >/dev/full",
		" run --name=a --ioengine=null --size=4k --rw=read --output-format=json >/dev/full",
		" run --help >/dev/full",
		" devices >/dev/full",
		" --help >/dev/full",
		" --version >&-",
		" help json >/dev/full",
		" completion bash >/dev/full",
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char row[200];
		struct deck d;
		int status;

		start_shell(&d, commands[i]);
		status = vt_wait_exit(d.vt, PATIENCE_MS);
		cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s: status %x",
			  commands[i], (unsigned)status);
		vt_row(d.vt, 0, row, sizeof(row));
		cr_expect_eq(strncmp(row, "iodeck: ", 8), 0, "%s: '%s'", commands[i], row);
		vt_row(d.vt, 1, row, sizeof(row));
		cr_expect_str_empty(row, "%s: more than a line: '%s'", commands[i], row);
		deck_end(&d);
	}
}
