/*
 * Runs a program and tells what it cost from outside, the same way for everybody:
 *   first_io_ms   from exec to its first read of FILE (inotify); - when it read nothing
 *   wall_ms       its whole life
 *   max_rss_kib   most resident memory (the largest of its processes)
 *   usage: watch FILE PROGRAM [ARG...]
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static pid_t spawn(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	return pid;
}

/* Until the file is read or the child has ended. < 0: it was not read. */
static double wait_for_read(int fd, pid_t pid)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	siginfo_t info;

	for (;;) {
		if (poll(&p, 1, 20) > 0)
			return now_ms();
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid)
			return -1;
	}
}

int main(int argc, char **argv)
{
	int fd = inotify_init1(IN_CLOEXEC), status;
	double start, first;
	struct rusage u;
	pid_t pid;

	if (argc < 3 || fd < 0 || inotify_add_watch(fd, argv[1], IN_ACCESS) < 0) {
		fprintf(stderr, "usage: watch FILE PROGRAM [ARG...]\n");
		return 2;
	}
	start = now_ms();
	pid = spawn(argv + 2);
	if (pid < 0)
		return 2;
	first = wait_for_read(fd, pid);
	while (wait4(pid, &status, 0, &u) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return 1;
	if (first < 0)
		printf("first_io_ms - ");
	else
		printf("first_io_ms %.2f ", first - start);
	printf("wall_ms %.2f max_rss_kib %ld\n", now_ms() - start, u.ru_maxrss);
	return 0;
}
