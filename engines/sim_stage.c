#include "engines/sim_stage.h"

#include "engines/slot.h"
#include "src/base/clock.h"

#define FLUSH_DIRTY_MAX (4u << 20)

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* 0 bps: costs nothing. */
static double byte_ns(uint64_t bps)
{
	return bps ? (double)NSEC_PER_SEC / (double)bps : 0;
}

void sim_stage_init(struct sim_stage *s, const struct sim_params *p)
{
	*s = (struct sim_stage){.slow_byte_ns = byte_ns(p->cache.slow_bps),
				.flush_byte_ns = byte_ns(p->flush.bps)};
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		s->byte_ns[op] = byte_ns(p->path[op].link_bps);
		s->unit_byte_ns[op] = byte_ns(p->path[op].unit_bps);
	}
}

/* Write cache */

static void cache_drain(struct sim_stage *s, const struct sim_params *p, uint64_t t)
{
	uint64_t out = (uint64_t)((double)(t - s->cache_ns) * (double)p->cache.drain_bps /
				  (double)NSEC_PER_SEC);

	s->cache_ns = t;
	s->cache_bytes -= out < s->cache_bytes ? out : s->cache_bytes;
}

static inline bool cache_is_full(const struct sim_stage *s, const struct sim_params *p)
{
	return p->cache.fast_bytes && s->cache_bytes >= p->cache.fast_bytes;
}

/* What each byte of this write costs on the link. */
static double cache_take(struct sim_stage *s, const struct sim_params *p, uint32_t len, uint64_t t)
{
	if (p->cache.fast_bytes) {
		cache_drain(s, p, t);
		if (cache_is_full(s, p))
			return s->slow_byte_ns;
		s->cache_bytes += len;
	}
	return s->byte_ns[IO_WRITE];
}

/* Units */

static bool chance(uint64_t random, double share)
{
	return (double)(random >> 11) * 0x1p-53 < share;
}

uint64_t sim_stage_unit_extra(const struct sim_stage *s, const struct sim_params *p,
			      const struct sim_req *r, uint64_t t, uint64_t random)
{
	uint64_t ns = 0;

	if (r->len > 4096 && r->op != IO_TRIM)
		ns = (uint64_t)((r->len - 4096) * s->unit_byte_ns[r->op]);
	if (r->op == IO_WRITE && cache_is_full(s, p))
		ns += p->cache.slow_ns;
	if (r->op == IO_WRITE && p->flush.hold > 0 && t < s->flush_end_ns &&
	    chance(rng_mix64(random), p->flush.hold))
		ns += s->flush_end_ns - t;
	if (r->op == IO_READ && p->mix.share > 0 && t < s->writing_until_ns &&
	    chance(rng_mix64(random), p->mix.share))
		ns += random % 1024 * 2 * p->mix.wait_ns / 1024;
	return ns;
}

/* Link */

uint64_t sim_stage_link(struct sim_stage *s, const struct sim_params *p, const struct sim_req *r,
			uint64_t t)
{
	uint64_t start = later(t, s->link_free_ns);
	double each = s->byte_ns[r->op];

	if (r->op == IO_WRITE) {
		each = cache_take(s, p, r->len, start);
		s->writing_until_ns = start + p->mix.wait_ns;
	}
	s->link_free_ns = start + p->path[r->op].link_ns;
	if (r->op != IO_TRIM)
		s->link_free_ns += (uint64_t)(r->len * each);
	if (r->op != s->link_op)
		s->link_free_ns += p->mix.turn_ns;
	if (r->op == IO_WRITE) {
		s->written_ns = s->link_free_ns;
		s->dirty_bytes += r->len;
	}
	s->link_op = r->op;
	return s->link_free_ns;
}

/*
 * Generic cell rate algorithm: the time at which one more of `cost_ns` conforms, when up to
 * `burst_ns` may be used ahead of time.
 */
static uint64_t gcra(uint64_t *tat_ns, uint64_t t, uint64_t cost_ns, uint64_t burst_ns)
{
	uint64_t allowed = *tat_ns > burst_ns ? *tat_ns - burst_ns : 0;
	uint64_t go = later(t, allowed);

	*tat_ns = later(*tat_ns, go) + cost_ns;
	return go;
}

/*
 * The same rate, given out at the start of each window: who comes when it is used up waits for the
 * next. Debt of the last request is carried over, so that the rate is exact.
 */
static uint64_t windowed(struct sim_window *w, uint64_t t, uint64_t cost_ns, uint64_t window_ns)
{
	while (w->start_ns + window_ns <= t || w->used_ns >= window_ns) {
		w->start_ns += window_ns;
		w->used_ns -= w->used_ns < window_ns ? w->used_ns : window_ns;
		if (w->used_ns == 0 && w->start_ns + window_ns <= t)
			w->start_ns = t - t % window_ns;
	}
	w->used_ns += cost_ns;
	return later(t, w->start_ns);
}

static uint64_t cap_one(struct sim_window *w, const struct sim_cap *c, uint64_t t, uint64_t cost_ns)
{
	return c->window_ns ? windowed(w, t, cost_ns, c->window_ns)
			    : gcra(&w->start_ns, t, cost_ns, 0);
}

uint64_t sim_stage_cap(struct sim_stage *s, const struct sim_params *p, const struct sim_req *r,
		       uint64_t t)
{
	const struct sim_cap *c = &p->cap;
	uint64_t n = 1, go = t;

	if (!(c->iops | c->bps | c->base_iops) || r->op == IO_TRIM)
		return t;
	if (c->split_bytes && r->len > c->split_bytes)
		n = (r->len + c->split_bytes - 1) / c->split_bytes;
	if (c->iops)
		go = cap_one(&s->iops, c, t, n * NSEC_PER_SEC / c->iops);
	if (c->bps)
		go = later(go, cap_one(&s->bps, c, t, r->len * NSEC_PER_SEC / c->bps));
	if (c->base_iops)
		go = later(go, gcra(&s->base_ns, t, n * NSEC_PER_SEC / c->base_iops,
				    c->credit_ios * NSEC_PER_SEC / c->base_iops));
	return go;
}

/* Flush */

static uint64_t *first_free(struct sim_stage *s, uint32_t n)
{
	uint64_t *best = s->flush_free_ns;

	for (uint32_t i = 1; i < n; i++)
		if (s->flush_free_ns[i] < *best)
			best = &s->flush_free_ns[i];
	return best;
}

/* What has to go out before this flush can end; the device's own cache bounds it. */
static uint64_t flush_dirty_ns(struct sim_stage *s)
{
	uint64_t bytes = s->dirty_bytes < FLUSH_DIRTY_MAX ? s->dirty_bytes : FLUSH_DIRTY_MAX;

	s->dirty_bytes = 0;
	return (uint64_t)((double)bytes * s->flush_byte_ns);
}

/*
 * With all units busy, a flush waits for the next one to start, and all that wait start together.
 * Those that join late bring their writes along.
 */
uint64_t sim_stage_flush(struct sim_stage *s, const struct sim_params *p,
			 const struct sim_sampler *sampler, uint64_t t, struct rng *rng)
{
	if (s->flush_start_ns > t) {
		*s->flush_unit += flush_dirty_ns(s);
		s->flush_end_ns = *s->flush_unit;
		return s->flush_end_ns;
	}
	if (s->written_ns <= s->flush_start_ns || !p->flush.units)
		return later(t + p->flush.clean_ns, s->flush_end_ns);
	s->flush_unit = first_free(s, p->flush.units);
	s->flush_start_ns = later(*s->flush_unit, t);
	s->flush_end_ns =
		s->flush_start_ns + sim_sampler_draw(sampler, rng_next(rng)) + flush_dirty_ns(s);
	*s->flush_unit = s->flush_end_ns;
	return s->flush_end_ns;
}
