/* `iodeck suite`: a profile of sweeps, run one after the other, told on one page. */
#ifndef IODECK_APP_SUITE_H
#define IODECK_APP_SUITE_H

#include "src/base/strbuf.h"

/*
 * argv after the word `suite`. Exit status: 0; 1 for a bad request, a stage that failed, or when no stage
 * could run; 128 after a signal, with everything measured so far reported.
 */
int app_suite(int argc, char *const *argv);
void app_suite_help(struct strbuf *out);

/* The words of `iodeck suite` itself; for help and manual. */
struct suite_word {
	const char *name, *arg, *help; /* arg NULL: none */
};
extern const struct suite_word suite_words[];

#endif
