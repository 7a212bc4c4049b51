#include "golden.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"

/* The first line that differs says more than two whole screens. */
static void report(const char *path, const char *want, const char *got)
{
	int line = 1;

	while (*want && *got) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");

		if (w != g || strncmp(want, got, w) != 0)
			break;
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
		line++;
	}
	cr_expect_fail("%s:%d differs\n  want: %.*s\n  got:  %.*s\n(make golden rewrites it)", path,
		       line, (int)strcspn(want, "\n"), want, (int)strcspn(got, "\n"), got);
}

void golden_text(const char *name, const char *text)
{
	struct strbuf want = {0};
	char path[256];

	snprintf(path, sizeof(path), "tests/golden/%s.txt", name);
	if (getenv("UPDATE")) {
		cr_assert_eq(fs_write_atomic(path, text, strlen(text)), 0, "%s: cannot write",
			     path);
		return;
	}
	if (fs_read_all("", path, &want) != 0)
		cr_expect_fail("%s: not there (make golden)", path);
	else if (strcmp(strbuf_str(&want), text) != 0)
		report(path, strbuf_str(&want), text);
	strbuf_fini(&want);
}

void golden_canvas(const char *name, const struct canvas *c)
{
	struct strbuf sb = {0};

	canvas_dump_text(c, &sb);
	golden_text(name, strbuf_str(&sb));
	strbuf_fini(&sb);
}

void golden_canvas_mono(const char *name, const struct canvas *c)
{
	struct strbuf sb = {0};

	canvas_dump_ansi(c, THEME_MONO, &sb);
	golden_text(name, strbuf_str(&sb));
	strbuf_fini(&sb);
}
