/*
 * What may stand at the end of a command line: verbs, options and their values, profiles, targets, files.
 * The language itself is script_verbs.c; this only reads its table. UI thread.
 */
#ifndef IODECK_UI_COMPLETE_H
#define IODECK_UI_COMPLETE_H

#include <stddef.h>

struct ui_state;

struct completion {
	size_t from; /* where the word begins that they would replace */
	char **v;    /* sorted, each once */
	size_t n;
};

/* line: up to the cursor. Folders end in '/', options in '=': the others are whole words. */
void complete_line(const struct ui_state *, const char *line, struct completion *out);
void completion_fini(struct completion *);
/* How many bytes all of them share. 0 when there are none. */
size_t completion_common(const struct completion *);

#endif
