#include "src/spec/job_lists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/spec/opt_text.h"

#define BS_MAX_BYTES (1ull << 30)

/*
 * Cuts "r,w,t" at the commas: a direction not given is like the one before it. `one` fills the entry
 * of one direction.
 */
typedef int parse_direction(const char *text, unsigned kb_base, void *entry, struct err *e);

static int parse_directions(const char *text, unsigned kb_base, void *out, size_t size,
			    parse_direction *one, struct err *e)
{
	char *at = out;
	unsigned op = 0;

	for (;; op++) {
		size_t len = strcspn(text, ",");
		char part[2048];
		int rc;

		if (op == IO_OP_NR)
			return err_set(e, EINVAL, "more than three directions");
		if (len >= sizeof(part))
			return err_set(e, EINVAL, "too long");
		memcpy(part, text, len);
		part[len] = '\0';
		rc = one(part, kb_base, at + op * size, e);
		if (rc)
			return rc;
		if (!text[len])
			break;
		text += len + 1;
	}
	for (unsigned next = op + 1; next < IO_OP_NR; next++)
		memcpy(at + next * size, at + op * size, size);
	return 0;
}

/* A whole percentage as a share; an empty one is filled in by spread_rest(). */
static int parse_share(const char *text, bool *blank, uint32_t *share, struct err *e)
{
	struct opt_part p = {.end = '\0'};
	uint64_t pct;
	int rc;

	*blank = !*text;
	*share = 0;
	if (*blank)
		return 0;
	snprintf(p.s, sizeof(p.s), "%.60s", text);
	if (p.s[strlen(p.s) - 1] == '%')
		p.s[strlen(p.s) - 1] = '\0';
	rc = opt_u64(&p, 0, 100, &pct, e);
	*share = (uint32_t)pct * (SHARE_ALL / 100);
	return rc;
}

/*
 * What the entries without a share get: equal parts of the rest. Without such an entry shares below 100
 * are an error, or the last one takes the rest (what fio does with block sizes).
 */
static int spread_rest(uint32_t *share[], const bool *blank, uint32_t n, bool last_takes_rest,
		       struct err *e)
{
	uint64_t given = 0;
	uint32_t blanks = 0, rest, last = 0;

	for (uint32_t i = 0; i < n; i++) {
		given += *share[i];
		blanks += blank[i];
	}
	if (given > SHARE_ALL)
		return err_set(e, ERANGE, "the percentages add up to %llu, more than 100",
			       (unsigned long long)(given / (SHARE_ALL / 100)));
	if (!blanks && last_takes_rest)
		*share[n - 1] += SHARE_ALL - (uint32_t)given;
	else if (!blanks && given < SHARE_ALL)
		return err_set(e, ERANGE, "the percentages add up to %llu, less than 100",
			       (unsigned long long)(given / (SHARE_ALL / 100)));
	rest = SHARE_ALL - (uint32_t)given;
	for (uint32_t i = 0; i < n; i++) {
		if (!blank[i])
			continue;
		*share[i] = rest / blanks;
		last = i;
	}
	if (blanks)
		*share[last] += rest % blanks;
	return 0;
}

/* "a/b" in place: b, or "" when there is no slash. */
static char *after_slash(struct opt_part *p)
{
	char *slash = strchr(p->s, '/');

	if (!slash)
		return p->s + strlen(p->s);
	*slash = '\0';
	return slash + 1;
}

static int one_bssplit(const char *text, unsigned kb_base, void *entry, struct err *e)
{
	struct bssplit *s = entry;
	bool blank[BSSPLIT_MAX];
	uint32_t *share[BSSPLIT_MAX];
	struct opt_part p;
	int rc;

	*s = (struct bssplit){0};
	while (opt_next(&text, ":", &p)) {
		const char *pct;

		if (s->n == BSSPLIT_MAX)
			return err_set(e, E2BIG, "more than %u block sizes", BSSPLIT_MAX);
		pct = after_slash(&p);
		rc = opt_size(&p, kb_base, &s->part[s->n].bytes, e);
		if (rc == 0)
			rc = parse_share(pct, &blank[s->n], &s->part[s->n].share, e);
		if (rc)
			return rc;
		if (!s->part[s->n].bytes || s->part[s->n].bytes > BS_MAX_BYTES)
			return err_set(e, ERANGE, "%.40s is out of range: 1 to 1g", p.s);
		share[s->n] = &s->part[s->n].share;
		s->n++;
	}
	return spread_rest(share, blank, s->n, true, e);
}

int bssplit_parse(const char *text, unsigned kb_base, struct bssplit out[IO_OP_NR], struct err *e)
{
	return parse_directions(text, kb_base, out, sizeof(*out), one_bssplit, e);
}

static int parse_range(const char *text, unsigned kb_base, bool need_both, struct size_range *r,
		       struct err *e)
{
	struct opt_part p;
	int rc;

	opt_next(&text, "-:", &p);
	rc = opt_size(&p, kb_base, &r->lo, e);
	r->hi = r->lo;
	if (rc)
		return rc;
	if (!text && need_both)
		return err_set(e, EINVAL, "'%.40s' is no range", p.s);
	if (text) {
		opt_next(&text, "", &p);
		rc = opt_size(&p, kb_base, &r->hi, e);
	}
	if (rc)
		return rc;
	if (r->lo > r->hi) {
		uint64_t lo = r->hi;

		r->hi = r->lo;
		r->lo = lo;
	}
	return r->lo ? 0 : err_set(e, ERANGE, "0 is out of range, at least 1");
}

static int one_bsrange(const char *text, unsigned kb_base, void *entry, struct err *e)
{
	struct size_range *r = entry;
	int rc = parse_range(text, kb_base, true, r, e);

	if (rc == 0 && r->hi > BS_MAX_BYTES)
		return err_set(e, ERANGE, "at most 1g");
	return rc;
}

int bsrange_parse(const char *text, unsigned kb_base, struct size_range out[IO_OP_NR],
		  struct err *e)
{
	return parse_directions(text, kb_base, out, sizeof(*out), one_bsrange, e);
}

int size_range_parse(const char *text, unsigned kb_base, struct size_range *out, struct err *e)
{
	return parse_range(text, kb_base, false, out, e);
}

/* -- distributions ---------------------------------------------------------------------------- */

static const struct {
	const char *word;
	enum distribution_kind kind;
	double min, max, def;
} dist_words[] = {
	{"random", DIST_RANDOM, 0, 0, 0},
	{"zipf", DIST_ZIPF, 0.0001, 100, 1.1},
	{"pareto", DIST_PARETO, 0.0001, 0.9999, 0.2},
	{"normal", DIST_NORMAL, 0.0001, 100, 0},
	{"zoned", DIST_ZONED, 0, 0, 0},
	{"zoned_abs", DIST_ZONED_ABS, 0, 0, 0},
};

#define N_DISTS (sizeof(dist_words) / sizeof(dist_words[0]))

static int parse_zones(const char *text, unsigned kb_base, bool bytes, struct zones *z,
		       struct err *e)
{
	bool blank_access[ZONES_MAX], blank_size[ZONES_MAX];
	uint32_t *access[ZONES_MAX], *size[ZONES_MAX], sizes[ZONES_MAX];
	struct opt_part p;
	int rc;

	*z = (struct zones){0};
	while (opt_next(&text, ":", &p)) {
		uint32_t i = z->n;
		struct opt_part rest = {.end = '\0'};

		if (i == ZONES_MAX)
			return err_set(e, E2BIG, "more than %u zones", ZONES_MAX);
		if (!strchr(p.s, '/'))
			return err_set(e, EINVAL, "'%.40s' is not access/size", p.s);
		snprintf(rest.s, sizeof(rest.s), "%s", after_slash(&p));
		rc = parse_share(p.s, &blank_access[i], &z->v[i].access, e);
		if (rc == 0 && bytes)
			rc = opt_size(&rest, kb_base, &z->v[i].size, e);
		else if (rc == 0)
			rc = parse_share(rest.s, &blank_size[i], &sizes[i], e);
		if (rc)
			return rc;
		access[i] = &z->v[i].access;
		size[i] = &sizes[i];
		z->n++;
	}
	rc = spread_rest(access, blank_access, z->n, false, e);
	if (rc == 0 && !bytes)
		rc = spread_rest(size, blank_size, z->n, false, e);
	for (uint32_t i = 0; i < z->n && rc == 0; i++) {
		if (!bytes)
			z->v[i].size = sizes[i];
		if (!z->v[i].size)
			rc = err_set(e, ERANGE, "zone %u has no size", i + 1);
	}
	return rc;
}

static int one_zones(const char *text, unsigned kb_base, void *entry, struct err *e)
{
	return parse_zones(text, kb_base, false, entry, e);
}

static int one_zones_abs(const char *text, unsigned kb_base, void *entry, struct err *e)
{
	return parse_zones(text, kb_base, true, entry, e);
}

/* theta, and for zipf, pareto and normal a center. */
static int parse_params(const char *text, size_t which, struct distribution *d, struct err *e)
{
	struct opt_part p;
	int rc;

	opt_next(&text, ":", &p);
	rc = opt_decimal(&p, dist_words[which].min, dist_words[which].max, &d->param, e);
	if (rc == 0 && d->kind == DIST_ZIPF && d->param == 1)
		return err_set(e, ERANGE, "theta may not be exactly 1.0 (fio's rule)");
	if (rc || !text)
		return rc;
	opt_next(&text, "", &p);
	return opt_decimal(&p, 0, 1, &d->center, e);
}

int distribution_parse(const char *text, unsigned kb_base, struct distribution *out, struct err *e)
{
	size_t len = strcspn(text, ":"), i = 0;

	*out = (struct distribution){.center = -1};
	while (i < N_DISTS &&
	       (strlen(dist_words[i].word) != len || strncmp(dist_words[i].word, text, len) != 0))
		i++;
	if (i == N_DISTS)
		return err_set(e, EINVAL, "no such word");
	out->kind = dist_words[i].kind;
	out->param = dist_words[i].def;
	text += len;
	if (*text == ':')
		text++;
	else
		text = NULL;
	switch (out->kind) {
	case DIST_RANDOM:
		return text ? err_set(e, EINVAL, "random takes no number") : 0;
	case DIST_ZONED:
	case DIST_ZONED_ABS:
		if (!text)
			return err_set(e, EINVAL, "needs zones: access/size with ':' between");
		return parse_directions(text, kb_base, out->zones, sizeof(out->zones[0]),
					out->kind == DIST_ZONED ? one_zones : one_zones_abs, e);
	default:
		if (!text && out->kind == DIST_NORMAL)
			return err_set(e, EINVAL, "needs a deviation in percent");
		return text ? parse_params(text, i, out, e) : 0;
	}
}

/* -- CPUs, errors, memory --------------------------------------------------------------------- */

bool cpu_list_has(const struct cpu_list *l, uint32_t cpu)
{
	return cpu < CPUS_MAX && (l->bits[cpu / 64] >> (cpu % 64) & 1);
}

void cpu_list_add(struct cpu_list *l, uint32_t cpu)
{
	if (cpu < CPUS_MAX)
		l->bits[cpu / 64] |= 1ull << (cpu % 64);
}

int cpu_list_parse(const char *text, struct cpu_list *out, struct err *e)
{
	struct opt_part p;

	*out = (struct cpu_list){0};
	while (opt_next(&text, ",:", &p)) {
		const char *range = p.s;
		struct opt_part from, to;
		uint64_t lo, hi;

		opt_next(&range, "-", &from);
		if (opt_u64(&from, 0, CPUS_MAX - 1, &lo, e) < 0)
			return -e->code;
		hi = lo;
		if (range) {
			opt_next(&range, "", &to);
			if (opt_u64(&to, 0, CPUS_MAX - 1, &hi, e) < 0)
				return -e->code;
		}
		if (hi < lo)
			return err_set(e, EINVAL, "%.40s ends before it begins", p.s);
		for (uint64_t cpu = lo; cpu <= hi; cpu++)
			cpu_list_add(out, (uint32_t)cpu);
	}
	return 0;
}

static int error_number(const char *word)
{
	char *end;
	long v;

	for (int i = 1; i < 134; i++) {
		const char *name = strerrorname_np(i);

		if (name && strcmp(name, word) == 0)
			return i;
	}
	if (*word < '0' || *word > '9')
		return -1;
	v = strtol(word, &end, 10);
	return *end || v < 1 || v > 4095 ? -1 : (int)v;
}

int error_list_parse(const char *text, struct error_list *out, struct err *e)
{
	struct opt_part p;
	unsigned op = IO_READ;

	*out = (struct error_list){0};
	while (opt_next(&text, ":,", &p)) {
		if (op > IO_WRITE)
			return err_set(e, EINVAL,
				       "a third list is for verification, which is not supported");
		if (p.s[0]) {
			int code = error_number(p.s);

			if (code < 0)
				return err_set(e, EINVAL, "'%.40s' is no error", p.s);
			if (out->n[op] == IGNORE_ERRORS_MAX)
				return err_set(e, E2BIG, "more than %u errors", IGNORE_ERRORS_MAX);
			out->v[op][out->n[op]++] = code;
		}
		op += p.end == ',';
	}
	out->n[IO_TRIM] = out->n[IO_WRITE];
	memcpy(out->v[IO_TRIM], out->v[IO_WRITE], sizeof(out->v[IO_WRITE]));
	return 0;
}

int mem_policy_parse(const char *text, enum mem_policy *mode, struct cpu_list *nodes, struct err *e)
{
	static const char *const words[] = {[MEM_DEFAULT] = "default",
					    [MEM_PREFER] = "prefer",
					    [MEM_BIND] = "bind",
					    [MEM_INTERLEAVE] = "interleave",
					    [MEM_LOCAL] = "local"};
	size_t len = strcspn(text, ":");
	unsigned i = 0;

	*nodes = (struct cpu_list){0};
	while (i <= MEM_LOCAL && (strlen(words[i]) != len || strncmp(words[i], text, len) != 0))
		i++;
	if (i > MEM_LOCAL)
		return err_set(e, EINVAL, "no such word");
	*mode = (enum mem_policy)i;
	if (i == MEM_DEFAULT || i == MEM_LOCAL)
		return text[len] ? err_set(e, EINVAL, "%s takes no nodes", words[i]) : 0;
	if (!text[len])
		return err_set(e, EINVAL, "%s needs nodes", words[i]);
	return cpu_list_parse(text + len + 1, nodes, e);
}
