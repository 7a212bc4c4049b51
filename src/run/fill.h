/* What write buffers hold. The worker's own thread; no allocation. */
#ifndef IODECK_RUN_FILL_H
#define IODECK_RUN_FILL_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/rng.h"

struct fill_cfg {
	bool zero;     /* zeroes */
	bool refill;   /* new random data every time */
	bool scramble; /* else: a new word in each 512 bytes */
	uint32_t compress_pct;
	uint64_t compress_chunk; /* bytes; pct of each chunk are zeroes */
};

/*
 * Makes buf[0..len) the data of a write at `offset`. *filled: bytes of this buffer that hold data
 * already, kept between calls.
 */
void fill_buffer(const struct fill_cfg *, struct rng *, uint8_t *buf, uint64_t len, uint64_t offset,
		 uint64_t *filled);

#endif
