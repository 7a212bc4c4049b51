#include "src/run/fill.h"

#include <string.h>

#define SCRAMBLE_BYTES 512u

static void fill_compressible(const struct fill_cfg *c, struct rng *rng, uint8_t *buf, uint64_t len)
{
	for (uint64_t at = 0; at < len; at += c->compress_chunk) {
		uint64_t chunk = len - at < c->compress_chunk ? len - at : c->compress_chunk;
		uint64_t zeroes = chunk * c->compress_pct / 100;

		rng_fill(rng, buf + at, chunk - zeroes);
		memset(buf + at + chunk - zeroes, 0, zeroes);
	}
}

/* A new word in every sector: no device may find the same sector twice (deduplication). */
static void scramble(struct rng *rng, uint8_t *buf, uint64_t len, uint64_t offset)
{
	uint64_t stamp = rng_next(rng);

	for (uint64_t at = 0; at + sizeof(stamp) <= len; at += SCRAMBLE_BYTES, stamp += offset | 1)
		memcpy(buf + at, &stamp, sizeof(stamp));
}

void fill_buffer(const struct fill_cfg *c, struct rng *rng, uint8_t *buf, uint64_t len,
		 uint64_t offset, uint64_t *filled)
{
	if (c->compress_pct) {
		fill_compressible(c, rng, buf, len);
		return;
	}
	if (c->refill) {
		rng_fill(rng, buf, len);
		return;
	}
	if (*filled < len) {
		if (c->zero)
			memset(buf + *filled, 0, len - *filled);
		else
			rng_fill(rng, buf + *filled, len - *filled);
		*filled = len;
	}
	if (c->scramble && !c->zero)
		scramble(rng, buf, len, offset);
}
