/*
 * Counters of one kind of I/O. `op_live` belongs to one worker, the only writer; anybody may read.
 * Counters only grow: "reset", windows and segments are differences taken by readers.
 *
 *   start --slat--> issue --clat--> complete        lat = complete - start
 *
 * start: the I/O is prepared; issue: handed to the kernel (sync engines: the same instant);
 * complete: the reap call has returned it. Per I/O, slat + clat = lat exactly.
 */
#ifndef IODECK_STAT_OPSTAT_H
#define IODECK_STAT_OPSTAT_H

#include <stdatomic.h>
#include <stdint.h>

#include "src/stat/hist.h"

/* Extremes of the last ticks: slot epoch % N is written while that tick lasts (see sampler). */
#define OP_EPOCHS 16

struct op_live {
	_Atomic uint64_t ops, bytes, errors, shorts;
	struct moments_live slat, clat, lat;
	struct {
		_Atomic uint64_t epoch, min_ns, max_ns;
	} extreme[OP_EPOCHS];			  /* of lat */
	_Atomic uint64_t over[LAT_STRADDLES_MAX]; /* of clat, see hist_cells() */
	struct hist_live clat_h, lat_h;
};

/* A copy or a difference, plain data. */
struct op_stat {
	uint64_t ops, bytes, errors, shorts;
	struct moments slat;
	struct lat_dist clat, lat;
	uint64_t over[LAT_STRADDLES_MAX];
};

void op_live_init(struct op_live *);
/* Relaxed copy: each number is right at some instant within the call; ops = sum of lat buckets. */
void op_live_read(const struct op_live *, struct op_stat *out);
void op_stat_merge(struct op_stat *dst, const struct op_stat *src);
/* Counts and buckets of now - before. Exact extremes of an interval are not derivable: min/max of the
 * result are the bounds of its outermost non-empty buckets, narrowed to now's extremes. */
void op_stat_sub(struct op_stat *dst, const struct op_stat *now, const struct op_stat *before);

/* Worker only. */
struct op_sample {
	uint64_t slat_ns, clat_ns, lat_ns, bytes, epoch;
};

static inline void op_live_add(struct op_live *o, const struct hist_straddle *st,
			       const struct op_sample *s)
{
	uint32_t ci = hist_index(s->clat_ns), slot = (uint32_t)(s->epoch % OP_EPOCHS);
	uint8_t id = st->id[ci];

	moments_live_add(&o->slat, s->slat_ns);
	moments_live_add(&o->clat, s->clat_ns);
	moments_live_add(&o->lat, s->lat_ns);
	hist_live_add(&o->clat_h, ci);
	hist_live_add(&o->lat_h, hist_index(s->lat_ns));
	if (__builtin_expect(id, 0) && s->clat_ns >= st->bound_ns[id])
		RELAXED_ADD(&o->over[id], 1);
	if (atomic_load_explicit(&o->extreme[slot].epoch, memory_order_relaxed) != s->epoch) {
		/* min/max first: a reader that sees the new epoch must not see the old tick's. */
		atomic_store_explicit(&o->extreme[slot].min_ns, s->lat_ns, memory_order_relaxed);
		atomic_store_explicit(&o->extreme[slot].max_ns, s->lat_ns, memory_order_relaxed);
		atomic_store_explicit(&o->extreme[slot].epoch, s->epoch, memory_order_release);
	} else {
		if (s->lat_ns <
		    atomic_load_explicit(&o->extreme[slot].min_ns, memory_order_relaxed))
			atomic_store_explicit(&o->extreme[slot].min_ns, s->lat_ns,
					      memory_order_relaxed);
		if (s->lat_ns >
		    atomic_load_explicit(&o->extreme[slot].max_ns, memory_order_relaxed))
			atomic_store_explicit(&o->extreme[slot].max_ns, s->lat_ns,
					      memory_order_relaxed);
	}
	RELAXED_ADD(&o->bytes, s->bytes);
	RELAXED_ADD(&o->ops, 1);
}

#endif
