/*
 * Log-linear latency histogram, fio's own bucket layout with more groups (fio-language 3.5):
 *
 *   value ns          bucket width   buckets
 *   [0, 128)          1 ns           0..127
 *   [2^k, 2^(k+1))    2^(k-6) ns     64 per octave
 *   ... up to 2^40 ns (18 min); anything slower counts in the last bucket, the maximum is kept apart
 *
 * A bucket's value is its midpoint: error at most 0.8 %. Two forms: `hist` is plain data for readers;
 * `lat_live` has one writer (its worker) and any number of readers, relaxed atomics, never reset:
 * windows are differences of two copies.
 */
#ifndef IODECK_STAT_HIST_H
#define IODECK_STAT_HIST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_SUB      (1u << HIST_SUB_BITS)
#define HIST_GROUPS   35u
#define HIST_BUCKETS  (HIST_GROUPS * HIST_SUB) /* 2240: 17.5 KiB */

/* fio's latency cells: 10 of ns, 10 of us, 12 of ms ("2" .. "1000", "2000", ">=2000"). */
#define LAT_CELLS_NS 10
#define LAT_CELLS_US 10
#define LAT_CELLS_MS 12
#define LAT_CELLS    (LAT_CELLS_NS + LAT_CELLS_US + LAT_CELLS_MS)

struct hist {
	uint64_t n[HIST_BUCKETS];
};

static inline uint32_t hist_index(uint64_t v_ns)
{
	uint32_t g, i;

	if (v_ns < 2 * HIST_SUB)
		return (uint32_t)v_ns;
	g = 63u - (uint32_t)__builtin_clzll(v_ns) - HIST_SUB_BITS;
	i = (g + 1) * HIST_SUB + (uint32_t)((v_ns >> g) & (HIST_SUB - 1));
	return i < HIST_BUCKETS ? i : HIST_BUCKETS - 1;
}

uint64_t hist_low(uint32_t index);   /* smallest value of the bucket, ns */
uint64_t hist_high(uint32_t index);  /* largest; UINT64_MAX for the last bucket */
uint64_t hist_value(uint32_t index); /* its midpoint, as fio reports it, ns */
uint64_t hist_count(const struct hist *);
/* v, moved to the nearest end of the bucket when it lies outside. */
uint64_t hist_clamp(uint32_t index, uint64_t v);
/* The outermost non-empty buckets; false when there are none. */
bool hist_span(const struct hist *, uint32_t *first, uint32_t *last);
/*
 * The value at or below which pct % of the values lie: the midpoint of the first bucket whose
 * cumulative count reaches it, clamped to [min_ns, max_ns]. The last bucket, and pct 100, give max_ns.
 * 0 when empty. The second form: n_pct of them, ascending, in one pass.
 */
uint64_t hist_percentile(const struct hist *, double pct, uint64_t min_ns, uint64_t max_ns);
void hist_percentiles(const struct hist *, const double *pct, size_t n_pct, uint64_t min_ns,
		      uint64_t max_ns, uint64_t *out);
/*
 * The same of now - before (NULL: nothing was counted then), looked for from the top: cheap for high
 * percentiles. n: how many values that are; last: no bucket above it holds any.
 */
uint64_t hist_percentile_since(const struct hist *now, const struct hist *before, uint64_t n,
			       uint32_t last, double pct, uint64_t max_ns);
void hist_add(struct hist *dst, const struct hist *src);
/* Counters only grow; should one ever step back, the difference is 0, never huge. dst may be now. */
void hist_sub(struct hist *dst, const struct hist *now, const struct hist *before);

/* Moments of a set of values. m2: sum of squared distances from the mean. n 0: all meaningless. */
struct moments {
	uint64_t n, min_ns, max_ns;
	uint64_t sum_ns;
	double m2;
};

double moments_mean(const struct moments *);   /* 0 when empty */
double moments_stddev(const struct moments *); /* sample (n-1); 0 below two values */
/* Chan's parallel formula. */
void moments_merge(struct moments *dst, const struct moments *src);
/* The values that are in now and not in before. Their own extremes are lost: now's stand in. */
void moments_sub(struct moments *dst, const struct moments *now, const struct moments *before);

/* A distribution: moments, buckets, and fio's cells (exact at their bounds). Plain data. */
struct lat_dist {
	struct moments m;
	struct hist h;
};

void lat_dist_merge(struct lat_dist *dst, const struct lat_dist *src);

/* The live form of moments: the sum of squares is taken about the first value (no cancellation). */
struct moments_live {
	_Atomic uint64_t n, min_ns, max_ns, sum_ns, shift_ns;
	_Atomic double sumsq;
};

void moments_live_init(struct moments_live *);
/* Exact when no value is added meanwhile (op_live_read() sees to that). */
void moments_live_read(const struct moments_live *, struct moments *out);

#define RELAXED_ADD(p, d)                                                                          \
	atomic_store_explicit((p), atomic_load_explicit((p), memory_order_relaxed) + (d),          \
			      memory_order_relaxed)

/* `times` equal values. Worker only. */
static inline void moments_live_add_alike(struct moments_live *m, uint64_t v_ns, uint64_t times)
{
	uint64_t n = atomic_load_explicit(&m->n, memory_order_relaxed);
	double d;

	if (__builtin_expect(n == 0, 0)) {
		atomic_store_explicit(&m->shift_ns, v_ns, memory_order_relaxed);
		atomic_store_explicit(&m->min_ns, v_ns, memory_order_relaxed);
		atomic_store_explicit(&m->max_ns, v_ns, memory_order_relaxed);
	} else if (v_ns < atomic_load_explicit(&m->min_ns, memory_order_relaxed)) {
		atomic_store_explicit(&m->min_ns, v_ns, memory_order_relaxed);
	} else if (v_ns > atomic_load_explicit(&m->max_ns, memory_order_relaxed)) {
		atomic_store_explicit(&m->max_ns, v_ns, memory_order_relaxed);
	}
	d = (double)(int64_t)(v_ns - atomic_load_explicit(&m->shift_ns, memory_order_relaxed));
	RELAXED_ADD(&m->sum_ns, v_ns * times);
	RELAXED_ADD(&m->sumsq, d * d * (double)times);
	atomic_store_explicit(&m->n, n + times, memory_order_relaxed);
}

static inline void moments_live_add(struct moments_live *m, uint64_t v_ns)
{
	moments_live_add_alike(m, v_ns, 1);
}

struct hist_live {
	_Atomic uint64_t n[HIST_BUCKETS];
};

static inline void hist_live_add(struct hist_live *h, uint32_t index, uint64_t times)
{
	RELAXED_ADD(&h->n[index], times);
}

void hist_live_read(const struct hist_live *, struct hist *out);

/*
 * fio's cells from buckets. A cell's bound may lie inside a bucket; for those few buckets (id 1 and up,
 * 0: none) the worker also counts the values at or above the bound, so cells are exact.
 */
#define LAT_STRADDLES_MAX 40
struct hist_straddle {
	uint8_t id[HIST_BUCKETS];
	uint64_t bound_ns[LAT_STRADDLES_MAX];
};
/* The one table; made on the first call, any thread. Workers fetch it before their loop. */
const struct hist_straddle *hist_straddle_get(void);
void hist_cells(const struct hist *, const uint64_t over[LAT_STRADDLES_MAX],
		uint64_t cells[LAT_CELLS]);

#endif
