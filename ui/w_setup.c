#include "ui/w_setup.h"

#include <stdio.h>
#include <string.h>

struct shown {
	enum field f;
	bool focus;
	const char *label;
	char value[128];
};

/* With the blanks after it. The closing bracket takes one of two blanks; of a single one it takes none. */
static int field_width(const struct shown *s, int gap)
{
	int open = s->label[0] || s->focus;

	return canvas_width(s->label) + open + canvas_width(s->value) +
	       (s->focus && gap < 2 ? 2 : gap);
}

static void field_load(const struct ui_state *st, enum field f, struct shown *s)
{
	s->f = f;
	s->focus = f == st->focus;
	s->label = state_field_label(f);
	if (!st->editing || !s->focus)
		state_field_text(st, f, s->value, sizeof(s->value));
	else if (st->edit_echo[0])
		snprintf(s->value, sizeof(s->value), "%s = %s", st->edit, st->edit_echo);
	else
		snprintf(s->value, sizeof(s->value), "%s ", st->edit);
}

static int load_fields(const struct ui_state *st, struct shown *v)
{
	for (int f = 0; f < FIELD_NR; f++)
		field_load(st, (enum field)f, &v[f]);
	return FIELD_NR;
}

/* A share of reads means nothing where all are reads. */
static int drop_unused_mix(const struct ui_state *st, struct shown *v, int n)
{
	if (st->focus == FIELD_MIX || state_field_used(st, FIELD_MIX))
		return n;
	memmove(&v[FIELD_MIX], &v[FIELD_MIX + 1], (size_t)(n - FIELD_MIX - 1) * sizeof(*v));
	return n - 1;
}

/* "randread" and "io_uring" say themselves what they are. */
static void drop_labels(struct shown *v, int n)
{
	for (int i = 0; i < n; i++)
		if ((v[i].f == FIELD_RW || v[i].f == FIELD_ENGINE) && !v[i].focus)
			v[i].label = "";
}

static int total_width(const struct shown *v, int n, int gap)
{
	int w = 0;

	for (int i = 0; i < n; i++)
		w += field_width(&v[i], gap);
	return w;
}

/* The fields from..to-1 that are drawn: from the first possible one that leaves the focus in view. */
static void scroll(const struct shown *v, int n, int room, int *from, int *to)
{
	for (*from = 0; *from < n; ++*from) {
		int w = *from ? 2 : 0;

		for (*to = *from; *to < n; ++*to) {
			w += field_width(&v[*to], 1);
			if (w + (*to + 1 < n ? 1 : 0) > room)
				break;
		}
		for (int i = *from; i < *to; i++)
			if (v[i].focus)
				return;
	}
	*from = 0;
}

static void draw_field(struct canvas *c, int x, int y, const struct shown *s,
		       const struct ui_state *st)
{
	enum role role = s->focus ? ROLE_FOCUS : state_field_used(st, s->f) ? ROLE_TEXT : ROLE_DIM;

	x = canvas_text(c, x, y, ROLE_TEXT, 0, s->label);
	if (s->focus || s->label[0])
		x = canvas_text(c, x, y, s->focus ? ROLE_FOCUS : ROLE_TEXT, 0,
				s->focus ? "[" : "=");
	if (s->focus && st->editing && x < c->clip.x + c->clip.w) {
		char left[sizeof(st->edit)];

		snprintf(left, sizeof(left), "%.*s", (int)st->edit_pos, st->edit);
		c->cur_x = x + canvas_width(left);
		c->cur_y = y;
	}
	x = canvas_text(c, x, y, role, role == ROLE_TEXT ? ATTR_BOLD : 0, s->value);
	if (s->focus)
		canvas_text(c, x, y, ROLE_FOCUS, 0, "]");
}

static void draw_from(struct canvas *c, struct rect row, const struct ui_state *st,
		      const struct shown *v, int n, int gap)
{
	int x = row.x + 1, room = row.w - 1, from = 0, to = n;

	if (total_width(v, n, gap) > room)
		scroll(v, n, room, &from, &to);
	/* Not even the focused field fits: it is cut, everything else is dropped. */
	if (to == from) {
		while (from < n - 1 && !v[from].focus)
			from++;
		to = from + 1;
	} else if (from > 0) {
		canvas_put(c, x, row.y, c->g->ellipsis, ROLE_TEXT, 0);
		x += 2;
	}
	for (int i = from; i < to; i++) {
		draw_field(c, x, row.y, &v[i], st);
		x += field_width(&v[i], gap);
	}
	if (to < n && x < row.x + row.w)
		canvas_put(c, row.x + row.w - 1, row.y, c->g->ellipsis, ROLE_TEXT, 0);
}

/* What gives way in a narrow strip, in this order: an idle field, blanks, labels, fields. */
void w_setup(struct canvas *c, struct rect row, const struct ui_state *st)
{
	struct rect old = canvas_clip(c, row);
	struct shown v[FIELD_NR];
	int n = load_fields(st, v), gap = 2, room = row.w - 1;

	if (total_width(v, n, gap) > room)
		n = drop_unused_mix(st, v, n);
	if (total_width(v, n, gap) > room)
		gap = 1;
	if (total_width(v, n, gap) > room)
		drop_labels(v, n);
	draw_from(c, row, st, v, n, gap);
	canvas_unclip(c, old);
}
