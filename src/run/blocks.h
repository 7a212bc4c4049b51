/*
 * How long the next I/O is: one length, a range (bsrange) or a mix (bssplit). Plain data, made by the
 * plan, read by every worker.
 */
#ifndef IODECK_RUN_BLOCKS_H
#define IODECK_RUN_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/rng.h"
#include "src/spec/job_lists.h"
#include "src/spec/job_spec.h"

struct blocks {
	struct block_len {
		uint64_t lo, hi; /* every length lies between */
		uint64_t unit;   /* every length is a multiple */
		double mean;
		uint32_t n; /* lengths of the mix; 0: lo, lo + unit, .. hi are equally likely */
		uint64_t bytes[BSSPLIT_MAX];
		uint32_t upto[BSSPLIT_MAX]; /* sums of the shares */
	} op[IO_OP_NR];
};

/* False: one length for each op, nothing to draw. */
bool blocks_init(struct blocks *, const struct job_spec *);
/* The same lengths for reads, writes and trims? */
bool blocks_alike(const struct blocks *, uint8_t ops);

static inline uint64_t block_len_draw(const struct block_len *b, struct rng *r)
{
	uint32_t u, i = 0;

	if (!b->n)
		return b->lo + b->unit * rng_below(r, (b->hi - b->lo) / b->unit + 1);
	u = (uint32_t)rng_below(r, SHARE_ALL);
	while (u >= b->upto[i])
		i++;
	return b->bytes[i];
}

#endif
