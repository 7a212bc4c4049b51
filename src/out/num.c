#include "src/out/num.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/base/units.h"

/* printf follows LC_NUMERIC; its decimal point may be a comma, or several bytes. */
static void force_dot(char *s)
{
	const char *point = localeconv()->decimal_point;
	size_t n = strlen(point);
	char *at = strcmp(point, ".") == 0 ? NULL : strstr(s, point);

	if (!at)
		return;
	*at = '.';
	memmove(at + 1, at + n, strlen(at + n) + 1);
}

struct num num_real(double v, int width, int decimals)
{
	struct num out = {""};
	int n = -1;

	if (isfinite(v))
		n = snprintf(out.s, sizeof(out.s), "%*.*f", width, decimals, v);
	if (n < 0 || (size_t)n >= sizeof(out.s))
		snprintf(out.s, sizeof(out.s), "%*s", width, "-");
	else
		force_dot(out.s);
	return out;
}

static struct num num_units(uint64_t n, unsigned figs, unsigned base, const char *unit)
{
	struct num out = {""};

	units_fmt_fio(out.s, sizeof(out.s), n, figs, base, unit);
	return out;
}

struct num num_bytes(uint64_t bytes, struct num_style st)
{
	return num_units(bytes, st.figs, st.base, "B");
}

struct num num_bps(uint64_t bytes_s, struct num_style st)
{
	if (!st.bits)
		return num_units(bytes_s, st.figs, st.base, "B/s");
	return num_units(bytes_s > UINT64_MAX / 8 ? UINT64_MAX : bytes_s * 8, st.figs, st.base,
			 "bit/s");
}

struct num num_count(uint64_t n, unsigned figs)
{
	return num_units(n, figs, 1000, "");
}

struct num num_ctime(uint64_t wall_ms)
{
	time_t t = (time_t)(wall_ms / 1000);
	struct num out = {""};

	if (!ctime_r(&t, out.s)) /* a year beyond four digits */
		snprintf(out.s, sizeof(out.s), "-");
	out.s[strcspn(out.s, "\n")] = '\0';
	return out;
}

struct num_style num_style(const struct job_spec *j)
{
	return (struct num_style){.base = j->kb_base == 1000 ? 1000 : 1024,
				  .figs = j->significant_figures,
				  .bits = j->unit_base == 1};
}

struct num_style num_other(struct num_style st)
{
	st.base = st.base == 1024 ? 1000 : 1024;
	return st;
}
