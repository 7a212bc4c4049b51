#include "src/stat/opstat.h"

#include <string.h>

#define RELAXED_LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

/* A copy takes about 2 us; a writer that gets into each of these does about a million I/Os a second. */
#define READ_TRIES 4

void op_live_init(struct op_live *o)
{
	memset(o, 0, sizeof(*o));
	moments_live_init(&o->once);
	moments_live_init(&o->slat);
	moments_live_init(&o->clat);
	moments_live_init(&o->lat);
	/* No tick has this number, so the first I/O of any tick starts its slot. */
	for (unsigned i = 0; i < OP_EPOCHS; i++)
		atomic_init(&o->extreme[i].epoch, UINT64_MAX);
}

void op_extra_live_init(struct op_extra_live *x)
{
	memset(x, 0, sizeof(*x));
	moments_live_init(&x->resp);
}

/* once.n I/Os whose slat was 0. */
static void read_slat(const struct op_live *o, uint64_t n_once, struct moments *slat)
{
	const struct moments none = {.n = n_once};

	moments_live_read(&o->slat, slat);
	moments_merge(slat, &none);
}

void op_live_read_lat(const struct op_live *o, struct moments *out)
{
	struct moments once;

	moments_live_read(&o->lat, out);
	moments_live_read(&o->once, &once);
	moments_merge(out, &once);
}

static void read_hist(const struct hist_live *part, const struct hist_live *once, struct hist *out)
{
	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		out->n[i] = RELAXED_LOAD(&part->n[i]) + RELAXED_LOAD(&once->n[i]);
}

void op_live_read_clat_hist(const struct op_live *o, struct hist *out)
{
	read_hist(&o->clat_h, &o->once_h, out);
}

static void read_moments(const struct op_live *o, struct moments *slat, struct moments *clat,
			 struct moments *lat)
{
	struct moments once;

	moments_live_read(&o->once, &once);
	read_slat(o, once.n, slat);
	moments_live_read(&o->clat, clat);
	moments_merge(clat, &once);
	moments_live_read(&o->lat, lat);
	moments_merge(lat, &once);
}

static void copy_once(const struct op_live *o, struct op_stat *out)
{
	out->bytes = RELAXED_LOAD(&o->bytes);
	/* Buckets before moments: the writer goes the other way, so no bucket lies beyond max. */
	op_live_read_clat_hist(o, &out->clat.h);
	read_hist(&o->lat_h, &o->once_h, &out->lat.h);
	read_moments(o, &out->slat, &out->clat.m, &out->lat.m);
	for (unsigned i = 0; i < LAT_STRADDLES_MAX; i++)
		out->over[i] = RELAXED_LOAD(&o->over[i]);
}

void op_live_read(const struct op_live *o, struct op_stat *out)
{
	uint64_t done;

	memset(out, 0, sizeof(*out));
	for (unsigned try = 0; try < READ_TRIES; try++) {
		done = atomic_load_explicit(&o->ops, memory_order_acquire);
		if (done == 0)
			break;
		copy_once(o, out);
		OP_LIVE_FENCE(memory_order_acquire);
		if (RELAXED_LOAD(&o->begun) == done)
			break;
	}
	out->ops = hist_count(&out->lat.h);
	out->errors = RELAXED_LOAD(&o->errors);
	out->shorts = RELAXED_LOAD(&o->shorts);
}

void op_live_read_sums(const struct op_live *o, struct op_sums *out)
{
	memset(out, 0, sizeof(*out));
	for (unsigned try = 0; try < READ_TRIES; try++) {
		out->ops = atomic_load_explicit(&o->ops, memory_order_acquire);
		if (out->ops == 0)
			return;
		out->bytes = RELAXED_LOAD(&o->bytes);
		read_moments(o, &out->slat, &out->clat, &out->lat);
		OP_LIVE_FENCE(memory_order_acquire);
		if (RELAXED_LOAD(&o->begun) == out->ops)
			return;
	}
}

void op_live_extremes(const struct op_live *o, uint64_t epoch, uint64_t *min_ns, uint64_t *max_ns)
{
	unsigned slot = (unsigned)(epoch % OP_EPOCHS);
	uint64_t lo, hi;

	if (atomic_load_explicit(&o->extreme[slot].epoch, memory_order_acquire) != epoch)
		return;
	lo = atomic_load_explicit(&o->extreme[slot].min_ns, memory_order_acquire);
	hi = atomic_load_explicit(&o->extreme[slot].max_ns, memory_order_acquire);
	/* The slot may have gone to a new tick meanwhile. */
	if (RELAXED_LOAD(&o->extreme[slot].epoch) != epoch)
		return;
	if (lo < *min_ns)
		*min_ns = lo;
	if (hi > *max_ns)
		*max_ns = hi;
}

void op_stat_merge(struct op_stat *dst, const struct op_stat *src)
{
	dst->ops += src->ops;
	dst->bytes += src->bytes;
	dst->errors += src->errors;
	dst->shorts += src->shorts;
	moments_merge(&dst->slat, &src->slat);
	lat_dist_merge(&dst->clat, &src->clat);
	lat_dist_merge(&dst->lat, &src->lat);
	for (unsigned i = 0; i < LAT_STRADDLES_MAX; i++)
		dst->over[i] += src->over[i];
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void lat_dist_sub(struct lat_dist *dst, const struct lat_dist *now,
			 const struct lat_dist *before)
{
	uint32_t first, last;

	moments_sub(&dst->m, &now->m, &before->m);
	hist_sub(&dst->h, &now->h, &before->h);
	if (!hist_span(&dst->h, &first, &last))
		return;
	/* All values since `before` lie within now's extremes too: they narrow the outermost buckets. */
	dst->m.min_ns = hist_clamp(first, now->m.min_ns);
	dst->m.max_ns = hist_clamp(last, now->m.max_ns);
}

void op_stat_sub(struct op_stat *dst, const struct op_stat *now, const struct op_stat *before)
{
	dst->ops = grown(now->ops, before->ops);
	dst->bytes = grown(now->bytes, before->bytes);
	dst->errors = grown(now->errors, before->errors);
	dst->shorts = grown(now->shorts, before->shorts);
	moments_sub(&dst->slat, &now->slat, &before->slat);
	lat_dist_sub(&dst->clat, &now->clat, &before->clat);
	lat_dist_sub(&dst->lat, &now->lat, &before->lat);
	for (unsigned i = 0; i < LAT_STRADDLES_MAX; i++)
		dst->over[i] = grown(now->over[i], before->over[i]);
}
