/* Parse and print of the job options that are not plain fields. Only jobopts.c needs this. */
#ifndef IODECK_SPEC_RW_SPEC_H
#define IODECK_SPEC_RW_SPEC_H

#include "src/base/option.h"

/* The words of rw=, for help and forms; their values are unused. */
extern const struct option_choice rw_choices[];

int rw_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void rw_print(const void *obj, const struct option_def *, struct strbuf *out);
int buffered_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void buffered_print(const void *obj, const struct option_def *, struct strbuf *out);
int rwmixwrite_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void rwmixwrite_print(const void *obj, const struct option_def *, struct strbuf *out);

#endif
