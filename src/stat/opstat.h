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

/*
 * Counted only where somebody asked: submission latency by bucket (slat_percentiles), and, for a job
 * with a rate, the time from when an I/O was due by the schedule. The latter shows what a stall did to
 * the requests that had to wait behind it; lat begins when they were issued at last and cannot.
 */
struct op_extra_live {
	struct hist_live slat_h, resp_h;
	struct moments_live resp;
};

struct op_live {
	/* begun grows first, ops last: equal when no I/O is half counted. */
	_Atomic uint64_t begun, ops, bytes, errors, shorts;
	/*
	 * An I/O without slat (synchronous engines) has lat = clat and is counted once, here; the others in
	 * the three below. Readers get the sums of both: nobody but opstat looks at the parts.
	 */
	struct moments_live once;
	struct moments_live slat, clat, lat;
	struct {
		_Atomic uint64_t epoch, min_ns, max_ns;
	} extreme[OP_EPOCHS];                     /* of lat */
	_Atomic uint64_t over[LAT_STRADDLES_MAX]; /* of clat, see hist_cells() */
	struct hist_live once_h, clat_h, lat_h;
	struct op_extra_live
		*extra; /* NULL: not asked for. Set before the worker starts, borrowed. */
};

/* A copy or a difference, plain data. */
struct op_stat {
	uint64_t ops, bytes, errors, shorts;
	struct moments slat;
	struct lat_dist clat, lat;
	uint64_t over[LAT_STRADDLES_MAX];
};

void op_live_init(struct op_live *);
void op_extra_live_init(struct op_extra_live *);
/*
 * A copy in which ops = sum of lat buckets. All numbers are of one instant (a bounded retry: a slow
 * disk's window of three I/Os must not count four latencies), unless the worker does around a million
 * I/Os a second or was preempted while counting one: then each is right at some instant within the call,
 * and the next copy makes up for it. Never waits, never disturbs the worker.
 */
void op_live_read(const struct op_live *, struct op_stat *out);
/* Without the buckets: cheap enough to be done often. Of one instant in the same way. */
struct op_sums {
	uint64_t ops, bytes;
	struct moments slat, clat, lat;
};
void op_live_read_sums(const struct op_live *, struct op_sums *out);
/* Latency alone, of whatever instants. The buckets between the extremes hold all there is. */
void op_live_read_lat(const struct op_live *, struct moments *out);
static inline uint64_t op_live_lat_bucket(const struct op_live *o, uint32_t b)
{
	return atomic_load_explicit(&o->lat_h.n[b], memory_order_relaxed) +
	       atomic_load_explicit(&o->once_h.n[b], memory_order_relaxed);
}
void op_live_read_clat_hist(const struct op_live *, struct hist *out);
/* Widens [*min_ns, *max_ns] by the exact extremes of tick `epoch`; no I/O in it: unchanged. Start with
 * UINT64_MAX and 0. Ask within OP_EPOCHS ticks. */
void op_live_extremes(const struct op_live *, uint64_t epoch, uint64_t *min_ns, uint64_t *max_ns);
void op_stat_merge(struct op_stat *dst, const struct op_stat *src);
/*
 * Counts and buckets of now - before. Exact extremes of an interval are not derivable: min/max of the
 * result are the bounds of its outermost non-empty buckets, narrowed to now's extremes (slat has no
 * buckets: now's extremes). dst may be one of the two.
 */
void op_stat_sub(struct op_stat *dst, const struct op_stat *now, const struct op_stat *before);

/* gcc's TSan knows no fences; the counters themselves are atomics, so it has nothing to miss. */
#ifdef __SANITIZE_THREAD__
#define OP_LIVE_FENCE(order) atomic_signal_fence(order)
#else
#define OP_LIVE_FENCE(order) atomic_thread_fence(order)
#endif

/* Worker only. */
struct op_sample {
	uint64_t slat_ns, clat_ns, lat_ns, bytes, epoch; /* bytes of one I/O */
	uint64_t resp_ns; /* since the I/O was due; used only with op_live.extra */
};

/*
 * `times` I/Os alike. What went out in one batch and came back in one has the same times to the
 * nanosecond, so a batch of 32 is mostly counted at the price of one.
 */
static inline __attribute__((always_inline)) void op_live_add_alike(struct op_live *o,
								    const struct hist_straddle *st,
								    const struct op_sample *s,
								    uint64_t times)
{
	uint32_t ci = hist_index(s->clat_ns), slot = (uint32_t)(s->epoch % OP_EPOCHS);
	uint8_t id = st->id[ci];
	uint64_t n = atomic_load_explicit(&o->ops, memory_order_relaxed) + times;

	atomic_store_explicit(&o->begun, n, memory_order_relaxed);
	OP_LIVE_FENCE(memory_order_release);
	if (s->slat_ns == 0) {
		moments_live_add_alike(&o->once, s->lat_ns, times);
		hist_live_add(&o->once_h, ci, times);
	} else {
		moments_live_add_alike(&o->slat, s->slat_ns, times);
		moments_live_add_alike(&o->clat, s->clat_ns, times);
		moments_live_add_alike(&o->lat, s->lat_ns, times);
		hist_live_add(&o->clat_h, ci, times);
		hist_live_add(&o->lat_h, hist_index(s->lat_ns), times);
	}
	if (__builtin_expect(o->extra != NULL, 0)) {
		hist_live_add(&o->extra->slat_h, hist_index(s->slat_ns), times);
		moments_live_add_alike(&o->extra->resp, s->resp_ns, times);
		hist_live_add(&o->extra->resp_h, hist_index(s->resp_ns), times);
	}
	if (__builtin_expect(id, 0) && s->clat_ns >= st->bound_ns[id])
		RELAXED_ADD(&o->over[id], times);
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
	RELAXED_ADD(&o->bytes, s->bytes * times);
	atomic_store_explicit(&o->ops, n, memory_order_release);
}

static inline void op_live_add(struct op_live *o, const struct hist_straddle *st,
			       const struct op_sample *s)
{
	op_live_add_alike(o, st, s, 1);
}

#endif
