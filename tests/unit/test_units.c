/* units: what texts mean as sizes, durations and numbers, and how numbers are printed. */
#include <criterion/criterion.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/rng.h"
#include "src/base/units.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

Test(units, size_as_fio_reads_it)
{
	static const struct {
		const char *text;
		uint64_t base1024, base1000;
		bool note;
	} ok[] = {
		{"0", 0, 0, false},
		{"4097", 4097, 4097, false},
		{"512b", 512, 512, false},
		{"4k", 4096, 4000, false},
		{"4K", 4096, 4000, false},
		{"4kb", 4096, 4000, false},
		{"4ki", 4096, 4000, false},
		{"4kib", 4000, 4096, true},
		{"4KiB", 4000, 4096, true},
		{"1mib", 1000000, 1048576, true},
		{"1m", 1048576, 1000000, false},
		{"2G", 2147483648, 2000000000, false},
		{"1t", 1099511627776, 1000000000000, false},
		{"1p", 1125899906842624, 1000000000000000, false},
		{"0x1000", 4096, 4096, false},
		{"0X10b", 0x10b, 0x10b, false}, /* b is a hex digit here */
		{"+4k", 4096, 4000, false},
		{"010", 10, 10, false}, /* not octal */
		{"18446744073709551615", UINT64_MAX, UINT64_MAX, false},
		{"16383p", 16383ull << 50, 16383000000000000000ull, false},
	};

	for (size_t i = 0; i < COUNT(ok); i++) {
		struct err e = {0};
		uint64_t v = 1;
		bool note = false;

		cr_expect_eq(units_parse_size(ok[i].text, 1024, &v, &note, &e), 0, "%s: %s",
			     ok[i].text, e.msg);
		cr_expect_eq(v, ok[i].base1024, "%s: %lu", ok[i].text, v);
		cr_expect_eq(note, ok[i].note, "%s: note", ok[i].text);
		cr_expect_eq(units_parse_size(ok[i].text, 1000, &v, NULL, &e), 0);
		cr_expect_eq(v, ok[i].base1000, "%s (1000): %lu", ok[i].text, v);
	}
}

Test(units, size_refuses_what_fio_misreads)
{
	static const struct {
		const char *text;
		int rc;
	} bad[] = {
		{"", -EINVAL},       {"abc", -EINVAL},
		{"k", -EINVAL},      {"-4k", -EINVAL},  /* fio: 16 EiB */
		{"-1", -EINVAL},     {"4.5k", -EINVAL}, /* fio: 4 */
		{"4x", -EINVAL},                        /* fio: 4 */
		{"4kfoo", -EINVAL},  {"4 k", -EINVAL},
		{" 4k", -EINVAL},    {"4k ", -EINVAL},
		{"1%", -EINVAL}, /* fio: 2^64-2 as a block size */
		{"0x", -EINVAL},     {"0x1k", -EINVAL},
		{"1e3", -EINVAL},    {"1e", -EINVAL},
		{"1,5k", -EINVAL},   {"4kbb", -EINVAL},
		{"4ik", -EINVAL},    {"18446744073709551616", -ERANGE},
		{"16384p", -ERANGE}, {"99999999999999999999999999", -ERANGE},
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err e = {0};
		uint64_t v = 7;

		cr_expect_eq(units_parse_size(bad[i].text, 1024, &v, NULL, &e), bad[i].rc, "'%s'",
			     bad[i].text);
		cr_expect_eq(v, 7, "'%s' changed the value", bad[i].text);
		cr_expect_neq(e.msg[0], '\0');
		cr_expect_not_null(strstr(e.msg, bad[i].text), "%s", e.msg);
		cr_expect_eq(units_parse_size(bad[i].text, 1024, &v, NULL, NULL), bad[i].rc);
	}
}

Test(units, size_typed_in_the_console_means_powers_of_1024)
{
	static const struct {
		const char *text;
		uint64_t v;
	} ok[] = {
		{"4k", 4096},
		{"4K", 4096},
		{"4kB", 4096},
		{"4KiB", 4096},
		{"4 KiB", 4096},
		{"512 B", 512},
		{"1.5g", 1610612736},
		{"0.5k", 512},
		{"1.39 GiB", 1492501135}, /* rounded down */
		{"1.999999999999999999999k", 2047},
		{"1e", 1ull << 60},
		{"0x200", 512},
	};
	static const char *const bad[] = {"",    "4.k",  "1.5",   "1.5b",  "4  k",
					  "4 ",  "1,5k", "-1.5k", "4kk",   "1.5.5k",
					  "16e", "inf",  "nan",   "0x1.8k"};

	for (size_t i = 0; i < COUNT(ok); i++) {
		struct err e = {0};
		uint64_t v = 0;
		int rc = units_parse_size_ui(ok[i].text, &v, &e);

		cr_expect_eq(rc, 0, "%s: %s", ok[i].text, e.msg);
		cr_expect_eq(v, ok[i].v, "%s: %lu", ok[i].text, v);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err e = {0};
		uint64_t v;

		cr_expect_lt(units_parse_size_ui(bad[i], &v, &e), 0, "'%s'", bad[i]);
		cr_expect_neq(e.msg[0], '\0');
	}
}

Test(units, durations)
{
	static const struct {
		const char *text;
		uint64_t bare_s, bare_us;
	} ok[] = {
		{"10", 10 * UNIT_SEC, 10 * UNIT_US},
		{"0", 0, 0},
		{"1m", 60 * UNIT_SEC, 60 * UNIT_SEC},
		{"1M", 60 * UNIT_SEC, 60 * UNIT_SEC},
		{"500ms", 500 * UNIT_MS, 500 * UNIT_MS},
		{"500msec", 500 * UNIT_MS, 500 * UNIT_MS},
		{"250us", 250 * UNIT_US, 250 * UNIT_US},
		{"250usec", 250 * UNIT_US, 250 * UNIT_US},
		{"1.5s", 1500 * UNIT_MS, 1500 * UNIT_MS},
		{"1.5", 1500 * UNIT_MS, 1500},
		{"2min", 120 * UNIT_SEC, 120 * UNIT_SEC}, /* fio: 2 us */
		{"1sec", UNIT_SEC, UNIT_SEC},             /* fio: 1 us */
		{"3 seconds", 0, 0},
		{"3seconds", 3 * UNIT_SEC, 3 * UNIT_SEC},
		{"1h", 3600 * UNIT_SEC, 3600 * UNIT_SEC},
		{"1.5hours", 5400 * UNIT_SEC, 5400 * UNIT_SEC},
		{"2d", 172800 * UNIT_SEC, 172800 * UNIT_SEC},
		{"0.001us", 1, 1},
	};
	static const char *const bad[] = {"",    "-1",  "-5s", "00:00:01", "1.",  "1x",  "abc",
					  "1,5", "0x5", "s",   "1mss",     "1 s", "1ns", "5 "};

	for (size_t i = 0; i < COUNT(ok); i++) {
		struct err e = {0};
		uint64_t v = 0;
		int rc = strchr(ok[i].text, ' ') ? -EINVAL : 0;

		cr_expect_eq(units_parse_time(ok[i].text, UNIT_SEC, &v, &e), rc, "%s: %s",
			     ok[i].text, e.msg);
		cr_expect_eq(v, ok[i].bare_s, "%s: %lu", ok[i].text, v);
		cr_expect_eq(units_parse_time(ok[i].text, UNIT_US, &v, &e), rc);
		cr_expect_eq(v, ok[i].bare_us, "%s: %lu", ok[i].text, v);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err e = {0};
		uint64_t v;

		cr_expect_eq(units_parse_time(bad[i], UNIT_SEC, &v, &e), -EINVAL, "'%s'", bad[i]);
		cr_expect_neq(e.msg[0], '\0');
	}
	{
		struct err e = {0};
		uint64_t v;

		cr_expect_eq(units_parse_time("99999999999d", UNIT_SEC, &v, &e), -ERANGE);
	}
}

Test(units, plain_numbers)
{
	struct err e = {0};
	uint64_t v = 0;

	cr_expect_eq(units_parse_u64("42", 0, 100, &v, &e), 0);
	cr_expect_eq(v, 42);
	cr_expect_eq(units_parse_u64("0x40", 1, 64, &v, &e), 0);
	cr_expect_eq(v, 64);
	cr_expect_eq(units_parse_u64("18446744073709551615", 0, UINT64_MAX, &v, &e), 0);
	cr_expect_eq(units_parse_u64("101", 0, 100, &v, &e), -ERANGE);
	cr_expect_str_eq(e.msg, "101 is out of range: 0 to 100");
	cr_expect_eq(units_parse_u64("0", 1, UINT64_MAX, &v, &e), -ERANGE);
	cr_expect_str_eq(e.msg, "0 is out of range: at least 1");
	static const char *const bad[] = {"", "-1", "1.5", "4k", "foo", "1 ", " 1", "1,000", "yes"};
	for (size_t i = 0; i < COUNT(bad); i++)
		cr_expect_eq(units_parse_u64(bad[i], 0, UINT64_MAX, &v, &e), -EINVAL, "'%s'",
			     bad[i]);
}

Test(units, numbers_as_fio_prints_them)
{
	static const struct {
		uint64_t n;
		unsigned maxlen, base;
		const char *unit, *text;
	} t[] = {
		{4096, 4, 1024, "B", "4096B"},
		{16384, 4, 1024, "B", "16.0KiB"},
		{1048576, 4, 1024, "B", "1024KiB"},
		{1000000, 4, 1024, "B", "977KiB"},
		{9999, 4, 1000, "", "9999"},
		{10000, 4, 1000, "", "10.0k"},
		{99999, 5, 1000, "", "99999"},
		{99999, 4, 1000, "", "100.0k"},
		{100000, 4, 1000, "", "100k"},
		{10485760000, 4, 1024, "B", "9.77GiB"},
		{1432000, 4, 1000, "", "1432k"},
		{51726, 4, 1000, "", "51.7k"},
		{3609200, 6, 1000, "", "3609.2k"},
		{123217000, 6, 1000, "", "123217k"},
		{2560000, 3, 1000, "", "2.6M"},
		{10485760000, 3, 1024, "B/s", "9.8GiB/s"},
		{10485760000, 3, 1000, "B/s", "10GB/s"},
		{10485760, 3, 1024, "B", "10MiB"},
		{2560000, 6, 1000, "", "2560.0k"},
		{10485760000, 6, 1024, "B/s", "10000MiB/s"},
		{10485760000, 6, 1000, "B/s", "10486MB/s"},
		{10485760, 6, 1024, "B", "10240KiB"},
		{0, 4, 1000, "", "0"},
		{211872304, 4, 1024, "B/s", "202MiB/s"},
		{211872304, 4, 1000, "B/s", "212MB/s"},
		/* article 000: 18.986 MiB/s was printed as 18.0 */
		{19908264, 4, 1024, "B/s", "19.0MiB/s"},
		{19990000, 4, 1000, "", "20.0M"},
		{UINT64_MAX, 4, 1024, "B", "16.0EiB"},
		{UINT64_MAX, 4, 1000, "", "18.4E"},
		{UINT64_MAX, 1, 1000, "", "18E"},
	};

	for (size_t i = 0; i < COUNT(t); i++) {
		char out[64];

		units_fmt_fio(out, sizeof(out), t[i].n, t[i].maxlen, t[i].base, t[i].unit);
		cr_expect_str_eq(out, t[i].text, "%lu maxlen %u base %u: %s, not %s", t[i].n,
				 t[i].maxlen, t[i].base, out, t[i].text);
	}
}

Test(units, case_100_console_numbers_have_three_digits_and_carry)
{
	static const struct {
		double v;
		const char *count, *ns, *iec, *si;
	} t[] = {
		{0, "0", "0 ns", "0 B", "0 B"},
		{7, "7.00", "7 ns", "7 B", "7 B"},
		{7.25, "7.25", "7.25 ns", "7.25 B", "7.25 B"},
		{84.1, "84.1", "84.1 ns", "84.1 B", "84.1 B"},
		{612, "612", "612 ns", "612 B", "612 B"},
		{840, "840", "840 ns", "840 B", "840 B"},
		{9990, "9.99k", "9.99 us", "9.76 KiB", "9.99 kB"},
		{84100, "84.1k", "84.1 us", "82.1 KiB", "84.1 kB"},
		{1.23e6, "1.23M", "1.23 ms", "1.17 MiB", "1.23 MB"},
		{12.3e9, "12.3G", "12.3 s", "11.5 GiB", "12.3 GB"},
		{1234e9, "1.23T", "1234 s", "1.12 TiB", "1.23 TB"},
		{4096, "4.10k", "4.10 us", "4 KiB", "4.10 kB"},
		{4000, "4.00k", "4.00 us", "3.91 KiB", "4 kB"},
		{524288, "524k", "524 us", "512 KiB", "524 kB"},
		/* carries (case 100) */
		{18.986, "19.0", "19.0 ns", "19.0 B", "19.0 B"},
		{9.9996, "10.0", "10.0 ns", "10.0 B", "10.0 B"},
		{999.6, "1.00k", "1.00 us", "1000 B", "1.00 kB"},
		{1023.99, "1.02k", "1.02 us", "1.00 KiB", "1.02 kB"},
		{1047999.9, "1.05M", "1.05 ms", "1023 KiB", "1.05 MB"},
		{1048570, "1.05M", "1.05 ms", "1.00 MiB", "1.05 MB"},
		{0x1p64, "18.4E", "18446744074 s", "16 EiB", "18.4 EB"},
		/* never zero for something */
		{0.01, "0.01", "0.01 ns", "0.01 B", "0.01 B"},
		{0.004, "<0.01", "<0.01 ns", "<0.01 B", "<0.01 B"},
		{1e-300, "<0.01", "<0.01 ns", "<0.01 B", "<0.01 B"},
		/* unknown */
		{NAN, "-", "-", "-", "-"},
		{-1, "-", "-", "-", "-"},
		{INFINITY, "-", "-", "-", "-"},
	};

	for (size_t i = 0; i < COUNT(t); i++) {
		char out[64];

		units_fmt_count(out, sizeof(out), t[i].v);
		cr_expect_str_eq(out, t[i].count, "count %g: %s", t[i].v, out);
		units_fmt_ns(out, sizeof(out), t[i].v, "u");
		cr_expect_str_eq(out, t[i].ns, "ns %g: %s", t[i].v, out);
		units_fmt_bytes(out, sizeof(out), t[i].v, false);
		cr_expect_str_eq(out, t[i].iec, "iec %g: %s", t[i].v, out);
		units_fmt_bytes(out, sizeof(out), t[i].v, true);
		cr_expect_str_eq(out, t[i].si, "si %g: %s", t[i].v, out);
	}
}

Test(units, rates_micro_sign_and_small_buffers)
{
	char out[64], small[5];

	units_fmt_bps(out, sizeof(out), 1.39 * 0x1p30, false);
	cr_expect_str_eq(out, "1.39 GiB/s");
	units_fmt_bps(out, sizeof(out), NAN, false);
	cr_expect_str_eq(out, "-");
	units_fmt_ns(out, sizeof(out), 84100, "\u00b5");
	cr_expect_str_eq(out, "84.1 \u00b5s");
	units_fmt_bps(small, sizeof(small), 1e9, false);
	cr_expect_eq(strlen(small), sizeof(small) - 1);
	units_fmt_count(out, sizeof(out), 1e300);
	cr_expect_lt(strlen(out), 20);
}

/* Any value: the printed digits are within half of the last digit of it. */
Test(units, printed_count_is_the_nearest)
{
	struct rng r;

	rng_seed(&r, 3);
	for (int i = 0; i < 20000; i++) {
		double v = exp(rng_unit(&r) * 40), printed, tolerance = v * 0.00501;
		char out[64], prefix = 0;

		units_fmt_count(out, sizeof(out), v);
		cr_assert_geq(sscanf(out, "%lf%c", &printed, &prefix), 1, "%s", out);
		if (prefix)
			printed *= pow(1000, (double)(strchr("kMGTPE", prefix) - "kMGTPE" + 1));
		cr_expect_leq(fabs(printed - v), tolerance, "%g as %s", v, out);
		cr_expect_leq(strlen(out), 5, "%s", out);
	}
}

Test(units, percent)
{
	static const struct {
		double v;
		const char *text;
	} t[] = {{0, "0"},        {0.01, "<0.1"},    {0.06, "0.1"}, {5.34, "5.3"},  {9.94, "9.9"},
		 {9.96, "10"},    {56.4, "56"},      {87.5, "88"},  {99.4, "99"},   {99.6, "99.6"},
		 {99.96, "99.9"}, {99.9999, "99.9"}, {100, "100"},  {187.4, "187"}, {NAN, "-"},
		 {-1, "-"},       {INFINITY, "-"}};

	for (size_t i = 0; i < COUNT(t); i++) {
		char out[16];

		units_fmt_pct(out, sizeof(out), t[i].v);
		cr_expect_str_eq(out, t[i].text, "%g: %s, not %s", t[i].v, out, t[i].text);
	}
}

Test(units, clock)
{
	static const struct {
		uint64_t s;
		const char *text;
	} t[] = {{0, "0:00"}, {42, "0:42"}, {725, "12:05"}, {3600, "1:00:00"}, {3723, "1:02:03"}};

	for (size_t i = 0; i < COUNT(t); i++) {
		char out[32];

		units_fmt_clock(out, sizeof(out), t[i].s * UNIT_SEC + 999999999);
		cr_expect_str_eq(out, t[i].text);
	}
}

Test(units, exact_texts_read_back)
{
	static const struct {
		uint64_t v;
		const char *size, *time;
	} t[] = {{0, "0", "0"},
		 {4096, "4k", "4.096us"},
		 {4097, "4097", "4.097us"},
		 {1048576, "1m", "1048.576us"},
		 {1ull << 30, "1g", "1073741.824us"},
		 {1ull << 60, "1024p", "1152921504606846.976us"},
		 {60 * UNIT_SEC, "58593750k", "60"},
		 {1500 * UNIT_MS, "1500000000", "1500ms"},
		 {250 * UNIT_US, "250000", "250us"}};
	struct rng r;
	char out[40];
	uint64_t v;

	for (size_t i = 0; i < COUNT(t); i++) {
		units_fmt_size_exact(out, sizeof(out), t[i].v);
		cr_expect_str_eq(out, t[i].size);
		units_fmt_time_exact(out, sizeof(out), t[i].v);
		cr_expect_str_eq(out, t[i].time);
	}
	rng_seed(&r, 1);
	for (int i = 0; i < 20000; i++) {
		uint64_t want = rng_next(&r) >> rng_below(&r, 64) << rng_below(&r, 40);

		units_fmt_size_exact(out, sizeof(out), want);
		cr_assert_eq(units_parse_size(out, 1024, &v, NULL, NULL), 0, "%s", out);
		cr_expect_eq(v, want, "%s", out);
		units_fmt_time_exact(out, sizeof(out), want);
		cr_assert_eq(units_parse_time(out, UNIT_SEC, &v, NULL), 0, "%s", out);
		cr_expect_eq(v, want, "%s", out);
	}
}

static bool comma_locale(const char *name)
{
	return setlocale(LC_ALL, name) && localeconv()->decimal_point[0] == ',';
}

/* Most test machines have no such locale installed, but many can make one. */
static bool make_comma_locale(char *dir)
{
	char cmd[200];

	if (!mkdtemp(dir))
		return false;
	snprintf(cmd, sizeof(cmd), "localedef -i de_DE -f ISO-8859-15 %s/de_DE >/dev/null 2>&1",
		 dir);
	return system(cmd) == 0 && setenv("LOCPATH", dir, 1) == 0 && comma_locale("de_DE");
}

/* Case 118: a locale with a decimal comma changes nothing, in or out. */
Test(units, case_118_locale_changes_nothing)
{
	char dir[] = "/tmp/iodeck-locale-XXXXXX", cmd[64];
	bool got = comma_locale("de_DE.UTF-8") || comma_locale("fr_FR.UTF-8");
	char out[64];
	struct err e;
	uint64_t v;

	if (!got) {
		got = make_comma_locale(dir);
		snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
		cr_expect_eq(system(cmd), 0);
	}
	if (!got)
		cr_skip("no locale with a decimal comma here, and localedef cannot make one");
	snprintf(out, sizeof(out), "%.1f", 1.5);
	cr_assert_str_eq(out, "1,5"); /* or the rest proves nothing */
	units_fmt_fio(out, sizeof(out), 16384, 4, 1024, "B");
	cr_expect_str_eq(out, "16.0KiB");
	units_fmt_count(out, sizeof(out), 84100);
	cr_expect_str_eq(out, "84.1k");
	units_fmt_pct(out, sizeof(out), 5.3);
	cr_expect_str_eq(out, "5.3");
	units_fmt_time_exact(out, sizeof(out), 1500);
	cr_expect_str_eq(out, "1.500us");
	cr_expect_eq(units_parse_time("1.5", UNIT_SEC, &v, &e), 0);
	cr_expect_eq(v, 1500 * UNIT_MS);
	cr_expect_eq(units_parse_time("1,5", UNIT_SEC, &v, &e), -EINVAL);
}
