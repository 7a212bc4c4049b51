/* Lines that say everything: nothing to decode, nothing unknown shown as 0. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_plain.h"
#include "src/base/clock.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"

static struct snapshot *s;
static struct strbuf out;

static void begin(void)
{
	struct lane_snap *l;

	s = xcalloc(1, sizeof(*s));
	s->n_lanes = 1;
	l = &s->lane[0];
	s->state = l->state = RUN_ON;
	snprintf(l->target, sizeof(l->target), "/dev/nvme1n1");
	l->elapsed_ns = 12 * NSEC_PER_SEC;
	l->remaining_ns = 108 * NSEC_PER_SEC;
	l->sec[IO_OP_NR] =
		(struct op_win){.iops = 364000,
				.bps = 364000.0 * 4096,
				.lat = {.n = 364000,
					.mean_ns = 88000,
					.max_ns = 2360000,
					.pct_ns = {84000, 97000, 104000, 151000, 412000, 1980000}}};
}

static void end(void)
{
	strbuf_fini(&out);
	free(s);
}

TestSuite(app_plain, .init = begin, .fini = end);

Test(app_plain, a_line_says_everything)
{
	plain_lines(s, false, &out);
	cr_expect_str_eq(
		strbuf_str(&out),
		"0:12, /dev/nvme1n1, run, 364k IOPS, 1.39 GiB/s, mean 88.0 us, p50 84.0 us, "
		"p99 151 us, max 2.36 ms, 0 errors, 1:48 left\n");
}

Test(app_plain, in_words)
{
	plain_lines(s, true, &out);
	cr_expect_str_eq(
		strbuf_str(&out),
		"12 seconds, /dev/nvme1n1, running, 364 thousand operations per second, 1.39 "
		"gibibytes per second, mean latency 88.0 microseconds, half within 84.0 "
		"microseconds, 99 of 100 within 151 microseconds, slowest 2.36 milliseconds, 0 "
		"errors, 108 seconds left\n");
}

Test(app_plain, what_is_unknown_is_not_nothing)
{
	s->lane[0].sec[IO_OP_NR] = (struct op_win){.iops = NAN, .bps = NAN};
	s->lane[0].remaining_ns = UINT64_MAX;
	plain_lines(s, false, &out);
	cr_expect(strstr(strbuf_str(&out), "- IOPS, -, mean -, p50 -"), "%s", strbuf_str(&out));
	cr_expect_null(strstr(strbuf_str(&out), "left"));
	strbuf_reset(&out);
	plain_lines(s, true, &out);
	cr_expect(strstr(strbuf_str(&out), "unknown operations"), "%s", strbuf_str(&out));
}

Test(app_plain, layout_and_a_simulated_device_are_told)
{
	s->lane[0].simulated = true;
	plain_lines(s, false, &out);
	cr_expect(strstr(strbuf_str(&out), "simulated"));
	strbuf_reset(&out);
	s->state = RUN_LAYOUT;
	s->layout_total = 200;
	s->layout_done = 86;
	plain_lines(s, false, &out);
	cr_expect_str_eq(strbuf_str(&out), "laying out files, 43%\n");
}

Test(app_plain, every_printed_number_has_words)
{
	static const double values[] = {0, 0.4, 7, 840, 9990, 84.1e3, 1.23e6, 5e9, 3e12};
	char text[32], words[64];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		units_fmt_ns(text, sizeof(text), values[i], "u");
		plain_words(text, words, sizeof(words));
		cr_expect(strstr(words, "second"), "%s: %s", text, words);
		units_fmt_bps(text, sizeof(text), values[i], false);
		plain_words(text, words, sizeof(words));
		cr_expect(strstr(words, "bytes per second"), "%s: %s", text, words);
		units_fmt_count(text, sizeof(text), values[i]);
		plain_words(text, words, sizeof(words));
		cr_expect(strpbrk(words, "0123456789") && words[strlen(words) - 1] != 'k', "%s",
			  words);
	}
}
