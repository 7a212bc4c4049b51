/* What may be asked of a sweep: axes, limits, SLO; one-line errors; the same words back. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/spec/sweep_spec.h"

static void labels(const struct sweep_spec *s, enum sweep_kind k, char *out, size_t size)
{
	char text[32];
	size_t len = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < s->axis[k].n; i++) {
		sweep_axis_label(s, k, i, text, sizeof(text));
		len += (size_t)snprintf(out + len, size - len, "%s%s", i ? " " : "", text);
	}
}

Test(sweep_spec, values)
{
	static const struct {
		const char *words;
		enum sweep_kind kind;
		const char *values;
	} cases[] = {
		{"qd=1..128", SWEEP_QD, "1 2 4 8 16 32 64 128"},
		{"qd=1..100", SWEEP_QD, "1 2 4 8 16 32 64 100"},
		{"qd=3..24", SWEEP_QD, "3 6 12 24"},
		{"iodepth=8,1,4", SWEEP_QD, "1 4 8"},
		{"bs=4k,16k,64k", SWEEP_BS, "4k 16k 64k"},
		{"bs=512..4k,1m", SWEEP_BS, "512 1k 2k 4k 1m"},
		{"rwmixread=0..100/25", SWEEP_MIX, "0 25 50 75 100"},
		{"rwmixread=10..100/40", SWEEP_MIX, "10 50 90 100"},
		{"rate_iops=1000..4000/1000", SWEEP_RATE, "1000 2000 3000 4000"},
		{"numjobs=1..4", SWEEP_JOBS, "1 2 4"},
		{"engine=psync,io_uring", SWEEP_ENGINE, "psync io_uring"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_spec s;
		struct err e = {0};
		char got[256];

		sweep_spec_init(&s);
		cr_assert_eq(sweep_spec_parse(&s, cases[i].words, &e), 0, "%s: %s", cases[i].words,
			     e.msg);
		labels(&s, cases[i].kind, got, sizeof(got));
		cr_expect_str_eq(got, cases[i].values, "%s: %s", cases[i].words, got);
		cr_expect_eq(s.row, cases[i].kind);
		cr_expect_eq(s.col, SWEEP_NO_AXIS);
	}
}

Test(sweep_spec, refusals_say_what_would_be_right)
{
	static const struct {
		const char *words, *part;
	} cases[] = {
		{"", "no axis"},
		{"bs=4k", "no axis"},
		{"qd=0..8", "1 to 65536"},
		{"qd=1..70000", "1 to 65536"},
		{"qd=8..1", "the smaller value comes first"},
		{"qd=1,2,2", "twice"},
		{"qd=1,,2", "empty"},
		{"qd=1,x", "qd"},
		{"qd=1..20/1", "more than 16"},
		{"qd=1..9/0", "1 to 65536"},
		{"rwmixread=0..100", "0..100/10"},
		{"rwmixread=50,101", "100"},
		{"qd=1,2 bs=4k,8k jobs=1,2", "a third axis"},
		{"engine=psync,psync", "twice"},
		{"engine=a,abcdefghijklmnopqr", "not the name"},
		{"qd=1,2 slo=p99", "p99<500us"},
		{"qd=1,2 slo=p98<1ms", "p99.9"},
		{"qd=1,2 slo=p99<500", "unit"},
		{"qd=1,2 slo=p99<0us", "limit of 0"},
		{"qd=1,2 ci=0", "0.1 to 50"},
		{"qd=1,2 ci=nan", "0.1 to 50"},
		{"qd=1,2 order=up", "order"},
		{"qd=1,2 min=20 cap=10", "longer than cap"},
		{"qd=1,2 batch=5 cap=10", "at least three"},
		{"qd=1,2 colour=red", "no such option"},
		{"qd=1,2 slo", "value is needed"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_spec s;
		struct err e = {0};

		sweep_spec_init(&s);
		cr_expect_lt(sweep_spec_parse(&s, cases[i].words, &e), 0, "taken: %s",
			     cases[i].words);
		cr_expect(strstr(e.msg, cases[i].part), "%s: %s", cases[i].words, e.msg);
		cr_expect_null(strchr(e.msg, '\n'));
	}
}

/* Loads run down: qd before jobs before rate before block size. */
Test(sweep_spec, rows_and_columns)
{
	static const struct {
		const char *words;
		enum sweep_kind row, col;
		unsigned rows, cols;
	} cases[] = {
		{"bs=4k,16k qd=1..8", SWEEP_QD, SWEEP_BS, 4, 2},
		{"jobs=1,2 qd=1..4", SWEEP_QD, SWEEP_JOBS, 3, 2},
		{"engine=psync,mmap jobs=1,2", SWEEP_JOBS, SWEEP_ENGINE, 2, 2},
		{"rwmixread=0,50,100 bs=4k", SWEEP_MIX, SWEEP_NO_AXIS, 3, 1},
		{"qd=32 bs=4k,8k", SWEEP_BS, SWEEP_NO_AXIS, 2, 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_spec s;
		struct err e = {0};

		sweep_spec_init(&s);
		cr_assert_eq(sweep_spec_parse(&s, cases[i].words, &e), 0, "%s", e.msg);
		cr_expect_eq(s.row, cases[i].row, "%s", cases[i].words);
		cr_expect_eq(s.col, cases[i].col, "%s", cases[i].words);
		cr_expect_eq(sweep_spec_rows(&s), cases[i].rows);
		cr_expect_eq(sweep_spec_cols(&s), cases[i].cols);
	}
}

Test(sweep_spec, printed_words_read_back_the_same)
{
	static const char *const cases[] = {
		"qd=1,2,4",
		"qd=1,2 bs=4k,1m order=random seed=7 ramp=500ms ci=0.5 cap=1m min=2 batch=1",
		"jobs=1,2 slo=p99.9<1500us skip_saturated=1 slo_search=0 cell_bytes=1g",
		"rate_iops=100,200 engine=psync,mmap slo=mean<1.5us",
		"rwmixread=0,100 qd=32 slo=max<2s",
		"qd=1..128 bs=4k..1m",
		"qd=3..24 bs=4k,8k,12k",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_spec a, b;
		struct strbuf text = {0};
		struct err e = {0};

		sweep_spec_init(&a);
		sweep_spec_init(&b);
		cr_assert_eq(sweep_spec_parse(&a, cases[i], &e), 0, "%s: %s", cases[i], e.msg);
		sweep_spec_print(&a, &text);
		cr_assert_eq(sweep_spec_parse(&b, strbuf_str(&text), &e), 0, "%s: %s",
			     strbuf_str(&text), e.msg);
		cr_expect_eq(memcmp(&a, &b, sizeof(a)), 0, "%s: %s", cases[i], strbuf_str(&text));
		strbuf_fini(&text);
	}
}

Test(sweep_spec, a_cell_changes_what_the_axes_say_and_nothing_else)
{
	struct tuning base = {.jobs = 1, .qd = 7, .ops = IO_BIT(IO_READ), .random = true}, t;
	struct sweep_spec s;
	struct job_spec job;
	struct err e = {0};

	sweep_spec_init(&s);
	cr_assert_eq(sweep_spec_parse(&s, "qd=1..8 bs=4k,16k jobs=3 engine=mmap", &e), 0);
	sweep_spec_tuning(&s, 2, 1, &base, &t);
	cr_expect_eq(t.qd, 4);
	cr_expect_eq(t.bs_bytes[IO_WRITE], 16384);
	cr_expect_eq(t.jobs, 3);
	cr_expect_eq(t.ops, IO_BIT(IO_READ));
	cr_expect(t.random);
	cr_expect_str_eq(sweep_spec_engine(&s, 2, 1), "mmap");

	job_spec_init(&job);
	sweep_spec_job(&s, 3, 0, &job);
	cr_expect_eq(job.iodepth, 8);
	cr_expect_eq(job.bs_bytes[IO_READ], 4096);
	cr_expect_eq(job.numjobs, 3);
	cr_expect_str_eq(job.ioengine, "mmap");
	job_spec_fini(&job);
}

/* Help prints every row; none without a sentence. */
Test(sweep_spec, every_option_has_help)
{
	for (const struct option_def *row = sweep_options; row->name; row++)
		cr_expect(row->help && row->help[0], "%s", row->name);
	for (unsigned k = 0; k < SWEEP_KINDS; k++)
		cr_expect(sweep_kind_word((enum sweep_kind)k)[0]);
}
