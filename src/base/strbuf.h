/*
 * A growing text. Owned by whoever declared it; `struct strbuf sb = {0};` is a valid empty one and
 * strbuf_fini() frees it. Running out of memory ends the program (xalloc), so nothing returns errors.
 */
#ifndef IODECK_BASE_STRBUF_H
#define IODECK_BASE_STRBUF_H

#include <stddef.h>

struct strbuf {
	char *s; /* NUL-terminated once anything was added; NULL before */
	size_t len, cap;
};

void strbuf_add(struct strbuf *sb, const char *text, size_t len);
void strbuf_puts(struct strbuf *sb, const char *text);
void strbuf_putc(struct strbuf *sb, char c);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_reset(struct strbuf *sb); /* empty, memory kept */
void strbuf_fini(struct strbuf *sb);
/* The text, "" when nothing was added. Valid until the next change. */
const char *strbuf_str(const struct strbuf *sb);

#endif
