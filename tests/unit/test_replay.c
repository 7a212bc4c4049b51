/* read_iolog and write_iolog at work: what is played back, when, and what is written (fio-language 2). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "tests/unit/run_rig.h"

#define V3 "fio version 3 iolog\n"

static char log_path[160], args[1024];

static void setup(void)
{
	run_rig_setup();
	snprintf(log_path, sizeof(log_path), "%s/log", run_dir);
}

TestSuite(replay, .init = setup, .fini = run_rig_cleanup);

/* The log; every '@' of the text is the name of the scratch file. */
static void make_log(const char *text)
{
	FILE *f = fopen(log_path, "w");

	cr_assert_not_null(f);
	for (; *text; text++)
		if (*text == '@')
			fputs(run_path, f);
		else
			fputc(*text, f);
	cr_assert_eq(fclose(f), 0);
}

/* A line of options with the log's name for '@'. */
static const char *with_log(const char *text)
{
	char *out = args;

	for (; *text; text++)
		if (*text == '@')
			out += sprintf(out, "%s", log_path);
		else
			*out++ = *text;
	*out = '\0';
	return args;
}

static char *text_of_log(void)
{
	struct strbuf sb = {0};

	cr_assert_eq(fs_read_all("", log_path, &sb), 0);
	return sb.s;
}

static unsigned count(const char *text, const char *word)
{
	unsigned n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

static void make_foreign(size_t bytes)
{
	FILE *f = fopen(run_path, "w");

	cr_assert_not_null(f);
	for (size_t i = 0; i < bytes; i++)
		fputc('x', f);
	cr_assert_eq(fclose(f), 0);
}

static const char mixed[] = V3 "0 @ add\n5 @ open\n10 @ write 0 4096\n20 @ write 12288 512\n"
			       "30 @ sync 0 0\n40 @ read 0 4096\n50 @ datasync 0 0\n"
			       "60 @ read 512 512\n70 @ read 0 1024\n80 @ close\n";

Test(replay, does_what_the_log_says)
{
	static const char *const how[] = {"psync",
					  "psync --numjobs=2",
					  "libaio --iodepth=4",
					  "io_uring --iodepth=16",
					  "mmap",
					  "posixaio --iodepth=2",
					  "null"};

	make_log(mixed);
	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++) {
		unsigned n = strstr(how[i], "numjobs") ? 2 : 1;
		char line[256];
		struct run_help h;

		snprintf(line, sizeof(line), "--name=t --read_iolog=@ --ioengine=%s", how[i]);
		run_ok(&h, with_log(line));
		cr_expect_eq(run_help_ops(&h, IO_READ), 3 * n, "%s", how[i]);
		cr_expect_eq(run_help_bytes(&h, IO_READ), 5632 * n, "%s", how[i]);
		cr_expect_eq(run_help_ops(&h, IO_WRITE), 2 * n, "%s", how[i]);
		cr_expect_eq(h.r->jobs[0].sync_ops, 2, "%s", how[i]);
		run_help_fini(&h);
	}
}

Test(replay, keeps_the_gaps_of_the_log)
{
	make_log(
		V3
		"0 @ add\n5 @ open\n10 @ read 0 4096\n200010 @ read 0 4096\n400010 @ read 0 512\n");
	expect_ms(with_log("--name=t --read_iolog=@ --ioengine=null"), 400, 700);
	expect_ms(with_log("--name=t --read_iolog=@ --ioengine=null --replay_time_scale=200"), 200,
		  400);
	expect_ms(with_log("--name=t --read_iolog=@ --ioengine=null --replay_no_stall=1"), 0, 200);
	make_log("fio version 2 iolog\n@ add\n@ open\n@ read 0 512\n@ wait 300 0\n@ read 0 512\n");
	expect_ms(with_log("--name=t --read_iolog=@ --ioengine=null"), 300, 600);
}

Test(replay, ends_with_the_log_or_before_it)
{
	make_log(V3 "0 @ add\n5 @ open\n10 @ read 0 4096\n60000000 @ read 0 4096\n");
	cr_expect_eq(ops_of(with_log("--name=t --read_iolog=@ --ioengine=null --runtime=100ms"),
			    IO_READ),
		     1);
	make_log(mixed);
	cr_expect_eq(ops_of(with_log("--name=t --read_iolog=@ --ioengine=null --loops=3 "
				     "--number_ios=1 --io_size=512 --time_based --runtime=1"),
			    IO_READ),
		     3, "fio looks at none of them");
}

/* Each clone in turn takes the next log; fio numbers them downwards. */
Test(replay, clones_take_their_logs_in_turn)
{
	struct run_help h;
	char second[170];

	make_log(V3 "0 @ add\n5 @ open\n10 @ read 0 512\n");
	snprintf(second, sizeof(second), "%s.2", log_path);
	cr_assert_eq(rename(log_path, second), 0);
	make_log(V3 "0 @ add\n5 @ open\n10 @ read 0 4096\n");
	run_ok(&h, with_log("--name=t --read_iolog=@:@.2 --ioengine=null --numjobs=3"));
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.bytes, 4096);
	cr_expect_eq(h.r->jobs[1].dir[IO_READ].st.bytes, 4096, "clone 2");
	cr_expect_eq(h.r->jobs[2].dir[IO_READ].st.bytes, 512, "clone 1");
	run_help_fini(&h);
}

/* The guard knows every file that the log writes before anything is opened. */
Test(replay, writes_go_through_the_guard)
{
	char overwrite[400];
	struct run_help h;

	make_foreign(16384);
	make_log(mixed);
	expect_refused(with_log("--name=t --read_iolog=@"), "was not made by iodeck");
	make_log(V3 "0 @ add\n5 @ open\n10 @ trim 0 4096\n");
	expect_refused(with_log("--name=t --read_iolog=@"), "was not made by iodeck");
	make_log(mixed);
	snprintf(overwrite, sizeof(overwrite), "--name=t --read_iolog=@ --allow-overwrite=%s",
		 run_path);
	run_ok(&h, with_log(overwrite));
	cr_expect_eq(run_help_ops(&h, IO_WRITE), 2);
	run_help_fini(&h);
	cr_expect_eq(ops_of(with_log("--name=t --read_iolog=@ --replay_skip=write"), IO_READ), 3,
		     "reading needs no consent");
	expect_refused(with_log("--name=t --read_iolog=@ --readonly"), "replay_skip=write,trim");
	/* rw= says nothing of it. */
	expect_refused(with_log("--name=t --read_iolog=@ --rw=read"), "was not made by iodeck");
}

/* One file is read, the other written: consent is needed for the one only. */
Test(replay, each_file_is_used_as_the_log_says)
{
	struct run_help h;

	make_foreign(8192);
	make_log(V3 "0 @ add\n0 @.new add\n5 @ open\n5 @.new open\n10 @ read 0 4096\n"
		    "20 @.new write 0 4096\n");
	for (unsigned i = 0; i < 3; i++) {
		static const char *const engines[] = {"psync", "mmap", "io_uring"};
		char line[128];

		snprintf(line, sizeof(line), "--name=t --read_iolog=@ --ioengine=%s", engines[i]);
		run_ok(&h, with_log(line));
		cr_expect_eq(run_help_ops(&h, IO_READ), 1, "%s", line);
		cr_expect_eq(run_help_ops(&h, IO_WRITE), 1, "%s", line);
		run_help_fini(&h);
	}
}

Test(replay, says_which_line_is_in_the_way)
{
	char disk[64];

	/* tmpfs knows no alignment. */
	tmp_make(disk, sizeof(disk), "/tmp");
	snprintf(run_path, sizeof(run_path), "%s/f", disk);
	ops_of("--name=t --filename=%s --rw=read --size=16k", IO_READ);
	make_log(V3 "0 @ add\n0 @ open\n10 @ read 100 512\n");
	expect_refused(with_log("--name=t --read_iolog=@ --direct=1"), "log:4: offset 100");
	cr_expect_eq(
		ops_of(with_log("--name=t --read_iolog=@ --direct=1 --replay_align=512"), IO_READ),
		1);
	tmp_remove(disk);
	make_log(V3 "0 @ add\n0 @ open\n10 @ read 0 4096\n20 @ read 1152921504606846976 4096\n");
	expect_refused(with_log("--name=t --read_iolog=@ --ioengine=sim --filename=sim:nvme"),
		       "log:5: is past the end of sim:nvme");
	expect_refused("--name=t --read_iolog=%s.none", "No such file");
	expect_refused("--name=t --read_iolog=%s.none --replay_align=3", "power of two");
}

Test(replay, a_log_that_is_written_plays_back_the_same)
{
	struct run_help h;
	char *text;

	run_ok(&h, with_log("--name=t --filename=%s --rw=randrw --size=256k --bs=4k,8k --iodepth=8 "
			    "--ioengine=libaio --fsync=8 --end_fsync=1 --write_iolog=@"));
	text = text_of_log();
	cr_expect_eq(strncmp(text, V3, strlen(V3)), 0);
	cr_expect_eq(count(text, " add\n"), 1);
	cr_expect_eq(count(text, " open\n"), 1);
	cr_expect_eq(count(text, " close\n"), 1);
	cr_expect_eq(count(text, " read "), run_help_ops(&h, IO_READ));
	cr_expect_eq(count(text, " write "), run_help_ops(&h, IO_WRITE));
	cr_expect_eq(count(text, " sync "), h.r->jobs[0].sync_ops);
	free(text);
	cr_expect_eq(
		ops_of(with_log("--name=t --read_iolog=@ --ioengine=libaio --iodepth=8"), IO_WRITE),
		run_help_ops(&h, IO_WRITE));
	run_help_fini(&h);
}

/* Clones write one log, merged: its times never step back. */
Test(replay, the_log_of_clones_is_one_in_the_order_of_time)
{
	unsigned long long t, last = 0;
	char *text;

	ops_of(with_log("--name=t --filename=%s --rw=randread --size=128k --numjobs=4 "
			"--write_iolog=@"),
	       IO_READ);
	text = text_of_log();
	cr_expect_eq(count(text, " read "), 4 * 32);
	cr_expect_eq(count(text, " add\n"), 1);
	cr_expect_eq(count(text, "fio version"), 1);
	for (char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
		cr_assert_eq(sscanf(line + 1, "%llu", &t), 1);
		cr_expect_geq(t, last);
		last = t;
	}
	free(text);
}

Test(replay, a_log_is_appended_to_as_in_fio)
{
	const char *line = "--name=t --ioengine=null --nrfiles=2 --size=16k --write_iolog=@";
	char *text;

	ops_of(with_log(line), IO_READ);
	ops_of(with_log(line), IO_READ);
	text = text_of_log();
	cr_expect_eq(count(text, V3), 2);
	cr_expect_eq(count(text, " t.0.1 read "), 4, "each file by its name");
	free(text);
	cr_expect_eq(ops_of(with_log("--name=t --read_iolog=@ --ioengine=null"), IO_READ), 8);
}

/* What is no log stays as it is, to the byte. */
Test(replay, nothing_is_appended_to_what_is_no_log)
{
	static const char *const kept[] = {"my thesis\n", "fio version 2 iolog\n", "x"};

	for (unsigned i = 0; i < 3; i++) {
		struct run_help h;
		char *text;

		make_log(kept[i]);
		cr_expect_eq(
			run_help(&h, with_log("--name=t --ioengine=null --size=4k --write_iolog=@"),
				 run_path),
			0);
		cr_expect(strstr(h.e.msg, "nothing is appended to it"), "%s", h.e.msg);
		run_help_fini(&h);
		text = text_of_log();
		cr_expect_str_eq(text, kept[i]);
		free(text);
	}
}
