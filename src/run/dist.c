#include "src/run/dist.h"

#include <math.h>

/* log1p(x)/x and expm1(x)/x, which have their limit 1 at 0. */
static double log1p_over(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

static double expm1_over(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}

/* The integral of 1/x^theta, and its inverse. */
static double integral(double x, double theta)
{
	double l = log(x);

	return expm1_over((1 - theta) * l) * l;
}

static double integral_inverse(double y, double theta)
{
	double t = y * (1 - theta);

	return exp(log1p_over(t < -1 ? -1 : t) * y);
}

static double density(double x, double theta)
{
	return exp(-theta * log(x));
}

static uint64_t zipf_rank(const struct dist *d, struct rng *r)
{
	double theta = d->def->param;

	for (;;) {
		double u = d->xn + rng_unit(r) * (d->x1 - d->xn);
		double x = integral_inverse(u, theta), k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		if (k > (double)d->n)
			k = (double)d->n;
		if (k - x <= d->s || u >= integral(k + 0.5, theta) - density(k, theta))
			return (uint64_t)k - 1;
	}
}

static uint64_t pareto_rank(const struct dist *d, struct rng *r)
{
	uint64_t rank = (uint64_t)((double)d->n * pow(rng_unit(r), d->power));

	return rank < d->n ? rank : d->n - 1;
}

/* Where a rank lies. */
static uint64_t place(const struct dist *d, uint64_t rank)
{
	uint64_t center;

	if (d->def->center < 0)
		return permutation_at(&d->scatter, rank);
	center = (uint64_t)((double)d->n * d->def->center);
	return (rank + center) % d->n;
}

/* Box and Muller; what falls off an end is drawn anew. */
static uint64_t normal_block(const struct dist *d, struct rng *r)
{
	double n = (double)d->n, sigma = n * d->def->param / 100;
	double center = n * (d->def->center < 0 ? 0.5 : d->def->center), v;

	do {
		double u = 1 - rng_unit(r);

		v = center + sigma * sqrt(-2 * log(u)) * cos(2 * M_PI * rng_unit(r));
	} while (v < 0 || v >= n);
	return (uint64_t)v;
}

static uint64_t zone_end(const struct dist *d, uint64_t size_sum)
{
	uint64_t end;

	if (d->def->kind == DIST_ZONED_ABS)
		end = size_sum / d->block_bytes;
	else
		end = (uint64_t)((unsigned __int128)d->n * size_sum / SHARE_ALL);
	return end < d->n ? end : d->n;
}

static uint64_t zoned_block(const struct dist *d, struct rng *r)
{
	const struct zones *z = d->zones;
	uint32_t u = (uint32_t)rng_below(r, SHARE_ALL), access = 0;
	uint64_t size = 0, from, to;

	for (uint32_t i = 0; i < z->n; i++) {
		from = zone_end(d, size);
		access += z->v[i].access;
		size += z->v[i].size;
		to = zone_end(d, size);
		if (u >= access)
			continue;
		/* A zone smaller than a block, or behind the end: its neighbour's last block. */
		if (to <= from)
			return from ? from - 1 : 0;
		return from + rng_below(r, to - from);
	}
	return rng_below(r, d->n);
}

void dist_init(struct dist *d, const struct distribution *def, unsigned op, uint64_t n,
	       uint64_t block_bytes, uint64_t seed)
{
	*d = (struct dist){
		.def = def, .zones = &def->zones[op], .n = n, .block_bytes = block_bytes};
	permutation_init(&d->scatter, n, rng_mix64(seed ^ 0x64697374));
	if (def->kind == DIST_ZIPF) {
		d->x1 = integral(1.5, def->param) - 1;
		d->xn = integral((double)n + 0.5, def->param);
		d->s = 2 - integral_inverse(integral(2.5, def->param) - density(2, def->param),
					    def->param);
	}
	if (def->kind == DIST_PARETO)
		d->power = log(def->param) / log(1 - def->param);
}

uint64_t dist_next(const struct dist *d, struct rng *r)
{
	switch (d->def->kind) {
	case DIST_ZIPF:
		return place(d, zipf_rank(d, r));
	case DIST_PARETO:
		return place(d, pareto_rank(d, r));
	case DIST_NORMAL:
		return normal_block(d, r);
	case DIST_ZONED:
	case DIST_ZONED_ABS:
		return zoned_block(d, r);
	default:
		return rng_below(r, d->n);
	}
}
