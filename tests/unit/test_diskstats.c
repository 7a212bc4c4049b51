/* diskstats: what is read from the kernel, and which rates may be told from two readings. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/dev/diskstats.h"
#include "tests/unit/sysroot.h"

enum { R, W, D, F };

#define SEC NSEC_PER_SEC

static const struct disk_counters base = {
	.name = "nvme0n1",
	.major = 259,
	.ios = {1000, 2000, 10, 5},
	.merges = {1, 2, 0, 0},
	.sectors = {8000, 16000, 80, 0},
	.ticks_ms = {500, 700, 3, 9},
	.io_ticks_ms = 900,
	.in_queue_ms = 1212,
	.diskseq = 9,
	.fields = 17,
};

/* --- reading --- */

Test(diskstats, reads_every_shape_of_line_and_skips_junk)
{
	static const struct {
		char name[32];
		unsigned major, minor, fields;
		uint64_t r_ios, w_sectors, d_ios, flush_ms;
	} want[] = {
		{"sda", 8, 0, 11, 10, 70, 0, 0},              /* before 4.18 */
		{"sdb", 8, 16, 15, 10, 70, 120, 0},           /* before 5.5 */
		{"nvme0n1", 259, 0, 17, 10, 70, 120, 170},    /* now */
		{"zd0", 230, 0, 19, 10, 70, 120, 170},        /* with columns of a later kernel */
		{"hda1", 3, 1, 4, 10, 40, 0, 0},              /* partitions of 2.6 */
		{"cciss/c0d0", 104, 0, 17, 10, 70, 120, 170}, /* a slash in the name */
	};
	struct sysroot root;
	struct diskstats s = {0};

	sysroot_init(&root);
	sysroot_line(&root, "file /proc/diskstats  8 0 sda 10 20 30 40 50 60 70 80 90 100 110");
	sysroot_line(&root, "file /proc/diskstats 8 16 sdb 10 20 30 40 50 60 70 80 90 100 110 "
			    "120 130 140 150");
	for (int i = 0; i < 2; i++)
		sysroot_line(&root,
			     "file /proc/diskstats %s 10 20 30 40 50 60 70 80 90 100 110 120 130 "
			     "140 150 160 170%s",
			     i ? "230 0 zd0" : "259 0 nvme0n1", i ? " 180 190" : "");
	sysroot_line(&root, "file /proc/diskstats 3 1 hda1 10 20 30 40");
	sysroot_line(&root, "file /proc/diskstats 104 0 cciss/c0d0 10 20 30 40 50 60 70 80 90 100 "
			    "110 120 130 140 150 160 170");
	sysroot_line(&root, "file /proc/diskstats not a line");
	sysroot_line(&root, "file /proc/diskstats 9 9 short 1 2 3");
	sysroot_line(&root, "file /proc/diskstats 9 9 letters 1 2 3 4 5 6 x 8 9 10 11");
	sysroot_line(&root, "file /proc/diskstats 9 9 minus 1 2 3 4 5 6 -7 8 9 10 11");
	sysroot_line(&root, "file /proc/diskstats 9 9 huge 1 2 3 4 5 6 99999999999999999999 8 9 "
			    "10 11");
	for (int again = 0; again < 2; again++) { /* the second time into the same memory */
		cr_assert_eq(diskstats_read(root.path, 77, &s), 0);
		cr_assert_eq(s.n, sizeof(want) / sizeof(*want));
		cr_expect_eq(s.t_ns, 77);
	}
	for (size_t i = 0; i < s.n; i++) {
		const struct disk_counters *c = diskstats_find(&s, want[i].major, want[i].minor);

		cr_assert(c, "%s", want[i].name);
		cr_expect_str_eq(c->name, want[i].name);
		cr_expect_eq(c->fields, want[i].fields, "%s", c->name);
		cr_expect_eq(c->ios[R], want[i].r_ios, "%s", c->name);
		cr_expect_eq(c->sectors[W], want[i].w_sectors, "%s", c->name);
		cr_expect_eq(c->ios[D], want[i].d_ios, "%s", c->name);
		cr_expect_eq(c->ticks_ms[F], want[i].flush_ms, "%s", c->name);
	}
	cr_expect_null(diskstats_find(&s, 9, 9));
	diskstats_fini(&s);
	sysroot_fini(&root);
}

Test(diskstats, one_device_by_number_with_the_diskseq_of_its_disk)
{
	struct sysroot root;
	struct disk_counters c;

	sysroot_init(&root);
	sysroot_line(&root, "disk vda 254:0 pci0/virtio1/block 2048");
	sysroot_line(&root, "part vda1 254:1 vda 1 8 1024");
	sysroot_line(&root, "set vda diskseq 42");
	sysroot_line(&root, "set vda stat 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17");
	sysroot_line(&root, "set vda1 stat 21 2 3 4 5 6 7 8 9 10 11");
	cr_assert_eq(diskstats_read_one(root.path, 254, 0, &c), 0);
	cr_expect_str_eq(c.name, "vda");
	cr_expect_eq(c.io_ticks_ms, 10);
	cr_expect_eq(c.diskseq, 42);
	cr_assert_eq(diskstats_read_one(root.path, 254, 1, &c), 0);
	cr_expect_str_eq(c.name, "vda1");
	cr_expect_eq(c.ios[R], 21);
	cr_expect_eq(c.diskseq, 42);
	cr_expect_eq(diskstats_read_one(root.path, 254, 2, &c), -ENODEV);
	sysroot_fini(&root);
}

Test(diskstats, the_real_machine_is_read)
{
	struct diskstats s = {0};
	struct disk_counters one;

	if (diskstats_read("", clock_mono_ns(), &s) || s.n == 0)
		cr_skip("no /proc/diskstats, or no block device, here");
	for (size_t i = 0; i < s.n; i++) {
		if (diskstats_read_one("/", s.v[i].major, s.v[i].minor, &one))
			continue; /* a loop device may vanish meanwhile */
		cr_expect_str_eq(one.name, s.v[i].name);
		cr_expect_eq(one.fields, s.v[i].fields);
		cr_expect_geq(one.ios[R], s.v[i].ios[R]);
	}
	diskstats_fini(&s);
}

/* --- rates --- */

Test(diskstats, rates_follow_iostat)
{
	struct disk_counters now = base;
	struct disk_rate r;

	now.ios[R] += 200000; /* 100k/s of 4 KiB, 77 us each: depth 7.7 */
	now.sectors[R] += 1600000;
	now.ticks_ms[R] += 15400;
	now.ios[W] += 2000;
	now.sectors[W] += 128000;
	now.ticks_ms[W] += 600;
	now.ios[D] += 4;
	now.in_queue_ms += 16000;
	now.io_ticks_ms += 1500;
	now.inflight = 8;
	cr_assert(diskstats_rate(&base, &now, 2 * SEC, &r));
	cr_expect_str_eq(r.name, "nvme0n1");
	cr_expect_eq(r.major, 259);
	cr_expect_float_eq(r.r_iops, 100000, 1e-6);
	cr_expect_float_eq(r.w_iops, 1000, 1e-6);
	cr_expect_float_eq(r.d_iops, 2, 1e-6);
	cr_expect_float_eq(r.r_bps, 100000 * 4096.0, 1e-3);
	cr_expect_float_eq(r.w_bps, 1000 * 32768.0, 1e-3); /* R13: size = bps / iops */
	cr_expect_float_eq(r.r_await_ns, 77000, 1e-6);     /* not rounded to 0.08 ms */
	cr_expect_float_eq(r.w_await_ns, 300000, 1e-6);
	cr_expect_float_eq(r.aqu_sz, 8.0, 1e-9); /* R14: 100000 * 77 us + 1000 * 300 us */
	cr_expect_float_eq(r.aqu_sz, r.r_iops * r.r_await_ns / 1e9 + r.w_iops * r.w_await_ns / 1e9,
			   1e-9);
	cr_expect_float_eq(r.util_pct, 75, 1e-9); /* R15 */
	cr_expect_eq(r.inflight, 8);
}

static void add_ms(struct disk_counters *c, uint64_t ios, uint64_t ms)
{
	c->ios[R] += ios;
	c->ticks_ms[R] += ms;
	c->in_queue_ms += ms;
	c->io_ticks_ms += ms;
}

/* Whole milliseconds cannot tell 80 us from 10 requests: ui.md 4.5. */
Test(diskstats, await_and_depth_need_ten_ms_of_io)
{
	static const struct {
		uint64_t ios, ms;
		bool known;
	} row[] = {{100, 0, false}, {100, 1, false}, {100, 9, false}, {100, 10, true},
		   {1, 10, true},   {1, 9, false},   {0, 0, false}};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct disk_counters now = base;
		struct disk_rate r;

		add_ms(&now, row[i].ios, row[i].ms);
		cr_assert(diskstats_rate(&base, &now, SEC, &r));
		cr_expect_eq(isnan(r.r_await_ns), !row[i].known, "row %zu: %g", i, r.r_await_ns);
		cr_expect(isnan(r.w_await_ns), "nothing was written");
		cr_expect_eq(isnan(r.aqu_sz), row[i].ios && !row[i].known, "row %zu: %g", i,
			     r.aqu_sz);
	}
}

Test(diskstats, an_idle_device_is_zero_but_a_hanging_one_is_not)
{
	struct disk_counters now = base, stuck = base;
	struct disk_rate r;

	cr_assert(diskstats_rate(&base, &now, SEC, &r));
	cr_expect_eq(r.r_iops, 0);
	cr_expect_eq(r.aqu_sz, 0);
	cr_expect_eq(r.util_pct, 0);
	cr_expect(isnan(r.r_await_ns));
	stuck.inflight = 32; /* the kernel adds to in_queue only when a request ends */
	stuck.io_ticks_ms += 1000;
	cr_assert(diskstats_rate(&base, &stuck, SEC, &r));
	cr_expect(isnan(r.aqu_sz));
	cr_expect_eq(r.util_pct, 100);
	cr_expect_eq(r.inflight, 32);
}

Test(diskstats, util_is_at_most_100)
{
	struct disk_counters now = base;
	struct disk_rate r;

	add_ms(&now, 10, 1004); /* iostat prints 100.40 */
	cr_assert(diskstats_rate(&base, &now, SEC, &r));
	cr_expect_eq(r.util_pct, 100);
}

Test(diskstats, columns_an_old_kernel_lacks_are_unknown)
{
	struct disk_counters a = base, b = base;
	struct disk_rate r;

	a.fields = b.fields = 11;
	add_ms(&b, 100, 100);
	cr_assert(diskstats_rate(&a, &b, SEC, &r));
	cr_expect(isnan(r.d_iops));
	cr_expect_eq(r.r_await_ns, 1e6);
	a.fields = b.fields = 4;
	cr_assert(diskstats_rate(&a, &b, SEC, &r));
	cr_expect_eq(r.r_iops, 100);
	cr_expect(isnan(r.util_pct) && isnan(r.aqu_sz) && isnan(r.r_await_ns) && isnan(r.inflight));
}

/* Case 128: the ms fields are 32 bits wide; the others are not. */
Test(diskstats, ms_fields_wrap)
{
	struct disk_counters a = base, b = base, d;
	struct disk_rate r;

	a.ticks_ms[R] = a.in_queue_ms = a.io_ticks_ms = 4294967000;
	b.ticks_ms[R] = b.in_queue_ms = b.io_ticks_ms = 200;
	b.ios[R] = a.ios[R] + 100;
	a.sectors[R] = (1ull << 60) + 1; /* beyond what a double holds exactly */
	b.sectors[R] = (1ull << 60) + 2;
	cr_assert(diskstats_rate(&a, &b, SEC, &r));
	cr_expect_float_eq(r.r_await_ns, 496 * 1e6 / 100, 1e-6);
	cr_expect_float_eq(r.aqu_sz, 0.496, 1e-12);
	cr_expect_float_eq(r.util_pct, 49.6, 1e-9);
	cr_expect_eq(r.r_bps, 512);
	diskstats_sub(&a, &b, &d);
	cr_expect_eq(d.ticks_ms[R], 496);
	cr_expect_eq(d.io_ticks_ms, 496);
	cr_expect_eq(d.sectors[R], 1);
}

/* Case 127: a device that was made anew must not show 1.8e19 of anything. */
Test(diskstats, unknown_when_it_is_not_the_same_device_any_more)
{
	struct disk_counters b[12];
	size_t n = 0;
	struct disk_rate r;

	for (size_t i = 0; i < 12; i++) {
		b[i] = base;
		add_ms(&b[i], 100, 100);
	}
	b[n++].ios[R] = 3;
	b[n++].ios[F] = 4;
	b[n++].merges[W] = 1;
	b[n++].sectors[D] = 79;
	b[n++].ticks_ms[W] = 699; /* down, but not from the top: no wrap */
	b[n++].io_ticks_ms = 1;
	b[n++].in_queue_ms = 0;
	b[n++].diskseq = 10; /* counters already higher than before */
	strcpy(b[n++].name, "nvme1n1");
	b[n++].minor = 1;
	b[n++].fields = 15;
	for (size_t i = 0; i < n; i++) {
		cr_expect_not(diskstats_rate(&base, &b[i], SEC, &r), "row %zu", i);
		cr_expect(isnan(r.r_iops) && isnan(r.w_iops) && isnan(r.d_iops) && isnan(r.r_bps) &&
				  isnan(r.w_bps) && isnan(r.r_await_ns) && isnan(r.w_await_ns) &&
				  isnan(r.aqu_sz) && isnan(r.util_pct) && isnan(r.inflight),
			  "row %zu", i);
		cr_expect_str_eq(r.name, b[i].name);
	}
	cr_expect(diskstats_rate(&base, &b[n], SEC, &r), "the untouched row is known");
}

Test(diskstats, unknown_without_two_readings_or_time)
{
	struct disk_counters now = base;
	struct disk_rate r;

	cr_expect_not(diskstats_rate(NULL, &now, SEC, &r));
	cr_expect_str_eq(r.name, "nvme0n1");
	cr_expect_not(diskstats_rate(&base, NULL, SEC, &r));
	cr_expect_str_eq(r.name, "nvme0n1");
	cr_expect_not(diskstats_rate(NULL, NULL, SEC, &r));
	cr_expect_not(diskstats_rate(&base, &now, 0, &r));
	cr_expect(isnan(r.r_iops));
}

/* Case 133. 30 days fit a 32-bit ms field; after 50 days it may have wrapped more than once. */
Test(diskstats, very_long_intervals)
{
	const uint64_t day = 86400 * SEC;
	struct disk_counters now = base;
	struct disk_rate r;

	add_ms(&now, 30 * 86400, 30u * 8640000u);
	cr_assert(diskstats_rate(&base, &now, 30 * day, &r));
	cr_expect_float_eq(r.r_iops, 1, 1e-9);
	cr_expect_float_eq(r.util_pct, 10, 1e-9);
	cr_assert(diskstats_rate(&base, &now, 50 * day, &r));
	cr_expect_float_eq(r.r_iops, 0.6, 1e-9);
	cr_expect(isnan(r.util_pct) && isnan(r.aqu_sz) && isnan(r.r_await_ns));
}

Test(diskstats, sub_saturates_and_add_sums_up)
{
	struct disk_counters a = base, b = base, d, sum = {0};

	b.ios[R] -= 1;
	b.ios[W] += 5;
	b.sectors[W] += 40;
	b.ticks_ms[W] -= 1;
	b.in_queue_ms += 3;
	diskstats_sub(&a, &b, &d);
	cr_expect_str_eq(d.name, "nvme0n1");
	cr_expect_eq(d.ios[R], 0);
	cr_expect_eq(d.ios[W], 5);
	cr_expect_eq(d.ticks_ms[W], 0);
	diskstats_add(&sum, &d);
	diskstats_add(&sum, &d);
	cr_expect_eq(sum.ios[W], 10);
	cr_expect_eq(sum.sectors[W], 80);
	cr_expect_eq(sum.in_queue_ms, 6);
}
