/* option rows: every row of the job table, with every kind of bad value, and back from text to text. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/option.h"
#include "src/spec/job_spec.h"
#include "tests/unit/random_row.h"

static const struct option_def *row_of(const char *name)
{
	const struct option_def *row = option_find(job_options, name);

	cr_assert_not_null(row, "%s", name);
	return row;
}

/* Sets and compares: a refused value must leave everything as it was and say why. */
static void expect_refused(const struct option_def *row, const char *text)
{
	struct job_spec job, before;
	struct err e = {0};

	job_spec_init(&job);
	job_spec_init(&before);
	cr_expect_lt(option_set(row, &job, text, 1024, &e), 0, "%s=%s was taken", row->name,
		     text ? text : "(bare)");
	cr_expect_gt(e.code, 0);
	cr_expect_not_null(strstr(e.msg, row->name), "%s: %s", row->name, e.msg);
	if (text && *text)
		cr_expect_not_null(strstr(e.msg, text), "%s=%s: %s", row->name, text, e.msg);
	for (const struct option_def *r = job_options; r->name; r++)
		cr_expect(option_equal(r, &job, &before), "%s=%s changed %s", row->name,
			  text ? text : "(bare)", r->name);
	job_spec_fini(&job);
	job_spec_fini(&before);
}

static const char *set_and_print(const char *name, const char *text, unsigned kb_base,
				 struct strbuf *out)
{
	struct job_spec job;
	struct err e = {0};

	job_spec_init(&job);
	strbuf_reset(out);
	cr_expect_eq(option_set(row_of(name), &job, text, kb_base, &e), 0, "%s=%s: %s", name, text,
		     e.msg);
	option_print(row_of(name), &job, out);
	job_spec_fini(&job);
	return strbuf_str(out);
}

static void expect_set(const char *name, const char *text, const char *printed)
{
	struct strbuf out = {0};

	cr_expect_str_eq(set_and_print(name, text, 1024, &out), printed, "%s=%s gave %s", name,
			 text ? text : "(bare)", strbuf_str(&out));
	strbuf_fini(&out);
}

Test(option, every_row_has_a_help_and_a_default_it_accepts)
{
	for (const struct option_def *row = job_options; row->name; row++) {
		struct job_spec job = {0};
		struct strbuf range = {0};

		cr_expect(row->help && strlen(row->help) > 8, "%s", row->name);
		option_range(row, &range);
		cr_expect_gt(range.len, 0, "%s says nothing about its range", row->name);
		strbuf_fini(&range);
		if (row->def) {
			cr_expect_eq(option_set(row, &job, row->def, 1024, NULL), 0, "%s",
				     row->name);
			option_free(job_options, &job);
		}
		cr_expect_eq(option_find(job_options, row->name), row, "%s stands twice",
			     row->name);
		if (row->alias)
			cr_expect_eq(option_find(job_options, row->alias), row, "%s", row->alias);
	}
}

Test(option, bare_word_means_one_for_flags_and_is_refused_elsewhere)
{
	for (const struct option_def *row = job_options; row->name; row++) {
		if (option_is_bare(row))
			expect_set(row->name, NULL, "1");
		else if (row->flags & OPT_BARE_STR)
			expect_set(row->name, NULL, "");
		else
			expect_refused(row, NULL);
	}
}

Test(option, the_bare_word_of_a_text_differs_from_not_set)
{
	const struct option_def *row = row_of("write_bw_log");
	struct job_spec set, unset, copy = {0};

	job_spec_init(&set);
	job_spec_init(&unset);
	cr_assert_eq(option_set(row, &set, NULL, 1024, NULL), 0);
	cr_expect_str_eq(set.write_bw_log, "");
	cr_expect_null(unset.write_bw_log);
	cr_expect(!option_equal(row, &set, &unset));
	cr_expect(option_prints_bare(row, &set));
	cr_expect(!option_prints_bare(row, &unset));
	option_copy(job_options, &copy, &set);
	cr_expect(option_equal(row, &set, &copy));
	job_spec_fini(&set);
	job_spec_fini(&unset);
	job_spec_fini(&copy);
}

/* case axboe/fio#511: a list with duplicates gives each key once; fio takes at most 20 entries. */
Test(option, case_107_percentile_list_is_sorted_and_unique)
{
	expect_set("percentile_list", "50:50:99.99", "50:99.99");
	expect_set("percentile_list", "99.9:50:99.999:1", "1:50:99.9:99.999");
	expect_set("percentile_list", "0:100", "0:100");
	expect_set("percentile_list", "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20",
		   "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20");
	expect_refused(row_of("percentile_list"),
		       "1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:20");
	expect_refused(row_of("percentile_list"), "50:");
	expect_refused(row_of("percentile_list"), "50:100.1");
	expect_refused(row_of("percentile_list"), "50:nan");
	expect_refused(row_of("percentile_list"), "5e1");
	expect_refused(row_of("percentile_list"), "50,90");
}

Test(option, every_row_refuses_an_empty_value)
{
	for (const struct option_def *row = job_options; row->name; row++)
		expect_refused(row, "");
}

Test(option, every_row_but_texts_refuses_bad_numbers)
{
	static const char *const bad[] = {
		"-1",
		"-4k",
		"junk",
		"4x",
		"4kfoo",
		"4 k",
		"4.5k",
		" 4k",
		"4k ",
		"0x",
		"1e3",
		"0x1k",
		"4z",
		"--1",
		"yes",
		"1,5,7,9",
		"1..5",
		"99999999999999999999999",
		"18446744073709551616",
		"20000p",
	};

	for (const struct option_def *row = job_options; row->name; row++) {
		bool negative_ok = strcmp(row->name, "nice") == 0;

		for (size_t i = 0; row->type != OPT_STR && i < sizeof(bad) / sizeof(bad[0]); i++)
			if (!negative_ok || strcmp(bad[i], "-1") != 0)
				expect_refused(row, bad[i]);
	}
}

Test(option, values_outside_min_and_max_are_refused)
{
	char text[32];

	for (const struct option_def *row = job_options; row->name; row++) {
		if (row->type == OPT_STR || row->type == OPT_TIME)
			continue;
		if (row->min) {
			snprintf(text, sizeof(text), "%llu", (unsigned long long)row->min - 1);
			expect_refused(row, text);
		}
		if (row->max) {
			snprintf(text, sizeof(text), "%llu", (unsigned long long)row->max + 1);
			expect_refused(row, text);
		}
	}
	expect_refused(row_of("loops"), "4294967296");
	expect_refused(row_of("runtime"), "100000000d");
}

Test(option, print_and_set_are_inverse_for_random_legal_values)
{
	struct rng rng;
	char text[128];

	rng_seed(&rng, 20);
	for (const struct option_def *row = job_options; row->name; row++) {
		for (unsigned i = 0; i < 300; i++) {
			struct job_spec a, b;
			struct strbuf printed = {0};
			unsigned kb_base = i % 2 ? 1000 : 1024;
			struct err e = {0};

			job_spec_init(&a);
			job_spec_init(&b);
			random_row_text(&rng, row, "text", text, sizeof(text));
			cr_assert_eq(option_set(row, &a, text, 1024, &e), 0, "%s=%s: %s", row->name,
				     text, e.msg);
			option_print_kb(row, &a, kb_base, &printed);
			cr_assert_eq(option_set(row, &b, strbuf_str(&printed), kb_base, &e), 0,
				     "%s=%s: %s", row->name, strbuf_str(&printed), e.msg);
			cr_expect(option_equal(row, &a, &b), "%s=%s came back differently",
				  row->name, text);
			strbuf_fini(&printed);
			job_spec_fini(&a);
			job_spec_fini(&b);
		}
	}
}

Test(option, copy_is_deep_and_equal)
{
	struct job_spec a, b;

	job_spec_init(&a);
	option_set(row_of("filename"), &a, "x\\:y:z", 1024, NULL);
	option_set(row_of("rw"), &a, "randrw:8", 1024, NULL);
	job_spec_note_given(&a, "rw", "randrw:8");
	job_spec_copy(&b, &a);
	for (const struct option_def *row = job_options; row->name; row++)
		cr_expect(option_equal(row, &a, &b), "%s", row->name);
	cr_expect_neq(a.filename, b.filename);
	cr_expect_eq(b.n_given, 1);
	cr_expect_str_eq(b.given[0].val, "randrw:8");
	job_spec_fini(&a);
	cr_expect_str_eq(b.filename, "x\\:y:z");
	job_spec_fini(&b);
}

Test(option, sizes_follow_fio)
{
	static const struct {
		char name[20], text[24], printed[24];
	} cases[] = {
		{"size", "4k", "4k"},        {"size", "4kb", "4k"},
		{"size", "4ki", "4k"},       {"size", "4KiB", "4000"},
		{"size", "1mib", "1000000"}, {"size", "0x1000", "4k"},
		{"size", "25%", "25%"},      {"size", "100%", "100%"},
		{"size", "0", "0"},          {"size", "0%", "0"},
		{"io_size", "5g", "5g"},     {"offset", "10%", "10%"},
		{"iodepth", "1k", "1024"},   {"rate_iops", "10k", "10240"},
		{"number_ios", "0x4", "4"},  {"rate", "1m,500k", "1m,500k"},
	};
	struct strbuf out = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_set(cases[i].name, cases[i].text, cases[i].printed);
	cr_expect_str_eq(set_and_print("size", "4k", 1000, &out), "4000");
	cr_expect_str_eq(set_and_print("size", "4KiB", 1000, &out), "4k");
	strbuf_fini(&out);
	expect_refused(row_of("size"), "110%");
	expect_refused(row_of("size"), "-50%");
	expect_refused(row_of("io_size"), "150%");
	expect_refused(row_of("number_ios"), "10%");
	expect_refused(row_of("bs"), "1%");
}

/* Each line was run with fio 3.33. The defaults are 4k. */
Test(option, block_size_lists_fill_as_fio_does)
{
	static const struct {
		char text[16], printed[16];
	} cases[] = {
		{"8k", "8k"},           {",8k", "4k,8k"},
		{"8k,", "8k,4k"},       {"8k,,16k", "8k,4k,16k"},
		{"4k,8k,", "4k,8k,4k"}, {"4k:8k:16k", "4k,8k,16k"},
		{"4k-8k", "4k,8k"},     {"16k,,", "16k,4k"},
		{",8k,", "4k,8k,4k"},   {"8k,16k:32k", "8k,16k,32k"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_set("bs", cases[i].text, cases[i].printed);
	expect_refused(row_of("bs"), ",");
	expect_refused(row_of("bs"), "4k,8k,16k,32k");
	expect_refused(row_of("bs"), "-4k");
	expect_refused(row_of("bs"), "4k,0");
}

Test(option, rw_words_and_suffixes)
{
	static const struct {
		char text[20], printed[20];
		struct rw_spec rw;
	} cases[] = {
		{"read", "read", {.ops = 1, .rand_every = 1}},
		{"readwrite", "rw", {.ops = 3, .rand_every = 1}},
		{"randrw", "randrw", {.ops = 3, .random = true, .rand_every = 1}},
		{"randread:8", "randread:8", {.ops = 1, .random = true, .rand_every = 8}},
		{"read:4k", "read:4096", {.ops = 1, .rand_every = 1, .seq_delta_bytes = 4096}},
		{"write:-8k", "write:-8192", {.ops = 2, .rand_every = 1, .seq_delta_bytes = -8192}},
		{"randtrimwrite",
		 "randtrimwrite",
		 {.ops = 6, .random = true, .trim_first = true, .rand_every = 1}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct job_spec job;

		job_spec_init(&job);
		cr_assert_eq(option_set(row_of("rw"), &job, cases[i].text, 1024, NULL), 0, "%s",
			     cases[i].text);
		cr_expect_eq(job.rw.ops, cases[i].rw.ops, "%s", cases[i].text);
		cr_expect_eq(job.rw.random, cases[i].rw.random);
		cr_expect_eq(job.rw.trim_first, cases[i].rw.trim_first);
		cr_expect_eq(job.rw.rand_every, cases[i].rw.rand_every);
		cr_expect_eq(job.rw.seq_delta_bytes, cases[i].rw.seq_delta_bytes);
		job_spec_fini(&job);
		expect_set("rw", cases[i].text, cases[i].printed);
	}
	expect_refused(row_of("rw"), "randrw:foo");
	expect_refused(row_of("rw"), "randread:");
	expect_refused(row_of("rw"), "randread:0");
	expect_refused(row_of("rw"), "trim write");
	expect_refused(row_of("rw"), "Read");
}

Test(option, opposites_write_the_field_of_the_other_row)
{
	struct job_spec job;

	job_spec_init(&job);
	cr_expect_eq(option_set(row_of("buffered"), &job, "0", 1024, NULL), 0);
	cr_expect(job.direct);
	cr_expect_eq(option_set(row_of("rwmixwrite"), &job, "30", 1024, NULL), 0);
	cr_expect_eq(job.rwmixread, 70);
	cr_expect_eq(option_set(row_of("rwmixread"), &job, "20", 1024, NULL), 0);
	cr_expect_eq(job.rwmixread, 20);
	job_spec_fini(&job);
	expect_refused(row_of("rwmixwrite"), "101");
}

Test(option, durations_say_what_they_say_and_note_where_fio_differs)
{
	static const struct {
		char text[12], printed[12];
		bool noted;
	} cases[] = {
		{"60", "60", false},       {"500ms", "500ms", false}, {"1m", "60", false},
		{"1min", "60", true},      {"1sec", "1", true},       {"1.5", "1500ms", true},
		{"10usec", "10us", false}, {"2H", "7200", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf note = {0}, out = {0};
		struct job_spec job;

		job_spec_init(&job);
		cr_expect_eq(
			option_set_note(row_of("runtime"), &job, cases[i].text, 1024, &note, NULL),
			0);
		option_print(row_of("runtime"), &job, &out);
		cr_expect_str_eq(strbuf_str(&out), cases[i].printed);
		cr_expect_eq(note.len > 0, cases[i].noted, "%s: %s", cases[i].text,
			     strbuf_str(&note));
		strbuf_fini(&note);
		strbuf_fini(&out);
		job_spec_fini(&job);
	}
	expect_refused(row_of("runtime"), "00:00:01");
	expect_refused(row_of("runtime"), "-5");
	expect_refused(row_of("runtime"), "1parsec");
	expect_refused(row_of("runtime"), "0.0000001");
	expect_set("startdelay", "1-2", "1-2");
	expect_set("startdelay", "2s-500ms", "500ms-2");
	expect_refused(row_of("startdelay"), "1-");
	expect_refused(row_of("startdelay"), "1-2-3");
}

Test(option, the_message_names_option_text_and_range)
{
	struct job_spec job;
	struct err e = {0};

	job_spec_init(&job);
	option_set(row_of("iodepth"), &job, "70000", 1024, &e);
	cr_expect_str_eq(e.msg, "iodepth=70000: out of range; accepted: a whole number from 1 to "
				"65536");
	option_set(row_of("direct"), &job, "yes", 1024, &e);
	cr_expect_str_eq(e.msg, "direct=yes: not 0 or 1; accepted: 0 or 1");
	job_spec_fini(&job);
}

Test(option, nearest_name)
{
	static const struct {
		char typed[24], nearest[24];
	} cases[] = {
		{"io_engine", "ioengine"},  {"rwmixreed", "rwmixread"}, {"iodpth", "iodepth"},
		{"blocksise", "blocksize"}, {"numjob", "numjobs"},      {"run_time", "runtime"},
	};
	char longest[200] = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_str_eq(option_nearest(job_options, cases[i].typed), cases[i].nearest,
				 "%s", cases[i].typed);
	cr_expect_null(option_nearest(job_options, "xxxxxxxxxxxx"));
	cr_expect_null(option_nearest(job_options, ""));
	memset(longest, 'a', sizeof(longest) - 1);
	cr_expect_null(option_nearest(job_options, longest));
	cr_expect_eq(option_distance("kitten", "sitting"), 3);
	cr_expect_eq(option_distance("", "abc"), 3);
	cr_expect_eq(option_distance(longest, "a"), UINT_MAX);
}

Test(option, file_names_escape_and_come_back)
{
	static const char *const paths[] = {"x:y.dat", "/dev/sda", ":", "a\\b", "::a:", "\\:"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char *list = spec_path_escape(paths[i]);
		const char *p = list;
		char *back = spec_path_next(&p);

		cr_expect_str_eq(back, paths[i]);
		cr_expect_null(spec_path_next(&p), "%s gave two names", list);
		free(back);
		free(list);
	}
}

/* A bare number counts in the row's own unit, so 1s must not be kept as "1" where that is a microsecond. */
Test(option, a_duration_reads_back_the_same_whatever_a_bare_number_counts)
{
	static const char *const texts[] = {"1s", "90s", "2h", "1500ms", "3ms", "3000us"};

	for (const struct option_def *row = job_options; row->name; row++) {
		for (size_t i = 0; row->type == OPT_TIME && i < sizeof(texts) / sizeof(*texts);
		     i++) {
			struct job_spec job, again;
			struct strbuf text = {0};

			job_spec_init(&job);
			job_spec_init(&again);
			cr_assert_eq(option_set(row, &job, texts[i], 1024, NULL), 0, "%s=%s",
				     row->name, texts[i]);
			option_print(row, &job, &text);
			cr_assert_eq(option_set(row, &again, strbuf_str(&text), 1024, NULL), 0);
			cr_expect_arr_eq((char *)&job + row->offset, (char *)&again + row->offset,
					 sizeof(uint64_t), "%s=%s is kept as %s", row->name,
					 texts[i], strbuf_str(&text));
			strbuf_fini(&text);
			job_spec_fini(&job);
			job_spec_fini(&again);
		}
	}
}

/* fio takes no suffix for these. */
Test(option, milliseconds_print_as_fio_reads_them)
{
	expect_set("bwavgtime", "2s", "2000");
	expect_set("thinktime", "2s", "2s");
	expect_set("runtime", "2s", "2");
}
