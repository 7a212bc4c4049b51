/* run/steady: has a job settled? And at work: a job that ends by it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/steady.h"
#include "tests/unit/run_rig.h"

TestSuite(steady, .init = run_rig_setup, .fini = run_rig_cleanup);

static void set(struct job_spec *s, const char *name, const char *value)
{
	struct err e = {0};

	cr_assert_eq(option_set(option_find(job_options, name), s, value, 1024, &e), 0, "%s",
		     e.msg);
}

/* Feeds IOPS until it has settled; how many it took, 0: it did not. Bandwidth is 4096 times that. */
static unsigned feed(const char *what, const char *seconds, const uint64_t *iops, unsigned n,
		     struct steady *s)
{
	struct job_spec js;
	unsigned took = 0;

	job_spec_init(&js);
	set(&js, "ss", what);
	set(&js, "ss_dur", seconds);
	steady_init(s, &js);
	for (unsigned i = 0; i < n && !took; i++)
		if (steady_add(s, iops[i], iops[i] * 4096))
			took = i + 1;
	job_spec_fini(&js);
	return took;
}

/* Figures of runs of fio 3.33 with what it told of them. */
Test(steady, criteria_are_those_of_fio)
{
	static const struct {
		const char *what;
		uint64_t iops[3];
		double criterion, slope, deviation;
	} v[] = {
		{"iops:50%", {996, 1005, 1001}, 0.466356, 0, 4.666667},
		{"iops_slope:50%", {1000, 1001, 1001}, 0.050000, 0.5, 0},
		{"iops:0.1%", {1000, 1001, 1001}, 0.066622, 0, 0.666667},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct steady s;

		cr_expect_eq(feed(v[i].what, "3", v[i].iops, 3, &s), 3, "%s", v[i].what);
		cr_expect_float_eq(s.r.criterion, v[i].criterion, 0.0003, "%s: %f", v[i].what,
				   s.r.criterion);
		cr_expect_float_eq(s.r.slope, v[i].slope, 1e-6);
		cr_expect_float_eq(s.r.deviation, v[i].deviation, 1e-6);
		steady_fini(&s);
	}
}

Test(steady, the_line_is_that_of_least_squares)
{
	uint64_t iops[10];
	struct steady s;

	for (unsigned i = 0; i < 10; i++)
		iops[i] = 1000 + 7 * i;
	feed("iops_slope:0", "10", iops, 10, &s);
	cr_expect_float_eq(s.r.slope, 7, 1e-9);
	steady_fini(&s);
	feed("bw_slope:0", "10", iops, 10, &s);
	cr_expect_float_eq(s.r.slope, 7 * 4096, 1e-6);
	steady_fini(&s);
}

Test(steady, only_the_last_seconds_count)
{
	static const uint64_t iops[] = {9000, 5000, 2000, 1000, 1000, 1000, 1000, 1000};
	struct steady s;

	cr_expect_eq(feed("iops:1%", "4", iops, 8, &s), 7);
	cr_expect_eq(s.r.n, 4);
	cr_expect_eq(s.r.iops[0], 1000);
	cr_expect(steady_add(&s, 1, 1), "for good");
	cr_expect_eq(s.r.iops[3], 1000);
	steady_fini(&s);
	cr_expect_eq(feed("iops:1%", "9", iops, 8, &s), 0);
	cr_expect_eq(s.r.n, 8);
	cr_expect_eq(steady_mean(s.r.iops, s.r.n), 21000 / 8);
	steady_fini(&s);
}

Test(steady, limits_are_percent_or_absolute)
{
	static const uint64_t iops[] = {1000, 1020, 1000, 1020};
	struct steady s;

	cr_expect_eq(feed("iops:11", "4", iops, 4, &s), 4);
	steady_fini(&s);
	cr_expect_eq(feed("iops:10", "4", iops, 4, &s), 0, "below it, not at it");
	steady_fini(&s);
	cr_expect_eq(feed("bw:41k", "4", iops, 4, &s), 4);
	steady_fini(&s);
	cr_expect_eq(feed("bw:40k", "4", iops, 4, &s), 0);
	steady_fini(&s);
}

Test(steady, a_job_that_does_nothing_has_not_settled)
{
	static const uint64_t none[] = {0, 0, 0, 0};
	struct steady s;

	cr_expect_eq(feed("iops:50%", "2", none, 4, &s), 0);
	steady_fini(&s);
	cr_expect_eq(feed("iops_slope:50%", "2", none, 4, &s), 0);
	steady_fini(&s);
}

Test(steady, words_are_printed_as_they_are_read)
{
	static const char *const v[][2] = {{"iops:0.3%", "iops:0.3%"},
					   {"bw_slope:10k", "bw_slope:10240"},
					   {"bw:1.5%", "bw:1.5%"},
					   {"iops_slope:12", "iops_slope:12"}};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct strbuf out = {0};
		struct job_spec spec;

		job_spec_init(&spec);
		set(&spec, "steadystate", v[i][0]);
		option_print(option_find(job_options, "ss"), &spec, &out);
		cr_expect_str_eq(strbuf_str(&out), v[i][1]);
		strbuf_fini(&out);
		job_spec_fini(&spec);
	}
	expect_refused("--name=t --ss=iops", "needs a limit");
	expect_refused("--name=t --ss=latency:1%%", "no such word");
	expect_refused("--name=t --ioengine=null --size=4k --ss_dur=500ms", "at least 1 s");
	expect_refused("--name=t --ioengine=null --size=4k --ss_dur=1 --ss=iops_slope:1%%",
		       "at least two seconds");
}

#define AT_RATE "--ioengine=null --size=1m --time_based --rate_iops=500 "

/* A rate holds its IOPS: settled after the two seconds it takes to see that. */
Test(steady, a_job_ends_when_it_has_settled)
{
	struct run_help h;
	const struct steady_result *s;

	run_ok(&h, AT_RATE "--runtime=50 --ss=iops:40%% --ss_dur=2 --name=t --numjobs=2");
	for (unsigned k = 0; k < 2; k++) {
		s = h.r->jobs[k].steady;
		cr_assert_not_null(s);
		cr_expect(s->attained && s->n == 2 && s->seconds == 2);
		cr_expect_lt(h.r->jobs[k].runtime_ms, 40000);
		cr_expect_geq(h.r->jobs[k].runtime_ms, 1990);
	}
	run_help_fini(&h);
}

/* case axboe/fio#687: the ramp and every second of the duration pass first. */
Test(steady, case_52_not_before_ramp_and_duration)
{
	struct run_help h;

	run_ok(&h, AT_RATE "--runtime=50 --ss=iops_slope:90%% --ss_dur=3 --ss_ramp=1 --name=t");
	cr_expect(h.r->jobs[0].steady->attained);
	cr_expect_geq(h.r->jobs[0].runtime_ms, 3995);
	run_help_fini(&h);
}

Test(steady, a_group_settles_together)
{
	struct run_help h;
	const struct steady_result *s;

	run_ok(&h, AT_RATE "--runtime=50 --ss=iops:40%% --ss_dur=2 --group_reporting --name=a "
			   "--numjobs=2 --name=b");
	cr_assert_eq(h.r->n_jobs, 1);
	s = h.r->jobs[0].steady;
	cr_assert_not_null(s);
	cr_expect(s->attained);
	/* Of three jobs at 500 each. */
	cr_expect(s->iops[1] > 700 && s->iops[1] < 2100, "%lu", s->iops[1]);
	run_help_fini(&h);
	expect_refused(AT_RATE "--runtime=3 --group_reporting --name=a --ss_dur=2 --name=b",
		       "steadystate options differ");
}

Test(steady, what_was_not_measured_is_not_there)
{
	struct run_help h;
	const struct steady_result *s;

	run_ok(&h, AT_RATE "--runtime=1200ms --ss=iops:40%% --ss_dur=30 --name=t");
	s = h.r->jobs[0].steady;
	cr_assert_not_null(s);
	cr_expect_not(s->attained);
	cr_expect_leq(s->n, 1);
	run_help_fini(&h);
	run_ok(&h, AT_RATE "--runtime=100ms --ss=iops:40%% --name=t");
	cr_expect_null(h.r->jobs[0].steady);
	cr_expect(strstr(h.notes, "no effect without steadystate_duration"), "%s", h.notes);
	run_help_fini(&h);
}
