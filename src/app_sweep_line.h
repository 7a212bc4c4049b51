/* One line that says what a sweep does just now, for stderr. */
#ifndef IODECK_APP_SWEEP_LINE_H
#define IODECK_APP_SWEEP_LINE_H

#include "src/base/strbuf.h"
#include "src/stat/sweep_view.h"

/* "5/32  qd 16 bs 4k: measuring, 200k IOPS +-3.1 %, left 1:08" */
void app_sweep_line(const struct sweep_view *, struct strbuf *out);

#endif
