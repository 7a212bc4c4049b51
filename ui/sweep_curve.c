/* One column of a sweep as bars over its rows, or one row over its columns. */
#include <math.h>
#include <stdio.h>

#include "src/stat/sweep_text.h"
#include "ui/axis.h"
#include "ui/sweep_panes.h"

#define GUTTER       7
#define BAR_MAX      8 /* with its gap */
#define P99_MIN_STEP 5 /* "76.3 " */
#define P99_MIN_H    7 /* lower, and the bars would lose too much to the numbers */

static unsigned count_of(const struct sweep_screen *s)
{
	return s->st->sweep.row_curve ? s->v->r.cols : s->v->r.rows;
}

/* Cell i along the curve. */
static const struct sweep_cell *cell_at(const struct sweep_screen *s, unsigned i)
{
	const struct sweep_result *r = &s->v->r;

	return s->st->sweep.row_curve ? sweep_cell_get(r, s->row, i) : sweep_cell_get(r, i, s->col);
}

static double value_at(const struct sweep_screen *s, unsigned i)
{
	return sweep_metric_value(cell_at(s, i), s->st->sweep.metric);
}

bool sweep_curve_has_p99(const struct sweep_screen *s)
{
	return s->curve.h >= P99_MIN_H &&
	       (s->curve.w - GUTTER) / (int)count_of(s) >= P99_MIN_STEP &&
	       !sweep_metric_is_time(s->st->sweep.metric);
}

static void draw_p99(struct canvas *c, const struct sweep_screen *s, struct rect plot, int step)
{
	char text[NUM_SIZE];
	int y = plot.y + plot.h + 1;

	canvas_label(c, plot.x - GUTTER + 1, y, GUTTER - 1, ROLE_TEXT, 0, "p99");
	for (unsigned i = 0; i < count_of(s); i++) {
		const struct sweep_cell *cell = cell_at(s, i);

		show_count(c, text, cell->n ? (double)cell->pct_ns[2] / 1000 : (double)NAN);
		canvas_value(c, plot.x + (int)i * step, y, step > 1 ? step - 1 : 1, ROLE_TEXT, 0,
			     text);
	}
}

static double top_of(const struct sweep_screen *s)
{
	double top = 0;

	for (unsigned i = 0; i < count_of(s); i++)
		top = fmax(top, value_at(s, i));
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
	const struct sweep_spec *spec = &s->v->r.spec;
	bool across = s->st->sweep.row_curve;
	unsigned here = across ? s->col : s->row;
	char text[32];

	for (unsigned i = 0; i < count_of(s); i++) {
		double v = value_at(s, i);
		int x = plot.x + (int)i * step;

		if (!isnan(v))
			draw_bar(c, plot, x, step > 1 ? step - 1 : 1, axis_pos(a, v));
		sweep_axis_label(spec, across ? spec->col : spec->row, i, text, sizeof(text));
		canvas_value(c, x, plot.y + plot.h, step > 1 ? step - 1 : 1,
			     i == here ? ROLE_TITLE : ROLE_TEXT, 0, text);
	}
}

void sweep_curve(struct canvas *c, const struct sweep_screen *s)
{
	bool p99 = sweep_curve_has_p99(s);
	struct rect plot = {s->curve.x + GUTTER, s->curve.y, s->curve.w - GUTTER,
			    s->curve.h - 1 - p99};
	int step = plot.w / (int)count_of(s);
	double top = top_of(s);
	struct axis a;

	if (plot.h < 3 || step < 1)
		return;
	if (!(top > 0)) {
		canvas_label(c, s->curve.x + 2, s->curve.y + plot.h / 2, s->curve.w - 2, ROLE_TEXT,
			     0, "nothing measured here yet");
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
	if (p99)
		draw_p99(c, s, plot, step);
}
