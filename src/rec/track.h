/*
 * A run as it is watched: rows of a second made of snapshots, and the last snapshot. Bounded: after 24 h
 * the rows of a lane are merged in pairs, amounts added and latencies kept as the slower one's, so that no
 * peak is lost. One thread.
 */
#ifndef IODECK_REC_TRACK_H
#define IODECK_REC_TRACK_H

#include "src/base/strbuf.h"
#include "src/stat/archive.h"
#include "src/stat/snapshot.h"

#define TRACK_ROWS_MAX 86400u
#define TRACK_SHORT_MS 20u /* a last row shorter than that says nothing of a rate */

struct track_row {
	uint64_t t_ms, dur_ms; /* its end since counting began; its length, pauses taken out */
	uint64_t ops[IO_OP_NR], bytes[IO_OP_NR], errors;
	uint64_t n; /* completions of the second before its end; 0: the next unknown */
	uint64_t p50_ns, p99_ns, p999_ns, max_ns;
	double inflight, cpu_pct, aqu_sz; /* as sampled at its end; NAN unknown */
};

struct track_lane {
	struct track_row *v;
	size_t n, cap;
	uint64_t row_ns; /* what a row lasts now */
	/* where the present row began; t_ns 0: not yet */
	struct track_mark {
		uint64_t t_ns, elapsed_ns, ops[IO_OP_NR], bytes[IO_OP_NR], errors;
	} from;
};

struct track {
	struct snapshot *last; /* of the run; seq 0: none was seen */
	struct track_lane lane[LANE_MAX];
	uint64_t start_ms;        /* wall clock when it was first seen counting */
	bool sweep;               /* its cells were set by a sweep */
	char id[ARCHIVE_ID_SIZE]; /* under which it is kept; "" not yet */
};

void track_init(struct track *);
void track_fini(struct track *);
/* A snapshot later than all before; a new run begins anew. */
void track_see(struct track *, const struct snapshot *);
/* Was anything counted? */
bool track_has_data(const struct track *);
bool track_is_over(const struct track *);
/* Ends the rows: what is left of the last second. Harmless when done again. */
void track_finish(struct track *);
/* The same in parts: the line of names, and one row that ended. */
void track_csv_head(struct strbuf *out);
void track_csv_row(const struct track *, uint32_t lane, size_t row, struct strbuf *out);
/* All lanes' rows, raw integers with their unit in the column's name. */
void track_csv(const struct track *, struct strbuf *out);

#endif
