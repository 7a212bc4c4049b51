/*
 * Read or write next? A shuffled deck of 100: exactly read_pct reads in every 100 I/Os, in random order,
 * so the share is right in short windows too (arithmetic R10). One instance per worker.
 */
#ifndef IODECK_RUN_MIX_H
#define IODECK_RUN_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/ioop.h"
#include "src/base/rng.h"

#define MIX_DECK 100u

struct mix {
	uint32_t left, reads_left; /* of the current deck */
	uint8_t ops, read_pct;
	bool trim_turn; /* trimwrite: the trim of a pair comes next */
	struct rng rng;
};

void mix_init(struct mix *, uint8_t ops, uint8_t read_pct, uint64_t seed);
enum io_op mix_next(struct mix *);

#endif
