/* A screen of 120x40: filling it, the exports, and sending it to a terminal. */
#include <pty.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "ui/term.h"

#define W      120
#define H      40
#define FRAMES 200u

/* Changes all figures of the screen and leaves the words: about what a live graph does. */
static void fill(struct canvas *c, uint64_t frame)
{
	canvas_clear(c);
	for (int y = 0; y < H; y++) {
		int x = canvas_text(c, 0, y, ROLE_DIM, 0, "IOPS read p99 latency ");

		x = canvas_textf(c, x, y, ROLE_READ, 0, "%8llu ",
				 (unsigned long long)(frame * 7919 + (uint64_t)y * 31));
		for (; x < W; x++)
			canvas_put(c, x, y, c->g->block[(frame + (uint64_t)(x * y)) % 9], ROLE_READ,
				   0);
	}
}

static void fill_one(void *arg, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		fill(arg, i);
}

static void dump_text(void *arg, uint64_t n)
{
	struct strbuf sb = {0};

	for (uint64_t i = 0; i < n; i++) {
		strbuf_fini(&sb);
		sb = (struct strbuf){0};
		canvas_dump_text(arg, &sb);
	}
	strbuf_fini(&sb);
}

static void dump_svg(void *arg, uint64_t n)
{
	struct strbuf sb = {0};

	for (uint64_t i = 0; i < n; i++) {
		strbuf_fini(&sb);
		sb = (struct strbuf){0};
		canvas_dump_svg(arg, term_depth(), &sb);
	}
	strbuf_fini(&sb);
}

static void flush_one(void *arg, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		fill(arg, i);
		term_flush(arg);
	}
}

/* On the far side of a terminal: the time goes back through a pipe. */
static void flush_child(int out, struct canvas *c)
{
	struct term_cfg cfg = {0};
	struct err e = {0};
	double ns = -1;

	setenv("TERM", "xterm-256color", 1);
	if (!term_open(&cfg, &e)) {
		ns = bench_time(FRAMES, flush_one, c);
		term_close();
	}
	_exit(write(out, &ns, sizeof(ns)) != sizeof(ns));
}

/* Reads what the terminal would show: its bytes. */
static uint64_t drain(int fd)
{
	uint64_t bytes = 0;
	char buf[16384];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		bytes += (uint64_t)n;
	return bytes;
}

static void bench_flush(struct canvas *c, double fill_ns)
{
	struct winsize ws = {.ws_row = H, .ws_col = W};
	int tube[2], master;
	uint64_t bytes;
	double ns;
	pid_t pid;

	if (pipe(tube) || (pid = forkpty(&master, NULL, NULL, &ws)) < 0)
		return;
	if (pid == 0)
		flush_child(tube[1], c);
	close(tube[1]);
	bytes = drain(master);
	if (read(tube[0], &ns, sizeof(ns)) == sizeof(ns) && ns > 0) {
		printf("term_flush_120x40 %.2f\n", ns - fill_ns);
		/* not a time; the reader knows the name */
		printf("term_flush_bytes %.2f\n",
		       (double)bytes / ((BENCH_ROUNDS + 1) * (double)FRAMES));
	}
	waitpid(pid, NULL, 0);
	close(master);
	close(tube[0]);
}

int main(void)
{
	struct canvas c;
	double fill_ns;

	canvas_init(&c, W, H, &glyphs_utf8);
	fill_ns = bench_time(FRAMES, fill_one, &c);
	printf("canvas_fill_120x40 %.2f\n", fill_ns);
	bench_run("canvas_dump_text", FRAMES, dump_text, &c);
	bench_run("canvas_dump_svg", FRAMES, dump_svg, &c);
	fflush(stdout);
	bench_flush(&c, fill_ns);
	canvas_fini(&c);
	return 0;
}
