/* `iodeck devices`: what block devices there are, and what would be said to writing to each. */
#ifndef IODECK_APP_DEVICES_H
#define IODECK_APP_DEVICES_H

#include <stdbool.h>

#include "src/base/err.h"
#include "src/base/strbuf.h"

struct devices_opts {
	const char *fsroot; /* "" the real machine */
	bool json, all;     /* all: also those without a size (unused loops, empty readers) */
};

/* The exit status. argv without the program and the word `devices`. */
int app_devices(int argc, char *const *argv);
/* The listing itself; 0 or -errno. */
int devices_print(const struct devices_opts *, struct strbuf *out, struct err *e);

#endif
