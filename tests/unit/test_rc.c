/* The user's file: what it may say, and how a line that is wrong is told. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_feed.h"
#include "ui/rc.h"
#include "ui/term.h"

static struct rc rc;
static struct err e;

static void end(void)
{
	static const struct rc none;

	rc_use(&none);
	rc_fini(&rc);
}

TestSuite(rc, .fini = end);

static void parse(const char *text)
{
	cr_assert_eq(rc_parse(&rc, "iodeckrc", text, &e), 0, "%s", e.msg);
	rc_use(&rc);
}

Test(rc, what_is_wrong_is_told_with_its_line_and_what_would_be_right)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"\nfoo bar\n", "iodeckrc:2: foo: bind, color, theme"},
		{"theme dark", "iodeckrc:1: theme dark: there is default, light"},
		{"theme", "one word is needed"},
		{"theme light mono", "one word is needed"},
		{"color red 4", "no such role; known: text border"},
		{"color read 256", "0..255"},
		{"color read -1", "0..255"},
		{"color read mauve", "cyan or white"},
		{"color read 4,blink", "bold, reverse or underline"},
		{"color read", "one word is needed"},
		{"bind run x", "bind run x :export svg"},
		{"bind run hyper :quit", "no such key"},
		{"bind run Ctrl-C :quit", "always means the same"},
		{"bind run Esc :quit", "always means the same"},
		{"bind guard y :run", "run, sweep, compare, history, all"},
		{"bind run x :explode", "explode is no command"},
		{"bind run x :wait 5", "wait 5 is no command"},
		{"fps 0", "1..10"},
		{"fps fast", "1..10"},
		{"units metric", "iec or si"},
		{"bell loud", "on or off"},
		{"bell", "on or off"},
		{"# fine\n\ntheme light\ncolor read 39\nbind", "iodeckrc:5: bind SCREEN KEY"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		e = (struct err){0};
		cr_expect_lt(rc_parse(&rc, "iodeckrc", cases[i].text, &e), 0, "%s", cases[i].text);
		cr_expect(strstr(e.msg, cases[i].says), "\"%s\" does not say \"%s\"", e.msg,
			  cases[i].says);
		cr_expect_eq(rc.n_binds, 0);
	}
}

Test(rc, an_empty_file_changes_nothing)
{
	struct theme_style was = theme_style(ROLE_READ, THEME_256), now;

	parse("# nothing\n   \n\r\n");
	now = theme_style(ROLE_READ, THEME_256);
	cr_expect_eq(now.fg, was.fg);
	cr_expect_null(keys_user_line(KEYS_RUN, 'x'));
}

Test(rc, colours_are_used_where_the_terminal_has_them)
{
	parse("color read 200,bold\ncolor write red\ncolor text default,underline\n");
	cr_expect_eq(theme_style(ROLE_READ, THEME_256).fg, 200);
	cr_expect_eq(theme_style(ROLE_READ, THEME_256).attr, ATTR_BOLD);
	cr_expect_neq(theme_style(ROLE_READ, THEME_16).fg, 200);
	cr_expect_eq(theme_style(ROLE_WRITE, THEME_8).fg, 1);
	cr_expect_eq(theme_style(ROLE_WRITE, THEME_MONO).fg, -1);
	cr_expect_eq(theme_style(ROLE_TEXT, THEME_MONO).attr, ATTR_UNDERLINE);
}

Test(rc, themes)
{
	parse("theme mono");
	for (int r = 0; r < ROLE_NR; r++)
		cr_expect_eq(theme_style((enum role)r, THEME_256).fg, -1);
	rc_fini(&rc);
	parse("theme high-contrast");
	for (int r = 0; r < ROLE_NR; r++)
		cr_expect(r == ROLE_DIM || theme_style((enum role)r, THEME_256).attr & ATTR_BOLD);
	rc_fini(&rc);
	parse("theme light");
	cr_expect_eq(theme_style(ROLE_READ, THEME_256).fg, 25);
}

Test(rc, a_key_of_the_users_own_runs_its_command)
{
	struct fake_console fc;
	struct strbuf help = {0};
	char *screen;

	parse("bind run x :set qd=7\nbind run x :set qd=128\nbind all F6 :freeze\n");
	fake_console_init(&fc, 100, 30);
	fake_console_key(&fc, 'x');
	cr_expect_eq(fc.con.st.job.iodepth, 128, "the later line wins");
	keys_help_lines(KEYS_RUN, &help);
	cr_expect(strstr(strbuf_str(&help), "x\tyours: set qd=128"));
	cr_expect(strstr(strbuf_str(&help), "F6\tyours: freeze"));
	screen = fake_console_screen(&fc);
	cr_expect(!strstr(screen, "x export"), "the footer tells of a key that is taken");
	free(screen);
	strbuf_fini(&help);
	fake_console_fini(&fc);
}

/* Typing a value or a text is no place for them. */
Test(rc, a_users_key_is_text_where_text_is_typed)
{
	struct fake_console fc;

	parse("bind run 9 :quit!\n");
	fake_console_init(&fc, 100, 30);
	fake_console_key(&fc, TERM_ENTER);
	fake_console_type(&fc, "9");
	fake_console_key(&fc, TERM_ENTER);
	cr_expect_eq(fc.con.st.job.iodepth, 9);
	cr_expect_eq(fc.con.quit, QUIT_NO);
	fake_console_fini(&fc);
}

Test(rc, settings_are_taken_with_a_blank_or_an_equals_sign)
{
	parse("bell=on\nfps=3\n units=si\ntheme=mono\nbind run = :freeze\n");
	cr_expect(rc.bell && rc.si && rc.fps == 3 && rc.theme.id == THEME_PLAIN);
	cr_expect_eq(rc.n_binds, 1);
	rc_fini(&rc);
	parse("bell on\nbell off\n");
	cr_expect_not(rc.bell);
}

Test(rc, a_theme_that_is_not_said_is_left_to_the_terminal)
{
	parse("fps 3\n");
	cr_expect_not(rc.theme_said);
	rc_fini(&rc);
	parse("theme default\n");
	cr_expect(rc.theme_said);
	rc_fini(&rc);
	parse("theme auto\n");
	cr_expect_not(rc.theme_said);
}
