/* Knee and fit on curves whose answer is known: synthetic ones, and published measurements. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "src/stat/fit.h"
#include "src/stat/knee.h"
#include "src/stat/student.h"

#define MAX 16
struct curve {
	struct curve_point p[MAX];
	unsigned n;
};

static void add(struct curve *c, double n, double iops)
{
	c->p[c->n++] = (struct curve_point){n, iops, n / iops * 1e9, NAN};
}

static void near(double got, double want, double pct, const char *what)
{
	cr_expect_lt(fabs(got / want - 1) * 100, pct, "%s: %g, not %g", what, got, want);
}

/* min(N / R0, Xmax): many servers behind one queue, a sharp bend at 32. */
Test(fit, the_sharp_asymptotes_are_found)
{
	struct curve c = {0};
	struct fit f;

	for (double n = 1; n <= 256; n *= 2)
		add(&c, n, fmin(n / 80e-6, 400e3));
	fit_curve(c.p, c.n, &f);
	cr_assert_eq(f.form, FIT_ASYMPTOTE, "%s", f.why);
	near(f.r0_ns, 80e3, 2, "R0");
	near(f.xmax, 400e3, 2, "Xmax");
	near(f.nstar, 32, 3, "N*");
	cr_expect(f.n90 > 28 && f.n90 < 36, "%g", f.n90);
	cr_expect_lt(f.residual_pct, 2);
	cr_expect_eq(knee_find(KNEE_POWER, c.p, c.n, 0), 5);
	cr_expect_eq(knee_find(KNEE_SHARE, c.p, c.n, 0), 5);
}

/* N U / (S (N + U - 1)): U servers picked blindly (balanced closed network). */
Test(fit, the_soft_bend_of_blind_choice_is_found)
{
	struct curve c = {0};
	struct fit f;

	for (double n = 1; n <= 128; n *= 2)
		add(&c, n, n * 16 / (100e-6 * (n + 15)));
	fit_curve(c.p, c.n, &f);
	cr_assert_neq(f.form, FIT_NONE, "%s", f.why);
	near(f.r0_ns, 100e3, 1, "R0");
	near(f.xmax, 160e3, 3, "Xmax");
	cr_expect_lt(f.residual_pct, 1);
	/* 0.9 U = N U / (N + U - 1)  ->  N = 9 (U - 1) */
	near(f.n90, 135, 6, "n90");
}

Test(fit, throughput_that_falls_again_is_usl)
{
	struct curve c = {0};
	struct fit f;

	for (double n = 1; n <= 64; n *= 2)
		add(&c, n, 1000 * n / (1 + 0.02 * (n - 1) + 0.001 * n * (n - 1)));
	fit_curve(c.p, c.n, &f);
	cr_assert_eq(f.form, FIT_USL, "%s", f.why);
	near(f.a, 1000, 0.1, "lambda");
	near(f.b, 0.02, 0.1, "sigma");
	near(f.c, 0.001, 0.1, "kappa");
	near(f.xmax, fit_iops(&f, sqrt(0.98 / 0.001)), 0.1, "Xmax");
	near(fit_iops(&f, f.n90), 0.9 * f.xmax, 0.1, "X(n90)");
	cr_expect_eq(knee_peak(c.p, c.n), 5);
}

/* A throttled volume: flat from the first depth on. */
Test(fit, a_flat_curve_saturates_at_once)
{
	struct curve c = {0};
	struct fit f;

	for (double n = 1; n <= 32; n *= 2)
		add(&c, n, 150);
	fit_curve(c.p, c.n, &f);
	cr_assert_neq(f.form, FIT_NONE, "%s", f.why);
	near(f.xmax, 150, 1, "Xmax");
	cr_expect_eq(knee_find(KNEE_POWER, c.p, c.n, 0), 0);
	cr_expect_eq(knee_find(KNEE_SHARE, c.p, c.n, 0), 0);
}

Test(fit, noise_of_two_percent_moves_the_answer_little)
{
	static const double noise[] = {1.02, 0.98, 1.01, 0.99, 1.02, 0.98, 1.015, 0.985};
	struct curve c = {0};
	struct fit f;
	unsigned i = 0;

	for (double n = 1; n <= 128; n *= 2)
		add(&c, n, noise[i++] * n * 24 / (90e-6 * (n + 23)));
	fit_curve(c.p, c.n, &f);
	cr_assert_neq(f.form, FIT_NONE, "%s", f.why);
	near(f.r0_ns, 90e3, 4, "R0");
	/* A soft bend is not over at 128: what lies beyond is half a guess. */
	near(f.xmax, 24 / 90e-6, 12, "Xmax");
	c.n = i = 0;
	for (double n = 1; n <= 128; n *= 2)
		add(&c, n, noise[i++] * fmin(n / 90e-6, 240e3));
	fit_curve(c.p, c.n, &f);
	near(f.r0_ns, 90e3, 4, "R0");
	near(f.xmax, 240e3, 3, "Xmax");
}

Test(fit, what_would_mislead_is_refused_with_its_reason)
{
	struct curve few = {0}, linear = {0}, jagged = {0}, little = {0};
	struct fit f;

	for (double n = 1; n <= 4; n *= 2)
		add(&few, n, n * 100);
	fit_curve(few.p, few.n, &f);
	cr_expect_eq(f.form, FIT_NONE);
	cr_expect(strstr(f.why, "3 cells"), "%s", f.why);
	cr_expect(isnan(fit_iops(&f, 1)));

	for (double n = 1; n <= 64; n *= 2)
		add(&linear, n, n * 100);
	fit_curve(linear.p, linear.n, &f);
	cr_expect_eq(f.form, FIT_NONE);
	cr_expect(strstr(f.why, "no saturation up to depth 64"), "%s", f.why);

	for (double n = 1; n <= 64; n *= 2)
		add(&jagged, n, (int)n % 3 == 1 ? 1000 : 3000);
	fit_curve(jagged.p, jagged.n, &f);
	cr_expect_eq(f.form, FIT_NONE);
	cr_expect(strstr(f.why, "residual"), "%s", f.why);

	for (double n = 1; n <= 64; n *= 2)
		add(&little, n, fmin(n * 100, 1000));
	little.p[2].mean_ns *= 0.9;
	fit_curve(little.p, little.n, &f);
	cr_expect_eq(f.form, FIT_NONE);
	cr_expect(strstr(f.why, "10.0 % at depth 4"), "%s", f.why);
}

/* Published runs (fio-plot's history): IOPS and mean, depth 1, 2, 4 ... */
static const struct published {
	const char *name;
	unsigned n;
	double x[7], us[7];
	int power, share; /* rows of the knees */
	const char *why;  /* part of the refusal, NULL: a fit */
	double xmax;
} published[] = {
	{"SATA SSD on a SAS adapter, reads",
	 7,
	 {9212, 17502, 33496, 57384, 69983, 74032, 74015},
	 {106, 110, 117, 138, 227, 431, 863},
	 3,
	 4,
	 NULL,
	 74000},
	{"the same on a 3 Gb/s link, reads",
	 7,
	 {16225, 32871, 50881, 52412, 52419, 52419, 52415},
	 {59.7, 59.4, 77.2, 151, 304, 609, 1220},
	 2,
	 2,
	 NULL,
	 52400},
	{"SATA SSD behind USB, reads",
	 6,
	 {4155, 4727, 4821, 4881, 4847, 4859},
	 {235, 418, 825, 1634, 3295, 6580},
	 0,
	 1,
	 NULL,
	 4870},
	{"idle states: depth 1 is not full",
	 7,
	 {15490, 37181, 57578, 60528, 60008, 57824, 57208},
	 {58.4, 50.0, 65.5, 127, 262, 549, 1114},
	 2,
	 2,
	 "N = X R is off by 9.5 % at depth 1",
	 0},
	{"hard disk, reads: still rising",
	 6,
	 {72, 73, 75, 87, 111, 131},
	 {13852, 27493, 53003, 92421, 144133, 244193},
	 0,
	 5,
	 "flat at depth 2, then +79 %: the queue is sorted",
	 0},
	/* The same device with its depth 1 held to what N = X R says: the host slept there. */
	{"idle states: depth 1 is left out",
	 7,
	 {15490, 37181, 57578, 60528, 60008, 57824, 57208},
	 {64.6, 53.8, 69.5, 132, 267, 553, 1119},
	 2,
	 2,
	 NULL,
	 58800},
};

Test(fit, published_curves)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		const struct published *d = &published[i];
		struct curve c = {0};
		struct fit f;

		for (unsigned k = 0; k < d->n; k++)
			c.p[c.n++] = (struct curve_point){1u << k, d->x[k], d->us[k] * 1e3, NAN};
		fit_curve(c.p, c.n, &f);
		cr_expect_eq(knee_find(KNEE_POWER, c.p, c.n, 0), d->power, "%s", d->name);
		cr_expect_eq(knee_find(KNEE_SHARE, c.p, c.n, 0), d->share, "%s", d->name);
		if (d->why) {
			cr_expect_eq(f.form, FIT_NONE, "%s: %s", d->name, fit_form_word(f.form));
			cr_expect(strstr(f.why, d->why), "%s: %s", d->name, f.why);
			continue;
		}
		cr_assert_neq(f.form, FIT_NONE, "%s: %s", d->name, f.why);
		near(f.xmax, d->xmax, 3, d->name);
		near(f.r0_ns, d->us[0] * 1e3, 0.1, d->name);
	}
}

Test(fit, a_depth_of_one_with_a_sleeping_host_is_left_out_and_told)
{
	struct curve c = {0};
	struct fit f;

	for (double n = 1; n <= 64; n *= 2)
		add(&c, n, fmin(n * 20000, 60000));
	fit_curve(c.p, c.n, &f);
	cr_expect_not(f.without_one);
	cr_expect_eq(f.points, 7);
	c.p[0].iops = 14000; /* more than a twentieth below its share of depth 2 */
	c.p[0].mean_ns = 1e9 / 14000;
	fit_curve(c.p, c.n, &f);
	cr_assert_neq(f.form, FIT_NONE, "%s", f.why);
	cr_expect(f.without_one);
	cr_expect_eq(f.points, 6);
	near(f.xmax, 60000, 1, "Xmax");
	near(f.r0_ns, 1e9 / 14000, 0.1, "R0 is what was measured");
}

/* A dip is no flat stretch, and noise on a plateau is no growth. */
Test(fit, noise_is_no_sorted_queue)
{
	static const double x[] = {100, 190, 300, 310, 280, 312, 305};
	struct curve c = {0};
	struct fit f;

	for (unsigned i = 0; i < 7; i++)
		add(&c, 1u << i, x[i] * 1000);
	fit_curve(c.p, c.n, &f);
	cr_expect_not(strstr(f.why, "sorted"), "%s", f.why);
}

Test(knee, the_slo_rule_takes_the_largest_load_inside)
{
	struct curve_point p[] = {
		{1, 100, 1e6, 1e6}, {2, 200, 1e6, 1.5e6}, {4, 300, 1.3e6, 2e6}, {8, 310, 2e6, 9e6}};

	cr_expect_eq(knee_find(KNEE_SLO, p, 4, 2e6), 1, "the limit itself is outside");
	cr_expect_eq(knee_find(KNEE_SLO, p, 4, 2.1e6), 2);
	cr_expect_eq(knee_find(KNEE_SLO, p, 4, 1e5), -1);
	cr_expect_eq(knee_find(KNEE_SLO, p, 4, 0), -1, "no SLO");
}

Test(knee, nothing_measured_has_no_knee)
{
	struct curve_point p[] = {{1, 0, NAN, NAN}, {2, 0, NAN, NAN}};

	for (unsigned r = 0; r < KNEE_RULES; r++) {
		cr_expect_eq(knee_find((enum knee_rule)r, p, 2, 1e9), -1);
		cr_expect_eq(knee_find((enum knee_rule)r, p, 0, 1e9), -1);
		cr_expect(knee_rule_text((enum knee_rule)r)[0]);
	}
	cr_expect_eq(knee_peak(p, 2), -1);
}

/* Tables of the t distribution, two-sided 95 %. */
Test(student, quantiles)
{
	static const struct {
		unsigned dof;
		double t;
	} table[] = {
		{1, 12.706}, {4, 2.776},  {10, 2.228}, {11, 2.201},  {15, 2.131},
		{20, 2.086}, {30, 2.042}, {60, 2.000}, {120, 1.980}, {10000, 1.960},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		cr_expect_lt(fabs(student_t95(table[i].dof) - table[i].t), 0.0015, "dof %u: %g",
			     table[i].dof, student_t95(table[i].dof));
	cr_expect(isinf(student_t95(0)));
}
