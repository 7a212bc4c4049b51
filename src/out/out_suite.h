/* The reports of a suite: one page of text, or one json document. Pure but for the buffer. */
#ifndef IODECK_OUT_OUT_SUITE_H
#define IODECK_OUT_OUT_SUITE_H

#include "src/base/strbuf.h"
#include "src/stat/suite_result.h"

void suite_out_normal(const struct suite_result *, struct strbuf *out);
/* Each sweep in it is a document as of `iodeck sweep`. Unknown numbers are null. */
void suite_out_json(const struct suite_result *, struct strbuf *out);

#endif
