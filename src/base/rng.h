/*
 * Seeded random numbers: xoshiro256** (Blackman and Vigna, public domain algorithm). One generator
 * per worker, never shared. The same seed gives the same sequence on every machine.
 */
#ifndef IODECK_BASE_RNG_H
#define IODECK_BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

/* splitmix64: one good 64-bit hash of x; also how a seed is spread over the state. */
uint64_t rng_mix64(uint64_t x);
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/* Uniform in [0, n), n > 0, without division (Lemire's multiply-shift; bias below n/2^64). */
uint64_t rng_below(struct rng *r, uint64_t n);
/* Uniform in [0, 1). */
double rng_unit(struct rng *r);
/* Fills buf with incompressible bytes. */
void rng_fill(struct rng *r, void *buf, uint64_t bytes);

#endif
