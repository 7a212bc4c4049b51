#include "src/run/rate.h"

#include <math.h>

#include "src/base/clock.h"

void rate_init(struct rate *r, const uint64_t iops[IO_OP_NR], const uint64_t bps[IO_OP_NR],
	       uint64_t now_ns)
{
	r->any = r->poisson = false;
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		r->op[i] = (struct rate_op){.iops = iops[i], .bps = bps[i], .base_ns = now_ns};
		r->any |= iops[i] || bps[i];
	}
}

static uint64_t scaled(uint64_t done, uint64_t per_s)
{
	return (uint64_t)((unsigned __int128)done * NSEC_PER_SEC / per_s);
}

uint64_t rate_due_ns(const struct rate *r, enum io_op op)
{
	const struct rate_op *o = &r->op[op];

	if (r->poisson && (o->iops || o->bps))
		return o->base_ns + (uint64_t)o->ahead_ns;
	if (o->iops)
		return o->base_ns + scaled(o->ops, o->iops);
	if (o->bps)
		return o->base_ns + scaled(o->bytes, o->bps);
	return 0;
}

void rate_make_poisson(struct rate *r, uint64_t seed)
{
	r->poisson = true;
	rng_seed(&r->rng, seed);
}

void rate_shift(struct rate *r, uint64_t dt_ns)
{
	for (unsigned i = 0; i < IO_OP_NR; i++)
		r->op[i].base_ns += dt_ns;
}

/* The gap behind an I/O of so many bytes: exponential, its mean that of the even schedule. */
static double draw_gap_ns(struct rate *r, const struct rate_op *o, uint64_t bytes)
{
	double mean = o->iops ? 1.0 / (double)o->iops : (double)bytes / (double)o->bps;

	return -log(1 - rng_unit(&r->rng)) * mean * (double)NSEC_PER_SEC;
}

void rate_issued(struct rate *r, enum io_op op, uint64_t bytes)
{
	if (r->poisson && (r->op[op].iops || r->op[op].bps))
		r->op[op].ahead_ns += draw_gap_ns(r, &r->op[op], bytes);
	r->op[op].ops++;
	r->op[op].bytes += bytes;
}
