/*
 * What a reader of a report should know and fio's formats have no place for: one line each, for stderr.
 * Any thread; owns nothing.
 */
#ifndef IODECK_OUT_END_NOTES_H
#define IODECK_OUT_END_NOTES_H

#include "src/base/strbuf.h"
#include "src/stat/result.h"

/* Appends lines "job: text\n" about a derived result. */
void end_notes(const struct run_result *, struct strbuf *out);

#endif
