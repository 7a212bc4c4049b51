/* The one way engines answer "does this kernel let us?": open an instance, read 4 KiB, look at it. */
#ifndef IODECK_ENGINES_PROBE_H
#define IODECK_ENGINES_PROBE_H

#include "engines/engine.h"

/*
 * One real read of a small memory file through an instance at default options. 0, or -errno with
 * "NAME: cause" in e. Any thread; it leaves nothing behind.
 */
int engine_probe_io(const struct engine_ops *ops, struct err *e);

#endif
