#include "engines/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/base/xalloc.h"

#define PROBE_BYTES   4096u
#define PROBE_WAIT_NS (2 * NSEC_PER_SEC)
#define PROBE_BYTE    0x5a

/* Memory if the kernel has it, else a file without a name. */
static int scratch_open(void)
{
	int fd = memfd_create("iodeck-probe", MFD_CLOEXEC);

	return fd >= 0 ? fd : open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static int read_back(struct engine *eng, struct io_slot *slot, struct err *e)
{
	struct io_slot *done;
	const char *name = eng->ops->name;
	int r = eng->ops->submit(eng, &slot, 1);

	if (r >= 0)
		r = eng->ops->reap(eng, &done, 1, 1, PROBE_WAIT_NS);
	if (r < 0)
		return err_set(e, -r, "%s: a test read was refused: %s", name, strerror(-r));
	if (r == 0)
		return err_set(e, ETIMEDOUT, "%s: a test read of %u bytes did not finish in 2 s",
			       name, PROBE_BYTES);
	if (slot->res < 0)
		return err_set(e, -slot->res, "%s: a test read failed: %s", name,
			       strerror(-slot->res));
	for (uint32_t i = 0; i < PROBE_BYTES; i++)
		if (slot->res != PROBE_BYTES || ((const char *)slot->buf)[i] != PROBE_BYTE)
			return err_set(e, EIO, "%s: a test read gave wrong data", name);
	return 0;
}

static int probe_file(const struct engine_ops *ops, int fd, char *buf, struct err *e)
{
	struct io_slot slot = {.buf = buf, .len = PROBE_BYTES, .fd = fd, .op = IO_READ};
	struct engine_env env = {
		.fds = &fd,
		.n_fds = 1,
		.align = PROBE_BYTES,
		.depth_max = 1,
		.len_max = PROBE_BYTES,
		.pool = buf,
		.pool_stride = PROBE_BYTES,
		.slots = &slot,
		.clock = &clock_real,
	};
	struct engine eng = {.ops = ops};
	int r = ops->open(&eng, &env, e);

	if (r < 0)
		return r;
	r = read_back(&eng, &slot, e);
	ops->close(&eng);
	return r;
}

int engine_probe_io(const struct engine_ops *ops, struct err *e)
{
	char *buf = buf_alloc(PROBE_BYTES);
	int fd = scratch_open(), r;

	if (fd < 0 || !buf) {
		r = err_set(e, errno, "%s: no scratch file for a test read: %s", ops->name,
			    strerror(errno));
		goto out;
	}
	memset(buf, PROBE_BYTE, PROBE_BYTES);
	if (pwrite(fd, buf, PROBE_BYTES, 0) != PROBE_BYTES) {
		r = err_set(e, EIO, "%s: the scratch file of a test read takes no data", ops->name);
		goto out;
	}
	memset(buf, 0, PROBE_BYTES);
	r = probe_file(ops, fd, buf, e);
out:
	if (fd >= 0)
		close(fd);
	buf_free(buf, PROBE_BYTES);
	return r;
}
