#include "ui/axis.h"

#include <math.h>

#define HEADROOM 1.05

static const double mantissas[] = {1, 2, 2.5, 5};
#define MANTISSAS (int)(sizeof(mantissas) / sizeof(mantissas[0]))

/*
 * The smallest 1-2-2.5-5 x 10^n at or above v > 0 that is a multiple of `finest` (a power of ten; 0:
 * any). Decimal noise (0.1 + 0.2) does not push it up.
 */
static double nice_step(double v, double finest)
{
	double decade = pow(10, floor(log10(fmax(v, finest))));

	for (int i = 0; i < MANTISSAS; i++) {
		double step = mantissas[i] * decade;
		bool multiple = !(finest > 0) || fabs(step / finest - round(step / finest)) < 1e-6;

		if (step >= v * (1 - 1e-9) && multiple)
			return step;
	}
	return 10 * decade;
}

/* k intervals over [min, max], both in units; the labels need no more than three digits. */
static struct axis fit_intervals(double min, double max, int rows, int k)
{
	double finest = min > 0 ? pow(10, floor(log10(max) + 1e-9) - 2) : 0;
	double step = nice_step((max - min) / k, finest), lo = floor(min / step + 1e-9);

	while ((lo + k) * step < max * (1 - 1e-12)) {
		step = nice_step(step * 1.01, finest);
		lo = floor(min / step + 1e-9);
	}
	return (struct axis){lo * step, (lo + k) * step, rows, k, false};
}

/* How tall the values stand, in rows; five labels count for more than three. */
static double fit_quality(const struct axis *a, double min, double max)
{
	return a->rows * (max - fmin(min, a->lo)) / (a->hi - a->lo) * (0.7 + 0.075 * a->intervals);
}

/* Labels stand on whole rows, so the intervals must divide the rows; up to two rows are given away. */
static struct axis fit(double min, double max, double unit, int rows)
{
	struct axis best = {0};
	double best_quality = -1;

	for (int r = rows; r >= 2 && r >= rows - 2; r--) {
		for (int k = 4; k >= 2; k--) {
			struct axis a;

			if (r % k)
				continue;
			a = fit_intervals(min / unit, max / unit, r, k);
			if (fit_quality(&a, min / unit, max / unit) > best_quality * (1 + 1e-9)) {
				best_quality = fit_quality(&a, min / unit, max / unit);
				best = a;
			}
		}
	}
	best.lo *= unit;
	best.hi *= unit;
	return best;
}

struct axis axis_zero(double max, double unit, int rows)
{
	/* Nothing but zeros still wants labels: 0 1 2 (3 4). */
	if (!(max > 0))
		max = 1.5 * unit;
	return fit(0, HEADROOM * max, unit, rows < 2 ? 2 : rows);
}

struct axis axis_fitted(double min, double max, double unit, int rows)
{
	double top = max + (HEADROOM - 1) * (max - min);

	if (!(max > 0) || !(min > 0) || !(max > min))
		return axis_zero(max, unit, rows);
	return fit(min, top, unit, rows < 2 ? 2 : rows);
}

struct axis axis_log(double min, double max, double base, int rows)
{
	double lo, hi;
	int n;

	if (!(max > 0))
		max = min = 1;
	if (!(min > 0) || min > max)
		min = max;
	lo = floor(log(min) / log(base) + 1e-9);
	hi = ceil(log(HEADROOM * max) / log(base) - 1e-9);
	if (rows < 2)
		rows = 2;
	/* Too many steps for the rows: the smallest values are left out, the top is not. */
	n = (int)fmin(fmax(hi - lo, 1), rows);
	lo = hi - n;
	return (struct axis){pow(base, lo), pow(base, hi), rows - rows % n, n, true};
}

double axis_unit(double max, bool si)
{
	double unit = 1;

	if (si)
		return 1;
	while (unit < 0x1p60 && HEADROOM * max >= 1024 * unit)
		unit *= 1024;
	/* 1000 MiB would give an axis up to 2000 MiB; in GiB it ends at 1 or 1.5. */
	if (unit < 0x1p60 && axis_zero(max, unit, 12).hi > 1000 * unit)
		unit *= 1024;
	return unit;
}

double axis_pos(const struct axis *a, double v)
{
	if (!a->log)
		return (v - a->lo) / (a->hi - a->lo);
	return v > 0 ? log(v / a->lo) / log(a->hi / a->lo) : -INFINITY;
}

double axis_label(const struct axis *a, int i)
{
	double part = (double)i / a->intervals;

	return a->log ? a->lo * pow(a->hi / a->lo, part) : a->lo + (a->hi - a->lo) * part;
}

int axis_label_row(const struct axis *a, int i)
{
	return a->rows / a->intervals * i;
}

double axis_hold_update(struct axis_hold *h, double max, uint64_t now_ns)
{
	if (isnan(max))
		max = 0;
	if (max >= h->max) {
		*h = (struct axis_hold){.max = max};
	} else if (max >= h->max / 2) {
		h->low_since_ns = 0;
	} else if (h->low_since_ns == 0) {
		h->low_since_ns = now_ns;
	} else if (now_ns - h->low_since_ns >= AXIS_SHRINK_NS) {
		*h = (struct axis_hold){.max = max};
	}
	return h->max;
}

struct lat_axis lat_axis_make(int width)
{
	if (width < LAT_AXIS_NARROW)
		return (struct lat_axis){width, 5, 1e4, 1e9};
	return (struct lat_axis){width, 7, 1e3, 1e10};
}

int lat_axis_half_cells(const struct lat_axis *a, double ns)
{
	double pos;

	if (!(ns > a->lo_ns))
		return 0;
	if (ns >= a->hi_ns)
		return 2 * a->width;
	pos = log10(ns / a->lo_ns) / a->decades;
	return (int)lround(pos * 2 * a->width);
}
