/* The reports of a sweep, and the job file that fio runs. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"
#include "run_help.h"
#include "src/app_sweep_args.h"
#include "src/base/fsutil.h"
#include "src/out/out_sweep.h"
#include "src/out/sweep_load.h"
#include "src/spec/jobfile.h"
#include "sweep_rig.h"

static struct sweep_rig *measured(const char *words, unsigned ticks)
{
	struct sweep_rig *r = calloc(1, sizeof(*r));

	rig_init(r, words);
	r->bps = 3e9;
	rig_run(r, ticks);
	snprintf(r->sw.v.r.target, sizeof(r->sw.v.r.target), "/dev/sim");
	snprintf(r->sw.v.r.engine, sizeof(r->sw.v.r.engine), "io_uring");
	snprintf(r->sw.v.r.rw, sizeof(r->sw.v.r.rw), "randread");
	return r;
}

Test(golden_out_sweep, text_and_csv)
{
	struct sweep_rig *done = measured("qd=1..64 bs=4k,16k slo=p99<500us", 100000),
			 *half = measured("qd=1..8 bs=4k,16k", 120);
	struct strbuf sb = {0};

	sweep_report(SWEEP_NORMAL, &done->sw.v.r, NULL, &sb);
	golden_text("out-sweep-normal", strbuf_str(&sb));
	strbuf_reset(&sb);
	sweep_report(SWEEP_NORMAL, &half->sw.v.r, NULL, &sb);
	golden_text("out-sweep-half", strbuf_str(&sb));
	strbuf_reset(&sb);
	sweep_report(SWEEP_CSV, &half->sw.v.r, NULL, &sb);
	golden_text("out-sweep-csv", strbuf_str(&sb));
	strbuf_fini(&sb);
	free(done);
	free(half);
}

static unsigned commas(const char *line)
{
	unsigned n = 0;

	for (; *line && *line != '\n'; line++)
		n += *line == ',';
	return n;
}

Test(out_sweep, case_103_csv_names_every_field_with_its_unit)
{
	static const char *const words[] = {"qd=1,2 bs=4k,8k jobs=2", "engine=psync,mmap jobs=1,2",
					    "rwmixread=0,50"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct sweep_rig *r = measured(words[i], 60);
		struct strbuf sb = {0};
		const char *line;
		unsigned lines = 0;

		sweep_out_csv(&r->sw.v.r, &sb);
		for (line = strbuf_str(&sb); *line; line = strchr(line, '\n') + 1, lines++)
			cr_expect_eq(commas(line), commas(strbuf_str(&sb)), "%s", line);
		cr_expect_eq(lines, 1 + r->sw.v.r.rows * r->sw.v.r.cols);
		cr_expect_null(strstr(strbuf_str(&sb), "nan"));
		strbuf_fini(&sb);
		free(r);
	}
}

static double number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	cr_assert_not_null(v, "%s", key);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

Test(out_sweep, json_is_one_document_with_the_same_numbers)
{
	struct sweep_rig *r = measured("qd=1..64 bs=4k,16k slo=p99<500us", 100000);
	struct strbuf sb = {0};
	const json_t *cell, *col;
	json_error_t e;
	json_t *doc;

	sweep_out_json(&r->sw.v.r, NULL, &sb);
	doc = json_loads(strbuf_str(&sb), 0, &e);
	cr_assert_not_null(doc, "%s", e.text);
	cr_expect_eq(json_array_size(json_object_get(doc, "cells")), 14);
	cell = json_array_get(json_object_get(doc, "cells"), 5);
	cr_expect_eq(number(cell, "qd"), 4);
	cr_expect_eq(number(cell, "bs"), 16384);
	cr_expect_lt(fabs(number(cell, "iops") / sweep_cell_get(&r->sw.v.r, 2, 1)->iops - 1), 1e-9);
	col = json_array_get(json_object_get(doc, "columns"), 0);
	cr_expect_eq(number(col, "knee_power_at"), 32);
	cr_expect_eq(number(json_object_get(col, "slo"), "load"), (double)r->sw.v.r.slo[0].load);
	cr_expect_gt(number(json_object_get(col, "fit"), "xmax_iops"), 390e3);
	json_decref(doc);
	strbuf_fini(&sb);
	free(r);
}

Test(out_sweep, json_of_a_cell_without_io_has_nulls)
{
	struct sweep_rig *r = calloc(1, sizeof(*r));
	struct strbuf sb = {0};
	const json_t *cell;
	json_t *doc;

	rig_init(r, "qd=1,2 cap=1 min=1");
	r->dead = true;
	rig_run(r, 1000);
	sweep_out_json(&r->sw.v.r, NULL, &sb);
	doc = json_loads(strbuf_str(&sb), 0, NULL);
	cell = json_array_get(json_object_get(doc, "cells"), 0);
	cr_expect_str_eq(json_string_value(json_object_get(cell, "state")), "no-io");
	cr_expect_eq(number(cell, "iops"), 0);
	cr_expect(json_is_null(json_object_get(cell, "lat_p99_ns")));
	cr_expect(json_is_null(json_object_get(cell, "cpu_ns_per_io")));
	json_decref(doc);
	strbuf_fini(&sb);
	free(r);
}

/* fio takes the file, and so do we; every cell is a section with its settings. */
Test(out_sweep, the_job_file_is_fio_s)
{
	struct sweep_rig *r = measured("qd=1..8 bs=4k,16k jobs=2", 100000);
	char dir[64], path[96], cmd[192];
	struct strbuf sb = {0};
	struct job_spec job;
	struct spec spec;
	struct err e = {0};

	job_spec_init(&job);
	job_spec_note_given(&job, "size", "1m");
	option_set(option_find(job_options, "size"), &job, "1m", 1024, &e);
	option_set(option_find(job_options, "rw"), &job, "randread", 1024, &e);
	sweep_out_jobs(&r->sw.v.r, &job, &sb);
	spec_init(&spec);
	cr_assert_eq(jobfile_parse("x", strbuf_str(&sb), sb.len, NULL, &spec, &e), 0, "%s\n%s",
		     e.msg, strbuf_str(&sb));
	cr_assert_eq(spec.n_jobs, 8);
	cr_expect_str_eq(spec.jobs[3].name, "qd2-bs16k");
	cr_expect_eq(spec.jobs[3].iodepth, 2);
	cr_expect_eq(spec.jobs[3].iodepth_batch, 2, "fio batches as iodeck did");
	cr_expect_eq(spec.jobs[3].iodepth_batch_complete_max, 2);
	cr_expect_eq(spec.jobs[3].bs_bytes[IO_READ], 16384);
	cr_expect_eq(spec.jobs[3].numjobs, 2);
	cr_expect(spec.jobs[3].stonewall && spec.jobs[3].time_based);
	cr_expect_eq(spec.jobs[3].runtime_ns, 2000000000u, "1.5 s measured");
	if (access("/usr/bin/fio", X_OK) == 0) {
		tmp_make(dir, sizeof(dir), "/tmp");
		snprintf(path, sizeof(path), "%s/jobs.fio", dir);
		cr_assert_eq(fs_write_atomic(path, strbuf_str(&sb), sb.len), 0);
		snprintf(cmd, sizeof(cmd), "cd %s && fio --parse-only jobs.fio >out 2>&1", dir);
		cr_expect_eq(system(cmd), 0, "fio refuses:\n%s", strbuf_str(&sb));
		tmp_remove(dir);
	}
	spec_fini(&spec);
	job_spec_fini(&job);
	strbuf_fini(&sb);
	free(r);
}

Test(out_sweep, formats)
{
	struct err e = {0};

	cr_expect_eq(sweep_formats_parse("normal", &e), SWEEP_NORMAL);
	cr_expect_eq(sweep_formats_parse("json,csv", &e), SWEEP_JSON | SWEEP_CSV);
	cr_expect_eq(sweep_formats_parse("terse", &e), 0);
	cr_expect(strstr(e.msg, "normal, json, csv"), "%s", e.msg);
	cr_expect_eq(sweep_formats_parse("", &e), 0);
	cr_expect_eq(sweep_formats_parse("json,", &e), 0);
}

/* -- the command line ------------------------------------------------------------------------- */

static int parse(const char *line, struct sweep_args *a, struct err *e)
{
	static char text[512];
	char *argv[32];
	int n = 0;

	snprintf(text, sizeof(text), "%s", line);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		argv[n++] = w;
	return sweep_args_parse(n, argv, a, e);
}

Test(sweep_args, several_values_are_an_axis_one_is_a_setting)
{
	struct sweep_args a;
	struct err e = {0};

	cr_assert_eq(parse("--filename=/tmp/x --rw=randread --ioengine=io_uring --bs=8k --qd=1..8 "
			   "--slo-search=0 --slo p99<1ms --numjobs=1,2 --output-format=json "
			   "--export-jobs=/tmp/j",
			   &a, &e),
		     0, "%s", e.msg);
	cr_expect_eq(a.spec.row, SWEEP_QD);
	cr_expect_eq(a.spec.col, SWEEP_JOBS);
	cr_expect_eq(a.spec.axis[SWEEP_BS].n, 0);
	cr_expect_eq(a.cmd.spec.jobs[0].bs_bytes[IO_READ], 8192);
	cr_expect_str_eq(a.cmd.spec.jobs[0].ioengine, "io_uring");
	cr_expect_eq(a.spec.slo.limit_ns, 1000000);
	cr_expect_not(a.spec.slo_search);
	cr_expect_eq(a.formats, SWEEP_JSON);
	cr_expect_str_eq(a.export_jobs, "/tmp/j");
	sweep_args_fini(&a);
}

Test(sweep_args, refusals)
{
	static const struct {
		const char *line, *part;
	} cases[] = {
		{"--filename=/tmp/x", "no axis"},
		{"--filename=/tmp/x --qd", "needs a value"},
		{"--filename=/tmp/x --qd=1,2 --output-format=x", "no format"},
		{"--filename=/tmp/x --qd=1,2 --nix=3", "unknown option"},
		{"--qd=1,2 --name=a --name=b", "one job"},
		{"--qd=1,2 --bs=4k,x", "bs"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_args a;
		struct err e = {0};

		cr_expect_lt(parse(cases[i].line, &a, &e), 0, "%s", cases[i].line);
		cr_expect(strstr(e.msg, cases[i].part), "%s: %s", cases[i].line, e.msg);
	}
}

/* ---- saved and read back ---- */

static char *saved_text(const struct sweep_result *r)
{
	struct strbuf sb = {0};
	struct job_spec job;

	job_spec_init(&job);
	sweep_out_json(r, &job, &sb);
	job_spec_fini(&job);
	return sb.s;
}

Test(out_sweep, what_is_saved_is_read_back_to_the_same_document)
{
	static const struct {
		const char *words;
		unsigned ticks;
	} cases[] = {{"qd=1..64 bs=4k,16k slo=mean<150us", 100000},
		     {"qd=1..8 bs=4k,16k", 120},
		     {"qd=1..256 skip_saturated=1", 100000},
		     {"qd=1,2", 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_rig *r = measured(cases[i].words, cases[i].ticks);
		struct sweep_saved *back = calloc(1, sizeof(*back));
		struct err e = {0};
		char *text, *again;

		/* A cell at work is not saved as one. */
		sweep_interrupt(&r->sw, SWEEP_STOPPED, NULL);
		text = saved_text(&r->sw.v.r);
		cr_assert_eq(sweep_load_text("x.json", text, back, &e), 0, "%s", e.msg);
		again = saved_text(&back->r);
		cr_expect_str_eq(again, text, "%s", cases[i].words);
		sweep_saved_fini(back);
		free(again);
		free(text);
		free(back);
		free(r);
	}
}

Test(out_sweep, what_is_no_saved_sweep_is_refused_by_name)
{
	static const char no_cells[] =
		"{\"sweep\": \"qd=1,2\", \"job\": \"\", \"target\": \"\", "
		"\"target_id\": \"\", \"engine\": \"\", \"rw\": \"\", \"cells\": [], "
		"\"columns\": []}";
	static const char *const bad[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"sweep\": \"qd=1,2\"}",
		no_cells,
		"{\"sweep\": \"qd=1,2,x\", \"job\": \"\"}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sweep_saved *s = calloc(1, sizeof(*s));
		struct err e = {0};

		cr_expect_lt(sweep_load_text("x.json", bad[i], s, &e), 0, "%s", bad[i]);
		cr_expect(strncmp(e.msg, "x.json", 6) == 0, "%s", e.msg);
		free(s);
	}
}

/* Cut off anywhere, it is refused, and nothing is left behind. */
Test(out_sweep, half_a_saved_sweep_is_refused)
{
	struct sweep_rig *r = measured("qd=1,2 bs=4k,8k", 100000);
	char *text = saved_text(&r->sw.v.r);
	size_t len = strlen(text);

	for (size_t cut = 0; cut + 3 < len; cut += 37) {
		struct sweep_saved *s = calloc(1, sizeof(*s));
		struct err e = {0};
		char c = text[cut];

		text[cut] = '\0';
		cr_expect_lt(sweep_load_text("x.json", text, s, &e), 0, "%zu of %zu", cut, len);
		text[cut] = c;
		free(s);
	}
	free(text);
	free(r);
}
