/* The demos' scripts: their verbs, and captions that fit. Run end to end: tests/e2e/demo.sh. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_demo.h"
#include "src/base/strbuf.h"
#include "tests/unit/fake_feed.h"
#include "ui/script.h"

#define CAPTION_MAX 78 /* of the hint line at 80 columns */

static const char *const names[] = {"sata-nvme", "block-size", "hdd-ssd", "mixed", "flush"};
#define NAMES (sizeof(names) / sizeof(names[0]))

static char *script_of(const char *name)
{
	struct strbuf sb = {0};
	char *text;

	app_demo_script(name, "0.1", &sb);
	text = strdup(strbuf_str(&sb));
	strbuf_fini(&sb);
	return text;
}

Test(demo, every_name_is_listed)
{
	struct strbuf list = {0};
	size_t lines = 0;

	app_demo_list(&list);
	for (size_t i = 0; i < NAMES; i++) {
		cr_expect(app_demo_known(names[i]), "%s", names[i]);
		cr_expect(strstr(strbuf_str(&list), names[i]), "%s", names[i]);
	}
	for (const char *p = strbuf_str(&list); (p = strchr(p, '\n')); p++)
		lines++;
	cr_expect_eq(lines, NAMES, "%s", strbuf_str(&list));
	cr_expect(app_demo_known(DEMO_DEFAULT));
	cr_expect_not(app_demo_known("list"));
	cr_expect_not(app_demo_known(""));
	strbuf_fini(&list);
}

Test(demo, captions_fit_on_the_smallest_full_screen)
{
	for (size_t i = 0; i < NAMES; i++) {
		char *text = script_of(names[i]), *save = NULL;
		unsigned captions = 0;

		for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
			if (strncmp(l, "say ", 4) == 0) {
				cr_expect_leq(strlen(l + 4), CAPTION_MAX, "%s: %s", names[i], l);
				captions++;
			}
		cr_expect_geq(captions, 3, "%s", names[i]);
		free(text);
	}
}

/* Depth 1 to 128, doubled: where SATA stops at its 32 tags is in the middle of it. */
Test(demo, the_first_one_doubles_the_depth_up_to_128)
{
	char *text = script_of(DEMO_DEFAULT);
	const char *at = text;

	cr_expect(strstr(text, "iodepth=1 "));
	for (unsigned qd = 2; qd <= 128; qd *= 2) {
		char set[32];

		snprintf(set, sizeof(set), "set iodepth=%u\n", qd);
		at = strstr(at, set);
		cr_assert_not_null(at, "no step to depth %u", qd);
	}
	cr_expect(strstr(text, "dev sim:sata\n") && strstr(text, "dev sim:nvme\n"));
	free(text);
}

/* All verbs run, two simulated lanes are started, and every caption is shown. */
Test(demo, every_script_runs_to_its_end)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct fake_console fc;
		struct script s;
		struct err e = {0};
		enum script_state state = SCRIPT_WAITING;
		char *text = script_of(names[i]);

		fake_console_init(&fc, 100, 30);
		fc.ff.obey = true;
		script_parse(&s, names[i], text);
		for (int k = 0; k < 1000 && state == SCRIPT_WAITING; k++) {
			state = script_step(&s, &fc.con, fc.ff.clock.now_ns, &e);
			fake_console_tick(&fc, fc.ff.snap->state);
		}
		cr_expect_eq(state, SCRIPT_DONE, "%s: %s", names[i], e.msg);
		cr_expect_eq(fake_feed_count(&fc.ff, CMD_START), 1);
		cr_expect(strstr(fc.con.st.message, "every key is yours"), "%s", fc.con.st.message);
		script_fini(&s);
		fake_console_fini(&fc);
		free(text);
	}
}
