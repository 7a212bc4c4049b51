#include "engines/sigbus.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The copy this thread is in. Written by the thread, read and marked by its own handler. */
static __thread volatile uintptr_t guard_from, guard_to;
static __thread volatile sig_atomic_t guard_hit;

static struct sigaction previous;
static uintptr_t page_bytes;
static int install_error;

/* Only mmap and sigaction: both are plain system calls. */
static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr, from, to;
	int saved = errno;
	void *p;

	(void)context;
	if (at < guard_from || at >= guard_to) {
		sigaction(sig, &previous, NULL); /* not ours: the fault comes again, to them */
		return;
	}
	from = at & ~(page_bytes - 1);
	to = (guard_to + page_bytes - 1) & ~(page_bytes - 1);
	p = mmap((void *)from, to - from, PROT_READ | PROT_WRITE,
		 /* cppcheck-suppress invalidFunctionArg */
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		sigaction(sig, &previous, NULL);
	guard_hit = 1;
	errno = saved;
	/* cppcheck-suppress memleak */
}

static void install(void)
{
	struct sigaction act = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};

	page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&act.sa_mask);
	if (sigaction(SIGBUS, &act, &previous))
		install_error = errno;
}

int sigbus_enter(sigset_t *old)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigset_t set;

	pthread_once(&once, install);
	if (install_error)
		return -install_error;
	sigemptyset(&set);
	sigaddset(&set, SIGBUS);
	return -pthread_sigmask(SIG_UNBLOCK, &set, old);
}

void sigbus_leave(const sigset_t *old)
{
	sigset_t set;

	if (sigismember(old, SIGBUS) != 1)
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool sigbus_copy(void *dst, const void *src, size_t len, const void *mapped)
{
	guard_from = (uintptr_t)mapped;
	guard_to = (uintptr_t)mapped + len;
	atomic_signal_fence(memory_order_seq_cst);
	memcpy(dst, src, len);
	atomic_signal_fence(memory_order_seq_cst);
	guard_to = 0;
	if (__builtin_expect(guard_hit, 0)) {
		guard_hit = 0;
		return false;
	}
	return true;
}
