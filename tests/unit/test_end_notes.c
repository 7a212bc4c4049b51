/* Lines for stderr after a run: what a report has no place for. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/out/end_notes.h"
#include "tests/unit/out_fixture.h"

static struct fixture *f;
static struct strbuf text;

/* One job of ten seconds with 1 GiB done. */
static void begin(void)
{
	f = fixture_new(1);
	f->job[0].runtime_ms = 10000;
	f->job[0].clones = 1;
	f->job[0].dir[IO_READ].st.bytes = 1ull << 30;
}

static void end(void)
{
	strbuf_fini(&text);
	fixture_free(f);
}

TestSuite(end_notes, .init = begin, .fini = end);

static const char *notes(void)
{
	strbuf_reset(&text);
	end_notes(&f->r, &text);
	return strbuf_str(&text);
}

Test(end_notes, nothing_to_say)
{
	cr_expect_str_empty(notes());
}

Test(end_notes, case_86_a_cpu_bound_job_is_told)
{
	f->job[0].usr_pct = 62;
	f->job[0].sys_pct = 37;
	cr_expect_str_eq(notes(),
			 "job0: CPU-bound: usr+sys 99 % of one core; the host is the limit here\n");
	f->job[0].clones = 2;
	f->job[0].runtime_ms = 20000;
	cr_expect(strstr(notes(), "99 % of one core for each job"), "%s", notes());
	f->job[0].runtime_ms = 800;
	cr_expect_str_empty(notes(), "400 ms say nothing");
	f->job[0].runtime_ms = 20000;
	f->job[0].sys_pct = 20;
	cr_expect_str_empty(notes());
}

Test(end_notes, case_88_what_the_time_limit_left_out_is_told)
{
	f->job[0].asked_bytes = 64ull << 30;
	cr_expect_str_empty(notes(), "no time limit");
	f->spec_job[0].runtime_ns = 10 * NSEC_PER_SEC;
	f->job[0].dir[IO_WRITE].st.bytes = 21ull << 27; /* 2.6 GiB more */
	cr_expect_str_eq(notes(), "job0: the time was over first: covered 3.63 GiB of 64 GiB\n");
	f->job[0].dir[IO_WRITE].st.bytes = 63ull << 30;
	cr_expect_str_empty(notes());
	f->job[0].dir[IO_WRITE].st.bytes = 0;
	f->job[0].asked_bytes = 0;
	cr_expect_str_empty(notes(), "time_based has no end");
	f->job[0].asked_bytes = 64ull << 30;
	f->r.signal = 2;
	cr_expect_str_empty(notes(), "who interrupts knows");
}

Test(end_notes, case_76_a_job_that_outlived_its_time_is_told)
{
	f->spec_job[0].runtime_ns = 2 * NSEC_PER_SEC;
	cr_expect_str_eq(notes(),
			 "job0: overran: 10.0 s instead of 2.00 s, requests came back late\n");
	f->job[0].runtime_ms = 2020;
	cr_expect_str_empty(notes());
}

Test(end_notes, case_59_retries_are_counted)
{
	f->job[0].retries = 12;
	cr_expect_str_eq(notes(),
			 "job0: the kernel sent 12 requests back and they were sent again\n");
}
