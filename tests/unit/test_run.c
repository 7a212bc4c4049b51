/*
 * The running side end to end, in-process: fio command lines in, results out. Counts are exact; times
 * are only compared with generous bounds.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/run_help.h"

/* fio-language 1.8: what fio 3.33 does, number of I/Os. */
Test(run, vectors_of_fio_333_with_the_null_engine)
{
	static const struct {
		const char *args;
		uint64_t reads, writes, trims;
	} v[] = {
		{"--name=x --ioengine=null --size=1m", 256, 0, 0},
		{"--name=x --ioengine=null --size=1m --io_size=3m", 768, 0, 0},
		{"--name=x --ioengine=null --size=1m --io_size=50%%", 128, 0, 0},
		{"--name=x --ioengine=null --size=4m --io_size=1m", 256, 0, 0},
		{"--name=x --ioengine=null --size=1m --loops=3", 768, 0, 0},
		{"--name=x --ioengine=null --size=1m --bs=3k", 341, 0, 0},
		{"--name=x --ioengine=null --size=1m --number_ios=7", 7, 0, 0},
		{"--name=x --ioengine=null --size=1m --offset=256k", 256, 0, 0},
		{"--name=x --ioengine=null --size=1m --rw=trimwrite", 0, 256, 256},
		{"-ioengine null -size 1m -iodepth 16 -thread -rw=randread -group_reporting "
		 "-name=mytest",
		 256, 0, 0},
		{"--name=x --ioengine=null --size=1m --nrfiles=4", 256, 0, 0},
		{"--name=x --ioengine=null --filesize=2m", 512, 0, 0},
		{"--name=x --ioengine=null --size=1m --numjobs=3", 768, 0, 0},
	};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct run_help h;

		cr_assert_eq(run_help(&h, v[i].args, ""), 0, "%s: %s", v[i].args, h.e.msg);
		cr_expect_eq(run_help_ops(&h, IO_READ), v[i].reads, "%s: %lu reads", v[i].args,
			     run_help_ops(&h, IO_READ));
		cr_expect_eq(run_help_ops(&h, IO_WRITE), v[i].writes, "%s: %lu writes", v[i].args,
			     run_help_ops(&h, IO_WRITE));
		cr_expect_eq(run_help_ops(&h, IO_TRIM), v[i].trims, "%s: %lu trims", v[i].args,
			     run_help_ops(&h, IO_TRIM));
		run_help_fini(&h);
	}
}

Test(run, options_before_name_belong_to_that_job_and_jobs_start_from_globals)
{
	struct run_help h;

	cr_assert_eq(
		run_help(&h, "-ioengine=null -size=1m -name=x -bs=8k -name=y -rw=randread", ""), 0,
		"%s", h.e.msg);
	cr_assert_eq(h.r->n_jobs, 2);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.ops, 128);
	cr_expect_eq(h.r->jobs[1].dir[IO_READ].st.ops, 256);
	run_help_fini(&h);
}

Test(run, mixed_share_is_exact_and_blocks_are_shared)
{
	struct run_help h;

	cr_assert_eq(
		run_help(&h, "--name=x --ioengine=null --size=4m --rw=randrw --rwmixread=75", ""),
		0);
	cr_expect_eq(run_help_ops(&h, IO_READ) + run_help_ops(&h, IO_WRITE), 1024);
	/* Ten full decks of 100 hold 75 reads each; the eleventh is cut after 24 I/Os. */
	cr_expect(run_help_ops(&h, IO_READ) >= 750 && run_help_ops(&h, IO_READ) <= 774, "%lu reads",
		  run_help_ops(&h, IO_READ));
	run_help_fini(&h);
}

/* case axboe/fio#242: a rate with a tiny size. */
Test(run, case_10_rate_iops_with_a_tiny_size)
{
	struct run_help h;

	cr_assert_eq(run_help(&h, "--name=t --ioengine=null --size=4k --rate_iops=1", ""), 0);
	cr_expect_eq(run_help_ops(&h, IO_READ), 1);
	run_help_fini(&h);
}

/* case axboe/fio#1039: less than a block a second must not outlive the runtime. */
Test(run, case_40_slow_rate_ends_at_runtime)
{
	struct run_help h;
	uint64_t t0 = clock_mono_ns(), ms;

	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=null --size=1m --bs=4k --rate=50 --runtime=1",
			      ""),
		     0);
	ms = (clock_mono_ns() - t0) / NSEC_PER_MSEC;
	cr_expect(ms >= 950 && ms < 1500, "%lu ms", ms);
	cr_expect_eq(run_help_ops(&h, IO_READ), 1);
	run_help_fini(&h);
}

Test(run, rate_iops_is_kept)
{
	struct run_help h;

	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=null --size=1g --rate_iops=1000 --runtime=1 "
			      "--time_based",
			      ""),
		     0);
	cr_expect(run_help_ops(&h, IO_READ) >= 950 && run_help_ops(&h, IO_READ) <= 1010, "%lu I/Os",
		  run_help_ops(&h, IO_READ));
	run_help_fini(&h);
}

/* case axboe/fio#2041, fio-language 4.3: the ramp is in no counter and takes nothing off the size. */
Test(run, case_47_ramp_is_not_counted)
{
	struct run_help h;
	const struct job_result *j;

	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=null --size=4m --time_based --rate_iops=500 "
			      "--ramp_time=500ms --runtime=500ms",
			      ""),
		     0);
	j = &h.r->jobs[0];
	cr_expect(j->dir[IO_READ].st.ops >= 240 && j->dir[IO_READ].st.ops <= 256, "%lu I/Os",
		  j->dir[IO_READ].st.ops);
	cr_expect(j->dir[IO_READ].runtime_ms >= 490 && j->dir[IO_READ].runtime_ms <= 560, "%lu ms",
		  j->dir[IO_READ].runtime_ms);
	cr_expect_eq(hist_count(&j->dir[IO_READ].st.clat.h), j->dir[IO_READ].st.ops);
	run_help_fini(&h);
	cr_assert_eq(
		run_help(&h,
			 "--name=t --ioengine=null --size=800k --number_ios=200 --rate_iops=1000 "
			 "--ramp_time=100ms",
			 ""),
		0);
	cr_expect_eq(run_help_ops(&h, IO_READ), 200);
	run_help_fini(&h);
}

/* Stages: a stonewalled job starts when the earlier ones ended, in a group of its own. */
Test(run, stonewall_makes_stages_and_groups)
{
	struct run_help h;
	uint64_t t0 = clock_mono_ns(), ms;

	cr_assert_eq(
		run_help(&h,
			 "--ioengine=null --size=1m --time_based --runtime=300ms --name=a --name=b "
			 "--name=c --stonewall --name=d",
			 ""),
		0);
	ms = (clock_mono_ns() - t0) / NSEC_PER_MSEC;
	cr_assert_eq(h.r->n_jobs, 4);
	cr_expect_eq(h.r->jobs[1].group, 0);
	cr_expect_eq(h.r->jobs[2].group, 1);
	cr_expect_eq(h.r->jobs[3].group, 1, "a job after a stonewalled one runs with it");
	cr_expect(ms >= 590 && ms < 900, "two stages of 300 ms took %lu ms", ms);
	run_help_fini(&h);
}

/* Little's law (arithmetic R5) and the sums of slat, clat, lat (R6), exact. */
Test(run, latencies_obey_arithmetic)
{
	static const char *const engines[] = {"null", "psync", "libaio", "io_uring"};
	char dir[64], path[128], args[512];

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(path, sizeof(path), "%s/f", dir);
	for (unsigned i = 0; i < 4; i++) {
		struct run_help h;
		const struct op_stat *st;
		const struct dir_result *d;
		double qd;

		snprintf(args, sizeof(args),
			 "--name=t --ioengine=%s --filename=%%s --size=16m --rw=randread --bs=4k "
			 "--direct=1 "
			 "--iodepth=8 --time_based --runtime=300ms",
			 engines[i]);
		cr_assert_eq(run_help(&h, args, path), 0, "%s: %s", engines[i], h.e.msg);
		d = &h.r->jobs[0].dir[IO_READ];
		st = &d->st;
		cr_assert_gt(st->ops, 100);
		cr_expect_eq(st->slat.sum_ns + st->clat.m.sum_ns, st->lat.m.sum_ns, "%s R6",
			     engines[i]);
		qd = (double)st->lat.m.sum_ns / (double)d->runtime_ms / 1e6;
		if (h.r->jobs[0].sync_engine)
			cr_expect(qd > 0.85 && qd < 1.02, "%s: %.3f in flight of 1", engines[i],
				  qd);
		else
			cr_expect(qd > 7.5 && qd < 8.1, "%s: %.3f in flight of 8", engines[i], qd);
		cr_expect_leq(
			hist_percentile(&st->clat.h, 99.99, st->clat.m.min_ns, st->clat.m.max_ns),
			st->clat.m.max_ns);
		run_help_fini(&h);
	}
	tmp_remove(dir);
}

/* Files: what is made, what is refused, what stays untouched. */

static void write_file(const char *path, const char *text, size_t times)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	while (times--)
		fputs(text, f);
	fclose(f);
}

static uint64_t sum_of(const char *path)
{
	FILE *f = fopen(path, "r");
	uint64_t h = 1469598103934665603ull;
	int c;

	cr_assert_not_null(f);
	while ((c = fgetc(f)) != EOF)
		h = (h ^ (uint64_t)c) * 1099511628211ull;
	fclose(f);
	return h;
}

Test(run_files, foreign_files_are_never_changed)
{
	static const char *const args[] = {
		"--name=t --filename=%s --rw=write --size=64k",
		"--name=t --filename=%s --rw=randrw --size=64k",
		"--name=t --filename=%s --rw=read --size=2m", /* fio refills the file (fio-language 4.4) */
		"--name=t --filename=%s --rw=trim --size=64k",
		"--name=t --filename=%s --rw=write --size=2m",
	};
	static const char *const bases[] = {"/dev/shm", "/tmp"};

	for (unsigned b = 0; b < 2; b++) {
		char dir[64], path[128];
		uint64_t before;

		tmp_make(dir, sizeof(dir), bases[b]);
		snprintf(path, sizeof(path), "%s/user.dat", dir);
		write_file(path, "precious data\n", 80000);
		before = sum_of(path);
		for (unsigned i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
			struct run_help h;

			cr_expect_lt(run_help(&h, args[i], path), 0, "%s", args[i]);
			cr_expect(strstr(h.e.msg, "iodeck"), "%s: %s", args[i], h.e.msg);
			cr_expect_eq(sum_of(path), before, "%s changed a foreign file", args[i]);
			run_help_fini(&h);
		}
		tmp_remove(dir);
	}
}

Test(run_files, foreign_file_is_read_when_long_enough)
{
	char dir[64], path[128];
	struct run_help h;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(path, sizeof(path), "%s/user.dat", dir);
	write_file(path, "0123456789abcde\n", 8192);
	cr_assert_eq(run_help(&h, "--name=t --filename=%s --rw=randread", path), 0, "%s", h.e.msg);
	cr_expect_eq(run_help_ops(&h, IO_READ), 32);
	run_help_fini(&h);
	tmp_remove(dir);
}

Test(run_files, a_missing_file_is_laid_out_with_data_and_may_be_written_later)
{
	char dir[64], path[128];
	struct stat st;
	struct run_help h;
	off_t hole;
	int fd;

	tmp_make(dir, sizeof(dir), "/tmp");
	snprintf(path, sizeof(path), "%s/new", dir);
	cr_assert_eq(
		run_help(&h, "--name=t --filename=%s --rw=write --size=1m --number_ios=1", path), 0,
		"%s", h.e.msg);
	cr_expect(strstr(h.notes, "Laying out IO file (1 file / 1MiB)"), "%s", h.notes);
	run_help_fini(&h);
	/* Reading it now must not read unwritten extents at the speed of memory. */
	cr_assert_eq(run_help(&h, "--name=t --filename=%s --rw=read --size=1m", path), 0, "%s",
		     h.e.msg);
	cr_expect_eq(run_help_bytes(&h, IO_READ), 1 << 20);
	run_help_fini(&h);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, 1 << 20);
	fd = open(path, O_RDONLY);
	hole = lseek(fd, 0, SEEK_HOLE);
	cr_expect_eq(hole, 1 << 20, "first hole at %ld", (long)hole);
	close(fd);
	tmp_remove(dir);
}

Test(run_files, clones_without_filename_have_their_own_files)
{
	char dir[64], path[256];
	struct stat st;
	struct run_help h;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	cr_assert_eq(run_help(&h, "--name=t --directory=%s --rw=read --size=64k --numjobs=2", dir),
		     0, "%s", h.e.msg);
	cr_expect_eq(run_help_ops(&h, IO_READ), 32);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/t.%d.0", dir, i);
		cr_expect_eq(stat(path, &st), 0, "%s is missing", path);
	}
	run_help_fini(&h);
	tmp_remove(dir);
}

/* Bad requests: one line that says what and where; nothing is made. */
Test(run_files, requests_that_cannot_be)
{
	static const struct {
		const char *args, *says;
	} v[] = {
		{"--name=m --rw=randread --ioengine=psync --filename=%s/nofile",
		 "size= is needed"}, /* 11 */
		{"--name=m --filename=%s/nofile --size=25%%", "does not exist"},
		{"--name=m --filename=/dev/ --size=1m --rw=write", "directory"}, /* 35 */
		{"--name=m --filename=/dev/nosuchdisk --size=1m --rw=write", "no such device"},
		{"--name=m --filename=/dev/zero --size=1m", "neither a regular file"},
		{"--name=m --ioengine=nosuch --size=1m", "not loadable"},
		{"--name=m --ioengine=null", "size="},
		{"--name=m --filename=%s/f --size=1m --readonly", "readonly"},
		{"--name=m --filename=%s/f --size=1m --rw=write --readonly", "readonly"},
		{"--name=m --filename=%s/f --size=64k --bs=128k", "bs"},                    /* 26 */
		{"--name=m --filename=%s/f --size=1m --bs=1000 --direct=1", "multiple of"}, /* 28 */
	};
	char dir[64];

	tmp_make(dir, sizeof(dir), "/tmp");
	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct run_help h;

		cr_expect_lt(run_help(&h, v[i].args, dir), 0, "%s was accepted", v[i].args);
		cr_expect(strstr(h.e.msg, v[i].says), "%s: \"%s\" lacks \"%s\"", v[i].args, h.e.msg,
			  v[i].says);
		run_help_fini(&h);
	}
	cr_expect_eq(rmdir(dir), 0, "a refused request left a file behind");
	tmp_remove(dir);
}

/* case axboe/fio#377: a percentage is of the file, not of what is left after the offset. */
Test(run_files, case_23_size_percentage_with_offset)
{
	char dir[64], path[128];
	struct run_help h;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(path, sizeof(path), "%s/f", dir);
	write_file(path, "0123456789abcde\n", 4096);
	cr_assert_eq(run_help(&h, "--name=t --filename=%s --size=25%% --offset=16k --bs=4k", path),
		     0, "%s", h.e.msg);
	cr_expect_eq(run_help_ops(&h, IO_READ), 4);
	run_help_fini(&h);
	tmp_remove(dir);
}

/* case breuner/elbencho#33: the file shrinks under a read job. */
Test(run_files, case_34_a_file_cut_short_is_an_error_with_its_place)
{
	char dir[64], path[128];
	struct run_help h;
	struct stat st;

	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(path, sizeof(path), "%s/f", dir);
	cr_assert_eq(run_help(&h, "--name=t --filename=%s --size=64k --rw=read", path), 0);
	run_help_fini(&h);
	cr_assert_eq(stat(path, &st), 0);
	memset(&h, 0, sizeof(h));
	{
		struct session_cfg cfg = {.fsroot = ""};
		char text[256], *argv[8];
		int n = 0;

		snprintf(text, sizeof(text),
			 "--name=t --filename=%s --size=64k --rw=read --rate_iops=20", path);
		for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
			argv[n++] = w;
		cr_assert_eq(cmdline_parse(n, argv, &h.cmd, &h.e), 0);
		cr_assert_eq(session_open(&h.session, &cfg, &h.e), 0);
		cr_assert_eq(session_start(h.session, &h.cmd.spec, &h.e), 0);
		usleep(150000);
		cr_assert_eq(truncate(path, 3 * 4096 + 100), 0);
		cr_assert(session_wait(h.session, 20 * NSEC_PER_SEC));
		h.r = session_result(h.session);
	}
	cr_expect_eq(h.r->jobs[0].error, 5, "error %d", h.r->jobs[0].error);
	cr_expect(strstr(h.r->jobs[0].error_text, "wanted") &&
			  strstr(h.r->jobs[0].error_text, path),
		  "%s", h.r->jobs[0].error_text);
	run_help_fini(&h);
	tmp_remove(dir);
}
