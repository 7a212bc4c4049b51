/* What a sweep found, in words: the same lines in the report and on the screen. Pure. */
#ifndef IODECK_STAT_SWEEP_TEXT_H
#define IODECK_STAT_SWEEP_TEXT_H

#include "src/stat/sweep_result.h"

#define FINDINGS_MAX 12

struct finding {
	const char *label; /* "model" "knee" ...; "" goes on with the line above */
	char text[176];
};

/*
 * The lines of one column. first: the knee rule told first, the others follow when `all`. micro: the "u"
 * of "us". The number of lines.
 */
unsigned sweep_findings_text(const struct sweep_result *, unsigned col, enum knee_rule first,
			     bool all, const char *micro, struct finding out[FINDINGS_MAX]);
/* "qd 32"; "bs 4k"; "" without such an axis. */
void sweep_row_text(const struct sweep_result *, unsigned row, char *out, size_t size);
void sweep_col_text(const struct sweep_result *, unsigned col, char *out, size_t size);

#endif
