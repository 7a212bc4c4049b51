/* What options add to the reports or leave out of them; the words are those of fio 3.33. */
#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/out/out_terse.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "tests/unit/out_fixture.h"

static bool normal_has(const struct fixture *f, const char *text)
{
	struct strbuf out = {0};
	bool found;

	report_print(FORMAT_NORMAL, &f->r, &out);
	found = strstr(strbuf_str(&out), text) != NULL;
	strbuf_fini(&out);
	return found;
}

static json_t *first_job(const struct fixture *f, json_t **root)
{
	struct strbuf out = {0};

	report_print(FORMAT_JSON, &f->r, &out);
	*root = json_loads(strbuf_str(&out), JSON_REJECT_DUPLICATES, NULL);
	cr_assert_not_null(*root);
	strbuf_fini(&out);
	return json_array_get(json_object_get(*root, "jobs"), 0);
}

static bool terse_ends_with(const struct fixture *f, const char *end)
{
	struct strbuf out = {0};
	bool yes;

	terse_add_line(&f->r, &f->job[0], TERSE_VERSION, &out);
	yes = out.len > strlen(end) && strcmp(out.s + out.len - strlen(end), end) == 0;
	strbuf_fini(&out);
	return yes;
}

Test(out_options, errors_that_were_let_pass)
{
	struct fixture *f = fixture_measured(1);
	json_t *root, *job;

	f->job[0].dir[IO_READ].st.errors = 3;
	f->job[0].dir[IO_WRITE].st.errors = 1;
	f->job[0].error = f->job[0].first_error = EIO;
	f->job[0].survived = true;
	cr_expect_not(normal_has(f, "     errors    :"), "only where the option asks for it");
	f->spec_job[0].continue_on_error = CONTINUE_READ;
	cr_expect(normal_has(f, "dropped=0,0,0,0\n     errors    : total=4, "
				"first_error=5/<Input/output error>\n     latency   :"));
	cr_expect(terse_ends_with(f, ";4;5\n"));
	job = first_job(f, &root);
	cr_expect_eq(json_integer_value(json_object_get(job, "total_err")), 4);
	cr_expect_eq(json_integer_value(json_object_get(job, "first_error")), EIO);
	cr_expect_eq(result_failed(&f->r), 0);
	json_decref(root);
	f->spec_job[0].continue_on_error = 0;
	f->spec_job[0].ignore_error = xstrdup("EIO");
	f->spec_job[0].description = xstrdup("text");
	cr_expect(terse_ends_with(f, ";4;5;text\n"));
	fixture_free(f);
}

Test(out_options, no_error_is_a_success)
{
	struct fixture *f = fixture_measured(1);

	f->spec_job[0].continue_on_error = CONTINUE_READ;
	cr_expect(normal_has(f, "     errors    : total=0, first_error=0/<Success>\n"));
	cr_expect(terse_ends_with(f, ";0;0\n"));
	fixture_free(f);
}

Test(out_options, header_tells_the_smallest_and_the_largest_block)
{
	static const struct {
		const char *bssplit, *bsrange, *says;
	} v[] = {
		{NULL, NULL, "bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B,"},
		{NULL, "4k-16k", "bs=(R) 4096B-16.0KiB, (W) 4096B-16.0KiB, (T) 4096B-16.0KiB,"},
		{NULL, "1k-4k,8k-16k", "bs=(R) 1024B-4096B, (W) 8192B-16.0KiB,"},
		{"4k/60:64k/40", NULL, "bs=(R) 4096B-64.0KiB, (W) 4096B-64.0KiB,"},
		{"4k/60:64k/40,8k/100", NULL, "bs=(R) 4096B-64.0KiB, (W) 8192B-8192B,"},
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		struct fixture *f = fixture_new(1);
		struct strbuf out = {0};

		f->spec_job[0].bssplit = v[i].bssplit ? xstrdup(v[i].bssplit) : NULL;
		f->spec_job[0].bsrange = v[i].bsrange ? xstrdup(v[i].bsrange) : NULL;
		report_header(&f->spec, &out);
		cr_expect(strstr(out.s, v[i].says), "%s lacks %s", out.s, v[i].says);
		strbuf_fini(&out);
		fixture_free(f);
	}
}

/* fio 3.33: the depth is the one that was found, the window is in us and the target in ns. */
Test(out_options, the_depth_that_keeps_the_latency)
{
	struct fixture *f = fixture_measured(1);
	json_t *root, *job;

	f->spec_job[0].iodepth = 32;
	cr_expect(normal_has(
		f, "     latency   : target=0, window=0, percentile=100.00%, depth=32\n"));
	f->spec_job[0].latency_target_ns = 2000000;
	f->spec_job[0].latency_window_ns = 200000000;
	f->spec_job[0].latency_percentile = 90;
	f->job[0].search.state = SEARCH_MET;
	f->job[0].search.depth = f->job[0].search.depth_max = 30;
	f->job[0].search.depth_min = 28;
	cr_expect(normal_has(
		f,
		"     latency   : target=2000000, window=200000, percentile=90.00%, depth=30\n"));
	job = first_job(f, &root);
	cr_expect_eq(json_integer_value(json_object_get(job, "latency_depth")), 30);
	cr_expect_eq(json_integer_value(json_object_get(job, "latency_target")), 2000000);
	cr_expect_eq(json_integer_value(json_object_get(job, "latency_window")), 200000);
	cr_expect_eq(json_real_value(json_object_get(job, "latency_percentile")), 90);
	job = json_object_get(json_object_get(job, "iodeck"), "latency_search");
	cr_expect_str_eq(json_string_value(json_object_get(job, "state")), "met");
	cr_expect_eq(json_integer_value(json_object_get(job, "depth_min")), 28);
	json_decref(root);
	fixture_free(f);
}

/* A run of fio 3.33: iops:50%, three seconds; its bandwidth in the second unit is put right. */
Test(out_options, the_steady_state)
{
	static const uint64_t iops[] = {996, 1005, 1001}, bw[] = {4083699, 4116480, 4100100};
	struct fixture *f = fixture_measured(1);
	struct steady_result *s = f->job[0].steady = xcalloc(1, sizeof(*s));
	json_t *root, *job, *data;

	*s = (struct steady_result){.seconds = 3,
				    .n = 3,
				    .attained = true,
				    .criterion = 0.466356,
				    .deviation = 4.666667};
	s->iops = memcpy(xcalloc(3, sizeof(*iops)), iops, sizeof(iops));
	s->bw_bytes = memcpy(xcalloc(3, sizeof(*bw)), bw, sizeof(bw));
	f->spec_job[0].steady_kind = STEADY_IOPS;
	f->spec_job[0].steady_limit = 50;
	f->spec_job[0].steady_pct = true;
	cr_expect(normal_has(f, "  steadystate  : attained=yes, bw=4004KiB/s (4100kB/s), "
				"iops=1000, iops mean dev=0.466%\n"));
	job = json_object_get(first_job(f, &root), "steadystate");
	cr_expect_str_eq(json_string_value(json_object_get(job, "ss")), "iops:50.000000%");
	cr_expect_eq(json_integer_value(json_object_get(job, "duration")), 3);
	cr_expect_eq(json_integer_value(json_object_get(job, "attained")), 1);
	cr_expect_str_eq(json_string_value(json_object_get(job, "criterion")), "0.466356%");
	cr_expect_eq(json_real_value(json_object_get(job, "max_deviation")), 4.666667);
	data = json_object_get(job, "data");
	cr_expect_eq(json_integer_value(json_object_get(data, "bw_mean")), 4100093);
	cr_expect_eq(json_integer_value(json_object_get(data, "iops_mean")), 1000);
	cr_expect_eq(json_integer_value(json_array_get(json_object_get(data, "bw"), 1)), 4116480);
	cr_expect_eq(json_array_size(json_object_get(data, "iops")), 3);
	json_decref(root);
	f->spec_job[0].steady_kind = STEADY_BW_SLOPE;
	f->spec_job[0].steady_pct = false;
	s->attained = false;
	s->criterion = -2;
	cr_expect(normal_has(f, "attained=no, "));
	cr_expect(normal_has(f, "bw slope=-2.000\n"));
	fixture_free(f);
}
