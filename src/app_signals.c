#include "src/app_signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Signals only count; main loops act. */
static volatile sig_atomic_t seen, last;

static void on_signal(int signo)
{
	last = signo;
	/* The third one does not wait for anybody. */
	if (++seen >= 3)
		_exit(SIGNAL_STATUS + signo);
}

void app_signals_catch(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* A file size limit is an I/O error (EFBIG) of the job, not the end of the program. */
	signal(SIGXFSZ, SIG_IGN);
}

int app_signals_seen(void)
{
	return (int)seen;
}

int app_signals_last(void)
{
	return (int)last;
}
