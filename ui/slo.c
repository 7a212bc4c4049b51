#include "ui/slo.h"

#include <math.h>

static double share_below(const struct hist *h, uint64_t limit_ns)
{
	uint64_t below = 0, total = hist_count(h);

	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		if (h->n[i] && hist_value(i) < limit_ns)
			below += h->n[i];
	return total ? 100 * (double)below / (double)total : (double)NAN;
}

static double value_of(enum slo_metric m, const struct lat_view *v)
{
	/* Of pct_points: p50 p90 p95 p99 p99.9 p99.99. */
	static const int at[SLO_METRICS] = {
		[SLO_P50] = 0, [SLO_P90] = 1, [SLO_P99] = 3, [SLO_P999] = 4};

	if (m == SLO_MEAN)
		return v->mean_ns;
	return (double)(m == SLO_MAX ? v->max_ns : v->pct_ns[at[m]]);
}

struct slo_result slo_judge(const struct slo *s, const struct lat_view *v, const struct hist *h)
{
	struct slo_result r = {VERDICT_UNKNOWN, NAN, NAN};

	if (!s->set || v->n == 0)
		return r;
	r.value_ns = value_of(s->metric, v);
	r.verdict = r.value_ns < (double)s->limit_ns ? VERDICT_OK : VERDICT_MISSED;
	r.within_pct = share_below(h, s->limit_ns);
	return r;
}

const char *slo_verdict_word(enum slo_verdict v)
{
	return v == VERDICT_OK ? "OK" : v == VERDICT_MISSED ? "MISSED" : "-";
}
