#include "ui/w_setup.h"

#include <stdio.h>
#include <string.h>

struct shown {
	enum field f;
	const char *label;
	char value[128];
};

static int field_width(const struct shown *s, int gap)
{
	return canvas_width(s->label) + 1 + canvas_width(s->value) + gap;
}

static void field_load(const struct ui_state *st, enum field f, struct shown *s)
{
	s->f = f;
	s->label = state_field_label(f);
	if (!st->editing || f != st->focus)
		state_field_text(st, f, s->value, sizeof(s->value));
	else if (st->edit_echo[0])
		snprintf(s->value, sizeof(s->value), "%s : %s", st->edit, st->edit_echo);
	else
		snprintf(s->value, sizeof(s->value), "%s ", st->edit);
}

/* Fields without effect give way when there is not room for all. */
static int load_fields(const struct ui_state *st, bool all, struct shown *v)
{
	int n = 0;

	for (int f = 0; f < FIELD_NR; f++)
		if (all || f != FIELD_MIX || f == (int)st->focus ||
		    state_field_used(st, (enum field)f))
			field_load(st, (enum field)f, &v[n++]);
	return n;
}

static int total_width(const struct shown *v, int n, int gap)
{
	int w = 0;

	for (int i = 0; i < n; i++)
		w += field_width(&v[i], gap);
	return w;
}

/* The fields from..to-1 that are drawn: from the first possible one that leaves the focus in view. */
static void scroll(const struct shown *v, int n, enum field focus, int room, int *from, int *to)
{
	for (*from = 0; *from < n; ++*from) {
		int w = *from ? 2 : 0;

		for (*to = *from; *to < n; ++*to) {
			w += field_width(&v[*to], 1);
			if (w + (*to + 1 < n ? 1 : 0) > room)
				break;
		}
		for (int i = *from; i < *to; i++)
			if (v[i].f == focus)
				return;
	}
	*from = 0;
}

static int draw_field(struct canvas *c, int x, int y, const struct shown *s,
		      const struct ui_state *st)
{
	bool focus = s->f == st->focus;
	enum role role = focus ? ROLE_FOCUS : state_field_used(st, s->f) ? ROLE_TEXT : ROLE_DIM;
	unsigned attr = role == ROLE_TEXT ? ATTR_BOLD : 0;

	x = canvas_text(c, x, y, ROLE_TEXT, 0, s->label);
	x = canvas_text(c, x, y, focus ? ROLE_FOCUS : ROLE_TEXT, 0, focus ? "[" : "=");
	if (focus && st->editing && x < c->clip.x + c->clip.w) {
		char left[sizeof(st->edit)];

		snprintf(left, sizeof(left), "%.*s", (int)st->edit_pos, st->edit);
		c->cur_x = x + canvas_width(left);
		c->cur_y = y;
	}
	x = canvas_text(c, x, y, role, attr, s->value);
	if (focus)
		canvas_text(c, x, y, ROLE_FOCUS, 0, "]");
	return x;
}

void w_setup(struct canvas *c, struct rect row, const struct ui_state *st)
{
	struct shown v[FIELD_NR];
	int n = load_fields(st, true, v), gap = 2, from = 0, to, x = row.x + 1, room = row.w - 1;
	struct rect old = canvas_clip(c, row);

	if (total_width(v, n, gap) > room)
		n = load_fields(st, false, v);
	if (total_width(v, n, gap) > room)
		gap = 1;
	to = n;
	if (total_width(v, n, gap) > room)
		scroll(v, n, st->focus, room, &from, &to);
	if (from > 0) {
		canvas_put(c, x, row.y, c->g->ellipsis, ROLE_TEXT, 0);
		x += 2;
	}
	/* Not even the focused field fits: it is cut, everything else is dropped. */
	if (to == from)
		for (from = 0; from < n - 1 && v[from].f != st->focus; from++)
			;
	for (int i = from; i < (to > from ? to : from + 1); i++)
		x = draw_field(c, x, row.y, &v[i], st) + gap;
	if (to < n && to > from)
		canvas_put(c, row.x + row.w - 1, row.y, c->g->ellipsis, ROLE_TEXT, 0);
	canvas_unclip(c, old);
}
