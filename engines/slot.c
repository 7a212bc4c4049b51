#include "engines/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

int slot_ring_init(struct slot_ring *r, uint32_t depth_max)
{
	uint32_t size = 1;

	while (size < depth_max)
		size <<= 1;
	r->head = r->tail = 0;
	r->mask = size - 1;
	r->slot = calloc(size, sizeof(struct io_slot *));
	return r->slot ? 0 : -ENOMEM;
}

void slot_ring_fini(struct slot_ring *r)
{
	free(r->slot);
	r->slot = NULL;
}

static int trim(const struct io_slot *io)
{
	uint64_t range[2] = {io->offset, io->len};
	struct stat st;

	if (fstat(io->fd, &st))
		return -1;
	if (S_ISBLK(st.st_mode))
		return ioctl(io->fd, BLKDISCARD, range);
	return fallocate(io->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)io->offset,
			 (off_t)io->len);
}

int32_t slot_answer(const struct io_slot *io, bool writable)
{
	int r;

	if (!writable)
		return -EBADF;
	if (io->op != IO_TRIM)
		return -EINVAL;
	do
		r = trim(io);
	while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : (int32_t)io->len;
}
