/* lseek and read or write; a sequential job seeks only once. */
#include <unistd.h>

#include "engines/ownpos.h"
#include "engines/probe.h"

extern const struct engine_ops engine_sync;

static ssize_t read_or_write(void *self, const struct io_slot *io)
{
	struct ownpos_file *f = ownpos_seek(self, io);
	ssize_t r;

	if (!f)
		return -1;
	r = io->op == IO_READ ? read(f->fd, io->buf, io->len) : write(f->fd, io->buf, io->len);
	ownpos_moved(f, r);
	return r;
}

static int probe(struct err *e)
{
	return engine_probe_io(&engine_sync, e);
}

static int submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, read_or_write);
}

const struct engine_ops engine_sync = {
	.name = "sync",
	.summary = "lseek(2), then read(2) or write(2)",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.probe = probe,
	.open = ownpos_open,
	.submit = submit,
	.reap = sync_reap,
	.close = ownpos_close,
};
