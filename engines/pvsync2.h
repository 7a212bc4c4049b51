/* Values of pvsync2's options; public for the tests. */
#ifndef IODECK_ENGINES_PVSYNC2_H
#define IODECK_ENGINES_PVSYNC2_H

#include <stdbool.h>

struct pvsync2_opts {
	bool hipri;    /* RWF_HIPRI: poll for the completion; wants direct I/O */
	bool nowait;   /* RWF_NOWAIT: EAGAIN instead of sleeping */
	bool uncached; /* RWF_DONTCACHE: buffered, but the pages are dropped at once */
};

#endif
