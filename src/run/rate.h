/*
 * When the next I/O of an op may start. Open loop: due times lie on a fixed schedule from the start (or
 * from the last change), a late worker catches up, and the due time stays with the I/O, so that the
 * latency from the schedule can be told (fio-language 4.9). One instance per worker.
 */
#ifndef IODECK_RUN_RATE_H
#define IODECK_RUN_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/ioop.h"
#include "src/base/rng.h"

struct rate {
	struct rate_op {
		uint64_t iops, bps;           /* at most one is non-zero; both 0: no cap */
		uint64_t base_ns, ops, bytes; /* schedule origin, issued since */
		double ahead_ns;              /* poisson: due time of the next one, from base_ns */
	} op[IO_OP_NR];
	bool any, poisson;
	struct rng rng; /* poisson */
};

/* The schedule begins at now_ns. */
void rate_init(struct rate *, const uint64_t iops[IO_OP_NR], const uint64_t bps[IO_OP_NR],
	       uint64_t now_ns);
/* From now on gaps are exponential with the same mean, instead of even. */
void rate_make_poisson(struct rate *, uint64_t seed);
/* The schedule of every op moves by dt_ns: a pause that need not be caught up. */
void rate_shift(struct rate *, uint64_t dt_ns);
/* Due time of the next I/O of this op; 0: at once, no cap. */
uint64_t rate_due_ns(const struct rate *, enum io_op op);
void rate_issued(struct rate *, enum io_op op, uint64_t bytes);

#endif
