#include "tests/pty/shell.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t job_start(const struct shell_job *j)
{
	pid_t job = fork();

	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(j->main(j->arg));
	}
	setpgid(job, job);
	tcsetpgrp(STDIN_FILENO, job);
	return job;
}

int shell_main(void *arg)
{
	char line[64];
	int status, stops = 0;
	pid_t job;

	signal(SIGTTOU, SIG_IGN);
	job = job_start(arg);
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		tcsetpgrp(STDIN_FILENO, getpid());
		printf("stopped %d #%d\n", job, ++stops);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 99;
		tcsetpgrp(STDIN_FILENO, job);
		kill(job, SIGCONT);
	}
	tcsetpgrp(STDIN_FILENO, getpid());
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

pid_t shell_stopped_job(struct vt *vt)
{
	char row[200];
	int job = 0;

	for (int y = 0; y < 24 && job == 0; y++) {
		vt_row(vt, y, row, sizeof(row));
		sscanf(row, "stopped %d", &job);
	}
	return job;
}
