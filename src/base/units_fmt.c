/* Numbers as text for people and reports; units.c reads them. */
#include "src/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* No %f where it could show: it follows LC_NUMERIC, and a report must hold dots in every locale. */

static unsigned digits_of(uint64_t n)
{
	unsigned d = 1;

	while (n >= 10) {
		n /= 10;
		d++;
	}
	return d;
}

void units_fmt_fio(char *out, size_t size, uint64_t n, unsigned maxlen, unsigned base,
		   const char *unit)
{
	static const char *const iec[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
	static const char *const si[] = {"", "k", "M", "G", "T", "P", "E"};
	const char *const *prefix = base == 1024 ? iec : si;
	unsigned p = 0, room;
	uint64_t rem = 0;
	char frac[32];
	int len;

	for (; digits_of(n) > maxlen && p < 6; p++) {
		rem = n % base;
		n /= base;
	}
	room = maxlen > digits_of(n) ? maxlen - digits_of(n) : 0;
	if (p == 0 || room <= 1) {
		n += p && rem >= base / 2;
		snprintf(out, size, "%llu%s%s", (unsigned long long)n, prefix[p], unit);
		return;
	}
	/* printf rounds as fio's does; its radix character is skipped: the digits are the tail. */
	room--;
	len = snprintf(frac, sizeof(frac), "%.*f", (int)(room < 20 ? room : 20),
		       (double)rem / base);
	n += frac[0] == '1';
	snprintf(out, size, "%llu.%s%s%s", (unsigned long long)n,
		 frac + len - (room < 20 ? room : 20), prefix[p], unit);
}

/*
 * v with three significant digits (at most two decimals, v < limit) into out; false when rounding
 * reaches the limit and the value belongs to the next unit. Nothing is written then.
 */
static bool put_3digits(char *out, size_t size, double v, unsigned limit)
{
	unsigned long long r2 = (unsigned long long)(v * 100 + 0.5);
	unsigned long long r1 = (unsigned long long)(v * 10 + 0.5);
	unsigned long long r0 = (unsigned long long)(v + 0.5);

	if (r2 < 1000)
		snprintf(out, size, "%llu.%02llu", r2 / 100, r2 % 100);
	else if (r1 < 1000)
		snprintf(out, size, "%llu.%llu", r1 / 10, r1 % 10);
	else if (r0 < limit)
		snprintf(out, size, "%llu", r0);
	else
		return false;
	return true;
}

/* How one kind of value climbs its units. */
struct ladder {
	unsigned base, steps;
	const char *const *suffix; /* steps of them, what follows the digits */
	bool whole_lowest;         /* whole numbers of the lowest unit print without decimals */
	bool whole_any;            /* the same in every unit: "4 KiB" */
};

static void put_scaled(char *out, size_t size, double v, const struct ladder *l)
{
	char digits[32];
	unsigned step = 0;
	bool whole;

	if (!isfinite(v) || v < 0) {
		snprintf(out, size, "-");
		return;
	}
	while (v >= l->base && step + 1 < l->steps) {
		v /= l->base;
		step++;
	}
	whole = v == floor(v) && v < l->base &&
		(v == 0 || l->whole_any || (l->whole_lowest && step == 0));
	if (whole) {
		snprintf(digits, sizeof(digits), "%u", (unsigned)v);
	} else if (v < 0.005) {
		snprintf(digits, sizeof(digits), "<0.01");
	} else if (v >= 1e15) {
		snprintf(digits, sizeof(digits), ">999999999999999");
	} else if (!put_3digits(digits, sizeof(digits), v, l->base)) {
		if (step + 1 < l->steps) {
			snprintf(digits, sizeof(digits), "1.00");
			step++;
		} else {
			snprintf(digits, sizeof(digits), "%llu", (unsigned long long)(v + 0.5));
		}
	}
	snprintf(out, size, "%s%s", digits, l->suffix[step]);
}

void units_fmt_count(char *out, size_t size, double n)
{
	static const char *const suffix[] = {"", "k", "M", "G", "T", "P", "E"};

	put_scaled(out, size, n, &(struct ladder){.base = 1000, .steps = 7, .suffix = suffix});
}

void units_fmt_ns(char *out, size_t size, double ns, const char *micro)
{
	char us[16];
	const char *const suffix[] = {" ns", us, " ms", " s"};

	snprintf(us, sizeof(us), " %ss", micro);
	put_scaled(
		out, size, ns,
		&(struct ladder){.base = 1000, .steps = 4, .suffix = suffix, .whole_lowest = true});
}

void units_fmt_bytes(char *out, size_t size, double bytes, bool si)
{
	static const char *const iec[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
	static const char *const dec[] = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};

	put_scaled(out, size, bytes,
		   &(struct ladder){.base = si ? 1000 : 1024,
				    .steps = 7,
				    .suffix = si ? dec : iec,
				    .whole_any = true});
}

void units_fmt_bps(char *out, size_t size, double bytes_per_s, bool si)
{
	size_t len;

	units_fmt_bytes(out, size, bytes_per_s, si);
	len = strlen(out);
	if (len < size && strcmp(out, "-") != 0)
		snprintf(out + len, size - len, "/s");
}

void units_fmt_pct(char *out, size_t size, double pct)
{
	unsigned tenths;

	if (!isfinite(pct) || pct < 0 || pct > 1e6) {
		snprintf(out, size, "-");
		return;
	}
	tenths = (unsigned)(pct * 10 + 0.5);
	/* Only a full 100 may read "100". */
	if (pct < 100 && tenths > 999)
		tenths = 999;
	if (pct == 0)
		snprintf(out, size, "0");
	else if (tenths == 0)
		snprintf(out, size, "<0.1");
	else if (tenths < 100 || (tenths >= 995 && pct < 100))
		snprintf(out, size, "%u.%u", tenths / 10, tenths % 10);
	else
		snprintf(out, size, "%u", (unsigned)(pct + 0.5));
}

void units_fmt_clock(char *out, size_t size, uint64_t ns)
{
	unsigned long long s = ns / UNIT_SEC;

	if (s < 3600)
		snprintf(out, size, "%llu:%02llu", s / 60, s % 60);
	else
		snprintf(out, size, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
}
