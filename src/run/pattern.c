#include "src/run/pattern.h"

#include <string.h>

/*
 * Several lengths with map semantics. The region is cut into chunks; the seed and the chunk's number
 * decide how a chunk is cut into I/Os, so nothing must be remembered. A permutation runs over (chunk,
 * slot); slot j stands for the chunk's I/Os j, j + slots, ...; slots is twice the mean number of I/Os, so
 * that about every second draw hits and few slots hold more than one.
 */
#define CHUNK_LENS 16u

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

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void init_pieces(struct cursor *c, const struct block_len *b, uint64_t len_bytes)
{
	uint64_t whole = len_bytes / b->unit * b->unit;

	c->chunk_bytes = min_u64((CHUNK_LENS * b->hi + b->unit - 1) / b->unit * b->unit, whole);
	c->slots = (uint64_t)(2 * (double)c->chunk_bytes / b->mean) + 1;
	c->chunks = (whole + c->chunk_bytes - 1) / c->chunk_bytes * c->slots;
}

static bool same_sizes(const struct pattern_cfg *c)
{
	if (c->blocks)
		return c->ops && blocks_alike(c->blocks, c->ops);
	return c->bs_bytes[IO_READ] == c->bs_bytes[IO_WRITE] &&
	       c->bs_bytes[IO_READ] == c->bs_bytes[IO_TRIM];
}

static void init_cursor(struct pattern *p, unsigned op)
{
	struct pattern_cfg *c = &p->cfg;
	struct cursor *cur = &p->cur[op];

	if (c->blocks)
		c->bs_bytes[op] = c->blocks->op[op].unit;
	cur->blocks = pattern_blocks(c, (enum io_op)op);
	if (!cur->blocks)
		return;
	if (c->blocks)
		init_pieces(cur, &c->blocks->op[op], c->len_bytes);
	else
		cur->chunks = (cur->blocks + c->rand_every - 1) / c->rand_every;
	cursor_pass(cur, cursor_seed(p, op), 0);
	if (c->dist)
		dist_init(&p->dist[op], c->dist, op, cur->blocks, c->bs_bytes[op], c->seed);
}

void pattern_init(struct pattern *p, const struct pattern_cfg *cfg)
{
	memset(p, 0, sizeof(*p));
	p->cfg = *cfg;
	rng_seed(&p->rng, cfg->seed);
	if (p->cfg.rand_every == 0)
		p->cfg.rand_every = 1;
	p->shared_map = !cfg->paired && same_sizes(cfg);
	for (unsigned op = 0; op < IO_OP_NR; op++)
		init_cursor(p, op);
}

/* -- random ----------------------------------------------------------------------------------- */

/* A pass ends where the map is full, so no run of draws reaches over its end. */
void pattern_look_ahead(struct pattern *p, struct cursor *c, unsigned which)
{
	uint32_t n = PATTERN_AHEAD;

	c->at = 0;
	if (p->cfg.repeats) {
		for (uint32_t i = 0; i < n; i++)
			c->ahead[i] = rng_below(&p->rng, c->chunks);
		c->n_ahead = n;
		return;
	}
	if (c->i == c->chunks)
		cursor_pass(c, cursor_seed(p, which), ++c->pass);
	if (n > c->chunks - c->i)
		n = (uint32_t)(c->chunks - c->i);
	permutation_run(&c->perm, c->i, n, c->ahead);
	c->i += n;
	c->n_ahead = n;
}

bool pattern_is_plain(const struct pattern *p)
{
	const struct pattern_cfg *c = &p->cfg;

	if (c->blocks)
		return false;
	if (!c->random)
		return c->seq_delta_bytes == 0;
	for (unsigned op = 0; op < IO_OP_NR; op++)
		if (c->seq_pct[op] || c->align_bytes[op])
			return false;
	return c->rand_every == 1 && !c->dist;
}

static inline uint64_t next_block(struct pattern *p, unsigned op)
{
	unsigned which = p->shared_map ? IO_READ : op;
	struct cursor *c = &p->cur[which];

	if (__builtin_expect(p->cfg.rand_every == 1, 1)) /* a draw is a block */
		return cursor_next(p, c, which) * p->cfg.bs_bytes[op];
	if (c->step >= p->cfg.rand_every || c->chunk * p->cfg.rand_every + c->step >= c->blocks) {
		c->chunk = cursor_next(p, c, which);
		c->step = 0;
	}
	return (c->chunk * p->cfg.rand_every + c->step++) * p->cfg.bs_bytes[op];
}

/* I/O number `want` of a chunk: false when it has fewer. */
static bool find_piece(const struct pattern *p, const struct cursor *c, unsigned op, uint64_t chunk,
		       uint64_t want, uint64_t *at, uint64_t *len)
{
	const struct block_len *b = &p->cfg.blocks->op[op];
	uint64_t whole = c->blocks * b->unit, from = chunk * c->chunk_bytes;
	uint64_t end = min_u64(from + c->chunk_bytes, whole);
	struct rng r;

	rng_seed(&r, rng_mix64(cursor_seed(p, op) ^ rng_mix64(c->pass) ^ chunk << 20));
	for (uint64_t i = 0; from < end; i++) {
		*len = min_u64(block_len_draw(b, &r), end - from);
		*at = from;
		if (i == want)
			return true;
		from += *len;
	}
	return false;
}

static uint64_t next_piece(struct pattern *p, unsigned op, uint64_t *len)
{
	unsigned which = p->shared_map ? (unsigned)__builtin_ctz(p->cfg.ops) : op;
	struct cursor *c = &p->cur[which];
	uint64_t at;

	for (;;) {
		if (c->step != UINT64_MAX) {
			c->step += c->slots;
			if (find_piece(p, c, which, c->chunk, c->step, &at, len))
				return at;
		}
		c->chunk = cursor_next(p, c, which);
		c->step = c->chunk % c->slots;
		c->chunk /= c->slots;
		if (find_piece(p, c, which, c->chunk, c->step, &at, len))
			return at;
	}
}

/* Offsets that may repeat: a distribution, an alignment other than the block, or lengths of any kind. */
static uint64_t next_free(struct pattern *p, unsigned op, uint64_t *len)
{
	const struct pattern_cfg *c = &p->cfg;
	uint64_t unit = c->align_bytes[op] ? c->align_bytes[op] : c->bs_bytes[op], at, places;

	*len = c->blocks ? block_len_draw(&c->blocks->op[op], &p->rng) : c->bs_bytes[op];
	*len = min_u64(*len, c->len_bytes / c->bs_bytes[op] * c->bs_bytes[op]);
	places = (c->len_bytes - *len) / unit + 1;
	if (!c->dist)
		return rng_below(&p->rng, places) * unit;
	at = dist_next(&p->dist[op], &p->rng) * c->bs_bytes[op] / unit * unit;
	return at + *len <= c->len_bytes ? at : (places - 1) * unit;
}

/* -- sequential ------------------------------------------------------------------------------- */

static uint64_t next_sequential(struct pattern *p, unsigned op, uint64_t *len)
{
	const struct pattern_cfg *c = &p->cfg;
	uint64_t bs = c->bs_bytes[op], at = p->pos[op], whole = c->len_bytes / bs * bs;
	int64_t next;

	if (at + bs > c->len_bytes)
		at = 0;
	*len = bs;
	if (c->blocks)
		*len = min_u64(block_len_draw(&c->blocks->op[op], &p->rng), whole - at / bs * bs);
	next = (int64_t)(at + *len) + c->seq_delta_bytes;
	/* Walking off the front goes on from the end (fio: 0 14 13 12 .. for 16 blocks and -2). */
	if (next < 0)
		next = (int64_t)whole + c->seq_delta_bytes;
	p->pos[op] = next < 0 ? 0 : (uint64_t)next;
	return at;
}

static uint64_t next_random(struct pattern *p, unsigned op, uint64_t *len)
{
	const struct pattern_cfg *c = &p->cfg;
	uint64_t at;

	if (c->seq_pct[op] && rng_below(&p->rng, 100) < c->seq_pct[op])
		return next_sequential(p, op, len);
	if (c->dist || c->align_bytes[op] || (c->blocks && c->repeats)) {
		at = next_free(p, op, len);
	} else if (c->blocks) {
		at = next_piece(p, op, len);
	} else {
		*len = c->bs_bytes[op];
		at = next_block(p, op);
	}
	/* percentage_random: what is not random follows the I/O before. */
	p->pos[op] = at + *len;
	return at;
}

uint64_t pattern_next_len(struct pattern *p, enum io_op op, uint64_t *len)
{
	uint64_t at = p->cfg.random ? next_random(p, op, len) : next_sequential(p, op, len);

	return p->cfg.off_bytes + at;
}

uint64_t pattern_next(struct pattern *p, enum io_op op)
{
	uint64_t len;

	return pattern_next_len(p, op, &len);
}
