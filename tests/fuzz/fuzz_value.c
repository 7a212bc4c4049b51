/*
 * Any bytes as the value of any option: the first byte picks the row, the second kb_base. What is taken
 * must print as a text that is taken again and means the same; what is refused must change nothing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/spec/job_spec.h"
#include "tests/fuzz/fuzz.h"

static const struct option_def *pick_row(uint8_t byte)
{
	size_t n = 0;

	while (job_options[n].name)
		n++;
	return &job_options[byte % n];
}

/* The text that a row or the one it mirrors owns, NULL when there is none. */
static char **text_of(const struct option_def *row, struct job_spec *job)
{
	for (const struct option_def *r = job_options; r->name; r++)
		if (r->type == OPT_STR && r->offset == row->offset)
			return (char **)(void *)((char *)job + r->offset);
	return NULL;
}

/*
 * A job with every default, cheaply: its texts are those of one that was made once, but the one the
 * option may replace is its own.
 */
static void borrow_job(const struct option_def *row, struct job_spec *job)
{
	static struct job_spec fresh;
	static bool made;
	char **text;

	if (!made)
		job_spec_init(&fresh);
	made = true;
	*job = fresh;
	text = text_of(row, job);
	if (text)
		*text = xstrdup(*text);
}

static void return_job(const struct option_def *row, struct job_spec *job)
{
	char **text = text_of(row, job);

	if (text)
		free(*text);
}

static void check_taken(const struct option_def *row, const struct job_spec *job, unsigned kb_base)
{
	struct strbuf text = {0};
	struct job_spec again;

	borrow_job(row, &again);
	option_print_kb(row, job, kb_base, &text);
	FUZZ_CHECK(option_set(row, &again, strbuf_str(&text), kb_base, NULL) == 0);
	FUZZ_CHECK(option_equal(row, job, &again));
	return_job(row, &again);
	strbuf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct option_def *row;
	struct job_spec job, before;
	struct strbuf note = {0};
	struct err e = {0};
	unsigned kb_base;
	char *text;

	if (size < 2)
		return 0;
	row = pick_row(data[0]);
	kb_base = data[1] & 1 ? 1000 : 1024;
	text = xcalloc(size - 1, 1);
	memcpy(text, data + 2, size - 2);
	borrow_job(row, &job);
	before = job;
	if (option_set_note(row, &job, text, kb_base, &note, &e) == 0) {
		check_taken(row, &job, kb_base);
	} else {
		FUZZ_CHECK(e.code > 0 && e.msg[0]);
		FUZZ_CHECK(memcmp(&job, &before, sizeof(job)) == 0);
	}
	strbuf_fini(&note);
	return_job(row, &job);
	free(text);
	return 0;
}
