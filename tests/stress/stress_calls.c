/*
 * A worker's loop allocates nothing and takes no lock. The linker turns every call of these functions in
 * iodeck's own code into a call of the wrappers here (see the Makefile); they count what threads inside
 * worker_loop() do once a run is warm.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/session.h"
#include "src/run/worker.h"
#include "src/spec/cmdline.h"

#define LOOK_NS  (20 * NSEC_PER_MSEC)
#define COUNT_NS (300 * NSEC_PER_MSEC)
#define ROWS     9
#define WORDS    12

static _Atomic bool counting;
static _Atomic unsigned allocations, locks, loops, retune_locks;
static _Thread_local bool in_loop;

static void note(_Atomic unsigned *what)
{
	if (in_loop && atomic_load(&counting))
		atomic_fetch_add(what, 1);
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
int __real_posix_memalign(void **, size_t, size_t);
void *__real_mmap(void *, size_t, int, int, int, long);
int __real_pthread_mutex_lock(pthread_mutex_t *);
void __real_worker_loop(struct worker *);

void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);
int __wrap_posix_memalign(void **, size_t, size_t);
void *__wrap_mmap(void *, size_t, int, int, int, long);
int __wrap_pthread_mutex_lock(pthread_mutex_t *);
void __wrap_worker_loop(struct worker *);

void *__wrap_malloc(size_t n)
{
	note(&allocations);
	return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	note(&allocations);
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	note(&allocations);
	return __real_realloc(p, n);
}

void __wrap_free(void *p)
{
	note(&allocations);
	__real_free(p);
}

int __wrap_posix_memalign(void **p, size_t align, size_t n)
{
	note(&allocations);
	return __real_posix_memalign(p, align, n);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, long off)
{
	note(&allocations);
	return __real_mmap(at, n, prot, flags, fd, off);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
	note(&locks);
	return __real_pthread_mutex_lock(m);
}

void __wrap_worker_loop(struct worker *w)
{
	in_loop = true;
	atomic_fetch_add(&loops, 1);
	__real_worker_loop(w);
	in_loop = false;
}

/* Every way through the loop that a run takes again and again. */
static const char *const rows[ROWS][WORDS] = {
	{"--ioengine=null", "--iodepth=1"},
	{"--ioengine=null", "--iodepth=32"},
	{"--ioengine=null", "--iodepth=8", "--bssplit=4k/50:8k/30:64k/20",
	 "--percentage_random=50"},
	{"--ioengine=null", "--iodepth=8", "--rate_iops=20000", "--thinktime=100"},
	{"--ioengine=null", "--iodepth=8", "--random_distribution=zipf:1.1"},
	{"--ioengine=psync", "--rw=randrw", "--fsync=64"},
	{"--ioengine=libaio", "--iodepth=16", "--rw=randrw"},
	{"--ioengine=io_uring", "--iodepth=16", "--rw=randrw"},
	{"--ioengine=mmap", "--rw=randread"},
};

/* Waits until an interval with I/O has passed: the layout is made, counting has begun. False: it ended. */
static bool warm_up(struct session *s)
{
	struct session_progress p = {0};

	while (!(p.iops[IO_READ] + p.iops[IO_WRITE] > 0)) {
		if (session_wait(s, LOOK_NS))
			return false;
		session_progress(s, &p);
	}
	return true;
}

/* The control: a change of settings is taken under a lock, and that one is seen. */
static void retune(struct session *s, const struct job_spec *job)
{
	struct tuning t;
	unsigned before = atomic_load(&locks);

	job_spec_tuning(job, &t);
	t.read_pct = t.read_pct == 50 ? 51 : 50;
	session_tune(s, 0, &t, NULL);
	for (unsigned i = 0; i < 500 && atomic_load(&locks) == before; i++)
		usleep(10000);
	atomic_fetch_add(&retune_locks, atomic_load(&locks) - before);
	atomic_store(&locks, before);
}

/* -1: the engine is not to be had here. */
static int run(const char *const *row, const char *file, uint64_t *ops)
{
	char words[WORDS + 8][64];
	char *argv[WORDS + 8];
	struct session_cfg cfg = {.fsroot = ""};
	struct session *s;
	struct cmdline cmd;
	struct err e = {0};
	int n = 0, rc;

	snprintf(words[n++], 64, "--name=t");
	snprintf(words[n++], 64, "--filename=%s", file);
	snprintf(words[n++], 64, "--rw=randread");
	snprintf(words[n++], 64, "--size=8m");
	snprintf(words[n++], 64, "--time_based");
	snprintf(words[n++], 64, "--runtime=60");
	for (int i = 0; row[i]; i++)
		snprintf(words[n++], 64, "%s", row[i]);
	for (int i = 0; i < n; i++)
		argv[i] = words[i];
	if (cmdline_parse(n, argv, &cmd, &e) || session_open(&s, &cfg, &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return 1;
	}
	rc = session_start(s, &cmd.spec, &e) ? -1 : 0;
	if (rc == 0 && warm_up(s)) {
		atomic_store(&counting, true);
		session_wait(s, COUNT_NS);
		retune(s, &cmd.spec.jobs[0]);
		atomic_store(&counting, false);
		session_stop(s, 0);
		session_wait(s, 20 * NSEC_PER_SEC);
		for (unsigned op = 0; op < IO_OP_NR; op++)
			*ops += session_result(s)->jobs[0].dir[op].st.ops;
	} else if (rc == 0) {
		fprintf(stderr, "%s: ended at once: %s\n", row[0],
			session_result(s)->jobs[0].error_text);
		rc = 1;
	} else {
		fprintf(stderr, "%s: %s\n", row[0], e.msg);
	}
	session_close(s);
	cmdline_fini(&cmd);
	return rc;
}

int main(void)
{
	char dir[] = "/tmp/iodeck-calls-XXXXXX", file[64];
	unsigned passed = 0, failed = 0;

	if (!mkdtemp(dir))
		return 1;
	snprintf(file, sizeof(file), "%s/f", dir);
	for (unsigned i = 0; i < ROWS; i++) {
		uint64_t ops = 0;
		int rc = run(rows[i], file, &ops);
		unsigned a = atomic_exchange(&allocations, 0), l = atomic_exchange(&locks, 0);

		if (rc < 0)
			continue;
		if (rc || a || l || !ops || !atomic_exchange(&loops, 0) ||
		    !atomic_exchange(&retune_locks, 0)) {
			fprintf(stderr, "%s %s: %u allocations, %u locks, %llu I/Os\n", rows[i][0],
				rows[i][1], a, l, (unsigned long long)ops);
			failed++;
		} else {
			passed++;
		}
	}
	unlink(file);
	rmdir(dir);
	if (passed == 0)
		failed++;
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
