/*
 * Allocation for start-up and for small texts: running out of memory prints one line and ends the
 * program. Never called by a worker while it runs. Large buffers that depend on user input use
 * buf_alloc(), which fails with an error instead.
 */
#ifndef IODECK_BASE_XALLOC_H
#define IODECK_BASE_XALLOC_H

#include <stddef.h>

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s); /* NULL gives NULL */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Page-aligned anonymous memory of at least `bytes`, zeroed, huge pages asked for when it is large.
 * NULL when it cannot be had. Freed with buf_free(p, bytes).
 */
void *buf_alloc(size_t bytes);
void buf_free(void *p, size_t bytes);

#endif
