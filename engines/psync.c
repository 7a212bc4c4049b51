/* pread and pwrite, one at a time. */
#include <unistd.h>

#include "engines/probe.h"
#include "engines/sync_common.h"

extern const struct engine_ops engine_psync;

static ssize_t psync_xfer(void *self, const struct io_slot *io)
{
	(void)self;
	return io->op == IO_READ ? pread(io->fd, io->buf, io->len, (off_t)io->offset)
				 : pwrite(io->fd, io->buf, io->len, (off_t)io->offset);
}

static int psync_probe(struct err *e)
{
	return engine_probe_io(&engine_psync, e);
}

static int psync_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	return sync_open(eng, env, sizeof(struct sync_engine), e);
}

static int psync_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, psync_xfer);
}

const struct engine_ops engine_psync = {
	.name = "psync",
	.summary = "pread(2) and pwrite(2), one at a time",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.probe = psync_probe,
	.open = psync_open,
	.submit = psync_submit,
	.reap = sync_reap,
	.close = sync_close,
};
