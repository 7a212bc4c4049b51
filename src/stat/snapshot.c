#include "src/stat/snapshot.h"

#include <math.h>
#include <string.h>

const double pct_points[PCT_NR] = {50, 90, 95, 99, 99.9, 99.99};

const char *run_state_word(enum run_state state)
{
	static const char *const words[] = {
		[RUN_IDLE] = "IDLE", [RUN_LAYOUT] = "LAYOUT", [RUN_RAMP] = "RAMP",
		[RUN_ON] = "RUN",    [RUN_PAUSED] = "PAUSED", [RUN_DRAIN] = "DRAIN",
		[RUN_DONE] = "DONE", [RUN_FAILED] = "FAILED",
	};

	return (unsigned)state < sizeof(words) / sizeof(words[0]) ? words[state] : "?";
}

static double within(double v, uint64_t min, uint64_t max)
{
	if (v < (double)min)
		return (double)min;
	return v > (double)max ? (double)max : v;
}

void lat_view_make(struct lat_view *v, const struct op_stat *window, uint64_t exact_min_ns,
		   uint64_t exact_max_ns)
{
	const struct moments *m = &window->lat.m;
	bool exact = exact_min_ns <= exact_max_ns;
	uint32_t first, last;

	memset(v, 0, sizeof(*v));
	if (!hist_span(&window->lat.h, &first, &last))
		return;
	v->n = hist_count(&window->lat.h);
	v->min_ns = exact && hist_index(exact_min_ns) == first ? exact_min_ns
							       : hist_clamp(first, m->min_ns);
	v->max_ns = exact && hist_index(exact_max_ns) == last ? exact_max_ns
							      : hist_clamp(last, m->max_ns);
	/* One bucket, one side exact: a bucket bound must not overtake it. */
	if (v->min_ns > v->max_ns)
		v->min_ns = v->max_ns;
	v->mean_ns = within(moments_mean(m), v->min_ns, v->max_ns);
	hist_percentiles(&window->lat.h, pct_points, PCT_NR, v->min_ns, v->max_ns, v->pct_ns);
}

void op_win_make(struct op_win *out, const struct op_stat *window, uint64_t dt_ns,
		 uint64_t exact_min_ns, uint64_t exact_max_ns)
{
	double dt_s = (double)dt_ns / 1e9;

	out->ops = window->ops;
	out->bytes = window->bytes;
	out->errors = window->errors;
	out->iops = dt_ns ? (double)window->ops / dt_s : (double)NAN;
	out->bps = dt_ns ? (double)window->bytes / dt_s : (double)NAN;
	lat_view_make(&out->lat, window, exact_min_ns, exact_max_ns);
}
