/*
 * `iodeck run --plain`: a run as lines that each say everything, for logs and screen readers. No motion of the
 * cursor, no signs; with words, no abbreviations either.
 */
#ifndef IODECK_APP_PLAIN_H
#define IODECK_APP_PLAIN_H

#include <stdbool.h>

#include "src/base/strbuf.h"
#include "src/stat/snapshot.h"

/*
 * One line for each lane that has begun (or one about the layout), ended by newlines; nothing when there is
 * nothing to say yet. Rates and latencies are of the last second, of the whole run when it is over.
 */
void plain_lines(const struct snapshot *, bool words, struct strbuf *out);
/* "1.23 ms" -> "1.23 milliseconds", "364k" -> "364 thousand"; what it does not know stays. */
void plain_words(const char *number, char *out, size_t size);

#endif
