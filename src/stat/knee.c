#include "src/stat/knee.h"

#define SHARE 0.9

const char *knee_rule_text(enum knee_rule rule)
{
	static const char *const texts[KNEE_RULES] = {
		[KNEE_POWER] = "max of IOPS / mean latency",
		[KNEE_SHARE] = "first with 90 % of the highest IOPS",
		[KNEE_SLO] = "largest inside the SLO",
	};

	return rule < KNEE_RULES ? texts[rule] : "?";
}

int knee_peak(const struct curve_point *p, unsigned n)
{
	int best = -1;

	for (unsigned i = 0; i < n; i++)
		if (p[i].iops > (best < 0 ? 0 : p[best].iops))
			best = (int)i;
	return best;
}

static int power(const struct curve_point *p, unsigned n)
{
	double best_power = 0;
	int best = -1;

	for (unsigned i = 0; i < n; i++) {
		double v = p[i].mean_ns > 0 ? p[i].iops / p[i].mean_ns : 0;

		if (v > best_power) {
			best_power = v;
			best = (int)i;
		}
	}
	return best;
}

static int share(const struct curve_point *p, unsigned n)
{
	int peak = knee_peak(p, n), i = 0;

	if (peak < 0)
		return -1;
	while (p[i].iops < SHARE * p[peak].iops)
		i++;
	return i;
}

static int inside(const struct curve_point *p, unsigned n, double limit_ns)
{
	int best = -1;

	if (limit_ns <= 0)
		return -1;
	for (unsigned i = 0; i < n; i++)
		if (p[i].iops > 0 && p[i].slo_ns < limit_ns)
			best = (int)i;
	return best;
}

int knee_find(enum knee_rule rule, const struct curve_point *p, unsigned n, double limit_ns)
{
	switch (rule) {
	case KNEE_POWER:
		return power(p, n);
	case KNEE_SHARE:
		return share(p, n);
	case KNEE_SLO:
		return inside(p, n, limit_ns);
	default:
		return -1;
	}
}
