/*
 * A session under random commands from two threads while a third reads snapshots and results: for TSan
 * and ASan. The null engine, so that only our own code runs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/rng.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define TUNES  150
#define ROUNDS 3

static _Atomic bool done;
static _Atomic unsigned snapshots, bad;
static struct session *session;

static void *reader(void *arg)
{
	struct feed *f = session_feed(session);
	struct snapshot *snap = arg;
	struct session_progress p;

	while (!atomic_load(&done)) {
		if (f->ops->next(f, snap->seq, snap)) {
			atomic_fetch_add(&snapshots, 1);
			for (unsigned i = 0; i < snap->n_lanes; i++) {
				const struct lat_view *v = &snap->lane[i].sec[IO_OP_NR].lat;

				if (v->n && v->pct_ns[PCT_NR - 1] > v->max_ns)
					atomic_fetch_add(&bad, 1);
			}
		}
		session_progress(session, &p);
		usleep(2000);
	}
	return NULL;
}

static void *tuner(void *arg)
{
	struct rng r;

	rng_seed(&r, (uint64_t)(uintptr_t)arg);
	for (int i = 0; i < TUNES; i++) {
		struct tuning t = {.jobs = 1 + (uint32_t)rng_below(&r, 4),
				   .qd = 1 + (uint32_t)rng_below(&r, 300),
				   .ops = IO_BIT(IO_READ),
				   .read_pct = 50,
				   .random = rng_below(&r, 2)};

		for (unsigned k = 0; k < IO_OP_NR; k++)
			t.bs_bytes[k] = 512ull << rng_below(&r, 13);
		if (rng_below(&r, 3) == 0)
			t.rate_iops[IO_READ] = 1 + rng_below(&r, 100000);
		session_tune(session, 0, &t, NULL);
		if (rng_below(&r, 10) == 0)
			session_result(session);
		usleep((useconds_t)rng_below(&r, 8000));
	}
	return NULL;
}

static bool round_trip(struct snapshot *snap)
{
	static char words[][24] = {"--name=t",      "--ioengine=null", "--size=1g",
				   "--rw=randread", "--time_based",    "--runtime=60"};
	char *const argv[] = {words[0], words[1], words[2], words[3], words[4], words[5]};
	struct session_cfg cfg = {.headroom = true, .fsroot = "", .tick_ns = 5 * NSEC_PER_MSEC};
	pthread_t t[3];
	struct cmdline cmd;
	struct err e = {0};
	bool ok;

	if (cmdline_parse(6, argv, &cmd, &e) || session_open(&session, &cfg, &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return false;
	}
	atomic_store(&done, false);
	pthread_create(&t[0], NULL, reader, snap);
	ok = session_start(session, &cmd.spec, &e) == 0;
	pthread_create(&t[1], NULL, tuner, (void *)1);
	/* Only one thread asks for results: they are the session's until the next call. */
	pthread_join(t[1], NULL);
	session_stop(session, 0);
	ok = ok && session_wait(session, 20 * NSEC_PER_SEC);
	atomic_store(&done, true);
	pthread_join(t[0], NULL);
	ok = ok && session_result(session)->jobs[0].dir[IO_READ].st.ops > 0;
	session_close(session);
	cmdline_fini(&cmd);
	snap->seq = 0;
	return ok;
}

int main(void)
{
	struct snapshot *snap = calloc(1, sizeof(*snap));
	unsigned passed = 0, failed = 0;

	for (int i = 0; i < ROUNDS; i++) {
		if (round_trip(snap))
			passed++;
		else
			failed++;
	}
	if (atomic_load(&snapshots) == 0 || atomic_load(&bad))
		failed++;
	else
		passed++;
	free(snap);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
