/*
 * The console: a terminal (or the memory grid) in front of a feed. Holds no session, no engine; all it
 * can do to the running side is send commands through the feed. One thread, the caller's.
 */
#ifndef IODECK_UI_UI_H
#define IODECK_UI_UI_H

#include <stdbool.h>

#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/spec/spec.h"
#include "src/stat/archive.h"
#include "src/stat/feed.h"
#include "ui/state.h"
#include "ui/term.h"

struct ui_cfg {
	struct feed *feed;
	struct archive *archive;           /* NULL: nothing is kept */
	const struct engine_info *engines; /* name NULL ends */
	const struct sim_info *sims;       /* name "" ends; NULL: none */
	const char *fsroot;                /* "" the real machine */
	struct clock *
		clock; /* that of the snapshots; NULL: clock_real. Virtual: with no_terminal only */
	struct term_cfg term;
	unsigned fps;                  /* frames a second; 0: 5 */
	bool si;                       /* bytes in powers of ten */
	bool bell;                     /* ring when a run ends by itself */
	bool no_terminal;              /* draw on the memory grid; needs a script */
	int w, h;                      /* of the memory grid; 0: 80x24 */
	const char *script;            /* file of verbs, NULL none */
	const char *script_text;       /* the same from memory; any key takes over. NULL none */
	const char *start_target;      /* path, NULL none */
	const struct spec *start_spec; /* a loaded profile, NULL: the console's defaults */
	bool has_consent;              /* some was given with the command line */
	uint64_t ask_wait_ns;          /* a key waits so long for a target to answer; 0: 30 ms */
	/* Writes what a sweep of `job` has measured to a new file, its format by the name's end; NULL: cannot. */
	int (*export_sweep)(const struct sweep_result *, const struct job_spec *job,
			    const char *path, struct err *e);
	/* Reads a sweep that the archive has kept: its job (initialised before) and its cells; NULL: cannot. */
	int (*load_sweep)(const char *name, const char *run_json, struct spec *job,
			  struct sweep_result *, struct err *e);
	const char *start_profile; /* its path, shown and preset when saving; NULL none */
};

struct ui_end {
	int signo;      /* ended by this signal, 0 */
	bool discard;   /* the last run's result is not wanted */
	bool abandoned; /* workers did not drain and the user would not wait: leave by _exit */
	bool stuck;     /* a target does not answer: a thread still uses the feed; leave by _exit */
	char **new_files; /* targets that did not exist before a run of this console made them */
	size_t n_new_files;
};

void ui_end_fini(struct ui_end *);

/*
 * Until the user quits, a script ends, or a signal comes. 0, or -errno: no terminal (-ENOTTY, -ENOTSUP),
 * or a script's error as "file:line: ...". The terminal is restored in any case; no run is on any more
 * unless end->abandoned.
 */
int ui_run(const struct ui_cfg *, struct ui_end *end, struct err *e);

#endif
