/* One column of a sweep as bars over its rows. */
#include <math.h>
#include <stdio.h>

#include "src/stat/sweep_text.h"
#include "ui/axis.h"
#include "ui/sweep_panes.h"

#define GUTTER  7
#define BAR_MAX 8 /* with its gap */

static double top_of(const struct sweep_screen *s)
{
	double top = 0;

	for (unsigned row = 0; row < s->v->r.rows; row++)
		top = fmax(top, sweep_metric_value(sweep_cell_get(&s->v->r, row, s->col),
						   s->st->sweep.metric));
	return top;
}

static void draw_axis(struct canvas *c, struct rect plot, const struct axis *a, enum sweep_metric m)
{
	char text[NUM_SIZE];

	for (int y = 0; y < plot.h; y++)
		canvas_put(c, plot.x - 1, plot.y + y, c->g->vline, ROLE_DIM, 0);
	for (int i = 0; i <= a->intervals; i++) {
		/* 0 stands on the floor, which is the row of the loads. */
		int y = plot.y + plot.h - axis_label_row(a, i);

		if (sweep_metric_is_time(m))
			show_ns(c, text, axis_label(a, i));
		else
			show_count(c, text, axis_label(a, i));
		canvas_value(c, plot.x - GUTTER, y, GUTTER - 1, ROLE_TEXT, 0, text);
	}
}

/* In eighths of a cell from the foot of the plot. */
static void draw_bar(struct canvas *c, struct rect plot, int x, int w, double pos)
{
	int eighths = (int)(pos * plot.h * 8 + 0.5);

	for (int y = 0; y < plot.h; y++) {
		int part = eighths - (plot.h - 1 - y) * 8;

		for (int i = 0; i < w && part > 0; i++)
			canvas_put(c, x + i, plot.y + y, c->g->block[part < 8 ? part : 8],
				   ROLE_READ, 0);
	}
}

static void draw_bars(struct canvas *c, const struct sweep_screen *s, struct rect plot, int step,
		      const struct axis *a)
{
	const struct sweep_result *r = &s->v->r;
	char text[32];

	for (unsigned row = 0; row < r->rows; row++) {
		double v = sweep_metric_value(sweep_cell_get(r, row, s->col), s->st->sweep.metric);
		int x = plot.x + (int)row * step;

		if (!isnan(v))
			draw_bar(c, plot, x, step > 1 ? step - 1 : 1, axis_pos(a, v));
		sweep_axis_label(&r->spec, r->spec.row, row, text, sizeof(text));
		canvas_value(c, x, plot.y + plot.h, step > 1 ? step - 1 : 1,
			     row == s->row ? ROLE_TITLE : ROLE_TEXT, 0, text);
	}
}

void sweep_curve(struct canvas *c, const struct sweep_screen *s)
{
	struct rect plot = {s->curve.x + GUTTER, s->curve.y, s->curve.w - GUTTER, s->curve.h - 1};
	int step = plot.w / (int)s->v->r.rows;
	double top = top_of(s);
	struct axis a;

	if (plot.h < 3 || step < 1)
		return;
	if (!(top > 0)) {
		canvas_label(c, s->curve.x + 2, s->curve.y + plot.h / 2, s->curve.w - 2, ROLE_TEXT,
			     0, "nothing measured in this column yet");
		return;
	}
	if (step > BAR_MAX)
		step = BAR_MAX;
	a = axis_zero(top, 1, plot.h);
	/* The axis may use fewer rows; a bar's position is a share of those. */
	plot.y += plot.h - a.rows;
	plot.h = a.rows;
	draw_axis(c, plot, &a, s->st->sweep.metric);
	draw_bars(c, s, plot, step, &a);
}
