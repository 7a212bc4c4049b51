/*
 * Where things go on the Run screen: pure arithmetic from the terminal's size to rectangles. Nothing
 * overlaps, nothing lies outside, an area that has no place has width 0. Any thread.
 *
 *   top      name, tabs, state, clock                       one row
 *   target   what is measured                               one row
 *   setup    the fields                                     one row
 *   graph  | latency      left and right of the divider (M, L, XL); below each other (S, XS)
 *   lower  | workers      L and XL; at M the workers stand below the latency, without heading
 *   devices, events, hint, footer                           full width
 */
#ifndef IODECK_UI_LAYOUT_H
#define IODECK_UI_LAYOUT_H

#include <stdbool.h>

#include "ui/canvas.h"

enum layout_class {
	LAYOUT_LINE, /* anything smaller: one line of facts */
	LAYOUT_XS,   /* from 40x10 */
	LAYOUT_S,    /* from 60x16: no right column */
	LAYOUT_M,    /* from 80x24 */
	LAYOUT_L,    /* from 100x30 */
	LAYOUT_XL,   /* from 120x36 */
};

enum area {
	AREA_TOP,
	AREA_TARGET,
	AREA_SETUP,
	AREA_GRAPH,
	AREA_LATENCY,
	AREA_LOWER,
	AREA_WORKERS,
	AREA_DEVICES,
	AREA_EVENTS,
	AREA_HINT,
	AREA_FOOTER,
	AREA_NR
};

struct layout {
	enum layout_class cls;
	struct rect area[AREA_NR];
	struct rect divider; /* the column between left and right; w 0: none */
	unsigned titled;     /* bit per area: its first row is a heading; else its short form */
};

struct layout layout_make(int w, int h);
const char *layout_class_name(enum layout_class);

static inline bool layout_titled(const struct layout *l, enum area a)
{
	return l->titled & (1u << a);
}

#endif
