/* The screens, in the order of their keys. */
#include "ui/view_compare.h"
#include "ui/view_dash.h"
#include "ui/view_history.h"
#include "ui/view_sweep.h"

const struct view_ops *const view_table[] = {
	&view_dash, &view_sweep, &view_compare, &view_history, NULL,
};

/* "[1 Run]" here, " 2 Sweep " or, where room is short, " 2 " elsewhere. */
static int tab_width(const struct view_ops *v, const struct view_ops *here, bool brief)
{
	return brief && v != here ? 3 : canvas_width(v->title) + 4;
}

static int tabs_width(const struct view_ops *here, bool brief)
{
	int w = 0;

	for (int i = 0; view_table[i]; i++)
		w += tab_width(view_table[i], here, brief) + 1;
	return w - 1;
}

int view_tabs(struct canvas *c, int x, int y, int end, const struct view_ops *here)
{
	bool brief = x + tabs_width(here, false) > end;

	for (int i = 0; view_table[i]; i++) {
		const struct view_ops *v = view_table[i];

		if (x + tab_width(v, here, brief) > end)
			break;
		if (brief && v != here)
			x = canvas_textf(c, x, y, ROLE_TEXT, 0, " %d ", i + 1);
		else
			x = canvas_textf(c, x, y, v == here ? ROLE_TITLE : ROLE_TEXT, 0,
					 v == here ? "[%d %s]" : " %d %s ", i + 1, v->title);
		x++;
	}
	return x;
}
