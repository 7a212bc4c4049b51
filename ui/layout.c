#include "ui/layout.h"

/* The latency pane in full: heading, axis, p50 p90 p95 p99 p99.9 p99.99 max. */
#define LATENCY_ROWS 9

static const struct {
	int w, h;
	const char *name;
} classes[] = {
	[LAYOUT_LINE] = {0, 0, "line"}, [LAYOUT_XS] = {40, 10, "XS"}, [LAYOUT_S] = {60, 16, "S"},
	[LAYOUT_M] = {80, 24, "M"},     [LAYOUT_L] = {100, 30, "L"},  [LAYOUT_XL] = {120, 36, "XL"},
};

const char *layout_class_name(enum layout_class cls)
{
	return classes[cls].name;
}

static enum layout_class classify(int w, int h)
{
	enum layout_class cls = LAYOUT_XL;

	while (cls > LAYOUT_LINE && (w < classes[cls].w || h < classes[cls].h))
		cls--;
	return cls;
}

static int at_most(int v, int max)
{
	return v < max ? v : max;
}

static void title(struct layout *l, enum area a)
{
	l->titled |= 1u << a;
}

/* Rows handed out from the top or from the bottom of what is left. */
struct stack {
	int w, y, end;
};

static struct rect take_top(struct stack *s, int rows)
{
	struct rect r = {0, s->y, s->w, rows};

	s->y += rows;
	return r;
}

static struct rect take_bottom(struct stack *s, int rows)
{
	s->end -= rows;
	return (struct rect){0, s->end, s->w, rows};
}

static void place_line(struct layout *l, int w, int h)
{
	l->area[AREA_TOP] = (struct rect){0, 0, w, 1};
	if (h > 1)
		l->area[AREA_HINT] = (struct rect){0, 1, w, 1};
}

static void place_head_and_foot(struct layout *l, struct stack *s, int footer_rows)
{
	l->area[AREA_TOP] = take_top(s, 1);
	l->area[AREA_TARGET] = take_top(s, 1);
	l->area[AREA_SETUP] = take_top(s, 1);
	l->area[AREA_FOOTER] = take_bottom(s, footer_rows);
	l->area[AREA_HINT] = take_bottom(s, 1);
}

/* The hint line shows the newest event when there is nothing else to say. */
static void place_xs(struct layout *l, struct stack *s)
{
	place_head_and_foot(l, s, 1);
	l->area[AREA_DEVICES] = take_bottom(s, 1);
	l->area[AREA_LATENCY] = take_bottom(s, 1);
	l->area[AREA_GRAPH] = take_top(s, s->end - s->y);
}

static void place_tables(struct layout *l, struct stack *s, int device_rows, int event_rows)
{
	l->area[AREA_EVENTS] = take_bottom(s, event_rows);
	l->area[AREA_DEVICES] = take_bottom(s, device_rows);
	title(l, AREA_EVENTS);
	title(l, AREA_DEVICES);
}

static void place_s(struct layout *l, struct stack *s)
{
	int rows;

	place_head_and_foot(l, s, 1);
	rows = s->end - s->y;
	if (rows >= 9 + LATENCY_ROWS + 5 + 4) {
		place_tables(l, s, 5, 4);
		l->area[AREA_WORKERS] = take_bottom(s, 2);
		l->area[AREA_LATENCY] = take_bottom(s, LATENCY_ROWS);
		title(l, AREA_LATENCY);
	} else {
		l->area[AREA_EVENTS] = take_bottom(s, rows >= 14 ? 2 : 1);
		l->area[AREA_DEVICES] = take_bottom(s, 1);
		l->area[AREA_LATENCY] = take_bottom(s, 2);
	}
	l->area[AREA_GRAPH] = take_top(s, s->end - s->y);
	title(l, AREA_GRAPH);
}

/* Splits what is left into columns; the right one is `right` wide, without the divider. */
static void place_columns(struct layout *l, struct stack *s, int right, int upper_rows)
{
	int left = s->w - right - 1, rows = s->end - s->y, lower_rows = rows - upper_rows;

	l->divider = (struct rect){left, s->y, 1, rows};
	l->area[AREA_GRAPH] = (struct rect){0, s->y, left, upper_rows};
	title(l, AREA_GRAPH);
	title(l, AREA_LATENCY);
	if (lower_rows > 0) {
		l->area[AREA_LATENCY] = (struct rect){left + 1, s->y, right, upper_rows};
		l->area[AREA_LOWER] = (struct rect){0, s->y + upper_rows, left, lower_rows};
		l->area[AREA_WORKERS] =
			(struct rect){left + 1, s->y + upper_rows, right, lower_rows};
		title(l, AREA_LOWER);
		title(l, AREA_WORKERS);
		return;
	}
	l->area[AREA_LATENCY] = (struct rect){left + 1, s->y, right, LATENCY_ROWS};
	l->area[AREA_WORKERS] =
		(struct rect){left + 1, s->y + LATENCY_ROWS, right, rows - LATENCY_ROWS};
}

static void place_m(struct layout *l, struct stack *s, int h)
{
	place_head_and_foot(l, s, 1);
	place_tables(l, s, 5 + at_most((h - 24) / 8, 3), 3 + at_most((h - 24) / 4, 5));
	place_columns(l, s, at_most(32 + (s->w - 80) / 3, 40), s->end - s->y);
}

static void place_l(struct layout *l, struct stack *s, int h)
{
	int rows, upper;

	place_head_and_foot(l, s, 2);
	place_tables(l, s, 5 + at_most((h - 30) / 5, 5), 4 + at_most((h - 30) / 4, 6));
	rows = s->end - s->y;
	upper = rows * 57 / 100;
	if (upper < LATENCY_ROWS)
		upper = LATENCY_ROWS;
	place_columns(l, s, at_most(34 + (s->w - 100) / 3, 48), upper);
}

struct layout layout_make(int w, int h)
{
	struct layout l = {.cls = classify(w, h)};
	struct stack s = {.w = w, .y = 0, .end = h};

	if (w < 1 || h < 1)
		return l;
	switch (l.cls) {
	case LAYOUT_LINE:
		place_line(&l, w, h);
		break;
	case LAYOUT_XS:
		place_xs(&l, &s);
		break;
	case LAYOUT_S:
		place_s(&l, &s);
		break;
	case LAYOUT_M:
		place_m(&l, &s, h);
		break;
	case LAYOUT_L:
	case LAYOUT_XL:
		place_l(&l, &s, h);
		break;
	}
	return l;
}
