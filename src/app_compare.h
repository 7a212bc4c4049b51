/* `iodeck run --compare A.fio B.fio`: two to four jobs as lanes of one run, and the table of differences. */
#ifndef IODECK_APP_COMPARE_H
#define IODECK_APP_COMPARE_H

#include <stdbool.h>

/* Is --compare among the words after `run`? */
bool app_compare_wanted(int argc, char *const *argv);
/* argv: the words after `run`. The exit status is that of `iodeck run`. */
int app_compare(int argc, char *const *argv);

#endif
