#include "src/run/rate.h"

#include "src/base/clock.h"

void rate_init(struct rate *r, const uint64_t iops[IO_OP_NR], const uint64_t bps[IO_OP_NR],
	       uint64_t now_ns)
{
	r->any = false;
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

	if (o->iops)
		return o->base_ns + scaled(o->ops, o->iops);
	if (o->bps)
		return o->base_ns + scaled(o->bytes, o->bps);
	return 0;
}

void rate_issued(struct rate *r, enum io_op op, uint64_t bytes)
{
	r->op[op].ops++;
	r->op[op].bytes += bytes;
}
