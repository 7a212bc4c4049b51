#include "src/app_dump.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile sig_atomic_t signalled;

static void on_signal(int signo)
{
	(void)signo;
	signalled = 1;
}

void app_dump_catch_signal(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGUSR1, &sa, NULL);
}

/* Where fio looks. */
static const char *temporary_folder(void)
{
	const char *dir = getenv("TMPDIR");

	if (!dir)
		dir = getenv("TMP");
	return dir ? dir : "/tmp";
}

/* One that cannot be taken away would ask for ever: it is told of and not looked at again. */
static bool take_file(void)
{
	static bool stuck;
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%.*s/fio-dump-status", PATH_MAX - 32, temporary_folder());
	if (stuck || lstat(path, &st) < 0 || S_ISDIR(st.st_mode))
		return false;
	if (unlink(path) == 0)
		return true;
	stuck = true;
	fprintf(stderr, "iodeck: note: %s cannot be removed (%s) and is not looked at\n", path,
		strerror(errno));
	return true;
}

bool app_dump_asked(void)
{
	bool asked = signalled;

	signalled = 0;
	return take_file() || asked;
}
