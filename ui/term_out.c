#include "ui/term_out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/base/strbuf.h"

static struct {
	int fd;       /* the terminal */
	FILE *memory; /* a file without a name, where curses writes */
	struct strbuf left;
	size_t sent; /* of `left` */
	uint64_t bytes;
} out = {.fd = -1};

int term_out_begin(int fd)
{
	int mem = memfd_create("iodeck-screen", MFD_CLOEXEC);

	if (mem < 0)
		return -errno;
	out.memory = fdopen(mem, "w");
	if (!out.memory) {
		int e = errno;

		close(mem);
		return -e;
	}
	out.fd = fd;
	out.bytes = 0;
	return 0;
}

void term_out_end(void)
{
	if (out.memory)
		fclose(out.memory);
	strbuf_fini(&out.left);
	memset(&out, 0, sizeof(out));
	out.fd = -1;
}

FILE *term_out_stream(void)
{
	return out.memory;
}

void term_out_take(void)
{
	int mem = fileno(out.memory);
	off_t at = 0, end = lseek(mem, 0, SEEK_CUR);
	char buf[4096];
	ssize_t n;

	for (; at < end && (n = pread(mem, buf, sizeof(buf), at)) > 0; at += n)
		strbuf_add(&out.left, buf, (size_t)n);
	if (end > 0 && ftruncate(mem, 0) == 0)
		lseek(mem, 0, SEEK_SET);
}

static void all_sent(void)
{
	strbuf_reset(&out.left);
	out.sent = 0;
}

int term_out_send(void)
{
	while (out.sent < out.left.len) {
		ssize_t n = write(out.fd, out.left.s + out.sent, out.left.len - out.sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0) {
			int e = n < 0 ? errno : EIO;

			all_sent();
			return -e;
		}
		out.sent += (size_t)n;
		out.bytes += (uint64_t)n;
	}
	all_sent();
	return 1;
}

void term_out_drop(void)
{
	if (out.memory)
		term_out_take();
	all_sent();
}

uint64_t term_out_bytes(void)
{
	return out.bytes;
}
