/*
 * A keyed bijection of 0..n-1 without memory: a small Feistel network over the next power of two, and
 * walking its cycle until the value is below n.
 */
#ifndef IODECK_RUN_PERMUTATION_H
#define IODECK_RUN_PERMUTATION_H

#include <stdint.h>

struct permutation {
	uint64_t n, keys[6], lmask, rmask;
	uint32_t rbits;
};

void permutation_init(struct permutation *, uint64_t n, uint64_t seed);
uint64_t permutation_at(const struct permutation *, uint64_t i); /* i < n */
/* The images of i, i + 1, ... i + count - 1 (all < n) at once: their chains of products overlap. */
void permutation_run(const struct permutation *, uint64_t i, unsigned count, uint64_t *out);

#endif
