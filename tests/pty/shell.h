/*
 * A shell that knows job control and nothing else: stands between a pty and a program, as Ctrl-Z needs
 * somebody who sees the stop and continues the program.
 */
#ifndef IODECK_TESTS_SHELL_H
#define IODECK_TESTS_SHELL_H

#include <sys/types.h>

#include "tests/pty/vt.h"

struct shell_job {
	int (*main)(void *arg); /* runs in the job's process */
	void *arg;
};

/*
 * For vt_fork(), arg: struct shell_job. Says "stopped PID #N" when the job stops, then waits for a line
 * and continues it. Ends with the job's status, 98 when a signal killed it.
 */
int shell_main(void *job);
/* The pid on the screen, 0: none. */
pid_t shell_stopped_job(struct vt *);

#endif
