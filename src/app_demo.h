/* `iodeck --demo [NAME]`: simulated devices shown off by a script with captions. Pure data and text. */
#ifndef IODECK_APP_DEMO_H
#define IODECK_APP_DEMO_H

#include <stdbool.h>

#include "src/base/strbuf.h"

#define DEMO_DEFAULT      "sata-nvme"
#define DEMO_STEP_SECONDS "7"

bool app_demo_known(const char *name);
/* "name  what it shows" lines. */
void app_demo_list(struct strbuf *out);
/* The demo as verbs of a script, `step_seconds` from one caption to the next. name is known. */
void app_demo_script(const char *name, const char *step_seconds, struct strbuf *out);

#endif
