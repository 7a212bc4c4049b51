/*
 * What the block devices do, as iostat -x counts it: the run's own first and marked, then other busy
 * ones. Columns are dropped from the right when they do not fit; values are never cut.
 */
#ifndef IODECK_UI_W_DEVICES_H
#define IODECK_UI_W_DEVICES_H

#include <stdbool.h>

#include "src/dev/device.h"
#include "src/stat/snapshot.h"
#include "ui/canvas.h"
#include "ui/w_items.h"

struct devices_view {
	const struct snapshot *snap;
	const struct device_list *list; /* for the kind of a device; may be NULL */
	bool si;
};

/* A row of column names, devices, and the footnote in the last row when it concerns one of them. */
void w_devices(struct canvas *, struct rect r, const struct devices_view *);
/* The target's device as short facts, appended; named or not. */
void devices_short(const struct canvas *, const struct devices_view *, bool named, struct items *);
/* Is a table of this width wide enough for temperatures? Else the target's may be appended elsewhere. */
bool devices_show_temp(const struct snapshot *, int w);
void devices_add_temp(const struct canvas *, const struct snapshot *, struct items *);
/* Does it serve many requests at once, so that being busy says nothing about being saturated? */
bool device_is_parallel(const struct devices_view *, const struct disk_rate *);

#endif
