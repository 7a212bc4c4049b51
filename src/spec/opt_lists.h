/* Parse and print of the job options that hold lists. Only jobopts*.c need this. */
#ifndef IODECK_SPEC_OPT_LISTS_H
#define IODECK_SPEC_OPT_LISTS_H

#include "src/base/option.h"

int percentiles_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void percentiles_print(const void *obj, const struct option_def *, struct strbuf *out);
int startdelay_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void startdelay_print(const void *obj, const struct option_def *, struct strbuf *out);
int service_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void service_print(const void *obj, const struct option_def *, struct strbuf *out);
int cpumask_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void cpumask_print(const void *obj, const struct option_def *, struct strbuf *out);
int nice_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void nice_print(const void *obj, const struct option_def *, struct strbuf *out);
int max_latency_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void max_latency_print(const void *obj, const struct option_def *, struct strbuf *out);
/* A double from 0 to 100. */
int percent_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void percent_print(const void *obj, const struct option_def *, struct strbuf *out);
/* A size that is a power of two, or 0. */
int power_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void power_print(const void *obj, const struct option_def *, struct strbuf *out);
int steady_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void steady_print(const void *obj, const struct option_def *, struct strbuf *out);
/* A bool that is written as the first or the second word of `choices`. */
int word_parse(void *obj, const struct option_def *, const char *text, struct err *e);
void word_print(const void *obj, const struct option_def *, struct strbuf *out);

/* option_def.check of the options that job_lists.h takes apart. */
int bssplit_check(const char *text, unsigned kb_base, struct err *e);
int bsrange_check(const char *text, unsigned kb_base, struct err *e);
int distribution_check(const char *text, unsigned kb_base, struct err *e);
int filesize_check(const char *text, unsigned kb_base, struct err *e);
int cpus_check(const char *text, unsigned kb_base, struct err *e);
int nodes_check(const char *text, unsigned kb_base, struct err *e);
int mem_policy_check(const char *text, unsigned kb_base, struct err *e);
int skip_check(const char *text, unsigned kb_base, struct err *e);
int ignore_check(const char *text, unsigned kb_base, struct err *e);

#endif
