/* Parse and print of the job options that hold lists. Only jobopts*.c need this. */
#ifndef IODECK_SPEC_OPT_LISTS_H
#define IODECK_SPEC_OPT_LISTS_H

#include "src/base/option.h"

int percentiles_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void percentiles_print(const void *obj, const struct option_def *, struct strbuf *out);

#endif
