/* The latency parts of the normal format, apart so that each is tested alone. */
#ifndef IODECK_OUT_OUT_NORMAL_H
#define IODECK_OUT_OUT_NORMAL_H

#include "src/base/strbuf.h"
#include "src/out/figures.h"

/* "    clat (usec): min=21, max=2626, avg=101.04, stdev=86.89"; name is padded to four. */
void normal_add_latency(const char *name, const struct moments *, struct strbuf *out);
/* "    clat percentiles (usec):" and its rows. Nothing for an empty list or without a histogram. */
void normal_add_percentiles(const struct lat_view *, const struct percentile_list *,
			    struct strbuf *out);
/* "  lat (usec)   : 50=0.11%, ...": only cells that hold something, five a line. */
void normal_add_lat_cells(const uint64_t cells[LAT_CELLS], struct strbuf *out);

#endif
