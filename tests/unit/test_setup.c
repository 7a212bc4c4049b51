/* The strip's fields: steps, limits, typed values, and what a running lane can take over. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "ui/setup.h"

static const struct engine_info engines[] = {{"io_uring", false}, {"psync", true}, {NULL, false}};
static struct ui_state s;

static void begin(void)
{
	memset(&s, 0, sizeof(s));
	s.engines = engines;
	setup_defaults(&s);
}

static void end(void)
{
	job_spec_fini(&s.job);
}

TestSuite(setup, .init = begin, .fini = end);

static void expect_field(enum field f, const char *want)
{
	char text[64];

	state_field_text(&s, f, text, sizeof(text));
	cr_expect_str_eq(text, want, "%s: %s, not %s", state_field_label(f), text, want);
}

static void expect_refused(enum field f, const char *typed, const char *why)
{
	struct err e = {0};
	char before[64];

	state_field_text(&s, f, before, sizeof(before));
	cr_expect_lt(setup_type(&s, f, typed, &e), 0, "%s: \"%s\" was taken", state_field_label(f),
		     typed);
	cr_expect(strstr(e.msg, why), "\"%s\" does not say \"%s\"", e.msg, why);
	expect_field(f, before);
}

Test(setup, the_console_starts_with_harmless_settings)
{
	expect_field(FIELD_RW, "randread");
	expect_field(FIELD_BS, "4 KiB");
	expect_field(FIELD_QD, "32");
	expect_field(FIELD_JOBS, "1");
	expect_field(FIELD_ENGINE, "io_uring");
	expect_field(FIELD_DIRECT, "on");
	expect_field(FIELD_MIX, "-");
	expect_field(FIELD_RATE, "max");
	expect_field(FIELD_TIME, "2:00");
}

Test(setup, typed_values_read_as_people_write_them)
{
	static const struct {
		enum field f;
		const char *typed, *shown;
	} cases[] = {
		{FIELD_BS, "4k", "4 KiB"},
		{FIELD_BS, "4K", "4 KiB"},
		{FIELD_BS, "4kB", "4 KiB"},
		{FIELD_BS, "4 KiB", "4 KiB"},
		{FIELD_BS, "1m", "1 MiB"},
		{FIELD_BS, "4097", "4097 B"},
		{FIELD_QD, "64", "64"},
		{FIELD_QD, "4096", "4096"},
		{FIELD_JOBS, "1024", "1024"},
		{FIELD_RW, "randwrite", "randwrite"},
		{FIELD_ENGINE, "psync", "psync"},
		{FIELD_DIRECT, "off", "off"},
		{FIELD_DIRECT, "1", "on"},
		{FIELD_RATE, "5k", "5000 IOPS"},
		{FIELD_RATE, "1.5k", "1500 IOPS"},
		{FIELD_RATE, "100MiB/s", "100 MiB/s"},
		{FIELD_RATE, "100m/s", "100 MiB/s"},
		{FIELD_RATE, "max", "max"},
		{FIELD_RATE, "0", "max"},
		{FIELD_TIME, "90", "1:30"},
		{FIELD_TIME, "2:00", "2:00"},
		{FIELD_TIME, "1:00:00", "1:00:00"},
		{FIELD_TIME, "1h", "1:00:00"},
		{FIELD_TIME, "<30", "<0:30"},
		{FIELD_TIME, "0", "1 pass"},
		{FIELD_TIME, "1500ms", "1500ms"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err e = {0};

		cr_expect_eq(setup_type(&s, cases[i].f, cases[i].typed, &e), 0, "%s: %s",
			     cases[i].typed, e.msg);
		expect_field(cases[i].f, cases[i].shown);
	}
}

Test(setup, what_a_field_shows_can_be_typed_back)
{
	static const char *const words[] = {"rw=randrw",     "bs=4k/64k",        "qd=48",
					    "jobs=7",        "engine=psync",     "direct=off",
					    "mix=70/30",     "rate=1000,2MiB/s", "time=<1:01:30",
					    "rate=12345IOPS"};
	char shown[64];
	enum field f;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct err e = {0};

		cr_assert_eq(setup_assign(&s, words[i], &f, &e), 0, "%s: %s", words[i], e.msg);
		state_field_text(&s, f, shown, sizeof(shown));
		if (f == FIELD_QD && !state_field_used(&s, f))
			continue;
		cr_assert_eq(setup_type(&s, f, shown, &e), 0, "%s: %s", shown, e.msg);
		expect_field(f, shown);
	}
}

Test(setup, refusals_name_the_reason_and_change_nothing)
{
	expect_refused(FIELD_QD, "0", "0");
	expect_refused(FIELD_QD, "65537", "65537");
	expect_refused(FIELD_QD, "many", "many");
	expect_refused(FIELD_QD, "", "value is needed");
	expect_refused(FIELD_JOBS, "0", "0");
	expect_refused(FIELD_JOBS, "-1", "-1");
	expect_refused(FIELD_BS, "0", "out of range");
	expect_refused(FIELD_BS, "4q", "4q");
	expect_refused(FIELD_BS, "2g", "out of range");
	expect_refused(FIELD_ENGINE, "warp", "io_uring psync");
	expect_refused(FIELD_DIRECT, "maybe", "on or off");
	expect_refused(FIELD_MIX, "70/40", "add up to 100");
	expect_refused(FIELD_MIX, "101", "101");
	expect_refused(FIELD_RATE, "fast", "IOPS");
	expect_refused(FIELD_RATE, "1e9", "1e9");
	expect_refused(FIELD_RATE, "nan", "nan");
	expect_refused(FIELD_TIME, "1:75", "");
	expect_refused(FIELD_TIME, "soon", "soon");
	expect_refused(FIELD_RW, "randread!", "");
}

/* Steps until the field refuses; returns how many were taken. */
static int step_to_end(enum field f, int dir)
{
	int n = 0;

	while (setup_step(&s, f, dir, 0, NULL) == 0 && n < 1000)
		n++;
	return n;
}

Test(setup, qd_and_bs_step_by_powers_of_two_up_to_their_limits)
{
	setup_step(&s, FIELD_QD, 1, 0, NULL);
	expect_field(FIELD_QD, "64");
	setup_type(&s, FIELD_QD, "48", NULL);
	setup_step(&s, FIELD_QD, -1, 0, NULL);
	expect_field(FIELD_QD, "32");
	setup_type(&s, FIELD_QD, "48", NULL);
	setup_step(&s, FIELD_QD, 1, 0, NULL);
	expect_field(FIELD_QD, "64");
	cr_expect_lt(step_to_end(FIELD_QD, 1), 20);
	expect_field(FIELD_QD, "65536");
	step_to_end(FIELD_QD, -1);
	expect_field(FIELD_QD, "1");

	setup_step(&s, FIELD_BS, 1, 0, NULL);
	expect_field(FIELD_BS, "8 KiB");
	step_to_end(FIELD_BS, -1);
	expect_field(FIELD_BS, "512 B");
	step_to_end(FIELD_BS, 1);
	expect_field(FIELD_BS, "64 MiB");
}

Test(setup, unequal_block_sizes_keep_their_ratio)
{
	setup_type(&s, FIELD_RW, "randrw", NULL);
	setup_type(&s, FIELD_BS, "4k/64k", NULL);
	setup_step(&s, FIELD_BS, 1, 0, NULL);
	expect_field(FIELD_BS, "8 KiB/128 KiB");
	step_to_end(FIELD_BS, -1);
	expect_field(FIELD_BS, "512 B/8 KiB");
}

Test(setup, case_62_a_synchronous_engine_has_no_depth)
{
	struct err e = {0};

	setup_type(&s, FIELD_ENGINE, "psync", NULL);
	expect_field(FIELD_QD, "1 sync");
	cr_expect_lt(setup_step(&s, FIELD_QD, 1, 0, &e), 0);
	cr_expect(strstr(e.msg, "synchronous"), "%s", e.msg);
	cr_expect_eq(s.job.iodepth, 32, "kept for the next engine");
}

Test(setup, jobs_and_mix_stop_at_their_ends)
{
	struct err e = {0};

	cr_expect_lt(setup_step(&s, FIELD_JOBS, -1, 0, &e), 0);
	cr_expect_str_eq(e.msg, "jobs: 1 is the last value");
	cr_expect_lt(setup_step(&s, FIELD_MIX, 1, 0, &e), 0);
	cr_expect(strstr(e.msg, "only with rw=rw"), "%s", e.msg);
	setup_type(&s, FIELD_RW, "rw", NULL);
	setup_type(&s, FIELD_MIX, "98", NULL);
	setup_step(&s, FIELD_MIX, 1, 0, NULL);
	expect_field(FIELD_MIX, "100/0");
	cr_expect_lt(setup_step(&s, FIELD_MIX, 1, 0, &e), 0);
	step_to_end(FIELD_MIX, -1);
	expect_field(FIELD_MIX, "0/100");
}

Test(setup, rate_steps_by_ten_percent_and_from_what_is_seen)
{
	struct err e = {0};

	cr_expect_lt(setup_step(&s, FIELD_RATE, 1, 0, &e), 0, "no cap is above none");
	setup_step(&s, FIELD_RATE, -1, 11000, NULL);
	expect_field(FIELD_RATE, "10000 IOPS");
	setup_step(&s, FIELD_RATE, 1, 0, NULL);
	expect_field(FIELD_RATE, "11000 IOPS");
	setup_step(&s, FIELD_RATE, -1, 0, NULL);
	expect_field(FIELD_RATE, "10000 IOPS");
	setup_type(&s, FIELD_RATE, "1", NULL);
	setup_step(&s, FIELD_RATE, 1, 0, NULL);
	expect_field(FIELD_RATE, "2 IOPS");
	setup_type(&s, FIELD_RATE, "9.9m", NULL);
	setup_step(&s, FIELD_RATE, 1, 0, NULL);
	expect_field(FIELD_RATE, "max");
}

Test(setup, rw_and_engine_go_round)
{
	char first[64], text[64];
	int n = 0;

	state_field_text(&s, FIELD_RW, first, sizeof(first));
	do {
		cr_assert_eq(setup_step(&s, FIELD_RW, 1, 0, NULL), 0);
		state_field_text(&s, FIELD_RW, text, sizeof(text));
	} while (++n < 20 && strcmp(text, first) != 0);
	cr_expect_eq(n, 6);
	setup_step(&s, FIELD_ENGINE, -1, 0, NULL);
	expect_field(FIELD_ENGINE, "psync");
	setup_step(&s, FIELD_ENGINE, -1, 0, NULL);
	expect_field(FIELD_ENGINE, "io_uring");
}

Test(setup, time_steps_through_presets_down_to_one_pass)
{
	setup_step(&s, FIELD_TIME, 1, 0, NULL);
	expect_field(FIELD_TIME, "5:00");
	setup_type(&s, FIELD_TIME, "45", NULL);
	setup_step(&s, FIELD_TIME, -1, 0, NULL);
	expect_field(FIELD_TIME, "0:30");
	step_to_end(FIELD_TIME, -1);
	expect_field(FIELD_TIME, "1 pass");
	cr_expect_not(s.job.time_based);
	setup_step(&s, FIELD_TIME, 1, 0, NULL);
	expect_field(FIELD_TIME, "0:10");
	cr_expect(s.job.time_based);
}

Test(setup, set_takes_labels_options_and_nothing_else)
{
	struct err e = {0};
	enum field f;

	cr_expect_eq(setup_assign(&s, "iodepth=16", &f, &e), 0, "%s", e.msg);
	cr_expect_eq(f, FIELD_QD);
	expect_field(FIELD_QD, "16");
	cr_expect_eq(setup_assign(&s, "norandommap=1", &f, &e), 0, "%s", e.msg);
	cr_expect_eq(f, FIELD_NR);
	cr_expect(s.job.norandommap);
	cr_expect_lt(setup_assign(&s, "qdd=16", &f, &e), 0);
	cr_expect(strstr(e.msg, "qdd"), "%s", e.msg);
	cr_expect_lt(setup_assign(&s, "qd", &f, &e), 0);
	cr_expect_lt(setup_assign(&s, "=4", &f, &e), 0);
}

Test(setup, typing_echoes_what_it_means)
{
	s.focus = FIELD_BS;
	setup_edit_begin(&s);
	cr_expect_str_eq(s.edit, "4 KiB");
	strcpy(s.edit, "16k");
	setup_edit_echo(&s);
	cr_expect_str_eq(s.edit_echo, "16 KiB");
	expect_field(FIELD_BS, "4 KiB");
	strcpy(s.edit, "16q");
	setup_edit_echo(&s);
	cr_expect(s.edit_echo[0]);
	cr_expect_str_neq(s.edit_echo, "16 KiB");
	setup_edit_end(&s);
	cr_expect_not(s.editing);
}

Test(setup, a_running_lane_takes_over_one_field_at_a_time)
{
	struct tuning t;

	job_spec_tuning(&s.job, &t);
	setup_type(&s, FIELD_RW, "randwrite", NULL);
	setup_type(&s, FIELD_QD, "64", NULL);
	cr_expect(setup_tune(&t, FIELD_QD, &s.job, IO_BIT(IO_READ)));
	cr_expect_eq(t.qd, 64);
	cr_expect_eq(t.ops, IO_BIT(IO_READ), "the pattern was not asked for");
	cr_expect_not(setup_tune(&t, FIELD_RW, &s.job, IO_BIT(IO_READ)), "needs writes");
	cr_expect_eq(t.ops, IO_BIT(IO_READ));
	setup_type(&s, FIELD_RW, "read", NULL);
	cr_expect(setup_tune(&t, FIELD_RW, &s.job, IO_BIT(IO_READ)));
	cr_expect_not(t.random);
	cr_expect_not(setup_tune(&t, FIELD_ENGINE, &s.job, IO_BIT(IO_READ)));
	cr_expect_not(setup_tune(&t, FIELD_DIRECT, &s.job, IO_BIT(IO_READ)));
	cr_expect_not(setup_tune(&t, FIELD_TIME, &s.job, IO_BIT(IO_READ)));
	setup_type(&s, FIELD_RATE, "5k", NULL);
	cr_expect(setup_tune(&t, FIELD_RATE, &s.job, IO_BIT(IO_READ)));
	cr_expect_eq(t.rate_iops[IO_READ], 5000);
	setup_type(&s, FIELD_RW, "randread:8", NULL);
	cr_expect_not(setup_tune(&t, FIELD_RW, &s.job, IO_BIT(IO_READ)),
		      "a tuning cannot carry the stride");
}
