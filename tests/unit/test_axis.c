/* axis: round tops, labels on whole rows, an axis that does not jump, the fixed latency axis. */
#include <criterion/criterion.h>
#include <math.h>

#include "ui/axis.h"

#define SEC 1000000000ull

static const struct {
	double max;
	int rows;
	double top;
	int intervals;
} zero_cases[] = {
	{641e3, 12, 800e3, 4}, {379e3, 22, 400e3, 4}, /* 22 rows: 20 with 5 labels */
	{641e3, 8, 800e3, 4},                         /* 8 rows: 2 or 4 intervals */
	{364e3, 8, 400e3, 4},  {381e3, 8, 500e3, 2},  /* 400k is less than 1.05 x 381k */
	{380e3, 8, 400e3, 4},  {9.4, 8, 10, 4},       {0.47, 8, 0.5, 2},
	{1, 9, 1.5, 3},        {0, 8, 2, 4},          {NAN, 3, 3, 3},
};

Test(axis, tops_are_round_and_just_above)
{
	for (size_t i = 0; i < sizeof(zero_cases) / sizeof(zero_cases[0]); i++) {
		struct axis a = axis_zero(zero_cases[i].max, 1, zero_cases[i].rows);

		cr_expect_float_eq(a.hi, zero_cases[i].top, 1e-6 * a.hi, "case %zu: top %g", i,
				   a.hi);
		cr_expect_eq(a.intervals, zero_cases[i].intervals, "case %zu: %d", i, a.intervals);
	}
}

static bool is_round(double step)
{
	double m = step / pow(10, floor(log10(step) + 1e-9));

	return fabs(m - 1) < 1e-6 || fabs(m - 2) < 1e-6 || fabs(m - 2.5) < 1e-6 ||
	       fabs(m - 5) < 1e-6;
}

Test(axis, properties_hold_for_every_size_and_magnitude)
{
	for (double max = 0.013; max < 1e13; max *= 1.037) {
		for (int rows = 2; rows < 40; rows++) {
			struct axis a = axis_zero(max, 1, rows);

			cr_assert(a.intervals >= 2 && a.intervals <= 4, "%g %d", max, rows);
			cr_assert(a.hi >= 1.05 * max * (1 - 1e-9), "%g: top %g", max, a.hi);
			cr_assert(a.hi <= 2.7 * max, "%g in %d: top %g wastes the pane", max, rows,
				  a.hi);
			cr_assert(is_round(a.hi / a.intervals), "%g: step %g", max,
				  a.hi / a.intervals);
			cr_assert(a.rows <= rows && a.rows >= rows - 2 && a.rows % a.intervals == 0,
				  "%d rows: %d used, %d intervals", rows, a.rows, a.intervals);
		}
	}
}

Test(axis, fitted_contains_the_values_and_begins_round)
{
	for (double min = 0.5; min < 1e9; min *= 1.71) {
		for (double rel = 1.0001; rel < 1000; rel = 1 + (rel - 1) * 1.9) {
			struct axis a = axis_fitted(min, min * rel, 1, 8);

			cr_assert(a.lo <= min * (1 + 1e-9) && a.hi >= min * rel * (1 - 1e-9),
				  "%g..%g in %g..%g", min, min * rel, a.lo, a.hi);
			cr_assert(is_round((a.hi - a.lo) / a.intervals));
			cr_assert_float_eq(a.lo / ((a.hi - a.lo) / a.intervals),
					   round(a.lo / ((a.hi - a.lo) / a.intervals)), 1e-6);
		}
	}
}

/* 377.5 would be printed as 378, which is not where the label stands. */
Test(axis, labels_have_at_most_three_digits)
{
	for (double min = 1; min < 1e9; min *= 1.37) {
		for (double rel = 1.00001; rel < 100; rel = 1 + (rel - 1) * 3) {
			struct axis a = axis_fitted(min, min * rel, 1, 12);

			for (int i = 0; i <= a.intervals; i++) {
				double v = axis_label(&a, i);
				double digits = v / pow(10, floor(log10(a.hi) + 1e-9) - 2);

				cr_assert_float_eq(digits, round(digits), 1e-5, "%g..%g: label %f",
						   min, min * rel, v);
			}
		}
	}
}

Test(axis, bytes_are_round_in_their_own_unit)
{
	struct axis a;

	cr_expect_eq(axis_unit(300e6, true), 1);
	cr_expect_eq(axis_unit(300.0 * 1048576, false), 1048576);
	a = axis_zero(300.0 * 1048576, axis_unit(300.0 * 1048576, false), 8);
	cr_expect_float_eq(a.hi, 400.0 * 1048576, 1);
	/* 1000 MiB: an axis in GiB, not one up to "2000 MiB". */
	cr_expect_eq(axis_unit(1000.0 * 1048576, false), 1073741824);
	for (double max = 1; max < 1e15; max *= 1.01) {
		double unit = axis_unit(max, false);

		for (int rows = 2; rows < 16; rows++) {
			a = axis_zero(max, unit, rows);
			cr_assert(a.hi < 1024 * unit * 2 && a.hi >= 1.05 * max * (1 - 1e-9),
				  "%g: %g", max, a.hi / unit);
		}
	}
}

Test(axis, log_labels_are_powers_of_the_base)
{
	struct axis a = axis_log(120, 640e3, 10, 8);

	cr_expect_float_eq(a.lo, 100, 1e-6);
	cr_expect_float_eq(a.hi, 1e6, 1e-3);
	cr_expect_eq(a.intervals, 4);
	cr_expect_float_eq(axis_label(&a, 1), 1000, 1e-6);
	cr_expect_float_eq(axis_pos(&a, 1e4), 0.5, 1e-9);
	cr_expect(isinf(axis_pos(&a, 0)));
	a = axis_log(1, 1e9, 10, 4);
	cr_expect_float_eq(a.hi, 1e10, 1, "the top stays: %g", a.hi);
	cr_expect_eq(a.intervals, 4);
}

Test(axis, position_and_labels_agree)
{
	struct axis a = axis_zero(641e3, 1, 12);

	for (int i = 0; i <= a.intervals; i++)
		cr_expect_float_eq(axis_pos(&a, axis_label(&a, i)) * a.rows, axis_label_row(&a, i),
				   1e-9);
}

Test(axis, grows_at_once_and_shrinks_after_three_quiet_seconds)
{
	struct axis_hold h = {0};

	cr_expect_eq(axis_hold_update(&h, 100, 1 * SEC), 100);
	cr_expect_eq(axis_hold_update(&h, 400, 1 * SEC + 1), 400);
	cr_expect_eq(axis_hold_update(&h, 250, 60 * SEC), 400, "more than half: stays for ever");
	cr_expect_eq(axis_hold_update(&h, 150, 61 * SEC), 400);
	cr_expect_eq(axis_hold_update(&h, 150, 64 * SEC - 1), 400);
	cr_expect_eq(axis_hold_update(&h, 150, 64 * SEC), 150);
	/* One value above half starts the three seconds anew. */
	axis_hold_update(&h, 50, 70 * SEC);
	axis_hold_update(&h, 100, 72 * SEC);
	axis_hold_update(&h, 50, 73 * SEC);
	cr_expect_eq(axis_hold_update(&h, 50, 75 * SEC), 150);
	cr_expect_eq(axis_hold_update(&h, NAN, 76 * SEC), 0, "nothing in view counts as low");
}

Test(axis, latency_axis_is_fixed)
{
	struct lat_axis a = lat_axis_make(21);

	cr_expect_eq(lat_axis_half_cells(&a, 0), 0);
	cr_expect_eq(lat_axis_half_cells(&a, 1e3), 0);
	cr_expect_eq(lat_axis_half_cells(&a, 1e4), 6, "three cells a decade");
	cr_expect_eq(lat_axis_half_cells(&a, 1e6), 18);
	cr_expect_eq(lat_axis_half_cells(&a, 1e10), 42);
	cr_expect_eq(lat_axis_half_cells(&a, 5e11), 42);
	cr_expect_eq(lat_axis_half_cells(&a, NAN), 0);
	a = lat_axis_make(13);
	cr_expect_eq(a.decades, 5);
	cr_expect_eq(lat_axis_half_cells(&a, 1e4), 0);
	cr_expect_eq(lat_axis_half_cells(&a, 1e9), 26);
}

Test(axis, latency_position_never_falls_as_latency_grows)
{
	for (int w = 1; w < 60; w++) {
		struct lat_axis a = lat_axis_make(w);
		int before = 0;

		for (double ns = 100; ns < 1e12; ns *= 1.02) {
			int at = lat_axis_half_cells(&a, ns);

			cr_assert(at >= before && at <= 2 * w, "%d wide, %g ns: %d", w, ns, at);
			before = at;
		}
	}
}
