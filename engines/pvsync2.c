/* preadv2 and pwritev2, one at a time, with flags a call. */
#include "engines/pvsync2.h"

#include <sys/uio.h>

#include "engines/probe.h"
#include "engines/rwf.h"
#include "engines/sync_common.h"

extern const struct engine_ops engine_pvsync2;

struct pvsync2_engine {
	struct sync_engine base; /* first: sync_common's */
	int flags;
};

static const struct option_def options[] = {
	{
		.name = "hipri",
		.type = OPT_FLAG,
		.offset = offsetof(struct pvsync2_opts, hipri),
		.def = "0",
		.help = "poll the device for the completion (RWF_HIPRI); wants direct=1",
	},
	{
		.name = "nowait",
		.type = OPT_FLAG,
		.offset = offsetof(struct pvsync2_opts, nowait),
		.def = "0",
		.help = "an I/O that would sleep fails with EAGAIN instead (RWF_NOWAIT); see "
			"ignore_error",
	},
	{
		.name = "uncached",
		.type = OPT_BOOL,
		.offset = offsetof(struct pvsync2_opts, uncached),
		.def = "0",
		.help = "buffered, but nothing stays in the page cache (RWF_DONTCACHE); Linux 6.14",
	},
	{.name = NULL},
};

static ssize_t pvsync2_xfer(void *self, const struct io_slot *io)
{
	const struct pvsync2_engine *s = self;
	struct iovec iov = {.iov_base = io->buf, .iov_len = io->len};

	return io->op == IO_READ ? preadv2(io->fd, &iov, 1, (off_t)io->offset, s->flags)
				 : pwritev2(io->fd, &iov, 1, (off_t)io->offset, s->flags);
}

static int pvsync2_probe(struct err *e)
{
	return engine_probe_io(&engine_pvsync2, e);
}

static int pvsync2_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	const struct pvsync2_opts *o = env->opts;
	int r = sync_open(eng, env, sizeof(struct pvsync2_engine), e);

	if (r || !o)
		return r;
	((struct pvsync2_engine *)eng->priv)->flags = rwf_flags(o->hipri, o->nowait, o->uncached);
	eng->nowait = o->nowait;
	return 0;
}

static int pvsync2_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, pvsync2_xfer);
}

const struct engine_ops engine_pvsync2 = {
	.name = "pvsync2",
	.summary = "preadv2(2) and pwritev2(2), with hipri, nowait and uncached",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.options = options,
	.options_size = sizeof(struct pvsync2_opts),
	.probe = pvsync2_probe,
	.open = pvsync2_open,
	.submit = pvsync2_submit,
	.reap = sync_reap,
	.close = sync_close,
};
