/*
 * memcpy to and from a shared mapping of the file. The whole file is mapped when the address space has
 * room for it; else a window of 1 GiB follows the I/O. Windows start at the page below the offset,
 * so an offset need not be page-aligned. Written pages reach the disk when the kernel likes or on fsync.
 * A page that cannot be had (file truncated, file system full, disk error) is EIO of that slot.
 */
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/fdmap.h"
#include "engines/probe.h"
#include "engines/sigbus.h"
#include "engines/sync_common.h"

extern const struct engine_ops engine_mmap;

#define WINDOW_BYTES (1ull << 30)

struct map {
	int fd, prot;           /* as the file was opened: a log may read one and write another */
	bool windowed;          /* the whole file did not fit */
	char *base;             /* NULL: nothing mapped */
	uint64_t offset, bytes; /* the part that is mapped; whole pages */
	uint64_t file_bytes;    /* as last seen */
};

struct mmap_engine {
	struct sync_engine base; /* first: sync_common's */
	struct fdmap fds;
	struct map *map; /* by place in env.fds */
	uint32_t n_maps;
	uint64_t page;
	sigset_t old_mask;
	bool entered;
};

static int file_bytes(int fd, uint64_t *bytes)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if (S_ISBLK(st.st_mode))
		return ioctl(fd, BLKGETSIZE64, bytes);
	*bytes = (uint64_t)st.st_size;
	return 0;
}

static void unmap(struct map *m)
{
	if (m->base)
		munmap(m->base, m->bytes);
	m->base = NULL;
	m->bytes = 0;
}

static int map_range(struct map *m, uint64_t offset, uint64_t bytes)
{
	void *p;

	unmap(m);
	p = mmap(NULL, bytes, m->prot, MAP_SHARED | MAP_NORESERVE, m->fd, (off_t)offset);
	if (p == MAP_FAILED)
		return -1;
	m->base = p;
	m->offset = offset;
	m->bytes = bytes;
	return 0;
}

/* Makes [offset, offset + len), which lies within the file, part of what is mapped. */
static int cover(const struct mmap_engine *s, struct map *m, uint64_t offset, uint64_t len)
{
	uint64_t mask = s->page - 1, end = (m->file_bytes + mask) & ~mask, start, bytes;

	if (!m->windowed) {
		if (map_range(m, 0, end) == 0)
			return 0;
		if (errno != ENOMEM)
			return -1;
		m->windowed = true;
	}
	start = offset & ~mask;
	bytes = (offset + len - start + mask) & ~mask;
	if (bytes < WINDOW_BYTES)
		bytes = WINDOW_BYTES;
	return map_range(m, start, bytes < end - start ? bytes : end - start);
}

/* The bytes of the slot that lie inside the file; a file that has grown is noticed. */
static int64_t bytes_inside(struct map *m, const struct io_slot *io)
{
	if (unlikely(io->offset + io->len > m->file_bytes) && file_bytes(m->fd, &m->file_bytes))
		return -1;
	if (io->offset >= m->file_bytes)
		return 0;
	return (int64_t)(m->file_bytes - io->offset < io->len ? m->file_bytes - io->offset
							      : io->len);
}

/* After a failed copy: the file instead of the empty memory that the handler put there. */
static void map_again(const struct mmap_engine *s, struct map *m, const char *at, uint64_t len)
{
	uint64_t mask = s->page - 1, from = (uint64_t)(at - m->base) & ~mask,
		 to = ((uint64_t)(at - m->base) + len + mask) & ~mask;
	void *p = mmap(m->base + from, to - from, m->prot, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
		       m->fd, (off_t)(m->offset + from));

	if (p == MAP_FAILED)
		unmap(m);
	/* cppcheck-suppress memleak */
}

static ssize_t mmap_xfer(void *self, const struct io_slot *io)
{
	struct mmap_engine *s = self;
	int32_t place = fdmap_find(&s->fds, io->fd);
	struct map *m;
	int64_t len;
	char *at;
	bool ok;

	if (place < 0) {
		errno = EBADF;
		return -1;
	}
	m = &s->map[place];
	if (unlikely(io->op == IO_WRITE && !(m->prot & PROT_WRITE))) {
		errno = EBADF; /* as the kernel would say of a write(2) */
		return -1;
	}
	len = bytes_inside(m, io);
	if (len == 0 && io->op == IO_WRITE) {
		errno = ENOSPC; /* a mapping cannot make a file longer */
		return -1;
	}
	if (len <= 0)
		return (ssize_t)len;
	if (unlikely(!m->base || io->offset < m->offset ||
		     io->offset + (uint64_t)len > m->offset + m->bytes) &&
	    cover(s, m, io->offset, (uint64_t)len))
		return -1;
	at = m->base + (io->offset - m->offset);
	ok = io->op == IO_READ ? sigbus_copy(io->buf, at, (size_t)len, at)
			       : sigbus_copy(at, io->buf, (size_t)len, at);
	if (likely(ok))
		return (ssize_t)len;
	map_again(s, m, at, (uint64_t)len);
	errno = EIO;
	return -1;
}

static int mmap_probe(struct err *e)
{
	return engine_probe_io(&engine_mmap, e);
}

static void mmap_close(struct engine *eng)
{
	struct mmap_engine *s = eng->priv;

	for (uint32_t i = 0; i < s->n_maps; i++)
		unmap(&s->map[i]);
	free(s->map);
	fdmap_fini(&s->fds);
	if (s->entered)
		sigbus_leave(&s->old_mask);
	sync_close(eng);
}

static int prot_of(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR ? PROT_READ | PROT_WRITE : PROT_READ;
}

static int map_files(struct mmap_engine *s, const struct engine_env *env, struct err *e)
{
	s->map = calloc(env->n_fds + 1, sizeof(*s->map));
	if (!s->map || fdmap_init(&s->fds, env))
		return err_set(e, ENOMEM, "mmap: no memory for %u files", env->n_fds);
	for (uint32_t i = 0; i < env->n_fds; i++) {
		struct map *m = &s->map[s->n_maps++];

		m->fd = env->fds[i];
		m->prot = env->writable ? prot_of(m->fd) : PROT_READ;
		if (file_bytes(m->fd, &m->file_bytes) ||
		    (m->file_bytes && cover(s, m, 0, m->file_bytes < s->page ? 1 : s->page)))
			return err_set(e, errno, "mmap: mapping file %u of %u (%llu bytes): %s",
				       i + 1, env->n_fds, (unsigned long long)m->file_bytes,
				       strerror(errno));
	}
	return 0;
}

static int mmap_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct mmap_engine *s;
	int r = sync_open(eng, env, sizeof(*s), e);

	if (r < 0)
		return r;
	s = eng->priv;
	s->page = (uint64_t)sysconf(_SC_PAGESIZE);
	r = sigbus_enter(&s->old_mask);
	s->entered = r == 0;
	if (r < 0)
		err_set(e, -r, "mmap: no handler for SIGBUS: %s", strerror(-r));
	else
		r = map_files(s, env, e);
	if (r < 0)
		mmap_close(eng);
	return r;
}

static int mmap_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, mmap_xfer);
}

const struct engine_ops engine_mmap = {
	.name = "mmap",
	.summary = "memcpy(3) to and from a mapping of the file",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.probe = mmap_probe,
	.open = mmap_open,
	.submit = mmap_submit,
	.reap = sync_reap,
	.close = mmap_close,
};
