/*
 * How the load is made: what is in flight against what was asked for, Little's law as a check on our
 * own counting, CPU of the workers, reads and writes apart, errors.
 */
#ifndef IODECK_UI_W_WORKERS_H
#define IODECK_UI_W_WORKERS_H

#include <stdbool.h>

#include "src/stat/snapshot.h"
#include "ui/canvas.h"
#include "ui/w_items.h"

struct workers_view {
	const struct lane_snap *lane;
	bool totals; /* of the whole run instead of the last second */
	bool over;   /* nothing is in flight any more */
	bool si;
	bool ui_known; /* what the console itself costs: of a core, bytes a second to the terminal */
	double ui_cpu_pct, ui_bps;
};

/* As many lines as fit, most wanted first. */
void w_workers(struct canvas *, struct rect r, const struct workers_view *);
/* In flight and CPU as short facts, appended. */
void workers_short(const struct canvas *, const struct lane_snap *, struct items *);
/* "latency 88 us = host 11 us + device 77 us", appended; nothing while it is not known. */
void split_short(const struct canvas *, const struct time_split *, struct items *);
/* Does it wait for its first completion for a second or more? "waiting for the first I/O  3.2 s  ..." */
bool is_waiting_first(const struct lane_snap *);
void waiting_first(const struct canvas *, const struct lane_snap *, struct items *);
/* Are the workers short of CPU, so that the host may be what limits the result? */
bool workers_cpu_bound(const struct lane_snap *);

#endif
