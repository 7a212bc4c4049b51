/* The formats themselves, for the table in report.c. One file each, out_<name>.c. */
#ifndef IODECK_OUT_FORMATS_H
#define IODECK_OUT_FORMATS_H

#include "src/out/report.h"

extern const struct report_ops report_normal, report_terse, report_json, report_json_plus;

#endif
