/*
 * What all requests of a simulated device pass one after the other: the link with the write cache
 * behind it, the caps of a rented volume, and flushes. Pure; part of sim_model. Times are device
 * time.
 */
#ifndef IODECK_ENGINES_SIM_STAGE_H
#define IODECK_ENGINES_SIM_STAGE_H

#include "engines/sim_dist.h"
#include "engines/sim_model.h"
#include "src/base/rng.h"

#define SIM_FLUSH_UNITS_MAX 32u

/*
 * A cap's state: what was used of the window that began at start_ns. Even caps: start_ns is the
 * TAT.
 */
struct sim_window {
	uint64_t start_ns, used_ns;
};

struct sim_stage {
	uint64_t link_free_ns;
	uint8_t link_op;                /* the last one */
	uint64_t writing_until_ns;      /* reads may meet a busy unit until then */
	uint64_t cache_bytes, cache_ns; /* filled so far, as of when */
	struct sim_window iops, bps;    /* caps */
	uint64_t base_ns;               /* when the next one conforms (GCRA's TAT) */
	uint64_t dirty_bytes;           /* written since the last flush began */
	uint64_t written_ns;            /* the last write came over the link */
	uint64_t flush_free_ns[SIM_FLUSH_UNITS_MAX];
	uint64_t *flush_unit;                  /* where the last one is or will be */
	uint64_t flush_start_ns, flush_end_ns; /* the last one; until it starts others join it */
	double flush_byte_ns;
	double byte_ns[IO_OP_NR], unit_byte_ns[IO_OP_NR], slow_byte_ns;
};

void sim_stage_init(struct sim_stage *, const struct sim_params *);
/* What a request costs in its unit beyond the drawn time. */
uint64_t sim_stage_unit_extra(const struct sim_stage *, const struct sim_params *,
			      const struct sim_req *, uint64_t t, uint64_t random);
/* When a request that leaves its unit at t is over the link. */
uint64_t sim_stage_link(struct sim_stage *, const struct sim_params *, const struct sim_req *,
			uint64_t t);
/* When the caps let it out: never before one that came earlier. */
uint64_t sim_stage_cap(struct sim_stage *, const struct sim_params *, const struct sim_req *,
		       uint64_t t);
/* When a flush that comes in at t is done. */
uint64_t sim_stage_flush(struct sim_stage *, const struct sim_params *, const struct sim_sampler *,
			 uint64_t t, struct rng *);

#endif
