/* Replays the stored fuzz inputs in-process, so that what the fuzzers once found stays fixed. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"

#define LLVMFuzzerTestOneInput fuzz_jobfile
#include "tests/fuzz/fuzz_jobfile.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_cmdline
#include "tests/fuzz/fuzz_cmdline.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_value
#include "tests/fuzz/fuzz_value.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_keys
#include "tests/fuzz/fuzz_keys.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_diskstats
#include "tests/fuzz/fuzz_diskstats.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_mountinfo
#include "tests/fuzz/fuzz_mountinfo.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_command
#include "tests/fuzz/fuzz_command.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_iolog
#include "tests/fuzz/fuzz_iolog.c"
#undef LLVMFuzzerTestOneInput

static void replay(const char *target, int (*one)(const uint8_t *, size_t))
{
	char *dir = xasprintf("tests/fuzz/corpus/%s", target);
	DIR *d = opendir(dir);
	struct dirent *entry;
	unsigned n = 0;

	cr_assert_not_null(d, "%s: tests run from the top of the tree", dir);
	while ((entry = readdir(d))) {
		struct strbuf text = {0};
		char *path;

		if (entry->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s", dir, entry->d_name);
		cr_assert_eq(fs_read_all("", path, &text), 0, "%s", path);
		one((const uint8_t *)strbuf_str(&text), text.len);
		strbuf_fini(&text);
		free(path);
		n++;
	}
	closedir(d);
	free(dir);
	cr_expect_geq(n, 5, "%s: only %u inputs", target, n);
}

Test(fuzz_corpus, jobfile)
{
	replay("jobfile", fuzz_jobfile);
}

Test(fuzz_corpus, cmdline)
{
	replay("cmdline", fuzz_cmdline);
}

Test(fuzz_corpus, value)
{
	replay("value", fuzz_value);
}

Test(fuzz_corpus, keys)
{
	replay("keys", fuzz_keys);
}

Test(fuzz_corpus, diskstats)
{
	replay("diskstats", fuzz_diskstats);
}

Test(fuzz_corpus, mountinfo)
{
	replay("mountinfo", fuzz_mountinfo);
}

Test(fuzz_corpus, iolog)
{
	replay("iolog", fuzz_iolog);
}

Test(fuzz_corpus, command)
{
	replay("command", fuzz_command);
}
