#include "ui/w_events.h"

#include <stdio.h>
#include <string.h>

#include "src/base/units.h"

#define TIME_W     7
#define TEXT_W_MAX 24 /* of the texts' column when numbers follow */

/* text with its first "a -> b" joined by `arrow`. */
static void with_arrow(const char *text, const char *arrow, char *out, size_t size)
{
	const char *at = strstr(text, " -> ");

	if (!at)
		snprintf(out, size, "%s", text);
	else
		snprintf(out, size, "%.*s%s%s", (int)(at - text), text, arrow, at + 4);
}

/* Between blanks; ">" alone would read as a comparison. */
static const char *long_arrow(const struct canvas *c)
{
	return c->g->ascii ? " -> " : " → ";
}

void event_mark_text(const struct event *e, char *out, size_t size)
{
	with_arrow(e->text, "→", out, size);
	if (e->kind == EVENT_STALL && strchr(out, ':'))
		*strchr(out, ':') = '\0';
}

uint32_t event_glyph(const struct canvas *c, const struct event *e)
{
	switch (e->kind) {
	case EVENT_TUNE:
	case EVENT_MARK:
		return c->g->mark;
	case EVENT_STALL:
		return c->g->stall;
	case EVENT_ERROR:
		return 'E';
	case EVENT_SLICE:
		return c->g->vline;
	case EVENT_GAP:
		return 'P';
	case EVENT_STATE:
		break;
	}
	return 0;
}

enum role event_role(const struct event *e)
{
	switch (e->kind) {
	case EVENT_TUNE:
	case EVENT_MARK:
		return ROLE_MARK;
	case EVENT_STALL:
		return ROLE_STALL;
	case EVENT_ERROR:
		return ROLE_ERROR;
	case EVENT_SLICE:
	case EVENT_GAP:
	case EVENT_STATE:
		break;
	}
	return ROLE_TEXT;
}

static void time_text(uint64_t t_ns, uint64_t t0_ns, char *out, size_t size)
{
	units_fmt_clock(out, size, t_ns > t0_ns ? t_ns - t0_ns : 0);
}

static bool has_change(const struct event *e)
{
	return e->before.valid && e->after.valid;
}

/* "IOPS 97.0k → 364k (×3.75)" */
static void add_change(const struct canvas *c, struct items *it, const struct event *e)
{
	char a[NUM_SIZE], b[NUM_SIZE], factor[NUM_SIZE];
	const struct segment *was = &e->before, *now = &e->after;

	if (!has_change(e))
		return;
	show_count(c, a, was->iops);
	show_count(c, b, now->iops);
	if (was->iops > 0 && now->iops > 0) {
		units_fmt_count(factor, sizeof(factor), now->iops / was->iops);
		items_add(it, ROLE_TEXT, 0, "IOPS %s%s%s (×%s)", a, long_arrow(c), b, factor);
	} else {
		items_add(it, ROLE_TEXT, 0, "IOPS %s%s%s", a, long_arrow(c), b);
	}
	if (!was->p99_ns || !now->p99_ns)
		return;
	show_ns(c, a, (double)was->p99_ns);
	show_ns(c, b, (double)now->p99_ns);
	units_fmt_count(factor, sizeof(factor), (double)now->p99_ns / (double)was->p99_ns);
	items_add(it, ROLE_TEXT, 0, "p99 %s%s%s (×%s)", a, long_arrow(c), b, factor);
}

/* The column of texts is as wide as its widest text that numbers follow. */
static int text_width(const struct canvas *c, const struct snapshot *s, int first, int n)
{
	char text[128];
	int w = 0;

	for (int i = first; i < n; i++) {
		with_arrow(s->event[i].text, long_arrow(c), text, sizeof(text));
		if (has_change(&s->event[i]) && canvas_width(text) > w)
			w = canvas_width(text);
	}
	return w < TEXT_W_MAX ? w : TEXT_W_MAX;
}

static void draw_event(struct canvas *c, struct rect row, const struct event *e, uint64_t t0_ns,
		       int text_w)
{
	struct items change = {0};
	char text[128], t[NUM_SIZE];
	int x = row.x + TIME_W + 3, room = row.x + row.w - x;
	uint32_t glyph = event_glyph(c, e);

	time_text(e->t_ns, t0_ns, t, sizeof(t));
	canvas_value(c, row.x, row.y, TIME_W, ROLE_TEXT, 0, t);
	canvas_put(c, row.x + TIME_W + 1, row.y, glyph ? glyph : ' ', event_role(e), 0);
	with_arrow(e->text, long_arrow(c), text, sizeof(text));
	if (has_change(e) && room > text_w + 2) {
		add_change(c, &change, e);
		canvas_label(c, x, row.y, text_w, ROLE_TEXT, 0, text);
		w_items(c, x + text_w + 2, row.y, room - text_w - 2, &change);
	} else {
		canvas_label(c, x, row.y, room, ROLE_TEXT, 0, text);
	}
}

void w_events(struct canvas *c, struct rect r, const struct snapshot *s, uint64_t t0_ns)
{
	int n = s->n_events < EVENT_MAX ? (int)s->n_events : EVENT_MAX;
	int first = n > r.h ? n - r.h : 0, text_w = text_width(c, s, first, n);

	for (int i = first; i < n; i++)
		draw_event(c, (struct rect){r.x, r.y + i - first, r.w, 1}, &s->event[i], t0_ns,
			   text_w);
}

void events_short(const struct canvas *c, const struct snapshot *s, uint64_t t0_ns,
		  struct items *it)
{
	const struct event *e;
	char text[128], t[NUM_SIZE];

	if (s->n_events == 0 || s->n_events > EVENT_MAX)
		return;
	e = &s->event[s->n_events - 1];
	time_text(e->t_ns, t0_ns, t, sizeof(t));
	with_arrow(e->text, long_arrow(c), text, sizeof(text));
	items_add(it, event_role(e), 0, "%s %.80s", t, text);
	add_change(c, it, e);
}
