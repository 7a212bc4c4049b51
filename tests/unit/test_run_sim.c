/* Runs on simulated devices: the target decides the engine, and nothing is written down without the badge. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app_engines.h"
#include "src/out/report.h"
#include "src/spec/cmdline.h"
#include "src/spec/jobfile.h"
#include "src/spec/suite.h"
#include "tests/unit/run_help.h"

TestSuite(run_sim, .init = app_engines_register);

static int parse(const char *args, struct cmdline *c, struct err *e)
{
	char text[512], *argv[32];
	int n = 0;

	snprintf(text, sizeof(text), "%s", args);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		argv[n++] = w;
	*e = (struct err){0};
	return cmdline_parse(n, argv, c, e);
}

Test(run_sim, the_target_decides_the_engine)
{
	static const struct {
		const char *args, *engine; /* of the last job */
	} cases[] = {
		{"--name=a --filename=sim:nvme", "sim"},
		{"--filename=sim:nvme --name=a --name=b", "sim"},
		{"--name=a --filename=sim:nvme?channels=8&seed=7 --ioengine=sim", "sim"},
		{"--name=a --filename=sim:nvme --name=b --filename=/dev/null", "psync"},
		{"--name=a --filename=sim:hdd --set filename=/dev/null", "psync"},
		{"--name=a --filename=/dev/null --set filename=sim:hdd", "sim"},
		{"--name=a --filename=/dev/null --ioengine=libaio", "libaio"},
		/* An escaped colon is one of a file's name, as in fio. */
		{"--name=a --filename=sim\\:nvme --ioengine=psync", "psync"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cmdline c;
		struct err e;

		cr_assert_eq(parse(cases[i].args, &c, &e), 0, "%s: %s", cases[i].args, e.msg);
		cr_expect_str_eq(c.spec.jobs[c.spec.n_jobs - 1].ioengine, cases[i].engine, "%s",
				 cases[i].args);
		cmdline_fini(&c);
	}
}

Test(run_sim, another_engine_is_refused_by_name)
{
	static const char *const bad[] = {
		"--name=a --ioengine=libaio --filename=sim:nvme",
		"--ioengine=libaio --name=a --filename=sim:nvme",
		"--filename=sim:nvme --name=a --ioengine=libaio",
		"--name=a --filename=sim:nvme --set ioengine=libaio",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cmdline c;
		struct err e;

		cr_assert_lt(parse(bad[i], &c, &e), 0, "%s", bad[i]);
		cr_expect(strstr(e.msg, "ioengine=sim") && strstr(e.msg, "ioengine=libaio"),
			  "%s: %s", bad[i], e.msg);
	}
}

Test(run_sim, job_files_too)
{
	static const char text[] = "[global]\nfilename=sim:sata\n[a]\n[b]\nioengine=sim\n"
				   "[c]\nfilename=/dev/null\n",
			  bad[] = "[global]\nioengine=libaio\n[a]\nfilename=sim:sata\n";
	static const char *const engines[] = {"sim", "sim", "psync"};
	struct err e = {0};
	struct spec spec;

	spec_init(&spec);
	cr_assert_eq(jobfile_parse("j.fio", text, strlen(text), NULL, &spec, &e), 0, "%s", e.msg);
	for (size_t i = 0; i < 3; i++)
		cr_expect_str_eq(spec.jobs[i].ioengine, engines[i]);
	spec_fini(&spec);
	spec_init(&spec);
	cr_expect_lt(jobfile_parse("j.fio", bad, strlen(bad), NULL, &spec, &e), 0);
	cr_expect(strstr(e.msg, "j.fio:3") && strstr(e.msg, "ioengine=libaio"), "%s", e.msg);
	spec_fini(&spec);
}

/* A suite's own engine is for real targets; only a chosen one is held against the target. */
Test(run_sim, a_suites_engine_gives_way)
{
	static const char text[] = "; x\n[global]\nioengine=io_uring\n[a]\nrw=randread\n";
	struct suite suite;
	struct cmdline c;
	struct err e = {0};

	cr_assert_eq(suite_parse("s.fio", text, &suite, &e), 0, "%s", e.msg);
	cr_assert_eq(parse("--name=s --filename=sim:nvme", &c, &e), 0, "%s", e.msg);
	cr_assert_eq(suite_override(&suite, &c.spec.jobs[0], &e), 0, "%s", e.msg);
	cr_expect_str_eq(suite.spec.jobs[0].ioengine, "sim");
	cmdline_fini(&c);
	cr_assert_eq(parse("--name=s --filename=/dev/null", &c, &e), 0, "%s", e.msg);
	cr_assert_eq(suite_override(&suite, &c.spec.jobs[0], &e), 0, "%s", e.msg);
	cmdline_fini(&c);
	suite_fini(&suite);
}

/* Each format says it; a log's rows cannot, so its name does. */
Test(run_sim, every_export_says_simulated)
{
	static const struct {
		unsigned format;
		const char *says;
	} formats[] = {{FORMAT_NORMAL, "SIMULATED"},
		       {FORMAT_TERSE, "SIMULATED"},
		       {FORMAT_JSON, "\"simulated\": true"}};
	char dir[64], path[128], args[512];
	struct run_help h;

	tmp_make(dir, sizeof(dir), "/tmp");
	snprintf(args, sizeof(args),
		 "--name=j --filename=sim:nvme --rw=randread --number_ios=100 "
		 "--write_bw_log=%s/j --write_lat_log=%s/j --write_hist_log=%s/j "
		 "--log_hist_msec=1000",
		 dir, dir, dir);
	cr_assert_eq(run_help(&h, args, ""), 0, "%s", h.e.msg);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct strbuf sb = {0};

		report_print(formats[i].format, h.r, &sb);
		cr_expect(strstr(strbuf_str(&sb), formats[i].says), "%s", strbuf_str(&sb));
		strbuf_fini(&sb);
	}
	for (const char *const *k = (const char *const[]){"bw", "lat", "clat", "clat_hist", NULL};
	     *k; k++) {
		snprintf(path, sizeof(path), "%s/j_%s.sim.1.log", dir, *k);
		cr_expect_eq(access(path, R_OK), 0, "%s", path);
	}
	run_help_fini(&h);
	tmp_remove(dir);
}
