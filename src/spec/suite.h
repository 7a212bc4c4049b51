/*
 * A suite: stages that run one after the other, each a job that is run to its end, swept, or repeated until
 * the device is steady. A suite is a plain job file, which fio runs too; what makes a section a stage
 * stands in its comment lines, one key each (the rows of suite_options):
 *
 *   [rand-read]
 *   ; iodeck: title=Random read by depth
 *   ; iodeck: sweep=qd=1..256
 *   rw=randread
 */
#ifndef IODECK_SPEC_SUITE_H
#define IODECK_SPEC_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/option.h"
#include "src/spec/spec.h"
#include "src/spec/sweep_spec.h"

enum suite_kind { SUITE_RUN, SUITE_SWEEP, SUITE_STEADY };

struct suite_opts {
	char *title, *sweep; /* sweep: its words; NULL: none */
	bool steady, precondition;
	uint64_t round_ns;
	uint32_t window, rounds, range_pct, slope_pct; /* of steady: see stat/rounds.h */
};

struct suite_stage {
	char *name; /* of its section */
	enum suite_kind kind;
	struct suite_opts opts;
	struct sweep_spec sweep; /* settled; of SUITE_SWEEP */
};

struct suite {
	char *title;      /* of the file: its first comment line */
	struct spec spec; /* job i is stage i's */
	struct suite_stage *stage;
	size_t n;
};

extern const struct option_def suite_options[];

/* Nothing half-read is left. Errors name file and line, or file and section. */
int suite_load(const char *path, struct suite *, struct err *e);
int suite_parse(const char *name, const char *text, struct suite *, struct err *e);
void suite_fini(struct suite *);
/*
 * The path of a suite by its name: NAME itself when it looks like a path, else suite-NAME.fio in the user's
 * folder of profiles, then in the shipped one. NULL: there is none. Owned by the caller.
 */
char *suite_find(const char *name);
/* Puts options of the command line over every stage's own. Those that make the stage what it is are refused. */
int suite_override(struct suite *, const struct job_spec *given, struct err *e);
/* Keeps the stages named in "a,b"; -ENOENT with the known names. */
int suite_only(struct suite *, const char *names, struct err *e);
/* All times multiplied, down to what still means something. quick: coarser axes and fewer rounds, too. */
void suite_scale(struct suite *, double factor, bool quick);

#endif
