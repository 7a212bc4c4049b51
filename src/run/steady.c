#include "src/run/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

void steady_init(struct steady *s, const struct job_spec *js)
{
	unsigned n = (unsigned)(js->steady_ns / STEADY_MIN_NS);

	*s = (struct steady){
		.kind = js->steady_kind, .limit = js->steady_limit, .pct = js->steady_pct};
	s->r.seconds = n;
	s->r.iops = xcalloc(n, sizeof(*s->r.iops));
	s->r.bw_bytes = xcalloc(n, sizeof(*s->r.bw_bytes));
}

void steady_fini(struct steady *s)
{
	free(s->r.iops);
	free(s->r.bw_bytes);
}

static double mean_of(const uint64_t *v, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += (double)v[i];
	return sum / n;
}

/* Least squares, x = 0, 1, .. n-1: the distances of x from its mean add up to 0. */
static double slope_of(const uint64_t *v, unsigned n)
{
	double xy = 0, xx = 0;

	for (unsigned i = 0; i < n; i++) {
		double x = i - (n - 1) / 2.0;

		xy += x * (double)v[i];
		xx += x * x;
	}
	return xy / xx;
}

static double deviation_of(const uint64_t *v, unsigned n)
{
	double mean = mean_of(v, n), max = 0;

	for (unsigned i = 0; i < n; i++)
		max = fmax(max, fabs((double)v[i] - mean));
	return max;
}

static void push(uint64_t *v, unsigned *n, unsigned max, uint64_t value)
{
	if (*n == max) {
		memmove(v, v + 1, (max - 1) * sizeof(*v));
		--*n;
	}
	v[(*n)++] = value;
}

bool steady_add(struct steady *s, uint64_t iops, uint64_t bw_bytes)
{
	struct steady_result *r = &s->r;
	const uint64_t *v = steady_is_iops(s->kind) ? r->iops : r->bw_bytes;
	unsigned n = r->n;

	if (r->attained)
		return true;
	push(r->iops, &n, r->seconds, iops);
	push(r->bw_bytes, &r->n, r->seconds, bw_bytes);
	if (r->n < r->seconds)
		return false;
	if (steady_is_slope(s->kind))
		r->criterion = r->slope = slope_of(v, n);
	else
		r->criterion = r->deviation = deviation_of(v, n);
	/* Of nothing at all no percentage can be told: it has not settled. */
	if (s->pct)
		r->criterion *= 100 / mean_of(v, n);
	r->attained = fabs(r->criterion) < s->limit;
	return r->attained;
}

struct steady_result *steady_copy(const struct steady *s)
{
	struct steady_result *r = xcalloc(1, sizeof(*r));

	*r = s->r;
	r->iops = xcalloc(r->seconds, sizeof(*r->iops));
	r->bw_bytes = xcalloc(r->seconds, sizeof(*r->bw_bytes));
	memcpy(r->iops, s->r.iops, r->n * sizeof(*r->iops));
	memcpy(r->bw_bytes, s->r.bw_bytes, r->n * sizeof(*r->bw_bytes));
	return r;
}

bool steady_same(const struct job_spec *a, const struct job_spec *b)
{
	return a->steady_ns == b->steady_ns && a->steady_ramp_ns == b->steady_ramp_ns &&
	       a->steady_kind == b->steady_kind && a->steady_pct == b->steady_pct &&
	       !(a->steady_limit < b->steady_limit) && !(a->steady_limit > b->steady_limit);
}
