/* The screens, in the order of their keys. */
#include "ui/view_compare.h"
#include "ui/view_dash.h"
#include "ui/view_history.h"
#include "ui/view_sweep.h"

const struct view_ops *const view_table[] = {
	&view_dash, &view_sweep, &view_compare, &view_history, NULL,
};

int view_tabs(struct canvas *c, int x, int y, int end, const struct view_ops *here)
{
	for (int i = 0; view_table[i]; i++) {
		int w = canvas_width(view_table[i]->title) + 4;

		if (x + w > end)
			break;
		x = canvas_textf(c, x, y, view_table[i] == here ? ROLE_TITLE : ROLE_TEXT, 0,
				 view_table[i] == here ? "[%d %s]" : " %d %s ", i + 1,
				 view_table[i]->title) +
		    1;
	}
	return x;
}
