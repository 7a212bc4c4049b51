/*
 * What may change while a lane runs, as plain data. Copied by value everywhere; the authoritative
 * copy is the lane's, written by session_tune() only.
 */
#ifndef IODECK_SPEC_TUNING_H
#define IODECK_SPEC_TUNING_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/ioop.h"

#define TUNING_QD_MAX   65536u
#define TUNING_JOBS_MAX 1024u

struct tuning {
	uint32_t jobs;                /* workers, 1..TUNING_JOBS_MAX */
	uint32_t qd;                  /* per worker, 1..TUNING_QD_MAX */
	uint64_t bs_bytes[IO_OP_NR];  /* block size of each op, >= 1 */
	uint64_t rate_iops[IO_OP_NR]; /* per worker and op; 0: no cap */
	uint64_t rate_bps[IO_OP_NR];  /* bytes a second per worker and op; 0: no cap */
	uint8_t ops;                  /* IO_BIT() set: which ops are issued */
	uint8_t read_pct;             /* share of reads when ops has reads and writes, 0..100 */
	bool random;                  /* random offsets instead of sequential */
};

bool tuning_equal(const struct tuning *a, const struct tuning *b);

#endif
