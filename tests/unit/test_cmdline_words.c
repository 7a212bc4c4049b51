/* The words of the command line that came after the first: --set, --section, --showcmd, help, intervals. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/io_uring_priv.h"
#include "src/app_engines.h"
#include "src/spec/cmdline.h"
#include "src/spec/engines.h"
#include "src/spec/profile.h"
#include "tests/unit/spec_text.h"

static int parse(const char *line, struct cmdline *c, struct err *e)
{
	char text[1024], *v[64], *save;
	int n = 0;

	app_engines_register();
	snprintf(text, sizeof(text), "%s", line);
	for (char *p = strtok_r(text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		v[n++] = p;
	return cmdline_parse(n, v, c, e);
}

static void parse_ok_line(const char *line, struct cmdline *c)
{
	struct err e = {0};

	cr_assert_eq(parse(line, c, &e), 0, "%s\n%s", line, e.msg);
}

static void expect_refused(const char *line, const char *part)
{
	struct cmdline c;
	struct err e = {0};

	cr_expect_lt(parse(line, &c, &e), 0, "taken: %s", line);
	cr_expect_not_null(strstr(e.msg, part), "%s:\n  %s", line, e.msg);
}

static char path[64];

static void setup(void)
{
	static const char text[] = "[global]\nbs=4k\nioengine=null\nsize=1m\nruntime=7\n"
				   "[a]\nrw=write\n[b]\niodepth=4\n[a]\nname=other\n";
	int fd;

	strcpy(path, "/tmp/iodeck-words-XXXXXX");
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void cleanup(void)
{
	unlink(path);
}

TestSuite(cmdline_words, .init = setup, .fini = cleanup);

Test(cmdline_words, set_overrides_every_job_whatever_the_file_says)
{
	struct cmdline c;
	char line[200];

	snprintf(line, sizeof(line), "--set runtime=3 --name=x --set=rw=randread %s --set thread",
		 path);
	parse_ok_line(line, &c);
	cr_assert_eq(c.spec.n_jobs, 4);
	for (size_t i = 0; i < 4; i++) {
		expect_value(&c.spec.jobs[i], "runtime", "3");
		expect_value(&c.spec.jobs[i], "rw", "randread");
		expect_value(&c.spec.jobs[i], "thread", "1");
	}
	cmdline_fini(&c);
	expect_refused("--name=x --set bs=0", "--set: [x]: bs=0: out of range");
	expect_refused("--name=x --set blksize=4k", "did you mean");
	expect_refused("--name=x --set size=1k", "--set: x: size=1k is smaller than one block");
	expect_refused("--name=x --set name=y", "the same name");
	expect_refused("--name=x --set =y", "OPTION=VALUE");
}

Test(cmdline_words, section_chooses_jobs_of_files)
{
	struct cmdline c;
	char line[200];

	snprintf(line, sizeof(line), "--section=b %s", path);
	parse_ok_line(line, &c);
	cr_assert_eq(c.spec.n_jobs, 1);
	expect_value(&c.spec.jobs[0], "name", "b");
	expect_value(&c.spec.jobs[0], "bs", "4k");
	cmdline_fini(&c);
	snprintf(line, sizeof(line), "--section=a --section b --section=nosuch %s", path);
	parse_ok_line(line, &c);
	cr_expect_eq(c.spec.n_jobs, 3, "two sections are called a");
	cmdline_fini(&c);
	snprintf(line, sizeof(line), "--section=nosuch %s", path);
	expect_refused(line, "No job(s) defined: no section of the job files is called nosuch");
}

static void expect_shown(const char *line, const char *want)
{
	struct cmdline c;
	struct strbuf out = {0};

	parse_ok_line(line, &c);
	cr_expect(c.showcmd);
	cmdline_show(&c, &out);
	cr_expect_str_eq(strbuf_str(&out), want);
	strbuf_fini(&out);
	cmdline_fini(&c);
}

Test(cmdline_words, showcmd_prints_what_was_written)
{
	char line[200];

	snprintf(line, sizeof(line), "--showcmd %s", path);
	expect_shown(line, "iodeck run --bs=4k --ioengine=null --size=1m --runtime=7 --name=a "
			   "--rw=write --name=b --iodepth=4 --name=other \n");
	expect_shown(
		"--showcmd --size=1m --name=x --ioengine=io_uring --fixedbufs --filename=a:b",
		"iodeck run --size=1m --name=x --ioengine=io_uring --fixedbufs --filename=a:b \n");
	expect_shown("--showcmd --name=x --description=it's --filename=a\\:b;c",
		     "iodeck run --name=x --description='it'\\''s' --filename='a\\:b;c' \n");
	/* Several sources: each job spelt out, so that nothing leaks from one to the other. */
	snprintf(line, sizeof(line), "--showcmd --section=b --iodepth=2 --name=x %s", path);
	expect_shown(line, "iodeck run --name=x --iodepth=2 --name=b --size=1m --ioengine=null "
			   "--iodepth=4 --runtime=7 \n");
}

Test(cmdline_words, warnings_are_fatal_when_asked)
{
	struct cmdline c;

	expect_refused("--warnings-fatal --name=a --size=8kib", "size=8kib is 8000 bytes");
	expect_refused("--warnings-fatal --name=a --time_based", "time_based");
	parse_ok_line("--warnings-fatal --name=a --size=8k", &c);
	cmdline_fini(&c);
}

Test(cmdline_words, intervals_and_versions)
{
	struct cmdline c;

	parse_ok_line("--name=a", &c);
	cr_expect_eq(c.terse_version, 3);
	cr_expect_eq(c.eta_interval_ns, 1000000000u);
	cr_expect_eq(c.status_interval_ns, 0);
	cmdline_fini(&c);
	parse_ok_line("--terse-version=5 --status-interval=2 --eta-interval=250ms --eta-newline=1m "
		      "--name=a",
		      &c);
	cr_expect_eq(c.terse_version, 5);
	cr_expect_eq(c.status_interval_ns, 2000000000u);
	cr_expect_eq(c.eta_interval_ns, 250000000u);
	cr_expect_eq(c.eta_newline_ns, 60000000000u);
	cmdline_fini(&c);
	expect_refused("--terse-version=1 --name=a", "accepted: 2 to 5");
	expect_refused("--terse-version=6 --name=a", "accepted: 2 to 5");
	expect_refused("--eta-interval=100ms --name=a", "at least 250ms");
	expect_refused("--status-interval=0 --name=a", "too short");
	expect_refused("--status-interval=x --name=a", "status-interval=x");
	expect_refused("--idle-prof=percpu --name=a",
		       "idle-prof: known to fio, not supported here");
}

Test(cmdline_words, debug_and_aux_path_are_taken_as_fio_takes_them)
{
	struct cmdline c;

	parse_ok_line("--debug=io,job:2 --aux-path=/nowhere --name=a", &c);
	cr_expect_not_null(strstr(strbuf_str(&c.spec.notes), "--debug has no effect"));
	cmdline_fini(&c);
	expect_refused("--debug=foo --name=a", "'foo' is none of fio's masks");
}

Test(cmdline_words, help_on_one_option_and_one_engine)
{
	struct strbuf out = {0};
	struct err e = {0};
	struct cmdline c;

	parse_ok_line("--cmdhelp=bs", &c);
	cr_expect(c.cmdhelp);
	cr_expect_str_eq(c.help_topic, "bs");
	cmdline_fini(&c);
	parse_ok_line("--cmdhelp", &c);
	cr_expect_null(c.help_topic);
	cmdline_fini(&c);
	parse_ok_line("--enghelp=io_uring,hipri", &c);
	cr_expect(c.enghelp);
	cmdline_fini(&c);
	cr_expect_eq(cmdline_cmdhelp("blocksize", &out, &e), 0);
	cr_expect_not_null(strstr(out.s, "default: 4k"));
	cr_expect_lt(cmdline_cmdhelp("iodepht", &out, &e), 0);
	cr_expect_not_null(strstr(e.msg, "did you mean iodepth?"), "%s", e.msg);
	strbuf_reset(&out);
	cr_expect_eq(cmdline_enghelp(NULL, &out, &e), 0);
	cr_expect_not_null(strstr(out.s, "io_uring"));
	strbuf_reset(&out);
	cr_expect_eq(cmdline_enghelp("io_uring", &out, &e), 0);
	cr_expect_not_null(strstr(out.s, "fixedbufs"));
	cr_expect_lt(cmdline_enghelp("nosuch", &out, &e), 0);
	cr_expect_lt(cmdline_enghelp("io_uring,nosuch", &out, &e), 0);
	strbuf_fini(&out);
}

/* -- options of engines ----------------------------------------------------------------------- */

static const struct uring_opts *uring_opts(const struct job_spec *j)
{
	cr_assert_not_null(j->engine_opts);
	cr_assert_str_eq(j->engine_opts_of->name, "io_uring");
	return j->engine_opts;
}

Test(cmdline_words, engine_options_reach_the_job_and_its_copies)
{
	struct cmdline c;
	struct job_spec copy;

	parse_ok_line("--ioengine=io_uring --fixedbufs --name=a --sqthread_poll_cpu 3 --name=b "
		      "--force_async=8 --name=c --ioengine=psync",
		      &c);
	cr_expect(uring_opts(&c.spec.jobs[0])->fixedbufs);
	cr_expect(uring_opts(&c.spec.jobs[0])->nonvectored, "a default");
	cr_expect_eq(uring_opts(&c.spec.jobs[0])->sqthread_poll_cpu, 4, "CPU + 1");
	cr_expect_eq(uring_opts(&c.spec.jobs[0])->force_async, 0);
	cr_expect_eq(uring_opts(&c.spec.jobs[1])->force_async, 8);
	job_spec_copy(&copy, &c.spec.jobs[1]);
	cmdline_fini(&c);
	cr_expect_eq(uring_opts(&copy)->force_async, 8);
	job_spec_fini(&copy);
}

Test(cmdline_words, engine_options_are_refused_elsewhere)
{
	expect_refused("--fixedbufs --ioengine=io_uring --name=a", "give ioengine= before it");
	expect_refused("--ioengine=io_uring --name=a --force_async=x", "force_async=x");
	expect_refused("--ioengine=libaio --name=a --registerfiles",
		       "registerfiles: an option of ioengine=io_uring, not of libaio");
	expect_refused("--ioengine=io_uring --name=a --cmdprio=1",
		       "cmdprio: known to fio, not supported here");
}

Test(cmdline_words, engine_options_in_files_come_after_the_engine_and_are_saved)
{
	static const char text[] = "[global]\nhipri\nioengine=pvsync2\n[a]\n[b]\nnonvectored=0\n"
				   "ioengine=io_uring\nforce_async=4\n";
	struct strbuf saved = {0};
	struct spec s, again;

	app_engines_register();
	parse_ok(text, &s);
	cr_assert_eq(s.n_jobs, 2);
	cr_expect_str_eq(s.jobs[0].engine_opts_of->name, "pvsync2");
	cr_expect(!uring_opts(&s.jobs[1])->nonvectored);
	cr_expect(!uring_opts(&s.jobs[1])->hipri, "another engine's hipri");
	profile_print(&s.jobs[1], &saved);
	cr_expect_str_eq(saved.s, "[b]\nioengine=io_uring\nnonvectored=0\nforce_async=4\n");
	parse_ok(saved.s, &again);
	cr_expect_eq(uring_opts(&again.jobs[0])->force_async, 4);
	spec_fini(&again);
	spec_fini(&s);
	strbuf_fini(&saved);
}
