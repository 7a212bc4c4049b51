#include "src/spec/sweep_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"

#define ITEM_SIZE 64

static const struct {
	uint64_t min, max;
} ranges[SWEEP_KINDS] = {
	[SWEEP_QD] = {1, TUNING_QD_MAX},
	[SWEEP_JOBS] = {1, TUNING_JOBS_MAX},
	[SWEEP_RATE] = {1, 1000 * 1000 * 1000},
	[SWEEP_BS] = {1, 1ull << 30},
	[SWEEP_MIX] = {0, 100},
};

static int parse_one(enum sweep_kind k, const char *text, uint64_t *v, struct err *e)
{
	int rc;

	if (k == SWEEP_BS)
		rc = units_parse_size(text, 1024, v, NULL, e);
	else
		rc = units_parse_u64(text, ranges[k].min, ranges[k].max, v, e);
	if (rc)
		return err_wrap(e, "%s", sweep_kind_word(k));
	if (*v < ranges[k].min || *v > ranges[k].max)
		return err_set(e, ERANGE, "%s=%s: %llu to %llu", sweep_kind_word(k), text,
			       (unsigned long long)ranges[k].min,
			       (unsigned long long)ranges[k].max);
	return 0;
}

static int add(enum sweep_kind k, struct sweep_axis *a, uint64_t v, struct err *e)
{
	if (a->n == SWEEP_VALUES_MAX)
		return err_set(e, ERANGE, "%s: more than %u values", sweep_kind_word(k),
			       SWEEP_VALUES_MAX);
	a->v[a->n++] = v;
	return 0;
}

struct range {
	uint64_t from, to, step; /* step 0: doubles */
};

static int add_range(enum sweep_kind k, struct sweep_axis *a, const struct range *r, struct err *e)
{
	uint64_t v = r->from;
	int rc = 0;

	while (v < r->to && rc == 0) {
		rc = add(k, a, v, e);
		/* No overflow: values are at most 2^30. */
		v = r->step ? v + r->step : v * 2;
	}
	return rc ? rc : add(k, a, r->to, e);
}

/* "A..B" or "A..B/S", dots at `dots`. */
static int parse_range(enum sweep_kind k, struct sweep_axis *a, char *text, char *dots,
		       struct err *e)
{
	char *slash = strchr(dots, '/');
	struct range r = {0};
	int rc;

	*dots = '\0';
	if (slash)
		*slash = '\0';
	rc = parse_one(k, text, &r.from, e);
	if (rc == 0)
		rc = parse_one(k, dots + 2, &r.to, e);
	if (rc == 0 && slash)
		rc = parse_one(k, slash + 1, &r.step, e);
	if (rc)
		return rc;
	if (r.from >= r.to)
		return err_set(e, EINVAL, "%s=%s..%s: the smaller value comes first",
			       sweep_kind_word(k), text, dots + 2);
	if (slash && r.step == 0)
		return err_set(e, EINVAL, "%s: a step of 0", sweep_kind_word(k));
	if (!slash && r.from == 0)
		return err_set(e, EINVAL, "%s=0..%s: nothing doubles from 0; give steps, 0..%s/10",
			       sweep_kind_word(k), dots + 2, dots + 2);
	return add_range(k, a, &r, e);
}

static int add_word(struct sweep_axis *a, const char *text, struct err *e)
{
	if (!*text || strlen(text) >= SWEEP_WORD_SIZE)
		return err_set(e, EINVAL, "engine=%.40s: not the name of an engine", text);
	snprintf(a->word[a->n < SWEEP_VALUES_MAX ? a->n : 0], SWEEP_WORD_SIZE, "%s", text);
	return add(SWEEP_ENGINE, a, a->n, e);
}

static int parse_item(enum sweep_kind k, struct sweep_axis *a, char *text, struct err *e)
{
	char *dots = strstr(text, "..");
	uint64_t v;
	int rc;

	if (k == SWEEP_ENGINE)
		return add_word(a, text, e);
	if (dots)
		return parse_range(k, a, text, dots, e);
	rc = parse_one(k, text, &v, e);
	return rc ? rc : add(k, a, v, e);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool same(enum sweep_kind k, const struct sweep_axis *a, unsigned i, unsigned j)
{
	return k == SWEEP_ENGINE ? strcmp(a->word[i], a->word[j]) == 0 : a->v[i] == a->v[j];
}

static int check_twice(enum sweep_kind k, const struct sweep_axis *a, struct err *e)
{
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned j = 0; j < i; j++)
			if (same(k, a, i, j))
				return err_set(e, EINVAL, "%s: a value stands twice",
					       sweep_kind_word(k));
	return 0;
}

int sweep_values_parse(enum sweep_kind k, const char *text, struct sweep_axis *out, struct err *e)
{
	char item[ITEM_SIZE];
	int rc = 0;

	memset(out, 0, sizeof(*out));
	for (;; text++) {
		size_t len = strcspn(text, ",");

		if (len == 0 || len >= sizeof(item))
			return err_set(e, EINVAL, "%s: an empty or overlong value",
				       sweep_kind_word(k));
		memcpy(item, text, len);
		item[len] = '\0';
		rc = parse_item(k, out, item, e);
		text += len;
		if (rc || !*text)
			break;
	}
	if (rc)
		return rc;
	if (k != SWEEP_ENGINE)
		qsort(out->v, out->n, sizeof(out->v[0]), compare);
	return check_twice(k, out, e);
}

/* -- slo -------------------------------------------------------------------------------------- */

static const char *const slo_words[SLO_METRICS] = {
	[SLO_MEAN] = "mean", [SLO_P50] = "p50",    [SLO_P90] = "p90",
	[SLO_P99] = "p99",   [SLO_P999] = "p99.9", [SLO_MAX] = "max",
};

const char *slo_metric_word(enum slo_metric m)
{
	return m < SLO_METRICS ? slo_words[m] : "?";
}

int slo_parse(const char *text, struct slo *out, struct err *e)
{
	size_t len = strcspn(text, "<"), end = strlen(text);
	struct slo slo = {.set = true};

	while (slo.metric < SLO_METRICS && (strlen(slo_words[slo.metric]) != len ||
					    strncmp(slo_words[slo.metric], text, len) != 0))
		slo.metric++;
	if (slo.metric == SLO_METRICS || !text[len])
		return err_set(e, EINVAL,
			       "slo=%.40s: a latency and its limit, as in p99<500us; of mean, p50, "
			       "p90, p99, p99.9, max",
			       text);
	text += len + 1;
	/* A bare number could be ms as well as us. */
	if (end && text[0] && strspn(text, "0123456789.") == strlen(text))
		return err_set(e, EINVAL, "slo: %.40s: give the unit, us or ms or s", text);
	if (units_parse_time(text, UNIT_US, &slo.limit_ns, e))
		return err_wrap(e, "slo");
	if (slo.limit_ns == 0)
		return err_set(e, EINVAL, "slo: a limit of 0 holds for nothing");
	*out = slo;
	return 0;
}

void slo_print(const struct slo *slo, char *out, size_t size)
{
	double us = (double)slo->limit_ns / (double)UNIT_US;

	out[0] = '\0';
	if (!slo->set)
		return;
	if (slo->limit_ns % UNIT_SEC == 0)
		snprintf(out, size, "%s<%gs", slo_metric_word(slo->metric), us / 1e6);
	else if (slo->limit_ns % UNIT_MS == 0)
		snprintf(out, size, "%s<%gms", slo_metric_word(slo->metric), us / 1e3);
	else
		snprintf(out, size, "%s<%.15gus", slo_metric_word(slo->metric), us);
}
