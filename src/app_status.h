/* The live line of `iodeck run` (fio-language 3.3), as text. */
#ifndef IODECK_APP_STATUS_H
#define IODECK_APP_STATUS_H

#include "src/base/strbuf.h"
#include "src/run/session.h"

/* "Jobs: 2 (f=2): [r(2)][45.0%][r=153MiB/s][r=39.1k IOPS][eta 00m:05s]"; no newline. */
void status_line(const struct session_progress *, struct strbuf *out);

#endif
