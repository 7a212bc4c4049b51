/* Tab on the command line: what is offered where, and what becomes of the line. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/fake_feed.h"
#include "ui/complete.h"
#include "ui/script.h"
#include "ui/term.h"

static struct fake_console fc;
static char dir[64];

static void make(const char *name, bool folder)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (folder)
		cr_assert_eq(mkdir(path, 0700), 0);
	else
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void begin(void)
{
	snprintf(dir, sizeof(dir), "/tmp/iodeck-tab-XXXXXX");
	cr_assert(mkdtemp(dir));
	make("report.html", false);
	make("results", true);
	make(".hidden", false);
	make("a b", false);
	setenv("XDG_CONFIG_HOME", dir, 1);
	fake_console_init(&fc, 80, 24);
	fc.ff.obey = true;
}

static void end(void)
{
	char cmd[96];

	fake_console_fini(&fc);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	cr_assert_eq(system(cmd), 0);
}

TestSuite(complete, .init = begin, .fini = end, .timeout = 120);

static bool offers(const char *line, const char *text)
{
	struct completion c;
	bool found = false;

	complete_line(&fc.con.st, line, &c);
	for (size_t i = 0; i < c.n; i++)
		found = found || strcmp(c.v[i], text) == 0;
	completion_fini(&c);
	return found;
}

Test(complete, each_place_offers_its_own)
{
	static const struct {
		const char *line, *yes, *no;
	} cases[] = {
		{"", "set", "wait"}, /* a script's verb */
		{"", "freeze", "qd="},
		{"se", "set", "run"},
		{"  :se", "set", "run"},
		{"set ", "qd=", "set"},
		{"set iod", "iodepth=", "qd="},
		{"set qd=64 i", "ioengine=", "bs="},
		{"set rw=rand", "rw=randread", "rw=read"},
		{"set engine=", "engine=psync", "engine="},
		{"set ioengine=ps", "ioengine=psync", "ioengine=libaio"},
		{"set direct=", "direct=1", "direct=2"},
		{"set f", "fps=", "qd="},
		{"sweep ", "qd=", "set"},
		{"sweep b", "bs=", "qd="},
		{"profile ", "save!", "set"},
		{"export ", "html", "set"},
		{"export html ", "src/", "html"},
		{"mode ", "alternate", "A"},
		{"mode both ", "", "both"},
		{"lane ", "D", "E"},
		{"slo p99", "p99.9<", "max<"},
		{"dev /dev/nv", "/dev/nvme0n1", "/dev/sda"},
		{"run ", "", "set"},
		{"nix ", "", "set"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (*cases[i].yes)
			cr_expect(offers(cases[i].line, cases[i].yes), "'%s' misses %s",
				  cases[i].line, cases[i].yes);
		cr_expect_not(offers(cases[i].line, cases[i].no), "'%s' has %s", cases[i].line,
			      cases[i].no);
	}
}

Test(complete, files_are_those_that_may_be_typed)
{
	char line[128], want[128];

	snprintf(line, sizeof(line), "save-screen %s/", dir);
	snprintf(want, sizeof(want), "%s/report.html", dir);
	cr_expect(offers(line, want));
	snprintf(want, sizeof(want), "%s/results/", dir);
	cr_expect(offers(line, want), "a folder goes on");
	snprintf(want, sizeof(want), "%s/.hidden", dir);
	cr_expect_not(offers(line, want));
	snprintf(want, sizeof(want), "%s/a b", dir);
	cr_expect_not(offers(line, want), "a blank would end the word");
	snprintf(line, sizeof(line), "save-screen %s/.h", dir);
	snprintf(want, sizeof(want), "%s/.hidden", dir);
	cr_expect(offers(line, want));
	cr_expect_not(offers("save-screen /nix/", "/nix/"));
}

Test(complete, profiles_by_name)
{
	struct err e = {0};

	cr_assert_eq(script_verb(&fc.con, NULL, "profile save ladder", 0, &e), 0, "%s", e.msg);
	cr_expect(offers("profile load la", "ladder"));
	cr_expect(offers("profile save! ", "ladder"));
}

/* What stands at the foot of the screen. */
static void expect_line(const char *text)
{
	char *screen = fake_console_screen(&fc), *line;

	line = strstr(screen, "\n:");
	cr_assert(line, "no command line in\n%s", screen);
	cr_expect_eq(strncmp(line + 1, text, strlen(text)), 0, "want '%s' in %s", text, line + 1);
	free(screen);
}

Test(complete, tab_puts_what_is_certain_and_then_goes_round)
{
	char *screen;

	fake_console_type(&fc, ":se");
	fake_console_key(&fc, TERM_TAB);
	expect_line(":se");
	screen = fake_console_screen(&fc);
	cr_expect(strstr(screen, "segment"), "what there is stands above:\n%s", screen);
	free(screen);
	fake_console_key(&fc, TERM_TAB);
	expect_line(":segment");
	fake_console_key(&fc, TERM_BACKTAB);
	expect_line(":set");
	fake_console_type(&fc, " numj");
	fake_console_key(&fc, TERM_TAB);
	expect_line(":set numjobs=");
	fake_console_type(&fc, "8 ioengine=psy");
	fake_console_key(&fc, TERM_TAB);
	expect_line(":set numjobs=8 ioengine=psync");
	fake_console_type(&fc, "zzz");
	fake_console_key(&fc, TERM_TAB);
	expect_line(":set numjobs=8 ioengine=psync zzz");
	fake_console_key(&fc, TERM_ESC);
}

Test(complete, the_rest_of_the_line_stays)
{
	fake_console_type(&fc, ":mo both");
	for (int i = 0; i < 5; i++)
		fake_console_key(&fc, TERM_LEFT);
	fake_console_key(&fc, TERM_TAB);
	expect_line(":mode  both");
	fake_console_key(&fc, TERM_ESC);
}
