#include "src/base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

static void strbuf_grow(struct strbuf *sb, size_t extra)
{
	size_t cap = sb->cap ? sb->cap : 64;

	while (cap < sb->len + extra + 1)
		cap *= 2;
	if (cap != sb->cap) {
		sb->s = xrealloc(sb->s, cap);
		sb->cap = cap;
	}
}

void strbuf_add(struct strbuf *sb, const char *text, size_t len)
{
	strbuf_grow(sb, len);
	memcpy(sb->s + sb->len, text, len);
	sb->len += len;
	sb->s[sb->len] = '\0';
}

void strbuf_puts(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_putc(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n > 0) {
		strbuf_grow(sb, (size_t)n);
		vsnprintf(sb->s + sb->len, (size_t)n + 1, fmt, again);
		sb->len += (size_t)n;
	}
	va_end(again);
}

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->s)
		sb->s[0] = '\0';
}

void strbuf_fini(struct strbuf *sb)
{
	free(sb->s);
	*sb = (struct strbuf){0};
}

const char *strbuf_str(const struct strbuf *sb)
{
	return sb->s ? sb->s : "";
}
