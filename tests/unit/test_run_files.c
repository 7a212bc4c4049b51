/* Which file comes next, where a region begins, and what becomes of the files after a loop. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/worker.h"
#include "tests/unit/run_rig.h"

#define FILES 16u

TestSuite(run_files, .init = run_rig_setup, .fini = run_rig_cleanup);

static off_t size_of(const char *name)
{
	char p[256];
	struct stat st;

	snprintf(p, sizeof(p), "%s/%s", run_dir, name);
	return stat(p, &st) < 0 ? -1 : st.st_size;
}

static void set(struct job_spec *s, const char *name, const char *value)
{
	struct err e = {0};

	cr_assert_eq(option_set(option_find(job_options, name), s, value, 1024, &e), 0, "%s",
		     e.msg);
}

/* How often each of 16 files is chosen in n I/Os. */
static void choose(const char *service, unsigned n, unsigned count[FILES])
{
	struct worker_file files[FILES] = {{0}};
	struct job_spec spec;
	struct worker w = {.cfg = {.spec = &spec, .files = files, .n_files = FILES, .seed = 7}};

	memset(count, 0, FILES * sizeof(*count));
	job_spec_init(&spec);
	set(&spec, "file_service_type", service);
	rng_seed(&w.rng, 11);
	worker_files_init(&w);
	while (n--)
		count[worker_choose_file(&w)]++;
	worker_files_fini(&w);
	job_spec_fini(&spec);
}

static int falling(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

Test(run_files, round_robin_turns_after_so_many)
{
	unsigned n[FILES];

	choose("roundrobin", 1600, n);
	for (unsigned i = 0; i < FILES; i++)
		cr_expect_eq(n[i], 100);
	choose("roundrobin:8", 20, n);
	cr_expect(n[0] == 8 && n[1] == 8 && n[2] == 4);
	choose("random:50", 50, n);
	qsort(n, FILES, sizeof(n[0]), falling);
	cr_expect_eq(n[0], 50, "all of a turn go to one file");
}

/* Shares of the ranks are those of the distribution: zipf(1.5) over 16, pareto with h 0.2. */
Test(run_files, drawn_services_follow_their_distribution)
{
	unsigned n[FILES];

	choose("zipf:1.5", 160000, n);
	qsort(n, FILES, sizeof(n[0]), falling);
	cr_expect(n[0] > 74000 && n[0] < 77000, "1/H(16,1.5) is 47.2 %%: %u", n[0]);
	cr_expect(n[0] > 2.7 * n[1] && n[0] < 3.0 * n[1], "2^1.5 is 2.83: %u, %u", n[0], n[1]);
	choose("pareto:0.25", 160000, n);
	qsort(n, FILES, sizeof(n[0]), falling);
	cr_expect(n[0] + n[1] + n[2] + n[3] > 117500 && n[0] + n[1] + n[2] + n[3] < 122500,
		  "75 %% of the I/O on 25 %% of the files");
	choose("normal:10", 160000, n);
	cr_expect(n[7] > 30000 && n[8] > 30000 && n[0] < 200 && n[15] < 200);
	cr_expect(n[7] < 1.1 * n[8] && n[8] < 1.1 * n[7], "both sides of the middle alike");
}

Test(run_files, service_words_are_printed_as_they_are_read)
{
	static const char *const v[][2] = {
		{"roundrobin", "roundrobin"}, {"random:4", "random:4"},
		{"zipf", "zipf:1.1"},         {"zipf:1.2:0.5", "zipf:1.2:0.5"},
		{"pareto:0.3", "pareto:0.3"}, {"normal", "normal:8.7"},
		{"gauss:10", "normal:10"},    {"sequential", "sequential"},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct strbuf out = {0};
		struct job_spec spec;

		job_spec_init(&spec);
		set(&spec, "file_service_type", v[i][0]);
		option_print(option_find(job_options, "file_service_type"), &spec, &out);
		cr_expect_str_eq(strbuf_str(&out), v[i][1]);
		strbuf_fini(&out);
		job_spec_fini(&spec);
	}
	expect_refused("--name=t --file_service_type=zipf:x", "'x' is not a number");
	expect_refused("--name=t --file_service_type=zipf:1.2:4", "accepted");
	expect_refused("--name=t --file_service_type=normal:", "an entry is empty");
	expect_refused("--name=t --file_service_type=nearest", "no such word");
}

/* A place is given on when its file is done: 8 I/Os on each of 0 and 1, then 2 and 3. */
Test(run_files, openfiles_are_worked_on_at_a_time)
{
	struct run_help h;
	char args[256];

	snprintf(args, sizeof(args),
		 "--name=s --directory=%s --size=256k --nrfiles=8 --openfiles=2 --rw=write "
		 "--fallocate=none --number_ios=20",
		 run_dir);
	run_ok(&h, args);
	cr_expect_eq(size_of("s.0.0"), 32768);
	cr_expect_eq(size_of("s.0.1"), 32768);
	cr_expect_eq(size_of("s.0.2"), 8192);
	cr_expect_eq(size_of("s.0.3"), 8192);
	cr_expect_eq(size_of("s.0.4"), 0);
	run_help_fini(&h);
}

Test(run_files, openfiles_do_all_the_work_in_every_order)
{
	static const char *const types[] = {"roundrobin:3", "random", "sequential", "zipf",
					    "normal"};

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct run_help h;
		char args[256];

		snprintf(args, sizeof(args),
			 "--name=o%u --directory=%s --size=128k --nrfiles=8 --openfiles=3 "
			 "--rw=write "
			 "--fallocate=none --file_service_type=%s",
			 i, run_dir, types[i]);
		run_ok(&h, args);
		cr_expect_eq(run_help_ops(&h, IO_WRITE), 32);
		for (unsigned f = 0; f < 8; f++) {
			char name[16];

			snprintf(name, sizeof(name), "o%u.0.%u", i, f);
			cr_expect_eq(size_of(name), 16384, "%s: %s", types[i], name);
		}
		run_help_fini(&h);
	}
}

/* The second loop begins with an empty file; what is left at the end is deleted. */
Test(run_files, unlink_each_loop_empties_and_deletes)
{
	struct run_help h;

	run_ok(&h, "--name=t --filename=%s --rw=write --size=64k --fallocate=none --loops=2 "
		   "--unlink_each_loop=1 --number_ios=20");
	cr_expect_eq(run_help_ops(&h, IO_WRITE), 20);
	cr_expect_eq(size_of("f"), 16384);
	run_help_fini(&h);
	cr_expect_eq(size_of("f"), -1);
	run_ok(&h,
	       "--name=t --filename=%s --rw=randwrite --size=64k --loops=3 --unlink_each_loop=1 "
	       "--ioengine=io_uring --iodepth=4");
	cr_expect_eq(run_help_ops(&h, IO_WRITE), 48);
	run_help_fini(&h);
	cr_expect_eq(size_of("f"), -1);
}

Test(run_files, unlink_each_loop_keeps_what_was_there_before)
{
	struct run_help h;

	cr_expect_eq(ops_of("--name=t --filename=%s --rw=write --size=64k", IO_WRITE), 16);
	run_ok(&h, "--name=t --filename=%s --rw=write --size=64k --loops=2 --unlink_each_loop=1");
	cr_expect(strstr(h.notes, "was there before this run, it stays"), "%s", h.notes);
	run_help_fini(&h);
	cr_expect_eq(size_of("f"), 65536);
	expect_refused("--name=t --filename=%s --rw=rw --size=64k --loops=2 --unlink_each_loop=1",
		       "nothing left to read");
}

static long long first_offset(const char *options)
{
	char args[400], log[160];
	long long offset = -1;
	FILE *f;

	snprintf(args, sizeof(args),
		 "--name=t --filename=%%s --rw=read --number_ios=1 --write_lat_log=%s/log "
		 "--log_offset=1 %s",
		 run_dir, options);
	cr_expect_eq(ops_of(args, IO_READ), 1);
	snprintf(log, sizeof(log), "%s/log_lat.1.log", run_dir);
	f = fopen(log, "r");
	cr_assert_not_null(f);
	cr_expect_eq(fscanf(f, "%*d, %*d, %*d, %*d, %lld", &offset), 1);
	fclose(f);
	return offset;
}

/* As fio 3.33: an offset in percent is rounded up, one in bytes is taken as it is. */
Test(run_files, offset_align_rounds_percentages_up)
{
	static const struct {
		const char *options;
		long long offset;
	} v[] = {
		{"--offset=33%%", 331776},
		{"--offset=33%% --offset_align=64k", 393216},
		{"--offset=5000 --offset_align=64k", 5000},
		{"--offset=10%% --offset_align=32k", 131072},
	};

	cr_expect_eq(ops_of("--name=t --filename=%s --rw=write --bs=512 --size=1003520", IO_WRITE),
		     1960);
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		cr_expect_eq(first_offset(v[i].options), v[i].offset, "%s", v[i].options);
}

/* RWF_NOWAIT: what would sleep is an error, and not asked for again. */
Test(run_files, nowait_fails_instead_of_waiting)
{
	static const char *const engines[] = {"pvsync2", "io_uring"};

	cr_expect_eq(ops_of("--name=t --filename=%s --rw=write --size=1m", IO_WRITE), 256);
	for (unsigned i = 0; i < 2; i++) {
		char args[256];
		struct run_help h;
		uint64_t ops, errors;

		snprintf(args, sizeof(args),
			 "--ioengine=%s --nowait=1 --name=t --filename=%%s --rw=randread --size=1m "
			 "--ignore_error=EAGAIN:EOPNOTSUPP",
			 engines[i]);
		if (run_help(&h, args, run_path) < 0 || h.e.code) {
			cr_expect(strstr(h.e.msg, "io_uring"), "%s", h.e.msg);
			run_help_fini(&h);
			continue;
		}
		ops = run_help_ops(&h, IO_READ);
		errors = h.r->jobs[0].dir[IO_READ].st.errors;
		cr_expect_eq(ops + errors, 256, "%s: %lu done, %lu failed", engines[i], ops,
			     errors);
		run_help_fini(&h);
	}
}

/* RWF_DONTCACHE: works, or the kernel or the file system does not know it. */
Test(run_files, uncached_works_or_is_not_supported)
{
	static const char *const engines[] = {"pvsync2", "io_uring"};

	cr_expect_eq(ops_of("--name=t --filename=%s --rw=write --size=1m", IO_WRITE), 256);
	for (unsigned i = 0; i < 2; i++) {
		char args[256];
		struct run_help h;

		snprintf(args, sizeof(args),
			 "--ioengine=%s --uncached=1 --name=t --filename=%%s --rw=randread "
			 "--size=1m",
			 engines[i]);
		if (run_help(&h, args, run_path) == 0 && h.e.code == 0)
			cr_expect_eq(run_help_ops(&h, IO_READ), 256);
		else
			cr_expect(strstr(h.e.msg, "io_uring") || strstr(h.e.msg, "not supported") ||
					  strstr(h.e.msg, "Invalid argument"),
				  "%s", h.e.msg);
		run_help_fini(&h);
	}
}
