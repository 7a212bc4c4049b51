/*
 * The real binary on a terminal, in a folder of its own: its HOME, its working directory, the scratch
 * file and the report are all there, and go with it. No Criterion in here: the stress programs use it too.
 */
#ifndef IODECK_TESTS_DECK_H
#define IODECK_TESTS_DECK_H

#include "tests/pty/vt.h"

/* How long something may take on a loaded machine under a sanitizer. */
enum { PATIENCE_MS = 30000 };

struct deck {
	struct vt *vt;
	char dir[64];
	char json[96];    /* --json */
	char scratch[96]; /* a path for a target; nothing is there yet */
};

struct deck_cfg {
	const char *target;       /* NULL: the scratch file */
	const char *script;       /* verbs for --script; NULL: none */
	const char *const *words; /* further arguments, NULL ends; may be NULL */
	const char *const *env;   /* as for vt_spawn() */
	int w, h;                 /* 0: 80x24 */
};

/* A call that cannot work ends the program with a message. */
void deck_start(struct deck *, const struct deck_cfg *);
/* The same in parts, for tests that need the folder first, or start the binary in their own way. */
void deck_make(struct deck *);
void deck_spawn(struct deck *, const struct deck_cfg *);
void deck_argv(const struct deck *, const struct deck_cfg *, char *argv[16]);
void deck_end(struct deck *); /* kills what still runs; the folder is removed */

/* Waits; says what is on the screen when it does not come. */
bool deck_shows(struct deck *, const char *text);
/* Space, and a full second of the run has been measured. */
bool deck_run(struct deck *);
/* The path of a file in the folder. */
void deck_path(const struct deck *, const char *name, char *out, size_t size);
/* Waits for a file to be there. */
bool deck_wait_file(struct deck *, const char *path);

/*
 * Is the screen what the program means it to be? `ansi` is a file that its `save-screen` has written;
 * waits up to ms. what: for the message, NULL: none is wanted.
 */
bool deck_screen_is(struct deck *, const char *ansi, int ms, const char *what);
/* The same for a screen that changes: saves it and looks, until it fits once. */
bool deck_live_screen_is_right(struct deck *, const char *what);

#endif
