/* Helpers for tests of the option language: a spec from a text, one value of a job as text. */
#ifndef IODECK_TESTS_SPEC_TEXT_H
#define IODECK_TESTS_SPEC_TEXT_H

#include <criterion/criterion.h>
#include <string.h>

#include "src/spec/jobfile.h"

static inline void parse_ok(const char *text, struct spec *spec)
{
	struct err e = {0};

	spec_init(spec);
	cr_assert_eq(jobfile_parse("job.fio", text, strlen(text), NULL, spec, &e), 0, "%s\n%s",
		     e.msg, text);
}

static inline void expect_error(const char *text, const char *message)
{
	struct err e = {0};
	struct spec spec;

	spec_init(&spec);
	cr_expect_lt(jobfile_parse("job.fio", text, strlen(text), NULL, &spec, &e), 0, "taken: %s",
		     text);
	cr_expect_str_eq(e.msg, message);
	cr_expect_eq(spec.n_jobs, 0, "a job of a bad file was kept");
	cr_expect_eq(spec.n_globals, 0);
	cr_expect_eq(spec.notes.len, 0);
	spec_fini(&spec);
}

static inline void expect_value(const struct job_spec *job, const char *name, const char *value)
{
	struct strbuf out = {0};

	option_print(option_find(job_options, name), job, &out);
	cr_expect_str_eq(strbuf_str(&out), value, "[%s] %s is %s, not %s", job->name, name,
			 strbuf_str(&out), value);
	strbuf_fini(&out);
}

/* "bs=4k name=x ..." of what was written. */
static inline void expect_given(const struct opt_given *given, size_t n, const char *expected)
{
	struct strbuf out = {0};

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&out, "%s%s%s%s", i ? " " : "", given[i].key, given[i].val ? "=" : "",
			    given[i].val ? given[i].val : "");
	cr_expect_str_eq(strbuf_str(&out), expected);
	strbuf_fini(&out);
}

static inline void expect_note(const struct spec *spec, const char *part)
{
	cr_expect_not_null(strstr(strbuf_str(&spec->notes), part), "no note about %s in: %s", part,
			   strbuf_str(&spec->notes));
}

#endif
