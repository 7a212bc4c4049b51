/* layout: every size from 0x0 to 300x100 has rectangles that neither overlap nor leave the screen. */
#include <criterion/criterion.h>
#include <string.h>

#include "ui/layout.h"

#define W_MAX 300
#define H_MAX 100

static const struct {
	int w, h;
	enum layout_class cls;
} classes[] = {
	{120, 36, LAYOUT_XL},  {300, 100, LAYOUT_XL}, {119, 36, LAYOUT_L},   {120, 35, LAYOUT_L},
	{100, 30, LAYOUT_L},   {99, 30, LAYOUT_M},    {100, 29, LAYOUT_M},   {80, 24, LAYOUT_M},
	{79, 24, LAYOUT_S},    {80, 23, LAYOUT_S},    {60, 16, LAYOUT_S},    {59, 16, LAYOUT_XS},
	{60, 15, LAYOUT_XS},   {40, 10, LAYOUT_XS},   {39, 10, LAYOUT_LINE}, {40, 9, LAYOUT_LINE},
	{300, 5, LAYOUT_LINE}, {20, 8, LAYOUT_LINE},  {1, 1, LAYOUT_LINE},
};

Test(layout, classes_begin_where_the_design_says)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		cr_expect_eq(layout_make(classes[i].w, classes[i].h).cls, classes[i].cls,
			     "%dx%d: %s", classes[i].w, classes[i].h,
			     layout_class_name(layout_make(classes[i].w, classes[i].h).cls));
}

static unsigned char taken[H_MAX][W_MAX];

/* False when r leaves the screen or meets a cell that is taken. */
static bool occupy(struct rect r, int w, int h)
{
	if (r.w == 0 || r.h == 0)
		return true;
	if (r.x < 0 || r.y < 0 || r.w < 0 || r.h < 0 || r.x + r.w > w || r.y + r.h > h)
		return false;
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (taken[y][x]++)
				return false;
	return true;
}

Test(layout, nothing_overlaps_and_nothing_lies_outside)
{
	for (int h = 0; h <= H_MAX; h++) {
		for (int w = 0; w <= W_MAX; w++) {
			struct layout l = layout_make(w, h);

			memset(taken, 0, sizeof(taken));
			for (int a = 0; a < AREA_NR; a++)
				cr_assert(occupy(l.area[a], w, h), "%dx%d: area %d", w, h, a);
			cr_assert(occupy(l.divider, w, h), "%dx%d: divider", w, h);
		}
	}
}

/* From XS on every row belongs to something: no empty stripes. */
Test(layout, the_screen_is_used_up)
{
	for (int h = 10; h <= H_MAX; h++) {
		for (int w = 40; w <= W_MAX; w++) {
			struct layout l = layout_make(w, h);
			int cells = l.divider.w * l.divider.h;

			for (int a = 0; a < AREA_NR; a++)
				cells += l.area[a].w * l.area[a].h;
			cr_assert_eq(cells, w * h, "%dx%d: %d cells", w, h, cells);
		}
	}
}

#define BIT(a) (1u << (a))
#define ALL    (BIT(AREA_NR) - 1)
static const unsigned required[] = {
	[LAYOUT_LINE] = BIT(AREA_TOP),
	[LAYOUT_XS] = ALL & ~(BIT(AREA_LOWER) | BIT(AREA_WORKERS) | BIT(AREA_EVENTS)),
	[LAYOUT_S] = ALL & ~(BIT(AREA_LOWER) | BIT(AREA_WORKERS)),
	[LAYOUT_M] = ALL & ~BIT(AREA_LOWER),
	[LAYOUT_L] = ALL,
	[LAYOUT_XL] = ALL,
};
/* Rows a titled area needs to say anything: heading and what is below it. */
static const int min_rows[AREA_NR] = {
	[AREA_GRAPH] = 6,   [AREA_LATENCY] = 9, [AREA_LOWER] = 5,
	[AREA_WORKERS] = 5, [AREA_DEVICES] = 4, [AREA_EVENTS] = 3,
};

Test(layout, required_areas_are_there_and_large_enough)
{
	for (int h = 1; h <= H_MAX; h++) {
		for (int w = 1; w <= W_MAX; w++) {
			struct layout l = layout_make(w, h);

			for (int a = 0; a < AREA_NR; a++) {
				bool there = l.area[a].w > 0 && l.area[a].h > 0;

				cr_assert(there || !(required[l.cls] & BIT(a)),
					  "%dx%d (%s): area %d missing", w, h,
					  layout_class_name(l.cls), a);
				if (there && layout_titled(&l, (enum area)a))
					cr_assert_geq(l.area[a].h, min_rows[a], "%dx%d: area %d", w,
						      h, a);
			}
		}
	}
}

Test(layout, the_left_column_is_the_wider_one)
{
	for (int w = 80; w <= W_MAX; w++) {
		struct layout l = layout_make(w, 40);

		if (l.divider.w)
			cr_assert_gt(l.area[AREA_GRAPH].w, l.area[AREA_LATENCY].w, "%d", w);
	}
}
