#include "ui/view_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/stat/sweep_text.h"
#include "ui/keys.h"
#include "ui/sweep_panes.h"
#include "ui/w_workers.h"

#define CURVE_MIN_W 26
#define CURVE_MAX_H 16
#define FINDINGS_H  9 /* with their heading */

/* -- layout ----------------------------------------------------------------------------------- */

static int min_of(int a, int b)
{
	return a < b ? a : b;
}

/* Top, target and setup; grid under a heading; findings under theirs; now; hint; footer. */
static void lay_out(struct sweep_screen *s, int w, int h)
{
	const struct sweep_result *r = &s->v->r;
	int y = 4, foot = h >= 28 ? 2 : 1, now_h = 2, wanted = sweep_grid_width(r);
	int room = h - y - foot - 1 - now_h, grid_h = 1 + (int)r->rows, top_h;
	int findings_h;

	if (room >= 10)
		grid_h = min_of(grid_h, room - 5);
	else
		grid_h = min_of(grid_h, room > 0 ? room : 0);
	/* The curve beside a small grid takes what the findings leave. */
	top_h = min_of(room - FINDINGS_H, CURVE_MAX_H);
	if (top_h < grid_h || w - wanted < CURVE_MIN_W)
		top_h = grid_h;
	findings_h = room - top_h;
	s->grid = (struct rect){0, y, w, grid_h};
	if (w - wanted >= CURVE_MIN_W && top_h >= 5) {
		s->grid.w = wanted;
		s->curve = (struct rect){wanted + 1, y, w - wanted - 2, top_h};
	}
	y += top_h;
	if (findings_h >= 2)
		s->findings = (struct rect){0, y, w, findings_h};
	s->now = (struct rect){0, h - foot - 1 - now_h, w, now_h};
}

/* -- rows ------------------------------------------------------------------------------------- */

/* "sim:nvme"; in a list of names its colon is escaped. */
static bool is_sim_name(const char *name)
{
	return strncmp(name, "sim:", 4) == 0 || strncmp(name, "sim\\:", 5) == 0;
}

/* What is on the screen was measured on a device that does not exist, or would be. */
static bool is_simulated(const struct sweep_screen *s)
{
	const char *name = s->v->phase == SWEEP_OFF ? s->st->job.filename : s->v->r.target;

	return name && is_sim_name(name);
}

static void add_state(const struct canvas *c, const struct sweep_screen *s, struct items *it)
{
	static const char *const words[] = {"IDLE",    "SWEEP",  "SWEEP", "SWEEP",
					    "STOPPED", "FAILED", "DONE"};
	const struct sweep_view *v = s->v;
	enum role role = v->phase == SWEEP_FAILED ? ROLE_ERROR : s->runs ? ROLE_OK : ROLE_TITLE;
	char left[NUM_SIZE], asking[32];

	state_asking_text(s->st, asking, sizeof(asking));
	if (asking[0]) {
		items_add(it, ROLE_WARN, ATTR_REVERSE, "%s", asking);
		return;
	}
	items_add(it, role, ATTR_REVERSE, " %s%s ", s->runs && !c->g->ascii ? "● " : "",
		  v->paused ? "PAUSED" : words[v->phase]);
	if (is_simulated(s))
		items_add(it, ROLE_BADGE, ATTR_REVERSE, " SIMULATED ");
	if (v->phase != SWEEP_OFF)
		items_add(it, ROLE_TITLE, 0, "%u/%u", v->r.done + v->r.skipped,
			  v->r.rows * v->r.cols);
	if (s->runs && v->eta_ns != UINT64_MAX) {
		units_fmt_clock(left, sizeof(left), v->eta_ns);
		items_add(it, ROLE_TITLE, 0, "left %s", left);
	}
	if (s->st->fps && c->w >= 60)
		items_add_rate(it, s->st->fps, s->st->tty_slow);
}

static void draw_top(struct canvas *c, const struct sweep_screen *s)
{
	struct items it = {0};
	int w, x = 1;

	add_state(c, s, &it);
	while (it.n > 1 && items_width(&it) > c->w - 10)
		it.n--;
	w = items_width(&it);
	x = canvas_text(c, x, 0, ROLE_TITLE, 0, "iodeck") + 3;
	if (c->w >= 60)
		view_tabs(c, x, 0, c->w - 2 - w, &view_sweep);
	if (w <= c->w - 10)
		w_items(c, c->w - 1 - w, 0, w, &it);
}

static void draw_target(struct canvas *c, const struct sweep_screen *s)
{
	const char *target = s->st->target_line;

	if (!target[0])
		target = s->v->r.target[0] ? s->v->r.target : "no target chosen";
	canvas_label(c, 1, 1, c->w - 2, ROLE_TEXT, 0, target);
}

static void draw_setup(struct canvas *c, const struct sweep_screen *s)
{
	const struct sweep_spec *spec = &s->v->r.spec;
	struct strbuf words = {0};
	struct items it = {0};
	int x;

	sweep_spec_print(spec, &words);
	items_add(&it, ROLE_TEXT, 0, "rw %s",
		  s->v->phase == SWEEP_OFF ? job_spec_rw_word(&s->st->job.rw) : s->v->r.rw);
	if (s->v->phase == SWEEP_OFF || s->v->r.engine[0])
		items_add(&it, ROLE_TEXT, 0, "%s",
			  s->v->phase == SWEEP_OFF ? s->st->job.ioengine : s->v->r.engine);
	items_add(&it, ROLE_TEXT, 0, "to %s%g %%", c->g->ascii ? "+-" : "±", spec->ci_pct);
	x = w_items(c, 1, 2, c->w - 1, &it) + 2;
	if (c->w - x > 20)
		canvas_label(c, x, 2, c->w - 1 - x, ROLE_TITLE, 0, strbuf_str(&words));
	strbuf_fini(&words);
}

static void draw_headings(struct canvas *c, const struct sweep_screen *s)
{
	struct items left = {0}, right = {0};
	char at[48];

	items_add(&left, ROLE_TITLE, 0, "%s", sweep_metric_word(s->st->sweep.metric));
	items_add(&left, ROLE_TEXT, 0, "shade: share of the column's top");
	items_add(&left, ROLE_TEXT, 0, "%s knee", c->g->ascii ? "*" : "◆");
	w_heading(c, (struct rect){0, 3, s->grid.w, 1}, -1, &left);
	if (!s->curve.w)
		return;
	if (s->st->sweep.row_curve)
		sweep_row_text(&s->v->r, s->row, at, sizeof(at));
	else
		sweep_col_text(&s->v->r, s->col, at, sizeof(at));
	items_add(&right, ROLE_TITLE, 0, "%s", at[0] ? at : sweep_kind_word(s->v->r.spec.row));
	items_add(&right, ROLE_TEXT, 0, "%s", sweep_metric_word(s->st->sweep.metric));
	if (sweep_curve_has_p99(s))
		items_add(&right, ROLE_TEXT, 0, "p99 in %ss", c->g->micro);
	w_heading(c, (struct rect){s->grid.w, 3, c->w - s->grid.w, 1}, -1, &right);
}

/* Facts with three blanks between, whole ones only: a number that lost a digit is a wrong number. */
static void draw_facts(struct canvas *c, int x, int y, int w, const char *text)
{
	int end = x + w;

	while (*text) {
		const char *gap = strstr(text, "   ");
		char fact[176];

		snprintf(fact, sizeof(fact), "%.*s", gap ? (int)(gap - text) : 175, text);
		if (x + canvas_width(fact) > end)
			return;
		x = canvas_text(c, x, y, ROLE_TEXT, 0, fact) + 3;
		if (!gap)
			return;
		text = gap + 3;
	}
}

static void draw_findings(struct canvas *c, const struct sweep_screen *s)
{
	struct finding f[FINDINGS_MAX];
	struct rect r = s->findings;
	struct items it = {0};
	unsigned n;
	char at[48];

	if (r.h < 2)
		return;
	sweep_col_text(&s->v->r, s->col, at, sizeof(at));
	items_add(&it, ROLE_TITLE, 0, "findings");
	if (at[0])
		items_add(&it, ROLE_TITLE, 0, "%s", at);
	w_heading(c, (struct rect){r.x, r.y, r.w, 1}, -1, &it);
	n = sweep_findings_text(&s->v->r, s->col, s->st->sweep.rule, false, c->g->micro, f);
	for (unsigned i = 0; i < n && (int)i < r.h - 1; i++) {
		canvas_text(c, r.x + 2, r.y + 1 + (int)i, ROLE_KEY, 0, f[i].label);
		draw_facts(c, r.x + 13, r.y + 1 + (int)i, r.w - 14, f[i].text);
	}
	if (n == 0)
		canvas_label(c, r.x + 2, r.y + 1, r.w - 3, ROLE_TEXT, 0,
			     "nothing measured in this column yet");
}

static bool is_waiting(const struct sweep_screen *s)
{
	return s->snap->n_lanes && is_waiting_first(&s->snap->lane[0]);
}

static void add_now(const struct canvas *c, const struct sweep_screen *s, struct items *it)
{
	const struct sweep_view *v = s->v;
	char num[NUM_SIZE];

	if (v->phase == SWEEP_SETTLE && s->snap->state == RUN_LAYOUT)
		items_add(it, ROLE_WARN, 0, "making the file: %u of %u MiB",
			  (unsigned)(s->snap->layout_done >> 20),
			  (unsigned)(s->snap->layout_total >> 20));
	else if (s->runs && is_waiting(s))
		waiting_first(c, &s->snap->lane[0], it);
	else if (v->phase == SWEEP_SETTLE)
		items_add(it, ROLE_TEXT, 0, "the workers take the settings over");
	if (v->phase == SWEEP_RAMP && !is_waiting(s))
		items_add(it, ROLE_TEXT, 0, "ramp %.1f s", (double)v->phase_ns / 1e9);
	if (v->phase != SWEEP_MEASURE)
		return;
	items_add(it, ROLE_TITLE, 0, "%s IOPS", show_count(c, num, v->now.iops));
	items_add(it, ROLE_TEXT, 0, "%s", show_bps(c, num, v->now.bps, s->st->si));
	if (v->now.n)
		items_add(it, ROLE_TEXT, 0, "p99 %s", show_ns(c, num, (double)v->now.pct_ns[2]));
	items_add(it, ROLE_TEXT, 0, "measuring %.1f s", (double)v->now.elapsed_ns / 1e9);
	if (!isnan(v->now.ci_pct))
		items_add(it, ROLE_TEXT, 0, "%s%.1f %% %s %g %%", c->g->ascii ? "+-" : "±",
			  v->now.ci_pct, c->g->ascii ? ">" : "→", v->r.spec.ci_pct);
}

static void draw_now(struct canvas *c, const struct sweep_screen *s)
{
	struct items head = {0}, it = {0};
	char row[48], col[48];

	if (s->now.y < 5)
		return;
	items_add(&head, ROLE_TITLE, 0, s->runs ? "now" : "chosen");
	sweep_row_text(&s->v->r, s->runs ? s->v->row : s->row, row, sizeof(row));
	sweep_col_text(&s->v->r, s->runs ? s->v->col : s->col, col, sizeof(col));
	if (s->runs && s->v->probing)
		snprintf(row, sizeof(row), "SLO search: %s %llu", sweep_kind_word(s->v->r.spec.row),
			 (unsigned long long)s->v->load);
	items_add(&head, ROLE_TITLE, 0, "%s", row);
	if (col[0])
		items_add(&head, ROLE_TITLE, 0, "%s", col);
	w_heading(c, (struct rect){0, s->now.y, c->w, 1}, -1, &head);
	add_now(c, s, &it);
	if (!s->runs) {
		const struct sweep_cell *cell = sweep_cell_get(&s->v->r, s->row, s->col);
		char num[NUM_SIZE];

		items_add(&it, ROLE_TITLE, 0, "%s IOPS", show_count(c, num, cell->iops));
		items_add(&it, ROLE_TEXT, 0, "mean %s", show_ns(c, num, cell->mean_ns));
		items_add(&it, ROLE_TEXT, 0, "p99 %s",
			  show_ns(c, num, cell->n ? (double)cell->pct_ns[2] : NAN));
		items_add(&it, ROLE_TEXT, 0, "CPU/IO %s", show_ns(c, num, cell->cpu_ns));
		if (cell->written_bytes) {
			units_fmt_bytes(num, sizeof(num), (double)cell->written_bytes, false);
			items_add(&it, ROLE_TEXT, 0, "written %s", num);
		}
	}
	w_items(c, 1, s->now.y + 1, c->w - 2, &it);
}

static void draw_hint(struct canvas *c, const struct sweep_screen *s, int y)
{
	const struct ui_state *st = s->st;

	if (st->message[0])
		canvas_label(c, 1, y, c->w - 2, st->message_role, 0, st->message);
	else if (s->v->why[0])
		canvas_label(c, 1, y, c->w - 2, ROLE_WARN, 0, s->v->why);
	else if (s->v->phase == SWEEP_OFF)
		canvas_label(c, 1, y, c->w - 2, ROLE_TEXT, 0,
			     "Space starts the sweep, e edits what is measured");
}

/* Too small for a grid: the facts of the cell at work. */
static void draw_line(struct canvas *c, const struct sweep_screen *s)
{
	struct items it = {0};
	char at[48], num[NUM_SIZE];

	add_state(c, s, &it);
	if (s->runs) {
		items_add(&it, ROLE_TITLE, 0, "%s", show_count(c, num, s->v->now.iops));
		sweep_row_text(&s->v->r, s->v->row, at, sizeof(at));
		items_add(&it, ROLE_TEXT, 0, "%s", at);
	}
	w_items(c, 0, 0, c->w, &it);
}

/* -- the whole -------------------------------------------------------------------------------- */

static void draw_screen(struct canvas *c, struct sweep_screen *s)
{
	if (c->w < 40 || c->h < 10) {
		draw_line(c, s);
		return;
	}
	lay_out(s, c->w, c->h);
	draw_top(c, s);
	draw_target(c, s);
	draw_setup(c, s);
	draw_headings(c, s);
	sweep_grid(c, s);
	if (s->curve.w)
		sweep_curve(c, s);
	draw_findings(c, s);
	draw_now(c, s);
	draw_hint(c, s, s->now.y + s->now.h);
	keys_footer(KEYS_SWEEP, c,
		    (struct rect){0, s->now.y + s->now.h + 1, c->w, c->h >= 28 ? 2 : 1});
}

static void draw(const struct ui_state *st, const struct model *m, struct canvas *c)
{
	struct sweep_screen s = {.st = st, .snap = m->snap, .v = &m->snap->sweep};
	struct sweep_view *planned = NULL;
	struct sweep_state at = st->sweep;

	if (s.v->phase == SWEEP_OFF) {
		planned = xcalloc(1, sizeof(*planned));
		sweep_result_init(&planned->r, &st->sweep.spec);
		s.v = planned;
	}
	s.runs = sweep_view_runs(s.v);
	sweep_state_clamp(&at, s.v->r.rows, s.v->r.cols);
	s.row = at.row;
	s.col = at.col;
	draw_screen(c, &s);
	free(planned);
}

const struct view_ops view_sweep = {
	.name = "sweep",
	.title = "Sweep",
	.keys = KEYS_SWEEP,
	.help = "A grid of cells, each measured until the 95 % interval of its IOPS is narrow "
		"enough; ~ where it did not get so, or where fewer than ten completions lie above "
		"a percentile. The shade is a cell's share of its column's top. The knee's rule is "
		"named beside it, K changes it. The model is fitted to the chosen column and "
		"refused, with the reason, where it would mislead.",
	.draw = draw,
};
