/* Options at work, end to end: what a command line asks for is what the counters and the files show. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/rate.h"
#include "tests/unit/run_help.h"

static char dir[64], path[128];

static void setup(void)
{
	tmp_make(dir, sizeof(dir), "/dev/shm");
	snprintf(path, sizeof(path), "%s/f", dir);
}

static void cleanup(void)
{
	tmp_remove(dir);
}

TestSuite(run_options, .init = setup, .fini = cleanup);

static void run_ok(struct run_help *h, const char *args)
{
	cr_assert_eq(run_help(h, args, path), 0, "%s: %s", args, h->e.msg);
	cr_assert_eq(h->e.code, 0, "%s: %s", args, h->e.msg);
}

static void expect_refused(const char *args, const char *says)
{
	struct run_help h;

	cr_expect_lt(run_help(&h, args, path), 0, "%s was accepted", args);
	cr_expect(strstr(h.e.msg, says), "%s: \"%s\" lacks \"%s\"", args, h.e.msg, says);
	run_help_fini(&h);
}

static uint64_t ops_of(const char *args, enum io_op op)
{
	struct run_help h;
	uint64_t n;

	run_ok(&h, args);
	n = run_help_ops(&h, op);
	run_help_fini(&h);
	return n;
}

static uint64_t ms_of(const char *args)
{
	struct run_help h;
	uint64_t t0 = clock_mono_ns();

	run_ok(&h, args);
	t0 = (clock_mono_ns() - t0) / NSEC_PER_MSEC;
	run_help_fini(&h);
	return t0;
}

/*
 * On a busy machine everything takes longer: a time or a number that lies outside is tried again, and
 * what counts is that the program can do it. Too short a time is wrong at once.
 */
#define TRIES 8

static void expect_ms(const char *args, uint64_t low, uint64_t high)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < TRIES && best >= high; i++) {
		uint64_t ms = ms_of(args);

		cr_assert_geq(ms, low, "%s took %lu ms only", args, ms);
		best = ms < best ? ms : best;
	}
	cr_expect_lt(best, high, "%s took %lu ms", args, best);
}

static void expect_reads(const char *args, uint64_t low, uint64_t high)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < TRIES && (n < low || n > high); i++)
		n = ops_of(args, IO_READ);
	cr_expect(n >= low && n <= high, "%s: %lu I/Os, not %lu to %lu", args, n, low, high);
}

static uint8_t *read_file(size_t *len)
{
	struct stat st;
	uint8_t *data;
	FILE *f = fopen(path, "r");

	cr_assert_not_null(f);
	cr_assert_eq(fstat(fileno(f), &st), 0);
	*len = (size_t)st.st_size;
	data = malloc(*len + 1);
	cr_assert_eq(fread(data, 1, *len, f), *len);
	fclose(f);
	return data;
}

static double zero_share(size_t *len)
{
	uint8_t *data = read_file(len);
	size_t zeroes = 0;

	for (size_t i = 0; i < *len; i++)
		zeroes += data[i] == 0;
	free(data);
	return (double)zeroes / (double)*len;
}

/* fio-language 1.4: issued before the next write, so the last one is not followed by a sync. */
Test(run_options, fsync_comes_before_the_next_write)
{
	static const struct {
		const char *args;
		uint64_t syncs;
	} v[] = {
		{"--name=t --filename=%s --rw=write --size=32k --fsync=4", 1},
		{"--name=t --filename=%s --rw=write --size=1m --fsync=8", 31},
		{"--name=t --filename=%s --rw=write --size=1m --fdatasync=8", 31},
		{"--name=t --filename=%s --rw=write --size=1m --end_fsync=1", 1},
		{"--name=t --filename=%s --rw=read --size=1m --fsync=8", 0},
		{"--name=t --filename=%s --rw=write --size=1m --fsync_on_close=1", 0},
	};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct run_help h;

		run_ok(&h, v[i].args);
		cr_expect_eq(h.r->jobs[0].sync_ops, v[i].syncs, "%s: %lu syncs", v[i].args,
			     h.r->jobs[0].sync_ops);
		run_help_fini(&h);
	}
}

/* case KDiskMark#136: data is incompressible unless asked otherwise. */
Test(run_options, case_85_what_is_written)
{
	size_t len;
	uint8_t *data;
	unsigned same = 0;

	ops_of("--name=t --filename=%s --rw=write --size=256k --bs=4k", IO_WRITE);
	cr_expect_lt(zero_share(&len), 0.01);
	data = read_file(&len);
	cr_assert_eq(len, 256 << 10);
	for (size_t i = 512; i < len; i += 512)
		same += memcmp(data + i, data + i - 512, 512) == 0;
	cr_expect_eq(same, 0, "%u sectors alike", same);
	free(data);
	ops_of("--name=t --filename=%s --rw=write --size=256k --zero_buffers", IO_WRITE);
	cr_expect_eq(zero_share(&len), 1);
	ops_of("--name=t --filename=%s --rw=write --size=256k --buffer_compress_percentage=60 "
	       "--buffer_compress_chunk=1k",
	       IO_WRITE);
	cr_expect_float_eq(zero_share(&len), 0.6, 0.02);
	ops_of("--name=t --filename=%s --rw=write --size=256k --scramble_buffers=0", IO_WRITE);
	data = read_file(&len);
	cr_expect_eq(memcmp(data, data + 4096, 4096), 0, "unscrambled blocks are all one");
	free(data);
	ops_of("--name=t --filename=%s --rw=write --size=256k --scramble_buffers=0 "
	       "--refill_buffers",
	       IO_WRITE);
	data = read_file(&len);
	cr_expect_neq(memcmp(data + 8, data + 4096 + 8, 100), 0, "refilled blocks differ");
	free(data);
}

Test(run_options, several_block_sizes_move_all_bytes)
{
	static const char *const args[] = {
		"--name=t --filename=%s --rw=randread --size=1m --bsrange=4k-16k",
		"--name=t --filename=%s --rw=read --size=1m --bsrange=4k-16k",
		"--name=t --filename=%s --rw=randread --size=1m --bsrange=4k-16k --norandommap",
		"--name=t --filename=%s --rw=randwrite --size=1m --bssplit=4k/50:64k/50",
		"--name=t --filename=%s --rw=randrw --size=1m --bssplit=4k/50:8k/50",
		("--name=t --filename=%s --rw=randread --size=1m --bssplit=4k/50:64k/ --iodepth=8 "
		 "--ioengine=io_uring --direct=1"),
	};

	for (unsigned i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		struct run_help h;
		uint64_t n;

		run_ok(&h, args[i]);
		cr_expect_eq(run_help_bytes(&h, IO_READ) + run_help_bytes(&h, IO_WRITE), 1 << 20,
			     "%s", args[i]);
		n = run_help_ops(&h, IO_READ) + run_help_ops(&h, IO_WRITE);
		cr_expect(n > 16 && n < 256, "%s: %lu I/Os", args[i], n);
		run_help_fini(&h);
	}
	cleanup();
	tmp_make(dir, sizeof(dir), "/tmp"); /* tmpfs takes direct I/O of any size */
	snprintf(path, sizeof(path), "%s/f", dir);
	expect_refused(
		"--name=t --filename=%s --rw=randread --size=1m --bsrange=1000-3000 --direct=1",
		"multiples of");
}

Test(run_options, distributions_and_generators_run)
{
	struct run_help h;

	cr_expect_eq(ops_of("--name=t --ioengine=null --size=1m --rw=randread "
			    "--random_distribution=zipf:1.2",
			    IO_READ),
		     256);
	cr_expect_eq(
		ops_of("--name=t --ioengine=null --size=1m --rw=randread --percentage_random=30",
		       IO_READ),
		256);
	cr_expect_eq(
		ops_of("--name=t --ioengine=null --size=1m --rw=randread --blockalign=8k", IO_READ),
		256);
	run_ok(&h, "--name=t --ioengine=null --size=1m --rw=randread --random_generator=lfsr");
	cr_expect(strstr(h.notes, "random_generator"), "%s", h.notes);
	run_help_fini(&h);
}

/* -- files ------------------------------------------------------------------------------------ */

static off_t size_of(const char *name)
{
	char p[256];
	struct stat st;

	snprintf(p, sizeof(p), "%s/%s", dir, name);
	return stat(p, &st) < 0 ? -1 : st.st_size;
}

Test(run_options, several_files)
{
	struct run_help h;
	char args[256];

	cr_expect_eq(ops_of("--name=x --ioengine=null --size=1m --nrfiles=4", IO_READ), 256);
	cr_expect_eq(ops_of("--name=x --ioengine=null --filesize=2m", IO_READ), 512);
	snprintf(args, sizeof(args),
		 "--name=j --directory=%s --size=64k --nrfiles=4 --rw=read --numjobs=2", dir);
	run_ok(&h, args);
	cr_expect_eq(run_help_ops(&h, IO_READ), 32);
	run_help_fini(&h);
	cr_expect_eq(size_of("j.0.3"), 16384);
	cr_expect_eq(size_of("j.1.0"), 16384);
	snprintf(args, sizeof(args),
		 "--name=j --directory=%s --filesize=8k-32k --nrfiles=3 --rw=write "
		 "--filename_format=$jobname-$filenum.$jobnum",
		 dir);
	run_ok(&h, args);
	run_help_fini(&h);
	cr_expect(size_of("j-2.0") >= 8192 && size_of("j-2.0") <= 32768, "%ld",
		  (long)size_of("j-2.0"));
	snprintf(args, sizeof(args), "--name=k --directory=%s --size=64k --nrfiles=4 --openfiles=2",
		 dir);
	expect_refused(args, "openfiles=2");
}

/* The offsets of a buffered write job show in the order of the file's own data. */
Test(run_options, file_service_types_do_all_the_work)
{
	static const char *const types[] = {"roundrobin", "roundrobin:8", "random", "sequential"};

	for (unsigned i = 0; i < 4; i++) {
		char args[256];

		snprintf(args, sizeof(args),
			 "--name=s --directory=%s --size=256k --nrfiles=4 --rw=read "
			 "--file_service_type=%s",
			 dir, types[i]);
		cr_expect_eq(ops_of(args, IO_READ), 64, "%s", types[i]);
	}
}

Test(run_options, sequential_service_finishes_a_file_before_the_next)
{
	struct run_help h;
	char args[256];

	snprintf(args, sizeof(args),
		 "--name=s --directory=%s --size=64k --nrfiles=4 --rw=write --fallocate=none "
		 "--file_service_type=sequential --number_ios=6",
		 dir);
	run_ok(&h, args);
	run_help_fini(&h);
	cr_expect_eq(size_of("s.0.0"), 16384);
	cr_expect_eq(size_of("s.0.1"), 8192);
	cr_expect_eq(size_of("s.0.2"), 0);
	snprintf(args, sizeof(args),
		 "--name=r --directory=%s --size=64k --nrfiles=4 --rw=write --fallocate=none "
		 "--number_ios=6",
		 dir);
	run_ok(&h, args);
	run_help_fini(&h);
	cr_expect_eq(size_of("r.0.0"), 8192);
	cr_expect_eq(size_of("r.0.1"), 8192);
	cr_expect_eq(size_of("r.0.3"), 4096);
}

Test(run_options, how_space_is_reserved)
{
	static const struct {
		const char *mode;
		off_t size;
	} v[] = {{"native", 65536},
		 {"none", 4096},
		 {"posix", 65536},
		 {"keep", 4096},
		 {"truncate", 65536}};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		char args[256];

		snprintf(args, sizeof(args),
			 "--name=w --filename=%%s --rw=write --size=64k --number_ios=1 "
			 "--fallocate=%s "
			 "--unlink=0",
			 v[i].mode);
		cr_expect_eq(ops_of(args, IO_WRITE), 1);
		cr_expect_eq(size_of("f"), v[i].size, "%s: %ld", v[i].mode, (long)size_of("f"));
		unlink(path);
	}
}

Test(run_options, layout_controls)
{
	struct run_help h;
	size_t len;

	expect_refused("--name=t --filename=%s --size=64k --allow_file_create=0",
		       "allow_file_create=0");
	cr_expect_eq(size_of("f"), -1);
	run_ok(&h, "--name=t --filename=%s --size=64k --create_only=1");
	cr_expect_eq(run_help_ops(&h, IO_READ), 0);
	run_help_fini(&h);
	cr_expect_eq(size_of("f"), 65536);
	unlink(path);
	ops_of("--name=t --filename=%s --size=64k --rw=write --create_on_open=1 --number_ios=2",
	       IO_WRITE);
	cr_expect_eq(size_of("f"), 8192);
	unlink(path);
	ops_of("--name=t --filename=%s --size=64k --rw=write --overwrite=1 --number_ios=1",
	       IO_WRITE);
	cr_expect_lt(zero_share(&len), 0.02, "overwrite=1 fills the file first");
	cr_expect_eq(len, 65536);
	unlink(path);
	run_ok(&h, "--name=t --filename=%s --size=64k --rw=write --unlink=1");
	run_help_fini(&h);
	cr_expect_eq(size_of("f"), -1, "unlink=1 left the file");
}

Test(run_options, opens_and_hints)
{
	static const char *const opts[] = {
		"--sync=1",
		"--sync=dsync",
		"--fadvise_hint=0",
		"--fadvise_hint=random",
		"--pre_read=1",
		"--iomem_align=512",
		"--invalidate=0",
		"--create_fsync=0",
		"--loops=2",
		"--create_serialize=0",
		"--description=words",
	};

	for (unsigned i = 0; i < sizeof(opts) / sizeof(opts[0]); i++) {
		char args[256];
		bool twice = strstr(opts[i], "loops") != NULL;

		snprintf(args, sizeof(args), "--name=t --filename=%%s --rw=randrw --size=256k %s",
			 opts[i]);
		cr_expect_eq(ops_of(args, IO_READ) > 0, 1, "%s", opts[i]);
		snprintf(args, sizeof(args), "--name=t --filename=%%s --rw=write --size=256k %s",
			 opts[i]);
		cr_expect_eq(ops_of(args, IO_WRITE), twice ? 128 : 64, "%s", opts[i]);
	}
}

/* -- the thread ------------------------------------------------------------------------------- */

static int lowest_cpu(void)
{
	cpu_set_t own;
	int cpu = 0;

	sched_getaffinity(0, sizeof(own), &own);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &own))
		cpu++;
	return cpu;
}

/* cases axboe/fio#58 and PR#1479: the real mask decides, and the message lists what there is. */
Test(run_options, case_70_cpu_numbers)
{
	char args[256];

	snprintf(args, sizeof(args), "--name=t --ioengine=null --size=1m --cpus_allowed=%d",
		 lowest_cpu());
	cr_expect_eq(ops_of(args, IO_READ), 256);
	snprintf(args, sizeof(args),
		 "--name=t --ioengine=null --size=1m --cpumask=%d --numjobs=2 "
		 "--cpus_allowed_policy=split",
		 1 << lowest_cpu());
	cr_expect_eq(ops_of(args, IO_READ), 512);
	expect_refused("--name=t --ioengine=null --size=1m --cpus_allowed=1023", "CPU 1023");
	expect_refused("--name=t --ioengine=null --size=1m --cpus_allowed=511",
		       "the CPUs of this process: ");
	expect_refused("--name=t --ioengine=null --size=1m --cpus_allowed=5-3",
		       "ends before it begins");
	expect_refused("--name=t --ioengine=null --size=1m --cpus_allowed=8192", "out of range");
	expect_refused("--name=t --ioengine=null --size=1m --numa_cpu_nodes=77", "numa_cpu_nodes");
}

/* cases axboe/fio#1197, #1547: a container's narrow set is silently its own. */
Test(run_options, case_71_a_narrow_own_mask_is_silent)
{
	struct run_help h;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(lowest_cpu(), &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	run_ok(&h, "--name=t --ioengine=null --size=1m --numjobs=3 --cpus_allowed_policy=split");
	cr_expect_str_eq(h.notes, "");
	cr_expect_eq(run_help_ops(&h, IO_READ), 768);
	run_help_fini(&h);
}

Test(run_options, priorities)
{
	cr_expect_eq(ops_of("--name=t --ioengine=null --size=1m --nice=5 --prioclass=3", IO_READ),
		     256);
	cr_expect_eq(ops_of("--name=t --ioengine=null --size=1m --prio=4", IO_READ), 256);
	cr_expect_eq(ops_of("--name=t --ioengine=null --size=1m --numa_mem_policy=local", IO_READ),
		     256);
}

/* -- time and rates --------------------------------------------------------------------------- */

Test(run_options, thinktime_pauses_after_so_many_ios)
{
	expect_ms("--name=t --ioengine=null --size=40k --thinktime=20ms", 180, 500);
	expect_ms("--name=t --ioengine=null --size=80k --thinktime=50ms --thinktime_blocks=5", 150,
		  450);
	expect_ms("--name=t --ioengine=null --size=40k --thinktime=20000 --thinktime_spin=20000 "
		  "--thinktime_blocks_type=issue",
		  180, 500);
	expect_ms("--name=t --ioengine=null --size=1g --time_based --thinktime=100ms "
		  "--thinktime_iotime=50ms --thinktime_blocks=1000000000 --runtime=400ms",
		  390, 800);
}

Test(run_options, trap_31_a_pause_does_not_outlive_the_runtime)
{
	expect_ms("--name=t --ioengine=null --size=1m --thinktime=5s --runtime=300ms", 290, 800);
	expect_ms("--name=t --ioengine=null --size=1m --rate_iops=1 --runtime=300ms", 290, 800);
}

/* case axboe/fio#556: thinktime with a rate must stay under the rate; without catching up if asked. */
Test(run_options, case_43_thinktime_with_a_rate)
{
	expect_reads("--name=t --ioengine=null --size=1g --rate=1m --thinktime=100ms "
		     "--thinktime_blocks=8 --bs=4k --time_based --runtime=1",
		     40, 88);
	expect_reads("--name=t --ioengine=null --size=1g --rate_iops=100 --thinktime=200ms "
		     "--thinktime_blocks=20 --time_based --runtime=1 --rate_ignore_thinktime=1",
		     35, 65);
	expect_reads("--name=t --ioengine=null --size=1g --rate_iops=100 --thinktime=200ms "
		     "--thinktime_blocks=20 --time_based --runtime=1",
		     75, 101);
}

/* case axboe/fio PR#1549: no burst right after the ramp. */
Test(run_options, case_44_no_burst_after_the_ramp)
{
	expect_reads("--name=t --ioengine=null --size=1g --time_based --ramp_time=400ms "
		     "--runtime=500ms --thinktime=50ms --thinktime_blocks=10",
		     60, 110);
}

/* case axboe/fio#333: Poisson arrivals must not double the rate. */
Test(run_options, case_41_poisson_keeps_the_rate)
{
	expect_reads("--name=t --ioengine=null --rw=randread --size=1g --rate_iops=1000 "
		     "--rate_process=poisson --time_based --runtime=1",
		     850, 1130);
}

Test(run_options, poisson_gaps_are_exponential)
{
	uint64_t iops[IO_OP_NR] = {1000}, bps[IO_OP_NR] = {0}, last = 0, due;
	unsigned longer = 0, n = 20000;
	struct rate r;

	rate_init(&r, iops, bps, 1);
	rate_make_poisson(&r, 3);
	for (unsigned i = 0; i < n; i++) {
		rate_issued(&r, IO_READ, 4096);
		due = rate_due_ns(&r, IO_READ);
		longer += due - last > NSEC_PER_MSEC;
		last = due;
	}
	cr_expect(last > 19.5 * 1e9 && last < 20.5 * 1e9, "%lu ns for 20000", last);
	cr_expect(longer > 7150 && longer < 7570, "%u of 20000 gaps above the mean, not 1/e",
		  longer);
}

Test(run_options, rate_min_fails_a_slow_job)
{
	struct run_help h;

	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=null --size=1g --rate_iops=50 --time_based "
			      "--runtime=6 --rate_iops_min=100 --rate_cycle=200",
			      ""),
		     0);
	cr_expect_eq(h.r->jobs[0].error, EIO);
	cr_expect(strstr(h.r->jobs[0].error_text, "rate_iops_min=100"), "%s",
		  h.r->jobs[0].error_text);
	cr_expect(h.r->jobs[0].runtime_ms >= 2000 && h.r->jobs[0].runtime_ms < 5900, "%lu ms",
		  h.r->jobs[0].runtime_ms);
	run_help_fini(&h);
}

Test(run_options, max_latency_fails_a_job)
{
	struct run_help h;

	run_ok(&h, "--name=t --filename=%s --size=64k --max_latency=10s");
	run_help_fini(&h);
	cr_assert_eq(run_help(&h,
			      "--name=t --ioengine=io_uring --filename=%s --size=4m --iodepth=64 "
			      "--bs=64k --max_latency=1us",
			      path),
		     0);
	cr_expect_eq(h.r->jobs[0].error, ETIMEDOUT);
	cr_expect(strstr(h.r->jobs[0].error_text, "max_latency"), "%s", h.r->jobs[0].error_text);
	run_help_fini(&h);
}

/*
 * fio-language 4.15: no idle gap between stages; 5 stages of 50 ms each. The best of some tries: what
 * counts is the gap that the program makes, not that of a busy machine.
 */
Test(run_options, stages_follow_each_other_within_20_ms)
{
	uint64_t best = UINT64_MAX;

	for (unsigned try = 0; try < 8 && best >= 250 + 5 * 20; try++) {
		uint64_t ms =
			ms_of("--ioengine=null --size=1m --time_based --runtime=50ms "
			      "--rate_iops=200 --stonewall --name=a --name=b --name=c --name=d "
			      "--name=e");

		cr_assert_geq(ms, 245);
		best = ms < best ? ms : best;
	}
	cr_expect_lt(best, 250 + 5 * 20, "5 stages of 50 ms took %lu ms", best);
}

Test(run_options, startdelay_and_its_range)
{
	expect_ms("--name=t --ioengine=null --size=1m --startdelay=150ms", 150, 450);
	expect_ms("--name=t --ioengine=null --size=1m --startdelay=100ms-200ms --numjobs=4", 100,
		  500);
}

/* case axboe/fio#188: a second group with a ramp must not sleep for ever. */
Test(run_options, case_46_two_groups_with_ramps)
{
	struct run_help h;

	run_ok(&h,
	       "--ioengine=null --size=1m --time_based --runtime=200ms --ramp_time=200ms --name=a "
	       "--name=b --stonewall");
	for (unsigned i = 0; i < 2; i++) {
		cr_expect_gt(h.r->jobs[i].dir[IO_READ].st.ops, 0);
		cr_expect(h.r->jobs[i].runtime_ms >= 195 && h.r->jobs[i].runtime_ms < 1200,
			  "%lu ms", h.r->jobs[i].runtime_ms);
	}
	run_help_fini(&h);
}

/* case axboe/fio#1640: every job ends with its runtime. */
Test(run_options, case_49_no_job_overruns)
{
	struct run_help h;

	run_ok(&h, "--name=t --ioengine=null --size=1m --numjobs=8 --rate_iops=200 --time_based "
		   "--runtime=500ms");
	cr_assert_eq(h.r->n_jobs, 8);
	for (unsigned i = 0; i < 8; i++)
		cr_expect(h.r->jobs[i].runtime_ms >= 495 && h.r->jobs[i].runtime_ms <= 1200,
			  "%lu ms", h.r->jobs[i].runtime_ms);
	run_help_fini(&h);
}

/* -- ends and errors -------------------------------------------------------------------------- */

Test(run_options, wait_for_starts_when_the_other_has_ended)
{
	static const char three[] = "--ioengine=null --size=1m --time_based --runtime=150ms "
				    "--name=c --wait_for=b --name=a --name=b --wait_for=a";
	struct run_help h;

	expect_ms(three, 445, 900);
	run_ok(&h, three);
	for (unsigned i = 0; i < 3; i++)
		cr_expect_gt(h.r->jobs[i].dir[IO_READ].st.ops, 0);
	run_help_fini(&h);
	expect_refused("--ioengine=null --size=1m --name=a --wait_for=nosuch",
		       "no other job has this name");
	expect_refused("--ioengine=null --size=1m --name=a --wait_for=b --name=b --wait_for=a",
		       "wait for each other");
	expect_refused("--ioengine=null --size=1m --name=a --wait_for=b --name=b --stonewall",
		       "later stage");
}

Test(run_options, exitall_ends_the_others)
{
	static const struct {
		const char *args;
		unsigned low, high;
	} v[] = {
		{"--ioengine=null --size=1m --time_based --runtime=20 --name=a --name=b "
		 "--runtime=100ms "
		 "--exitall",
		 100, 1500},
		/* another group goes on */
		{"--ioengine=null --size=1m --time_based --runtime=600ms --name=a --name=b "
		 "--new_group "
		 "--runtime=100ms --exitall",
		 590, 2000},
		{"--ioengine=null --size=1m --time_based --runtime=20 --name=a --name=b "
		 "--new_group "
		 "--runtime=100ms --exitall --exit_what=all --name=c --stonewall",
		 100, 1500},
		{"--ioengine=null --size=1m --time_based --runtime=20 --name=a --name=b "
		 "--runtime=100ms --exitall --exit_what=stonewall --name=c --stonewall "
		 "--runtime=300ms",
		 395, 1900},
	};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		expect_ms(v[i].args, v[i].low, v[i].high);
	}
}

/* A file cut short under a read job gives EIO behind its end. */
static void run_on_short_file(struct run_help *h, const char *opts)
{
	char args[300];

	unlink(path); /* cut short behind iodeck's back it counts as somebody else's */
	cr_expect_eq(ops_of("--name=t --filename=%s --size=64k --rw=write", IO_WRITE), 16);
	snprintf(args, sizeof(args),
		 "--name=t --filename=%%s --size=64k --rw=read --startdelay=150ms %s", opts);
	run_help_begin(h, args, path);
	usleep(50000);
	cr_assert_eq(truncate(path, 16384), 0);
	run_help_end(h);
}

Test(run_options, errors_end_the_job_or_do_not)
{
	struct run_help h;

	run_on_short_file(&h, "");
	cr_expect_eq(h.r->jobs[0].error, EIO);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.ops, 4);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 1);
	run_help_fini(&h);
	run_on_short_file(&h, "--continue_on_error=read");
	cr_expect_eq(h.r->jobs[0].error, EIO, "it goes on, but it has failed");
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 12);
	run_help_fini(&h);
	run_on_short_file(&h, "--continue_on_error=write");
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 1);
	run_help_fini(&h);
	run_on_short_file(&h, "--ignore_error=EIO --error_dump=1");
	cr_expect_eq(h.r->jobs[0].error, 0);
	cr_expect_eq(h.r->jobs[0].first_error, EIO);
	cr_expect_eq(h.r->jobs[0].dir[IO_READ].st.errors, 12);
	cr_expect(strstr(h.notes, "12 errors were ignored"), "%s", h.notes);
	run_help_fini(&h);
	run_on_short_file(&h, "--ignore_error=ENOSPC,EIO");
	cr_expect_eq(h.r->jobs[0].error, EIO, "the list of writes is not that of reads");
	run_help_fini(&h);
}

Test(run_options, exitall_on_error)
{
	struct run_help h;
	char args[400];
	uint64_t t0;

	cr_expect_eq(ops_of("--name=t --filename=%s --size=64k --rw=write", IO_WRITE), 16);
	snprintf(args, sizeof(args),
		 "--name=a --ioengine=null --size=1m --time_based --runtime=20 --name=b "
		 "--filename=%%s "
		 "--size=64k --startdelay=150ms --exitall_on_error");
	t0 = clock_mono_ns();
	run_help_begin(&h, args, path);
	usleep(50000);
	cr_assert_eq(truncate(path, 4096), 0);
	run_help_end(&h);
	cr_expect_lt((clock_mono_ns() - t0) / NSEC_PER_MSEC, 15000);
	cr_expect_eq(h.r->jobs[1].error, EIO);
	run_help_fini(&h);
}

/* Engine options do the same work another way. */
Test(run_options, engine_options_at_work)
{
	static const char *const opts[] = {"--ioengine=io_uring --registerfiles",
					   "--ioengine=io_uring --fixedbufs",
					   "--ioengine=io_uring --nonvectored=0 --force_async=2"};

	for (unsigned i = 0; i < 3; i++) {
		char args[256];
		struct run_help h;

		snprintf(args, sizeof(args),
			 "%s --name=t --filename=%%s --size=256k --rw=randread --iodepth=4",
			 opts[i]);
		if (run_help(&h, args, path) < 0 || h.e.code) {
			/* no io_uring here, or no locked memory */
			cr_expect(strstr(h.e.msg, "io_uring"), "%s", h.e.msg);
			run_help_fini(&h);
			continue;
		}
		cr_expect_eq(run_help_ops(&h, IO_READ), 64);
		run_help_fini(&h);
	}
}
