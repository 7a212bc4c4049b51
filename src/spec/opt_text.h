/* Taking apart the texts of options that hold lists: "a:b,c". Pure functions. */
#ifndef IODECK_SPEC_OPT_TEXT_H
#define IODECK_SPEC_OPT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"

/* One part of a list, copied. */
struct opt_part {
	char s[64];
	bool too_long;
	char end; /* the separator behind it, '\0' at the end */
};

/*
 * The next part of *text up to a character of `seps`; false when the list is used up. *text is NULL
 * after the last part, so that "a:" has two parts.
 */
bool opt_next(const char **text, const char *seps, struct opt_part *);
/* Digits with at most one point between them: no sign, exponent, or word. */
int opt_decimal(const struct opt_part *, double min, double max, double *v, struct err *e);
int opt_u64(const struct opt_part *, uint64_t min, uint64_t max, uint64_t *v, struct err *e);
int opt_size(const struct opt_part *, unsigned kb_base, uint64_t *bytes, struct err *e);
int opt_time(const struct opt_part *, uint64_t bare_ns, uint64_t *ns, struct err *e);

#endif
