/*
 * The setup strip's values: stepping, typing, and what of it a running lane can take over at once.
 * Every change goes through the option rows of spec, so limits and messages are those of a job file.
 * Works on plain state; knows no screen, no feed. UI thread.
 */
#ifndef IODECK_UI_SETUP_H
#define IODECK_UI_SETUP_H

#include <stdbool.h>

#include "src/base/err.h"
#include "src/spec/tuning.h"
#include "ui/state.h"

/* The console's own defaults: 4 KiB random reads, qd 32, direct, 2 minutes. engines must be set. */
void setup_defaults(struct ui_state *);

/*
 * The next value in direction dir (+1, -1). iops_seen: what one job does now, where a rate cap starts
 * from (0: unknown). -ERANGE at the last value, -EINVAL when the field has no effect as things are;
 * nothing is changed then.
 */
int setup_step(struct ui_state *, enum field, int dir, double iops_seen, struct err *e);
/* A typed value: whatever state_field_text() shows reads back, and fio's own spelling. */
int setup_type(struct ui_state *, enum field, const char *text, struct err *e);
/* "qd=64", "bs=16k", and any other job option by its fio name. *f: FIELD_NR when it has no field. */
int setup_assign(struct ui_state *, const char *word, enum field *f, struct err *e);

/* Typing into the focused field: begin, a keystroke happened, end. */
void setup_edit_begin(struct ui_state *);
void setup_edit_echo(struct ui_state *); /* edit_echo says what the text means so far */
void setup_edit_end(struct ui_state *);

/* May this field change while a run is on (OPT_LIVE)? */
bool setup_field_live(enum field);
/*
 * Puts one field of `job` into a running lane's tuning. start_ops: the ops the run began with; a change
 * that needs another op, or something a tuning cannot carry, is not live: false, nothing changed.
 */
bool setup_tune(struct tuning *, enum field, const struct job_spec *job, uint8_t start_ops);
/* The strip as the lane has it: after a change that came late was refused. The pattern stays. */
void setup_from_tuning(struct job_spec *, const struct tuning *);

#endif
