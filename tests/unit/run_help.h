/* Running a fio command line in-process, for tests: parse, session, result. */
#ifndef IODECK_TESTS_RUN_HELP_H
#define IODECK_TESTS_RUN_HELP_H

#include "src/run/session.h"
#include "src/spec/cmdline.h"

struct run_help {
	struct cmdline cmd;
	struct session *session;
	const struct run_result *r; /* NULL when it did not start */
	struct err e;               /* why it did not start, or failed */
	char notes[2048];
};

/* args: words separated by blanks, "%s" replaced by `path`. 0, or -errno when it did not start. */
int run_help(struct run_help *, const char *args, const char *path);
/* The same in two parts: the run is on between them. A run that does not start fails the test. */
void run_help_begin(struct run_help *, const char *args, const char *path);
void run_help_end(struct run_help *);
void run_help_fini(struct run_help *);
/* Sums over all report entries. */
uint64_t run_help_ops(const struct run_help *, enum io_op);
uint64_t run_help_bytes(const struct run_help *, enum io_op);
/* A fresh folder on tmpfs ("/dev/shm") or disk ("/tmp"); removed by tmp_remove. */
void tmp_make(char *dir, size_t size, const char *base);
void tmp_remove(const char *dir);

/* One job of these ops on a target, 1 MiB; spec is initialised. The caller ends it with spec_fini(). */
struct job_spec *run_help_spec(struct spec *, const char *path, uint8_t ops);
void run_help_for_a_minute(struct job_spec *);

#endif
