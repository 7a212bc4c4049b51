/*
 * Offset distributions that are not uniform: which of n blocks comes next. Constant time and memory; one
 * generator per worker, file and op. Blocks may repeat.
 *
 * zipf: P(rank k) ~ 1/k^theta, drawn by rejection-inversion (Hoermann and Derflinger, 1996): no table of
 * sums, so the size of the device does not matter. pareto: rank = n * u^(log h / log(1-h)), fio's form,
 * which puts 1-h of the I/Os on h of the blocks. Ranks of both are scattered over the region by a
 * permutation, or lie beside each other from `center` on. normal: deviation in percent of the region.
 */
#ifndef IODECK_RUN_DIST_H
#define IODECK_RUN_DIST_H

#include <stdint.h>

#include "src/base/rng.h"
#include "src/run/permutation.h"
#include "src/spec/job_lists.h"

struct dist {
	const struct distribution *def;
	const struct zones *zones;
	uint64_t n, block_bytes;
	double x1, xn, s, power; /* zipf: bounds of the inversion; pareto: power */
	struct permutation scatter;
};

/* n: blocks of block_bytes each, at least one. def outlives it. */
void dist_init(struct dist *, const struct distribution *def, unsigned op, uint64_t n,
	       uint64_t block_bytes, uint64_t seed);
uint64_t dist_next(const struct dist *, struct rng *);

#endif
