/* Roles to looks: no colour needed to tell what must be told apart, and every depth stays in range. */
#include <criterion/criterion.h>
#include <string.h>

#include "ui/canvas.h"
#include "ui/theme.h"

static const enum theme_depth depths[] = {THEME_MONO, THEME_8, THEME_16, THEME_256};

static bool same_look(enum role a, enum role b, enum theme_depth d)
{
	struct theme_style x = theme_style(a, d), y = theme_style(b, d);

	return x.fg == y.fg && x.attr == y.attr;
}

Test(theme, colours_are_within_the_depth)
{
	static const int max_fg[] = {
		[THEME_MONO] = -1, [THEME_8] = 7, [THEME_16] = 15, [THEME_256] = 255};

	for (size_t i = 0; i < 4; i++)
		for (int r = 0; r < ROLE_NR; r++) {
			struct theme_style s = theme_style((enum role)r, depths[i]);

			cr_expect(s.fg >= -1 && s.fg <= max_fg[depths[i]],
				  "role %d depth %d: fg %d", r, depths[i], s.fg);
		}
}

Test(theme, a_role_out_of_range_looks_like_text)
{
	for (size_t i = 0; i < 4; i++) {
		struct theme_style s = theme_style(ROLE_NR, depths[i]);

		cr_expect_eq(s.fg, -1);
		cr_expect_eq(s.attr, 0);
	}
}

/* Section 4.7: title and key bold, focus reverse, warnings bold, errors and badges reverse. */
Test(theme, what_must_stand_out_does_so_by_attribute_at_every_depth)
{
	static const struct {
		enum role role;
		unsigned any; /* one of these attributes */
	} cases[] = {
		{ROLE_TITLE, ATTR_BOLD},    {ROLE_KEY, ATTR_BOLD},      {ROLE_FOCUS, ATTR_REVERSE},
		{ROLE_MARK, ATTR_BOLD},     {ROLE_STALL, ATTR_BOLD},    {ROLE_WARN, ATTR_BOLD},
		{ROLE_ERROR, ATTR_REVERSE}, {ROLE_BADGE, ATTR_REVERSE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t d = 0; d < 4; d++)
			cr_expect(theme_style(cases[i].role, depths[d]).attr & cases[i].any,
				  "role %d depth %d", cases[i].role, depths[d]);
	for (size_t d = 0; d < 4; d++) {
		cr_expect_not(same_look(ROLE_WARN, ROLE_ERROR, depths[d]));
		cr_expect_not(same_look(ROLE_FOCUS, ROLE_BADGE, depths[d]));
		cr_expect_not(same_look(ROLE_TEXT, ROLE_FOCUS, depths[d]));
	}
}

/* Series look alike without colour, so the glyphs must not. */
Test(theme, series_marks_and_verdicts_differ_by_glyph)
{
	const struct glyphs *sets[] = {&glyphs_utf8, &glyphs_ascii};

	for (int i = 0; i < 2; i++) {
		const struct glyphs *g = sets[i];

		cr_expect_neq(g->block[8], g->block_write);
		cr_expect_neq(g->block[8], g->block[0]);
		cr_expect_neq(g->mark, g->stall);
		cr_expect_neq(g->ok, g->bad);
	}
}

Test(theme, with_colour_the_series_differ_by_colour_too)
{
	static const enum role series[] = {ROLE_READ, ROLE_WRITE, ROLE_TRIM};

	for (size_t d = 1; d < 4; d++)
		for (int a = 0; a < 3; a++)
			for (int b = 0; b < a; b++)
				cr_expect_not(same_look(series[a], series[b], depths[d]));
}

/* xterm-256 cube and grey ramp to linear-ish lightness; enough to order colours. */
static double lightness(int n)
{
	static const int step[] = {0, 95, 135, 175, 215, 255};

	cr_assert(n >= 16 && n < 232);
	n -= 16;
	return 0.2126 * step[n / 36] + 0.7152 * step[n / 6 % 6] + 0.0722 * step[n % 6];
}

Test(theme, the_heat_ramp_rises_in_lightness)
{
	for (int i = 1; i < 7; i++)
		cr_expect_gt(lightness(theme_style(ROLE_HEAT0 + (enum role)i, THEME_256).fg),
			     lightness(theme_style(ROLE_HEAT0 + (enum role)(i - 1), THEME_256).fg),
			     "step %d", i);
}

/* "foreground;background", or with something else between them. */
Test(theme, the_ground_decides_what_is_legible)
{
	static const struct {
		const char *text;
		enum theme_id id;
	} cases[] = {
		{NULL, THEME_DEFAULT},          {"", THEME_DEFAULT},     {"15;0", THEME_DEFAULT},
		{"0;15", THEME_LIGHT},          {"0;7", THEME_LIGHT},    {"7;8", THEME_DEFAULT},
		{"0;default;15", THEME_LIGHT},  {"15;", THEME_DEFAULT},  {"15", THEME_DEFAULT},
		{"0;default", THEME_DEFAULT},   {"0;99", THEME_DEFAULT}, {"0;-1", THEME_DEFAULT},
		{"15;default;0", THEME_DEFAULT}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(theme_for_ground(cases[i].text), cases[i].id, "%s", cases[i].text);
}
