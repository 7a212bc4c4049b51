/* out/json: fio's document, key by key, and the arithmetic every reader relies on. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/out/figures.h"
#include "src/out/help.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "tests/unit/arith.h"
#include "tests/unit/out_fixture.h"

/* The keys of an object, one after the other, blank separated; '|' around each. */
static struct strbuf keys_of(const json_t *o)
{
	struct strbuf sb = {0};
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)o, key, value) strbuf_addf(&sb, "|%s", key);
	strbuf_putc(&sb, '|');
	return sb;
}

static void expect_keys(const json_t *o, const char *want)
{
	struct strbuf got = keys_of(o);

	cr_expect_str_eq(got.s, want);
	strbuf_fini(&got);
}

/* "jobs/0/read/clat_ns": object keys and array indices. */
static json_t *at(json_t *v, const char *path)
{
	char copy[160], *rest = copy, *part;

	snprintf(copy, sizeof(copy), "%s", path);
	while (v && (part = strsep(&rest, "/")))
		v = json_is_array(v) ? json_array_get(v, strtoul(part, NULL, 10))
				     : json_object_get(v, part);
	return v;
}

#define LAT_KEYS "|min|max|mean|stddev|N|"
#define DIR_KEYS                                                                                   \
	"|io_bytes|io_kbytes|bw_bytes|bw|iops|runtime|total_ios|short_ios|drop_ios|slat_ns|"       \
	"clat_ns|lat_ns|bw_min|bw_max|bw_agg|bw_mean|bw_dev|bw_samples|iops_min|iops_max|"         \
	"iops_mean|iops_stddev|iops_samples|"
#define CALL_KEYS "|0|4|8|16|32|64|>=64|"

Test(out_json, keys_are_those_of_fio_in_its_order)
{
	static const char *const want[][2] = {
		{"", "|fio version|timestamp|timestamp_ms|time|jobs|disk_util|"},
		{"jobs/0", "|jobname|groupid|error|eta|elapsed|job options|read|write|trim|sync|"
			   "job_runtime|usr_cpu|sys_cpu|ctx|majf|minf|iodepth_level|"
			   "iodepth_submit|iodepth_complete|latency_ns|latency_us|latency_ms|"
			   "latency_depth|latency_target|latency_percentile|latency_window|"
			   "iodeck|"},
		{"jobs/0/read", DIR_KEYS},
		{"jobs/0/write", DIR_KEYS},
		{"jobs/0/trim", DIR_KEYS},
		{"jobs/0/read/slat_ns", LAT_KEYS},
		{"jobs/0/read/clat_ns", LAT_KEYS "percentile|"},
		{"jobs/0/read/lat_ns", LAT_KEYS},
		{"jobs/0/trim/clat_ns", LAT_KEYS},
		{"jobs/0/read/clat_ns/percentile",
		 "|1.000000|5.000000|10.000000|20.000000|30.000000|40.000000|50.000000|60.000000|"
		 "70.000000|80.000000|90.000000|95.000000|99.000000|99.500000|99.900000|"
		 "99.950000|99.990000|"},
		{"jobs/0/sync", "|total_ios|lat_ns|"},
		{"jobs/0/sync/lat_ns", LAT_KEYS "percentile|"},
		{"jobs/0/iodepth_level", "|1|2|4|8|16|32|>=64|"},
		{"jobs/0/iodepth_submit", CALL_KEYS},
		{"jobs/0/iodepth_complete", CALL_KEYS},
		{"jobs/0/latency_ns", "|2|4|10|20|50|100|250|500|750|1000|"},
		{"jobs/0/latency_us", "|2|4|10|20|50|100|250|500|750|1000|"},
		{"jobs/0/latency_ms", "|2|4|10|20|50|100|250|500|750|1000|2000|>=2000|"},
		{"jobs/0/iodeck", "|jobs|failed_jobs|ioengine|simulated|sync_engine|effective_"
				  "iodepth|started|error_text|"
				  "signal|retries|asked_bytes|begin_ms|end_ms|usr_us|sys_us|read|"
				  "write|trim|options|"},
		{"jobs/0/iodeck/read",
		 "|errors|slat_sum_ns|clat_sum_ns|lat_sum_ns|lat_percentile_ns|windows|"},
		{"jobs/0/iodeck/trim", "|errors|slat_sum_ns|clat_sum_ns|lat_sum_ns|windows|"},
		{"disk_util/0", "|name|read_ios|write_ios|read_sectors|write_sectors|read_merges|"
				"write_merges|read_ticks|write_ticks|in_queue|util|"},
	};
	struct fixture *f = fixture_measured(1);
	json_t *root = fixture_json(f, FORMAT_JSON);

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		expect_keys(*want[i][0] ? at(root, want[i][0]) : root, want[i][1]);
	json_decref(root);
	fixture_free(f);
}

/* Ours with the keys that fio 3.33 has not taken out; those are the only ones. */
static void expect_same_keys(const json_t *fio, const json_t *ours, const char *path)
{
	static const char *const extra[] = {"iodeck", "read_sectors", "write_sectors", "disk_util",
					    NULL};
	struct strbuf want = keys_of(fio), got = {0};
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)ours, key, value)
	{
		bool skip = false;

		for (const char *const *p = extra; *p; p++)
			skip = skip || (strcmp(*p, key) == 0 && !json_object_get(fio, key));
		if (!skip)
			strbuf_addf(&got, "|%s", key);
	}
	strbuf_putc(&got, '|');
	cr_expect_str_eq(got.s, want.s, "%s", path);
	strbuf_fini(&want);
	strbuf_fini(&got);
}

static void compare_keys_with_fio(const char *args)
{
	static const char *const paths[] = {"jobs/0",
					    "jobs/0/read",
					    "jobs/0/write",
					    "jobs/0/trim",
					    "jobs/0/read/slat_ns",
					    "jobs/0/read/clat_ns",
					    "jobs/0/read/lat_ns",
					    "jobs/0/write/clat_ns",
					    "jobs/0/read/clat_ns/percentile",
					    "jobs/0/sync",
					    "jobs/0/sync/lat_ns",
					    "jobs/0/iodepth_level",
					    "jobs/0/iodepth_submit",
					    "jobs/0/iodepth_complete",
					    "jobs/0/latency_ns",
					    "jobs/0/latency_us",
					    "jobs/0/latency_ms",
					    "jobs/0/read/clat_ns/bins",
					    "disk_util/0"};
	char *text = fixture_run_fio(args, "json+");
	struct fixture *f;
	json_t *fio, *ours;

	if (!text)
		cr_skip("no fio here");
	fio = fixture_json_parse(text);
	if (strcmp(json_string_value(json_object_get(fio, "fio version")), "fio-3.33") != 0)
		cr_skip("another version of fio");
	f = fixture_from_fio(fio);
	ours = fixture_json(f, FORMAT_JSON_PLUS);
	expect_same_keys(fio, ours, "root");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (!at(fio, paths[i]))
			continue;
		cr_assert_not_null(at(ours, paths[i]), "%s", paths[i]);
		expect_same_keys(at(fio, paths[i]), at(ours, paths[i]), paths[i]);
	}
	json_decref(fio);
	json_decref(ours);
	fixture_free(f);
	free(text);
}

Test(out_json, keys_are_those_of_the_real_fio, .timeout = 60)
{
	compare_keys_with_fio("--name=x --ioengine=null --size=64m --rw=randrw --iodepth=4");
	compare_keys_with_fio("--name=x --filename=f --ioengine=psync --size=1m --rw=rw --fsync=8 "
			      "--description=text");
}

/* The rules hold for fio's own document too: the checker is not tuned to our writer. */
Test(out_json, arithmetic_of_the_real_fio, .timeout = 60)
{
	char *text = fixture_run_fio("--name=x --filename=f --ioengine=libaio --size=4m "
				     "--rw=randrw --iodepth=4 --bs=8k,16k --numjobs=2",
				     "json+");
	struct strbuf bad = {0};
	struct fixture *f;
	json_t *fio, *ours;

	if (!text)
		cr_skip("no fio here");
	fio = fixture_json_parse(text);
	cr_expect_eq(arith_check(fio, 0, &bad), 0, "%s", strbuf_str(&bad));
	f = fixture_from_fio(fio);
	ours = fixture_json(f, FORMAT_JSON_PLUS);
	cr_expect_float_eq(json_number_value(at(ours, "jobs/0/read/iops")),
			   json_number_value(at(fio, "jobs/0/read/iops")), 1e-3);
	cr_expect(json_equal(at(ours, "jobs/0/read/bw_bytes"), at(fio, "jobs/0/read/bw_bytes")));
	cr_expect(json_equal(at(ours, "jobs/1/write/bw"), at(fio, "jobs/1/write/bw")));
	cr_expect(json_equal(at(ours, "jobs/1/write/clat_ns/bins"),
			     at(fio, "jobs/1/write/clat_ns/bins")));
	strbuf_fini(&bad);
	json_decref(fio);
	json_decref(ours);
	fixture_free(f);
	free(text);
}

Test(out_json, arithmetic_holds)
{
	struct fixture *f = fixture_measured(3);
	json_t *root = fixture_json(f, FORMAT_JSON_PLUS);
	struct strbuf bad = {0};

	cr_expect_eq(arith_check(root, 0, &bad), 0, "%s", strbuf_str(&bad));
	strbuf_fini(&bad);
	json_decref(root);
	fixture_free(f);
}

/* A checker that cannot fail checks nothing: one wrong number a time, and the rule it breaks. */
Test(out_json, arithmetic_checker_sees_every_wrong_number)
{
	static const struct {
		const char *object, *key;
		double value; /* whole numbers stay integers where they were */
		const char *rule;
	} cases[] = {
		{"jobs/0/read", "iops", 3498.26, "R1"},
		{"jobs/0/read", "bw_bytes", 14328836, "R2"},
		{"jobs/0/read", "bw", 13994, "R2"},
		{"jobs/0/read", "io_kbytes", 28001, "R4"},
		{"jobs/0/write", "io_bytes", 12288001, "R4"},
		{"jobs/0/read", "runtime", 1, "R1"},
		{"jobs/0/iodeck", "effective_iodepth", 1, "R5"},
		{"jobs/0/read/lat_ns", "mean", 9e6, "R6"},
		{"jobs/0/iodeck/write", "lat_sum_ns", 17, "R6"},
		{"jobs/0/read/clat_ns/percentile", "50.000000", 1, "R7"},
		{"jobs/0/read/clat_ns/percentile", "99.990000", 41e9, "R7"},
		{"jobs/0/read/clat_ns", "max", 40001, "R7"},
		{"jobs/0/latency_us", "100", 0, "R8"},
		{"jobs/0/latency_us", "2", 0.001, "floor"},
		{"jobs/0/iodepth_level", "16", 7, "R9"},
		{"jobs/0/iodepth_complete", "16", 7, "R9"},
		{"jobs/0/read", "bw_agg", 50, "R12"},
		{"jobs/0/read", "iops_min", 100000, "iops_mean"},
		{"jobs/0/read/clat_ns", "N", 6999, "total_ios"},
		{"jobs/0/read/clat_ns", "stddev", 1e9, "stddev"},
		{"jobs/0/read/clat_ns/bins", "40192", 99999, "bins"},
		{"disk_util/0", "util", 100.4, "R15"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = fixture_measured(1);
		struct strbuf bad = {0};
		json_t *root, *o, *old;

		root = fixture_json(f, FORMAT_JSON_PLUS);
		o = at(root, cases[i].object);
		old = json_object_get(o, cases[i].key);
		json_object_set_new(o, cases[i].key,
				    json_is_integer(old) ? json_integer((json_int_t)cases[i].value)
							 : json_real(cases[i].value));
		cr_expect_gt(arith_check(root, 0, &bad), 0, "%s %s", cases[i].object, cases[i].key);
		cr_expect_not_null(strstr(strbuf_str(&bad), cases[i].rule), "%s %s gives: %s",
				   cases[i].object, cases[i].key, strbuf_str(&bad));
		strbuf_fini(&bad);
		json_decref(root);
		fixture_free(f);
	}
}

Test(out_json, arithmetic_checker_wants_the_asked_mix_and_depth)
{
	struct fixture *f = fixture_measured(1);
	struct strbuf bad = {0};
	json_t *root = fixture_json(f, FORMAT_JSON), *job = at(root, "jobs/0");

	json_object_set_new(at(job, "job options"), "rw", json_string("randrw"));
	json_object_set_new(at(job, "job options"), "rwmixread", json_string("60"));
	json_object_set_new(at(job, "read"), "total_ios", json_integer(700000));
	json_object_set_new(at(job, "write"), "total_ios", json_integer(300000));
	arith_check(root, 0, &bad);
	cr_expect_not_null(strstr(bad.s, "R10: 70.000 % reads, asked for 60"), "%s", bad.s);
	cr_expect_null(strstr(bad.s, "far below the depth"));
	strbuf_reset(&bad);
	json_object_set_new(at(job, "iodeck"), "effective_iodepth", json_integer(1000));
	arith_check(root, ARITH_BUSY, &bad);
	cr_expect_not_null(strstr(bad.s, "far below the depth 1000"));
	strbuf_fini(&bad);
	json_decref(root);
	fixture_free(f);
}

/* Case 110: readers index disk_util; a run without a disk has an empty one. */
Test(out_json, case_110_disk_util_is_always_an_array)
{
	struct fixture *f = fixture_measured(1);
	json_t *root;

	f->r.n_disks = 0;
	root = fixture_json(f, FORMAT_JSON);
	cr_expect(json_is_array(at(root, "disk_util")));
	cr_expect_eq(json_array_size(at(root, "disk_util")), 0);
	json_decref(root);
	fixture_free(f);
}

/* fio spells the last merge key without its s. */
Test(out_json, slaves_are_averaged_into_the_master)
{
	struct fixture *f = fixture_measured(1);
	json_t *root;

	f->disk[0].n_slaves = 1;
	f->disk[1].is_slave = true;
	f->disk[1].merges[1] = 5;
	root = fixture_json(f, FORMAT_JSON);
	expect_keys(at(root, "disk_util/0"),
		    "|name|read_ios|write_ios|read_sectors|write_sectors|read_merges|"
		    "write_merges|read_ticks|write_ticks|in_queue|util|aggr_read_ios|"
		    "aggr_write_ios|aggr_read_merges|aggr_write_merge|aggr_read_ticks|"
		    "aggr_write_ticks|aggr_in_queue|aggr_util|");
	cr_expect_eq(json_integer_value(at(root, "disk_util/0/aggr_write_merge")), 5);
	cr_expect_eq(json_real_value(at(root, "disk_util/0/aggr_util")), 12.5);
	cr_expect_eq(json_array_size(at(root, "disk_util")), 2, "the slave has its own entry");
	json_decref(root);
	fixture_free(f);
}

Test(out_json, unknown_is_null_and_no_number_is_nan)
{
	struct fixture *f = fixture_measured(1);
	json_t *root;

	f->disk[0].util_pct = NAN;
	f->job[0].dir[IO_READ].bw_agg_pct = INFINITY;
	root = fixture_json(f, FORMAT_JSON);
	cr_expect(json_is_null(at(root, "disk_util/0/util")));
	cr_expect(json_is_null(at(root, "jobs/0/read/bw_agg")));
	json_decref(root);
	fixture_free(f);
}

static struct opt_given *given(const char *const (*kv)[2], size_t n)
{
	struct opt_given *v = xcalloc(n, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		v[i].key = xstrdup(kv[i][0]);
		v[i].val = xstrdup(kv[i][1]);
	}
	return v;
}

Test(out_json, options_as_written_each_key_once)
{
	static const char *const own[][2] = {{"rw", "read"}, {"time_based", NULL}, {"rw", "write"}};
	static const char *const global[][2] = {{"ioengine", "libaio"}};
	struct fixture *f = fixture_measured(1);
	json_t *root;

	f->spec_job[0].given = given(own, 3);
	f->spec_job[0].n_given = 3;
	f->spec.globals = given(global, 1);
	f->spec.n_globals = 1;
	root = fixture_json(f, FORMAT_JSON);
	expect_keys(root,
		    "|fio version|timestamp|timestamp_ms|time|global options|jobs|disk_util|");
	expect_keys(at(root, "jobs/0/job options"), "|rw|time_based|");
	cr_expect_str_eq(json_string_value(at(root, "jobs/0/job options/rw")), "write");
	cr_expect_str_eq(json_string_value(at(root, "jobs/0/job options/time_based")), "");
	cr_expect_str_eq(json_string_value(at(root, "global options/ioengine")), "libaio");
	json_decref(root);
	fixture_free(f);
}

/* Names fio prints raw: its document does not parse with them. */
Test(out_json, trap_32_any_name_makes_a_valid_document)
{
	static const struct {
		const char *name, *want;
	} cases[] = {
		{"tab\there \"quoted\" \\ \x01", "tab\there \"quoted\" \\ \x01"},
		{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
		{"latin1 \xfc.fio", "latin1 \\xfc.fio"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = fixture_measured(1);
		json_t *root;

		free(f->spec_job[0].name);
		f->spec_job[0].name = xstrdup(cases[i].name);
		f->spec_job[0].description = xstrdup(cases[i].name);
		root = fixture_json(f, FORMAT_JSON);
		cr_expect_str_eq(json_string_value(at(root, "jobs/0/jobname")), cases[i].want);
		cr_expect_str_eq(json_string_value(at(root, "jobs/0/desc")), cases[i].want);
		json_decref(root);
		fixture_free(f);
	}
}

/* Article 000 counts jobs with grep jobname | wc -l. */
Test(out_json, one_jobname_line_per_job)
{
	struct fixture *f = fixture_measured(3);
	struct strbuf out = {0};
	unsigned lines = 0;

	report_print(FORMAT_JSON, &f->r, &out);
	for (const char *p = out.s; (p = strstr(p, "jobname")); p++)
		lines++;
	cr_expect_eq(lines, 3);
	strbuf_fini(&out);
	fixture_free(f);
}

Test(out_json, a_failed_job_is_listed_with_its_error)
{
	struct fixture *f = fixture_new(1);
	json_t *root;

	f->job[0].started = false;
	f->job[0].error = 2;
	snprintf(f->job[0].error_text, sizeof(f->job[0].error_text), "/no/such: not there");
	f->r.signal = 15;
	root = fixture_json(f, FORMAT_JSON_PLUS);
	cr_expect_eq(json_integer_value(at(root, "jobs/0/error")), 2);
	cr_expect_eq(json_integer_value(at(root, "jobs/0/read/total_ios")), 0);
	cr_expect(json_is_false(at(root, "jobs/0/iodeck/started")));
	cr_expect_str_eq(json_string_value(at(root, "jobs/0/iodeck/error_text")),
			 "/no/such: not there");
	cr_expect_eq(json_integer_value(at(root, "jobs/0/iodeck/signal")), 15);
	json_decref(root);
	fixture_free(f);
}

/* Case 104 and issue 1388: the depth that was really there, beside the one asked for. */
Test(out_json, case_104_a_synchronous_engine_has_depth_one_and_no_slat)
{
	struct fixture *f = fixture_measured(1);
	json_t *root;

	f->job[0].sync_engine = true;
	root = fixture_json(f, FORMAT_JSON);
	cr_expect_eq(json_integer_value(at(root, "jobs/0/latency_depth")), 8);
	cr_expect_eq(json_integer_value(at(root, "jobs/0/iodeck/effective_iodepth")), 1);
	cr_expect(json_is_true(at(root, "jobs/0/iodeck/sync_engine")));
	cr_expect_eq(json_integer_value(at(root, "jobs/0/read/slat_ns/N")), 0);
	cr_expect_eq(json_integer_value(at(root, "jobs/0/read/slat_ns/max")), 0);
	json_decref(root);
	fixture_free(f);
}

/* Case 107: more than twenty are refused, the rest comes sorted and once. */
Test(out_json, case_107_percentile_lists_are_sorted_unique_and_at_most_twenty)
{
	static const char many[] = "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:50:50";
	const struct option_def *row = option_find(job_options, "percentile_list");
	struct fixture *f = fixture_measured(1);
	struct err e = {0};
	json_t *doc;

	cr_expect_lt(option_set(row, &f->spec_job[0], many, 1024, &e), 0);
	cr_assert_eq(option_set(row, &f->spec_job[0], "99.99:50:50:1:99.99", 1024, &e), 0);
	doc = fixture_json(f, FORMAT_JSON);
	expect_keys(at(doc, "jobs/0/read/clat_ns/percentile"), "|1.000000|50.000000|99.990000|");
	json_decref(doc);
	fixture_free(f);
}

/* The whole precision of R1, and no 17 digits of noise: 0.1 stays 0.1. */
Test(out_json, reals_are_exact_enough_and_short)
{
	struct fixture *f = fixture_measured(1);
	struct strbuf out = {0};

	f->job[0].usr_pct = 0.1;
	f->job[0].sys_pct = 100;
	f->job[0].dir[IO_READ].iops = 1000.0 * 12345678 / 60001;
	report_print(FORMAT_JSON, &f->r, &out);
	cr_expect_not_null(strstr(out.s, "\"usr_cpu\": 0.1,"));
	cr_expect_not_null(strstr(out.s, "\"sys_cpu\": 100.0,"));
	cr_expect_not_null(strstr(out.s, "\"iops\": 205757.870702,"), "%s", out.s);
	strbuf_fini(&out);
	fixture_free(f);
}

/* Case 91: total latency, asked for alone, has its percentiles under lat_ns and nowhere else. */
Test(out_json, case_91_lat_percentiles_stand_under_lat)
{
	struct fixture *f = fixture_measured(1);
	json_t *doc;

	f->spec_job[0].lat_percentiles = true;
	f->spec_job[0].clat_percentiles = false;
	doc = fixture_json(f, FORMAT_JSON_PLUS);
	cr_expect_null(at(doc, "jobs/0/read/clat_ns/percentile"));
	cr_expect_null(at(doc, "jobs/0/read/slat_ns/percentile"));
	cr_expect_not_null(at(doc, "jobs/0/read/lat_ns/percentile"));
	cr_expect_not_null(at(doc, "jobs/0/read/lat_ns/bins"));
	cr_expect_geq(json_integer_value(at(doc, "jobs/0/read/lat_ns/percentile/1.000000")), 41000);
	json_decref(doc);
	fixture_free(f);
}

/* Trap 21: fio's min over windows with I/O stays as it is; ours next to it tells of the stall. */
Test(out_json, trap_21_windows_without_io_are_told_apart)
{
	struct fixture *f = fixture_measured(1);
	struct dir_result *d = &f->job[0].dir[IO_READ];
	json_t *doc;

	samples_add(&d->iops_all, 0);
	samples_add(&d->bw_all_kib, 0);
	doc = fixture_json(f, FORMAT_JSON);
	cr_expect_eq(json_integer_value(at(doc, "jobs/0/read/iops_samples")), 4);
	cr_expect_gt(json_integer_value(at(doc, "jobs/0/read/iops_min")), 3000);
	cr_expect_eq(json_integer_value(at(doc, "jobs/0/iodeck/read/windows/n")), 5);
	cr_expect_eq(json_integer_value(at(doc, "jobs/0/iodeck/read/windows/empty")), 1);
	cr_expect_eq(json_integer_value(at(doc, "jobs/0/iodeck/read/windows/iops_min")), 0);
	json_decref(doc);
	fixture_free(f);
}

Test(out_json, every_option_in_force_is_told)
{
	struct fixture *f = fixture_measured(1);
	json_t *doc = fixture_json(f, FORMAT_JSON), *options = at(doc, "jobs/0/iodeck/options");

	cr_expect_str_eq(json_string_value(json_object_get(options, "iodepth")), "8");
	cr_expect_str_eq(json_string_value(json_object_get(options, "bs")), "4k");
	for (const struct option_def *row = job_options; row->name; row++)
		if (!(row->flags & (OPT_MIRROR | OPT_CLI_ONLY)))
			cr_expect_not_null(json_object_get(options, row->name), "%s", row->name);
	json_decref(doc);
	fixture_free(f);
}
