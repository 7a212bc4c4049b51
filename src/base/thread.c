#include "src/base/thread.h"

#include <signal.h>
#include <stddef.h>

int thread_spawn(pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *), void *arg)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
	sigset_t blocked, old;
	int rc;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&blocked, faults[i]);
	/* The new thread inherits the mask. */
	pthread_sigmask(SIG_SETMASK, &blocked, &old);
	rc = pthread_create(t, attr, fn, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -rc;
}
