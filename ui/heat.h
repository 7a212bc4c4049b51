/*
 * Latency counts over time, for the heat map and nothing else: one row of counts per tick, older rows
 * merged to 1 s and to 20 s, 24 h in all, at most 6 MiB. Counts are whole I/Os and are never scaled, so
 * that a single slow I/O is still there after a day. UI thread; owned by the model.
 *
 * Bins are log-spaced, 20 a decade from 1 us to 10 s, at round numbers: the Renard series R20 (ISO 3).
 * Bin 0 holds what is faster, the last bin what is slower. A bucket of the histogram belongs to the bin of
 * its midpoint, so a count may be off its bin by 0.8 % of its latency.
 */
#ifndef IODECK_UI_HEAT_H
#define IODECK_UI_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/stat/hist.h"

#define HEAT_PER_DECADE 20
#define HEAT_DECADES    7
#define HEAT_BINS       (HEAT_PER_DECADE * HEAT_DECADES + 2)

struct heat;

/* One column of a picture. */
struct heat_col {
	uint64_t total, n[HEAT_BINS];
};

struct heat *heat_new(void);
void heat_free(struct heat *);
void heat_clear(struct heat *);
/* What was completed in [begin, end): later than everything added before. */
void heat_add(struct heat *, uint64_t begin_ns, uint64_t end_ns, const struct hist *);
/*
 * n columns of width_ns from left_ns on. A row counts in the column that holds its middle; columns
 * narrower than a row show it in each that lies within it.
 */
void heat_columns(const struct heat *, uint64_t left_ns, double width_ns, struct heat_col *cols,
		  size_t n);

int heat_bin(uint64_t ns);
/* Its lower edge; bin 0: 0. */
uint64_t heat_edge_ns(int bin);

#endif
