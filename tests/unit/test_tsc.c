#include <criterion/criterion.h>
#include <stdlib.h>

#include "src/base/clock.h"
#include "src/base/tsc.h"

#define FLAGS "processor\t: 0\nmodel name\t: x\nflags\t\t: fpu tsc "

Test(tsc, is_used_only_where_the_kernel_calls_it_reliable)
{
	static const struct {
		const char *cpuinfo, *source;
		bool use;
	} t[] = {
		{FLAGS "constant_tsc nonstop_tsc cx8\n", "tsc\n", true},
		{FLAGS "constant_tsc nonstop_tsc\n", "tsc", true},
		{FLAGS "nonstop_tsc constant_tsc tsc_reliable\nbugs\t:\n", "kvm-clock\n", true},
		/* The kernel found the counter wanting and went to another clock. */
		{FLAGS "constant_tsc nonstop_tsc\n", "hpet\n", false},
		{FLAGS "constant_tsc nonstop_tsc\n", "kvm-clock\n", false},
		{FLAGS "constant_tsc nonstop_tsc\n", "tsc-early\n", false},
		{FLAGS "constant_tsc nonstop_tsc\n", "", false},
		{FLAGS "constant_tsc tsc_reliable\n", "tsc\n", false},
		{FLAGS "nonstop_tsc tsc_reliable\n", "tsc\n", false},
		/* Parts of other words, and words of other lines, are not flags. */
		{FLAGS "xconstant_tsc nonstop_tsc_s3 tsc_reliable\n", "tsc\n", false},
		{FLAGS "fpu\nbugs\t: constant_tsc nonstop_tsc tsc_reliable\n", "tsc\n", false},
		{"Features\t: fp asimd\n", "arch_sys_counter\n", false},
		{"", "tsc\n", false},
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		cr_expect_eq(tsc_is_reliable(t[i].cpuinfo, t[i].source), t[i].use, "case %zu", i);
}

/* 2.5 GHz: 0.4 ns a tick. */
#define MULT ((uint64_t)(0.4 * 4294967296.0))

Test(tsc, a_line_goes_both_ways_and_far)
{
	cr_expect_eq(tsc_line_ns(1000, 1000, 7000, MULT), 7000);
	cr_expect_leq(labs((long)tsc_line_ns(3500, 1000, 7000, MULT) - 8000), 1);
	/* Read on a CPU that is a little behind. */
	cr_expect_leq(labs((long)tsc_line_ns(900, 1000, 7000, MULT) - 6960), 1);
	/* A day in one go: no overflow. */
	cr_expect_leq(
		llabs((long long)tsc_line_ns(216000000000000ull, 0, 5, MULT) - 86400000000005ll),
		86400000000ll / 1000);
}

/* Once every 100 ms for a minute against a kernel whose clock is `ppm` off the counter's first rate. */
static void follow(double ppm, uint64_t noise_ns, uint64_t allowed_ns)
{
	uint64_t tsc0 = 1000, ns0 = 5000000, mult = MULT, from = ns0;
	struct tsc_pair last = {tsc0, ns0};

	srand(7);
	for (unsigned i = 1; i <= 600; i++) {
		struct tsc_pair now = {.tsc = 1000 + i * 250000000ull};
		double exact = (double)i * 1e8 * (1 + ppm / 1e6);
		uint64_t before, after;

		now.ns = from + (uint64_t)exact + (uint64_t)rand() % (noise_ns + 1);
		before = tsc_line_ns(now.tsc, tsc0, ns0, mult);
		cr_assert_eq(tsc_bend(last, now, &tsc0, &ns0, &mult), TSC_KEEP, "%u", i);
		after = tsc_line_ns(now.tsc, tsc0, ns0, mult);
		cr_assert_eq(before, after, "a step in the line at %u", i);
		if (i > 50)
			cr_assert_leq(llabs((long long)(after - now.ns)), (long long)allowed_ns,
				      "%u: off by %lld ns", i, (long long)(after - now.ns));
		last = now;
	}
}

Test(tsc, the_line_follows_the_kernels_clock_without_a_step)
{
	follow(0, 0, 50);
	follow(0, 40, 200);
	follow(20, 40, 200);
	follow(500, 40, 300);
	follow(-500, 40, 300);
}

Test(tsc, a_counter_that_jumps_is_a_stray)
{
	uint64_t tsc0 = 0, ns0 = 0, mult = MULT;
	struct tsc_pair last = {0, 0}, jumped = {250000000, 100000000 + 3000000};

	cr_expect_eq(tsc_bend(last, jumped, &tsc0, &ns0, &mult), TSC_STRAY);
	cr_expect_eq(mult, MULT, "a stray changes nothing");
	jumped.ns = 100000000 - 3000000;
	cr_expect_eq(tsc_bend(last, jumped, &tsc0, &ns0, &mult), TSC_STRAY);
}

Test(tsc, the_clock_agrees_with_the_kernels)
{
	uint64_t last = 0;

	tsc_start();
	if (!tsc_is_on())
		cr_skip_test("the kernel does not call this counter reliable");
	for (unsigned i = 0; i < 200000; i++) {
		uint64_t a = clock_mono_ns(), t = clock_now_ns(&clock_real), b = clock_mono_ns();

		/* Uncorrected since the calibration; a preempted reading lies between all the same. */
		cr_assert_geq(t + 50000, a);
		cr_assert_leq(t, b + 50000);
		cr_assert_geq(t + 2, last, "went back by %llu ns", (unsigned long long)(last - t));
		last = t;
	}
}

Test(tsc, a_stray_is_given_up_for_the_kernels_clock)
{
	struct tsc_line *l;
	uint64_t now;

	tsc_start();
	if (!tsc_is_on())
		cr_skip_test("the kernel does not call this counter reliable");
	l = &tsc_clock.line[atomic_load(&tsc_clock.gen) & 1];
	atomic_store(&l->ns0, atomic_load(&l->ns0) + 3600 * NSEC_PER_SEC);
	cr_expect_gt(clock_now_ns(&clock_real), clock_mono_ns() + 3000 * NSEC_PER_SEC);
	clock_sleep_until(&clock_real, clock_mono_ns() + 60 * NSEC_PER_MSEC);
	/* A reading that was interrupted each time says nothing: the next call looks again. */
	for (unsigned i = 0; i < 1000 && tsc_is_on(); i++)
		tsc_discipline();
	cr_expect(!tsc_is_on());
	now = clock_now_ns(&clock_real);
	cr_expect_leq(now, clock_mono_ns());
}
