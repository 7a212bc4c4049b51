#include "src/stat/rounds.h"

#include <math.h>

void rounds_add(struct rounds *s, double y)
{
	if (!rounds_is_full(s))
		s->y[s->n++] = y;
}

bool rounds_is_full(const struct rounds *s)
{
	return s->n == ROUNDS_MAX;
}

static double mean_of(const double *y, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += y[i];
	return sum / n;
}

static double range_of(const double *y, unsigned n)
{
	double low = y[0], high = y[0];

	for (unsigned i = 1; i < n; i++) {
		low = fmin(low, y[i]);
		high = fmax(high, y[i]);
	}
	return high - low;
}

/* Change of the least-squares line from the first to the last value. */
static double excursion_of(const double *y, unsigned n, double mean)
{
	double mid = (double)(n - 1) / 2, sxy = 0, sxx = 0;

	for (unsigned i = 0; i < n; i++) {
		sxy += (i - mid) * (y[i] - mean);
		sxx += (i - mid) * (i - mid);
	}
	return fabs(sxy / sxx * (n - 1));
}

void rounds_judge(const struct rounds *s, const struct rounds_rule *rule, struct rounds_verdict *v)
{
	const double *y;

	*v = (struct rounds_verdict){.mean = NAN, .range_pct = NAN, .slope_pct = NAN};
	if (s->n < rule->window || rule->window < 2)
		return;
	v->from = s->n - rule->window;
	y = s->y + v->from;
	v->mean = mean_of(y, rule->window);
	if (!(v->mean > 0))
		return;
	v->range_pct = range_of(y, rule->window) / v->mean * 100;
	v->slope_pct = excursion_of(y, rule->window, v->mean) / v->mean * 100;
	v->steady = v->range_pct <= rule->range_pct && v->slope_pct <= rule->slope_pct;
}
