#include "ui/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/xalloc.h"

#define FINE_MAX    6000u  /* 100 ms each: 10 minutes */
#define COARSE_MAX  86400u /* 1 s each: 24 h */
#define COARSE_NS   NSEC_PER_SEC
#define INTERVAL_NS (20 * NSEC_PER_MSEC) /* what is shorter says nothing */
#define HOLD_COLS   200

/* What was done in one measured stretch of time (amounts, not rates: they add up). */
struct interval {
	uint64_t begin_ns, end_ns;
	double ops[IO_OP_NR], bytes[IO_OP_NR];
	double inflight_ns, aqu_ns; /* in flight and aqu-sz times their duration */
	double aqu_known_ns, ramp_ns;
	double iops_max;
};

/* Grows to its limit, then loses its oldest. */
struct ring {
	struct interval *v;
	size_t n, cap, max, first;
};

/*
 * Time runs  coarse | merging | fine | pending : what falls out of `fine` is merged into intervals of a
 * second, so each moment is counted once and binning stays exact.
 */
struct series {
	struct ring coarse, fine;
	struct interval merging, pending; /* end_ns 0: empty */
};

static struct interval *ring_at(const struct ring *r, size_t i)
{
	return &r->v[(r->first + i) % r->cap];
}

static void ring_push(struct ring *r, const struct interval *iv)
{
	if (r->n == r->cap && r->cap < r->max) {
		/* Not wrapped yet: first is 0 until the limit is reached. */
		r->cap = r->cap ? 2 * r->cap : 64;
		if (r->cap > r->max)
			r->cap = r->max;
		r->v = xrealloc(r->v, r->cap * sizeof(*r->v));
	}
	if (r->n == r->max) {
		*ring_at(r, 0) = *iv;
		r->first = (r->first + 1) % r->cap;
		return;
	}
	*ring_at(r, r->n++) = *iv;
}

static double interval_ns(const struct interval *iv)
{
	return (double)(iv->end_ns - iv->begin_ns);
}

/* b follows a without a gap. */
static void interval_append(struct interval *a, const struct interval *b)
{
	if (a->end_ns == 0) {
		*a = *b;
		return;
	}
	a->end_ns = b->end_ns;
	for (int op = 0; op < IO_OP_NR; op++) {
		a->ops[op] += b->ops[op];
		a->bytes[op] += b->bytes[op];
	}
	a->inflight_ns += b->inflight_ns;
	a->aqu_ns += b->aqu_ns;
	a->aqu_known_ns += b->aqu_known_ns;
	a->ramp_ns += b->ramp_ns;
	a->iops_max = fmax(a->iops_max, b->iops_max);
}

static double interval_iops(const struct interval *iv)
{
	double ops = 0;

	for (int op = 0; op < IO_OP_NR; op++)
		ops += iv->ops[op];
	return ops * 1e9 / interval_ns(iv);
}

static void coarsen(struct series *s, const struct interval *iv)
{
	if (s->merging.end_ns && (s->merging.end_ns != iv->begin_ns ||
				  s->merging.end_ns - s->merging.begin_ns >= COARSE_NS)) {
		ring_push(&s->coarse, &s->merging);
		s->merging = (struct interval){0};
	}
	interval_append(&s->merging, iv);
}

static void series_add(struct series *s, const struct interval *iv)
{
	/* A stretch too short to be a rate waits for its successor. */
	if (s->pending.end_ns && s->pending.end_ns != iv->begin_ns)
		s->pending = (struct interval){0};
	interval_append(&s->pending, iv);
	if (s->pending.end_ns - s->pending.begin_ns < INTERVAL_NS)
		return;
	s->pending.iops_max = interval_iops(&s->pending);
	if (s->fine.n == s->fine.max)
		coarsen(s, ring_at(&s->fine, 0));
	ring_push(&s->fine, &s->pending);
	s->pending = (struct interval){0};
}

static void series_clear(struct series *s)
{
	s->coarse.n = s->coarse.first = 0;
	s->fine.n = s->fine.first = 0;
	s->merging = s->pending = (struct interval){0};
}

void model_init(struct model *m)
{
	*m = (struct model){.snap = xcalloc(1, sizeof(*m->snap))};
	for (int i = 0; i < LANE_MAX; i++) {
		m->lane[i] = xcalloc(1, sizeof(*m->lane[i]));
		m->lane[i]->fine.max = FINE_MAX;
		m->lane[i]->coarse.max = COARSE_MAX;
		m->heat[i] = heat_new();
	}
}

void model_fini(struct model *m)
{
	for (int i = 0; i < LANE_MAX && m->lane[i]; i++) {
		free(m->lane[i]->fine.v);
		free(m->lane[i]->coarse.v);
		free(m->lane[i]);
		heat_free(m->heat[i]);
	}
	free(m->snap);
	*m = (struct model){0};
}

static bool state_does_io(enum run_state s)
{
	return s == RUN_RAMP || s == RUN_ON || s == RUN_DRAIN;
}

static bool state_is_over(enum run_state s)
{
	return s == RUN_IDLE || s == RUN_DONE || s == RUN_FAILED;
}

/* Also when the end of the old run and the begin of the new one fell between two snapshots. */
static bool run_is_new(const struct snapshot *was, const struct snapshot *now)
{
	if (state_is_over(was->state))
		return !state_is_over(now->state);
	for (uint32_t i = 0; i < LANE_MAX && i < was->n_lanes; i++)
		if (was->lane[i].t_start_ns &&
		    (i >= now->n_lanes || now->lane[i].t_start_ns != was->lane[i].t_start_ns))
			return true;
	return false;
}

static struct interval from_tick(const struct lane_snap *l, uint64_t t_ns, uint64_t win_ns)
{
	struct interval iv = {.begin_ns = t_ns - win_ns, .end_ns = t_ns};

	/* After a pause only the end of the tick is measured, and the rates are of that. */
	if (l->tick_ns && l->tick_ns < win_ns) {
		win_ns = l->tick_ns;
		iv.begin_ns = t_ns - win_ns;
	}
	for (int op = 0; op < IO_OP_NR; op++) {
		iv.ops[op] = l->tick[op].iops * (double)win_ns / 1e9;
		iv.bytes[op] = l->tick[op].bps * (double)win_ns / 1e9;
	}
	return iv;
}

/* Without an elapsed time there are no rates. */
static bool is_measured(const struct interval *iv)
{
	for (int op = 0; op < IO_OP_NR; op++)
		if (isnan(iv->ops[op]) || isnan(iv->bytes[op]))
			return false;
	return true;
}

/* Snapshots were missed: the growth of the totals. False when the lane was not counting throughout. */
static bool from_totals(const struct lane_snap *was, const struct lane_snap *now, uint64_t begin_ns,
			uint64_t end_ns, struct interval *iv)
{
	if (was->state != RUN_ON || !state_does_io(now->state) || now->state == RUN_RAMP)
		return false;
	*iv = (struct interval){.begin_ns = begin_ns, .end_ns = end_ns};
	for (int op = 0; op < IO_OP_NR; op++) {
		if (now->total[op].ops < was->total[op].ops ||
		    now->total[op].bytes < was->total[op].bytes)
			return false;
		iv->ops[op] = (double)(now->total[op].ops - was->total[op].ops);
		iv->bytes[op] = (double)(now->total[op].bytes - was->total[op].bytes);
	}
	return true;
}

/* Sampled at the end of the interval, taken for all of it. */
static void add_state(struct interval *iv, const struct snapshot *s, const struct lane_snap *l)
{
	double ns = interval_ns(iv), aqu = NAN;

	for (uint32_t i = 0; i < s->n_disks && i < DISK_RATE_MAX; i++)
		if (s->disk[i].is_target && !isnan(s->disk[i].aqu_sz))
			aqu = (isnan(aqu) ? 0 : aqu) + s->disk[i].aqu_sz;
	iv->inflight_ns = (double)l->inflight * ns;
	iv->aqu_known_ns = isnan(aqu) ? 0 : ns;
	iv->aqu_ns = isnan(aqu) ? 0 : aqu * ns;
	iv->ramp_ns = l->state == RUN_RAMP || l->settling || l->warming ? ns : 0;
}

/* As for the rates: the tick's own counts, or the growth of the totals when ticks were missed. */
static void append_heat(struct heat *h, const struct lane_snap *was, const struct lane_snap *l,
			const struct interval *iv, bool missed)
{
	struct hist *since;

	if (!missed || was->t_start_ns != l->t_start_ns) {
		heat_add(h, iv->begin_ns, iv->end_ns, &l->tick_lat);
		return;
	}
	since = xcalloc(1, sizeof(*since));
	hist_sub(since, &l->total_lat, &was->total_lat);
	heat_add(h, iv->begin_ns, iv->end_ns, since);
	free(since);
}

static void append(struct model *m, uint32_t i, const struct snapshot *now, bool missed)
{
	const struct lane_snap *was = &m->snap->lane[i], *l = &now->lane[i];
	struct interval iv;

	if (!state_does_io(l->state) || now->win_ns == 0 || now->win_ns > now->t_ns)
		return;
	if (!missed || now->t_ns <= m->snap->t_ns ||
	    !from_totals(was, l, m->snap->t_ns, now->t_ns, &iv))
		iv = from_tick(l, now->t_ns, now->win_ns);
	add_state(&iv, now, l);
	if (is_measured(&iv))
		series_add(m->lane[i], &iv);
	append_heat(m->heat[i], was, l, &iv, missed);
}

void model_update(struct model *m, const struct snapshot *now)
{
	bool missed = m->snap->seq && now->seq > m->snap->seq + 1;

	if (now->seq <= m->snap->seq)
		return;
	if (run_is_new(m->snap, now)) {
		for (int i = 0; i < LANE_MAX; i++) {
			series_clear(m->lane[i]);
			heat_clear(m->heat[i]);
		}
		memset(m->hold, 0, sizeof(m->hold));
		missed = false;
	}
	for (uint32_t i = 0; i < now->n_lanes && i < LANE_MAX; i++)
		append(m, i, now, missed);
	*m->snap = *now;
}

/* The parts of a series in the order of time; NULL after the last. */
static const struct interval *series_next(const struct series *s, size_t *i)
{
	size_t k = (*i)++;

	if (k < s->coarse.n)
		return ring_at(&s->coarse, k);
	k -= s->coarse.n;
	if (s->merging.end_ns && k-- == 0)
		return &s->merging;
	return k < s->fine.n ? ring_at(&s->fine, k) : NULL;
}

/* The index of the first part that ends after t_ns (parts are ordered by time). */
static size_t series_seek(const struct series *s, uint64_t t_ns)
{
	size_t lo = 0, hi = s->coarse.n + (s->merging.end_ns ? 1 : 0) + s->fine.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2, at = mid;

		if (series_next(s, &at)->end_ns <= t_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool model_span(const struct model *m, uint32_t lane, uint64_t *begin_ns, uint64_t *end_ns)
{
	const struct series *s = m->lane[lane];
	size_t i = 0;
	const struct interval *first = series_next(s, &i);

	if (!first || !s->fine.n)
		return false;
	*begin_ns = first->begin_ns;
	*end_ns = ring_at(&s->fine, s->fine.n - 1)->end_ns;
	return true;
}

/* Time as a real number relative to the left edge: columns need not be whole nanoseconds wide. */
struct measured {
	double ns, aqu_ns, ramp_ns;
};

struct bins {
	struct point *cols;
	struct measured *measured; /* per column */
	size_t n;
	double width_ns;
};

static void bins_add(struct bins *b, double begin, double end, const struct interval *iv)
{
	double len = end - begin;
	size_t i = begin > 0 ? (size_t)(begin / b->width_ns) : 0;

	for (; i < b->n && (double)i * b->width_ns < end; i++) {
		double from = fmax(begin, (double)i * b->width_ns);
		double to = fmin(end, (double)(i + 1) * b->width_ns);
		struct point *p = &b->cols[i];
		double part = (to - from) / len;

		if (to <= from)
			continue;
		for (int op = 0; op < IO_OP_NR; op++) {
			p->iops[op] += iv->ops[op] * part;
			p->bps[op] += iv->bytes[op] * part;
		}
		p->inflight += iv->inflight_ns * part;
		p->aqu_sz += iv->aqu_ns * part;
		b->measured[i].ns += to - from;
		b->measured[i].aqu_ns += iv->aqu_known_ns * part;
		b->measured[i].ramp_ns += iv->ramp_ns * part;
		/* A neighbour's peak that only touches this column is not its maximum. */
		if (2 * (to - from) >= fmin(len, b->width_ns))
			p->iops_max = fmax(p->iops_max, iv->iops_max);
	}
}

static void column_unknown(struct point *p)
{
	for (int op = 0; op < IO_OP_NR; op++)
		p->iops[op] = p->bps[op] = NAN;
	p->iops_max = p->inflight = p->aqu_sz = NAN;
}

/* Amounts to means over what was measured. */
static void column_finish(struct point *p, const struct measured *m)
{
	double iops = 0;

	if (!(m->ns > 0)) {
		column_unknown(p);
		return;
	}
	for (int op = 0; op < IO_OP_NR; op++) {
		p->iops[op] *= 1e9 / m->ns;
		p->bps[op] *= 1e9 / m->ns;
		iops += p->iops[op];
	}
	p->iops_max = fmax(p->iops_max, iops);
	p->inflight /= m->ns;
	p->aqu_sz = m->aqu_ns > 0 ? p->aqu_sz / m->aqu_ns : (double)NAN;
	p->ramp = 2 * m->ramp_ns > m->ns;
}

static void bins_finish(struct bins *b)
{
	bool newest = true;

	for (size_t i = b->n; i-- > 0;) {
		struct measured *m = &b->measured[i];

		if (newest && m->ns > 0) {
			newest = false;
			if (m->ns < fmin((double)INTERVAL_NS, b->width_ns / 2))
				m->ns = 0;
		}
		column_finish(&b->cols[i], m);
	}
}

void model_columns(const struct model *m, uint32_t lane, uint64_t t_end_ns, uint64_t window_ns,
		   struct point *cols, size_t n)
{
	const struct series *s = m->lane[lane];
	uint64_t begin_ns = 0, end_ns, left_ns;
	const struct interval *iv;
	struct bins b = {.cols = cols, .n = n};
	size_t at;

	if (n == 0)
		return;
	if (window_ns == 0) {
		if (!model_span(m, lane, &begin_ns, &end_ns) || begin_ns >= t_end_ns)
			begin_ns = t_end_ns > 0 ? t_end_ns - 1 : 0;
		window_ns = t_end_ns - begin_ns;
	}
	left_ns = t_end_ns > window_ns ? t_end_ns - window_ns : 0;
	b.width_ns = fmax((double)window_ns, 1) / (double)n;
	b.measured = xcalloc(n, sizeof(*b.measured));
	for (size_t i = 0; i < n; i++)
		cols[i] =
			(struct point){.t_ns = left_ns + (uint64_t)((double)(i + 1) * b.width_ns)};
	at = series_seek(s, left_ns);
	while ((iv = series_next(s, &at)) && iv->begin_ns < t_end_ns)
		bins_add(&b, (double)(int64_t)(iv->begin_ns - left_ns),
			 (double)(int64_t)(iv->end_ns - left_ns), iv);
	bins_finish(&b);
	free(b.measured);
}

void model_hold_axes(struct model *m, uint64_t now_ns, uint64_t t_end_ns, uint64_t window_ns)
{
	struct point cols[HOLD_COLS];

	for (uint32_t i = 0; i < m->snap->n_lanes && i < LANE_MAX; i++) {
		double iops = NAN, bps = NAN, queue = NAN;

		model_columns(m, i, t_end_ns, window_ns, cols, HOLD_COLS);
		for (size_t k = 0; k < HOLD_COLS; k++) {
			iops = fmax(iops, cols[k].iops_max);
			bps = fmax(bps, cols[k].bps[IO_READ] + cols[k].bps[IO_WRITE] +
						cols[k].bps[IO_TRIM]);
		}
		for (size_t k = 0; k < HOLD_COLS; k++)
			queue = fmax(queue, fmax(cols[k].inflight, cols[k].aqu_sz));
		axis_hold_update(&m->hold[i][MODEL_QUEUE], queue, now_ns);
		axis_hold_update(&m->hold[i][MODEL_IOPS], iops, now_ns);
		axis_hold_update(&m->hold[i][MODEL_BPS], bps, now_ns);
	}
}
