/* suite: stages in the comment lines of a job file, what may be put over them, and their report. */
#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/units.h"
#include "src/out/out_suite.h"
#include "src/spec/profile.h"
#include "src/spec/suite.h"
#include "tests/unit/sweep_rig.h"

static const char text[] = "; What it is.\n"
			   "; More about it.\n"
			   "[global]\n"
			   "bs=4k\n"
			   "[fill]\n"
			   "; iodeck: title=Everything twice\n"
			   "; iodeck: precondition\n"
			   "rw=write\n"
			   "[by-depth]\n"
			   "# iodeck: sweep=qd=1..16 cap=8\n"
			   "rw=randread\n"
			   "[stable]\n"
			   "; iodeck: steady\n"
			   ";iodeck: round=10\n"
			   "; iodeck: rounds=12\n"
			   "rw=randrw\n";

static struct suite suite;
static struct err e;

static void end(void)
{
	suite_fini(&suite);
}

TestSuite(suite, .fini = end);

Test(suite, stages_are_sections_with_keys_in_their_comments)
{
	cr_assert_eq(suite_parse("s.fio", text, &suite, &e), 0, "%s", e.msg);
	cr_expect_str_eq(suite.title, "What it is.");
	cr_assert_eq(suite.n, 3);
	cr_expect_eq(suite.spec.n_jobs, 3);
	cr_expect_eq(suite.stage[0].kind, SUITE_RUN);
	cr_expect(suite.stage[0].opts.precondition);
	cr_expect_str_eq(suite.stage[0].opts.title, "Everything twice");
	cr_expect_eq(suite.stage[1].kind, SUITE_SWEEP);
	cr_expect_eq(sweep_spec_rows(&suite.stage[1].sweep), 5);
	cr_expect_eq(suite.stage[1].sweep.cap_ns, 8 * UNIT_SEC);
	cr_expect_eq(suite.stage[2].kind, SUITE_STEADY);
	cr_expect_eq(suite.stage[2].opts.round_ns, 10 * UNIT_SEC);
	cr_expect_eq(suite.stage[2].opts.rounds, 12);
	cr_expect_eq(suite.stage[2].opts.window, 5, "the default");
}

Test(suite, what_is_wrong_is_told_with_its_place)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"[a]\nrw=read\n; iodeck: swep=qd=1,2\n", "s.fio:3: swep"},
		{"[a]\n; iodeck: sweep\nrw=read\n", "s.fio:2: sweep: a value"},
		{"[a]\n; iodeck: sweep=qd=1,x\nrw=read\n", "[a]: sweep"},
		{"[a]\n; iodeck: sweep=cap=9\nrw=read\n", "no axis"},
		{"[a]\n; iodeck: sweep=qd=1,2\n; iodeck: steady\nrw=read\n", "two stages"},
		{"[a]\n; iodeck: steady\n; iodeck: rounds=4\n; iodeck: window=5\n", "fewer than"},
		{"[a]\n; iodeck: window=2\n", "s.fio:2"},
		{"; iodeck: steady\n[a]\nrw=read\n", "not in a stage"},
		{"[global]\n; iodeck: steady\n[a]\nrw=read\n", "not in a stage"},
		{"[a]\nrw=nothing\n", "s.fio:2"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct suite s;

		e = (struct err){0};
		cr_expect_lt(suite_parse("s.fio", bad[i].text, &s, &e), 0, "case %zu", i);
		cr_expect(strstr(e.msg, bad[i].says), "case %zu: '%s' in '%s'", i, bad[i].says,
			  e.msg);
	}
}

static void override(const char *key, const char *val)
{
	struct opt_given given = {(char *)(uintptr_t)key, (char *)(uintptr_t)val};
	struct job_spec job = {.given = &given, .n_given = 1};

	e = (struct err){0};
	suite_override(&suite, &job, &e);
}

Test(suite, the_target_is_the_users_the_load_is_the_suites)
{
	static const char *const own[] = {"rw", "bs", "iodepth", "runtime", "loops", "rwmixread"};

	cr_assert_eq(suite_parse("s.fio", text, &suite, &e), 0, "%s", e.msg);
	override("filename", "/dev/x");
	cr_expect_eq(e.code, 0, "%s", e.msg);
	override("ioengine", "libaio");
	for (size_t i = 0; i < 3; i++) {
		cr_expect_str_eq(suite.spec.jobs[i].filename, "/dev/x");
		cr_expect_str_eq(suite.spec.jobs[i].ioengine, "libaio");
	}
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		override(own[i], "1");
		cr_expect_eq(e.code, EINVAL, "%s", own[i]);
		cr_expect(strstr(e.msg, own[i]), "%s", e.msg);
	}
}

Test(suite, some_stages_only)
{
	cr_assert_eq(suite_parse("s.fio", text, &suite, &e), 0, "%s", e.msg);
	cr_expect_eq(suite_only(&suite, "nothing", &e), -ENOENT);
	cr_expect(strstr(e.msg, "fill,by-depth,stable"), "%s", e.msg);
	cr_assert_eq(suite_only(&suite, "stable,fill", &e), 0);
	cr_assert_eq(suite.n, 2);
	cr_expect_str_eq(suite.stage[0].name, "fill");
	cr_expect_str_eq(suite.stage[1].name, "stable");
	cr_expect_str_eq(suite.spec.jobs[1].name, "stable");
}

Test(suite, scaled_times_still_make_a_valid_sweep)
{
	static const double factors[] = {0.01, 0.04, 1, 3};

	for (size_t i = 0; i < 4; i++) {
		struct suite s;

		cr_assert_eq(suite_parse("s.fio", text, &s, &e), 0, "%s", e.msg);
		suite_scale(&s, factors[i], factors[i] < 0.1);
		cr_expect_eq(sweep_spec_settle(&s.stage[1].sweep, &e), 0, "%g: %s", factors[i],
			     e.msg);
		cr_expect_geq(s.stage[2].opts.round_ns, 500 * UNIT_MS);
		cr_expect_geq(s.stage[2].opts.rounds, s.stage[2].opts.window);
		suite_fini(&s);
	}
}

/* Every suite that is shipped, by its name. */
Test(suite, the_shipped_one_is_found_and_read)
{
	char *path = suite_find("ssd");

	cr_assert_not_null(path);
	cr_assert_eq(suite_load(path, &suite, &e), 0, "%s", e.msg);
	cr_expect_gt(suite.n, 5);
	for (size_t i = 0; i < suite.n; i++)
		cr_expect_not_null(suite.stage[i].opts.title, "%s", suite.stage[i].name);
	free(path);
	cr_expect_null(suite_find("no-such-suite"));
}

/* ---- the report ---- */

static void measured(struct suite_result *r)
{
	struct sweep_rig *rig = calloc(1, sizeof(*rig));

	cr_assert_eq(suite_parse("s.fio", text, &suite, &e), 0, "%s", e.msg);
	suite_result_init(r, "s", &suite);
	snprintf(r->target, sizeof(r->target), "/dev/x");
	snprintf(r->engine, sizeof(r->engine), "io_uring");
	rig_init(rig, "qd=1..64");
	rig_run(rig, 100000);
	r->stage[0].state = SUITE_SKIPPED;
	snprintf(r->stage[0].why, sizeof(r->stage[0].why), "not asked for");
	r->stage[1].state = SUITE_DONE;
	r->stage[1].sweep = malloc(sizeof(*r->stage[1].sweep));
	*r->stage[1].sweep = rig->sw.v.r;
	r->stage[2].state = SUITE_STOPPED;
	for (int i = 0; i < 6; i++)
		rounds_add(&r->stage[2].rounds, 1000 + i);
	rounds_judge(&r->stage[2].rounds, &r->stage[2].rule, &r->stage[2].verdict);
	free(rig);
}

Test(suite, the_page_tells_every_stage)
{
	static const char *const says[] = {"suite s: What it is.",
					   "/dev/x",
					   "not preconditioned",
					   "[skipped: not asked for]",
					   "qd ",
					   "most  ",
					   "at qd 32",
					   "[cut short",
					   "rounds",
					   "fill: Everything twice"};
	struct suite_result r;
	struct strbuf sb = {0};

	measured(&r);
	suite_out_normal(&r, &sb);
	for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++)
		cr_expect(strstr(strbuf_str(&sb), says[i]), "no '%s' in:\n%s", says[i],
			  strbuf_str(&sb));
	strbuf_fini(&sb);
	suite_result_fini(&r);
}

Test(suite, the_document_has_every_stage_and_null_for_what_is_not_known)
{
	struct suite_result r;
	struct strbuf sb = {0};
	json_t *doc, *stages;

	measured(&r);
	suite_out_json(&r, &sb);
	doc = json_loads(strbuf_str(&sb), 0, NULL);
	cr_assert_not_null(doc);
	stages = json_object_get(doc, "stages");
	cr_assert_eq(json_array_size(stages), 3);
	cr_expect(json_is_null(json_object_get(json_array_get(stages, 1), "why")));
	cr_expect_eq(json_array_size(json_object_get(
			     json_object_get(json_array_get(stages, 1), "sweep"), "cells")),
		     7);
	cr_expect(json_is_null(json_object_get(json_object_get(json_array_get(stages, 2), "steady"),
					       "lat_p50_ns")));
	cr_expect_eq(json_array_size(json_object_get(
			     json_object_get(json_array_get(stages, 2), "steady"), "rounds_iops")),
		     6);
	json_decref(doc);
	strbuf_fini(&sb);
	suite_result_fini(&r);
}
