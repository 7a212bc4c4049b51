/*
 * ns/op of small things: CPU time of this thread, median of several rounds, so that other work on the
 * machine hardly shows. Each bench prints one line "name ns".
 */
#ifndef IODECK_TESTS_BENCH_H
#define IODECK_TESTS_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BENCH_ROUNDS 9

/* Does the thing n times. */
typedef void bench_fn(void *arg, uint64_t n);

/* Keeps the compiler from dropping a value nobody uses. */
static inline void bench_keep(uint64_t v)
{
	__asm__ volatile("" ::"r"(v) : "memory");
}

static inline uint64_t bench_cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline int bench_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The first round warms caches and is not counted. */
static inline double bench_time(uint64_t n, bench_fn *fn, void *arg)
{
	double ns[BENCH_ROUNDS];

	fn(arg, n);
	for (unsigned i = 0; i < BENCH_ROUNDS; i++) {
		uint64_t t = bench_cpu_ns();

		fn(arg, n);
		ns[i] = (double)(bench_cpu_ns() - t) / (double)n;
	}
	qsort(ns, BENCH_ROUNDS, sizeof(ns[0]), bench_by_value);
	return ns[BENCH_ROUNDS / 2];
}

static inline void bench_run(const char *name, uint64_t n, bench_fn *fn, void *arg)
{
	printf("%s %.2f\n", name, bench_time(n, fn, arg));
	fflush(stdout);
}

#endif
