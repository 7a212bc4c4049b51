/* What a monkey types: tokens by weight, a log of them, and the log as a text file. */
#ifndef IODECK_TESTS_MONKEY_KEYS_H
#define IODECK_TESTS_MONKEY_KEYS_H

#include <stddef.h>

#include "src/base/rng.h"

enum { TOKEN_MAX = 4096 };

struct token {
	size_t n;
	char bytes[TOKEN_MAX];
};

/* The next one; never holds MONKEY_LACKS. */
#define MONKEY_LACKS 'Z'
void token_draw(struct rng *, struct token *);

struct token_log {
	struct token *v;
	size_t n, cap;
};

void token_log_add(struct token_log *, const struct token *);
void token_log_fini(struct token_log *);
/* One a line, as C writes strings. 0/-errno. */
int token_log_save(const struct token_log *, const char *path);
int token_log_load(struct token_log *, const char *path);

#endif
