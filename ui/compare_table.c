/* A against the other lane, in numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/compare_panes.h"

/* Most wanted first: what does not fit is left out from the end. */
static const enum compare_what rows[COMPARE_NR] = {COMPARE_IOPS, COMPARE_P50,  COMPARE_P99,
						   COMPARE_P999, COMPARE_MEAN, COMPARE_MAX,
						   COMPARE_BPS};

enum { X_NAME = 2, X_A = 11, X_B = 23, X_RATIO = 35, X_DIFF = 47, VALUE_W = 11 };
#define WIDE 96

/* The difference has room for all units where the screen is wide; then words are whole, too. */
static int verdict_x(const struct canvas *c)
{
	return c->w >= WIDE ? 74 : 67;
}

static const char *show(const struct canvas *c, const struct compare_screen *s,
			enum compare_what what, double v, char *out)
{
	switch (what) {
	case COMPARE_IOPS:
		return show_count(c, out, v);
	case COMPARE_BPS:
		return show_bps(c, out, v, s->st->si);
	default:
		return show_ns(c, out, v);
	}
}

static void value(struct canvas *c, int x, int y, int w, enum role role, const char *text)
{
	if (x + w <= c->w)
		canvas_value(c, x, y, w, role, role == ROLE_TITLE ? ATTR_BOLD : 0, text);
}

static void lane_value(struct canvas *c, const struct compare_screen *s, int x, int y,
		       enum compare_what what, unsigned lane, double v)
{
	char num[NUM_SIZE], text[NUM_SIZE + 2];
	bool weak = s->cs->track && compare_is_weak(s->cs->track, lane, what);

	snprintf(text, sizeof(text), "%s%s", weak && !isnan(v) ? "~" : "",
		 show(c, s, what, v, num));
	value(c, x, y, VALUE_W, ROLE_TEXT, text);
}

static void ratio(struct canvas *c, int y, double r)
{
	char text[NUM_SIZE];

	if (isnan(r))
		snprintf(text, sizeof(text), "%s", c->g->none);
	else
		snprintf(text, sizeof(text),
			 r < 0.0995  ? "%.3f%s"
			 : r < 99.95 ? "%.2f%s"
				     : "%.0f%s",
			 r, c->g->times);
	value(c, X_RATIO, y, VALUE_W, ROLE_TITLE, text);
}

/* "+276k ±1.2k": A less B, and how far that is certain. */
static void difference(struct canvas *c, const struct compare_screen *s, int y,
		       enum compare_what what, const struct compare *cmp)
{
	char d[NUM_SIZE], ci[NUM_SIZE], text[2 * NUM_SIZE + 8];

	if (isnan(cmp->ci_half))
		snprintf(text, sizeof(text), "%s", c->g->none);
	else
		snprintf(text, sizeof(text), "%s%s %s%s", cmp->diff < 0 ? "-" : "+",
			 show(c, s, what, fabs(cmp->diff), d), c->g->ascii ? "+-" : "±",
			 show(c, s, what, cmp->ci_half, ci));
	value(c, X_DIFF, y, verdict_x(c) - X_DIFF - 2, ROLE_TEXT, text);
}

static const char *word_of(const struct canvas *c, enum compare_verdict v)
{
	if (c->w >= WIDE)
		return compare_verdict_words[v];
	return v == COMPARE_SAME ? "none shown" : "too few s";
}

static void verdict(struct canvas *c, int y, enum compare_what what, const struct compare *cmp,
		    char other)
{
	char text[32];
	bool more = what <= COMPARE_BPS;

	if (cmp->verdict == COMPARE_A_MORE || cmp->verdict == COMPARE_B_MORE)
		snprintf(text, sizeof(text), "%c %s", cmp->verdict == COMPARE_A_MORE ? 'A' : other,
			 more ? "more" : "slower");
	else
		snprintf(text, sizeof(text), "%s", word_of(c, cmp->verdict));
	canvas_label(c, verdict_x(c), y, c->w - verdict_x(c) - 1,
		     cmp->verdict == COMPARE_SAME ? ROLE_DIM : ROLE_TEXT, 0, text);
}

static void draw_row(struct canvas *c, const struct compare_screen *s, int y,
		     enum compare_what what)
{
	unsigned other = compare_other(s->cs);
	struct compare cmp;

	if (s->cs->track)
		compare_lanes(s->cs->track, 0, other, what, COMPARE_WINDOW_S, &cmp);
	else
		compare_make(&cmp, NULL, 0, NULL, 0);
	canvas_label(c, X_NAME, y, X_A - X_NAME, ROLE_TEXT, 0, compare_what_words[what]);
	lane_value(c, s, X_A, y, what, 0, cmp.a);
	lane_value(c, s, X_B, y, what, other, cmp.b);
	ratio(c, y, cmp.ratio);
	if (verdict_x(c) - 2 <= c->w)
		difference(c, s, y, what, &cmp);
	if (verdict_x(c) + 11 <= c->w)
		verdict(c, y, what, &cmp, (char)('A' + (char)other));
}

static void draw_names(struct canvas *c, const struct compare_screen *s, int y)
{
	char b[2] = {(char)('A' + (char)compare_other(s->cs)), '\0'}, text[8];

	snprintf(text, sizeof(text), "A/%s", b);
	value(c, X_A, y, VALUE_W, ROLE_READ, "A");
	value(c, X_B, y, VALUE_W, ROLE_WRITE, b);
	value(c, X_RATIO, y, VALUE_W, ROLE_TEXT, text);
	snprintf(text, sizeof(text), "A-%s", b);
	value(c, X_DIFF, y, verdict_x(c) - X_DIFF - 2, ROLE_TEXT, text);
}

void compare_table(struct canvas *c, const struct compare_screen *s, struct rect r)
{
	struct items it = {0};
	struct compare cmp = {0};

	if (s->cs->track)
		compare_lanes(s->cs->track, 0, compare_other(s->cs), COMPARE_IOPS, COMPARE_WINDOW_S,
			      &cmp);
	items_add(&it, ROLE_TITLE, 0, "A against %c", 'A' + (char)compare_other(s->cs));
	items_add(&it, ROLE_TEXT, 0, "last %d s of each lane: %zu and %zu", COMPARE_WINDOW_S,
		  cmp.n_a, cmp.n_b);
	items_add(&it, ROLE_TEXT, 0, "95 %% certain");
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	draw_names(c, s, r.y + 1);
	for (int i = 0; i < COMPARE_NR && i + 2 < r.h; i++)
		draw_row(c, s, r.y + 2 + i, rows[i]);
}
