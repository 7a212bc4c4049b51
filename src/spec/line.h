/*
 * What happens to one line of a job file before its option is looked up: comments, variables,
 * arithmetic, the split at '='. Pure text functions.
 */
#ifndef IODECK_SPEC_LINE_H
#define IODECK_SPEC_LINE_H

#include <stdbool.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"

/* Cuts the comment (from the first ';' or '#', wherever it is) and the blanks at both ends. */
char *line_trim(char *line);
/*
 * ${NAME} becomes the environment variable (unset: an error that names it), $ncpus $pagesize
 * $mb_memory become numbers; *had_keyword tells whether one of these was there.
 */
int line_expand(const char *line, struct strbuf *out, bool *had_keyword, struct err *e);
/*
 * Evaluates text made only of numbers, + - * / and parentheses, with whole numbers and the usual
 * precedence. Anything else comes out unchanged: a path may hold a '/'. Errors: division by zero,
 * overflow, a missing operand.
 */
int line_evaluate(const char *text, struct strbuf *out, struct err *e);

/* key=value split in place. val NULL: there was no '='. */
struct key_value {
	char *key, *val;
	bool blank_before_value; /* fio would have kept it in the value */
};

struct key_value line_split(char *line);

#endif
