/* The mmap engine where a mapping differs from a read: offsets, sizes, and pages that are gone. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_rig.h"

static const struct place *const memory = &places[0];
#define TIB (1ull << 40)

static const struct engine_ops *mmap_engine(void)
{
	return engine_find("mmap");
}

static int32_t one(struct rig *r, enum io_op op, uint64_t offset, uint32_t len)
{
	struct io_slot *io = rig_slot(r, 0, op, 0);

	io->offset = offset;
	io->len = len;
	rig_submit_all(r, 0, 1);
	rig_reap_all(r, 1);
	return io->res;
}

static uint64_t allocated_bytes(const struct rig *r)
{
	struct stat st;

	cr_assert_eq(fstat(r->fd, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

/* Case 64: a hole of tmpfs gets a page when it is touched, so the blocks show what was touched. */
Test(engine_mmap, case_64_touches_only_what_is_asked_for)
{
	struct rig_cfg cfg = {0};
	struct rig r;

	if (!rig_file(&r, memory, &cfg))
		cr_skip("no /dev/shm");
	cr_assert_eq(ftruncate(r.fd, 0), 0);
	cr_assert_eq(ftruncate(r.fd, 65536), 0);
	cr_assert_eq(rig_engine(&r, mmap_engine(), &cfg), 0);
	for (uint64_t at = 20480; at < 32768; at += BLOCK)
		cr_expect_eq(one(&r, IO_READ, at, BLOCK), BLOCK);
	cr_expect_eq(allocated_bytes(&r), 12288, "%lu", (unsigned long)allocated_bytes(&r));
	cr_expect_eq(lseek(r.fd, 0, SEEK_DATA), 20480);
	rig_close(&r);
}

Test(engine_mmap, offsets_need_no_alignment)
{
	char want[2 * BLOCK];
	struct rig r;

	cr_assert(rig_open(&r, mmap_engine(), &places[2], &(struct rig_cfg){0}));
	pattern_fill(want, sizeof(want), 2 * BLOCK, 0);
	cr_expect_eq(one(&r, IO_READ, 2 * BLOCK + 777, BLOCK), BLOCK);
	cr_expect_arr_eq(r.slots[0].buf, want + 777, BLOCK);
	rig_close(&r);
}

Test(engine_mmap, sees_a_file_grow_but_does_not_make_it)
{
	char more[BLOCK];
	struct rig r;

	cr_assert(rig_open(&r, mmap_engine(), &places[2], &(struct rig_cfg){0}));
	cr_expect_eq(one(&r, IO_READ, 100 * BLOCK, BLOCK), 0);
	cr_expect_eq(one(&r, IO_WRITE, 100 * BLOCK, BLOCK), -ENOSPC);
	cr_expect_eq(one(&r, IO_WRITE, FILE_BLOCKS * BLOCK, BLOCK), TAIL_BYTES, "short at the end");
	pattern_fill(more, BLOCK, 100 * BLOCK, 2);
	cr_assert_eq(pwrite(r.fd, more, BLOCK, 100 * BLOCK), BLOCK);
	cr_expect_eq(one(&r, IO_READ, 100 * BLOCK, BLOCK), BLOCK);
	cr_expect(pattern_is(r.slots[0].buf, BLOCK, 100 * BLOCK, 2));
	rig_close(&r);
}

/* Beyond what an address space holds, a window follows the I/O. */
Test(engine_mmap, works_on_a_file_larger_than_the_address_space)
{
	static const uint64_t at[] = {0, 199 * TIB, 3 * TIB + 123, (1ull << 30) - 1, 199 * TIB + 5};
	struct rig_cfg cfg = {0};
	char got[BLOCK];
	struct rig r;

	if (!rig_file(&r, memory, &cfg))
		cr_skip("no /dev/shm");
	cr_assert_eq(ftruncate(r.fd, 200 * TIB), 0);
	cr_assert_eq(rig_engine(&r, mmap_engine(), &cfg), 0, "%s", r.err.msg);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		pattern_fill(r.env.pool, BLOCK, at[i], i);
		cr_expect_eq(one(&r, IO_WRITE, at[i], BLOCK), BLOCK, "%zu: %d", i, r.slots[0].res);
		cr_expect_eq(pread(r.fd, got, BLOCK, (off_t)at[i]), BLOCK);
		cr_expect(pattern_is(got, BLOCK, at[i], i), "%zu", i);
		memset(r.env.pool, 0, BLOCK);
		cr_expect_eq(one(&r, IO_READ, at[i], BLOCK), BLOCK);
		cr_expect(pattern_is(r.env.pool, BLOCK, at[i], i), "%zu", i);
	}
	rig_close(&r);
}

/* Case 65. The mapping must be the file's again afterwards, not the handler's empty pages. */
Test(engine_mmap, case_65_a_truncated_file_is_eio_not_a_crash)
{
	sigset_t all, none, now;
	char block[BLOCK];
	struct rig r;

	/* As in a worker: everything is blocked, and a blocked SIGBUS would kill. */
	sigfillset(&all);
	sigdelset(&all, SIGALRM);
	pthread_sigmask(SIG_SETMASK, &all, &none);
	cr_assert(rig_open(&r, mmap_engine(), &places[2], &(struct rig_cfg){.len = 4 * BLOCK}));
	cr_assert_eq(ftruncate(r.fd, 0), 0);
	cr_expect_eq(one(&r, IO_READ, 8 * BLOCK, 4 * BLOCK), -EIO);
	cr_expect_eq(one(&r, IO_READ, 8 * BLOCK, 4 * BLOCK), -EIO, "and again");
	cr_expect_eq(one(&r, IO_WRITE, 16 * BLOCK, BLOCK), -EIO);
	cr_expect_eq(one(&r, IO_READ, 0, BLOCK), -EIO);
	pattern_fill(block, BLOCK, 9 * BLOCK, 3);
	cr_assert_eq(pwrite(r.fd, block, BLOCK, 9 * BLOCK), BLOCK);
	cr_expect_eq(one(&r, IO_READ, 9 * BLOCK, BLOCK), BLOCK, "the file is back");
	cr_expect(pattern_is(r.slots[0].buf, BLOCK, 9 * BLOCK, 3));
	rig_close(&r);
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	cr_expect_eq(sigismember(&now, SIGBUS), 1, "close blocks it again");
	pthread_sigmask(SIG_SETMASK, &none, NULL);
}

Test(engine_mmap, case_65_a_full_file_system_is_eio_not_a_crash)
{
	struct rig_cfg cfg = {0};
	int32_t res = 0;
	char path[96];
	struct rig r;

	cr_assert(rig_file(&r, &places[2], &cfg));
	/* A small tmpfs over the rig's folder, in a mount namespace of this process. */
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("iodeck", r.dir, "tmpfs", 0, "size=256k")) {
		rig_close(&r);
		cr_skip("no mount namespace here");
	}
	close(r.fd);
	snprintf(path, sizeof(path), "%s/small", r.dir);
	r.fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	cr_assert_eq(ftruncate(r.fd, 1 << 20), 0);
	cr_assert_eq(rig_engine(&r, mmap_engine(), &cfg), 0, "%s", r.err.msg);
	for (uint64_t b = 0; b < 256 && res >= 0; b++)
		res = one(&r, IO_WRITE, b * BLOCK, BLOCK);
	cr_expect_eq(res, -EIO);
	cr_expect_eq(one(&r, IO_READ, 0, BLOCK), BLOCK, "what fitted is there");
	r.eng.ops->close(&r.eng);
	r.eng.priv = NULL;
	close(r.fd);
	r.fd = -1;
	cr_expect_eq(umount(r.dir), 0);
	rig_close(&r);
}

/* A SIGBUS that is not the engine's is not swallowed. */
static void touch_a_foreign_page(void)
{
	char path[] = "/tmp/iodeck-eng-XXXXXX";
	int fd = mkstemp(path);
	volatile char *p;

	unlink(path);
	cr_assert_eq(ftruncate(fd, 4096), 0);
	p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	cr_assert_eq(ftruncate(fd, 0), 0);
	(void)*p;
}

static void exit_7(int sig)
{
	(void)sig;
	_exit(7);
}

Test(engine_mmap, other_faults_go_to_the_handler_before, .exit_code = 7)
{
	struct rig r;

	signal(SIGBUS, exit_7);
	cr_assert(rig_open(&r, mmap_engine(), &places[2], &(struct rig_cfg){0}));
	r.eng.ops->close(&r.eng);
	r.eng.priv = NULL;
	rig_close(&r);
	touch_a_foreign_page();
	cr_assert_fail("the fault was swallowed");
}
