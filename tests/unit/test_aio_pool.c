/* engines/aio_pool: contexts that are kept, so that a stage does not wait for the last one's to go. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "engines/aio_pool.h"

TestSuite(aio_pool, .fini = aio_pool_drain);

static io_context_t take(uint32_t depth, uint32_t *size)
{
	io_context_t ctx = NULL;
	int rc = aio_pool_take(depth, &ctx, size);

	if (rc == -ENOSYS || rc == -EPERM)
		cr_skip("no libaio here");
	cr_assert_eq(rc, 0);
	return ctx;
}

Test(aio_pool, what_was_given_is_taken_again)
{
	uint32_t size;
	io_context_t a = take(8, &size), b;

	cr_expect_eq(size, 8);
	aio_pool_give(a, size);
	b = take(4, &size);
	cr_expect_eq(b, a);
	cr_expect_eq(size, 8, "it stays as large as it was made");
	aio_pool_give(b, size);
	b = take(9, &size);
	cr_expect_neq(b, a, "too small for that");
	cr_expect_eq(size, 9);
	aio_pool_give(b, size);
	cr_expect_eq(take(8, &size), a, "the smallest that is large enough");
	io_destroy(a);
}

/* A kept context works: one read with it after it was used before. */
Test(aio_pool, a_kept_context_does_io)
{
	char buf[16];
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	cr_assert_geq(fd, 0);
	for (unsigned i = 0; i < 3; i++) {
		struct iocb cb, *list = &cb;
		struct io_event ev;
		uint32_t size;
		io_context_t ctx = take(2, &size);

		io_prep_pread(&cb, fd, buf, sizeof(buf), 0);
		cr_assert_eq(io_submit(ctx, 1, &list), 1);
		cr_assert_eq(io_getevents(ctx, 1, 1, &ev, NULL), 1);
		cr_expect_eq(ev.res, sizeof(buf));
		aio_pool_give(ctx, size);
	}
	close(fd);
}

/* A large one is not kept, and not too many: it would hold what others on this machine may need. */
Test(aio_pool, large_contexts_are_given_back)
{
	uint32_t size;
	io_context_t ctx = take(4096, &size);

	aio_pool_give(ctx, size);
	ctx = take(1, &size);
	cr_expect_eq(size, 1);
	io_destroy(ctx);
}

Test(aio_pool, at_most_so_many_are_kept)
{
	io_context_t ctx[20];
	uint32_t size, kept = 0;

	for (unsigned i = 0; i < 20; i++)
		ctx[i] = take(3, &size);
	for (unsigned i = 0; i < 20; i++)
		aio_pool_give(ctx[i], 3);
	for (unsigned i = 0; i < 20; i++) {
		ctx[i] = take(2, &size);
		kept += size == 3;
	}
	cr_expect_eq(kept, 16);
	for (unsigned i = 0; i < 20; i++)
		io_destroy(ctx[i]);
}
