#include "src/base/units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* No strtod: it follows LC_NUMERIC, and a job file means the same in every locale. Digit by digit. */

static const char size_letters[] = "kmgtpe"; /* powers 1..6 of the base */

/* fio knows no "e"; the console's own parser reads what its printer writes. */
#define FIO_POWER_MAX 5u
#define UI_POWER_MAX  6u

static const uint64_t pow10_table[] = {1,
				       10,
				       100,
				       1000,
				       10000,
				       100000,
				       1000000,
				       10000000,
				       100000000,
				       1000000000,
				       10000000000,
				       100000000000,
				       1000000000000,
				       10000000000000,
				       100000000000000,
				       1000000000000000,
				       10000000000000000,
				       100000000000000000,
				       1000000000000000000};
#define FRAC_DIGITS_MAX 18u

/* A number as typed: whole + frac / 10^frac_digits, and the text that follows it. */
struct number {
	uint64_t whole, frac;
	unsigned frac_digits;
	bool is_hex, has_point;
	const char *rest;
};

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* Digits of `base` at *text into *value; false when there are none or they do not fit. */
static bool read_digits(const char **text, unsigned base, uint64_t *value, bool *overflow)
{
	const char *p = *text;

	*value = 0;
	*overflow = false;
	for (; digit_value(*p) < (int)base; p++) {
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)digit_value(*p), value))
			*overflow = true;
	}
	if (p == *text)
		return false;
	*text = p;
	return true;
}

/* Digits after a point; those beyond FRAC_DIGITS_MAX are below any unit and are dropped. */
static bool read_fraction(const char **text, struct number *n)
{
	const char *p = *text;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (n->frac_digits == FRAC_DIGITS_MAX)
			continue;
		n->frac = n->frac * 10 + (uint64_t)(*p - '0');
		n->frac_digits++;
	}
	if (p == *text)
		return false;
	*text = p;
	return true;
}

/* `what` is "a size", "a duration", "a number". */
static int read_number(const char *text, const char *what, struct number *n, struct err *e)
{
	const char *p = text;
	bool overflow;

	*n = (struct number){0};
	if (*p == '\0')
		return err_set(e, EINVAL, "%s is missing", what);
	if (*p == '-')
		return err_set(e, EINVAL, "'%.80s': %s cannot be negative", text, what);
	if (*p == '+')
		p++;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		n->is_hex = true;
		p += 2;
	}
	if (!read_digits(&p, n->is_hex ? 16 : 10, &n->whole, &overflow))
		return err_set(e, EINVAL, "'%.80s' is not %s: no digits where the number starts",
			       text, what);
	if (overflow)
		return err_set(e, ERANGE, "'%.80s' is too large, at most 2^64-1", text);
	if (*p == '.' && !n->is_hex) {
		n->has_point = true;
		p++;
		if (!read_fraction(&p, n))
			return err_set(e, EINVAL, "'%.80s' is not %s: no digits after the point",
				       text, what);
	}
	n->rest = p;
	return 0;
}

/* (whole + fraction) * unit, rounded down. */
static int scale_number(const struct number *n, uint64_t unit, const char *text, uint64_t *value,
			struct err *e)
{
	unsigned __int128 v = (unsigned __int128)n->frac * unit / pow10_table[n->frac_digits];

	v += (unsigned __int128)n->whole * unit;
	if (v > UINT64_MAX)
		return err_set(e, ERANGE, "'%.80s' is too large, at most 2^64-1", text);
	*value = (uint64_t)v;
	return 0;
}

static uint64_t power(uint64_t base, unsigned exponent)
{
	uint64_t v = 1;

	while (exponent--)
		v *= base;
	return v;
}

struct size_suffix {
	unsigned power; /* 0: bytes */
	bool is_ib;     /* written with all three letters: KiB */
};

/* "", "b", "k", "kb", "ki", "kib" in any case. */
static bool read_size_suffix(const char *s, unsigned power_max, struct size_suffix *out)
{
	const char *at;

	*out = (struct size_suffix){0};
	if (*s == '\0' || strcasecmp(s, "b") == 0)
		return true;
	at = strchr(size_letters, *s | 0x20);
	if (!at)
		return false;
	out->power = (unsigned)(at - size_letters) + 1;
	out->is_ib = strcasecmp(s + 1, "ib") == 0;
	if (out->power > power_max)
		return false;
	return out->is_ib || s[1] == '\0' || strcasecmp(s + 1, "b") == 0 ||
	       strcasecmp(s + 1, "i") == 0;
}

static int bad_size_suffix(const char *text, const struct number *n, struct err *e)
{
	if (*n->rest == ' ' || *n->rest == '\t')
		return err_set(e, EINVAL, "'%.80s': no blank inside a size, write 4k", text);
	if (n->is_hex)
		return err_set(e, EINVAL, "'%.80s': a hexadecimal size takes no suffix", text);
	return err_set(e, EINVAL, "'%.80s': unknown size suffix '%.20s', known are k m g t p", text,
		       n->rest);
}

int units_parse_size(const char *text, unsigned kb_base, uint64_t *bytes, bool *iec_note,
		     struct err *e)
{
	struct size_suffix suffix;
	struct number n;
	bool decimal;
	int rc = read_number(text, "a size", &n, e);

	if (rc)
		return rc;
	if (n.has_point)
		return err_set(e, EINVAL, "'%.80s': a size takes no decimals, write whole numbers",
			       text);
	if (!read_size_suffix(n.rest, FIO_POWER_MAX, &suffix) || (n.is_hex && *n.rest))
		return bad_size_suffix(text, &n, e);
	decimal = (kb_base == 1000) != suffix.is_ib;
	rc = scale_number(&n, power(decimal ? 1000 : 1024, suffix.power), text, bytes, e);
	if (rc == 0 && iec_note && suffix.is_ib && kb_base != 1000)
		*iec_note = true;
	return rc;
}

int units_parse_size_ui(const char *text, uint64_t *bytes, struct err *e)
{
	struct size_suffix suffix;
	struct number n;
	int rc = read_number(text, "a size", &n, e);
	const char *s;

	if (rc)
		return rc;
	/* One blank, because the field echoes "4 KiB" and people edit the echo. */
	s = n.rest + (n.rest[0] == ' ' && n.rest[1] ? 1 : 0);
	if (!read_size_suffix(s, UI_POWER_MAX, &suffix) || (n.is_hex && *n.rest))
		return bad_size_suffix(text, &n, e);
	if (n.has_point && suffix.power == 0)
		return err_set(e, EINVAL, "'%.80s': bytes are whole numbers", text);
	return scale_number(&n, power(1024, suffix.power), text, bytes, e);
}

struct time_suffix {
	const char *words[6];
	uint64_t ns;
};

/* fio's own words first; the longer ones are read as what they say (fio takes them for us). */
static const struct time_suffix time_suffixes[] = {
	{{"us", "usec"}, UNIT_US},
	{{"ms", "msec"}, UNIT_MS},
	{{"s", "sec", "secs", "second", "seconds"}, UNIT_SEC},
	{{"m", "min", "mins", "minute", "minutes"}, 60 * UNIT_SEC},
	{{"h", "hour", "hours"}, 3600 * UNIT_SEC},
	{{"d", "day", "days"}, 86400 * UNIT_SEC},
};

static uint64_t time_suffix_ns(const char *s)
{
	for (size_t i = 0; i < sizeof(time_suffixes) / sizeof(time_suffixes[0]); i++)
		for (const char *const *w = time_suffixes[i].words; *w; w++)
			if (strcasecmp(s, *w) == 0)
				return time_suffixes[i].ns;
	return 0;
}

int units_parse_time(const char *text, uint64_t bare_ns, uint64_t *ns, struct err *e)
{
	struct number n;
	uint64_t unit;
	int rc = read_number(text, "a duration", &n, e);

	if (rc)
		return rc;
	unit = *n.rest ? time_suffix_ns(n.rest) : bare_ns;
	if (n.is_hex)
		return err_set(e, EINVAL, "'%.80s': a duration is a decimal number", text);
	if (unit == 0)
		return err_set(e, EINVAL,
			       "'%.80s': unknown time suffix '%.20s', known are d h m s ms us",
			       text, n.rest);
	return scale_number(&n, unit, text, ns, e);
}

int units_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct err *e)
{
	struct number n;
	int rc = read_number(text, "a number", &n, e);

	if (rc)
		return rc;
	if (n.has_point || *n.rest)
		return err_set(e, EINVAL, "'%.80s' is not a whole number", text);
	if (n.whole < min && max == UINT64_MAX)
		return err_set(e, ERANGE, "%.80s is out of range: at least %llu", text,
			       (unsigned long long)min);
	if (n.whole < min || n.whole > max)
		return err_set(e, ERANGE, "%.80s is out of range: %llu to %llu", text,
			       (unsigned long long)min, (unsigned long long)max);
	*value = n.whole;
	return 0;
}

/* -- what the parsers read back ------------------------------------------------------------------ */

void units_fmt_size_exact(char *out, size_t size, uint64_t bytes)
{
	unsigned p = 0;

	while (bytes && bytes % 1024 == 0 && p < FIO_POWER_MAX) {
		bytes /= 1024;
		p++;
	}
	snprintf(out, size, "%llu%.*s", (unsigned long long)bytes, p ? 1 : 0,
		 p ? &size_letters[p - 1] : "");
}

void units_fmt_time_exact(char *out, size_t size, uint64_t ns)
{
	unsigned long long v = ns;

	if (v % UNIT_SEC == 0)
		snprintf(out, size, "%llu", v / UNIT_SEC);
	else if (v % UNIT_MS == 0)
		snprintf(out, size, "%llums", v / UNIT_MS);
	else if (v % UNIT_US == 0)
		snprintf(out, size, "%lluus", v / UNIT_US);
	else
		snprintf(out, size, "%llu.%03lluus", v / UNIT_US, v % UNIT_US);
}
