/* sampler_split: where the time goes, and when nobody can say. */
#include <criterion/criterion.h>
#include <math.h>

#include "src/run/sampler_split.h"

/* 364k I/Os of 4 KiB at 88 us, of which the device has 77 us. */
static struct split_in usual(void)
{
	return (struct split_in){
		.dt_ns = NSEC_PER_SEC,
		.app_ops = 364000,
		.app_bytes = 364000ull * 4096,
		.lat_n = 364000,
		.lat_sum_ns = 364000ull * 88000,
		.dev_ops = 364000,
		.dev_bytes = 364000ull * 4096,
		.dev_ticks_ms = 364 * 77,
		.has_disk = true,
	};
}

Test(split, host_and_device_make_the_whole)
{
	struct split_in in = usual();
	struct time_split t = split_make(&in);

	cr_expect_eq(t.state, SPLIT_OK);
	cr_expect_float_eq(t.app_ns, 88000, 1e-6);
	cr_expect_float_eq(t.dev_ns, 77000, 1e-6);
	cr_expect_float_eq(t.host_ns + t.dev_ns, t.app_ns, 1e-6);
	cr_expect_eq(t.foreign_pct, 0);
}

static void expect_unknown(struct split_in in, enum split_state why, const char *what)
{
	struct time_split t = split_make(&in);

	cr_expect_eq(t.state, why, "%s: state %d", what, t.state);
	cr_expect(isnan(t.host_ns) && isnan(t.dev_ns), "%s: says %f of %f", what, t.dev_ns,
		  t.app_ns);
}

Test(split, what_cannot_be_known_is_not_said)
{
	struct split_in in = usual();

	in.has_disk = false;
	expect_unknown(in, SPLIT_NO_DISK, "tmpfs");
	in = usual();
	in.dt_ns = NSEC_PER_SEC / 2;
	expect_unknown(in, SPLIT_WAIT, "half a second");
	in = usual();
	in.lat_n = in.lat_sum_ns = 0;
	expect_unknown(in, SPLIT_WAIT, "nothing done");
	in = usual();
	in.dev_ticks_ms = 9;
	expect_unknown(in, SPLIT_IDLE, "9 ms of I/O time");
	in = usual();
	in.dev_ops = in.dev_ops * 2;
	expect_unknown(in, SPLIT_OPS, "each I/O is two requests");
	in = usual();
	in.dev_ops = 1000;
	expect_unknown(in, SPLIT_OPS, "the page cache answers");
	in = usual();
	in.shared = true;
	expect_unknown(in, SPLIT_SHARED, "two lanes");
	in = usual();
	in.dev_ticks_ms = 364 * 100;
	expect_unknown(in, SPLIT_OPS, "device slower than the job that waits for it");
	in = usual();
	in.dev_ops = 0;
	expect_unknown(in, SPLIT_OPS, "no request at all");
}

/* Within the counters' resolution of each other: all of it is the device, nothing is negative. */
Test(split, host_is_never_negative)
{
	struct split_in in = usual();
	struct time_split t;

	in.dev_ticks_ms = 364 * 89;
	t = split_make(&in);
	cr_expect_eq(t.state, SPLIT_OK);
	cr_expect_eq(t.host_ns, 0);
}

Test(split, foreign_bytes_are_found_also_when_requests_are_split)
{
	struct split_in in = usual();

	in.app_ops = in.lat_n = 1000;
	in.app_bytes = 1000ull << 20;
	in.dev_ops = 2000;
	in.dev_bytes = in.app_bytes;
	cr_expect_eq(split_make(&in).foreign_pct, 0, "halved requests are not foreign");
	in.dev_bytes = in.app_bytes * 5 / 4;
	cr_expect_float_eq(split_make(&in).foreign_pct, 20, 1e-6);
	in.dev_bytes = 0;
	cr_expect(isnan(split_make(&in).foreign_pct));
}
