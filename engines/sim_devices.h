/* The simulated devices that have a name. Const data; any thread. */
#ifndef IODECK_ENGINES_SIM_DEVICES_H
#define IODECK_ENGINES_SIM_DEVICES_H

#include "engines/sim_params.h"

/* Ended by NULL. */
extern const struct sim_params *const sim_devices[];
/* NULL: there is none such. */
const struct sim_params *sim_device_find(const char *name);

#endif
