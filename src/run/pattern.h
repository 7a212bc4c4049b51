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
#include "src/run/blocks.h"
#include "src/run/dist.h"
#include "src/run/permutation.h"

struct pattern_cfg {
	uint64_t off_bytes, len_bytes; /* the region; at least one block of every op used */
	uint64_t bs_bytes[IO_OP_NR];
	bool random;
	bool repeats;            /* norandommap: blocks may come again within a pass */
	uint32_t rand_every;     /* random: ops per draw, sequential from there; >= 1 */
	int64_t seq_delta_bytes; /* sequential: added after each op */
	bool paired;             /* every op walks the same blocks in the same order (trimwrite) */
	uint64_t seed;
	/* All 0 or NULL: one length, uniform offsets. Borrowed, they outlive the pattern. */
	uint8_t ops;                     /* with blocks: the ops that are used */
	const struct blocks *blocks;     /* lengths to draw */
	const struct distribution *dist; /* offsets that are not uniform; blocks may repeat */
	uint64_t align_bytes[IO_OP_NR];  /* random offsets at these multiples; blocks may repeat */
	uint8_t seq_pct[IO_OP_NR];       /* random: this share follows the I/O before instead */
};

/* Draws made at once; a pass may end within. */
#define PATTERN_AHEAD 16u

struct pattern {
	struct pattern_cfg cfg;
	uint64_t pos[IO_OP_NR]; /* sequential: next offset within the region */
	bool shared_map;        /* all ops have one block size: one map for all (fio 4.1) */
	struct cursor {
		struct permutation perm;
		uint64_t blocks, chunks, i; /* blocks of the region; draws per pass; next draw */
		uint64_t pass;
		uint64_t chunk, step; /* the draw being walked: block = chunk * every + step */
		uint64_t chunk_bytes, slots; /* with several lengths, see pattern.c */
		uint32_t at, n_ahead;        /* of ahead[]: the next, and how many there are */
		uint64_t ahead[PATTERN_AHEAD];
	} cur[IO_OP_NR];
	struct dist dist[IO_OP_NR];
	struct rng rng;
};

void pattern_init(struct pattern *, const struct pattern_cfg *);
/* Offset and length of the next I/O of this op. */
uint64_t pattern_next_len(struct pattern *, enum io_op op, uint64_t *len);
/* The same without the length, which is the op's block size unless there are several. */
uint64_t pattern_next(struct pattern *, enum io_op op);
/* Draws the next few of a cursor; its last ones are used up. */
void pattern_look_ahead(struct pattern *, struct cursor *, unsigned which);
/* One length and nothing special: pattern_next_plain() gives what pattern_next() would. */
bool pattern_is_plain(const struct pattern *);

static inline uint64_t cursor_next(struct pattern *p, struct cursor *c, unsigned which)
{
	if (__builtin_expect(c->at == c->n_ahead, 0))
		pattern_look_ahead(p, c, which);
	return c->ahead[c->at++];
}

static inline uint64_t pattern_next_plain(struct pattern *p, enum io_op op)
{
	uint64_t bs = p->cfg.bs_bytes[op], at;
	unsigned which = p->shared_map ? IO_READ : op;

	if (p->cfg.random)
		return p->cfg.off_bytes + cursor_next(p, &p->cur[which], which) * bs;
	at = p->pos[op];
	if (at + bs > p->cfg.len_bytes)
		at = 0;
	p->pos[op] = at + bs;
	return p->cfg.off_bytes + at;
}

/* Blocks that one pass over the region touches. */
uint64_t pattern_blocks(const struct pattern_cfg *, enum io_op op);

#endif
