#include "src/run/pattern.h"

#include <string.h>

#define ROUNDS 6

static uint32_t bits_for(uint64_t n)
{
	return n <= 2 ? 1u : 64u - (uint32_t)__builtin_clzll(n - 1);
}

void permutation_init(struct permutation *p, uint64_t n, uint64_t seed)
{
	uint32_t bits = bits_for(n);

	p->n = n;
	p->rbits = bits / 2;
	p->rmask = (1ull << p->rbits) - 1;
	p->lmask = (1ull << (bits - p->rbits)) - 1;
	for (unsigned i = 0; i < ROUNDS; i++)
		p->keys[i] = rng_mix64(seed + i) | 1;
}

/*
 * A round function need not be invertible. A half has at most 32 bits, so the upper 32 of a 64-bit
 * product are enough, and every bit of x reaches them. (A 128-bit product costs twice that: gcc takes
 * its lower half over the stack.)
 */
static inline uint64_t round_hash(uint64_t x, uint64_t key)
{
	return ((x + key) * key) >> 32;
}

static inline uint64_t scatter(const struct permutation *p, uint64_t i)
{
	uint64_t l = i >> p->rbits, r = i & p->rmask;

	for (unsigned k = 0; k < ROUNDS; k += 2) {
		l ^= round_hash(r, p->keys[k]) & p->lmask;
		r ^= round_hash(l, p->keys[k + 1]) & p->rmask;
	}
	return l << p->rbits | r;
}

uint64_t permutation_at(const struct permutation *p, uint64_t i)
{
	/* The network permutes a power of two below 2n; walking the cycle stays a bijection of n. */
	do {
		i = scatter(p, i);
	} while (i >= p->n);
	return i;
}

uint64_t pattern_blocks(const struct pattern_cfg *c, enum io_op op)
{
	return c->bs_bytes[op] ? c->len_bytes / c->bs_bytes[op] : 0;
}

static uint64_t cursor_seed(const struct pattern *p, unsigned op)
{
	return p->cfg.paired ? p->cfg.seed : p->cfg.seed + op;
}

static void cursor_pass(struct cursor *c, uint64_t seed, uint64_t pass)
{
	permutation_init(&c->perm, c->chunks, rng_mix64(seed ^ rng_mix64(pass)));
	c->i = 0;
	c->step = UINT64_MAX;
}

void pattern_init(struct pattern *p, const struct pattern_cfg *cfg)
{
	memset(p, 0, sizeof(*p));
	p->cfg = *cfg;
	rng_seed(&p->rng, cfg->seed);
	if (p->cfg.rand_every == 0)
		p->cfg.rand_every = 1;
	p->shared_map = !cfg->paired && cfg->bs_bytes[IO_READ] == cfg->bs_bytes[IO_WRITE] &&
			cfg->bs_bytes[IO_READ] == cfg->bs_bytes[IO_TRIM];
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		struct cursor *c = &p->cur[op];

		c->blocks = pattern_blocks(cfg, (enum io_op)op);
		c->chunks = (c->blocks + p->cfg.rand_every - 1) / p->cfg.rand_every;
		if (c->chunks)
			cursor_pass(c, cursor_seed(p, op), 0);
	}
}

static inline uint64_t draw_chunk(struct pattern *p, struct cursor *c, unsigned op)
{
	if (p->cfg.repeats)
		return rng_below(&p->rng, c->chunks);
	if (c->i == c->chunks)
		cursor_pass(c, cursor_seed(p, op), ++c->pass);
	return permutation_at(&c->perm, c->i++);
}

static inline uint64_t next_random(struct pattern *p, unsigned op)
{
	unsigned which = p->shared_map ? IO_READ : op;
	struct cursor *c = &p->cur[which];

	if (__builtin_expect(p->cfg.rand_every == 1, 1)) /* a draw is a block */
		return draw_chunk(p, c, which) * p->cfg.bs_bytes[op];
	if (c->step >= p->cfg.rand_every || c->chunk * p->cfg.rand_every + c->step >= c->blocks) {
		c->chunk = draw_chunk(p, c, which);
		c->step = 0;
	}
	return (c->chunk * p->cfg.rand_every + c->step++) * p->cfg.bs_bytes[op];
}

static uint64_t next_sequential(struct pattern *p, unsigned op)
{
	uint64_t bs = p->cfg.bs_bytes[op], at = p->pos[op];
	int64_t next;

	if (at + bs > p->cfg.len_bytes)
		at = 0;
	next = (int64_t)(at + bs) + p->cfg.seq_delta_bytes;
	/* Walking off the front goes on from the end (fio: 0 14 13 12 .. for 16 blocks and -2). */
	if (next < 0)
		next = (int64_t)(p->cfg.len_bytes / bs * bs) + p->cfg.seq_delta_bytes;
	p->pos[op] = next < 0 ? 0 : (uint64_t)next;
	return at;
}

uint64_t pattern_next(struct pattern *p, enum io_op op)
{
	return p->cfg.off_bytes + (p->cfg.random ? next_random(p, op) : next_sequential(p, op));
}
