/*
 * What the Compare screen remembers: its lanes, which of them the strip shows and sets, and how they are
 * drawn. Plain data, changed by console_compare.c; the view reads it. UI thread.
 */
#ifndef IODECK_UI_COMPARE_STATE_H
#define IODECK_UI_COMPARE_STATE_H

#include <stdbool.h>

#include "src/spec/job_spec.h"
#include "src/stat/compare.h"

#define COMPARE_WINDOW_S 10 /* seconds that the table is about */

struct compare_slot {
	struct job_spec job;
	char target_line[256];
	bool auto_size; /* as in ui_state */
	bool ours;      /* made on this screen, not loaded: it has no target until one is picked */
};

struct compare_state {
	unsigned n;     /* lanes; 0: the screen was never opened */
	unsigned focus; /* whose settings ui_state.job holds; its slot is out of date meanwhile */
	bool separate;  /* each lane has its own settings; else a change goes to all */
	bool alternate; /* in turns, as last asked for */
	bool own_axis, overlay;
	struct compare_slot slot[LANE_MAX];
	char shared[64]; /* what the lanes disturb each other on: "A and B on sda"; "": nothing */
	struct compare_track *track; /* owned by the console; NULL: none */
};

/* Lane B, or the focused one when that is not A: what A is compared with. */
static inline unsigned compare_other(const struct compare_state *s)
{
	return s->focus ? s->focus : 1;
}

#endif
