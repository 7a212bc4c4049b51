#include "src/stat/hist.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* The first 2 * HIST_SUB buckets are 1 ns wide; after them bucket i belongs to octave group g >= 1. */
static uint32_t group_of(uint32_t index)
{
	return index < 2 * HIST_SUB ? 0 : index / HIST_SUB - 1;
}

uint64_t hist_low(uint32_t index)
{
	if (index < 2 * HIST_SUB)
		return index;
	return (uint64_t)(HIST_SUB + index % HIST_SUB) << group_of(index);
}

uint64_t hist_high(uint32_t index)
{
	return index >= HIST_BUCKETS - 1 ? UINT64_MAX : hist_low(index + 1) - 1;
}

uint64_t hist_value(uint32_t index)
{
	return hist_low(index) + ((1ull << group_of(index)) >> 1);
}

uint64_t hist_count(const struct hist *h)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		n += h->n[i];
	return n;
}

static uint64_t clamp(uint64_t v, uint64_t min, uint64_t max)
{
	if (v < min)
		v = min;
	return v > max ? max : v;
}

uint64_t hist_clamp(uint32_t index, uint64_t v)
{
	return clamp(v, hist_low(index), hist_high(index));
}

bool hist_span(const struct hist *h, uint32_t *first, uint32_t *last)
{
	uint32_t i = 0, k = HIST_BUCKETS;

	while (i < HIST_BUCKETS && h->n[i] == 0)
		i++;
	if (i == HIST_BUCKETS)
		return false;
	while (h->n[k - 1] == 0)
		k--;
	*first = i;
	*last = k - 1;
	return true;
}

/*
 * The rank of pct among n sorted values, 1..n. 99.9 has no exact binary form: without the allowance of
 * one part in 2^52 the 99.9th of 1000 values would be the 1000th instead of the 999th.
 */
static uint64_t rank_of(double pct, uint64_t n)
{
	long double x = (long double)pct / 100 * (long double)n * (1 - 0x1p-52L);

	if (!(x > 1))
		return 1;
	return x >= (long double)n ? n : (uint64_t)ceill(x);
}

void hist_percentiles(const struct hist *h, const double *pct, size_t n_pct, uint64_t min_ns,
		      uint64_t max_ns, uint64_t *out)
{
	uint64_t n = hist_count(h), seen = 0;
	uint32_t i = 0;

	for (size_t p = 0; p < n_pct; p++) {
		uint64_t rank = n ? rank_of(pct[p], n) : 0;

		while (i < HIST_BUCKETS - 1 && seen + h->n[i] < rank)
			seen += h->n[i++];
		if (n == 0)
			out[p] = 0;
		else if (i == HIST_BUCKETS - 1 || pct[p] >= 100)
			out[p] = max_ns;
		else
			out[p] = clamp(hist_value(i), min_ns, max_ns);
	}
}

uint64_t hist_percentile(const struct hist *h, double pct, uint64_t min_ns, uint64_t max_ns)
{
	uint64_t v;

	hist_percentiles(h, &pct, 1, min_ns, max_ns, &v);
	return v;
}

uint64_t hist_percentile_since(const struct hist *now, const struct hist *before, uint64_t n,
			       uint32_t last, double pct, uint64_t max_ns)
{
	uint64_t rank = n ? rank_of(pct, n) : 0, upto = n;

	if (n == 0)
		return 0;
	for (; last > 0; last--) {
		uint64_t was = before ? before->n[last] : 0;
		uint64_t here = now->n[last] > was ? now->n[last] - was : 0;

		if (upto < rank + here)
			break;
		upto -= here;
	}
	return last == HIST_BUCKETS - 1 || pct >= 100 ? max_ns : clamp(hist_value(last), 0, max_ns);
}

void hist_add(struct hist *dst, const struct hist *src)
{
	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		dst->n[i] += src->n[i];
}

void hist_sub(struct hist *dst, const struct hist *now, const struct hist *before)
{
	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		dst->n[i] = now->n[i] > before->n[i] ? now->n[i] - before->n[i] : 0;
}

double moments_mean(const struct moments *m)
{
	return m->n ? (double)m->sum_ns / (double)m->n : 0;
}

double moments_stddev(const struct moments *m)
{
	return m->n > 1 && m->m2 > 0 ? sqrt(m->m2 / (double)(m->n - 1)) : 0;
}

void moments_merge(struct moments *dst, const struct moments *src)
{
	double gap, na = (double)dst->n, nb = (double)src->n;

	if (src->n == 0)
		return;
	if (dst->n == 0) {
		*dst = *src;
		return;
	}
	gap = moments_mean(src) - moments_mean(dst);
	dst->m2 += src->m2 + gap * gap * na * nb / (na + nb);
	dst->n += src->n;
	dst->sum_ns += src->sum_ns;
	if (src->min_ns < dst->min_ns)
		dst->min_ns = src->min_ns;
	if (src->max_ns > dst->max_ns)
		dst->max_ns = src->max_ns;
}

void moments_sub(struct moments *dst, const struct moments *now, const struct moments *before)
{
	struct moments d = {.min_ns = now->min_ns, .max_ns = now->max_ns};
	double gap, nb = (double)before->n;

	if (now->n <= before->n) {
		*dst = (struct moments){0};
		return;
	}
	d.n = now->n - before->n;
	d.sum_ns = now->sum_ns > before->sum_ns ? now->sum_ns - before->sum_ns : 0;
	d.m2 = now->m2;
	if (before->n) {
		gap = moments_mean(before) - moments_mean(&d);
		d.m2 -= before->m2 + gap * gap * nb * (double)d.n / (double)now->n;
	}
	if (d.m2 < 0 || d.n < 2)
		d.m2 = 0;
	*dst = d;
}

void lat_dist_merge(struct lat_dist *dst, const struct lat_dist *src)
{
	moments_merge(&dst->m, &src->m);
	hist_add(&dst->h, &src->h);
}

void moments_live_init(struct moments_live *m)
{
	atomic_init(&m->n, 0);
	atomic_init(&m->min_ns, 0);
	atomic_init(&m->max_ns, 0);
	atomic_init(&m->sum_ns, 0);
	atomic_init(&m->shift_ns, 0);
	atomic_init(&m->sumsq, 0);
}

#define RELAXED_LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

void moments_live_read(const struct moments_live *m, struct moments *out)
{
	double sumsq = RELAXED_LOAD(&m->sumsq), off;
	uint64_t shift = RELAXED_LOAD(&m->shift_ns);

	out->n = RELAXED_LOAD(&m->n);
	out->min_ns = RELAXED_LOAD(&m->min_ns);
	out->max_ns = RELAXED_LOAD(&m->max_ns);
	out->sum_ns = RELAXED_LOAD(&m->sum_ns);
	/* Sum of (v - shift); the differences may be negative, the wrap-around takes care of it. */
	off = (double)(int64_t)(out->sum_ns - out->n * shift);
	out->m2 = out->n > 1 ? sumsq - off * off / (double)out->n : 0;
	if (out->m2 < 0)
		out->m2 = 0;
}

void hist_live_read(const struct hist_live *h, struct hist *out)
{
	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		out->n[i] = RELAXED_LOAD(&h->n[i]);
}

/* Upper ends of fio's cells, exclusive; the last cell (">=2000" ms) has none. */
#define US 1000ull
#define MS 1000000ull
static const uint64_t cell_end_ns[LAT_CELLS - 1] = {
	2,        4,        10,       20,        50,       100,       250,      500,
	750,      1000,     2 * US,   4 * US,    10 * US,  20 * US,   50 * US,  100 * US,
	250 * US, 500 * US, 750 * US, 1000 * US, 2 * MS,   4 * MS,    10 * MS,  20 * MS,
	50 * MS,  100 * MS, 250 * MS, 500 * MS,  750 * MS, 1000 * MS, 2000 * MS};

static struct hist_straddle straddles;

static void straddles_make(void)
{
	uint8_t id = 0;

	for (size_t c = 0; c < LAT_CELLS - 1; c++) {
		uint32_t i = hist_index(cell_end_ns[c]);

		if (hist_low(i) == cell_end_ns[c])
			continue;
		straddles.id[i] = ++id;
		straddles.bound_ns[id] = cell_end_ns[c];
	}
}

const struct hist_straddle *hist_straddle_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, straddles_make);
	return &straddles;
}

void hist_cells(const struct hist *h, const uint64_t over[LAT_STRADDLES_MAX],
		uint64_t cells[LAT_CELLS])
{
	const struct hist_straddle *st = hist_straddle_get();
	uint32_t c = 0;

	memset(cells, 0, LAT_CELLS * sizeof(cells[0]));
	for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t above = over[st->id[i]];

		while (c < LAT_CELLS - 1 && hist_low(i) >= cell_end_ns[c])
			c++;
		if (st->id[i] == 0)
			above = 0;
		if (above > h->n[i]) /* only in a copy taken while the writer ran on */
			above = h->n[i];
		cells[c] += h->n[i] - above;
		if (above)
			cells[c + 1] += above;
	}
}
