/* The words that exist on the command line only, as a table. cmdline.c walks it. */
#ifndef IODECK_SPEC_CMDLINE_WORDS_H
#define IODECK_SPEC_CMDLINE_WORDS_H

#include "src/spec/cmdline.h"

struct cmdline_word {
	const char *name;  /* NULL ends the table */
	const char *alias; /* or NULL */
	/* What the value is called in the help; NULL: takes none; "[X]": may be there, behind '='. */
	const char *arg;
	/* NULL: accepted and without effect, as in fio. val is NULL when arg is. */
	int (*set)(struct cmdline *, const char *val, struct err *e);
	const char *help; /* NULL: not shown */
};

extern const struct cmdline_word cmdline_words[];
/* Words of fio that are not supported here; ended by NULL. */
extern const char *const fio_cmdline_names[];

#endif
