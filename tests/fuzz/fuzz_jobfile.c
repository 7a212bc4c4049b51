/*
 * Any bytes as a job file: refused with one line, or a job that survives being saved as a profile.
 * Inputs that include files are left out: the result must depend on the input alone.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/spec/jobfile.h"
#include "src/spec/profile.h"
#include "tests/fuzz/fuzz.h"

/* A variable may bring in what no job file can hold; saving refuses that. */
static bool can_be_saved(const struct job_spec *job)
{
	const char *texts[] = {job->name, job->description, job->filename, job->directory,
			       job->ioengine};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i] && (strpbrk(texts[i], ";#$") || strchr(" \t", texts[i][0]) ||
				 strchr(" \t", texts[i][strlen(texts[i]) - 1])))
			return false;
	return true;
}

static void check_round_trip(const struct job_spec *job)
{
	struct strbuf text = {0};
	struct err e = {0};
	struct spec again;

	if (!can_be_saved(job))
		return;
	spec_init(&again);
	profile_print(job, &text);
	FUZZ_CHECK(jobfile_parse("again", text.s, text.len, NULL, &again, &e) == 0);
	FUZZ_CHECK(again.n_jobs == 1);
	for (const struct option_def *row = job_options; row->name; row++)
		FUZZ_CHECK(option_equal(row, job, &again.jobs[0]));
	spec_fini(&again);
	strbuf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	struct spec spec;
	int rc;

	fuzz_register_engines();
	if (memmem(data, size, "include", 7))
		return 0;
	spec_init(&spec);
	rc = jobfile_parse("fuzz", (const char *)data, size, NULL, &spec, &e);
	FUZZ_CHECK((rc == 0) == (spec.n_jobs > 0));
	if (rc)
		fuzz_check_message(&e);
	for (size_t i = 0; i < spec.n_jobs; i++)
		check_round_trip(&spec.jobs[i]);
	spec_fini(&spec);
	return 0;
}
