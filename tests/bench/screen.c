/*
 * Runs a full-screen program on a terminal of 120x40 and tells what its screen cost, seen from outside:
 *   tty_bytes_s   bytes a second that it sent to the terminal
 *   main_cpu_pct  of a core, its main thread (the one that draws)
 *   NAME_cpu_pct  of a core, of its threads of that name
 *   usage: screen WARM SECONDS NAME PROGRAM [ARG...]
 * Measures for SECONDS after WARM seconds, then ends the program by SIGTERM; waits for it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct reading {
	double t;
	uint64_t main_ns, named_ns, bytes;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Time on a CPU, from the scheduler: exact, unlike the ticks in stat. */
static uint64_t on_cpu_ns(pid_t pid, const char *tid)
{
	unsigned long long ns = 0;
	char path[320];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", pid, tid);
	f = fopen(path, "r");
	if (f && fscanf(f, "%llu", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return ns;
}

static int has_name(pid_t pid, const char *tid, const char *name)
{
	char path[320], comm[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", pid, tid);
	f = fopen(path, "r");
	if (f && fgets(comm, sizeof(comm), f))
		comm[strcspn(comm, "\n")] = '\0';
	if (f)
		fclose(f);
	return strcmp(comm, name) == 0;
}

static struct reading take(pid_t pid, const char *name, uint64_t bytes)
{
	struct reading r = {.t = now_s(), .bytes = bytes};
	char path[64], self[16];
	struct dirent *e;
	DIR *dir;

	snprintf(self, sizeof(self), "%d", pid);
	r.main_ns = on_cpu_ns(pid, self);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && has_name(pid, e->d_name, name))
			r.named_ns += on_cpu_ns(pid, e->d_name);
	if (dir)
		closedir(dir);
	return r;
}

/* The terminal: reads at once whatever comes. False: the program has ended. */
static int show(int master, double until, uint64_t *bytes)
{
	char buf[16384];

	for (double left; (left = until - now_s()) > 0;) {
		struct pollfd p = {.fd = master, .events = POLLIN};
		ssize_t n;

		if (poll(&p, 1, (int)(left * 1000) + 1) <= 0)
			continue;
		n = read(master, buf, sizeof(buf));
		if (n <= 0)
			return 0;
		*bytes += (uint64_t)n;
	}
	return 1;
}

static pid_t spawn(char **argv, int *master)
{
	struct winsize ws = {.ws_row = 40, .ws_col = 120};
	pid_t pid = forkpty(master, NULL, NULL, &ws);

	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		unsetenv("NO_COLOR");
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	double warm = argc > 4 ? atof(argv[1]) : 0, seconds = argc > 4 ? atof(argv[2]) : 0, dt;
	struct reading a, b;
	uint64_t bytes = 0;
	int master, alive;
	pid_t pid;

	if (seconds <= 0) {
		fprintf(stderr, "usage: screen WARM SECONDS NAME PROGRAM [ARG...]\n");
		return 2;
	}
	pid = spawn(argv + 4, &master);
	if (pid < 0)
		return 2;
	alive = show(master, now_s() + warm, &bytes);
	a = take(pid, argv[3], bytes);
	alive = alive && show(master, now_s() + seconds, &bytes);
	b = take(pid, argv[3], bytes);
	kill(pid, SIGTERM);
	show(master, now_s() + 10, &bytes);
	waitpid(pid, NULL, 0);
	if (!alive)
		return 1;
	dt = b.t - a.t;
	printf("tty_bytes_s %.0f main_cpu_pct %.3f %s_cpu_pct %.3f\n",
	       (double)(b.bytes - a.bytes) / dt, (double)(b.main_ns - a.main_ns) / dt / 1e7,
	       argv[3], (double)(b.named_ns - a.named_ns) / dt / 1e7);
	return 0;
}
