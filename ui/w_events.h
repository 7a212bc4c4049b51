/*
 * What happened during the run, newest at the bottom: when, what, and for a change of settings IOPS and
 * p99 before and after with the factor between them. Fields are dropped from the right, never cut.
 */
#ifndef IODECK_UI_W_EVENTS_H
#define IODECK_UI_W_EVENTS_H

#include <stddef.h>

#include "src/stat/snapshot.h"
#include "ui/canvas.h"
#include "ui/w_items.h"

/* t0_ns: the zero of the times shown. */
void w_events(struct canvas *, struct rect r, const struct snapshot *, uint64_t t0_ns);
/* The newest event as short facts, appended; nothing when there is none. */
void events_short(const struct canvas *, const struct snapshot *, uint64_t t0_ns, struct items *);
/* "qd 8 -> 32" as it stands below the graph: "qd 8→32". */
void event_mark_text(const struct event *, char *out, size_t size);
/* Its sign on the time axis; 0: it has none. */
uint32_t event_glyph(const struct canvas *, const struct event *);
enum role event_role(const struct event *);

#endif
