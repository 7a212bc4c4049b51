/* What the suites of options at work share: a scratch folder, and runs of one line with one outcome. */
#ifndef IODECK_TESTS_RUN_RIG_H
#define IODECK_TESTS_RUN_RIG_H

#include "tests/unit/run_help.h"

/* A fresh folder on tmpfs and a file name in it, "%s" of the lines below. */
extern char run_dir[64], run_path[128];
void run_rig_setup(void);
void run_rig_cleanup(void);

/* Runs the line; it must end without an error. */
void run_ok(struct run_help *, const char *args);
/* Must be refused with a message that has `says` in it. */
void expect_refused(const char *args, const char *says);
uint64_t ops_of(const char *args, enum io_op);
uint64_t ms_of(const char *args);
/* Takes low to high ms, at least once in some tries; never less. */
void expect_ms(const char *args, uint64_t low, uint64_t high);
void expect_reads(const char *args, uint64_t low, uint64_t high);

#endif
