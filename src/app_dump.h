/* Reports asked for while a run is on: SIGUSR1, or a file fio-dump-status in the temporary folder. */
#ifndef IODECK_APP_DUMP_H
#define IODECK_APP_DUMP_H

#include <stdbool.h>

void app_dump_catch_signal(void);
/* Asked since the last call? The file is taken away. Main thread. */
bool app_dump_asked(void);

#endif
