#include "src/spec/opt_lists.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/iolog.h"
#include "src/spec/job_lists.h"
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

/* -- times ------------------------------------------------------------------------------------ */

#define TIME_MAX_NS (3650ull * 86400 * UNIT_SEC)

static int read_time(const char **text, const char *seps, uint64_t scale, uint64_t *ns,
		     struct err *e)
{
	struct opt_part p;
	int rc;

	opt_next(text, seps, &p);
	rc = opt_time(&p, scale, ns, e);
	if (rc == 0 && *ns > TIME_MAX_NS)
		return err_set(e, ERANGE, "out of range");
	if (rc == 0 && *ns % UNIT_US)
		return err_set(e, EINVAL, "finer than a microsecond");
	return rc;
}

static void print_time(uint64_t ns, struct strbuf *out)
{
	char text[40];

	units_fmt_time_exact(text, sizeof(text), ns);
	strbuf_puts(out, text);
}

int startdelay_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct job_spec *j = obj;
	uint64_t lo, hi = 0;
	int rc = read_time(&text, "-", row->scale, &lo, e);

	if (rc == 0 && text)
		rc = read_time(&text, "", row->scale, &hi, e);
	if (rc)
		return rc;
	j->startdelay_ns = hi && hi < lo ? hi : lo;
	j->startdelay_high_ns = hi && hi < lo ? lo : hi;
	return 0;
}

void startdelay_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct job_spec *j = obj;

	(void)row;
	print_time(j->startdelay_ns, out);
	if (j->startdelay_high_ns) {
		strbuf_putc(out, '-');
		print_time(j->startdelay_high_ns, out);
	}
}

/* read,write,trim; the ones not given are like the last. */
int max_latency_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	uint64_t v[IO_OP_NR], last = 0;

	(void)row;
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		if (text && read_time(&text, ",", UNIT_US, &last, e) < 0)
			return -e->code;
		v[op] = last;
	}
	if (text)
		return err_set(e, EINVAL, "more than three values");
	memcpy(((struct job_spec *)obj)->max_latency_ns, v, sizeof(v));
	return 0;
}

void max_latency_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const uint64_t *v = ((const struct job_spec *)obj)->max_latency_ns;

	(void)row;
	for (unsigned op = 0; op < IO_OP_NR; op++)
		strbuf_addf(out, "%s%llu", op ? "," : "", (unsigned long long)(v[op] / UNIT_US));
}

int percent_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct opt_part p;
	double v;
	int rc;

	opt_next(&text, "", &p);
	rc = opt_decimal(&p, 0, 100, &v, e);
	if (rc == 0)
		*(double *)(void *)((char *)obj + row->offset) = v;
	return rc;
}

void percent_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	print_decimal(*(const double *)(const void *)((const char *)obj + row->offset), "", out);
}

static const char *const steady_words[] = {
	[STEADY_IOPS] = "iops",
	[STEADY_IOPS_SLOPE] = "iops_slope",
	[STEADY_BW] = "bw",
	[STEADY_BW_SLOPE] = "bw_slope",
};

#define N_STEADY (sizeof(steady_words) / sizeof(steady_words[0]))

/* "0.3%", or a plain number, of bytes/s with a suffix. */
static int steady_limit(struct opt_part *p, bool is_bw, double *limit, bool *pct, struct err *e)
{
	size_t len = strlen(p->s);
	uint64_t bytes;
	int rc;

	*pct = len && p->s[len - 1] == '%';
	if (*pct)
		p->s[len - 1] = '\0';
	if (*pct || !is_bw)
		return opt_decimal(p, 0, 1e15, limit, e);
	rc = opt_size(p, 1024, &bytes, e);
	*limit = (double)bytes;
	return rc;
}

int steady_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct job_spec *j = obj;
	struct opt_part p;
	unsigned i = 0;
	double limit = 0;
	bool pct;

	(void)row;
	opt_next(&text, ":", &p);
	while (i < N_STEADY && strcmp(steady_words[i], p.s) != 0)
		i++;
	if (i == N_STEADY)
		return err_set(e, EINVAL, "no such word");
	if (!text)
		return err_set(e, EINVAL, "needs a limit: %s:1%%", p.s);
	opt_next(&text, "", &p);
	if (steady_limit(&p, i >= STEADY_BW, &limit, &pct, e))
		return -e->code;
	j->steady_kind = i;
	j->steady_limit = limit;
	j->steady_pct = pct;
	return 0;
}

void steady_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct job_spec *j = obj;

	(void)row;
	strbuf_puts(out, steady_words[j->steady_kind]);
	print_decimal(j->steady_limit, ":", out);
	if (j->steady_pct)
		strbuf_putc(out, '%');
}

/* -- words and numbers ------------------------------------------------------------------------ */

static const char *const service_words[] = {
	[SERVE_ROUNDROBIN] = "roundrobin", [SERVE_SEQUENTIAL] = "sequential",
	[SERVE_RANDOM] = "random",         [SERVE_ZIPF] = "zipf",
	[SERVE_PARETO] = "pareto",         [SERVE_NORMAL] = "normal",
};

#define N_SERVICES (sizeof(service_words) / sizeof(service_words[0]))

/* fio's deviation when normal stands alone is what its generator gives by itself. */
#define SERVICE_NORMAL_PCT 8.7

/* What is behind a drawn word (NULL: nothing) means what it means for random_distribution. */
static int drawn_service(struct job_spec *j, unsigned word, const char *params, struct err *e)
{
	struct distribution d = {.param = SERVICE_NORMAL_PCT, .center = -1};
	char text[96];
	int rc = 0;

	snprintf(text, sizeof(text), "%s%s%.64s", service_words[word], params ? ":" : "",
		 params ? params : "");
	if (word != SERVE_NORMAL || params)
		rc = distribution_parse(text, 1024, &d, e);
	if (rc)
		return rc;
	j->file_service = word;
	j->service_ios = 1;
	j->service_param = d.param;
	j->service_center = d.center;
	return 0;
}

int service_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct job_spec *j = obj;
	struct opt_part p;
	uint64_t ios = 1;
	unsigned i = 0;

	(void)row;
	opt_next(&text, ":", &p);
	if (strcmp(p.s, "gauss") == 0)
		return drawn_service(j, SERVE_NORMAL, text, e);
	while (i < N_SERVICES && strcmp(service_words[i], p.s) != 0)
		i++;
	if (i == N_SERVICES)
		return err_set(e, EINVAL, "no such word");
	if (i > SERVE_RANDOM)
		return drawn_service(j, i, text, e);
	if (text) {
		opt_next(&text, "", &p);
		if (opt_u64(&p, 1, UINT32_MAX, &ios, e) < 0)
			return -e->code;
	}
	j->file_service = i;
	j->service_ios = (uint32_t)ios;
	j->service_param = 0;
	j->service_center = -1;
	return 0;
}

void service_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct job_spec *j = obj;

	(void)row;
	strbuf_puts(out, service_words[j->file_service]);
	if (j->file_service > SERVE_RANDOM)
		print_decimal(j->service_param, ":", out);
	if (j->file_service > SERVE_RANDOM && j->service_center >= 0)
		print_decimal(j->service_center, ":", out);
	if (j->service_ios > 1)
		strbuf_addf(out, ":%u", j->service_ios);
}

int cpumask_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct job_spec *j = obj;
	struct strbuf list = {0};
	uint64_t mask;
	int rc = units_parse_u64(text, row->min, row->max, &mask, e);

	if (rc)
		return rc;
	for (unsigned cpu = 0; cpu < 64; cpu++)
		if (mask >> cpu & 1)
			strbuf_addf(&list, "%s%u", list.len ? "," : "", cpu);
	free(j->cpus_allowed);
	j->cpus_allowed = xstrdup(strbuf_str(&list));
	strbuf_fini(&list);
	return 0;
}

void cpumask_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct job_spec *j = obj;
	struct cpu_list list;

	(void)row;
	if (j->cpus_allowed && cpu_list_parse(j->cpus_allowed, &list, NULL) == 0)
		strbuf_addf(out, "%llu", (unsigned long long)list.bits[0]);
}

int nice_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	bool negative = *text == '-';
	uint64_t v;
	int rc = units_parse_u64(text + negative, 0, negative ? 20 : 19, &v, e);

	(void)row;
	if (rc == 0)
		((struct job_spec *)obj)->nice_value = negative ? -(int32_t)v : (int32_t)v;
	return rc;
}

void nice_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	(void)row;
	strbuf_addf(out, "%d", ((const struct job_spec *)obj)->nice_value);
}

int word_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	for (unsigned i = 0; i < 2; i++) {
		if (strcmp(row->choices[i].word, text) == 0) {
			*(bool *)((char *)obj + row->offset) = i;
			return 0;
		}
	}
	return err_set(e, EINVAL, "no such word");
}

void word_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	strbuf_puts(out, row->choices[*(const bool *)((const char *)obj + row->offset)].word);
}

/* -- checks ----------------------------------------------------------------------------------- */

int bssplit_check(const char *text, unsigned kb_base, struct err *e)
{
	struct bssplit s[IO_OP_NR];

	return bssplit_parse(text, kb_base, s, e);
}

int bsrange_check(const char *text, unsigned kb_base, struct err *e)
{
	struct size_range r[IO_OP_NR];

	return bsrange_parse(text, kb_base, r, e);
}

int distribution_check(const char *text, unsigned kb_base, struct err *e)
{
	struct distribution d;

	return distribution_parse(text, kb_base, &d, e);
}

int filesize_check(const char *text, unsigned kb_base, struct err *e)
{
	struct size_range r;

	return size_range_parse(text, kb_base, &r, e);
}

int cpus_check(const char *text, unsigned kb_base, struct err *e)
{
	struct cpu_list l;

	(void)kb_base;
	return cpu_list_parse(text, &l, e);
}

int nodes_check(const char *text, unsigned kb_base, struct err *e)
{
	return strcmp(text, "all") == 0 ? 0 : cpus_check(text, kb_base, e);
}

int mem_policy_check(const char *text, unsigned kb_base, struct err *e)
{
	struct cpu_list nodes;
	enum mem_policy mode;

	(void)kb_base;
	return mem_policy_parse(text, &mode, &nodes, e);
}

int ignore_check(const char *text, unsigned kb_base, struct err *e)
{
	struct error_list l;

	(void)kb_base;
	return error_list_parse(text, &l, e);
}

int power_parse(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	uint64_t v;
	int rc = units_parse_size(text, ((struct job_spec *)obj)->kb_base, &v, NULL, e);

	if (rc)
		return rc;
	if (v & (v - 1))
		return err_set(e, EINVAL, "%llu is not a power of two", (unsigned long long)v);
	*(uint64_t *)(void *)((char *)obj + row->offset) = v;
	return 0;
}

void power_print(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const void *field = (const char *)obj + row->offset;

	strbuf_addf(out, "%llu", (unsigned long long)*(const uint64_t *)field);
}

int skip_check(const char *text, unsigned kb_base, struct err *e)
{
	struct iolog_how how;

	(void)kb_base;
	return iolog_skip_parse(text, &how, e);
}
