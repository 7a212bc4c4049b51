/* The files of a job: names into the plan's targets. Only plan.c needs this. */
#ifndef IODECK_RUN_PLAN_NAMES_H
#define IODECK_RUN_PLAN_NAMES_H

#include "src/run/plan.h"

/* fio-language 1.4: filename (a list, shared by the clones), else names made for each clone and file. */
int plan_name_files(struct plan *, struct err *);

#endif
