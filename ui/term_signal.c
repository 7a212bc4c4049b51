#include "ui/term_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const int caught[] = {SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT};
enum { CAUGHT_NR = sizeof(caught) / sizeof(caught[0]) };

static struct {
	int pipe[2];
	_Atomic uint64_t pending; /* a bit per signal; handler sets, loop takes */
	struct sigaction old[CAUGHT_NR], old_pipe;
} sig_state = {.pipe = {-1, -1}};

void term_signal_post(int sig)
{
	int saved = errno;
	ssize_t n;

	atomic_fetch_or(&sig_state.pending, UINT64_C(1) << sig);
	n = write(sig_state.pipe[1], "", 1); /* a full pipe is readable already */
	(void)n;
	errno = saved;
}

static void install(int sig, void (*handler)(int), struct sigaction *old)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigfillset(&sa.sa_mask);
	sigaction(sig, &sa, old);
}

int term_signal_begin(void)
{
	if (pipe2(sig_state.pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	atomic_store(&sig_state.pending, 0);
	for (size_t i = 0; i < CAUGHT_NR; i++)
		install(caught[i], term_signal_post, &sig_state.old[i]);
	install(SIGPIPE, SIG_IGN, &sig_state.old_pipe);
	return 0;
}

void term_signal_end(void)
{
	if (sig_state.pipe[0] < 0)
		return;
	for (size_t i = 0; i < CAUGHT_NR; i++)
		sigaction(caught[i], &sig_state.old[i], NULL);
	sigaction(SIGPIPE, &sig_state.old_pipe, NULL);
	close(sig_state.pipe[0]);
	close(sig_state.pipe[1]);
	sig_state.pipe[0] = sig_state.pipe[1] = -1;
}

int term_signal_pipe(void)
{
	return sig_state.pipe[0];
}

uint64_t term_signal_take(void)
{
	char sink[64];

	while (read(sig_state.pipe[0], sink, sizeof(sink)) > 0)
		;
	return atomic_exchange(&sig_state.pending, 0);
}

/* The default action stops every thread; an orphaned process group is not stopped, as nobody could wake it. */
void term_signal_stop(void)
{
	struct sigaction ours;
	sigset_t set, old;

	install(SIGTSTP, SIG_DFL, &ours);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &set, &old);
	raise(SIGTSTP);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	sigaction(SIGTSTP, &ours, NULL);
}
