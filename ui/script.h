/*
 * The command line's verbs, and files of them: `set qd=64`, `run`, `wait idle`, `assert TEXT`. One verb
 * a line, a leading ':' is optional, '#' begins a comment line. The same verbs are typed after `:`.
 * A script is stepped by the loop between frames, so waiting never blocks the screen. UI thread.
 */
#ifndef IODECK_UI_SCRIPT_H
#define IODECK_UI_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"

struct console;

enum script_wait { WAIT_NONE, WAIT_RUNNING, WAIT_IDLE, WAIT_TIME, WAIT_TEXT };

struct script {
	char *name; /* as in messages */
	char *text; /* owned; lines are cut in place */
	char *next; /* the next line, NULL at the end */
	unsigned line;
	enum script_wait wait;
	uint64_t until_ns;   /* WAIT_TIME: over then; else: fails then, 0 never */
	char wait_text[256]; /* WAIT_TEXT */
};

enum script_state { SCRIPT_WAITING, SCRIPT_DONE, SCRIPT_FAILED };

int script_load(struct script *, const char *path, struct err *e);
/* The same from memory. */
void script_parse(struct script *, const char *name, const char *text);
void script_fini(struct script *);
/* Runs verbs until one waits, the end, or an error ("file:line: ..." in e). */
enum script_state script_step(struct script *, struct console *, uint64_t now_ns, struct err *e);

/* One verb. sc NULL: typed by a person; verbs that only make sense in a file are refused then. */
int script_verb(struct console *, struct script *sc, const char *line, uint64_t now_ns,
		struct err *e);
/* What completes the arguments of a verb. */
enum script_args {
	SCRIPT_ARGS_NONE,
	SCRIPT_ARGS_WORDS,
	SCRIPT_ARGS_SETTINGS,
	SCRIPT_ARGS_SWEEP,
	SCRIPT_ARGS_PROFILE,
	SCRIPT_ARGS_TARGET,
	SCRIPT_ARGS_EXPORT,
	SCRIPT_ARGS_FILE,
};
struct script_verb_row {
	const char *name, *words; /* words: with blanks between; NULL none */
	enum script_args kind;
	bool script_only;
	bool writes; /* makes files */
};
/* The i-th; false: there are no more. */
bool script_verb_at(size_t i, struct script_verb_row *);
/* Would a person's ":line" be a command? */
bool script_is_verb(const char *line);
/* Does the screen, drawn now, show the text? */
bool script_screen_has(struct console *, const char *text);
/* "verb ARGS<TAB>what it does" lines for the help page. */
void script_verbs_help(struct strbuf *out);

#endif
