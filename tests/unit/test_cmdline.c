/* The command line: words, scoping by --name, job files, and every line of the articles. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/spec/cmdline.h"
#include "tests/unit/spec_text.h"

#define ARG_MAX_NR 64

/* A line cut at blanks, as a shell without quotes would. Owned by the caller. */
struct words {
	char text[1024];
	char *v[ARG_MAX_NR];
	int n;
};

static void cut(struct words *w, const char *line)
{
	char *save;

	snprintf(w->text, sizeof(w->text), "%s", line);
	w->n = 0;
	for (char *p = strtok_r(w->text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		w->v[w->n++] = p;
}

static int run(const char *line, struct cmdline *c, struct err *e)
{
	struct words w;

	cut(&w, line);
	return cmdline_parse(w.n, w.v, c, e);
}

static void parse_line(const char *line, struct cmdline *c)
{
	struct err e = {0};

	cr_assert_eq(run(line, c, &e), 0, "%s\n%s", line, e.msg);
}

static void expect_refused(const char *line, const char *message)
{
	struct cmdline c;
	struct err e = {0};

	cr_expect_lt(run(line, &c, &e), 0, "taken: %s", line);
	cr_expect_str_eq(e.msg, message, "%s:\n  %s", line, e.msg);
	cr_expect_eq(c.spec.n_jobs, 0);
}

/* -- the articles ----------------------------------------------------------------------------- */

static const struct {
	char line[260], name[20], rw[12], bs[8], engine[8], filename[20], size[8];
	unsigned iodepth, numjobs, runtime_s;
} article_lines[] = {
	/* 000 */
	{"-rw=randwrite -bs=4k -runtime=60 -iodepth 1 -numjobs=4 -size=5G -filename "
	 "/data/soft/test1 -ioengine libaio -direct=1 -group_reporting -name iops_randwrite "
	 "--output TestResult.log",
	 "iops_randwrite", "randwrite", "4k", "libaio", "/data/soft/test1", "5g", 1, 4, 60},
	{"-readonly -rw=randread -bs=4k -runtime=60 -iodepth 1 -numjobs=2 -filename "
	 "/data/soft/test2 -ioengine libaio -direct=1 -group_reporting -name iops_randread",
	 "iops_randread", "randread", "4k", "libaio", "/data/soft/test2", "0", 1, 2, 60},
	{"-rw=write -bs=1m -runtime=60 -iodepth 1 -numjobs=5 -size=5G -filename /data/soft/test3 "
	 "-ioengine libaio -direct=1 -group_reporting -name bw_write",
	 "bw_write", "write", "1m", "libaio", "/data/soft/test3", "5g", 1, 5, 60},
	{"-readonly -rw=read -bs=1m -runtime=60 -iodepth 1 -numjobs=2 -filename /data/soft/test2 "
	 "-ioengine libaio -direct=1 -group_reporting -name bw_read",
	 "bw_read", "read", "1m", "libaio", "/data/soft/test2", "0", 1, 2, 60},
	{"-rw=randrw -rwmixread=70 -bs=16k -runtime=60 -iodepth 1 -numjobs=2 -filename "
	 "/data/soft/test2 -ioengine libaio -direct=1 -group_reporting -name iops_randrw",
	 "iops_randrw", "randrw", "16k", "libaio", "/data/soft/test2", "0", 1, 2, 60},
	/* 001: the first two; the others differ in rw, bs and size only */
	{"-filename=/dev/sdb -direct=1 -iodepth 32 -thread -rw=randread -ioengine=libaio -bs=4k "
	 "-size=2G -numjobs=10 -runtime=1000 -group_reporting -name=mytest",
	 "mytest", "randread", "4k", "libaio", "/dev/sdb", "2g", 32, 10, 1000},
	{"-filename=/dev/sdb -direct=1 -iodepth 16 -thread -rw=randread -ioengine=libaio -bs=4k "
	 "-size=512M -numjobs=1 -runtime=1000 -group_reporting -name=mytest",
	 "mytest", "randread", "4k", "libaio", "/dev/sdb", "512m", 16, 1, 1000},
	/* 002 */
	{"-filename=/tmp/fio2g -direct=1 -rw=write -bs=4k -size=2G -numjobs=64 -runtime=10 "
	 "-group_reporting -name=fio",
	 "fio", "write", "4k", "psync", "/tmp/fio2g", "2g", 1, 64, 10},
	/* 003 */
	{"-filename=/dev/vda -direct=1 -iodepth 1 -thread -rw=write -ioengine=libaio -bs=1024k "
	 "-size=8G -numjobs=4 -runtime=60 -group_reporting -name=checkdisk",
	 "checkdisk", "write", "1m", "libaio", "/dev/vda", "8g", 1, 4, 60},
	/* 004 */
	{"-name=randread -direct=1 -iodepth=64 -rw=randread -ioengine=libaio -bs=4k -size=1G "
	 "-numjobs=1 -runtime=1000 -group_reporting -filename=/dev/sdb",
	 "randread", "randread", "4k", "libaio", "/dev/sdb", "1g", 64, 1, 1000},
	{"-name=readread -direct=1 -iodepth=64 -rw=randread -ioengine=libaio -bs=4k -size=1G "
	 "-numjobs=1 -runtime=1000 -group_reporting -filename=/dev/vda5",
	 "readread", "randread", "4k", "libaio", "/dev/vda5", "1g", 64, 1, 1000},
	{"-name=randwrite -direct=1 -iodepth=64 -rw=randwrite -ioengine=sync -bs=4k -size=1G "
	 "-numjobs=1 -runtime=1000 -group_reporting -filename=/data0/test.log",
	 "randwrite", "randwrite", "4k", "sync", "/data0/test.log", "1g", 64, 1, 1000},
	{"-name=randwrite -iodepth=64 -rw=randwrite -ioengine=sync -bs=4k -size=1G -numjobs=1 "
	 "-runtime=1000 -group_reporting -filename=/data0/test_2.log",
	 "randwrite", "randwrite", "4k", "sync", "/data0/test_2.log", "1g", 64, 1, 1000},
};

Test(cmdline, every_command_line_of_the_articles)
{
	for (size_t i = 0; i < sizeof(article_lines) / sizeof(article_lines[0]); i++) {
		const struct job_spec *j;
		struct cmdline c;

		parse_line(article_lines[i].line, &c);
		cr_assert_eq(c.spec.n_jobs, 1);
		j = &c.spec.jobs[0];
		expect_value(j, "name", article_lines[i].name);
		expect_value(j, "rw", article_lines[i].rw);
		expect_value(j, "bs", article_lines[i].bs);
		expect_value(j, "ioengine", article_lines[i].engine);
		expect_value(j, "filename", article_lines[i].filename);
		expect_value(j, "size", article_lines[i].size);
		expect_value(j, "group_reporting", "1");
		cr_expect_eq(j->iodepth, article_lines[i].iodepth);
		cr_expect_eq(j->numjobs, article_lines[i].numjobs);
		cr_expect_eq(j->runtime_ns, article_lines[i].runtime_s * 1000000000ull);
		cr_expect_eq(c.readonly, strstr(article_lines[i].line, "-readonly") != NULL);
		cr_expect_eq(c.formats, FORMAT_NORMAL);
		cr_expect_eq(c.spec.notes.len, 0, "%s", strbuf_str(&c.spec.notes));
		cmdline_fini(&c);
	}
}

Test(cmdline, article_001_and_002_variants)
{
	static const char *const rw[] = {"randread", "read", "randwrite", "write"};
	static const char *const bs[] = {"4k", "16k"};
	static const char *const size[] = {"1G", "2G", "4G", "5G"};
	char line[300];

	for (unsigned i = 0; i < 32; i++) {
		struct cmdline c;

		snprintf(line, sizeof(line),
			 "-filename=/dev/sdb -direct=1 -iodepth 16 -thread -rw=%s -ioengine=libaio "
			 "-bs=%s -size=%s -numjobs=1 -runtime=1000 -group_reporting -name=mytest",
			 rw[i % 4], bs[i / 4 % 2], size[i / 8]);
		parse_line(line, &c);
		expect_value(&c.spec.jobs[0], "rw", rw[i % 4]);
		cmdline_fini(&c);
	}
}

/* -- words ------------------------------------------------------------------------------------ */

Test(cmdline, one_or_two_dashes_value_attached_or_next)
{
	static const char *const same[] = {
		"--name=x --bs=8k --iodepth=4 --direct=1",
		"-name=x -bs=8k -iodepth=4 -direct=1",
		"-name x -bs 8k -iodepth 4 -direct 1",
		"--name x --bs 8k --iodepth 4 --direct 1",
		"--name=x --blocksize=8k --iodepth=4 --buffered=0",
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct cmdline c;

		parse_line(same[i], &c);
		cr_assert_eq(c.spec.n_jobs, 1);
		expect_value(&c.spec.jobs[0], "bs", "8k");
		expect_value(&c.spec.jobs[0], "iodepth", "4");
		expect_value(&c.spec.jobs[0], "direct", "1");
		cmdline_fini(&c);
	}
}

Test(cmdline, formats)
{
	static const struct {
		char args[60];
		unsigned formats;
	} cases[] = {
		{"", FORMAT_NORMAL},
		{"--output-format=json", FORMAT_JSON},
		{"--output-format json,normal", FORMAT_JSON | FORMAT_NORMAL},
		{"--output-format=terse,json+", FORMAT_TERSE | FORMAT_JSON_PLUS},
		{"--output-format=csv", FORMAT_TERSE},
		{"--minimal", FORMAT_TERSE},
		{"-f", FORMAT_NORMAL | FORMAT_TERSE},
		{"--append-terse", FORMAT_NORMAL | FORMAT_TERSE},
		{"-f --output-format=json", FORMAT_JSON | FORMAT_TERSE},
		{"--output-format=json -f", FORMAT_JSON | FORMAT_TERSE},
	};
	char line[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cmdline c;

		snprintf(line, sizeof(line), "--name=x %.60s", cases[i].args);
		parse_line(line, &c);
		cr_expect_eq(c.formats, cases[i].formats, "%s", line);
		cmdline_fini(&c);
	}
	expect_refused(
		"--output-format=json,xml --name=x",
		"command line: output-format: no format 'xml'; accepted: a comma list of normal, "
		"terse, json, json+");
	expect_refused(
		"--output-format= --name=x",
		"command line: output-format: no format ''; accepted: a comma list of normal, "
		"terse, json, json+");
}

Test(cmdline, words_of_the_program)
{
	struct cmdline c;

	parse_line("--name=x --output=o.json --readonly --eta=never --parse-only --keep-files "
		   "--max-jobs=8 --alloc-size 1000",
		   &c);
	cr_expect_str_eq(c.output, "o.json");
	cr_expect(c.readonly && c.parse_only && c.keep_files && !c.help && !c.version);
	cr_expect_eq(c.eta, ETA_NEVER);
	cr_expect_eq(c.spec.notes.len, 0);
	cmdline_fini(&c);
	parse_line("-o a -o b --name=x", &c);
	cr_expect_str_eq(c.output, "b");
	cmdline_fini(&c);
	parse_line("-h", &c);
	cr_expect(c.help);
	cmdline_fini(&c);
	parse_line("-v", &c);
	cr_expect(c.version);
	cmdline_fini(&c);
	expect_refused("--eta=sometimes",
		       "command line: eta=sometimes: accepted: auto, always, never");
	expect_refused("--readonly=1 --name=x", "command line: readonly takes no value");
	expect_refused("--name=x --output", "command line: output needs a value");
	expect_refused("--name=x --bs", "command line: bs needs a value");
	expect_refused("--client=host", "command line: client: known to fio, not supported here");
}

Test(cmdline, nothing_to_run)
{
	static const char message[] =
		"No job(s) defined: give --name=NAME with options, or a job file";

	expect_refused("", message);
	expect_refused("--bs=4k", message);
	expect_refused("--name=global --bs=4k", message);
}

Test(cmdline, help_has_every_option_and_word)
{
	struct strbuf help = {0};

	cmdline_help(&help);
	for (const struct option_def *row = job_options; row->name; row++)
		cr_expect_not_null(strstr(help.s, row->help), "%s", row->name);
	cr_expect_not_null(strstr(help.s, "--output=FILE, -o FILE"));
	strbuf_fini(&help);
}

Test(cmdline, a_control_character_is_refused)
{
	char name[] = "--name=x", attached[] = "--description=a\nb", option[] = "--bs",
	     next[] = "4\x04k", dashes[] = "--";
	char *lines[][3] = {{name, attached, dashes}, {option, next, name}, {dashes, next, name}};
	struct cmdline c;
	struct err e = {0};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		cr_expect_lt(cmdline_parse(3, lines[i], &c, &e), 0);
		cr_expect_str_eq(e.msg, "command line: a control character in argument 2");
	}
}

/* -- reports: what fio 3.33 puts into "global options" and "job options" ---------------------- */

Test(cmdline, options_before_the_name_are_global_options)
{
	struct cmdline c;

	parse_line("-ioengine=null -size=1m -thread -readwrite=randread -timeout=5 -name=t", &c);
	expect_given(c.spec.globals, c.spec.n_globals,
		     "ioengine=null size=1m thread rw=randread runtime=5");
	expect_given(c.spec.jobs[0].given, c.spec.jobs[0].n_given, "name=t");
	expect_value(&c.spec.jobs[0], "rw", "randread");
	cmdline_fini(&c);
}

Test(cmdline, options_after_the_name_are_job_options)
{
	struct cmdline c;

	parse_line("-name=t -ioengine=null -size=1m -rw=randread", &c);
	cr_expect_eq(c.spec.n_globals, 0);
	expect_given(c.spec.jobs[0].given, c.spec.jobs[0].n_given,
		     "name=t ioengine=null size=1m rw=randread");
	cmdline_fini(&c);
}

Test(cmdline, a_global_section_in_between)
{
	struct cmdline c;

	parse_line("--name=q --size=1m --name=global --bs=8k --name=r --size=2m", &c);
	cr_assert_eq(c.spec.n_jobs, 2);
	expect_given(c.spec.globals, c.spec.n_globals, "name=global bs=8k");
	expect_value(&c.spec.jobs[0], "bs", "4k");
	expect_value(&c.spec.jobs[1], "bs", "8k");
	cmdline_fini(&c);
}

/* -- job files -------------------------------------------------------------------------------- */

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}

/* Trap 9, and: from the second file on globals are reset and the first job gets a stonewall. */
Test(cmdline, trap_9_job_files_start_from_the_command_lines_defaults)
{
	char dir[] = "/tmp/iodeck-cmd-XXXXXX", line[300], one[64], two[64];
	struct cmdline c;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(one, sizeof(one), "%s/one.fio", dir);
	snprintf(two, sizeof(two), "%s/two.fio", dir);
	write_text(one, "[global]\nruntime=7\n[a]\nsize=1m\n");
	write_text(two, "[global]\nsize=3m\n[b]\n[c]\n");
	snprintf(line, sizeof(line), "--bs=8k --runtime=5 %s --name=q --size=2m %s -f", one, two);
	parse_line(line, &c);
	cr_assert_eq(c.spec.n_jobs, 4);
	expect_value(&c.spec.jobs[0], "name", "q");
	expect_value(&c.spec.jobs[0], "runtime", "5");
	expect_value(&c.spec.jobs[1], "name", "a");
	expect_value(&c.spec.jobs[1], "bs", "8k");
	expect_value(&c.spec.jobs[1], "runtime", "7");
	expect_value(&c.spec.jobs[1], "stonewall", "0");
	expect_value(&c.spec.jobs[2], "bs", "4k");
	expect_value(&c.spec.jobs[2], "runtime", "0");
	expect_value(&c.spec.jobs[2], "stonewall", "1");
	expect_value(&c.spec.jobs[3], "stonewall", "0");
	expect_given(c.spec.globals, c.spec.n_globals, "size=3m");
	cmdline_fini(&c);
	snprintf(line, sizeof(line), "--bs=8k %s", one);
	parse_line(line, &c);
	expect_given(c.spec.globals, c.spec.n_globals, "bs=8k runtime=7");
	cmdline_fini(&c);
	unlink(one);
	unlink(two);
	rmdir(dir);
}

Test(cmdline, a_dash_reads_standard_input)
{
	char path[] = "/tmp/iodeck-in-XXXXXX";
	struct cmdline c;
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	write_text(path, "[piped]\nbs=16k\n");
	dup2(fd, STDIN_FILENO);
	close(fd);
	unlink(path);
	parse_line("-", &c);
	expect_value(&c.spec.jobs[0], "name", "piped");
	expect_value(&c.spec.jobs[0], "bs", "16k");
	cmdline_fini(&c);
}

/* -- fio-language 1.8 ------------------------------------------------------------------------- */

Test(cmdline, test_vectors)
{
	static const char *const taken[] = {
		"--io_size=3m",   "--io_size=50%",  "--loops=3",     "--bs=3k",
		"--number_ios=7", "--rw=trimwrite", "--offset=256k", "--size=4m --io_size=1m",
	};
	char line[120];
	struct cmdline c;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		snprintf(line, sizeof(line), "--name=x --ioengine=null --size=1m %s", taken[i]);
		parse_line(line, &c);
		cmdline_fini(&c);
	}
	parse_line("-ioengine null -size 1m -iodepth 16 -thread -rw=randread -group_reporting "
		   "-name=mytest",
		   &c);
	expect_value(&c.spec.jobs[0], "iodepth", "16");
	cmdline_fini(&c);
	parse_line("--name=x --ioengine=null --size=1m --nrfiles=4", &c);
	expect_value(&c.spec.jobs[0], "nrfiles", "4");
	cmdline_fini(&c);
}

/* -- traps ------------------------------------------------------------------------------------ */

Test(cmdline, trap_6_a_bare_flag_takes_no_next_word_and_others_do)
{
	expect_refused(
		"-thread 1 -name=x",
		"1: cannot open this job file: No such file or directory (the flag before it "
		"takes a value only with '=')");
	expect_refused(
		"-direct -name=x",
		"command line: [global]: direct=-name=x: not 0 or 1; accepted: 0 or 1 (the next "
		"argument was taken as its value)");
}

Test(cmdline, trap_7_no_clusters_no_prefixes)
{
	expect_refused("-foo=3 -name=x", "command line: foo: unknown option");
	expect_refused("-rwmixreed=70",
		       "command line: rwmixreed: unknown option, did you mean --rwmixread?");
	expect_refused("-ioeng null",
		       "command line: ioeng: unknown option, did you mean --ioengine?");
	expect_refused("-siz=1m", "command line: siz: unknown option, did you mean --size?");
	expect_refused("--outputt=x",
		       "command line: outputt: unknown option, did you mean --output?");
	expect_refused("--=x", "command line: '--=x': unknown option");
	expect_refused("-fsynk=1", "command line: fsynk: unknown option, did you mean --fsync?");
}

Test(cmdline, trap_8_a_second_name_starts_from_the_globals)
{
	struct cmdline c;

	parse_line("-name=x -ioengine=null -size=1m -bs=8k -name=y -bs=16k", &c);
	cr_assert_eq(c.spec.n_jobs, 2);
	expect_value(&c.spec.jobs[1], "ioengine", "psync");
	expect_value(&c.spec.jobs[1], "size", "0");
	expect_value(&c.spec.jobs[1], "bs", "16k");
	cmdline_fini(&c);
	parse_line("-ioengine=null -size=1m -name=x -bs=8k -name=y -rw=randread", &c);
	expect_value(&c.spec.jobs[0], "bs", "8k");
	expect_value(&c.spec.jobs[1], "bs", "4k");
	expect_value(&c.spec.jobs[1], "rw", "randread");
	expect_value(&c.spec.jobs[1], "ioengine", "null");
	cmdline_fini(&c);
}

Test(cmdline, trap_11_any_name_that_begins_with_global)
{
	struct cmdline c;

	parse_line("--name=globalish --bs=8k --name=x", &c);
	cr_assert_eq(c.spec.n_jobs, 1);
	expect_value(&c.spec.jobs[0], "bs", "8k");
	cmdline_fini(&c);
}

/* -- public cases ----------------------------------------------------------------------------- */

Test(cmdline, case_1_text_after_the_colon_of_rw)
{
	expect_refused(
		"--name=a --ioengine=null --size=1m --rw=randrw:foo",
		"command line: [a]: rw=randrw:foo: 'foo' is not a number: no digits where the "
		"number starts; accepted: read, write, trim, rw, randread, randwrite, randtrim, "
		"randrw, trimwrite, randtrimwrite");
}

Test(cmdline, case_2_negative_numbers)
{
	expect_refused(
		"--name=a --bs=-4k",
		"command line: [a]: bs=-4k: cannot be negative; accepted: read,write,trim, each "
		"a size from 1 to 1g");
	expect_refused(
		"--name=a --size=-1",
		"command line: [a]: size=-1: '-1': a size cannot be negative; accepted: a size, "
		"or 1% to 100%");
	expect_refused(
		"--name=a --iodepth=-1",
		"command line: [a]: iodepth=-1: '-1': a number cannot be negative; accepted: a "
		"whole number from 1 to 65536");
	expect_refused(
		"--name=a --numjobs=-3",
		"command line: [a]: numjobs=-3: '-3': a number cannot be negative; accepted: a "
		"whole number from 1 to 1024");
	expect_refused(
		"--name=a --runtime=-5",
		"command line: [a]: runtime=-5: '-5': a duration cannot be negative; accepted: "
		"seconds, or a number with d h m s ms us, at most 315360000");
}

Test(cmdline, case_11_no_size_is_not_a_matter_of_the_parser)
{
	struct cmdline c;

	parse_line("--name=m --rw=randread --ioengine=psync --numjobs=6 --filename=nofile", &c);
	expect_value(&c.spec.jobs[0], "size", "0");
	cmdline_fini(&c);
}

Test(cmdline, case_20_max_jobs_is_accepted)
{
	struct cmdline c;

	parse_line("--max-jobs=8 --name=a --numjobs=8 --name=b --stonewall", &c);
	cr_expect_eq(c.spec.n_jobs, 2);
	cmdline_fini(&c);
}

Test(cmdline, case_31_percentages_over_100)
{
	expect_refused(
		"--name=a --size=110%",
		"command line: [a]: size=110%: 110 is out of range: 0 to 100; accepted: a size, "
		"or 1% to 100%");
}

/* Every option fio 3.33 lists is either a row or refused as known. */
Test(cmdline, every_option_of_fio_is_known)
{
	FILE *p = popen("fio --cmdhelp=all 2>/dev/null", "r");
	char line[256], arg[300], name[64];
	unsigned n = 0;

	cr_assert_not_null(p);
	while (fgets(line, sizeof(line), p)) {
		char *argv[] = {arg};
		struct cmdline c;
		struct err e = {0};

		if (sscanf(line, " %63[a-z0-9_-]", name) != 1 || !strchr(line, ':'))
			continue;
		n++;
		snprintf(arg, sizeof(arg), "--%s=", name);
		if (cmdline_parse(1, argv, &c, &e) == 0)
			cmdline_fini(&c);
		cr_expect_null(strstr(e.msg, "unknown option"), "%s", e.msg);
	}
	pclose(p);
	if (n == 0)
		cr_skip_test("fio is not installed");
	cr_expect_gt(n, 200);
}
