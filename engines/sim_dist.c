#include "engines/sim_dist.h"

#include <math.h>
#include <stddef.h>

#include "src/base/rng.h"

/*
 * The value below which a share p of a normal distribution lies (Acklam 2003, error below 1.2e-9).
 */
static double normal_quantile(double p)
{
	static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,
				   -2.759285104469687e+02, 1.383577518672690e+02,
				   -3.066479806614716e+01, 2.506628277459239e+00};
	static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,
				   -1.556989798598866e+02, 6.680131188771972e+01,
				   -1.328068155288572e+01};
	static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01,
				   -2.400758277161838e+00, -2.549732539343734e+00,
				   4.374664141464968e+00,  2.938163982698783e+00};
	static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01,
				   2.445134137142996e+00, 3.754408661907416e+00};
	double q, r;

	if (p > 0.5)
		return -normal_quantile(1 - p);
	if (p < 0.02425) {
		q = sqrt(-2 * log(p));
		return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
		       ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
	}
	q = p - 0.5;
	r = q * q;
	return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
	       (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

static uint32_t to_cell(double ns)
{
	return ns >= (double)UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

/* n cells that between them hold the body evenly, each with its part of the slow mode added. */
static void fill(uint32_t *cell, uint32_t n, const struct sim_dist *d, double slow_ns)
{
	for (uint32_t i = 0; i < n; i++) {
		double z = normal_quantile((i + 0.5) / n);
		double body = (double)d->mean_ns * exp(d->sigma * z - d->sigma * d->sigma / 2);
		/* 7919 is prime to any n below it: the slow part does not grow with the body. */
		double turn = (double)((i * 7919u) % n) / n;

		cell[i] = to_cell(body + slow_ns * (0.75 + 0.5 * turn));
	}
}

void sim_sampler_init(struct sim_sampler *s, const struct sim_dist *d)
{
	uint32_t n_slow = (uint32_t)(d->slow * SIM_DIST_CELLS + 0.5);

	if (n_slow > SIM_DIST_CELLS)
		n_slow = SIM_DIST_CELLS;
	fill(s->ns, n_slow, d, (double)d->slow_ns);
	fill(s->ns + n_slow, SIM_DIST_CELLS - n_slow, d, 0);
	s->tail_below = d->tail >= 1 ? UINT32_MAX : (uint32_t)(d->tail * 0x1p32);
	s->tail_ns = (double)d->tail_ns;
}

uint64_t sim_sampler_tail(const struct sim_sampler *s, uint64_t random)
{
	double u = (double)((rng_mix64(random) >> 11) + 1) * 0x1p-53;

	return (uint64_t)(-log(u) * s->tail_ns);
}
