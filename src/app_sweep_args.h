/* The command line of `iodeck sweep`: its own words, the sweep's options, and job options. */
#ifndef IODECK_APP_SWEEP_ARGS_H
#define IODECK_APP_SWEEP_ARGS_H

#include "src/out/sweep_load.h"
#include "src/spec/cmdline.h"
#include "src/spec/sweep_spec.h"

struct sweep_args {
	struct cmdline cmd; /* the job; its readonly, eta, output, parse_only, help, version hold */
	struct sweep_spec spec;
	unsigned formats;          /* enum sweep_format bits */
	const char *export_jobs;   /* of argv; NULL none */
	const char *resume;        /* of argv; NULL: from the start */
	struct sweep_saved *saved; /* resume: what that file holds, compared with the rest */
};

/*
 * An option with several values is an axis, one with a single value a setting of the job: --bs=4k,16k is
 * an axis, --bs=4k is not. With --resume=FILE the job and the axes may be left out; given, they must be those
 * of the file. 0 or -errno; nothing half-done is left.
 */
int sweep_args_parse(int argc, char *const *argv, struct sweep_args *, struct err *e);
void sweep_args_fini(struct sweep_args *);
void sweep_args_help(struct strbuf *out);

/* The words of `iodeck sweep` itself, for help and manual. */
struct sweep_word {
	const char *name, *arg, *help;
};
extern const struct sweep_word sweep_words[];

#endif
