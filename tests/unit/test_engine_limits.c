/*
 * What single engines do at the kernel's limits: refused submits, limits named in messages, options of
 * io_uring, trims on a block device. Cases 54 to 73 of public bug reports.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/loop.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine_rig.h"
#include "engines/fault.h"
#include "engines/io_uring_priv.h"
#include "engines/pvsync2.h"
#include "src/base/fsutil.h"

static const struct place *const disk = &places[2];

static const struct engine_ops *engine_or_skip(const char *name)
{
	const struct engine_ops *ops = engine_find(name);
	struct err e = {0};

	if (ops->probe && ops->probe(&e))
		cr_skip("%s", e.msg);
	return ops;
}

static void read_all_blocks(struct rig *r)
{
	for (uint32_t b = 0; b < FILE_BLOCKS; b += r->env.depth_max) {
		for (uint32_t i = 0; i < r->env.depth_max; i++)
			rig_slot(r, i, IO_READ, b + i);
		rig_submit_all(r, 0, r->env.depth_max);
		rig_reap_all(r, r->env.depth_max);
		for (uint32_t i = 0; i < r->env.depth_max; i++) {
			cr_assert_eq(r->slots[i].res, BLOCK, "%s: %d", r->what, r->slots[i].res);
			cr_assert(pattern_is(r->slots[i].buf, BLOCK, r->slots[i].offset, 0));
		}
	}
}

/* Case 58: EAGAIN with nothing in flight. Waiting for a completion would hang. */
static void refused_at_first(const char *name)
{
	struct engine_fault fault = {.refuse = 3, .refuse_errno = EAGAIN};
	const struct engine_ops *ops = engine_or_skip(name);
	struct rig r;

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){0}));
	engine_fault = &fault;
	read_all_blocks(&r);
	engine_fault = NULL;
	cr_expect_eq(fault.refuse, 0);
	cr_expect_geq(fault.submits, 3 + FILE_BLOCKS / 8);
	rig_close(&r);
}

Test(engine_refused, case_58_libaio_tries_again_after_eagain)
{
	refused_at_first("libaio");
}

Test(engine_refused, case_58_io_uring_tries_again_after_eagain)
{
	refused_at_first("io_uring");
}

/* Case 58, the other end: an error after a bounded time, not a hang. */
static void refused_for_ever(const char *name)
{
	struct engine_fault fault = {
		.refuse = UINT32_MAX, .refuse_errno = EBUSY, .backoff_ns = 50 * NSEC_PER_MSEC};
	const struct engine_ops *ops = engine_or_skip(name);
	uint64_t t0_ns = clock_mono_ns();
	uint32_t sent = 0;
	struct rig r;
	int k = 0;

	fault.refuse_errno = EAGAIN;
	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){0}));
	engine_fault = &fault;
	while (k >= 0 && clock_mono_ns() - t0_ns < LONG_NS) {
		k = rig_submit(&r, sent, 8 - sent);
		sent += k > 0 ? (uint32_t)k : 0;
		if (k >= 0)
			k = ops->reap(&r.eng, r.done, 1, 8, LONG_NS);
		cr_assert_leq(k, 0, "something came back");
	}
	engine_fault = NULL;
	cr_expect_eq(k, -EAGAIN);
	cr_expect_geq(clock_mono_ns() - t0_ns, fault.backoff_ns);
	rig_close(&r); /* and close does not wait for what was never sent */
}

Test(engine_refused, case_58_libaio_gives_up_in_the_end)
{
	refused_for_ever("libaio");
}

Test(engine_refused, case_58_io_uring_gives_up_in_the_end)
{
	refused_for_ever("io_uring");
}

Test(engine_refused, io_uring_gives_nothing_back_after_a_hard_refusal)
{
	struct engine_fault fault = {.refuse = UINT32_MAX, .refuse_errno = EPERM};
	const struct engine_ops *ops = engine_or_skip("io_uring");
	struct rig r;

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){0}));
	rig_submit_all(&r, 0, 2);
	engine_fault = &fault;
	cr_expect_eq(rig_submit(&r, 2, 4), -EPERM);
	engine_fault = NULL;
	rig_reap_all(&r, 2);
	cr_expect_eq(ops->reap(&r.eng, r.done, 1, 8, NSEC_PER_MSEC), -EPERM);
	rig_close(&r);
}

Test(engine_refused, libaio_takes_a_batch_in_parts)
{
	struct engine_fault fault = {.take_max = 3};
	const struct engine_ops *ops = engine_or_skip("libaio");
	struct rig r;

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){0}));
	engine_fault = &fault;
	cr_expect_eq(rig_submit(&r, 0, 8), 8);
	rig_reap_all(&r, 8);
	engine_fault = NULL;
	cr_expect_eq(fault.submits, 3);
	rig_close(&r);
}

/* Case 59: an EAGAIN of one request is that slot's result; who counts and re-issues is the worker. */
Test(engine_refused, case_59_result_faults_reach_every_engine_with_a_kernel)
{
	for (size_t i = 0; engine_table[i]; i++) {
		struct engine_fault fault = {.result_every = 4, .result = -EAGAIN};
		const struct engine_ops *ops = engine_table[i];
		struct rig r;
		int bad = 0;

		if (ops->flags & ENGINE_DISKLESS || (ops->probe && ops->probe(NULL)))
			continue;
		cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){0}));
		engine_fault = &fault;
		rig_submit_all(&r, 0, 8);
		rig_reap_all(&r, 8);
		engine_fault = NULL;
		for (uint32_t s = 0; s < 8; s++)
			bad += r.slots[s].res == -EAGAIN;
		cr_expect_eq(bad, 2, "%s: %d", r.what, bad);
		rig_close(&r);
	}
}

Test(engine_null, is_done_at_once_but_comes_back_from_reap)
{
	const struct engine_ops *ops = engine_find("null");
	struct rig r;

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){.depth = 32, .readonly = true}));
	cr_expect(!(ops->flags & ENGINE_SYNC));
	rig_slot(&r, 1, IO_WRITE, 1);
	rig_slot(&r, 2, IO_TRIM, 1);
	cr_expect_eq(rig_submit(&r, 0, 32), 32);
	cr_expect_eq(r.eng.ops->reap(&r.eng, r.done, 0, 32, 0), 32);
	for (uint32_t i = 0; i < 32; i++) {
		cr_expect_eq(r.done[i], &r.slots[i], "in order");
		cr_expect_eq(r.slots[i].res, BLOCK);
	}
	cr_expect(rig_file_untouched(&r));
	rig_close(&r);
}

/* A read of an empty pipe stays in flight until somebody writes: a wait that only time can end. */
Test(engine_io_uring, reap_waits_its_time_and_no_longer)
{
	const struct engine_ops *ops = engine_or_skip("io_uring");
	uint64_t t0_ns, waited_ns;
	struct rig r;
	int pipe_fd[2], k;

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){0}));
	cr_assert_eq(pipe2(pipe_fd, O_CLOEXEC), 0);
	rig_slot(&r, 0, IO_READ, 0)->fd = pipe_fd[0];
	cr_assert_eq(rig_submit(&r, 0, 1), 1);
	t0_ns = clock_mono_ns();
	k = ops->reap(&r.eng, r.done, 1, 8, 30 * NSEC_PER_MSEC);
	waited_ns = clock_mono_ns() - t0_ns;
	cr_expect_eq(k, 0);
	cr_expect_geq(waited_ns, 30 * NSEC_PER_MSEC);
	cr_expect_lt(waited_ns, 10 * NSEC_PER_SEC);
	cr_expect_eq(ops->reap(&r.eng, r.done, 0, 8, LONG_NS), 0, "min 0 only looks");
	cr_assert_eq(write(pipe_fd[1], "abc", 3), 3);
	rig_reap_all(&r, 1);
	cr_expect_eq(r.slots[0].res, 3);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	rig_close(&r);
}

Test(engine_io_uring, every_mix_of_options_reads_right)
{
	const struct engine_ops *ops = engine_or_skip("io_uring");

	for (unsigned bits = 0; bits < 32; bits++) {
		struct uring_opts o = {
			.fixedbufs = bits & 1,
			.registerfiles = bits & 2,
			.nonvectored = bits & 4,
			.force_async = bits & 8 ? 3 : 0,
			.sqthread_poll = bits & 16,
			.sqthread_poll_cpu = bits == 31 ? 1 : 0,
		};
		struct rig r;

		cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){.opts = &o}));
		read_all_blocks(&r);
		pattern_fill(rig_slot(&r, 0, IO_WRITE, 5)->buf, BLOCK, 5 * BLOCK, 0);
		r.slots[0].fd = r.fd;
		rig_slot(&r, 1, IO_READ, 1)->fd = 1000;
		rig_submit_all(&r, 0, 2);
		rig_reap_all(&r, 2);
		cr_expect_eq(r.slots[0].res, BLOCK, "bits %u: %d", bits, r.slots[0].res);
		cr_expect_eq(r.slots[1].res, -EBADF, "bits %u: %d", bits, r.slots[1].res);
		cr_expect(rig_file_untouched(&r));
		rig_close(&r);
	}
}

/* A polled ring opens on anything; a device without poll queues then answers EOPNOTSUPP per I/O. */
Test(engine_io_uring, hipri_works_or_says_not_supported)
{
	const struct engine_ops *ops = engine_or_skip("io_uring");
	struct uring_opts o = {.hipri = true, .nonvectored = true};

	for (const struct place *p = places; p < places + PLACE_NR; p++) {
		struct rig r;

		if (!rig_open(&r, ops, p, &(struct rig_cfg){.opts = &o}))
			continue;
		rig_submit_all(&r, 0, 8);
		rig_reap_all(&r, 8);
		for (uint32_t i = 0; i < 8; i++)
			cr_expect(r.slots[i].res == BLOCK || r.slots[i].res == -EOPNOTSUPP,
				  "%s: %d", r.what, r.slots[i].res);
		rig_close(&r);
	}
}

Test(engine_io_uring, a_cpu_for_the_thread_needs_the_thread)
{
	const struct engine_ops *ops = engine_or_skip("io_uring");
	struct uring_opts o = {.sqthread_poll_cpu = 1};
	struct rig_cfg cfg = {.opts = &o};
	struct rig r;

	cr_assert(rig_file(&r, disk, &cfg));
	cr_expect_eq(rig_engine(&r, ops, &cfg), -EINVAL);
	cr_expect(strstr(r.err.msg, "sqthread_poll"), "%s", r.err.msg);
	rig_close(&r);
}

static const struct option_def *option_row(const char *name)
{
	for (const struct option_def *o = uring_options; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

Test(engine_io_uring, cpu_option_reads_and_prints)
{
	static const char *const bad[] = {"", "x", "-1", "1x", "99999999999999999999", " 1"};
	const struct option_def *row = option_row("sqthread_poll_cpu");
	struct uring_opts o = {0};
	struct strbuf sb = {0};
	struct err e;

	cr_assert_not_null(row);
	row->print(&o, row, &sb);
	cr_expect_str_eq(strbuf_str(&sb), "");
	cr_expect_eq(row->parse(&o, row, "0", &e), 0);
	row->print(&o, row, &sb);
	cr_expect_str_eq(strbuf_str(&sb), "0");
	cr_expect_eq(row->parse(&o, row, NULL, &e), -EINVAL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		cr_expect_eq(row->parse(&o, row, bad[i], &e), -EINVAL, "%s", bad[i]);
	cr_expect_eq(o.sqthread_poll_cpu, 1);
	strbuf_fini(&sb);
}

/* Case 56: the message has needed and allowed KiB. Root may lock what it likes, so not as root. */
Test(engine_io_uring, case_56_fixedbufs_beyond_memlock_names_both_amounts)
{
	const struct engine_ops *ops = engine_or_skip("io_uring");
	struct uring_opts o = {.fixedbufs = true, .nonvectored = true};
	struct rig_cfg cfg = {.depth = 64, .len = 65536, .opts = &o};
	struct rlimit lim = {8192, 8192};
	struct rig r;

	cr_assert(rig_file(&r, disk, &cfg));
	cr_assert_eq(setrlimit(RLIMIT_MEMLOCK, &lim), 0);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_expect_eq(rig_engine(&r, ops, &cfg), -ENOMEM, "%s", r.err.msg);
	cr_expect(strstr(r.err.msg, "4096 KiB") && strstr(r.err.msg, "8 KiB") &&
			  strstr(r.err.msg, "ulimit -l"),
		  "%s", r.err.msg);
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
	rig_close(&r);
}

/* Case 55: the sysctl is quoted. The kernel's own one is left alone: a fixture tree stands in. */
Test(engine_io_uring, case_55_eperm_is_explained_by_sysctl_or_seccomp)
{
	static const struct {
		const char *sysctl, *status, *want;
	} cases[] = {
		{"2\n", "Name:\tx\nSeccomp:\t0\n", "kernel.io_uring_disabled=2"},
		{"1\n", "Name:\tx\nSeccomp:\t0\n", "kernel.io_uring_disabled=1"},
		{"0\n", "Name:\tx\nSeccomp:\t2\n", "seccomp filter refuses"},
		{NULL, "Name:\tx\nSeccomp:\t2\n", "seccomp filter refuses"},
		{"0\n", "Name:\tx\nSeccomp:\t0\n", "no seccomp filter"},
		{NULL, NULL, "not permitted"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char root[] = "/tmp/iodeck-eng-XXXXXX", path[128], cmd[160];
		struct err e = {0};

		cr_assert_not_null(mkdtemp(root));
		snprintf(path, sizeof(path), "%s/proc/sys/kernel/io_uring_disabled", root);
		if (cases[i].sysctl)
			cr_assert_eq(fs_write_atomic(path, cases[i].sysctl, 2), 0);
		snprintf(path, sizeof(path), "%s/proc/self/status", root);
		if (cases[i].status)
			cr_assert_eq(
				fs_write_atomic(path, cases[i].status, strlen(cases[i].status)), 0);
		cr_expect_eq(uring_explain_setup(root, EPERM, 8, &e), -EPERM);
		cr_expect(strstr(e.msg, cases[i].want), "case %zu: %s", i, e.msg);
		snprintf(cmd, sizeof(cmd), "rm -r %s", root);
		cr_expect_eq(system(cmd), 0);
	}
}

static void forbid_syscall(uint32_t nr, uint32_t error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = sizeof(code) / sizeof(*code), .filter = code};

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		cr_skip("no seccomp here");
}

/* Case 54: what a container's default profile does, for real. */
Test(engine_probe, case_54_seccomp_is_named)
{
	struct err e = {0};

	engine_or_skip("io_uring");
	forbid_syscall(SYS_io_uring_setup, EPERM);
	cr_expect_eq(engine_find("io_uring")->probe(&e), -EPERM);
	cr_expect(strstr(e.msg, "seccomp"), "%s", e.msg);
	forbid_syscall(SYS_io_setup, ENOSYS);
	cr_expect_eq(engine_find("libaio")->probe(&e), -ENOSYS);
	cr_expect(strstr(e.msg, "CONFIG_AIO"), "%s", e.msg);
}

/* Set-up works but the I/O does not: probe does a real one. */
Test(engine_probe, a_refused_enter_is_seen)
{
	struct err e = {0};

	engine_or_skip("io_uring");
	forbid_syscall(SYS_io_uring_enter, EPERM);
	cr_expect_eq(engine_find("io_uring")->probe(&e), -EPERM);
	cr_expect(strstr(e.msg, "test read"), "%s", e.msg);
}

Test(engine_libaio, a_queue_beyond_aio_max_nr_names_both_numbers)
{
	const struct engine_ops *ops = engine_or_skip("libaio");
	struct engine_env env = {.clock = &clock_real};
	struct engine eng = {.ops = ops};
	struct err e = {0};
	char text[64];
	uint64_t max;

	cr_assert_eq(fs_read_u64("", "/proc/sys/fs/aio-max-nr", &max), 0);
	if (max > 1000000)
		cr_skip("fs.aio-max-nr is too large to exceed");
	env.depth_max = (uint32_t)max + 1;
	cr_expect_eq(ops->open(&eng, &env, &e), -EAGAIN, "%s", e.msg);
	snprintf(text, sizeof(text), "fs.aio-max-nr=%lu", (unsigned long)max);
	cr_expect(strstr(e.msg, text) && strstr(e.msg, "fs.aio-nr="), "%s", e.msg);
}

Test(engine_pvsync2, options_are_used)
{
	const struct engine_ops *ops = engine_or_skip("pvsync2");
	struct pvsync2_opts nowait = {.nowait = true}, hipri = {.hipri = true};
	int pipe_fd[2];
	struct rig r;

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){.opts = &nowait}));
	cr_assert_eq(pread(r.fd, r.env.pool, BLOCK, 0), BLOCK); /* now it is cached */
	rig_submit_all(&r, 0, 1);
	rig_reap_all(&r, 1);
	cr_expect(r.slots[0].res == BLOCK || r.slots[0].res == -EOPNOTSUPP, "%d", r.slots[0].res);
	/* An offset of -1 is "where the file stands", so a pipe may be read: without nowait it would hang. */
	cr_assert_eq(pipe2(pipe_fd, O_CLOEXEC), 0);
	rig_slot(&r, 1, IO_READ, 0)->fd = pipe_fd[0];
	r.slots[1].offset = UINT64_MAX;
	rig_submit_all(&r, 1, 1);
	rig_reap_all(&r, 1);
	cr_expect_eq(r.slots[1].res, -EAGAIN, "%d", r.slots[1].res);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	rig_close(&r);

	cr_assert(rig_open(&r, ops, disk, &(struct rig_cfg){.opts = &hipri}));
	read_all_blocks(&r);
	rig_close(&r);
}

/* A loop device over the rig's own file; gone when its descriptor is closed. -1: none to be had. */
static int own_loop_device(const struct rig *r)
{
	struct loop_config cfg = {.fd = (uint32_t)r->fd, .block_size = 4096};
	int ctl = open("/dev/loop-control", O_RDWR | O_CLOEXEC), fd = -1;
	char path[32];

	cfg.info.lo_flags = LO_FLAGS_AUTOCLEAR;
	for (int tries = 0; ctl >= 0 && tries < 20; tries++) {
		int nr = ioctl(ctl, LOOP_CTL_GET_FREE);

		snprintf(path, sizeof(path), "/dev/loop%d", nr);
		fd = nr < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC | O_DIRECT);
		if (fd < 0 || ioctl(fd, LOOP_CONFIGURE, &cfg) == 0)
			break;
		close(fd); /* somebody else was faster */
		fd = -1;
	}
	if (ctl >= 0)
		close(ctl);
	return fd;
}

Test(engine_trim, discards_on_a_block_device)
{
	for (size_t i = 0; engine_table[i]; i++) {
		const struct engine_ops *ops = engine_table[i];
		static const char zero[BLOCK];
		struct rig_cfg cfg = {0};
		char got[BLOCK];
		struct rig r;
		int file, loop;

		if (!(ops->flags & ENGINE_TRIM) || ops->flags & ENGINE_DISKLESS ||
		    (ops->probe && ops->probe(NULL)))
			continue;
		cr_assert(rig_file(&r, disk, &cfg));
		loop = own_loop_device(&r);
		if (loop < 0) {
			rig_close(&r);
			cr_skip("no loop device here");
		}
		file = r.fd;
		r.fd = loop;
		cr_assert_eq(rig_engine(&r, ops, &cfg), 0, "%s", r.err.msg);
		rig_slot(&r, 1, IO_TRIM, 9);
		rig_submit_all(&r, 0, 3);
		rig_reap_all(&r, 3);
		for (uint32_t s = 0; s < 3; s++)
			cr_expect_eq(r.slots[s].res, BLOCK, "%s: %d", r.what, r.slots[s].res);
		cr_expect_eq(pread(file, got, BLOCK, 9 * BLOCK), BLOCK);
		cr_expect_arr_eq(got, zero, BLOCK, "%s", r.what);
		cr_expect_eq(pread(file, got, BLOCK, 10 * BLOCK), BLOCK);
		cr_expect(pattern_is(got, BLOCK, 10 * BLOCK, 0), "%s", r.what);
		rig_close(&r);
		close(file);
	}
}
