/* Requests that only change what is looked at: panes, axes, windows, the frozen view. */
#include <string.h>

#include "src/base/clock.h"
#include "ui/console.h"
#include "ui/layout.h"

static void move_focus(struct ui_state *s, int dir)
{
	s->focus = (enum field)(((int)s->focus + dir + FIELD_NR) % FIELD_NR);
}

static void next_window(struct ui_state *s)
{
	static const unsigned windows_s[] = {15, 60, 300, 1800, 0};
	const size_t n = sizeof(windows_s) / sizeof(windows_s[0]);
	size_t i = 0;

	while (i < n && windows_s[i] * NSEC_PER_SEC != s->window_ns)
		i++;
	s->window_ns = windows_s[(i + 1) % n] * NSEC_PER_SEC;
}

static void next_y_mode(struct console *con)
{
	struct ui_state *s = &con->st;

	s->y_mode = (enum y_mode)((s->y_mode + 1) % Y_NR);
	for (int q = 0; q < MODEL_QUANTITIES && s->y_mode == Y_LOCKED; q++)
		s->y_locked[q] = con->model.hold[0][q].max;
}

/* Columns of the graph as drawn last: a step of the cursor is one of them. */
static uint64_t cursor_step_ns(const struct console *con)
{
	const struct canvas *c = con->screen;
	struct layout l = layout_make(c ? c->w : 80, c ? c->h : 24);
	uint64_t window = con->st.window_ns, begin, end;
	int cols = l.area[AREA_GRAPH].w > 20 ? l.area[AREA_GRAPH].w - 11 : 10;

	if (window == 0 && model_span(&con->model, 0, &begin, &end))
		window = con->st.frozen_t_ns > begin ? con->st.frozen_t_ns - begin : 0;
	return window / (uint64_t)cols + 1;
}

/* While the view is frozen, left and right move the read-out instead of the focus. */
static void move_cursor(struct console *con, int dir)
{
	struct ui_state *s = &con->st;
	uint64_t step = cursor_step_ns(con);

	if (dir < 0)
		s->cursor_ns -= s->cursor_ns > step ? step : 0;
	else if (s->cursor_ns + step <= s->frozen_t_ns)
		s->cursor_ns += step;
	else
		s->cursor_ns = s->frozen_t_ns;
}

static void toggle_freeze(struct console *con)
{
	con->st.frozen = !con->st.frozen && con->model.snap->seq;
	con->st.frozen_t_ns = con->st.cursor_ns = con->model.snap->t_ns;
}

int console_slo(struct console *con, const char *text, struct err *e)
{
	if (!text[strspn(text, " ")]) {
		con->st.slo = (struct slo){0};
		return 0;
	}
	return slo_parse(text, &con->st.slo, e);
}

bool console_look(struct console *con, enum request req)
{
	struct ui_state *s = &con->st;

	switch (req) {
	case REQ_FIELD_PREV:
		if (s->frozen)
			move_cursor(con, -1);
		else
			move_focus(s, -1);
		return true;
	case REQ_FIELD_NEXT:
		if (s->frozen)
			move_cursor(con, 1);
		else
			move_focus(s, 1);
		return true;
	case REQ_PANE:
		state_next_pane(s);
		return true;
	case REQ_WINDOW:
		next_window(s);
		return true;
	case REQ_Y_MODE:
		next_y_mode(con);
		return true;
	case REQ_TOTALS:
		s->totals = !s->totals;
		return true;
	case REQ_UNITS:
		s->si = !s->si;
		return true;
	case REQ_FREEZE:
		toggle_freeze(con);
		return true;
	default:
		return false;
	}
}
