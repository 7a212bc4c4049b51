#include "tests/pty/monkey_keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/strbuf.h"
#include "src/base/xalloc.h"
#include "ui/keys.h"
#include "ui/term.h"
#include "ui/utf8.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

/* Common words of a session; each begins where the one before may have left a dialog open. */
static const char *const commands[] = {
	"\033:set bs=4k qd=8 numjobs=1 size=1m\r",
	"\033:set bs=4k qd=8 numjobs=1 size=1m\r", /* often: the monkey likes large memories */
	"\033:set rw=randrw rwmixread=50\r ",
	"\033:set rw=randread\r ",
	"\033:set ioengine=psync direct=0\r",
	"\033:set ioengine=io_uring\r",
	"\033:set ioengine=mmap direct=0\r",
	"\033:set ioengine=null\r",
	"\033:set runtime=1\r ",
	"\033:set fps=10\r",
	"\033:set rate_iops=100\r",
	"\033:set nonsense=1\r",
	"\033:dev sim:nvme\r ",
	"\033:dev sim:hdd?seed=3\r ",
	"\033:dev own\r:set size=1m\r ",
	"\033:dev /nowhere/at/all\r",
	"\033:mark here\r",
	"\033:slo p99<1ms\r",
	"\033:profile save m\r",
	"\033:profile save! m\r",
	"\033:profile load m\r",
	"\033:save-screen s.ans\r",
	"\033:save-screen s.svg\r",
	"\033:lane B\r",
	"\033:mode alternate 1s\r",
	"\033:sweep-screen\re\025qd=1..4 bs=4k\r ",
	"\033:compare-screen\r ",
	"\033:run-screen\r ",
	"\033 ",
	"qs",
	"\033:quit\r",
};

/* Straight at the guard. */
static const char *const writes[] = {
	"\033\033:set rw=randwrite\r ",
	"\033\033:set rw=write ioengine=psync\r ",
	"\033\033:set rw=randrw\r overwrite\r",
	"\033\033:sweep-screen\r:set rw=randwrite\r ",
	"\033\033:compare-screen\r:set rw=randwrite\r ",
};

/* What a terminal, a line or a finger may leave half done. \034 (Ctrl-\) is not here: it kills, as it should. */
static const char *const pieces[] = {
	"\033",      "\033[",     "\033O",     "\033[1;",      "\033[<0;9;9M", "\033[<64;1;1M",
	"\033[M !!", "\033[200~", "\033[201~", "\033[999999A", "\033[?1;2c",   "\xc2",
	"\xe2\x96",  "\xf0\x9f",  "\xff",      "\xb5",         "\xe2\x86\x92", "\x7f",
	"\b",        "\t",        "\x01",      "\x0c",         "\x1a",         "\x03",
	"\033[Z",    "\033[5~",   "\033[6~",   "\033[H",       "\033[F",       "\033[3~",
};

static void put(struct token *t, const char *s)
{
	t->n = strlen(s);
	memcpy(t->bytes, s, t->n);
}

static const struct {
	uint32_t key;
	const char *bytes;
} specials[] = {
	{TERM_UP, "\033[A"},      {TERM_DOWN, "\033[B"},    {TERM_RIGHT, "\033[C"},
	{TERM_LEFT, "\033[D"},    {TERM_HOME, "\033[H"},    {TERM_END, "\033[F"},
	{TERM_PGUP, "\033[5~"},   {TERM_PGDN, "\033[6~"},   {TERM_DEL, "\033[3~"},
	{TERM_BACKSPACE, "\x7f"}, {TERM_ENTER, "\r"},       {TERM_ESC, "\033"},
	{TERM_TAB, "\t"},         {TERM_BACKTAB, "\033[Z"}, {TERM_CTRL_C, "\x03"},
	{TERM_CTRL_L, "\x0c"},    {TERM_CTRL_Z, "\x1a"},
};

static void put_key(struct token *t, uint32_t key)
{
	for (size_t i = 0; i < ROWS(specials); i++)
		if (specials[i].key == key) {
			put(t, specials[i].bytes);
			return;
		}
	if (key >= TERM_F1 && key < TERM_F1 + 9) { /* Esc and a digit */
		t->n = 2;
		t->bytes[0] = '\033';
		t->bytes[1] = (char)('1' + key - TERM_F1);
		return;
	}
	t->n = key < TERM_KEY_BASE ? utf8_encode(key, t->bytes) : 0;
}

/* A key that means something somewhere. */
static void bound_key(struct rng *r, struct token *t)
{
	const struct keybind *k;
	size_t n = 0;

	while (keys_table[n].request)
		n++;
	do
		k = &keys_table[rng_below(r, n)];
	while (k->request == REQ_QUIT && rng_below(r, 8)); /* or sessions are over too soon */
	put_key(t, k->key);
}

static void printable(struct rng *r, struct token *t)
{
	t->n = 1;
	t->bytes[0] = (char)(' ' + rng_below(r, 95));
}

static void paste(struct rng *r, struct token *t)
{
	struct token one;

	printable(r, &one);
	t->n = 1 + rng_below(r, TOKEN_MAX - 1);
	for (size_t i = 0; i < t->n; i++)
		t->bytes[i] = rng_below(r, 8) ? one.bytes[0] : (char)(' ' + rng_below(r, 95));
}

static void draw_any(struct rng *r, struct token *t)
{
	uint64_t dice = rng_below(r, 1000);

	if (dice < 50)
		put(t, writes[rng_below(r, ROWS(writes))]);
	else if (dice < 600)
		bound_key(r, t);
	else if (dice < 750)
		put(t, commands[rng_below(r, ROWS(commands))]);
	else if (dice < 880)
		printable(r, t);
	else if (dice < 995)
		put(t, pieces[rng_below(r, ROWS(pieces))]);
	else
		paste(r, t);
}

void token_draw(struct rng *r, struct token *t)
{
	do {
		t->n = 0;
		draw_any(r, t);
		for (size_t i = 0; i < t->n; i++)
			if (t->bytes[i] == MONKEY_LACKS)
				t->bytes[i] = 'z';
	} while (t->n == 0);
}

/* ---- the log ---- */

void token_log_add(struct token_log *log, const struct token *t)
{
	if (log->n == log->cap) {
		log->cap = log->cap ? 2 * log->cap : 64;
		log->v = xrealloc(log->v, log->cap * sizeof(*log->v));
	}
	log->v[log->n++] = *t;
}

void token_log_fini(struct token_log *log)
{
	free(log->v);
	*log = (struct token_log){0};
}

int token_log_save(const struct token_log *log, const char *path)
{
	struct strbuf sb = {0};
	int rc;

	for (size_t i = 0; i < log->n; i++) {
		for (size_t k = 0; k < log->v[i].n; k++) {
			unsigned char c = (unsigned char)log->v[i].bytes[k];

			if (c > ' ' && c < 0x7f && c != '\\')
				strbuf_putc(&sb, (char)c);
			else
				strbuf_addf(&sb, "\\%03o", c);
		}
		strbuf_putc(&sb, '\n');
	}
	rc = fs_write_atomic(path, strbuf_str(&sb), sb.len);
	strbuf_fini(&sb);
	return rc;
}

static void parse_line(const char *s, struct token *t)
{
	unsigned c;

	for (t->n = 0; *s && t->n < TOKEN_MAX; t->n++) {
		if (*s == '\\' && sscanf(s + 1, "%3o", &c) == 1) {
			t->bytes[t->n] = (char)c;
			s += 4;
		} else {
			t->bytes[t->n] = *s++;
		}
	}
}

int token_log_load(struct token_log *log, const char *path)
{
	struct strbuf sb = {0};
	struct token *t = xcalloc(1, sizeof(*t));
	int rc = fs_read_all("", path, &sb);

	if (rc == 0)
		strbuf_putc(&sb, '\n');
	for (char *line = strtok(sb.s, "\n"); rc == 0 && line; line = strtok(NULL, "\n")) {
		parse_line(line, t);
		token_log_add(log, t);
	}
	free(t);
	strbuf_fini(&sb);
	return rc;
}
