#include "tests/pty/vt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>

#include "src/base/clock.h"
#include "src/base/xalloc.h"
#include "ui/utf8.h"

struct vt {
	int master; /* -1: hung up */
	pid_t pid;
	int status; /* of waitpid; -1: running */
	int w, h;
	VTerm *term;
	VTermScreen *screen;
	char tail[16]; /* the beginning of a sequence whose rest is not read yet */
	size_t tail_len;
	char last; /* the newest printed byte, for REP */
	uint64_t bytes, read_ns;
	bool alt, cursor_visible;
	struct termios before; /* as the child found it */
};

static void __attribute__((noreturn)) vt_fail(const char *what)
{
	fprintf(stderr, "vt: %s: %s\n", what, strerror(errno));
	abort();
}

/* ---- the child ---- */

static void env_apply(const char *const env[])
{
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	unsetenv("NO_COLOR");
	for (; env && *env; env++) {
		if (strchr(*env, '='))
			putenv(xstrdup(*env));
		else
			unsetenv(*env);
	}
}

/* As a login shell would hand it over: nothing open but 0..2, no handler, nothing blocked. */
static void child_prepare(const char *const env[])
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	close_range(3, ~0u, 0);
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	env_apply(env);
}

static int prop_changed(VTermProp prop, VTermValue *v, void *user)
{
	struct vt *vt = user;

	if (prop == VTERM_PROP_ALTSCREEN)
		vt->alt = v->boolean;
	if (prop == VTERM_PROP_CURSORVISIBLE)
		vt->cursor_visible = v->boolean;
	return 1;
}

static struct vt *vt_new(int w, int h)
{
	static const VTermScreenCallbacks callbacks = {.settermprop = prop_changed};
	struct vt *vt = xcalloc(1, sizeof(*vt));

	vt->w = w;
	vt->h = h;
	vt->status = -1;
	vt->cursor_visible = true;
	vt->term = vterm_new(h, w);
	vterm_set_utf8(vt->term, 1);
	vt->screen = vterm_obtain_screen(vt->term);
	vterm_screen_set_callbacks(vt->screen, &callbacks, vt);
	/* Without it full-screen programs scribble on the primary screen. */
	vterm_screen_enable_altscreen(vt->screen, 1);
	vterm_screen_reset(vt->screen, 1);
	return vt;
}

/* What a terminal looks like to a login shell: the kernel's own defaults for a new pty. */
static struct termios default_termios(void)
{
	struct termios t;
	int master, slave;

	if (openpty(&master, &slave, NULL, NULL, NULL) < 0 || tcgetattr(slave, &t) < 0)
		vt_fail("openpty");
	close(master);
	close(slave);
	return t;
}

/* Returns twice: NULL in the child. */
static struct vt *vt_begin(const char *const env[], int w, int h)
{
	struct winsize ws = {.ws_col = (unsigned short)w, .ws_row = (unsigned short)h};
	struct vt *vt = vt_new(w, h);

	fflush(NULL);
	vt->before = default_termios();
	vt->pid = forkpty(&vt->master, NULL, &vt->before, &ws);
	if (vt->pid < 0)
		vt_fail("forkpty");
	if (vt->pid == 0) {
		vterm_free(vt->term);
		free(vt);
		child_prepare(env);
		return NULL;
	}
	fcntl(vt->master, F_SETFD, FD_CLOEXEC);
	fcntl(vt->master, F_SETFL, O_NONBLOCK);
	return vt;
}

struct vt *vt_spawn(char *const argv[], const char *const env[], int w, int h)
{
	struct vt *vt = vt_begin(env, w, h);

	if (vt)
		return vt;
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

struct vt *vt_fork(int (*fn)(void *), void *arg, const char *const env[], int w, int h)
{
	struct vt *vt = vt_begin(env, w, h);

	if (vt)
		return vt;
	_exit(fn(arg));
}

struct vt *vt_paper(int w, int h)
{
	struct vt *vt = vt_new(w, h);

	vt->master = -1;
	vt->status = 0;
	return vt;
}

pid_t vt_pid(const struct vt *vt)
{
	return vt->pid;
}

void vt_kill(struct vt *vt, int sig)
{
	if (vt->status == -1)
		kill(vt->pid, sig);
}

static void vt_reap(struct vt *vt, int flags)
{
	if (vt->status == -1 && waitpid(vt->pid, &vt->status, flags) <= 0)
		vt->status = -1;
}

void vt_hangup(struct vt *vt)
{
	if (vt->master >= 0)
		close(vt->master);
	vt->master = -1;
}

void vt_free(struct vt *vt)
{
	vt_hangup(vt);
	vt_kill(vt, SIGKILL);
	vt_reap(vt, 0);
	vterm_free(vt->term);
	free(vt);
}

/* ---- bytes ---- */

/* How many bytes at the end of p[0..n) begin a UTF-8 sequence that is not complete. */
static size_t utf8_tail(const char *p, size_t n)
{
	size_t used;

	for (size_t k = 1; k <= 3 && k <= n; k++)
		if (((uint8_t)p[n - k] & 0xc0) == 0xc0)
			return utf8_decode(p + n - k, k, &used) == UTF8_MORE ? k : 0;
	return 0;
}

/* The length of `ESC [ digits b` at p, 0: something else; -1: n bytes are not enough to tell. */
static int rep_len(const char *p, size_t n, int *times)
{
	size_t i = 2;

	*times = 0;
	if (n == 1)
		return -1;
	if (p[1] != '[')
		return 0;
	while (i < n && i < 8 && p[i] >= '0' && p[i] <= '9')
		*times = *times * 10 + p[i++] - '0';
	if (i == n)
		return -1;
	return p[i] == 'b' ? (int)i + 1 : 0;
}

/*
 * libvterm 0.1.4 wraps too early after REP at the right edge, so REP is spelled out for it. Returns
 * how many bytes were taken; the rest is the beginning of something.
 */
static size_t vt_write(struct vt *vt, const char *p, size_t n)
{
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		int times, len = p[i] == '\033' ? rep_len(p + i, n - i, &times) : 0;

		if (p[i] >= ' ' && p[i] <= '~')
			vt->last = p[i];
		if (len == 0)
			continue;
		vterm_input_write(vt->term, p + from, i - from);
		if (len < 0)
			return i;
		while (times-- > 0)
			vterm_input_write(vt->term, &vt->last, 1);
		i += (size_t)len - 1;
		from = i + 1;
	}
	vterm_input_write(vt->term, p + from, n - from);
	return n;
}

/* libvterm 0.1.4 breaks a UTF-8 sequence that two writes share, so its beginning waits here. */
static void vt_show(struct vt *vt, char *buf, size_t n)
{
	size_t done = vt_write(vt, buf, n - utf8_tail(buf, n));

	vt->tail_len = n - done;
	memcpy(vt->tail, buf + done, vt->tail_len);
}

void vt_paint(struct vt *vt, const char *ansi, size_t n)
{
	const char *end = ansi + n;

	while (ansi < end) {
		const char *nl = memchr(ansi, '\n', (size_t)(end - ansi)), *stop = nl ? nl : end;

		vterm_input_write(vt->term, ansi, (size_t)(stop - ansi));
		if (nl)
			vterm_input_write(vt->term, "\r\n", 2);
		ansi = nl ? nl + 1 : end;
	}
}

/* Answers to queries go back as if typed. */
static void vt_reply(struct vt *vt)
{
	char buf[256];
	size_t n = vterm_output_read(vt->term, buf, sizeof(buf));

	if (n > 0 && write(vt->master, buf, n) < 0 && errno != EAGAIN)
		vt_hangup(vt);
}

/* Waits up to timeout_ms for output and shows it. False: none came. */
static bool vt_pump(struct vt *vt, int timeout_ms)
{
	struct pollfd p = {.fd = vt->master, .events = POLLIN};
	char buf[4096];
	ssize_t n;

	if (vt->master < 0 || poll(&p, 1, timeout_ms) <= 0)
		return false;
	memcpy(buf, vt->tail, vt->tail_len);
	n = read(vt->master, buf + vt->tail_len, sizeof(buf) - vt->tail_len);
	if (n <= 0) /* EIO: the last holder of the slave is gone */
		return false;
	vt->bytes += (uint64_t)n;
	vt->read_ns = clock_mono_ns();
	vt_show(vt, buf, vt->tail_len + (size_t)n);
	vt_reply(vt);
	return true;
}

void vt_send_bytes(struct vt *vt, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n > 0 && vt->master >= 0) {
		ssize_t w = write(vt->master, p, n);

		if (w > 0) {
			p += w;
			n -= (size_t)w;
		} else if (errno == EAGAIN) {
			vt_pump(vt, 10); /* the child may wait for us to read */
		} else {
			return;
		}
	}
}

void vt_send_unread(struct vt *vt, const char *keys)
{
	if (vt->master >= 0 && write(vt->master, keys, strlen(keys)) < 0 && errno != EAGAIN)
		vt_fail("write");
}

void vt_send(struct vt *vt, const char *keys)
{
	vt_send_bytes(vt, keys, strlen(keys));
}

void vt_size(const struct vt *vt, int *w, int *h)
{
	*w = vt->w;
	*h = vt->h;
}

void vt_resize(struct vt *vt, int w, int h)
{
	struct winsize ws = {.ws_col = (unsigned short)w, .ws_row = (unsigned short)h};

	while (vt_pump(vt, 0))
		; /* what was drawn for the old size is shown at the old size */
	vt->w = w;
	vt->h = h;
	vterm_set_size(vt->term, h, w);
	if (ioctl(vt->master, TIOCSWINSZ, &ws) < 0)
		vt_fail("TIOCSWINSZ");
}

/* ---- waiting ---- */

static uint64_t deadline(int timeout_ms)
{
	return clock_mono_ns() + (uint64_t)timeout_ms * NSEC_PER_MSEC;
}

bool vt_wait(struct vt *vt, bool (*cond)(struct vt *, void *), void *arg, int timeout_ms)
{
	uint64_t end = deadline(timeout_ms);

	for (;;) {
		while (vt_pump(vt, 0))
			;
		if (cond(vt, arg))
			return true;
		if (clock_mono_ns() > end)
			return false;
		if (!vt_pump(vt, 10))
			usleep(2000); /* a pty without a child is always ready */
	}
}

static bool cond_text(struct vt *vt, void *text)
{
	return vt_has_text(vt, text);
}

static bool cond_gone(struct vt *vt, void *text)
{
	return !vt_has_text(vt, text);
}

static bool cond_exit(struct vt *vt, void *arg)
{
	(void)arg;
	vt_reap(vt, WNOHANG);
	return vt->status != -1;
}

static bool cond_quiet(struct vt *vt, void *quiet_ms)
{
	return clock_mono_ns() - vt->read_ns > (uint64_t) * (int *)quiet_ms * NSEC_PER_MSEC;
}

bool vt_wait_text(struct vt *vt, const char *text, int timeout_ms)
{
	return vt_wait(vt, cond_text, (char *)(uintptr_t)text, timeout_ms);
}

bool vt_wait_gone(struct vt *vt, const char *text, int timeout_ms)
{
	return vt_wait(vt, cond_gone, (char *)(uintptr_t)text, timeout_ms);
}

bool vt_wait_quiet(struct vt *vt, int quiet_ms, int timeout_ms)
{
	return vt_wait(vt, cond_quiet, &quiet_ms, timeout_ms);
}

int vt_wait_exit(struct vt *vt, int timeout_ms)
{
	vt_wait(vt, cond_exit, NULL, timeout_ms);
	while (vt_pump(vt, 0))
		;
	return vt->status;
}

/* ---- the screen ---- */

static VTermScreenCell screen_cell(struct vt *vt, int x, int y)
{
	VTermScreenCell cell;

	memset(&cell, 0, sizeof(cell));
	vterm_screen_get_cell(vt->screen, (VTermPos){.row = y, .col = x}, &cell);
	if (cell.chars[0] == 0)
		cell.chars[0] = ' ';
	return cell;
}

struct vt_cell vt_cell(struct vt *vt, int x, int y)
{
	VTermScreenCell cell = screen_cell(vt, x, y);
	bool plain = VTERM_COLOR_IS_DEFAULT_FG(&cell.fg);

	return (struct vt_cell){
		.ch = cell.chars[0],
		.bold = cell.attrs.bold,
		.underline = cell.attrs.underline,
		.reverse = cell.attrs.reverse,
		.fg = !plain && VTERM_COLOR_IS_INDEXED(&cell.fg) ? cell.fg.indexed.idx : -1,
	};
}

/* A blank shows its colour and boldness to nobody, and curses may leave them out. */
static bool cell_same(struct vt_cell a, struct vt_cell b)
{
	bool ink = a.ch != ' ' || a.reverse;

	return a.ch == b.ch && a.reverse == b.reverse && a.underline == b.underline &&
	       (!ink || (a.fg == b.fg && a.bold == b.bold));
}

bool vt_same(struct vt *a, struct vt *b, int *x, int *y)
{
	if (a->w != b->w || a->h != b->h)
		return false;
	for (*y = 0; *y < a->h; (*y)++)
		for (*x = 0; *x < a->w; (*x)++)
			if (!cell_same(vt_cell(a, *x, *y), vt_cell(b, *x, *y)))
				return false;
	return true;
}

static void row_text(struct vt *vt, int y, struct strbuf *out)
{
	int end = vt->w;
	char u[4];

	while (end > 0 && screen_cell(vt, end - 1, y).chars[0] == ' ')
		end--;
	for (int x = 0; x < end; x++) {
		VTermScreenCell cell = screen_cell(vt, x, y);

		strbuf_add(out, u, utf8_encode(cell.chars[0], u));
	}
}

void vt_row(struct vt *vt, int y, char *buf, size_t size)
{
	struct strbuf sb = {0};

	row_text(vt, y, &sb);
	snprintf(buf, size, "%s", strbuf_str(&sb));
	strbuf_fini(&sb);
}

void vt_text(struct vt *vt, struct strbuf *out)
{
	for (int y = 0; y < vt->h; y++) {
		row_text(vt, y, out);
		strbuf_putc(out, '\n');
	}
}

bool vt_has_text(struct vt *vt, const char *text)
{
	struct strbuf sb = {0};
	bool found;

	vt_text(vt, &sb);
	found = strstr(strbuf_str(&sb), text) != NULL;
	strbuf_fini(&sb);
	return found;
}

void vt_cursor(struct vt *vt, int *x, int *y, bool *visible)
{
	VTermPos pos;

	vterm_state_get_cursorpos(vterm_obtain_state(vt->term), &pos);
	*x = pos.col;
	*y = pos.row;
	*visible = vt->cursor_visible;
}

bool vt_in_altscreen(const struct vt *vt)
{
	return vt->alt;
}

bool vt_primary_screen_text(struct vt *vt, struct strbuf *out)
{
	if (vt->alt)
		return false;
	vt_text(vt, out);
	return true;
}

struct termios vt_termios(struct vt *vt)
{
	struct termios t;

	if (tcgetattr(vt->master, &t) < 0)
		vt_fail("tcgetattr");
	return t;
}

static bool settings_same(struct termios a, struct termios b)
{
	return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag &&
	       a.c_lflag == b.c_lflag && memcmp(a.c_cc, b.c_cc, sizeof(a.c_cc)) == 0;
}

bool vt_termios_is_back(struct vt *vt)
{
	return settings_same(vt_termios(vt), vt->before);
}

uint64_t vt_bytes(const struct vt *vt)
{
	return vt->bytes;
}
