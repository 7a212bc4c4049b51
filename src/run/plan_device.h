/* A plan whose engine brings its own device along: filename=sim:nvme. Used by plan.c. */
#ifndef IODECK_RUN_PLAN_DEVICE_H
#define IODECK_RUN_PLAN_DEVICE_H

#include "src/run/plan.h"

/* Takes the device that filename= names; none when the engine has none, or no filename is given. */
int plan_device_open(struct plan *, struct clock *, struct err *);
void plan_device_close(struct plan *);
/* Without a device: the job's size. */
uint64_t plan_device_bytes(const struct plan *);
/* A name of such a device with another engine would make a file "sim" and a file "nvme". */
int plan_device_refuse(const struct job_spec *, const char *engine, struct err *);

#endif
