/* preadv and pwritev, one at a time. */
#include <sys/uio.h>

#include "engines/probe.h"
#include "engines/sync_common.h"

extern const struct engine_ops engine_pvsync;

static ssize_t pvsync_xfer(void *self, const struct io_slot *io)
{
	struct iovec iov = {.iov_base = io->buf, .iov_len = io->len};

	(void)self;
	return io->op == IO_READ ? preadv(io->fd, &iov, 1, (off_t)io->offset)
				 : pwritev(io->fd, &iov, 1, (off_t)io->offset);
}

static int pvsync_probe(struct err *e)
{
	return engine_probe_io(&engine_pvsync, e);
}

static int pvsync_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	return sync_open(eng, env, sizeof(struct sync_engine), e);
}

static int pvsync_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, pvsync_xfer);
}

const struct engine_ops engine_pvsync = {
	.name = "pvsync",
	.summary = "preadv(2) and pwritev(2), one at a time",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.probe = pvsync_probe,
	.open = pvsync_open,
	.submit = pvsync_submit,
	.reap = sync_reap,
	.close = sync_close,
};
