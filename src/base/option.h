/*
 * Options are data. One row drives the job-file parser, the command line, the profile writer, the
 * form editor, help and the man page. A row names a field of a plain struct by offset; the functions
 * here read and write that field and know nothing of what the option means.
 * Rows are const and static; the struct is owned by the caller. Single-threaded.
 */
#ifndef IODECK_BASE_OPTION_H
#define IODECK_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"

enum option_type {
	OPT_FLAG,   /* bool; bare word means 1; also =0 =1 */
	OPT_BOOL,   /* bool; value needed, 0 or 1 */
	OPT_U32,    /* uint32_t */
	OPT_U64,    /* uint64_t */
	OPT_SIZE,   /* uint64_t bytes, size suffixes */
	OPT_AMOUNT, /* struct amount: bytes or percent */
	OPT_TIME,   /* uint64_t ns; `scale` is what a bare number counts */
	OPT_ENUM,   /* uint32_t; one of `choices` */
	OPT_STR,    /* char *, owned by the struct; NULL is "not set"; "" only with OPT_BARE_STR */
	OPT_SIZE3,  /* uint64_t[3]: read,write,trim, sizes; fio's fill rule */
	OPT_U64X3,  /* uint64_t[3]: read,write,trim, plain numbers */
	OPT_CUSTOM, /* parse/print of the row */
};

/* A size given in bytes or as a percentage of something known later. */
struct amount {
	uint64_t bytes;
	uint32_t pct; /* 1..100 when is_pct */
	bool is_pct, is_set;
};

struct option_choice {
	const char *word;
	uint32_t value;
	const char *help;
};

enum option_flags {
	OPT_LIVE = 1u << 0,     /* may change while a run is on */
	OPT_PCT_OK = 1u << 1,   /* OPT_AMOUNT: N% allowed */
	OPT_CLI_ONLY = 1u << 2, /* a word of the command line, an error in a job file */
	OPT_LATE = 1u << 3,     /* evaluated after the other options of its section (filename) */
	OPT_EARLY = 1u << 4,    /* evaluated before them (kb_base) */
	OPT_FORM = 1u << 5,     /* shown in the console's setup strip */
	OPT_MIRROR = 1u << 6,   /* another way to say what a different row owns (buffered of
				   direct): settable, never defaulted, saved or copied */
	OPT_BARE_STR =
		1u << 7, /* OPT_STR: in a job file the bare word is allowed and stored as "" */
};

struct option_def {
	const char *name;  /* NULL ends a table */
	const char *alias; /* second name or NULL */
	enum option_type type;
	size_t offset;                       /* offsetof the field */
	uint64_t min, max;                   /* numbers, sizes, durations in ns; max 0: no limit */
	uint64_t scale;                      /* OPT_TIME: ns that a bare number counts */
	const struct option_choice *choices; /* OPT_ENUM; word NULL ends */
	const char *def;                     /* default as text, NULL: none/empty */
	const char *unit;                    /* "bytes", "s", "IOPS" for help; NULL: none */
	const char *help;                    /* one sentence, for help, form and man page */
	unsigned flags;
	const char *accepts; /* for messages and help where the type does not tell; or NULL */
	/*
	 * OPT_STR only: is this a text the option can mean? NULL: any. The text is kept as written and
	 * taken apart by whoever uses it, with the same function; `choices` then hold examples.
	 */
	int (*check)(const char *text, unsigned kb_base, struct err *);
	/* OPT_CUSTOM only: text -> field, field -> text as a job file would hold it. */
	int (*parse)(void *obj, const struct option_def *, const char *text, struct err *);
	void (*print)(const void *obj, const struct option_def *, struct strbuf *);
};

/* By name or alias, exactly; NULL when there is none. */
const struct option_def *option_find(const struct option_def *rows, const char *name);
/* The nearest name by edit distance (at most half its length), or NULL. For "did you mean". */
const char *option_nearest(const struct option_def *rows, const char *name);
/* Single-character changes between two words; UINT_MAX when one is too long to be a name. */
unsigned option_distance(const char *a, const char *b);
/* True for rows whose bare word means 1. */
bool option_is_bare(const struct option_def *row);
/* True when a job file holds this value as the bare word: a flag that is 1, a text that is "". */
bool option_prints_bare(const struct option_def *row, const void *obj);
/* Sets every field of obj to its row's default. obj must be zeroed before the first call. */
void option_defaults(const struct option_def *rows, void *obj);
/*
 * Text into the field. text NULL: the bare word. kb_base for sizes (1024 or 1000). Messages name
 * the option, the offending text and the accepted range; the caller adds file and line.
 */
int option_set(const struct option_def *row, void *obj, const char *text, unsigned kb_base,
	       struct err *e);
/*
 * The same; adds one sentence to `note` (may be NULL) when the value is read differently from what
 * people or fio expect: 4KiB with kb_base 1024, runtime=1min, bs=4k-8k.
 */
int option_set_note(const struct option_def *row, void *obj, const char *text, unsigned kb_base,
		    struct strbuf *note, struct err *e);
/* The field as text that option_set reads back to the same value with kb_base 1024. */
void option_print(const struct option_def *row, const void *obj, struct strbuf *out);
/* The same for any kb_base: sizes lose their suffix where it would mean something else. */
void option_print_kb(const struct option_def *row, const void *obj, unsigned kb_base,
		     struct strbuf *out);
/* What the row accepts, for messages and help: "1 to 4096", "0 or 1", "read, write, ...". */
void option_range(const struct option_def *row, struct strbuf *out);
bool option_equal(const struct option_def *row, const void *a, const void *b);
/* Deep copy and free of everything the rows own (strings). dst must be zeroed or initialised. */
void option_copy(const struct option_def *rows, void *dst, const void *src);
void option_free(const struct option_def *rows, void *obj);

#endif
