/*
 * The text that names a simulated device and changes some of its numbers:
 *      sim:nvme    sim:nvme?channels=8&seed=7&stall=2s/30ms
 * Pure; any thread.
 */
#ifndef IODECK_ENGINES_SIM_TARGET_H
#define IODECK_ENGINES_SIM_TARGET_H

#include "engines/sim_params.h"
#include "src/base/err.h"
#include "src/base/option.h"

#define SIM_PREFIX "sim:"

/* The keys after the question mark; obj is a struct sim_params. For help and man page. */
extern const struct option_def sim_target_options[];

/* 0 or -EINVAL/-ERANGE with one line that names the offending part and the known ones. */
int sim_target_parse(const char *text, struct sim_params *out, struct err *e);

#endif
