/*
 * Any bytes as a command line, one argument a line. Inputs that could open a file outside the current
 * folder, or standard input, are left out.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/spec/cmdline.h"
#include "tests/fuzz/fuzz.h"

#define FUZZ_ARGS_MAX 64

static bool may_open(const char *arg)
{
	return *arg == '/' || strcmp(arg, "-") == 0 || strstr(arg, "..");
}

static int cut_lines(char *text, char **argv)
{
	char *save = NULL;
	int n = 0;

	for (char *p = strtok_r(text, "\n", &save); p && n < FUZZ_ARGS_MAX;
	     p = strtok_r(NULL, "\n", &save)) {
		if (may_open(p))
			return -1;
		argv[n++] = p;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1), *argv[FUZZ_ARGS_MAX];
	struct err e = {0};
	struct strbuf shown = {0};
	struct cmdline c;
	int n;

	fuzz_register_engines();
	memcpy(text, data, size);
	n = cut_lines(text, argv);
	if (n >= 0 && cmdline_parse(n, argv, &c, &e) == 0) {
		FUZZ_CHECK(c.spec.n_jobs > 0 || c.help || c.version || c.cmdhelp || c.enghelp);
		cmdline_show(&c, &shown);
		FUZZ_CHECK(shown.len > 0 && shown.s[shown.len - 1] == '\n');
		strbuf_fini(&shown);
		FUZZ_CHECK(c.formats && !(c.formats & FORMAT_APPEND_TERSE));
		for (size_t i = 0; i < c.spec.n_jobs; i++)
			FUZZ_CHECK(job_spec_check(&c.spec.jobs[i], NULL) == 0);
		cmdline_fini(&c);
	} else if (n >= 0) {
		fuzz_check_message(&e);
	}
	free(text);
	return 0;
}
