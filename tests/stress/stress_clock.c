/*
 * Somebody sets the wall clock while a run is on (case 50: fio printed a runtime of 15,372,283,518,324 ms). The
 * linker turns every call of clock_gettime() in iodeck's own code into one of the wrapper here (see the
 * Makefile), whose wall clock jumps; nothing else may. Another job is stopped before its first I/O.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define RUN_MS    600
#define AFTER_NS  (200 * NSEC_PER_MSEC)
#define WITHIN_MS 1000 /* of the wall time, as the case asks */
#define WORDS     12

static _Atomic long jump_s; /* what the wall clock is off by */
static _Atomic unsigned asked_wall;

int __real_clock_gettime(clockid_t, struct timespec *);
int __wrap_clock_gettime(clockid_t, struct timespec *);

int __wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	int rc = __real_clock_gettime(id, ts);

	if (id == CLOCK_REALTIME) {
		ts->tv_sec += atomic_load(&jump_s);
		atomic_fetch_add(&asked_wall, 1);
	}
	return rc;
}

static uint64_t real_ms(void)
{
	struct timespec ts;

	__real_clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / NSEC_PER_MSEC;
}

static struct session *begin(const char *const *row, struct cmdline *cmd)
{
	struct session_cfg cfg = {.fsroot = ""};
	char words[WORDS][128], *argv[WORDS];
	struct session *s;
	struct err e = {0};
	int n = 0;

	for (; row[n]; n++) {
		snprintf(words[n], sizeof(words[n]), "%s", row[n]);
		argv[n] = words[n];
	}
	if (cmdline_parse(n, argv, cmd, &e) || session_open(&s, &cfg, &e) ||
	    session_start(s, &cmd->spec, &e)) {
		fprintf(stderr, "%s: %s\n", row[0], e.msg);
		exit(1);
	}
	return s;
}

static bool expect(bool is_so, const char *what, uint64_t value)
{
	if (!is_so)
		fprintf(stderr, "%s: %llu\n", what, (unsigned long long)value);
	return is_so;
}

/* What the screen and the status line show on the way. */
static bool live_is_sane(struct session *s, uint64_t took_ms)
{
	struct snapshot *snap = calloc(1, sizeof(*snap));
	struct feed *f = session_feed(s);
	struct session_progress p;
	bool ok;

	f->ops->next(f, 0, snap);
	session_progress(s, &p);
	ok = expect(snap->n_lanes == 1, "lanes", snap->n_lanes) &&
	     expect(snap->lane[0].elapsed_ns / NSEC_PER_MSEC <= took_ms + WITHIN_MS,
		    "elapsed on screen", snap->lane[0].elapsed_ns) &&
	     expect(p.eta_ns == UINT64_MAX || p.eta_ns <= NSEC_PER_SEC, "eta", p.eta_ns);
	free(snap);
	return ok;
}

static bool jumped_run(long by_s)
{
	static const char *const row[] = {
		"--name=jump",  "--ioengine=null", "--size=1g", "--rate_iops=1000",
		"--time_based", "--runtime=600ms", NULL};
	uint64_t from = real_ms(), took;
	const struct run_result *r;
	const struct job_result *j;
	struct cmdline cmd;
	struct session *s;
	bool ok;

	atomic_store(&jump_s, 0);
	s = begin(row, &cmd);
	session_wait(s, AFTER_NS);
	atomic_store(&jump_s, by_s);
	session_wait(s, AFTER_NS);
	ok = live_is_sane(s, real_ms() - from);
	ok &= session_wait(s, 60 * NSEC_PER_SEC);
	took = real_ms() - from;
	r = session_result(s);
	j = &r->jobs[0];
	ok &= expect(j->runtime_ms >= RUN_MS && j->runtime_ms <= took + WITHIN_MS, "runtime ms",
		     j->runtime_ms);
	ok &= expect(j->end_ns >= j->begin_ns && (j->end_ns - j->begin_ns) / NSEC_PER_MSEC <= took,
		     "end - begin", j->end_ns - j->begin_ns);
	ok &= expect(r->elapsed_s * 1000 <= took + 2 * WITHIN_MS, "elapsed s", r->elapsed_s);
	ok &= expect(j->dir[IO_READ].iops > 0 && j->dir[IO_READ].iops <= 1100, "IOPS",
		     (uint64_t)j->dir[IO_READ].iops);
	ok &= expect(j->dir[IO_READ].st.clat.m.max_ns < NSEC_PER_SEC * 60, "largest latency",
		     j->dir[IO_READ].st.clat.m.max_ns);
	ok &= expect(r->end_wall_ms != r->start_wall_ms, "the wall clock was asked", 0);
	session_close(s);
	cmdline_fini(&cmd);
	return ok;
}

/* Stopped before its first I/O: no time, no IOPS, no number made of a missing begin. */
static bool never_begun(void)
{
	static const char *const row[] = {"--name=late", "--ioengine=null", "--size=1m",
					  "--startdelay=60", NULL};
	const struct run_result *r;
	struct cmdline cmd;
	struct session *s = begin(row, &cmd);
	bool ok;

	session_wait(s, AFTER_NS);
	session_stop(s, 2);
	ok = session_wait(s, 60 * NSEC_PER_SEC);
	r = session_result(s);
	ok &= expect(r->jobs[0].runtime_ms == 0, "runtime ms of no run", r->jobs[0].runtime_ms);
	ok &= expect(r->jobs[0].dir[IO_READ].st.ops == 0 && r->jobs[0].dir[IO_READ].iops == 0,
		     "I/Os of no run", r->jobs[0].dir[IO_READ].st.ops);
	ok &= expect(!r->jobs[0].started && r->signal == 2, "its reason", (uint64_t)r->signal);
	session_close(s);
	cmdline_fini(&cmd);
	return ok;
}

int main(void)
{
	unsigned failed = 0;

	failed += !jumped_run(-3600);
	failed += !jumped_run(86400);
	failed += !never_begun();
	/* The control: the jump was seen at all. */
	failed += atomic_load(&asked_wall) == 0;
	printf("%u passed, %u failed\n", 4 - failed, failed);
	return failed != 0;
}
