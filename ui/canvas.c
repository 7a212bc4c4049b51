#include "ui/canvas.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "ui/utf8.h"

void canvas_init(struct canvas *c, int w, int h, const struct glyphs *g)
{
	*c = (struct canvas){.g = g};
	canvas_resize(c, w, h);
}

void canvas_fini(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){0};
}

void canvas_resize(struct canvas *c, int w, int h)
{
	free(c->cells);
	c->w = w > 0 ? w : 0;
	c->h = h > 0 ? h : 0;
	c->cells = xcalloc((size_t)c->w * (size_t)c->h + 1, sizeof(*c->cells));
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	memset(c->cells, 0, (size_t)c->w * (size_t)c->h * sizeof(*c->cells));
	c->clip = (struct rect){0, 0, c->w, c->h};
	c->layer = 1;
	c->cur_x = c->cur_y = -1;
}

void canvas_layer(struct canvas *c)
{
	if (c->layer < UINT8_MAX)
		c->layer++;
}

/* The part of [a, a + alen) within [b, b + blen), in 64 bits: callers may pass any int. */
static void span_cut(int a, int alen, int b, int blen, int *at, int *len)
{
	int64_t from = a > b ? a : b;
	int64_t end_a = (int64_t)a + alen, end_b = (int64_t)b + blen;
	int64_t end = end_a < end_b ? end_a : end_b;

	*at = (int)from;
	*len = end > from ? (int)(end - from) : 0;
}

static struct rect rect_cut(struct rect a, struct rect b)
{
	struct rect r;

	span_cut(a.x, a.w, b.x, b.w, &r.x, &r.w);
	span_cut(a.y, a.h, b.y, b.h, &r.y, &r.h);
	return r;
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect old = c->clip;

	c->clip = rect_cut(r, old);
	return old;
}

void canvas_unclip(struct canvas *c, struct rect old)
{
	c->clip = old;
}

static bool clip_has(const struct rect *r, int x, int y)
{
	return x >= r->x && x - r->x < r->w && y >= r->y && y - r->y < r->h;
}

/*
 * Code points that are not one column wide, or that a terminal would act on: controls, combining marks,
 * direction marks, East Asian wide and emoji. A model name or a path may hold any of them.
 */
static bool cp_is_odd(uint32_t cp)
{
	static const struct {
		uint32_t from, to;
	} odd[] = {
		{0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},      {0x0300, 0x036f},
		{0x0483, 0x0489},   {0x0591, 0x05c7},   {0x0600, 0x0605},      {0x0610, 0x061c},
		{0x064b, 0x065f},   {0x1100, 0x115f},   {0x180b, 0x180f},      {0x1ab0, 0x1aff},
		{0x1dc0, 0x1dff},   {0x200b, 0x200f},   {0x2028, 0x202e},      {0x2060, 0x206f},
		{0x20d0, 0x20ff},   {0x231a, 0x231b},   {0x2329, 0x232a},      {0x23e9, 0x23f3},
		{0x2e80, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7ff},      {0xd800, 0xdfff},
		{0xf900, 0xfaff},   {0xfe00, 0xfe6f},   {0xfeff, 0xff60},      {0xffe0, 0xffff},
		{0x1f000, 0x1faff}, {0x20000, 0x3fffd}, {0xe0000, UINT32_MAX},
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]) && cp >= odd[i].from; i++)
		if (cp <= odd[i].to)
			return true;
	return false;
}

/* What an ASCII canvas shows for signs that texts and units use. */
static uint32_t cp_to_ascii(uint32_t cp)
{
	static const struct {
		uint32_t cp;
		char ascii;
	} map[] = {
		{0x00b0, 'o'}, {0x00b1, '~'}, {0x00b5, 'u'}, {0x00b7, '.'}, {0x00d7, 'x'},
		{0x2013, '-'}, {0x2014, '-'}, {0x2026, '~'}, {0x2039, '<'}, {0x203a, '>'},
		{0x2190, '<'}, {0x2192, '>'}, {0x2248, '~'}, {0x2264, '<'}, {0x2265, '>'},
		{0x2500, '-'}, {0x2501, '='}, {0x2502, '|'}, {0x250a, ':'}, {0x2578, '='},
		{0x2591, '.'}, {0x2592, ':'}, {0x2593, '*'}, {0x25b2, '^'}, {0x25b6, '>'},
		{0x25b8, '>'}, {0x25c6, '*'}, {0x25cf, '*'}, {0x2713, '+'}, {0x2717, 'x'},
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].cp == cp)
			return (uint32_t)map[i].ascii;
	if (cp >= 0x250c && cp <= 0x253c)
		return '+';
	if (cp >= 0x2581 && cp <= 0x2588)
		return glyphs_ascii.block[cp - 0x2580];
	return '?';
}

static uint32_t cp_shown(const struct canvas *c, uint32_t cp)
{
	if (cp == 0)
		return ' ';
	if (cp_is_odd(cp))
		return '?';
	return c->g->ascii && cp > 0x7e ? cp_to_ascii(cp) : cp;
}

static void cell_taken(const struct canvas *c, int x, int y, uint32_t now)
{
	fprintf(stderr, "canvas: cell %d,%d drawn twice in layer %u: U+%04X, then U+%04X\n", x, y,
		c->layer, c->cells[y * c->w + x].ch, now);
	abort();
}

void canvas_put(struct canvas *c, int x, int y, uint32_t ch, enum role role, unsigned attr)
{
	struct cell *cell;

	if (!clip_has(&c->clip, x, y))
		return;
	cell = &c->cells[y * c->w + x];
	ch = cp_shown(c, ch);
	if (c->owned && cell->layer == c->layer)
		cell_taken(c, x, y, ch);
	*cell = (struct cell){ch, (uint8_t)role, (uint8_t)attr, c->layer};
}

/* The next code point of a NUL-terminated text, 0 at its end; what is broken reads as '?'. */
static uint32_t text_next(const char **s)
{
	size_t n = strnlen(*s, 4), used;
	uint32_t cp;

	if (n == 0)
		return 0;
	cp = utf8_decode(*s, n, &used);
	if (cp == UTF8_MORE)
		used = n;
	*s += used;
	return cp == UTF8_BAD || cp == UTF8_MORE ? '?' : cp;
}

int canvas_width(const char *utf8)
{
	int n = 0;

	while (text_next(&utf8))
		n++;
	return n;
}

int canvas_text(struct canvas *c, int x, int y, enum role role, unsigned attr, const char *utf8)
{
	uint32_t cp;

	while ((cp = text_next(&utf8)) && x < INT_MAX)
		canvas_put(c, x++, y, cp, role, attr);
	return x;
}

int canvas_textf(struct canvas *c, int x, int y, enum role role, unsigned attr, const char *fmt,
		 ...)
{
	char buf[2048]; /* wider than any screen we draw */
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return canvas_text(c, x, y, role, attr, buf);
}

/* A value is whole or absent: a number that lost a digit to an edge would be a wrong number. */
void canvas_value(struct canvas *c, int x, int y, int w, enum role role, unsigned attr,
		  const char *utf8)
{
	int n = canvas_width(utf8), at, len;

	if (n > w || x > INT_MAX - w)
		return;
	x += w - n;
	span_cut(x, n, c->clip.x, c->clip.w, &at, &len);
	if (at == x && len == n)
		canvas_text(c, x, y, role, attr, utf8);
}

void canvas_label(struct canvas *c, int x, int y, int w, enum role role, unsigned attr,
		  const char *utf8)
{
	int64_t room = (int64_t)c->clip.x + c->clip.w - x;
	int n = canvas_width(utf8);

	if (room < w)
		w = room > 0 ? (int)room : 0;
	if (w <= 0)
		return;
	for (int i = 0; i < w && i < n; i++) {
		uint32_t cp = text_next(&utf8);

		canvas_put(c, x + i, y, i == w - 1 && n > w ? c->g->ellipsis : cp, role, attr);
	}
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum role role, unsigned attr)
{
	r = rect_cut(r, c->clip);
	for (int y = r.y; y - r.y < r.h; y++)
		for (int x = r.x; x - r.x < r.w; x++)
			canvas_put(c, x, y, ch, role, attr);
}

/* The upper edge carries the title, so that every cell is written once: "┌─ title ──┐". */
static void box_top(struct canvas *c, struct rect r, enum role role, const char *title)
{
	int n = title && *title ? canvas_width(title) : 0, end = r.x + 1;

	if (n > r.w - 6)
		n = r.w - 6;
	canvas_put(c, r.x, r.y, c->g->corner_tl, role, 0);
	if (n > 0) {
		canvas_put(c, end++, r.y, c->g->hline, role, 0);
		canvas_put(c, end++, r.y, ' ', role, 0);
		canvas_label(c, end, r.y, n, ROLE_TITLE, 0, title);
		end += n;
		canvas_put(c, end++, r.y, ' ', role, 0);
	}
	canvas_fill(c, (struct rect){end, r.y, r.x + r.w - 1 - end, 1}, c->g->hline, role, 0);
	canvas_put(c, r.x + r.w - 1, r.y, c->g->corner_tr, role, 0);
}

void canvas_box(struct canvas *c, struct rect r, enum role role, const char *title)
{
	int right, bottom;

	if (r.w < 2 || r.h < 2 || r.x > INT_MAX - r.w || r.y > INT_MAX - r.h)
		return;
	right = r.x + r.w - 1;
	bottom = r.y + r.h - 1;
	box_top(c, r, role, title);
	canvas_fill(c, (struct rect){r.x, r.y + 1, 1, r.h - 2}, c->g->vline, role, 0);
	canvas_fill(c, (struct rect){right, r.y + 1, 1, r.h - 2}, c->g->vline, role, 0);
	canvas_put(c, r.x, bottom, c->g->corner_bl, role, 0);
	canvas_fill(c, (struct rect){r.x + 1, bottom, r.w - 2, 1}, c->g->hline, role, 0);
	canvas_put(c, right, bottom, c->g->corner_br, role, 0);
}
