/* The actions of the Sweep screen. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "ui/console.h"
#include "ui/setup_target.h"
#include "ui/view_sweep.h"

static const struct sweep_view *view_of(const struct console *con)
{
	return &con->model.snap->sweep;
}

static int send(struct console *con, const struct command *c, struct err *e)
{
	return con->feed->ops->command(con->feed, c, e);
}

static int start_anew(struct console *con, struct err *e)
{
	struct command c = {.kind = CMD_SWEEP};
	const struct sweep_axis *mix = &con->st.sweep.spec.axis[SWEEP_MIX];
	struct spec spec;
	int rc;

	spec_init(&spec);
	spec_add(&spec, &con->st.job);
	/* Shares of reads mean something only where both are done; the guard is asked about the writes. */
	if (mix->n)
		spec.jobs[0].rw.ops = IO_BIT(IO_READ) | IO_BIT(IO_WRITE);
	c.u.sweep.spec = &spec;
	c.u.sweep.sweep = &con->st.sweep.spec;
	rc = console_start_as(con, &c, e);
	if (rc == 0) {
		spec_fini(&con->sweep_job);
		con->sweep_job = spec;
		return 0;
	}
	spec_fini(&spec);
	return rc;
}

/* One key for what is wanted next: start, pause, go on, resume. */
static int go(struct console *con, struct err *e)
{
	const struct sweep_view *v = view_of(con);
	struct command c = {.kind = CMD_PAUSE, .u.flag = !v->paused};

	if (sweep_view_runs(v))
		return send(con, &c, e);
	if (console_is_running(con))
		return err_set(e, EBUSY, "sweep: a run is on; stop it first");
	if (v->phase != SWEEP_STOPPED && v->phase != SWEEP_FAILED)
		return start_anew(con, e);
	c = (struct command){.kind = CMD_SWEEP_RESUME};
	c.u.sweep.spec = con->sweep_job.n_jobs ? &con->sweep_job : NULL;
	return console_start_as(con, &c, e);
}

static int stop(struct console *con, struct err *e)
{
	struct command c = {.kind = CMD_STOP};

	con->stopped = con->stopped || console_is_running(con);
	return console_is_running(con) ? send(con, &c, e) : 0;
}

/* The cursor as it is drawn: a grid may have become smaller since. */
static void clamp(struct console *con)
{
	const struct sweep_view *v = view_of(con);
	struct sweep_state *s = &con->st.sweep;

	if (v->phase == SWEEP_OFF)
		sweep_state_clamp(s, sweep_spec_rows(&s->spec), sweep_spec_cols(&s->spec));
	else
		sweep_state_clamp(s, v->r.rows, v->r.cols);
}

static int redo(struct console *con, struct err *e)
{
	struct command c = {.kind = CMD_SWEEP_REDO};

	if (view_of(con)->phase == SWEEP_OFF)
		return err_set(e, EINVAL, "redo: nothing is measured yet");
	clamp(con);
	c.u.cell.row = con->st.sweep.row;
	c.u.cell.col = con->st.sweep.col;
	if (console_is_running(con))
		return send(con, &c, e);
	return console_start_as(con, &c, e);
}

static int open_cell(struct console *con, struct err *e)
{
	const struct sweep_view *v = view_of(con);
	const struct sweep_spec *spec = v->phase == SWEEP_OFF ? &con->st.sweep.spec : &v->r.spec;

	if (console_is_running(con))
		return err_set(e, EBUSY, "open: a run is on; stop it first");
	clamp(con);
	sweep_spec_job(spec, con->st.sweep.row, con->st.sweep.col, &con->st.job);
	setup_target_refresh(&con->st);
	con->view = view_table[0];
	console_say(con, ROLE_OK, "the cell's settings; Space runs them");
	return 0;
}

static void edit(struct console *con)
{
	struct strbuf words = {0};

	sweep_spec_print(&con->st.sweep.spec, &words);
	con->text_for = TEXT_SWEEP;
	d_text_open(&con->dialog, "What the next sweep measures",
		    "Words: qd=1..128 bs=4k,16k slo=p99<1ms cap=15", strbuf_str(&words));
	strbuf_fini(&words);
}

int console_sweep_set(struct console *con, const char *words, struct err *e)
{
	struct sweep_spec spec;
	int rc;

	sweep_spec_init(&spec);
	rc = sweep_spec_parse(&spec, words, e);
	if (rc < 0)
		return rc;
	con->st.sweep.spec = spec;
	con->st.sweep.both = false;
	clamp(con);
	console_say(con, ROLE_OK, "%u x %u cells; a measures them", sweep_spec_rows(&spec),
		    sweep_spec_cols(&spec));
	return 0;
}

/* Reads and writes take the columns; another axis there keeps its value at the cursor. */
static void both_on(struct console *con)
{
	struct sweep_state *s = &con->st.sweep;
	struct sweep_spec *spec = &s->spec;
	struct sweep_axis *mix = &spec->axis[SWEEP_MIX];

	s->col_kind = spec->col;
	s->col_before = (struct sweep_axis){0};
	if (spec->col != SWEEP_NO_AXIS) {
		struct sweep_axis *a = &spec->axis[spec->col];
		unsigned at = s->col < a->n ? s->col : 0;

		s->col_before = *a;
		a->v[0] = a->v[at];
		memcpy(a->word[0], s->col_before.word[at], sizeof(a->word[0]));
		a->n = 1;
	}
	*mix = (struct sweep_axis){.n = 2, .v = {100, 0}};
	s->both = true;
}

static void both_off(struct console *con)
{
	struct sweep_state *s = &con->st.sweep;

	s->spec.axis[SWEEP_MIX] = (struct sweep_axis){0};
	if (s->col_before.n)
		s->spec.axis[s->col_kind] = s->col_before;
	s->both = false;
}

static int toggle_both(struct console *con, struct err *e)
{
	struct sweep_state *s = &con->st.sweep;
	struct strbuf words = {0};
	int rc;

	if (!s->both && (s->spec.axis[SWEEP_MIX].n || s->spec.row == SWEEP_NO_AXIS))
		return err_set(e, EINVAL, "rd+wr: rwmixread is an axis already; e edits it");
	if (s->both)
		both_off(con);
	else
		both_on(con);
	rc = sweep_spec_settle(&s->spec, e);
	if (rc < 0)
		return rc;
	s->row = s->col = 0;
	sweep_spec_print(&s->spec, &words);
	console_say(con, ROLE_OK, "next: %.150s; a measures it", strbuf_str(&words));
	strbuf_fini(&words);
	return 0;
}

int console_sweep_slo(struct console *con, const char *text, struct err *e)
{
	struct command c = {.kind = CMD_SWEEP_SLO};
	int rc = 0;

	if (text[strspn(text, " ")])
		rc = slo_parse(text, &c.u.slo, e);
	if (rc < 0)
		return rc;
	con->st.sweep.spec.slo = c.u.slo;
	return view_of(con)->phase == SWEEP_OFF ? 0 : send(con, &c, e);
}

static void ask_slo(struct console *con)
{
	const struct sweep_view *v = view_of(con);
	const struct slo *slo = v->phase == SWEEP_OFF ? &con->st.sweep.spec.slo : &v->r.spec.slo;
	char text[48];

	slo_print(slo, text, sizeof(text));
	con->text_for = TEXT_SWEEP_SLO;
	d_text_open(&con->dialog, "Latency objective of the sweep",
		    "As in p99<200us, max<10ms, mean<1ms; empty: none", text);
}

static int ask_export(struct console *con, struct err *e)
{
	if (view_of(con)->phase == SWEEP_OFF || !con->sweep_job.n_jobs)
		return err_set(e, EINVAL, "export: nothing is measured yet");
	con->text_for = TEXT_SWEEP_EXPORT;
	d_text_open(&con->dialog, "Write the sweep to a new file",
		    "NAME.json, .csv, .txt (the report) or .fio (a job file of its cells):",
		    "sweep.json");
	return 0;
}

int console_sweep_export(struct console *con, const char *path, struct err *e)
{
	const struct sweep_view *v = view_of(con);
	int rc;

	if (!con->cfg->export_sweep || v->phase == SWEEP_OFF || !con->sweep_job.n_jobs)
		return err_set(e, EINVAL, "export: nothing is measured yet");
	rc = con->cfg->export_sweep(&v->r, &con->sweep_job.jobs[0], path, e);
	if (rc == 0)
		console_say(con, ROLE_OK, "written: %.180s", path);
	return rc;
}

/* Takes over on success. */
static int take(struct console *con, const char *name, struct spec *spec,
		const struct sweep_result *r, struct err *e)
{
	struct command c = {.kind = CMD_SWEEP_TAKE};
	int rc;

	c.u.sweep.spec = spec;
	c.u.sweep.from = r;
	rc = send(con, &c, e);
	if (rc == 0)
		rc = console_use_spec(con, spec, name, e);
	if (rc < 0)
		return rc;
	spec_fini(&con->sweep_job);
	con->sweep_job = *spec;
	spec_init(spec);
	con->st.sweep.spec = r->spec;
	con->st.sweep.both = false;
	con->view = &view_sweep;
	if (r->pending)
		console_say(con, ROLE_OK, "%u of %u cells are measured; Space goes on", r->done,
			    r->rows * r->cols);
	else
		console_say(con, ROLE_OK, "all cells are measured; r redoes one, a all");
	return 0;
}

int console_sweep_open(struct console *con, const char *name, const char *text, struct err *e)
{
	struct sweep_result *r = xcalloc(1, sizeof(*r));
	struct spec spec;
	int rc;

	spec_init(&spec);
	if (!con->cfg->load_sweep)
		rc = err_set(e, ENOTSUP, "open: sweeps cannot be read here");
	else
		rc = con->cfg->load_sweep(name, text, &spec, r, e);
	if (rc == 0)
		rc = take(con, name, &spec, r, e);
	spec_fini(&spec);
	free(r);
	return rc;
}

static bool move(struct console *con, enum request req)
{
	struct sweep_state *s = &con->st.sweep;

	clamp(con);
	switch (req) {
	case REQ_UP:
		s->row -= s->row > 0;
		break;
	case REQ_DOWN:
		s->row++;
		break;
	case REQ_LEFT:
		s->col -= s->col > 0;
		break;
	case REQ_RIGHT:
		s->col++;
		break;
	default:
		return false;
	}
	clamp(con);
	return true;
}

bool console_sweep_request(struct console *con, enum request req, int *rc, struct err *e)
{
	struct sweep_state *s = &con->st.sweep;

	*rc = 0;
	switch (req) {
	case REQ_VIEW_RUN:
		con->view = view_table[0];
		return true;
	case REQ_VIEW_SWEEP:
		con->view = &view_sweep;
		return true;
	case REQ_SWEEP_GO:
		*rc = go(con, e);
		return true;
	case REQ_CANCEL:
		if (con->view != &view_sweep)
			return false;
		*rc = stop(con, e);
		return true;
	case REQ_SWEEP_ANEW:
		*rc = console_is_running(con)
			      ? err_set(e, EBUSY, "sweep: a run is on; stop it first")
			      : start_anew(con, e);
		return true;
	case REQ_SWEEP_REDO:
		*rc = redo(con, e);
		return true;
	case REQ_SWEEP_OPEN:
		*rc = open_cell(con, e);
		return true;
	case REQ_SWEEP_EDIT:
		edit(con);
		return true;
	case REQ_SWEEP_METRIC:
		s->metric = (enum sweep_metric)((s->metric + 1) % SWEEP_M_NR);
		return true;
	case REQ_SLO:
		if (con->view != &view_sweep)
			return false;
		ask_slo(con);
		return true;
	case REQ_SWEEP_BOTH:
		*rc = toggle_both(con, e);
		return true;
	case REQ_SWEEP_CURVE:
		s->row_curve = !s->row_curve;
		return true;
	case REQ_SWEEP_EXPORT:
		*rc = ask_export(con, e);
		return true;
	case REQ_SWEEP_RULE:
		s->rule = (enum knee_rule)((s->rule + 1) % KNEE_RULES);
		return true;
	default:
		return con->view == &view_sweep && move(con, req);
	}
}
