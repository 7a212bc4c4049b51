/*
 * One error: a code for the program and one line for the person. The line says what, where and
 * what would be right. Filled by the function that fails, printed by main or shown by the UI.
 */
#ifndef IODECK_BASE_ERR_H
#define IODECK_BASE_ERR_H

struct err {
	int code;      /* a positive errno; 0: no error */
	char msg[512]; /* one line, no newline at its end */
};

/* Fills e (may be NULL) and returns -code, so that callers write `return err_set(...)`. */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the message that e already holds. Returns -e->code. */
int err_wrap(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
