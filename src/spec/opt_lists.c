#include "src/spec/opt_lists.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/spec/job_spec.h"
#include "src/spec/opt_text.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort_unique(struct percentile_list *l)
{
	uint32_t n = 0;

	qsort(l->v, l->n, sizeof(l->v[0]), by_value);
	for (uint32_t i = 0; i < l->n; i++)
		if (n == 0 || by_value(&l->v[n - 1], &l->v[i]))
			l->v[n++] = l->v[i];
	memset(l->v + n, 0, sizeof(l->v) - n * sizeof(l->v[0]));
	l->n = n;
}

int percentiles_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct percentile_list list = {0};
	struct opt_part part;
	int rc;

	(void)row;
	while (opt_next(&text, ":", &part)) {
		if (list.n == PERCENTILES_MAX)
			return err_set(e, E2BIG, "more than %u percentiles", PERCENTILES_MAX);
		rc = opt_decimal(&part, 0, 100, &list.v[list.n++], e);
		if (rc)
			return rc;
	}
	sort_unique(&list);
	((struct job_spec *)obj)->percentile_list = list;
	return 0;
}

/* printf's %g would follow the locale's decimal point. */
static void print_decimal(double v, const char *before, struct strbuf *out)
{
	unsigned long long n = (unsigned long long)llround(v * 1e8), one = 100000000;
	char digits[16];
	size_t len;

	strbuf_addf(out, "%s%llu", before, n / one);
	len = (size_t)snprintf(digits, sizeof(digits), ".%08llu", n % one);
	while (len && (digits[len - 1] == '0' || digits[len - 1] == '.'))
		len--;
	strbuf_add(out, digits, len);
}

void percentiles_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct percentile_list *l = &((const struct job_spec *)obj)->percentile_list;

	(void)row;
	for (uint32_t i = 0; i < l->n; i++)
		print_decimal(l->v[i], i ? ":" : "", out);
}
