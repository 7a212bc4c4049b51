/* What a user should know before the job starts. Only plan.c needs this. */
#ifndef IODECK_RUN_PLAN_NOTES_H
#define IODECK_RUN_PLAN_NOTES_H

#include "src/run/plan.h"

void plan_notes(const struct plan *, struct strbuf *notes);

#endif
