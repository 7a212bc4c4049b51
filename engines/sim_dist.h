/*
 * Durations drawn from a struct sim_dist at the cost of one load: the body and the slow mode are a
 * table of equally likely durations, made once; only the rare tail is computed. Plain memory, no
 * locks.
 */
#ifndef IODECK_ENGINES_SIM_DIST_H
#define IODECK_ENGINES_SIM_DIST_H

#include <stdint.h>

#include "engines/sim_params.h"

#define SIM_DIST_CELLS 2048u

struct sim_sampler {
	uint32_t ns[SIM_DIST_CELLS]; /* at most 4.29 s: a floppy's slowest is below */
	uint32_t tail_below;         /* of 2^32 */
	double tail_ns;
};

void sim_sampler_init(struct sim_sampler *, const struct sim_dist *);
uint64_t sim_sampler_tail(const struct sim_sampler *, uint64_t random);

/* random: 64 random bits; the low 11 and the high 32 are used. */
static inline uint64_t sim_sampler_draw(const struct sim_sampler *s, uint64_t random)
{
	uint64_t ns = s->ns[random % SIM_DIST_CELLS];

	if (__builtin_expect((uint32_t)(random >> 32) < s->tail_below, 0))
		ns += sim_sampler_tail(s, random);
	return ns;
}

#endif
