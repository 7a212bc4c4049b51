/*
 * One worker counts, one reader copies and subtracts, as the sampler does. Whatever the interleaving,
 * the windows must add up to the total. Ends with "N passed, N failed".
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/rng.h"
#include "src/stat/opstat.h"

#define FLAT_OUT_OPS 400000u
#define PACED_OPS    3000u
#define LAT_MIN_NS   1000u
#define LAT_MAX_NS   (LAT_MIN_NS + (1u << 24))

static unsigned passed, failed;

static void expect(bool ok, const char *what)
{
	if (ok) {
		passed++;
		return;
	}
	failed++;
	fprintf(stderr, "stress_opstat: not true: %s\n", what);
}

struct shared {
	struct op_live live;
	_Atomic uint64_t epoch; /* written by the reader, read by the worker */
	_Atomic bool done;      /* written by the worker */
	unsigned ops;
	long pause_ns; /* between two I/Os; 0: flat out */
};

static void *worker(void *arg)
{
	const struct hist_straddle *st = hist_straddle_get();
	struct shared *s = arg;
	struct timespec pause = {.tv_nsec = s->pause_ns};
	struct rng r;

	rng_seed(&r, 1);
	for (unsigned i = 0; i < s->ops; i++) {
		struct op_sample x = {.bytes = 4096, .slat_ns = rng_below(&r, 1000)};

		x.lat_ns = LAT_MIN_NS + rng_below(&r, 1u << rng_below(&r, 25));
		x.clat_ns = x.lat_ns - x.slat_ns;
		x.epoch = atomic_load_explicit(&s->epoch, memory_order_relaxed);
		op_live_add(&s->live, st, &x);
		if (s->pause_ns)
			nanosleep(&pause, NULL);
	}
	atomic_store_explicit(&s->done, true, memory_order_release);
	return NULL;
}

/* What the reader saw over all windows. */
struct tally {
	struct op_stat now, before, win, sum;
	unsigned windows, stepped_back, miscounted, wild_extremes, torn;
};

static bool steps_back(const struct op_stat *now, const struct op_stat *before)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (now->lat.h.n[i] < before->lat.h.n[i] || now->clat.h.n[i] < before->clat.h.n[i])
			return true;
	return now->ops < before->ops || now->bytes < before->bytes ||
	       now->lat.m.sum_ns < before->lat.m.sum_ns;
}

/* All numbers of one copy belong to the same I/Os. */
static bool of_one_instant(const struct op_stat *c)
{
	return c->lat.m.n == c->ops && c->clat.m.n == c->ops && c->slat.n == c->ops &&
	       c->bytes == c->ops * 4096 && hist_count(&c->clat.h) == c->ops &&
	       c->slat.sum_ns + c->clat.m.sum_ns == c->lat.m.sum_ns;
}

static void look(struct shared *s, struct tally *t)
{
	uint64_t tick = atomic_load_explicit(&s->epoch, memory_order_relaxed);
	uint64_t lo = UINT64_MAX, hi = 0;

	atomic_store_explicit(&s->epoch, tick + 1, memory_order_relaxed);
	op_live_read(&s->live, &t->now);
	op_live_extremes(&s->live, tick, &lo, &hi);
	op_stat_sub(&t->win, &t->now, &t->before);
	op_stat_merge(&t->sum, &t->win);
	t->windows++;
	t->stepped_back += steps_back(&t->now, &t->before);
	t->miscounted += t->win.ops != hist_count(&t->win.lat.h);
	t->torn += !of_one_instant(&t->now);
	t->wild_extremes += hi && (lo > hi || lo < LAT_MIN_NS || hi > LAT_MAX_NS);
	t->before = t->now;
}

static void expect_sums(const struct tally *t, const struct shared *s)
{
	const struct op_stat *sum = &t->sum, *now = &t->now;

	expect(t->windows > 1, "the reader looked while the worker ran");
	expect(t->stepped_back == 0, "no counter steps back");
	expect(t->miscounted == 0, "ops of a window = sum of its buckets");
	expect(t->wild_extremes == 0, "extremes of a tick are latencies that happened");
	expect(now->ops == s->ops && of_one_instant(now), "the last copy has every I/O");
	expect(sum->ops == now->ops, "ops of the windows add up");
	expect(sum->bytes == now->bytes, "bytes add up");
	expect(sum->lat.m.sum_ns == now->lat.m.sum_ns, "latencies add up");
	expect(sum->slat.sum_ns + sum->clat.m.sum_ns == sum->lat.m.sum_ns, "slat + clat = lat");
	expect(memcmp(&sum->lat.h, &now->lat.h, sizeof(now->lat.h)) == 0, "lat buckets add up");
	expect(memcmp(&sum->clat.h, &now->clat.h, sizeof(now->clat.h)) == 0, "clat buckets add up");
	expect(memcmp(sum->over, now->over, sizeof(now->over)) == 0, "straddle counts add up");
}

static void run(unsigned ops, long pause_ns)
{
	struct shared *s = calloc(1, sizeof(*s));
	struct tally *t = calloc(1, sizeof(*t));
	pthread_t thread;

	if (!s || !t)
		abort();
	op_live_init(&s->live);
	s->ops = ops;
	s->pause_ns = pause_ns;
	if (pthread_create(&thread, NULL, worker, s))
		abort();
	while (!atomic_load_explicit(&s->done, memory_order_acquire))
		look(s, t);
	pthread_join(thread, NULL);
	look(s, t);
	expect_sums(t, s);
	printf("  %u I/Os, pause %ld ns: %u windows, %u copies not of one instant\n", ops, pause_ns,
	       t->windows, t->torn);
	/* Not all of them: a worker may be preempted while it counts. One in a hundred is far from it. */
	if (pause_ns)
		expect(t->torn * 100 <= t->windows, "a slow worker's copies are of one instant");
	free(t);
	free(s);
}

int main(void)
{
	run(FLAT_OUT_OPS, 0);
	run(PACED_OPS, 100000);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
