/*
 * The texts a job file is made of: the file itself and, while an `include` is read, the included ones
 * on top of it. Hands out numbered lines. Owned by the reading of one job file.
 */
#ifndef IODECK_SPEC_SOURCE_H
#define IODECK_SPEC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"

#define SOURCE_DEPTH_MAX 16
#define SOURCE_LINE_MAX  65536

struct source {
	char *name; /* as it stands in messages */
	struct strbuf text;
	size_t pos;
	unsigned line; /* of the line handed out last, from 1 */
	dev_t dev;
	ino_t ino; /* 0: not a file */
};

struct source_stack {
	struct source v[SOURCE_DEPTH_MAX];
	unsigned depth;
};

/* From memory; `name` stands in messages. */
void source_push_text(struct source_stack *, const char *name, const char *text, size_t len);
/* "-" is standard input. */
int source_push_file(struct source_stack *, const char *path, struct err *e);
/* An include: the path as it is, beside the including file, beside the job file. Regular files only. */
int source_push_include(struct source_stack *, const char *path, struct err *e);
/*
 * The next line into buf without its newline: 1, 0 at the end of everything, or -errno for a line that
 * is too long or holds a control character.
 */
int source_next(struct source_stack *, struct strbuf *buf, struct err *e);
/* The text that source_next read last. */
const struct source *source_top(const struct source_stack *);
void source_fini(struct source_stack *);

#endif
