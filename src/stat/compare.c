#include "src/stat/compare.h"

#include <math.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/stat/hist.h"
#include "src/stat/student.h"

/* A second is of ten ticks; ticks may come a little early. */
#define SECOND_MIN_NS (NSEC_PER_SEC - 20 * NSEC_PER_MSEC)
#define TAIL          10 /* samples that make a percentile trustworthy */

const char *const compare_verdict_words[COMPARE_VERDICTS] = {
	[COMPARE_UNKNOWN] = "too few seconds",
	[COMPARE_SAME] = "no difference shown",
	[COMPARE_A_MORE] = "A more",
	[COMPARE_B_MORE] = "B more",
};

const char *const compare_what_words[COMPARE_NR] = {
	[COMPARE_IOPS] = "IOPS", [COMPARE_BPS] = "bytes/s", [COMPARE_MEAN] = "mean",
	[COMPARE_P50] = "p50",   [COMPARE_P99] = "p99",     [COMPARE_P999] = "p99.9",
	[COMPARE_MAX] = "max",
};

/* ---- two sets of values ---- */

struct side {
	size_t n;
	double mean, m2; /* Welford; m2: sum of squared distances from the mean */
};

static struct side side_of(const double *v, size_t n)
{
	struct side s = {0};

	for (size_t i = 0; i < n; i++) {
		double d = v[i] - s.mean;

		if (isnan(v[i]))
			continue;
		s.mean += d / (double)++s.n;
		s.m2 += d * (v[i] - s.mean);
	}
	return s;
}

/* Variance of the mean. */
static double mean_var(const struct side *s)
{
	return s->m2 / (double)(s->n - 1) / (double)s->n;
}

static double half_width(const struct side *a, const struct side *b)
{
	double va = mean_var(a), vb = mean_var(b), dof;

	if (va + vb <= 0)
		return 0;
	dof = (va + vb) * (va + vb) / (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1));
	/* At least the smaller side's n - 1 by the formula; rounding errors must not go below 1. */
	return student_t95(dof < 1 ? 1 : (unsigned)(dof + 1e-9)) * sqrt(va + vb);
}

static enum compare_verdict judge(const struct compare *c)
{
	if (isnan(c->ci_half))
		return COMPARE_UNKNOWN;
	if (fabs(c->diff) <= c->ci_half || c->diff == 0)
		return COMPARE_SAME;
	return c->diff > 0 ? COMPARE_A_MORE : COMPARE_B_MORE;
}

void compare_make(struct compare *c, const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct side sa = side_of(a, n_a), sb = side_of(b, n_b);

	*c = (struct compare){.n_a = sa.n, .n_b = sb.n, .a = sa.mean, .b = sb.mean};
	if (sa.n == 0)
		c->a = NAN;
	if (sb.n == 0)
		c->b = NAN;
	c->diff = c->a - c->b;
	c->ratio = sb.n && c->b != 0 ? c->a / c->b : (double)NAN;
	c->ci_half = sa.n > 1 && sb.n > 1 ? half_width(&sa, &sb) : (double)NAN;
	c->verdict = judge(c);
}

/* ---- the seconds of lanes ---- */

static void lane_begin(struct compare_lane *l, const struct lane_snap *s)
{
	memset(l, 0, sizeof(*l));
	l->t_start_ns = s->t_start_ns;
	l->gen = s->gen;
	l->least_ios = UINT64_MAX;
}

static bool is_steady(const struct lane_snap *s)
{
	return s->state == RUN_ON && s->t_start_ns && !s->settling;
}

/* A second without I/O is a value for rates; it has no latency. */
static void lane_second(struct compare_lane *l, const struct lane_snap *s, uint64_t t_ns)
{
	const struct op_win *w = &s->sec[IO_OP_NR];
	const struct lat_view *lat = &w->lat;
	double v[COMPARE_NR] = {
		[COMPARE_IOPS] = w->iops,
		[COMPARE_BPS] = w->bps,
		[COMPARE_MEAN] = lat->mean_ns,
		[COMPARE_P50] = (double)lat->pct_ns[0],
		[COMPARE_P99] = (double)lat->pct_ns[3],
		[COMPARE_P999] = (double)lat->pct_ns[4],
		[COMPARE_MAX] = (double)lat->max_ns,
	};

	for (int q = 0; q < COMPARE_NR; q++)
		l->v[q][l->next] = q >= COMPARE_MEAN && lat->n == 0 ? (double)NAN : v[q];
	l->t_ns[l->next] = t_ns;
	l->next = (l->next + 1) % COMPARE_SECONDS;
	l->n += l->n < COMPARE_SECONDS;
	l->last_ns = t_ns;
	if (lat->n < l->least_ios)
		l->least_ios = lat->n;
}

static void lane_add(struct compare_lane *l, const struct lane_snap *s, const struct snapshot *snap)
{
	uint64_t from;

	if (s->t_start_ns && (s->t_start_ns != l->t_start_ns || s->gen != l->gen))
		lane_begin(l, s);
	if (!is_steady(s)) {
		l->steady_since_ns = 0;
		return;
	}
	/* What the tick before this snapshot was is not known: the second begins now. */
	if (!l->steady_since_ns)
		l->steady_since_ns = snap->t_ns;
	from = l->steady_since_ns > l->last_ns ? l->steady_since_ns : l->last_ns;
	if (snap->t_ns - from >= SECOND_MIN_NS)
		lane_second(l, s, snap->t_ns);
}

void compare_track_add(struct compare_track *t, const struct snapshot *s)
{
	for (uint32_t i = 0; i < s->n_lanes && i < LANE_MAX; i++)
		lane_add(&t->lane[i], &s->lane[i], s);
}

/* The newest n values, in any order. */
static size_t newest(const struct compare_lane *l, enum compare_what what, size_t n, double *out)
{
	size_t have = n && n < l->n ? n : l->n;

	for (size_t i = 0; i < have; i++)
		out[i] = l->v[what][(l->next + COMPARE_SECONDS - 1 - i) % COMPARE_SECONDS];
	return have;
}

/* How well a percentile is known at best: its place in its bucket is not. */
static double resolution_ns(double ns)
{
	uint32_t i = hist_index((uint64_t)ns);

	return i + 1 < HIST_BUCKETS ? (double)(hist_high(i) - hist_low(i) + 1) / 2 : 0;
}

static bool is_percentile(enum compare_what what)
{
	return what == COMPARE_P50 || what == COMPARE_P99 || what == COMPARE_P999;
}

void compare_lanes(const struct compare_track *t, unsigned a, unsigned b, enum compare_what what,
		   size_t seconds, struct compare *out)
{
	double va[COMPARE_SECONDS], vb[COMPARE_SECONDS];
	size_t na = newest(&t->lane[a], what, seconds, va);
	size_t nb = newest(&t->lane[b], what, seconds, vb);

	compare_make(out, va, na, vb, nb);
	if (!is_percentile(what) || isnan(out->ci_half))
		return;
	/* Seconds that are all alike, as those of one bucket, are no better known than the bucket. */
	out->ci_half = fmax(out->ci_half, resolution_ns(out->a) + resolution_ns(out->b));
	out->verdict = judge(out);
}

bool compare_is_weak(const struct compare_track *t, unsigned lane, enum compare_what what)
{
	double pct = what == COMPARE_P99 ? 99 : what == COMPARE_P999 ? 99.9 : 0;
	uint64_t n = t->lane[lane].least_ios;

	return pct > 0 && n != UINT64_MAX && (double)n * (100 - pct) / 100 < TAIL - 1e-9;
}
