#include "src/run/sweep_cell.h"

#include <math.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/stat/student.h"

#define BATCHES_MIN  5u
#define STALL_NS     (500 * NSEC_PER_MSEC)
#define STALL_MISSED 20  /* completions that should have come meanwhile */
#define DRIFT_FOLD   1.0 /* a trend of less than so many wanted half widths is let pass */
#define DRIFT_SIGMAS 3.0 /* and one that chance explains */

void sweep_cell_begin(struct sweep *s)
{
	uint64_t written = s->cell.written_bytes;
	uint32_t inflight = s->cell.inflight;

	memset(&s->batches, 0, sizeof(s->batches));
	memset(&s->lat, 0, sizeof(s->lat));
	s->lat_sum_ns = s->cpu_ns = 0;
	s->cpu_known_ns = 0;
	s->gap_ns = 0;
	s->cell = (struct sweep_cell){
		.state = CELL_RUNNING,
		.inflight = inflight,
		.written_bytes = written,
		.iops = NAN,
		.bps = NAN,
		.mean_ns = NAN,
		.ci_pct = NAN,
		.little = NAN,
		.cpu_ns = NAN,
	};
}

/* -- batches ---------------------------------------------------------------------------------- */

static void batch_close(struct sweep_batches *b)
{
	double x = (double)b->ops / ((double)b->elapsed_ns / 1e9), d = x - b->mean;

	b->sum_ix += (double)b->n * x;
	b->sum_x += x;
	b->n++;
	b->mean += d / b->n;
	b->m2 += d * (x - b->mean);
	b->ops = b->elapsed_ns = 0;
}

static double batch_stddev(const struct sweep_batches *b)
{
	return b->n > 1 ? sqrt(b->m2 / (b->n - 1)) : (double)NAN;
}

/* Half width of the 95 % interval of the mean, percent of it. */
static double half_width_pct(const struct sweep_batches *b)
{
	if (b->n < 2 || b->mean <= 0)
		return NAN;
	return student_t95(b->n - 1) * batch_stddev(b) / sqrt(b->n) / b->mean * 100;
}

/*
 * Change of the regression line from the first to the last batch. With independent batches its own
 * standard deviation is about s sqrt(12 / n).
 */
static bool drifts(const struct sweep_batches *b, double wanted_pct)
{
	double n = b->n, mid = (n - 1) / 2, sxx = n * (n * n - 1) / 12, slope, change, rest;

	if (b->n < BATCHES_MIN || b->mean <= 0)
		return false;
	slope = (b->sum_ix - mid * b->sum_x) / sxx;
	change = fabs(slope * (n - 1));
	/* What the line leaves unexplained is the noise that the change is judged by. */
	rest = fmax(0, b->m2 - slope * slope * sxx);
	return change / b->mean * 100 > DRIFT_FOLD * wanted_pct &&
	       change > DRIFT_SIGMAS * sqrt(rest / (n - 2) * 12 / n);
}

/* -- sums ------------------------------------------------------------------------------------- */

static void note_gap(struct sweep *s, const struct op_win *w, uint64_t dt_ns)
{
	s->gap_ns = w->ops ? 0 : s->gap_ns + dt_ns;
	if (s->gap_ns > s->cell.stall_ns)
		s->cell.stall_ns = s->gap_ns;
}

static void add_latency(struct sweep *s, const struct lane_snap *l)
{
	const struct lat_view *v = &l->tick[IO_OP_NR].lat;

	if (!v->n)
		return;
	hist_add(&s->lat, &l->tick_lat);
	s->lat_sum_ns += v->mean_ns * (double)v->n;
	s->cell.n += v->n;
	if (v->max_ns > s->cell.max_ns)
		s->cell.max_ns = v->max_ns;
}

void sweep_cell_add(struct sweep *s, const struct lane_snap *l, uint64_t dt_ns)
{
	const struct op_win *w = &l->tick[IO_OP_NR];

	s->cell.elapsed_ns += dt_ns;
	s->cell.errors += w->errors;
	s->batches.ops += w->ops;
	s->batches.elapsed_ns += dt_ns;
	s->cell.bps = (isnan(s->cell.bps) ? 0 : s->cell.bps) + (double)w->bytes;
	if (!isnan(l->cpu_pct)) {
		s->cpu_ns += l->cpu_pct / 100 * (double)dt_ns;
		s->cpu_known_ns += dt_ns;
	}
	add_latency(s, l);
	note_gap(s, w, dt_ns);
	if (s->batches.elapsed_ns >= s->v.r.spec.batch_ns)
		batch_close(&s->batches);
}

/* -- numbers ---------------------------------------------------------------------------------- */

/* s->cell.bps holds bytes while the cell is at work. */
static void numbers_into(const struct sweep *s, struct sweep_cell *c)
{
	double t_s = (double)s->cell.elapsed_ns / 1e9;

	*c = s->cell;
	c->iops = t_s > 0 ? (double)c->n / t_s : (double)NAN;
	c->bps = t_s > 0 ? s->cell.bps / t_s : (double)NAN;
	c->ci_pct = half_width_pct(&s->batches);
	if (!c->n)
		return;
	c->mean_ns = s->lat_sum_ns / (double)c->n;
	c->little = c->iops * c->mean_ns / 1e9;
	/* Of the ticks of which it is known; in virtual time it never is. */
	if (s->cpu_known_ns)
		c->cpu_ns = s->cpu_ns * (double)s->cell.elapsed_ns / (double)s->cpu_known_ns /
			    (double)c->n;
	hist_percentiles(&s->lat, cell_pct_points, CELL_PCT_NR, 0, c->max_ns, c->pct_ns);
}

void sweep_cell_numbers(struct sweep *s)
{
	numbers_into(s, &s->v.now);
}

/* A slow device may need half a second for one request; that is no stall. */
static bool is_stall(const struct sweep_cell *c)
{
	double missed = (double)c->n / (double)c->elapsed_ns * (double)c->stall_ns;

	return c->stall_ns >= STALL_NS && missed >= STALL_MISSED;
}

/*
 * The interval of the batches, and the one completion more or less that any count of a time may be off by: batches
 * of a slow device may be all alike, of one completion each.
 */
static bool is_narrow(const struct sweep *s, double half_pct)
{
	double wanted_pct = s->v.r.spec.ci_pct;

	return half_pct <= wanted_pct && (double)s->cell.n * wanted_pct >= 100;
}

bool sweep_cell_is_done(struct sweep *s)
{
	const struct sweep_spec *spec = &s->v.r.spec;
	double half = half_width_pct(&s->batches);
	bool narrow = is_narrow(s, half), drift = drifts(&s->batches, spec->ci_pct);
	bool capped = s->cell.elapsed_ns >= spec->cap_ns;
	bool full = spec->cell_bytes && s->cell.bps >= (double)spec->cell_bytes;

	if (!capped && !full &&
	    (s->cell.elapsed_ns < spec->min_ns || s->batches.n < BATCHES_MIN || !narrow || drift))
		return false;
	if (!narrow)
		s->cell.flags |= CELL_WIDE;
	if (drift)
		s->cell.flags |= CELL_DRIFT | CELL_WIDE;
	if (full && !capped)
		s->cell.flags |= CELL_SHORT;
	if (is_stall(&s->cell))
		s->cell.flags |= CELL_STALL;
	s->cell.state = s->cell.n ? CELL_DONE : CELL_NO_IO;
	return true;
}
