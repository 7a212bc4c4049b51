#include "src/spec/tuning.h"

bool tuning_equal(const struct tuning *a, const struct tuning *b)
{
	for (unsigned op = 0; op < IO_OP_NR; op++)
		if (a->bs_bytes[op] != b->bs_bytes[op] || a->rate_iops[op] != b->rate_iops[op] ||
		    a->rate_bps[op] != b->rate_bps[op])
			return false;
	return a->jobs == b->jobs && a->qd == b->qd && a->ops == b->ops &&
	       a->read_pct == b->read_pct && a->random == b->random;
}
