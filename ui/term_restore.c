#include "ui/term_restore.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* TERM, INT and HUP are answered by the event loop, which stops the run and saves it first. */
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT};
enum { FATAL_NR = sizeof(fatal) / sizeof(fatal[0]), STUCK_MS = 2000 };

static struct {
	int tty, out, null;    /* ours alone; null takes over `out` when we die */
	int held, real_stderr; /* memory that stands in for stderr, and stderr itself */
	struct termios termios;
	struct sigaction old[FATAL_NR];
	bool handled[FATAL_NR];
	/* Two texts in turn: a handler reads the one that `now` names while the other is rewritten. */
	struct {
		char bytes[RESTORE_BYTES_MAX];
		size_t len;
	} text[2];
	_Atomic int now; /* -1: not armed */
	_Atomic bool restoring;
} rs = {.tty = -1, .out = -1, .null = -1, .held = -1, .real_stderr = -1, .now = -1};

static char alt_stack[65536];

/* Async-signal-safe. Gives up on a terminal that has taken nothing for STUCK_MS; what is left of n. */
static size_t write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0 && errno == EAGAIN &&
		    poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, STUCK_MS) > 0)
			continue;
		if (w <= 0)
			break;
		p += w;
		n -= (size_t)w;
	}
	return n;
}

/* Async-signal-safe: also called by the handler. */
void term_stderr_release(void)
{
	char buf[512];
	ssize_t n;

	if (rs.held < 0)
		return;
	dup2(rs.real_stderr, STDERR_FILENO);
	lseek(rs.held, 0, SEEK_SET);
	while ((n = read(rs.held, buf, sizeof(buf))) > 0)
		write_all(STDERR_FILENO, buf, (size_t)n);
	close(rs.held);
	close(rs.real_stderr);
	rs.held = rs.real_stderr = -1;
}

void term_stderr_hold(void)
{
	int held, real;

	if (rs.held >= 0 || !isatty(STDERR_FILENO))
		return;
	held = memfd_create("iodeck-stderr", MFD_CLOEXEC);
	if (held < 0)
		return;
	real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	if (real < 0) {
		close(held);
		return;
	}
	dup2(held, STDERR_FILENO);
	rs.real_stderr = real;
	rs.held = held;
}

/* Two threads may die together: the second must not end the process while the first still writes. */
static void restore_wait(void)
{
	for (int i = 0; i < 100 && atomic_load(&rs.restoring); i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void restore_now(void)
{
	int now;

	if (atomic_exchange(&rs.restoring, true)) {
		restore_wait();
		return;
	}
	now = atomic_exchange(&rs.now, -1);
	if (now >= 0) {
		dup2(rs.null, rs.out); /* who still draws draws nowhere */
		write_all(rs.tty, rs.text[now].bytes, rs.text[now].len);
		tcsetattr(rs.tty, TCSANOW, &rs.termios);
		term_stderr_release();
	}
	atomic_store(&rs.restoring, false);
}

/* A sanitizer's finding ends the process without a signal; it tells whom this names. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void death_callback_set(void)
{
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(restore_now);
}

static void die(int sig, siginfo_t *info, void *context)
{
	bool fault = sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE;

	(void)context;
	restore_now();
	for (size_t i = 0; i < FATAL_NR; i++)
		sigaction(fatal[i], &rs.old[i], NULL);
	/* A fault comes again by itself, with the address that a sanitizer or a core wants to see. */
	if (!fault || info->si_code <= 0)
		raise(sig);
}

static void alt_stack_set(void)
{
	stack_t now;

	/* A sanitizer has its own. */
	if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE))
		sigaltstack(&(stack_t){.ss_sp = alt_stack, .ss_size = sizeof(alt_stack)}, NULL);
}

static void alt_stack_unset(void)
{
	stack_t now;

	if (sigaltstack(NULL, &now) == 0 && now.ss_sp == alt_stack)
		sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

/* A description of our own may be non-blocking; the one on fd 1 is the shell's too. */
static int tty_reopen(int tty_fd)
{
	char path[32];
	int fd, high;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", tty_fd);
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) /* another user's terminal, after su: it may hold us up, as it does everybody */
		return fcntl(tty_fd, F_DUPFD_CLOEXEC, 10);
	high = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	close(fd);
	return high;
}

int term_restore_begin(int tty_fd)
{
	if (tcgetattr(tty_fd, &rs.termios) < 0)
		return -errno;
	rs.tty = tty_reopen(tty_fd);
	rs.null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	rs.out = fcntl(rs.tty, F_DUPFD_CLOEXEC, 10);
	if (rs.tty < 0 || rs.null < 0 || rs.out < 0) {
		int e = errno;

		term_restore_end();
		return -e;
	}
	return 0;
}

void term_restore_remember(void)
{
	tcgetattr(rs.tty, &rs.termios);
}

struct termios term_restore_settings(void)
{
	return rs.termios;
}

void term_restore_apply(const struct termios *t)
{
	tcsetattr(rs.tty, TCSANOW, t);
}

int term_restore_fd(void)
{
	return rs.out;
}

static bool handler_is_ours(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_sigaction == die;
}

void term_restore_arm(const char *bytes, size_t len)
{
	struct sigaction sa = {.sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	int now = atomic_load(&rs.now), next = now == 0;

	if (len > RESTORE_BYTES_MAX)
		len = RESTORE_BYTES_MAX;
	memcpy(rs.text[next].bytes, bytes, len);
	rs.text[next].len = len;
	atomic_store(&rs.now, next);
	if (now >= 0)
		return;
	death_callback_set();
	alt_stack_set();
	sigfillset(&sa.sa_mask); /* SIGTTOU too: a background process may restore its terminal */
	for (size_t i = 0; i < FATAL_NR; i++)
		if (!rs.handled[i])
			rs.handled[i] = sigaction(fatal[i], &sa, &rs.old[i]) == 0;
}

/*
 * Where somebody has put his handler over ours (an engine that maps files, over SIGBUS), both stay: his
 * comes to ours for what is not his, and ours, not armed, goes on to the one before.
 */
void term_restore_disarm(void)
{
	if (atomic_exchange(&rs.now, -1) < 0)
		return;
	for (size_t i = 0; i < FATAL_NR; i++)
		if (rs.handled[i] && handler_is_ours(fatal[i])) {
			sigaction(fatal[i], &rs.old[i], NULL);
			rs.handled[i] = false;
		}
	alt_stack_unset();
}

void term_restore_leave(void)
{
	int now = atomic_load(&rs.now);
	size_t left;

	if (now < 0)
		return;
	left = write_all(rs.tty, rs.text[now].bytes, rs.text[now].len);
	/* Whatever the program prints next waits for the terminal; this goes before it. */
	if (left)
		fwrite(rs.text[now].bytes + rs.text[now].len - left, 1, left, stdout);
	tcsetattr(rs.tty, TCSANOW, &rs.termios);
}

void term_restore_end(void)
{
	term_restore_disarm();
	term_stderr_release();
	if (rs.tty >= 0)
		close(rs.tty);
	if (rs.out >= 0)
		close(rs.out);
	if (rs.null >= 0)
		close(rs.null);
	rs.tty = rs.out = rs.null = -1;
}
