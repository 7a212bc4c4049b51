/* slo: what an objective says of a window. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "ui/slo.h"

static struct slo_result judge(const char *text, const struct lat_view *v, const struct hist *h)
{
	struct slo s = {0};
	struct err e = {0};

	cr_assert_eq(slo_parse(text, &s, &e), 0, "%s: %s", text, e.msg);
	return slo_judge(&s, v, h);
}

Test(slo, judges_by_the_value_and_counts_what_is_within)
{
	struct hist *h = calloc(1, sizeof(*h));
	struct lat_view v = {.n = 1000, .mean_ns = 110000, .max_ns = 900000};
	struct slo none = {0};
	struct slo_result r;

	v.pct_ns[3] = 199999;
	h->n[hist_index(100000)] = 985;
	h->n[hist_index(300000)] = 15;
	r = judge("p99<200us", &v, h);
	cr_expect(r.verdict == VERDICT_OK && r.value_ns == 199999);
	cr_expect_float_eq(r.within_pct, 98.5, 1e-9);
	v.pct_ns[3] = 200000;
	cr_expect_eq(judge("p99<200us", &v, h).verdict, VERDICT_MISSED,
		     "the limit is not below it");
	cr_expect_eq(judge("max<200us", &v, h).verdict, VERDICT_MISSED);
	cr_expect_eq(judge("max<1ms", &v, h).verdict, VERDICT_OK);
	cr_expect_eq(judge("mean<200us", &v, h).verdict, VERDICT_OK);
	cr_expect_eq(slo_judge(&none, &v, h).verdict, VERDICT_UNKNOWN);
	v.n = 0;
	r = judge("p99<200us", &v, h);
	cr_expect(r.verdict == VERDICT_UNKNOWN && isnan(r.value_ns) && isnan(r.within_pct));
	free(h);
}

/* Each metric looks at its own percentile. */
Test(slo, every_metric_has_its_value)
{
	struct hist *h = calloc(1, sizeof(*h));
	struct lat_view v = {.n = 5, .mean_ns = 1000, .max_ns = 9000};
	static const struct {
		char text[16];
		double ns;
	} m[] = {{"mean<1s", 1000}, {"p50<1s", 50},    {"p90<1s", 90},
		 {"p99<1s", 99},    {"p99.9<1s", 999}, {"max<1s", 9000}};

	v.pct_ns[0] = 50;
	v.pct_ns[1] = 90;
	v.pct_ns[2] = 95;
	v.pct_ns[3] = 99;
	v.pct_ns[4] = 999;
	for (size_t i = 0; i < sizeof(m) / sizeof(m[0]); i++)
		cr_expect_eq(judge(m[i].text, &v, h).value_ns, m[i].ns, "%s", m[i].text);
	free(h);
}
