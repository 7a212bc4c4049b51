#include "src/spec/line.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS "\t\r\n "

/* Deep nesting in a job file is an attack or an accident. */
#define PAREN_DEPTH_MAX 32

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

static char *trim(char *s)
{
	size_t n;

	s += strspn(s, BLANKS);
	n = strlen(s);
	while (n && is_blank(s[n - 1]))
		n--;
	s[n] = '\0';
	return s;
}

char *line_trim(char *line)
{
	line[strcspn(line, ";#")] = '\0';
	return trim(line);
}

struct key_value line_split(char *line)
{
	struct key_value kv = {.key = line};
	char *eq = strchr(line, '=');

	if (!eq)
		return kv;
	*eq = '\0';
	kv.key = trim(line);
	kv.blank_before_value = is_blank(eq[1]);
	kv.val = trim(eq + 1);
	return kv;
}

/* -- variables -------------------------------------------------------------------------------- */

static const struct keyword {
	const char *word;
	int sysconf_name;
} keywords[] = {
	{"$ncpus", _SC_NPROCESSORS_ONLN},
	{"$pagesize", _SC_PAGESIZE},
	{"$mb_memory", _SC_PHYS_PAGES},
	{NULL, 0},
};

static unsigned long long keyword_value(const struct keyword *k)
{
	unsigned long long v = (unsigned long long)sysconf(k->sysconf_name);

	if (k->sysconf_name == _SC_PHYS_PAGES)
		v = v * (unsigned long long)sysconf(_SC_PAGESIZE) >> 20;
	return v;
}

static const struct keyword *keyword_at(const char *p)
{
	for (const struct keyword *k = keywords; k->word; k++)
		if (strncmp(p, k->word, strlen(k->word)) == 0)
			return k;
	return NULL;
}

/* p stands on "${". Moves it behind the '}'. */
static int expand_variable(const char **p, struct strbuf *out, struct err *e)
{
	const char *name = *p + 2, *end = strchr(name, '}'), *value;
	char buf[128];
	size_t len;

	if (!end)
		return err_set(e, EINVAL, "'${' without '}'");
	len = (size_t)(end - name);
	if (len == 0 || len >= sizeof(buf))
		return err_set(e, EINVAL, "the variable name in '${' '}' is %s",
			       len ? "too long" : "empty");
	memcpy(buf, name, len);
	buf[len] = '\0';
	value = getenv(buf);
	if (!value)
		return err_set(e, EINVAL, "the environment variable %.100s is not set", buf);
	strbuf_puts(out, value);
	*p = end + 1;
	return 0;
}

int line_expand(const char *p, struct strbuf *out, bool *had_keyword, struct err *e)
{
	const struct keyword *k;
	int rc;

	*had_keyword = false;
	while (*p) {
		if (p[0] == '$' && p[1] == '{') {
			rc = expand_variable(&p, out, e);
			if (rc)
				return rc;
			continue;
		}
		k = *p == '$' ? keyword_at(p) : NULL;
		if (k) {
			*had_keyword = true;
			strbuf_addf(out, "%llu", keyword_value(k));
			p += strlen(k->word);
		} else {
			strbuf_putc(out, *p++);
		}
	}
	return 0;
}

/* -- arithmetic ------------------------------------------------------------------------------- */

struct calc {
	const char *p;
	unsigned depth;
	struct err *e;
};

static int calc_sum(struct calc *c, int64_t *v);

static void skip_blanks(struct calc *c)
{
	c->p += strspn(c->p, BLANKS);
}

static int too_large(struct calc *c)
{
	return err_set(c->e, ERANGE, "the result of the arithmetic does not fit into 63 bits");
}

static int calc_number(struct calc *c, int64_t *v)
{
	if (*c->p < '0' || *c->p > '9')
		return err_set(c->e, EINVAL, "a number is missing in the arithmetic");
	*v = 0;
	for (; *c->p >= '0' && *c->p <= '9'; c->p++)
		if (__builtin_mul_overflow(*v, 10, v) || __builtin_add_overflow(*v, *c->p - '0', v))
			return too_large(c);
	return 0;
}

static int calc_operand(struct calc *c, int64_t *v)
{
	bool negative = false;
	int rc;

	for (skip_blanks(c); *c->p == '-' || *c->p == '+'; skip_blanks(c))
		negative ^= *c->p++ == '-';
	if (*c->p != '(') {
		rc = calc_number(c, v);
	} else {
		if (++c->depth > PAREN_DEPTH_MAX)
			return err_set(c->e, EINVAL, "too many parentheses");
		c->p++;
		rc = calc_sum(c, v);
		if (rc == 0 && *c->p++ != ')')
			return err_set(c->e, EINVAL, "a ')' is missing in the arithmetic");
		c->depth--;
	}
	/* *v is never INT64_MIN out of calc_number, and sums and products are checked. */
	if (rc == 0 && negative && __builtin_sub_overflow((int64_t)0, *v, v))
		return too_large(c);
	if (rc == 0)
		skip_blanks(c);
	return rc;
}

static int calc_product(struct calc *c, int64_t *v)
{
	int64_t right;
	int rc = calc_operand(c, v);

	while (rc == 0 && (*c->p == '*' || *c->p == '/')) {
		char op = *c->p++;

		rc = calc_operand(c, &right);
		if (rc)
			break;
		if (op == '*' && __builtin_mul_overflow(*v, right, v))
			return too_large(c);
		if (op == '/' && right == 0)
			return err_set(c->e, EINVAL, "division by zero");
		if (op == '/' && *v == INT64_MIN && right == -1)
			return too_large(c);
		if (op == '/')
			*v /= right;
	}
	return rc;
}

static int calc_sum(struct calc *c, int64_t *v)
{
	int64_t right;
	int rc = calc_product(c, v);

	while (rc == 0 && (*c->p == '+' || *c->p == '-')) {
		char op = *c->p++;

		rc = calc_product(c, &right);
		if (rc)
			break;
		if (op == '+' ? __builtin_add_overflow(*v, right, v)
			      : __builtin_sub_overflow(*v, right, v))
			return too_large(c);
	}
	return rc;
}

int line_evaluate(const char *text, struct strbuf *out, struct err *e)
{
	struct calc c = {.p = text, .e = e};
	int64_t v;
	int rc;

	if (text[strspn(text, "0123456789+-*/() \t")] || !strpbrk(text, "+-*/()")) {
		strbuf_puts(out, text);
		return 0;
	}
	rc = calc_sum(&c, &v);
	if (rc == 0 && *c.p)
		rc = err_set(e, EINVAL, "'%.40s' is left over in the arithmetic", c.p);
	if (rc == 0)
		strbuf_addf(out, "%lld", (long long)v);
	return rc;
}
