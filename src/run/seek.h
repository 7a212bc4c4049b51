/*
 * Seeking the largest depth that keeps a latency target (latency_target). The depth doubles until it
 * fails, then the gap between the largest that held and the smallest that failed is halved:
 *
 *   1 2 4 8 16 32!   24   28!   26 ...   until two neighbours are left, or the limit held
 *
 * A depth fails when two windows in a row did (`twice`): one may be a single bad moment. A search without
 * end (`forever`) that held three times just below a depth that failed tries that one again. Pure: fed with what a window showed, tells what comes next.
 */
#ifndef IODECK_RUN_SEEK_H
#define IODECK_RUN_SEEK_H

#include <stdbool.h>
#include <stdint.h>

enum seek_next {
	SEEK_AGAIN, /* the same depth, another window */
	SEEK_RETRY, /* likewise, but this window failed */
	SEEK_UP,
	SEEK_DOWN, /* what is in flight belongs to the larger depth: drain first */
	SEEK_LAST, /* found: one more window at this depth, counted alone */
	SEEK_DONE, /* that one held, too */
	SEEK_LOST, /* a depth of 1 is too slow */
};

struct seek {
	uint32_t limit, depth;
	uint32_t low, high; /* the largest that held, the smallest that failed; 0: none yet */
	unsigned steady;
	bool forever; /* latency_run: never done */
	bool twice;   /* one failed window is not enough */
	bool missed;  /* the window before this one failed */
	bool last;    /* the last window is on */
};

void seek_init(struct seek *, uint32_t limit, bool forever, bool twice);
/* The present depth held, or not. */
enum seek_next seek_held(struct seek *);
enum seek_next seek_failed(struct seek *);
/* iodepth was changed while the run is on. */
void seek_limit(struct seek *, uint32_t limit);

#endif
