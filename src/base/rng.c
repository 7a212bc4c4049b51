#include "src/base/rng.h"

#include <string.h>

uint64_t rng_mix64(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

void rng_seed(struct rng *r, uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = rng_mix64(seed + (uint64_t)i * (uint64_t)0x9e3779b97f4a7c15);
}

static inline uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)rng_next(r) * n) >> 64);
}

double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1.0p-53;
}

void rng_fill(struct rng *r, void *buf, uint64_t bytes)
{
	uint8_t *p = buf;
	uint64_t x;

	for (; bytes >= sizeof(x); bytes -= sizeof(x), p += sizeof(x)) {
		x = rng_next(r);
		memcpy(p, &x, sizeof(x));
	}
	x = rng_next(r);
	memcpy(p, &x, bytes);
}
