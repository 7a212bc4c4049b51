/*
 * The report of a comparison: lane A against each other lane, quantity by quantity. Each function appends
 * to the buffer; pure but for that.
 */
#ifndef IODECK_OUT_OUT_COMPARE_H
#define IODECK_OUT_OUT_COMPARE_H

#include "src/base/strbuf.h"
#include "src/stat/compare.h"

struct compare_report {
	unsigned n; /* lanes */
	const struct lane_report {
		const char *name, *rw; /* of the job */
		char target[128], engine[16];
		struct tuning tune;
		bool simulated;
	} * lane;
	const struct compare_track *track;
	bool alternate;
	uint64_t slice_ns;
};

void compare_out_normal(const struct compare_report *, struct strbuf *out);
/* One document; raw numbers, the unit in the key; unknown ones are null. */
void compare_out_json(const struct compare_report *, struct strbuf *out);

#endif
