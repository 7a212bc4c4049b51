#include "src/run/permutation.h"

#include "src/base/rng.h"

#define ROUNDS 6

static uint32_t bits_for(uint64_t n)
{
	return n <= 2 ? 1u : 64u - (uint32_t)__builtin_clzll(n - 1);
}

void permutation_init(struct permutation *p, uint64_t n, uint64_t seed)
{
	uint32_t bits = bits_for(n);

	p->n = n;
	p->rbits = bits / 2;
	p->rmask = (1ull << p->rbits) - 1;
	p->lmask = (1ull << (bits - p->rbits)) - 1;
	for (unsigned i = 0; i < ROUNDS; i++)
		p->keys[i] = rng_mix64(seed + i) | 1;
}

/*
 * A round function need not be invertible. A half has at most 32 bits, so the upper 32 of a 64-bit
 * product are enough, and every bit of x reaches them. (A 128-bit product costs twice that: gcc takes
 * its lower half over the stack.)
 */
static inline uint64_t round_hash(uint64_t x, uint64_t key)
{
	return ((x + key) * key) >> 32;
}

static inline uint64_t scatter(const struct permutation *p, uint64_t i)
{
	uint64_t l = i >> p->rbits, r = i & p->rmask;

#pragma GCC unroll 3
	for (unsigned k = 0; k < ROUNDS; k += 2) {
		l ^= round_hash(r, p->keys[k]) & p->lmask;
		r ^= round_hash(l, p->keys[k + 1]) & p->rmask;
	}
	return l << p->rbits | r;
}

uint64_t permutation_at(const struct permutation *p, uint64_t i)
{
	/* The network permutes a power of two below 2n; walking the cycle stays a bijection of n. */
	do {
		i = scatter(p, i);
	} while (i >= p->n);
	return i;
}

#define LANES 4u

/* LANES values side by side; each loop is a row of independent multiplications. */
static inline void scatter_lanes(const struct permutation *p, uint64_t *v)
{
	uint64_t l[LANES], r[LANES];

#pragma GCC unroll 4
	for (unsigned j = 0; j < LANES; j++) {
		l[j] = v[j] >> p->rbits;
		r[j] = v[j] & p->rmask;
	}
#pragma GCC unroll 3
	for (unsigned k = 0; k < ROUNDS; k += 2) {
#pragma GCC unroll 4
		for (unsigned j = 0; j < LANES; j++)
			l[j] ^= round_hash(r[j], p->keys[k]) & p->lmask;
#pragma GCC unroll 4
		for (unsigned j = 0; j < LANES; j++)
			r[j] ^= round_hash(l[j], p->keys[k + 1]) & p->rmask;
	}
#pragma GCC unroll 4
	for (unsigned j = 0; j < LANES; j++)
		v[j] = l[j] << p->rbits | r[j];
}

/* Not inlined: it would be compiled by the rules of whoever calls it, and be vectorized (see Makefile). */
__attribute__((noinline)) void permutation_run(const struct permutation *p, uint64_t i,
					       unsigned count, uint64_t *out)
{
	unsigned done = 0;

	for (; done + LANES <= count; done += LANES) {
		uint64_t *v = out + done;

		for (unsigned j = 0; j < LANES; j++)
			v[j] = i + done + j;
		scatter_lanes(p, v);
		for (unsigned j = 0; j < LANES; j++)
			if (v[j] >= p->n)
				v[j] = permutation_at(p, v[j]);
	}
	for (; done < count; done++)
		out[done] = permutation_at(p, i + done);
}
