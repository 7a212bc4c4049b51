/*
 * CLOCK_MONOTONIC, computed from the CPU's time stamp counter: a third of the price of the vDSO, and a
 * worker at depth 1 pays for one reading an I/O.
 *
 *   ns = ns0 + ((tsc - tsc0) * mult >> 32)
 *
 * Used only where the kernel calls the counter constant, non-stop and reliable (tsc_start() says), and
 * held to the kernel's clock by tsc_discipline(): the line is bent so that it meets CLOCK_MONOTONIC a
 * second later, never broken. A counter that strays is given up for good, and the kernel asked again.
 *
 * One line for the whole process. Readers: any thread, no lock. Writers: whoever calls start or
 * discipline, one at a time (a second caller goes away).
 */
#ifndef IODECK_BASE_TSC_H
#define IODECK_BASE_TSC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#define TSC_HERE 1
static inline uint64_t tsc_read(void)
{
	uint32_t lo, hi;

	/* Volatile and a barrier for the compiler; the CPU may move it by a few ns, as fio's may. */
	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)::"memory");
	return (uint64_t)hi << 32 | lo;
}
#else
#define TSC_HERE 0
static inline uint64_t tsc_read(void)
{
	return 0;
}
#endif

#define TSC_SHIFT 32

struct tsc_line {
	_Atomic uint64_t tsc0, ns0, mult; /* mult 0: not in use */
};

/* The next line is written where no reader looks, then gen moves on. All in one cache line. */
struct tsc_clock {
	_Alignas(64) _Atomic uint32_t gen;
	struct tsc_line line[2];
};

extern struct tsc_clock tsc_clock;

/*
 * What the kernel says of the counter. cpuinfo: the text of /proc/cpuinfo, at least the first CPU's
 * part; source: the current clock source. Pure.
 */
bool tsc_is_reliable(const char *cpuinfo, const char *source);
/* Finds out whether it may be used, calibrates it (about 3 ms) and begins to. Later calls cost nothing. */
void tsc_start(void);
/* Ten times a second by the sampler; a call sooner than 50 ms after the last does nothing. */
void tsc_discipline(void);
/* In use now? */
bool tsc_is_on(void);

/* The line's arithmetic; a counter read before tsc0 (another CPU, out of order) lies before ns0. */
static inline uint64_t tsc_line_ns(uint64_t tsc, uint64_t tsc0, uint64_t ns0, uint64_t mult)
{
	return ns0 + (uint64_t)(((__int128)(int64_t)(tsc - tsc0) * (int64_t)mult) >> TSC_SHIFT);
}

/* 0: not in use, ask the kernel. */
static inline uint64_t tsc_now_ns(void)
{
	for (;;) {
		uint32_t gen = atomic_load_explicit(&tsc_clock.gen, memory_order_acquire);
		const struct tsc_line *l = &tsc_clock.line[gen & 1];
		uint64_t tsc0 = atomic_load_explicit(&l->tsc0, memory_order_acquire);
		uint64_t ns0 = atomic_load_explicit(&l->ns0, memory_order_acquire);
		uint64_t mult = atomic_load_explicit(&l->mult, memory_order_acquire);

		if (gen != atomic_load_explicit(&tsc_clock.gen, memory_order_relaxed))
			continue;
		return mult ? tsc_line_ns(tsc_read(), tsc0, ns0, mult) : 0;
	}
}

/* For tests, and the arithmetic of tsc_discipline(). */
struct tsc_pair {
	uint64_t tsc, ns; /* both of one instant */
};
enum tsc_verdict {
	TSC_KEEP,  /* the new line is in *tsc0, *ns0, *mult */
	TSC_STRAY, /* too far from the kernel's clock to be a matter of its rate */
};
/*
 * The next line: it begins at `now` where the old one stands, has the rate that the counter showed between
 * the two pairs, and is bent to meet the kernel's clock after a second. before.tsc < now.tsc.
 */
enum tsc_verdict tsc_bend(struct tsc_pair before, struct tsc_pair now, uint64_t *tsc0,
			  uint64_t *ns0, uint64_t *mult);

#endif
