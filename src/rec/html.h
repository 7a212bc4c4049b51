/* A run as one html page: facts, numbers, events, the last picture. Needs nothing from elsewhere. */
#ifndef IODECK_REC_HTML_H
#define IODECK_REC_HTML_H

#include <stddef.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"

/* run: run.json; svg: screen.svg, "" none. -EINVAL when run.json is damaged. */
int html_print(const char *run, size_t len, const char *svg, struct strbuf *out, struct err *e);

#endif
