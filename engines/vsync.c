/* lseek and readv or writev. fio gathers neighbours at higher depths; a depth of 1 has none. */
#include <sys/uio.h>

#include "engines/ownpos.h"
#include "engines/probe.h"

extern const struct engine_ops engine_vsync;

static ssize_t readv_or_writev(void *self, const struct io_slot *io)
{
	struct ownpos_file *f = ownpos_seek(self, io);
	struct iovec iov = {.iov_base = io->buf, .iov_len = io->len};
	ssize_t r;

	if (!f)
		return -1;
	r = io->op == IO_READ ? readv(f->fd, &iov, 1) : writev(f->fd, &iov, 1);
	ownpos_moved(f, r);
	return r;
}

static int probe(struct err *e)
{
	return engine_probe_io(&engine_vsync, e);
}

static int submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, readv_or_writev);
}

const struct engine_ops engine_vsync = {
	.name = "vsync",
	.summary = "lseek(2), then readv(2) or writev(2)",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.probe = probe,
	.open = ownpos_open,
	.submit = submit,
	.reap = sync_reap,
	.close = ownpos_close,
};
