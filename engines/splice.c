/*
 * splice(2) between the file and a pipe. Reads: file to pipe, then read(2) into the buffer. Writes:
 * vmsplice(2) of the buffer into the pipe, then pipe to file. One pipe an instance, empty between two I/Os.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engines/probe.h"
#include "engines/sync_common.h"

extern const struct engine_ops engine_splice;

#define PIPE_BYTES_MAX (1u << 20) /* what an unprivileged pipe may have */

struct splice_engine {
	struct sync_engine base; /* first: sync_common's */
	int in, out;             /* read end, write end */
	size_t pipe_bytes;
};

static size_t part(const struct splice_engine *s, size_t left)
{
	return left < s->pipe_bytes ? left : s->pipe_bytes;
}

/* The n bytes that stand in the pipe: into buf. */
static int read_pipe(const struct splice_engine *s, char *buf, size_t n)
{
	while (n) {
		ssize_t r = read(s->in, buf, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return -1;
		buf += r;
		n -= (size_t)r;
	}
	return 0;
}

/* What could not be moved on must not become the start of the next I/O. Keeps errno. */
static void empty_pipe(const struct splice_engine *s, size_t n)
{
	char waste[4096];
	int saved = errno;

	while (n) {
		size_t k = n < sizeof(waste) ? n : sizeof(waste);

		if (read_pipe(s, waste, k))
			break;
		n -= k;
	}
	errno = saved;
}

static ssize_t read_slot(const struct splice_engine *s, const struct io_slot *io)
{
	off_t at = (off_t)io->offset;
	size_t done = 0;

	while (done < io->len) {
		ssize_t r = splice(io->fd, &at, s->out, NULL, part(s, io->len - done), 0);

		if (r <= 0)
			return done ? (ssize_t)done : r;
		if (read_pipe(s, (char *)io->buf + done, (size_t)r))
			return -1;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static ssize_t write_slot(const struct splice_engine *s, const struct io_slot *io)
{
	off_t at = (off_t)io->offset;
	size_t done = 0;

	while (done < io->len) {
		struct iovec iov = {.iov_base = (char *)io->buf + done,
				    .iov_len = part(s, io->len - done)};
		ssize_t n = vmsplice(s->out, &iov, 1, 0);

		if (n < 0)
			return done ? (ssize_t)done : n;
		while (n) {
			ssize_t r = splice(s->in, NULL, io->fd, &at, (size_t)n, 0);

			if (r < 0 && errno == EINTR)
				continue;
			if (r <= 0) {
				empty_pipe(s, (size_t)n);
				return done ? (ssize_t)done : r;
			}
			n -= r;
			done += (size_t)r;
		}
	}
	return (ssize_t)done;
}

static ssize_t splice_xfer(void *self, const struct io_slot *io)
{
	return io->op == IO_READ ? read_slot(self, io) : write_slot(self, io);
}

static int splice_probe(struct err *e)
{
	return engine_probe_io(&engine_splice, e);
}

static int splice_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct splice_engine *s;
	int fds[2], bytes, r = sync_open(eng, env, sizeof(*s), e);

	if (r < 0)
		return r;
	s = eng->priv;
	if (pipe2(fds, O_CLOEXEC)) {
		r = err_set(e, errno, "splice: no pipe: %s", strerror(errno));
		sync_close(eng);
		return r;
	}
	s->in = fds[0];
	s->out = fds[1];
	/* As large as one I/O, if we may; a smaller one only means more calls. */
	bytes = (int)(env->len_max < PIPE_BYTES_MAX ? env->len_max : PIPE_BYTES_MAX);
	fcntl(s->out, F_SETPIPE_SZ, bytes);
	bytes = fcntl(s->out, F_GETPIPE_SZ);
	s->pipe_bytes = bytes > 0 ? (size_t)bytes : 4096;
	return 0;
}

static int splice_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	return sync_submit(eng, io, n, splice_xfer);
}

static void splice_close(struct engine *eng)
{
	const struct splice_engine *s = eng->priv;

	close(s->in);
	close(s->out);
	sync_close(eng);
}

const struct engine_ops engine_splice = {
	.name = "splice",
	.summary = "splice(2) and vmsplice(2) through a pipe",
	.flags = ENGINE_SYNC | ENGINE_TRIM,
	.probe = splice_probe,
	.open = splice_open,
	.submit = splice_submit,
	.reap = sync_reap,
	.close = splice_close,
};
