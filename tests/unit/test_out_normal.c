/* out/normal: the text report, to the byte of what fio 3.33 prints for the same numbers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/out/num.h"
#include "src/out/out_normal.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "tests/unit/out_fixture.h"

static void setup_utc(void)
{
	setenv("TZ", "UTC", 1);
}

TestSuite(out_normal, .init = setup_utc);

/*
 * One real run of fio 3.33 (fio-language 3.11): libaio, direct, randrw 70/30, 4k, depth 8, 2 s. The
 * derived fields are given, not derived: this is the formatter's test.
 */
static void golden_read(struct dir_result *d)
{
	static const double p[] = {1, 5, 10, 20, 99.9, 99.95, 99.99};
	static const uint64_t v[] = {70144, 77312, 81408, 86528, 1941504, 2211840, 2506752};

	d->st.bytes = 423956480;
	d->st.ops = 103505;
	d->runtime_ms = 2001;
	d->st.slat = fixture_moments(103505, 1379, 128527, 3688.680025, 5214.719177);
	d->st.clat.m = fixture_moments(103505, 21668, 2626409, 101038.028549, 86886.336987);
	d->st.lat.m = fixture_moments(103505, 30934, 2628308, 104726.708574, 86854.664315);
	fixture_percentiles(&d->st.clat.h, 103505, p, v, 7);
	d->bw_kib = fixture_samples(3, 197384, 213488, 206320.0, 8196.284036);
	d->iops_s = fixture_samples(3, 49346, 53372, 51580.0, 2049.071009);
	d->iops = 1000.0 * 103505 / 2001;
	d->bw_bytes = 423956480ull * 1000 / 2001;
	d->bw_agg_pct = 99.716517;
}

static void golden_write(struct dir_result *d)
{
	d->st.bytes = 180965376;
	d->st.ops = 44181;
	d->runtime_ms = 2001;
	d->bw_kib = fixture_samples(3, 84480, 91680, 87957.333333, 3606.26418);
	d->iops = 1000.0 * 44181 / 2001;
	d->bw_bytes = 180965376ull * 1000 / 2001;
	d->bw_agg_pct = 99.591429;
}

static struct fixture *golden(void)
{
	static const uint64_t us[LAT_CELLS_US] = {
		[4] = 159, [5] = 81416, [6] = 65673, [7] = 100, [8] = 2};
	struct fixture *f = fixture_new(1);
	struct job_result *j = &f->job[0];

	golden_read(&j->dir[IO_READ]);
	golden_write(&j->dir[IO_WRITE]);
	memcpy(j->cells + LAT_CELLS_NS, us, sizeof(us));
	j->cells[LAT_CELLS_NS + LAT_CELLS_US] = 201;
	j->cells[LAT_CELLS_NS + LAT_CELLS_US + 1] = 135;
	j->usr_pct = 4.05;
	j->sys_pct = 22.125;
	j->ctx = 7506;
	j->minf = 2;
	j->depth[0] = 1;
	j->depth[1] = 2;
	j->depth[2] = 4;
	j->depth[3] = 147679;
	j->submit[1] = j->complete[1] = 1;
	f->r.n_groups = 1;
	f->group[0][IO_READ] =
		(struct group_dir){true, 211872303, 211872303, 211872303, 423956480, 2001, 2001};
	f->group[0][IO_WRITE] =
		(struct group_dir){true, 90437469, 90437469, 90437469, 180965376, 2001, 2001};
	f->disk[0] = (struct disk_result){.name = "vda",
					  .ios = {97958, 41832},
					  .merges = {0, 10},
					  .ticks_ms = {7243, 3022},
					  .in_queue_ms = 10265,
					  .util_pct = 75.951904};
	f->r.n_disks = 1;
	return f;
}

static const char golden_text[] =
	"\n"
	"job0: (groupid=0, jobs=1): err= 0: pid=4321: Fri Jan  2 03:04:05 2026\n"
	"  read: IOPS=51.7k, BW=202MiB/s (212MB/s)(404MiB/2001msec)\n"
	"    slat (nsec): min=1379, max=128527, avg=3688.68, stdev=5214.72\n"
	"    clat (usec): min=21, max=2626, avg=101.04, stdev=86.89\n"
	"     lat (usec): min=30, max=2628, avg=104.73, stdev=86.85\n"
	"    clat percentiles (usec):\n"
	"     |  1.00th=[   71],  5.00th=[   78], 10.00th=[   82], 20.00th=[   87],\n"
	"     | 30.00th=[ 1942], 40.00th=[ 1942], 50.00th=[ 1942], 60.00th=[ 1942],\n"
	"     | 70.00th=[ 1942], 80.00th=[ 1942], 90.00th=[ 1942], 95.00th=[ 1942],\n"
	"     | 99.00th=[ 1942], 99.50th=[ 1942], 99.90th=[ 1942], 99.95th=[ 2212],\n"
	"     | 99.99th=[ 2507]\n"
	"   bw (  KiB/s): min=197384, max=213488, per=99.72%, avg=206320.00, stdev=8196.28, "
	"samples=3\n"
	"   iops        : min=49346, max=53372, avg=51580.00, stdev=2049.07, samples=3\n"
	"  write: IOPS=22.1k, BW=86.2MiB/s (90.4MB/s)(173MiB/2001msec)\n"
	"   bw (  KiB/s): min=84480, max=91680, per=99.59%, avg=87957.33, stdev=3606.26, "
	"samples=3\n"
	"  lat (usec)   : 50=0.11%, 100=55.13%, 250=44.47%, 500=0.07%, 750=0.01%\n"
	"  lat (msec)   : 2=0.14%, 4=0.09%\n"
	"  cpu          : usr=4.05%, sys=22.12%, ctx=7506, majf=0, minf=2\n"
	"  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=100.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
	"     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     issued rwts: total=103505,44181,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
	"     latency   : target=0, window=0, percentile=100.00%, depth=8\n"
	"\n"
	"Run status group 0 (all jobs):\n"
	"   READ: bw=202MiB/s (212MB/s), 202MiB/s-202MiB/s (212MB/s-212MB/s), io=404MiB (424MB), "
	"run=2001-2001msec\n"
	"  WRITE: bw=86.2MiB/s (90.4MB/s), 86.2MiB/s-86.2MiB/s (90.4MB/s-90.4MB/s), io=173MiB "
	"(181MB), run=2001-2001msec\n"
	"\n"
	"Disk stats (read/write):\n"
	"  vda: ios=97958/41832, merge=0/10, ticks=7243/3022, in_queue=10265, util=75.95%\n";

static void run_normal(const struct fixture *f, struct strbuf *out)
{
	report_print(FORMAT_NORMAL, &f->r, out);
}

static bool has(const struct strbuf *sb, const char *text)
{
	return strstr(strbuf_str(sb), text) != NULL;
}

Test(out_normal, golden_run_of_fio_3_33)
{
	struct fixture *f = golden();
	struct strbuf out = {0};

	run_normal(f, &out);
	cr_expect_str_eq(strbuf_str(&out), golden_text);
	strbuf_fini(&out);
	fixture_free(f);
}

/* Every unit is chosen alone: slat in ns, clat in us, percentiles by their own rule. */
Test(out_normal, trap_16_units_of_latency_lines)
{
	static const struct {
		uint64_t n, min, max;
		double mean, dev;
		const char *text;
	} cases[] = {
		{100000, 1379, 128527, 3688.68, 5214.72,
		 "    clat (nsec): min=1379, max=128527, avg=3688.68, stdev=5214.72\n"},
		{100000, 2000, 100000, 5000, 2000,
		 "    clat (nsec): min=2000, max=100000, avg=5000.00, stdev=2000.00\n"},
		{100000, 2001, 99999, 5000, 2000,
		 "    clat (nsec): min=2001, max=99999, avg=5000.00, stdev=2000.00\n"},
		{100000, 2001, 100000, 5000, 1000,
		 "    clat (nsec): min=2001, max=100000, avg=5000.00, stdev=1000.00\n"},
		{100000, 2001, 100000, 5000, 1001,
		 "    clat (usec): min=2, max=100, avg= 5.00, stdev= 1.00\n"},
		{100000, 2999999, 99999999, 5e6, 2e6,
		 "    clat (usec): min=2999, max=99999, avg=5000.00, stdev=2000.00\n"},
		{100000, 2999999, 100999999, 5e6, 2e6,
		 "    clat (msec): min=2, max=100, avg= 5.00, stdev= 2.00\n"},
		{100000, 1, 3609200, 50, 60,
		 "    clat (nsec): min=1, max=3609.2k, avg=50.00, stdev=60.00\n"},
		{100000, 1, 123217000, 50, 60,
		 "    clat (nsec): min=1, max=123217k, avg=50.00, stdev=60.00\n"},
		{1, 7, 7, 7, 0, "    clat (nsec): min=7, max=7, avg= 7.00, stdev= 0.00\n"},
		{0, 0, 0, 0, 0, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct moments m = fixture_moments(cases[i].n, cases[i].min, cases[i].max,
						   cases[i].mean, cases[i].dev);
		struct strbuf out = {0};

		normal_add_latency("clat", &m, &out);
		cr_expect_str_eq(strbuf_str(&out), cases[i].text, "case %zu: %s", i,
				 strbuf_str(&out));
		strbuf_fini(&out);
	}
}

static struct percentile_list list_of(const char *text)
{
	struct job_spec js = {0};
	struct err e = {0};

	cr_assert_eq(option_set(option_find(job_options, "percentile_list"), &js, text, 1024, &e),
		     0, "%s", e.msg);
	return js.percentile_list;
}

static void expect_percentiles(const struct percentile_list *l, const double *p, const uint64_t *v,
			       unsigned n, uint64_t max, const char *want)
{
	struct lat_dist *d = xcalloc(1, sizeof(*d));
	const struct lat_view view = {"clat", &d->m, &d->h};
	struct strbuf out = {0};

	d->m = fixture_moments(100000, 1, max, (double)max / 2, 1);
	fixture_percentiles(&d->h, 100000, p, v, n);
	normal_add_percentiles(&view, l, &out);
	cr_expect_str_eq(strbuf_str(&out), want);
	strbuf_fini(&out);
	free(d);
}

Test(out_normal, percentiles_are_sorted_once_each_with_as_many_decimals_as_the_list_needs)
{
	static const double p[] = {50, 99.9, 99.999};
	static const uint64_t v[] = {10, 21, 100};
	struct percentile_list l = list_of("50:99.999:99.9:50");

	cr_expect_eq(l.n, 3);
	expect_percentiles(&l, p, v, 3, 100,
			   "    clat percentiles (nsec):\n"
			   "     | 50.000th=[   10], 99.900th=[   21], 99.999th=[  100]\n");
}

/* No deviation in this rule, and the values round up: 100001 ns is 101 us. */
Test(out_normal, trap_16_units_of_percentiles_look_at_the_values_only)
{
	static const double p[] = {50, 99};
	static const uint64_t usec[] = {2016, 101376}, msec[] = {2015232, 111673344},
			      nsec[] = {1999, 101376};
	struct percentile_list l = list_of("50:99");

	expect_percentiles(&l, p, usec, 2, 200000,
			   "    clat percentiles (usec):\n"
			   "     | 50.00th=[    3], 99.00th=[  102]\n");
	expect_percentiles(&l, p, msec, 2, 200000000,
			   "    clat percentiles (msec):\n"
			   "     | 50.00th=[    3], 99.00th=[  112]\n");
	expect_percentiles(&l, p, nsec, 2, 200000,
			   "    clat percentiles (nsec):\n"
			   "     | 50.00th=[  1992], 99.00th=[101888]\n");
}

/* 70144 ns is 71 us as a percentile, 2626409 ns is 2626 us as a maximum. */
Test(out_normal, trap_17_percentiles_round_up_and_extremes_down)
{
	struct fixture *f = golden();
	struct strbuf out = {0};

	run_normal(f, &out);
	cr_expect(has(&out, "|  1.00th=[   71]"), "%s", strbuf_str(&out));
	cr_expect(has(&out, "clat (usec): min=21, max=2626, "));
	strbuf_fini(&out);
	fixture_free(f);
}

/* Case 89: 1000 equal latencies; the bucket's midpoint is above them. */
Test(out_normal, case_89_percentile_never_above_the_maximum)
{
	static const double p[] = {50};
	static const uint64_t v[] = {54776876};
	struct percentile_list l = list_of("50");

	expect_percentiles(&l, p, v, 1, 54776876,
			   "    clat percentiles (usec):\n     | 50.00th=[54777]\n");
}

Test(out_normal, wide_values_make_fewer_cells_a_row)
{
	static const double p[] = {10, 20, 30, 40, 50};
	static const uint64_t v[] = {1, 1, 1, 1, 40000000};
	struct percentile_list l = list_of("10:20:30:40:50");

	/* The largest value has 8 digits: 73 / (2 + 10 + 8) = 3 cells. */
	expect_percentiles(&l, p, v, 5, 40000000,
			   "    clat percentiles (nsec):\n"
			   "     | 10.00th=[       1], 20.00th=[       1], 30.00th=[       1],\n"
			   "     | 40.00th=[       1], 50.00th=[40000000]\n");
}

Test(out_normal, latency_cells_five_a_line_only_those_that_hold_something)
{
	uint64_t cells[LAT_CELLS] = {0};
	struct strbuf out = {0};

	normal_add_lat_cells(cells, &out);
	cr_expect_str_eq(strbuf_str(&out), "");
	for (unsigned i = 0; i < 6; i++)
		cells[LAT_CELLS_NS + 4 + i] = 1;
	cells[0] = 1;
	cells[LAT_CELLS - 1] = 99993;
	normal_add_lat_cells(cells, &out);
	cr_expect_str_eq(strbuf_str(&out),
			 "  lat (nsec)   : 2=0.01%\n"
			 "  lat (usec)   : 50=0.01%, 100=0.01%, 250=0.01%, 500=0.01%, 750=0.01%\n"
			 "  lat (usec)   : 1000=0.01%\n"
			 "  lat (msec)   : >=2000=99.99%\n");
	strbuf_fini(&out);
}

Test(out_normal, trap_16_bandwidth_samples_switch_to_mib_above_a_gib)
{
	struct fixture *f = golden();
	struct dir_result *d = &f->job[0].dir[IO_READ];
	struct strbuf out = {0};

	d->bw_kib = fixture_samples(4, 32111 * 1024 + 1023, 33000 * 1024, 1048576, 2048);
	run_normal(f, &out);
	cr_expect(has(&out, "   bw (  KiB/s): min=32882687, max=33792000, per="));
	strbuf_reset(&out);
	d->bw_kib.mean = 32500.5 * 1024;
	run_normal(f, &out);
	cr_expect(has(&out, "   bw (  MiB/s): min=32111, max=33000, per=99.72%, avg=32500.50, "
			    "stdev= 2.00, samples=4\n"),
		  "%s", strbuf_str(&out));
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, trap_15_no_sample_lines_without_samples)
{
	struct fixture *f = golden();
	struct strbuf out = {0};

	f->job[0].dir[IO_READ].bw_kib.n = 0;
	f->job[0].dir[IO_READ].iops_s = fixture_samples(6, 476, 918, 69.2, 1.01);
	f->job[0].dir[IO_WRITE].bw_kib.n = 0;
	run_normal(f, &out);
	cr_expect(!has(&out, "bw ( "));
	cr_expect(has(&out, "   iops        : min=  476, max=  918, avg=69.20, stdev= 1.01, "
			    "samples=6\n"));
	strbuf_fini(&out);
	fixture_free(f);
}

/* Case 104, and fio-language 3.4: a call that does the I/O has no submission latency. */
Test(out_normal, case_104_no_slat_for_a_synchronous_engine)
{
	struct fixture *f = golden();
	struct strbuf out = {0};

	f->job[0].sync_engine = true;
	run_normal(f, &out);
	cr_expect(!has(&out, "slat"));
	cr_expect(has(&out, "    clat (usec)"));
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, one_io_in_one_millisecond)
{
	struct fixture *f = fixture_new(1);
	struct dir_result *d = &f->job[0].dir[IO_READ];
	struct strbuf out = {0};

	d->st.ops = 1;
	d->st.bytes = 4096;
	d->runtime_ms = 1;
	d->iops = 1000;
	d->bw_bytes = 4096000;
	run_normal(f, &out);
	cr_expect(has(&out, "  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(4096B/1msec)\n"));
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, kb_base_1000_puts_decimal_units_first)
{
	struct fixture *f = golden();
	struct strbuf out = {0};

	f->spec_job[0].kb_base = 1000;
	run_normal(f, &out);
	cr_expect(has(&out, "  read: IOPS=51.7k, BW=212MB/s (202MiB/s)(424MB/2001msec)\n"));
	cr_expect(has(&out, "   READ: bw=212MB/s (202MiB/s), 212MB/s-212MB/s "
			    "(202MiB/s-202MiB/s), io=424MB (404MiB), run=2001-2001msec\n"));
	cr_expect(has(&out, "   bw (  KiB/s): min=197384"), "the samples are KiB/s");
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, an_error_names_itself)
{
	struct fixture *f = fixture_new(2);
	struct strbuf out = {0};

	f->job[0].error = 28;
	snprintf(f->job[0].error_text, sizeof(f->job[0].error_text),
		 "file:/dev/full, write offset=0: No space left on device");
	f->job[1].error = 5;
	f->job[1].group = 1;
	f->job[1].clones = 3;
	f->spec_job[1].description = xstrdup("hello there");
	run_normal(f, &out);
	cr_expect(has(&out, "\njob0: (groupid=0, jobs=1): err=28 (file:/dev/full, write offset=0: "
			    "No space left on device): pid=4321: Fri Jan  2 03:04:05 2026\n"
			    "  cpu          : usr=0.00%"),
		  "no direction moved bytes: %s", strbuf_str(&out));
	cr_expect(has(&out, "\njob1: (groupid=1, jobs=3): err= 5 (Input/output error): pid=4321: "
			    "Fri Jan  2 03:04:05 2026\n  Description  : [hello there]\n"));
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, trap_25_a_job_with_nothing_done_has_no_block)
{
	struct fixture *f = fixture_new(1);
	struct strbuf out = {0};

	f->job[0].started = false;
	f->job[0].error = 2;
	f->r.n_groups = 2;
	run_normal(f, &out);
	cr_expect_str_eq(strbuf_str(&out), "\n\nRun status group 0 (all jobs):\n\n"
					   "Run status group 1 (all jobs):\n");
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, group_lines_show_the_smallest_and_largest_entry)
{
	struct fixture *f = fixture_new(2);
	struct strbuf out = {0};

	f->job[0].started = f->job[1].started = false;
	f->r.n_groups = 1;
	f->group[0][IO_TRIM] =
		(struct group_dir){true, 3 << 20, 1 << 20, 2 << 20, 30 << 20, 9000, 10000};
	run_normal(f, &out);
	cr_expect_str_eq(strbuf_str(&out),
			 "\n\nRun status group 0 (all jobs):\n"
			 "   TRIM: bw=3072KiB/s (3146kB/s), 1024KiB/s-2048KiB/s "
			 "(1049kB/s-2097kB/s), io=30.0MiB (31.5MB), run=9000-10000msec\n");
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, syncs_have_their_own_lines)
{
	struct fixture *f = golden();
	struct job_result *j = &f->job[0];
	static const double p[] = {50};
	static const uint64_t v[] = {2375680};
	struct strbuf out = {0};

	j->sync_ops = 1409;
	j->sync_lat.m = fixture_moments(1409, 479820, 44245874, 3644318.46, 4054238.70);
	fixture_percentiles(&j->sync_lat.h, 1409, p, v, 1);
	run_normal(f, &out);
	cr_expect(has(&out, "  fsync/fdatasync/sync_file_range:\n"
			    "    sync (usec): min=479, max=44245, avg=3644.32, stdev=4054.24\n"
			    "    sync percentiles (usec):\n"
			    "     |  1.00th=[ 2376],"));
	cr_expect(has(&out, "total=103505,44181,0,1409 short=0,0,0,0"));
	strbuf_fini(&out);
	fixture_free(f);
}

/* fio-language 4.10: the slaves' sums divided by their number, util the largest; own lines follow. */
Test(out_normal, a_stacked_disk_shows_its_slaves)
{
	struct fixture *f = fixture_new(0);
	struct strbuf out = {0};

	f->disk[0] = (struct disk_result){.name = "dm-0",
					  .ios = {100, 200},
					  .merges = {1, 2},
					  .ticks_ms = {10, 20},
					  .in_queue_ms = 30,
					  .util_pct = 50,
					  .n_slaves = 2};
	f->disk[1] = (struct disk_result){.name = "sda",
					  .ios = {61, 0},
					  .merges = {4, 0},
					  .ticks_ms = {7, 1},
					  .in_queue_ms = 8,
					  .util_pct = 40.126,
					  .is_slave = true};
	f->disk[2] = (struct disk_result){.name = "sdb",
					  .ios = {40, 201},
					  .merges = {3, 1},
					  .ticks_ms = {4, 1},
					  .in_queue_ms = 5,
					  .util_pct = NAN,
					  .is_slave = true};
	f->r.n_disks = 3;
	run_normal(f, &out);
	cr_expect_str_eq(
		strbuf_str(&out),
		"\n\nDisk stats (read/write):\n"
		"    dm-0: ios=100/200, merge=1/2, ticks=10/20, in_queue=30, util=50.00%, "
		"aggrios=50/100, aggrmerge=3/0, aggrticks=5/1, aggrin_queue=6, aggrutil=40.13%\n"
		"  sda: ios=61/0, merge=4/0, ticks=7/1, in_queue=8, util=40.13%\n"
		"  sdb: ios=40/201, merge=3/1, ticks=4/1, in_queue=5, util=  -%\n");
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_normal, unknown_is_a_dash)
{
	cr_expect_str_eq(num_real(NAN, 5, 2).s, "    -");
	cr_expect_str_eq(num_real(INFINITY, 0, 2).s, "-");
	cr_expect_str_eq(num_real(1e300, 0, 2).s, "-", "a cut number would be a wrong one");
	cr_expect_str_eq(num_real(5.985, 5, 2).s, " 5.99");
}

/* R3: the two bandwidths are one number, in every line. */
Test(out_normal, both_units_of_a_bandwidth_agree)
{
	const struct num_style two = {.base = 1024, .figs = 4};

	for (uint64_t bw = 1 << 20; bw < 1ull << 29; bw += 7654321) {
		double mib = strtod(num_bps(bw, two).s, NULL),
		       mb = strtod(num_bps(bw, num_other(two)).s, NULL);

		if (!strstr(num_bps(bw, two).s, "MiB/s") ||
		    !strstr(num_bps(bw, num_other(two)).s, "MB/s"))
			continue;
		/* One unit in the last digit of each: four digits, so at most 1 in 100. */
		cr_expect(fabs(mib * 1.048576 - mb) <= 0.02 * mb, "%llu: %f MiB/s, %f MB/s",
			  (unsigned long long)bw, mib, mb);
	}
}
