#include "src/run/blocks.h"

#include <string.h>

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

static void init_split(struct block_len *b, const struct bssplit *s)
{
	uint32_t sum = 0;

	*b = (struct block_len){.lo = UINT64_MAX};
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t bytes = s->part[i].bytes;

		if (!s->part[i].share)
			continue;
		sum += s->part[i].share;
		b->bytes[b->n] = bytes;
		b->upto[b->n++] = sum;
		b->lo = bytes < b->lo ? bytes : b->lo;
		b->hi = bytes > b->hi ? bytes : b->hi;
		b->unit = gcd(b->unit, bytes);
		b->mean += (double)bytes * s->part[i].share / SHARE_ALL;
	}
}

static void init_range(struct block_len *b, const struct size_range *r)
{
	uint64_t steps = (r->hi - r->lo) / r->lo;

	*b = (struct block_len){.lo = r->lo, .hi = r->lo * (steps + 1), .unit = r->lo};
	b->mean = (double)(b->lo + b->hi) / 2;
}

bool blocks_init(struct blocks *b, const struct job_spec *s)
{
	struct bssplit split[IO_OP_NR];
	struct size_range range[IO_OP_NR];
	bool many = false;

	memset(b, 0, sizeof(*b));
	if (s->bssplit && bssplit_parse(s->bssplit, s->kb_base, split, NULL) == 0) {
		for (unsigned op = 0; op < IO_OP_NR; op++)
			init_split(&b->op[op], &split[op]);
	} else if (s->bsrange && bsrange_parse(s->bsrange, s->kb_base, range, NULL) == 0) {
		for (unsigned op = 0; op < IO_OP_NR; op++)
			init_range(&b->op[op], &range[op]);
	} else {
		return false;
	}
	for (unsigned op = 0; op < IO_OP_NR; op++)
		many |= (s->rw.ops & IO_BIT(op)) && b->op[op].lo != b->op[op].hi;
	return many;
}

bool blocks_alike(const struct blocks *b, uint8_t ops)
{
	unsigned first = (unsigned)__builtin_ctz(ops);

	for (unsigned op = first + 1; op < IO_OP_NR; op++)
		if ((ops & IO_BIT(op)) && memcmp(&b->op[op], &b->op[first], sizeof(b->op[op])) != 0)
			return false;
	return true;
}
