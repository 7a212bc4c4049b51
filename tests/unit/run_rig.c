#include "tests/unit/run_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

char run_dir[64], run_path[128];

void run_rig_setup(void)
{
	tmp_make(run_dir, sizeof(run_dir), "/dev/shm");
	snprintf(run_path, sizeof(run_path), "%s/f", run_dir);
}

void run_rig_cleanup(void)
{
	tmp_remove(run_dir);
}

void run_ok(struct run_help *h, const char *args)
{
	cr_assert_eq(run_help(h, args, run_path), 0, "%s: %s", args, h->e.msg);
	cr_assert_eq(h->e.code, 0, "%s: %s", args, h->e.msg);
}

void expect_refused(const char *args, const char *says)
{
	struct run_help h;

	cr_expect_lt(run_help(&h, args, run_path), 0, "%s was accepted", args);
	cr_expect(strstr(h.e.msg, says), "%s: \"%s\" lacks \"%s\"", args, h.e.msg, says);
	run_help_fini(&h);
}

uint64_t ops_of(const char *args, enum io_op op)
{
	struct run_help h;
	uint64_t n;

	run_ok(&h, args);
	n = run_help_ops(&h, op);
	run_help_fini(&h);
	return n;
}

uint64_t ms_of(const char *args)
{
	struct run_help h;
	uint64_t t0 = clock_mono_ns();

	run_ok(&h, args);
	t0 = (clock_mono_ns() - t0) / NSEC_PER_MSEC;
	run_help_fini(&h);
	return t0;
}

/*
 * On a busy machine everything takes longer: a time or a number that lies outside is tried again, and
 * what counts is that the program can do it. Too short a time is wrong at once.
 */
#define TRIES 8

void expect_ms(const char *args, uint64_t low, uint64_t high)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < TRIES && best >= high; i++) {
		uint64_t ms = ms_of(args);

		cr_assert_geq(ms, low, "%s took %lu ms only", args, ms);
		best = ms < best ? ms : best;
	}
	cr_expect_lt(best, high, "%s took %lu ms", args, best);
}

void expect_reads(const char *args, uint64_t low, uint64_t high)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < TRIES && (n < low || n > high); i++)
		n = ops_of(args, IO_READ);
	cr_expect(n >= low && n <= high, "%s: %lu I/Os, not %lu to %lu", args, n, low, high);
}
