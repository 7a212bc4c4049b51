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

#include "tests/unit/run_rig.h"

TestSuite(run_options, .init = run_rig_setup, .fini = run_rig_cleanup);

static uint8_t *read_file(size_t *len)
{
	struct stat st;
	uint8_t *data;
	FILE *f = fopen(run_path, "r");

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

/*
 * As in fio: a batch is the most that goes out in one call, and a full queue does not wait for it to fill up.
 * Cells of the distribution: none, up to 4, 8, 16, 32 ...
 */
Test(run_options, iodepth_batch_is_a_limit_not_a_wait)
{
	static const struct {
		const char *args;
		unsigned cell;
	} v[] = {
		{"--name=t --ioengine=null --rw=randread --size=4m --iodepth=32", 4},
		{"--name=t --ioengine=null --rw=randread --size=4m --iodepth=32 --iodepth_batch=8",
		 2},
		{("--name=t --ioengine=null --rw=randread --size=4m --iodepth=32 "
		  "--iodepth_batch_submit=32 --iodepth_batch_complete_max=2"),
		 1},
	};

	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		const uint64_t *n;
		struct run_help h;
		unsigned most = 0;

		run_ok(&h, v[i].args);
		n = h.r->jobs[0].submit;
		for (unsigned c = 0; c < DEPTH_CELLS; c++)
			if (n[c] > n[most])
				most = c;
		cr_expect_eq(most, v[i].cell, "%s: cell %u", v[i].args, most);
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
	run_rig_cleanup();
	tmp_make(run_dir, sizeof(run_dir), "/tmp"); /* tmpfs takes direct I/O of any size */
	snprintf(run_path, sizeof(run_path), "%s/f", run_dir);
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

	snprintf(p, sizeof(p), "%s/%s", run_dir, name);
	return stat(p, &st) < 0 ? -1 : st.st_size;
}

Test(run_options, several_files)
{
	struct run_help h;
	char args[256];

	cr_expect_eq(ops_of("--name=x --ioengine=null --size=1m --nrfiles=4", IO_READ), 256);
	cr_expect_eq(ops_of("--name=x --ioengine=null --filesize=2m", IO_READ), 512);
	snprintf(args, sizeof(args),
		 "--name=j --directory=%s --size=64k --nrfiles=4 --rw=read --numjobs=2", run_dir);
	run_ok(&h, args);
	cr_expect_eq(run_help_ops(&h, IO_READ), 32);
	run_help_fini(&h);
	cr_expect_eq(size_of("j.0.3"), 16384);
	cr_expect_eq(size_of("j.1.0"), 16384);
	snprintf(args, sizeof(args),
		 "--name=j --directory=%s --filesize=8k-32k --nrfiles=3 --rw=write "
		 "--filename_format=$jobname-$filenum.$jobnum",
		 run_dir);
	run_ok(&h, args);
	run_help_fini(&h);
	cr_expect(size_of("j-2.0") >= 8192 && size_of("j-2.0") <= 32768, "%ld",
		  (long)size_of("j-2.0"));
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
			 run_dir, types[i]);
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
		 run_dir);
	run_ok(&h, args);
	run_help_fini(&h);
	cr_expect_eq(size_of("s.0.0"), 16384);
	cr_expect_eq(size_of("s.0.1"), 8192);
	cr_expect_eq(size_of("s.0.2"), 0);
	snprintf(args, sizeof(args),
		 "--name=r --directory=%s --size=64k --nrfiles=4 --rw=write --fallocate=none "
		 "--number_ios=6",
		 run_dir);
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
		unlink(run_path);
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
	unlink(run_path);
	ops_of("--name=t --filename=%s --size=64k --rw=write --create_on_open=1 --number_ios=2",
	       IO_WRITE);
	cr_expect_eq(size_of("f"), 8192);
	unlink(run_path);
	ops_of("--name=t --filename=%s --size=64k --rw=write --overwrite=1 --number_ios=1",
	       IO_WRITE);
	cr_expect_lt(zero_share(&len), 0.02, "overwrite=1 fills the file first");
	cr_expect_eq(len, 65536);
	unlink(run_path);
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

/* case axboe/fio#2114: depths around and above a thousand, with a bandwidth log. */
Test(run_options, case_67_depths_above_a_thousand)
{
	static const char *const engines[] = {"null", "io_uring"};
	static const unsigned depths[] = {512, 1024, 1025, 2048, 4097};

	cr_expect_eq(ops_of("--name=t --filename=%s --rw=write --size=32m", IO_WRITE), 8192);
	for (unsigned i = 0; i < 2 * 5; i++) {
		char args[300];
		struct run_help h;

		snprintf(args, sizeof(args),
			 "--name=t --ioengine=%s --filename=%%s --size=32m --rw=randread "
			 "--iodepth=%u --write_bw_log=%s/t",
			 engines[i / 5], depths[i % 5], run_dir);
		if (run_help(&h, args, run_path) < 0 || h.e.code)
			cr_expect(strstr(h.e.msg, "io_uring"), "%s", h.e.msg);
		else
			cr_expect_eq(run_help_ops(&h, IO_READ), 8192, "%s", args);
		run_help_fini(&h);
	}
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
		if (run_help(&h, args, run_path) < 0 || h.e.code) {
			/* no io_uring here, or no locked memory */
			cr_expect(strstr(h.e.msg, "io_uring"), "%s", h.e.msg);
			run_help_fini(&h);
			continue;
		}
		cr_expect_eq(run_help_ops(&h, IO_READ), 64);
		run_help_fini(&h);
	}
}
