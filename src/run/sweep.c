#include "src/run/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/run/sweep_cell.h"

#define SATURATED_GAIN  1.03 /* a step that gains less says that nothing more will come */
#define PROBES_GUESSED  5u   /* of a column's search, for the time left */
#define SEARCH_FINE_PCT 2u   /* the search ends when its bounds are that near */

/* -- order ------------------------------------------------------------------------------------ */

static void shuffle(uint16_t *v, unsigned n, struct rng *rng)
{
	for (unsigned i = n; i > 1; i--) {
		unsigned j = (unsigned)rng_below(rng, i);
		uint16_t t = v[i - 1];

		v[i - 1] = v[j];
		v[j] = t;
	}
}

/* Column by column; each other one backwards, unless the upper part may be left out. */
static void order_snake(struct sweep *s)
{
	const struct sweep_result *r = &s->v.r;
	unsigned at = 0;

	for (unsigned col = 0; col < r->cols; col++) {
		bool up = col % 2 == 0 || r->spec.skip_saturated;

		for (unsigned i = 0; i < r->rows; i++) {
			unsigned row = up ? i : r->rows - 1 - i;

			s->order[at++] = (uint16_t)(row * r->cols + col);
		}
	}
}

static void make_order(struct sweep *s)
{
	const struct sweep_result *r = &s->v.r;
	struct rng rng;

	order_snake(s);
	if (r->spec.order != SWEEP_RANDOM)
		return;
	rng_seed(&rng, r->spec.seed);
	/* Each engine is started anew: they stay together. */
	if (r->spec.col == SWEEP_ENGINE)
		for (unsigned col = 0; col < r->cols; col++)
			shuffle(s->order + col * r->rows, r->rows, &rng);
	else
		shuffle(s->order, r->rows * r->cols, &rng);
}

/* -- the cell at work ------------------------------------------------------------------------- */

static struct sweep_cell *cell_at_work(struct sweep *s)
{
	return sweep_cell_at(&s->v.r, s->v.row, s->v.col);
}

static void set_phase(struct sweep *s, enum sweep_phase phase, uint64_t now_ns)
{
	s->v.phase = phase;
	s->phase_ns = now_ns;
}

static void begin(struct sweep *s, uint64_t now_ns)
{
	s->cell.written_bytes = 0;
	s->cell.inflight = s->next.tune.qd * s->next.tune.jobs;
	s->cell_begin_ns = s->last_ns = now_ns;
	s->seen_ops = 0;
	sweep_cell_begin(s);
	sweep_cell_numbers(s);
	set_phase(s, SWEEP_SETTLE, now_ns);
}

static enum sweep_step begin_cell(struct sweep *s, unsigned index, uint64_t now_ns)
{
	struct sweep_result *r = &s->v.r;
	enum sweep_kind axis = r->spec.row;

	s->v.probing = false;
	s->v.row = index / r->cols;
	s->v.col = index % r->cols;
	s->v.load = axis == SWEEP_NO_AXIS ? 0 : r->spec.axis[axis].v[s->v.row];
	sweep_spec_tuning(&r->spec, s->v.row, s->v.col, &s->base, &s->next.tune);
	s->next.engine = sweep_spec_engine(&r->spec, s->v.row, s->v.col);
	s->before = *cell_at_work(s);
	begin(s, now_ns);
	cell_at_work(s)->state = CELL_RUNNING;
	return SWEEP_TUNE;
}

static int choose(const struct sweep *s)
{
	const struct sweep_result *r = &s->v.r;
	unsigned n = r->rows * r->cols;

	for (unsigned i = 0; i < n; i++)
		if (s->redo[i])
			return (int)i;
	for (unsigned i = 0; i < n; i++)
		if (r->cell[s->order[i]].state == CELL_PENDING)
			return s->order[i];
	return -1;
}

/* -- the search ------------------------------------------------------------------------------- */

static bool is_searched(const struct sweep *s)
{
	const struct sweep_result *r = &s->v.r;

	return r->spec.slo.set && r->spec.slo_search && r->load_axis;
}

static bool is_near(const struct sweep *s)
{
	return s->hi - s->lo <= 1 || (s->hi - s->lo) * 100 <= s->hi * SEARCH_FINE_PCT;
}

static enum sweep_step begin_probe(struct sweep *s, uint64_t now_ns)
{
	struct sweep_result *r = &s->v.r;

	s->v.probing = true;
	s->v.load = s->lo + (s->hi - s->lo) / 2;
	sweep_spec_tuning(&r->spec, s->v.row, s->v.col, &s->base, &s->next.tune);
	sweep_spec_tune(&s->next.tune, r->spec.row, s->v.load);
	s->next.engine = sweep_spec_engine(&r->spec, s->v.row, s->v.col);
	begin(s, now_ns);
	return SWEEP_TUNE;
}

/* Bounds of a column's search from its grid; false: there is nothing to bisect. */
static bool search_bounds(struct sweep *s, unsigned col)
{
	const struct sweep_result *r = &s->v.r;
	const struct sweep_axis *axis = &r->spec.axis[r->spec.row];
	int row = r->find[col].knee[KNEE_SLO];

	if (row < 0 || row + 1 >= (int)r->rows)
		return false;
	/* A saturated column is cut off: the next load is not measured, but it is not better. */
	s->v.row = (uint32_t)row;
	s->v.col = col;
	s->lo = axis->v[row];
	s->hi = axis->v[row + 1];
	return sweep_cell_get(r, (unsigned)row + 1, col)->state != CELL_SKIPPED && !is_near(s);
}

static enum sweep_step search_next(struct sweep *s, uint64_t now_ns)
{
	struct sweep_result *r = &s->v.r;

	for (unsigned col = 0; col < r->cols && is_searched(s); col++) {
		if (r->slo[col].searched)
			continue;
		if (search_bounds(s, col))
			return begin_probe(s, now_ns);
		r->slo[col].searched = r->find[col].points > 0;
	}
	set_phase(s, SWEEP_OVER, now_ns);
	s->v.probing = false;
	return SWEEP_DONE;
}

static enum sweep_step probe_done(struct sweep *s, const struct sweep_cell *c, uint64_t now_ns)
{
	struct slo_found *f = &s->v.r.slo[s->v.col];

	f->probes++;
	if (sweep_cell_inside(c, &s->v.r.spec.slo)) {
		s->lo = s->v.load;
		f->load = s->v.load;
		f->cell = *c;
	} else {
		s->hi = s->v.load;
	}
	f->searched = is_near(s);
	/* A cell to be redone goes first; the search of this column then begins anew. */
	if (choose(s) >= 0)
		return begin_cell(s, (unsigned)choose(s), now_ns);
	return f->searched ? search_next(s, now_ns) : begin_probe(s, now_ns);
}

/* -- from cell to cell ------------------------------------------------------------------------ */

static bool gains_nothing(const struct sweep_cell *a, const struct sweep_cell *b)
{
	return sweep_cell_has(a) && sweep_cell_has(b) && b->iops < a->iops * SATURATED_GAIN;
}

static void skip_saturated(struct sweep *s, unsigned col)
{
	struct sweep_result *r = &s->v.r;
	unsigned flat = 0;

	if (!r->spec.skip_saturated || !r->load_axis)
		return;
	for (unsigned row = 1; row < r->rows; row++) {
		struct sweep_cell *c = sweep_cell_at(r, row, col);

		if (flat >= 2 && c->state == CELL_PENDING && !s->redo[row * r->cols + col])
			c->state = CELL_SKIPPED;
		else
			flat = gains_nothing(sweep_cell_at(r, row - 1, col), c) ? flat + 1 : 0;
	}
}

static void make_eta(struct sweep *s, uint64_t now_ns);

static enum sweep_step choose_next(struct sweep *s, uint64_t now_ns)
{
	int i = choose(s);
	enum sweep_step step = i >= 0 ? begin_cell(s, (unsigned)i, now_ns) : search_next(s, now_ns);

	make_eta(s, now_ns);
	return step;
}

static enum sweep_step cell_done(struct sweep *s, uint64_t now_ns)
{
	struct sweep_cell c;

	sweep_cell_numbers(s);
	c = s->v.now;
	if (now_ns > s->cell_begin_ns)
		s->spent_ns += now_ns - s->cell_begin_ns;
	s->spent_cells++;
	if (s->v.probing) {
		enum sweep_step step = probe_done(s, &c, now_ns);

		make_eta(s, now_ns);
		return step;
	}
	*cell_at_work(s) = c;
	s->redo[s->v.row * s->v.r.cols + s->v.col] = false;
	sweep_result_derive(&s->v.r);
	skip_saturated(s, s->v.col);
	sweep_result_derive(&s->v.r);
	return choose_next(s, now_ns);
}

/* -- time left -------------------------------------------------------------------------------- */

static unsigned probes_left(const struct sweep *s)
{
	unsigned n = 0;

	for (unsigned col = 0; col < s->v.r.cols && is_searched(s); col++) {
		const struct slo_found *f = &s->v.r.slo[col];

		if (!f->searched)
			n += f->probes < PROBES_GUESSED ? PROBES_GUESSED - f->probes : 1;
	}
	return n;
}

static void make_eta(struct sweep *s, uint64_t now_ns)
{
	uint64_t mean, gone = now_ns > s->cell_begin_ns ? now_ns - s->cell_begin_ns : 0;
	struct sweep_view *v = &s->v;

	v->todo =
		sweep_view_runs(v) || v->phase == SWEEP_STOPPED ? v->r.pending + probes_left(s) : 0;
	v->total = v->todo + s->spent_cells;
	v->eta_ns = UINT64_MAX;
	if (v->phase == SWEEP_OVER)
		v->eta_ns = 0;
	if (!sweep_view_runs(v) || !s->spent_cells)
		return;
	mean = s->spent_ns / s->spent_cells;
	v->eta_ns = v->todo ? (v->todo - 1) * mean + (gone < mean ? mean - gone : 0) : 0;
}

/* -- a snapshot ------------------------------------------------------------------------------- */

static enum sweep_step settle(struct sweep *s, const struct lane_snap *l, uint64_t now_ns)
{
	uint64_t limit = s->v.r.spec.ramp_ns + s->v.r.spec.cap_ns;

	if (tuning_equal(&l->tune, &s->next.tune) && !l->settling) {
		/* A synchronous engine has one in flight whatever is asked. */
		s->cell.inflight = l->qd_effective * l->tune.jobs;
		set_phase(s, SWEEP_RAMP, now_ns);
		return SWEEP_HOLD;
	}
	if (now_ns - s->phase_ns < limit)
		return SWEEP_HOLD;
	return sweep_refused(s, "the workers did not take the settings over in time", now_ns);
}

static void ramp(struct sweep *s, const struct lane_snap *l, uint64_t now_ns)
{
	const struct sweep_spec *spec = &s->v.r.spec;
	uint64_t spent = now_ns - s->phase_ns;

	s->seen_ops += l->tick[IO_OP_NR].ops;
	if (spent < spec->ramp_ns)
		return;
	/* A device that answers nothing at all must come to an end, too. */
	if (s->seen_ops < s->cell.inflight && spent < spec->ramp_ns + spec->cap_ns)
		return;
	sweep_cell_begin(s);
	set_phase(s, SWEEP_MEASURE, now_ns);
}

static enum sweep_step measure(struct sweep *s, const struct lane_snap *l, uint64_t dt_ns,
			       uint64_t now_ns)
{
	sweep_cell_add(s, l, dt_ns);
	return sweep_cell_is_done(s) ? cell_done(s, now_ns) : SWEEP_HOLD;
}

static enum sweep_step act(struct sweep *s, const struct lane_snap *l, uint64_t dt_ns,
			   uint64_t now_ns)
{
	switch (s->v.phase) {
	case SWEEP_SETTLE:
		return settle(s, l, now_ns);
	case SWEEP_RAMP:
		ramp(s, l, now_ns);
		return SWEEP_HOLD;
	case SWEEP_MEASURE:
		return measure(s, l, dt_ns, now_ns);
	case SWEEP_OVER:
		return SWEEP_DONE;
	default:
		return SWEEP_HOLD;
	}
}

static void show(struct sweep *s, uint64_t now_ns)
{
	s->v.phase_ns = now_ns - s->phase_ns;
	if (!sweep_view_runs(&s->v))
		return;
	sweep_cell_numbers(s);
	if (!s->v.probing)
		*cell_at_work(s) = s->v.now;
	make_eta(s, now_ns);
}

enum sweep_step sweep_tick(struct sweep *s, const struct lane_snap *l, uint64_t now_ns)
{
	uint64_t dt_ns = now_ns > s->last_ns ? now_ns - s->last_ns : 0;
	enum sweep_step step;

	s->last_ns = now_ns;
	if (!sweep_view_runs(&s->v))
		return s->v.phase == SWEEP_OVER ? SWEEP_DONE : SWEEP_HOLD;
	if (s->v.paused || l->state == RUN_PAUSED) {
		begin(s, now_ns);
		return SWEEP_HOLD;
	}
	/* Not yet, or not any more: the session says which. */
	if (l->state != RUN_ON) {
		begin(s, now_ns);
		return SWEEP_HOLD;
	}
	s->cell.written_bytes += l->tick[IO_WRITE].bytes;
	step = act(s, l, dt_ns, now_ns);
	show(s, now_ns);
	return step;
}

/* -- from outside ----------------------------------------------------------------------------- */

void sweep_init(struct sweep *s, const struct sweep_spec *spec, const struct tuning *base,
		uint64_t now_ns)
{
	memset(s, 0, sizeof(*s));
	sweep_result_init(&s->v.r, spec);
	s->base = *base;
	make_order(s);
	begin_cell(s, s->order[0], now_ns);
	make_eta(s, now_ns);
}

/* Refused cells are tried again. */
static bool is_kept(const struct sweep_cell *c)
{
	return c->state == CELL_DONE || c->state == CELL_NO_IO || c->state == CELL_SKIPPED;
}

enum sweep_step sweep_init_from(struct sweep *s, const struct sweep_result *old,
				const struct tuning *base, uint64_t now_ns)
{
	struct sweep_result *r = &s->v.r;

	memset(s, 0, sizeof(*s));
	sweep_result_init(r, &old->spec);
	s->base = *base;
	make_order(s);
	for (unsigned i = 0; i < r->rows * r->cols; i++)
		if (is_kept(&old->cell[i]))
			r->cell[i] = old->cell[i];
	for (unsigned col = 0; col < r->cols; col++)
		if (old->slo[col].searched)
			r->slo[col] = old->slo[col];
	sweep_result_derive(r);
	return choose_next(s, now_ns);
}

const struct sweep_next *sweep_next(const struct sweep *s)
{
	return &s->next;
}

enum sweep_step sweep_refused(struct sweep *s, const char *why, uint64_t now_ns)
{
	snprintf(s->v.why, sizeof(s->v.why), "%s", why);
	s->cell.state = CELL_FAILED;
	return cell_done(s, now_ns);
}

void sweep_pause(struct sweep *s, bool on)
{
	s->v.paused = on;
}

/* Cells that were to be measured again keep what they had. */
static void keep_old_numbers(struct sweep *s)
{
	struct sweep_result *r = &s->v.r;

	for (unsigned i = 0; i < r->rows * r->cols; i++) {
		if (s->redo[i] && r->cell[i].n)
			r->cell[i].state = CELL_DONE;
		s->redo[i] = false;
	}
}

void sweep_interrupt(struct sweep *s, enum sweep_phase phase, const char *why)
{
	if (!sweep_view_runs(&s->v))
		return;
	if (!s->v.probing) {
		*cell_at_work(s) = s->before;
		cell_at_work(s)->state = CELL_PENDING;
	}
	keep_old_numbers(s);
	s->v.phase = phase;
	s->v.paused = false;
	if (why)
		snprintf(s->v.why, sizeof(s->v.why), "%s", why);
	sweep_result_derive(&s->v.r);
	make_eta(s, s->last_ns);
}

enum sweep_step sweep_resume(struct sweep *s, uint64_t now_ns)
{
	s->v.paused = false;
	s->v.why[0] = '\0';
	s->last_ns = now_ns;
	return choose_next(s, now_ns);
}

void sweep_redo(struct sweep *s, unsigned row, unsigned col)
{
	struct sweep_result *r = &s->v.r;
	struct sweep_cell *c;

	if (row >= r->rows || col >= r->cols)
		return;
	c = sweep_cell_at(r, row, col);
	s->redo[row * r->cols + col] = true;
	r->slo[col].searched = false;
	r->slo[col].probes = 0;
	if (c->state != CELL_RUNNING)
		c->state = CELL_PENDING;
	else
		begin(s, s->last_ns);
	sweep_result_derive(r);
	make_eta(s, s->last_ns);
}

static bool something_to_search(struct sweep *s)
{
	for (unsigned col = 0; col < s->v.r.cols && is_searched(s); col++)
		if (search_bounds(s, col))
			return true;
	return false;
}

enum sweep_step sweep_set_slo(struct sweep *s, const struct slo *slo, uint64_t now_ns)
{
	bool was_probing = s->v.probing && sweep_view_runs(&s->v);
	enum sweep_step step = SWEEP_HOLD;

	sweep_result_set_slo(&s->v.r, slo);
	if (was_probing)
		step = choose_next(s, now_ns);
	else if (s->v.phase == SWEEP_OVER && something_to_search(s))
		s->v.phase = SWEEP_STOPPED;
	make_eta(s, now_ns);
	return step;
}
