/*
 * Which block comes next: one instance per worker and file, used by that worker only. No memory that
 * grows with the target, no allocation.
 *
 * Random with map semantics (each block once per pass) is a keyed permutation of the block numbers: a
 * counter runs over 0..n-1 and a small Feistel network scatters it, so nothing must be remembered.
 * Roads not taken: fio's bitmap (grows with the device), an lfsr (neighbours in time are related by a
 * shift, which a disk's elevator notices).
 */
#ifndef IODECK_RUN_PATTERN_H
#define IODECK_RUN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/ioop.h"
#include "src/base/rng.h"

struct pattern_cfg {
	uint64_t off_bytes, len_bytes; /* the region; at least one block of every op used */
	uint64_t bs_bytes[IO_OP_NR];
	bool random;
	bool repeats;		 /* norandommap: blocks may come again within a pass */
	uint32_t rand_every;	 /* random: ops per draw, sequential from there; >= 1 */
	int64_t seq_delta_bytes; /* sequential: added after each op */
	bool paired;		 /* every op walks the same blocks in the same order (trimwrite) */
	uint64_t seed;
};

/* A bijection of 0..n-1. */
struct permutation {
	uint64_t n, keys[6], lmask, rmask;
	uint32_t rbits;
};

void permutation_init(struct permutation *, uint64_t n, uint64_t seed);
uint64_t permutation_at(const struct permutation *, uint64_t i); /* i < n */

struct pattern {
	struct pattern_cfg cfg;
	uint64_t pos[IO_OP_NR]; /* sequential: next offset within the region */
	bool shared_map;	/* all ops have one block size: one map for all (fio 4.1) */
	struct cursor {
		struct permutation perm;
		uint64_t blocks, chunks, i; /* blocks of the region; draws per pass; next draw */
		uint64_t pass;
		uint64_t chunk, step; /* the draw being walked: block = chunk * every + step */
	} cur[IO_OP_NR];
	struct rng rng;
};

void pattern_init(struct pattern *, const struct pattern_cfg *);
/* Offset of the next I/O of this op; its length is the op's block size. */
uint64_t pattern_next(struct pattern *, enum io_op op);
/* Blocks that one pass over the region touches. */
uint64_t pattern_blocks(const struct pattern_cfg *, enum io_op op);

#endif
