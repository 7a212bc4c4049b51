/* Job files: sections, globals, comments, variables, includes, and what is refused and how. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/spec/line.h"
#include "src/spec/job_lists.h"
#include "tests/unit/spec_text.h"

Test(jobfile, a_section_is_a_job_with_defaults)
{
	struct spec s;

	parse_ok("[a]\n", &s);
	cr_assert_eq(s.n_jobs, 1);
	expect_value(&s.jobs[0], "name", "a");
	expect_value(&s.jobs[0], "rw", "read");
	expect_value(&s.jobs[0], "bs", "4k");
	expect_value(&s.jobs[0], "ioengine", "psync");
	expect_value(&s.jobs[0], "iodepth", "1");
	expect_value(&s.jobs[0], "randrepeat", "1");
	cr_expect_eq(s.notes.len, 0);
	spec_fini(&s);
}

Test(jobfile, globals_accumulate_and_apply_to_what_follows)
{
	struct spec s;

	parse_ok("[global]\nbs=8k\niodepth=2\n[a]\n[global]\niodepth=4\n[b]\n[globalX]\nbs=16k\n"
		 "[c]\niodepth=1\n",
		 &s);
	cr_assert_eq(s.n_jobs, 3);
	expect_value(&s.jobs[0], "bs", "8k");
	expect_value(&s.jobs[0], "iodepth", "2");
	expect_value(&s.jobs[1], "bs", "8k");
	expect_value(&s.jobs[1], "iodepth", "4");
	expect_value(&s.jobs[2], "bs", "16k");
	expect_value(&s.jobs[2], "iodepth", "1");
	expect_given(s.globals, s.n_globals, "bs=8k iodepth=2 iodepth=4 bs=16k");
	expect_given(s.jobs[0].given, s.jobs[0].n_given, "");
	expect_given(s.jobs[2].given, s.jobs[2].n_given, "iodepth=1");
	spec_fini(&s);
}

/* fio 3.33's "job options": canonical names, kb_base first, filename last, duplicates kept. */
Test(jobfile, given_options_are_what_fio_reports)
{
	struct spec s;

	parse_ok(
		"[c]\niodepth=4\nfilename=foo\nbuffered=1\nrwmixwrite=30\nkb_base=1024\niodepth=5\n"
		"wait_for_previous=1\nthread\ntimeout=10s\nname=xx\n",
		&s);
	expect_given(s.jobs[0].given, s.jobs[0].n_given,
		     "kb_base=1024 iodepth=4 buffered=1 rwmixwrite=30 iodepth=5 stonewall=1 thread "
		     "runtime=10s name=xx filename=foo");
	expect_value(&s.jobs[0], "iodepth", "5");
	expect_value(&s.jobs[0], "name", "xx");
	spec_fini(&s);
}

Test(jobfile, duplicate_names_are_separate_jobs)
{
	struct spec s;

	parse_ok("[a]\nbs=8k\n[a]\nbs=16k\n", &s);
	cr_assert_eq(s.n_jobs, 2);
	expect_value(&s.jobs[0], "bs", "8k");
	expect_value(&s.jobs[1], "bs", "16k");
	spec_fini(&s);
}

Test(jobfile, kb_base_counts_before_the_sizes_above_it)
{
	struct spec s;

	parse_ok("[a]\nbs=4k\nkb_base=1000\nsize=4KiB\n", &s);
	cr_expect_eq(s.jobs[0].bs_bytes[IO_READ], 4000);
	cr_expect_eq(s.jobs[0].size.bytes, 4096);
	spec_fini(&s);
}

/* Trap 10: no value can hold ';' or '#'. */
Test(jobfile, trap_10_comments_are_cut_anywhere)
{
	struct spec s;

	parse_ok("##first line\n ; indented\n[a] ; after a header\nbs=8k;x\n\tsize=64k#x\n"
		 "filename=we#ird\n#rw=write\n",
		 &s);
	expect_value(&s.jobs[0], "bs", "8k");
	expect_value(&s.jobs[0], "size", "64k");
	expect_value(&s.jobs[0], "filename", "we");
	expect_value(&s.jobs[0], "rw", "read");
	cr_expect_eq(s.notes.len, 0);
	spec_fini(&s);
}

Test(jobfile, indentation_line_ends_and_a_byte_order_mark_do_not_matter)
{
	struct spec s;

	parse_ok("\xef\xbb\xbf[a b]\r\n    "
		 "bs=8k\r\n\tiodepth=3\r\n\r\n[c]\r\ntime_based\r\nruntime=1",
		 &s);
	cr_assert_eq(s.n_jobs, 2);
	expect_value(&s.jobs[0], "name", "a b");
	expect_value(&s.jobs[0], "bs", "8k");
	expect_value(&s.jobs[0], "iodepth", "3");
	expect_value(&s.jobs[1], "time_based", "1");
	spec_fini(&s);
}

/* inih alone cuts names at 50 and lines at 200 bytes. */
Test(jobfile, long_names_and_lines_come_through_whole)
{
	char text[8000], name[3001] = {0}, file[3001] = {0};
	struct spec s;

	memset(name, 'n', 3000);
	memset(file, 'f', 3000);
	snprintf(text, sizeof(text), "[%s]\nfilename=%s\n[b]\n", name, file);
	parse_ok(text, &s);
	cr_assert_eq(s.n_jobs, 2);
	cr_expect_str_eq(s.jobs[0].name, name);
	cr_expect_str_eq(s.jobs[0].filename, file);
	expect_value(&s.jobs[1], "name", "b");
	spec_fini(&s);
}

Test(jobfile, a_line_over_the_limit_is_refused)
{
	size_t len = 70000;
	char *text = xcalloc(len + 1, 1);

	memset(text, 'x', len);
	memcpy(text, "[a]\ndescription=", 16);
	expect_error(text, "job.fio:2: [a]: the line is 69996 bytes long, at most 65536 are read");
	free(text);
}

Test(jobfile, unusual_section_names)
{
	struct spec s;

	parse_ok("[a]b]\n[/dev/null]\n[ c ]\n[d=1]\n", &s);
	cr_assert_eq(s.n_jobs, 4);
	expect_value(&s.jobs[0], "name", "a]b");
	expect_value(&s.jobs[1], "name", "/dev/null");
	expect_value(&s.jobs[2], "name", " c ");
	expect_value(&s.jobs[3], "name", "d=1");
	spec_fini(&s);
}

static void expect_division_error(const char *evaluated)
{
	char message[80];

	snprintf(message, sizeof(message), "job.fio:2: [a]: size=%s: division by zero", evaluated);
	expect_error("[a]\nsize=$ncpus/0\n", message);
}

Test(jobfile, variables)
{
	struct spec s;
	char expected[32];

	setenv("IODECK_T", "8k", 1);
	setenv("IODECK_EMPTY", "", 1);
	parse_ok("[a]\nbs=${IODECK_T}\ndescription=x${IODECK_EMPTY}y $HOME $ncpus cpus\n"
		 "size=2*$pagesize + 4*(1+1)\nfilename=/d/$ncpus/f\n",
		 &s);
	expect_value(&s.jobs[0], "bs", "8k");
	snprintf(expected, sizeof(expected), "xy $HOME %ld cpus", sysconf(_SC_NPROCESSORS_ONLN));
	expect_value(&s.jobs[0], "description", expected);
	cr_expect_eq(s.jobs[0].size.bytes, 2 * (uint64_t)sysconf(_SC_PAGESIZE) + 8);
	snprintf(expected, sizeof(expected), "/d/%ld/f", sysconf(_SC_NPROCESSORS_ONLN));
	expect_value(&s.jobs[0], "filename", expected);
	spec_fini(&s);
	expect_error("[a]\nsize=${IODECK_T\n", "job.fio:2: [a]: '${' without '}'");
	snprintf(expected, sizeof(expected), "%ld/0", sysconf(_SC_NPROCESSORS_ONLN));
	expect_division_error(expected);
}

Test(jobfile, arithmetic)
{
	static const struct {
		char text[40], result[24];
	} cases[] = {
		{"2+3*4", "14"}, {"(2+3)*4", "20"}, {"7/2", "3"},    {"-7/2", "-3"},
		{"2--3", "5"},   {" 1 + 1 ", "2"},  {"10-2-3", "5"}, {"4k*2", "4k*2"},
		{"12", "12"},    {"a/b", "a/b"},    {"", ""},
	};
	static const char *const bad[] = {
		"1/0", "1+", "(1", "1)", "*2", "()", "9223372036854775807+1", "1 2+3"};
	struct strbuf out = {0};
	struct err e = {0};
	char nested[200];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strbuf_reset(&out);
		cr_expect_eq(line_evaluate(cases[i].text, &out, &e), 0, "%s", cases[i].text);
		cr_expect_str_eq(strbuf_str(&out), cases[i].result);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_lt(line_evaluate(bad[i], &out, &e), 0, "%s", bad[i]);
	memset(nested, '(', sizeof(nested) - 1);
	nested[sizeof(nested) - 1] = '\0';
	cr_expect_lt(line_evaluate(nested, &out, &e), 0);
	strbuf_fini(&out);
}

/* -- include ---------------------------------------------------------------------------------- */

static void put(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static int load(const char *dir, const char *name, struct spec *s, struct err *e)
{
	char *path = xasprintf("%s/%s", dir, name);
	int rc;

	spec_init(s);
	rc = jobfile_load(path, NULL, s, e);
	free(path);
	return rc;
}

static void expect_file_error(const char *dir, const char *name, const char *part)
{
	struct err e = {0};
	struct spec s;

	cr_expect_lt(load(dir, name, &s, &e), 0, "%s was taken", name);
	cr_expect_not_null(strstr(e.msg, part), "%s", e.msg);
	spec_fini(&s);
}

Test(jobfile, include_splices_options)
{
	char dir[] = "/tmp/iodeck-inc-XXXXXX", cmd[64];
	struct err e = {0};
	struct spec s;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(cmd, sizeof(cmd), "mkdir %s/sub", dir);
	cr_assert_eq(system(cmd), 0);
	put(dir, "a.fio", "[a]\nbs=8k\ninclude sub/one.inc\nsize=1m\n[b]\n");
	put(dir, "sub/one.inc", "iodepth=3\ninclude two.inc\ninclude top.inc");
	put(dir, "sub/two.inc", "\n; two\nrw=randread\n");
	put(dir, "top.inc", "bs=16k\n");
	cr_expect_eq(load(dir, "a.fio", &s, &e), 0, "%s", e.msg);
	cr_assert_eq(s.n_jobs, 2);
	expect_given(s.jobs[0].given, s.jobs[0].n_given,
		     "bs=8k iodepth=3 rw=randread bs=16k size=1m");
	expect_value(&s.jobs[1], "iodepth", "1");
	spec_fini(&s);

	put(dir, "loop.fio", "[a]\ninclude loop.inc\n");
	put(dir, "loop.inc", "bs=8k\ninclude loop.inc\n");
	expect_file_error(dir, "loop.fio",
			  "loop.inc:2: [a]: include loop.inc: the file includes itself");
	put(dir, "gone.fio", "[a]\ninclude gone.inc\n");
	expect_file_error(dir, "gone.fio", "gone.fio:2: [a]: include gone.inc: no such file");
	put(dir, "sect.fio", "[a]\ninclude sect.inc\n");
	put(dir, "sect.inc", "bs=8k\n[b]\n");
	expect_file_error(dir, "sect.fio", "sect.inc:2: an included file may not hold sections");
	put(dir, "bad.fio", "[a]\ninclude bad.inc\n");
	put(dir, "bad.inc", "\n\nbs=huge\n");
	expect_file_error(dir, "bad.fio", "bad.inc:3: [a]: bs=huge");
	put(dir, "dir.fio", "[a]\ninclude sub\n");
	expect_file_error(dir, "dir.fio", "not a regular file");
	put(dir, "prefix.fio", "[a]\nincludefoo=bar\n");
	expect_file_error(dir, "prefix.fio", "includefoo: unknown option");
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	cr_expect_eq(system(cmd), 0);
}

Test(jobfile, errors_name_file_line_section_option_text_and_range)
{
	expect_error("[a]\n\nbs=4k\n# c\niodepth=0\n", "job.fio:5: [a]: iodepth=0: out of range; "
						       "accepted: a whole number from 1 to 65536");
	expect_error("bs=4k\n[a]\n", "job.fio:1: option 'bs=4k' outside of a [section]");
	expect_error("[]\n", "job.fio:1: the section has no name");
	expect_error("[a]\n=5\n", "job.fio:2: [a]: an option name is missing before '='");
	expect_error("[a]\nIoengine=null\n",
		     "job.fio:2: [a]: Ioengine: unknown option, did you mean ioengine?");
	expect_error("[a]\n@section=1\n", "job.fio:2: [a]: @section: unknown option");
	expect_error("[a]\nbs:8k\n", "job.fio:2: [a]: bs:8k: unknown option");
	expect_error("[a]\niodepth\n",
		     "job.fio:2: [a]: iodepth needs a value: a whole number from 1 to 65536");
	expect_error("[a]\nverify=crc32c\n",
		     "job.fio:2: [a]: verify: known to fio, not supported here");
	expect_error("[a]\nhipri=1\n", "job.fio:2: [a]: hipri: known to fio, not supported here");
	expect_error("[a]\nbs=8\x01k\n", "job.fio:2: [a]: control character 0x01 in the line");
	expect_error("[global]\nbs=8k\n", "job.fio: no job section in it, nothing to run");
	expect_error("", "job.fio: no job section in it, nothing to run");
	expect_error("[a]\nsize=1k\n", "job.fio:1: a: size=1k is smaller than one block (bs=4k)");
	expect_error("[a]\nrate=1m\nrate_iops=5\n",
		     "job.fio:1: a: rate= and rate_iops= cannot be had together");
}

Test(jobfile, a_zero_byte_is_not_text)
{
	static const char text[] = "[a]\nbs=8k\0x\n[b]\n";
	struct err e = {0};
	struct spec s;

	spec_init(&s);
	cr_expect_lt(jobfile_parse("job.fio", text, sizeof(text) - 1, NULL, &s, &e), 0);
	cr_expect_str_eq(e.msg, "job.fio:2: [a]: a zero byte in the line: not a text file");
	spec_fini(&s);
}

Test(jobfile, a_missing_file_is_named)
{
	struct err e = {0};
	struct spec s;

	spec_init(&s);
	cr_expect_eq(jobfile_load("/nonexistent/x.fio", NULL, &s, &e), -ENOENT);
	cr_expect_str_eq(
		e.msg, "/nonexistent/x.fio: cannot open this job file: No such file or directory");
	spec_fini(&s);
}

/* -- traps of the fio language (numbers as there) --------------------------------------------- */

Test(jobfile, trap_1_blanks_around_equals)
{
	struct spec s;

	parse_ok("[a]\nbs = 8k\nrw = randread\nioengine = null\nsize =1m\ndirect = 1\n", &s);
	expect_value(&s.jobs[0], "bs", "8k");
	expect_value(&s.jobs[0], "rw", "randread");
	expect_value(&s.jobs[0], "ioengine", "null");
	expect_value(&s.jobs[0], "size", "1m");
	cr_expect_str_eq(s.notes.s,
			 "job.fio:2: [a] blanks after '=' are dropped (bs = ...); fio keeps "
			 "them in the value\n");
	spec_fini(&s);
}

Test(jobfile, trap_2_three_letter_suffix_is_decimal_and_noted)
{
	struct spec s;

	parse_ok("[a]\nbs=4KiB\n", &s);
	cr_expect_eq(s.jobs[0].bs_bytes[IO_READ], 4000);
	expect_note(&s, "job.fio:2: [a] bs=4KiB is 4000 bytes");
	spec_fini(&s);
}

Test(jobfile, trap_3_decimal_sizes_are_refused)
{
	expect_error(
		"[a]\nbs=4.5k\n",
		"job.fio:2: [a]: bs=4.5k: '4.5k': a size takes no decimals, write whole numbers; "
		"accepted: read,write,trim, each a size from 1 to 1g");
}

Test(jobfile, trap_4_one_minute_is_a_minute)
{
	struct spec s;

	parse_ok("[a]\nruntime=1min\n", &s);
	expect_value(&s.jobs[0], "runtime", "60");
	expect_note(&s, "runtime=1min is read as what it says");
	spec_fini(&s);
}

Test(jobfile, trap_5_a_dash_in_bs_is_not_a_range)
{
	struct spec s;

	parse_ok("[a]\nbs=4k-8k\n", &s);
	cr_expect_eq(s.jobs[0].bs_bytes[IO_READ], 4096);
	cr_expect_eq(s.jobs[0].bs_bytes[IO_WRITE], 8192);
	expect_note(&s, "not a range");
	spec_fini(&s);
}

Test(jobfile, traps_12_and_13_stonewall_is_inherited_from_global_only)
{
	struct spec s;

	parse_ok("[global]\nstonewall\n[a]\n[b]\n", &s);
	expect_value(&s.jobs[0], "stonewall", "1");
	expect_value(&s.jobs[1], "stonewall", "1");
	spec_fini(&s);
	parse_ok("[a]\n[b]\nstonewall\n[c]\n", &s);
	expect_value(&s.jobs[1], "stonewall", "1");
	expect_value(&s.jobs[2], "stonewall", "0");
	spec_fini(&s);
}

Test(jobfile, trap_14_numjobs_0)
{
	expect_error(
		"[a]\nnumjobs=0\n",
		"job.fio:2: [a]: numjobs=0: out of range; accepted: a whole number from 1 to 1024");
}

/* -- public cases (numbers of the case list) -------------------------------------------------- */

Test(jobfile, case_5_command_line_option_in_a_job_file)
{
	expect_error(
		"[global]\noutput-format=json\n[a]\n",
		"job.fio:2: [global]: output-format: command-line option, not allowed in a job "
		"file");
	expect_error("[a]\neta-newline=1\n",
		     "job.fio:2: [a]: eta-newline: command-line option, not allowed in a job file");
}

Test(jobfile, case_7_one_bad_option_refuses_the_file_with_its_place)
{
	expect_error("[one]\nbs=4k\n[two]\nfinish=1\n", "job.fio:4: [two]: finish: unknown option");
}

Test(jobfile, case_8_ignore_error_lists_are_of_reads_then_writes)
{
	struct error_list l;
	struct err e = {0};

	cr_assert_eq(error_list_parse("EIO:ENOSPC,EIO", &l, &e), 0, "%s", e.msg);
	cr_expect(l.n[IO_READ] == 2 && l.v[IO_READ][0] == EIO && l.v[IO_READ][1] == ENOSPC);
	cr_expect(l.n[IO_WRITE] == 1 && l.v[IO_WRITE][0] == EIO);
	cr_assert_eq(error_list_parse(",EBUSY", &l, &e), 0, "%s", e.msg);
	cr_expect_eq(l.n[IO_READ], 0, "an empty first list leaves reads alone");
	cr_expect(l.n[IO_WRITE] == 1 && l.v[IO_WRITE][0] == EBUSY);
	expect_error("[a]\nignore_error=EIO:EFOO\n",
		     "job.fio:2: [a]: ignore_error=EIO:EFOO: 'EFOO' is no error; accepted: error "
		     "names or numbers with ':' between, of reads, then after ',' of writes");
}

Test(jobfile, case_10_global_rate_iops_with_a_tiny_size)
{
	struct spec s;

	parse_ok("[global]\nrate_iops=1\nioengine=null\n[t]\nsize=4k\n", &s);
	expect_value(&s.jobs[0], "rate_iops", "1");
	expect_value(&s.jobs[0], "size", "4k");
	spec_fini(&s);
}

Test(jobfile, case_13_percentages_of_bssplit)
{
	struct bssplit s[IO_OP_NR];
	struct err e = {0};

	expect_error(
		"[a]\nbssplit=4k/60:8k/60\n",
		"job.fio:2: [a]: bssplit=4k/60:8k/60: the percentages add up to 120, more than "
		"100; accepted: size/percent with ':' between, per direction by ','");
	cr_assert_eq(bssplit_parse("4k/30:8k/:16k", 1024, s, &e), 0, "%s", e.msg);
	cr_expect_eq(s[IO_WRITE].part[0].share, SHARE_ALL / 100 * 30);
	cr_expect_eq(s[IO_WRITE].part[1].share, SHARE_ALL / 100 * 35, "blanks share the rest");
	cr_expect_eq(s[IO_WRITE].part[2].bytes, 16384);
	cr_assert_eq(bssplit_parse("4k/10:8k/20,512", 1024, s, &e), 0, "%s", e.msg);
	cr_expect_eq(s[IO_READ].part[1].share, SHARE_ALL / 100 * 90, "as in fio");
	cr_expect_eq(s[IO_TRIM].part[0].bytes, 512, "trims are like writes");
}

Test(jobfile, case_14_a_misspelt_option_gets_a_suggestion)
{
	expect_error("[a]\nio_engine=libaio\n",
		     "job.fio:2: [a]: io_engine: unknown option, did you mean ioengine?");
}

Test(jobfile, case_16_blanks_and_comments_after_every_kind_of_value)
{
	struct spec s;

	parse_ok("[a]\nrw = read ; x\nsize = 1m # y\ndirect = 1 ;\nruntime = 5 #\nname = n ;c\n",
		 &s);
	expect_value(&s.jobs[0], "rw", "read");
	expect_value(&s.jobs[0], "size", "1m");
	expect_value(&s.jobs[0], "direct", "1");
	expect_value(&s.jobs[0], "runtime", "5");
	expect_value(&s.jobs[0], "name", "n");
	spec_fini(&s);
}

Test(jobfile, case_17_a_header_without_its_bracket)
{
	expect_error("[a\nrw=read\n", "job.fio:1: '[a': the ']' of the section name is missing");
}

Test(jobfile, case_19_an_unset_variable_is_named)
{
	unsetenv("NOPE");
	expect_error("[a]\nsize=${NOPE}\n",
		     "job.fio:2: [a]: the environment variable NOPE is not set");
}

Test(jobfile, case_35_an_empty_file_name)
{
	expect_error("[a]\nfilename=\n",
		     "job.fio:2: [a]: filename=: the value is empty; accepted: a "
		     "text that is not empty");
}

Test(jobfile, case_53_time_based_without_runtime_is_noted)
{
	struct spec s;

	parse_ok("[a]\ntime_based\nsize=1m\n", &s);
	cr_expect_str_eq(s.notes.s, "job.fio:1 time_based has no effect without runtime=\n");
	spec_fini(&s);
}

Test(jobfile, threads_is_accepted_like_in_fio_and_noted)
{
	struct spec s;

	parse_ok("[a]\nthreads=1\n", &s);
	expect_note(&s, "threads has no effect");
	spec_fini(&s);
}

/* Article 000's ssd-test.fio and article 002's fio_config.txt, as printed there. */
Test(jobfile, the_articles_job_files)
{
	static const char ssd[] =
		"##2020-05-24\n[global]\nbs=4k\nioengine=libaio\niodepth=4\nnumjobs=1\n"
		"group_reporting\nsize=5g\ndirect=1\nruntime=60\ndirectory=/data/soft\n"
		"filename=ssd.test.file\n#inflate-log=x\n#output=y\n"
		"[seq-read]\nname=iops_seq_read\nrw=read\nstonewall\n"
		"[rand-read]\nname=iops_rand_read\nrw=randread\nstonewall\n"
		"[seq-write]\nname=iops_seq_write\nrw=write\nstonewall\n"
		"[rand-write]\nname=iops_rand_write\nrw=randwrite\nstonewall\n"
		"[randrw]\nname=iops_randrw\nrw=randrw\nrwmixread=70\nstonewall\n";
	static const char config[] =
		"[global]\nioengine=libaio\niodepth=1\nsize=1g\ndirect=1\nruntime=60\n"
		"##directory=/tmp\nstonewall\n[Seq-Read]\nrw=read\nbs=1m\n"
		"[Rand-Read-4K-QD32]\niodepth=32\nbs=4k\nrw=randread\n";
	struct spec s;

	parse_ok(ssd, &s);
	cr_assert_eq(s.n_jobs, 5);
	expect_value(&s.jobs[4], "name", "iops_randrw");
	expect_value(&s.jobs[4], "rwmixread", "70");
	expect_value(&s.jobs[4], "size", "5g");
	expect_value(&s.jobs[4], "filename", "ssd.test.file");
	cr_expect(s.jobs[0].stonewall && s.jobs[4].stonewall);
	spec_fini(&s);
	parse_ok(config, &s);
	cr_assert_eq(s.n_jobs, 2);
	expect_value(&s.jobs[1], "iodepth", "32");
	expect_value(&s.jobs[0], "iodepth", "1");
	cr_expect(s.jobs[1].stonewall);
	cr_expect_null(s.jobs[0].filename);
	spec_fini(&s);
}
