#include "ui/theme.h"

#include <string.h>

#include "src/base/units.h"

/* The default colours: xterm-256 numbers. The heat ramp follows viridis from
 * purple to yellow, lighter at its lower end: what is rare is drawn in thin glyphs and must be seen. */
static const struct theme_style styles_256[ROLE_NR] = {
	[ROLE_TEXT] = {-1, 0},
	[ROLE_BORDER] = {-1, 0},
	[ROLE_TITLE] = {-1, ATTR_BOLD},
	[ROLE_KEY] = {75, ATTR_BOLD},
	[ROLE_FOCUS] = {-1, ATTR_REVERSE},
	[ROLE_READ] = {39, 0},
	[ROLE_WRITE] = {208, 0},
	[ROLE_TRIM] = {141, 0},
	[ROLE_MARK] = {226, ATTR_BOLD},
	[ROLE_STALL] = {203, ATTR_BOLD},
	[ROLE_WARN] = {214, ATTR_BOLD},
	[ROLE_ERROR] = {203, ATTR_REVERSE},
	[ROLE_OK] = {39, 0},
	[ROLE_DIM] = {244, 0}, /* readable on black and on white */
	[ROLE_BADGE] = {208, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_HEAT0] = {96, 0},
	[ROLE_HEAT0 + 1] = {67, 0},
	[ROLE_HEAT0 + 2] = {37, 0},
	[ROLE_HEAT0 + 3] = {42, 0},
	[ROLE_HEAT0 + 4] = {113, 0},
	[ROLE_HEAT0 + 5] = {149, 0},
	[ROLE_HEAT0 + 6] = {220, 0},
};

/* Eight and sixteen colours: the heat steps differ by glyph, not by colour. */
static const struct theme_style styles_16[ROLE_NR] = {
	[ROLE_TEXT] = {-1, 0},
	[ROLE_BORDER] = {-1, 0},
	[ROLE_TITLE] = {-1, ATTR_BOLD},
	[ROLE_KEY] = {6, ATTR_BOLD},
	[ROLE_FOCUS] = {-1, ATTR_REVERSE},
	[ROLE_READ] = {6, 0},
	[ROLE_WRITE] = {3, 0},
	[ROLE_TRIM] = {5, 0},
	[ROLE_MARK] = {3, ATTR_BOLD},
	[ROLE_STALL] = {1, ATTR_BOLD},
	[ROLE_WARN] = {3, ATTR_BOLD},
	[ROLE_ERROR] = {1, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_OK] = {6, 0},
	[ROLE_DIM] = {-1, 0},
	[ROLE_BADGE] = {3, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_HEAT0... ROLE_HEAT6] = {6, 0},
};

static const struct theme_style styles_mono[ROLE_NR] = {
	[ROLE_TEXT] = {-1, 0},
	[ROLE_BORDER] = {-1, 0},
	[ROLE_TITLE] = {-1, ATTR_BOLD},
	[ROLE_KEY] = {-1, ATTR_BOLD},
	[ROLE_FOCUS] = {-1, ATTR_REVERSE},
	[ROLE_READ] = {-1, 0},
	[ROLE_WRITE] = {-1, 0},
	[ROLE_TRIM] = {-1, 0},
	[ROLE_MARK] = {-1, ATTR_BOLD},
	[ROLE_STALL] = {-1, ATTR_BOLD},
	[ROLE_WARN] = {-1, ATTR_BOLD},
	[ROLE_ERROR] = {-1, ATTR_REVERSE},
	[ROLE_OK] = {-1, 0},
	[ROLE_DIM] = {-1, 0},
	[ROLE_BADGE] = {-1, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_HEAT0... ROLE_HEAT6] = {-1, 0},
};

/* On a light ground: dark colours; the heat ramp grows darker. */
static const struct theme_style styles_light[ROLE_NR] = {
	[ROLE_TEXT] = {-1, 0},
	[ROLE_BORDER] = {-1, 0},
	[ROLE_TITLE] = {-1, ATTR_BOLD},
	[ROLE_KEY] = {25, ATTR_BOLD},
	[ROLE_FOCUS] = {-1, ATTR_REVERSE},
	[ROLE_READ] = {25, 0},
	[ROLE_WRITE] = {130, 0},
	[ROLE_TRIM] = {90, 0},
	[ROLE_MARK] = {94, ATTR_BOLD},
	[ROLE_STALL] = {124, ATTR_BOLD},
	[ROLE_WARN] = {130, ATTR_BOLD},
	[ROLE_ERROR] = {124, ATTR_REVERSE},
	[ROLE_OK] = {25, 0},
	[ROLE_DIM] = {243, 0},
	[ROLE_BADGE] = {130, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_HEAT0] = {136, 0},
	[ROLE_HEAT0 + 1] = {106, 0},
	[ROLE_HEAT0 + 2] = {71, 0},
	[ROLE_HEAT0 + 3] = {36, 0},
	[ROLE_HEAT0 + 4] = {30, 0},
	[ROLE_HEAT0 + 5] = {60, 0},
	[ROLE_HEAT0 + 6] = {53, 0},
};

/* Bright and bold; nothing is dim. */
static const struct theme_style styles_contrast[ROLE_NR] = {
	[ROLE_TEXT] = {-1, ATTR_BOLD},
	[ROLE_BORDER] = {-1, ATTR_BOLD},
	[ROLE_TITLE] = {-1, ATTR_BOLD | ATTR_UNDERLINE},
	[ROLE_KEY] = {87, ATTR_BOLD},
	[ROLE_FOCUS] = {-1, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_READ] = {87, ATTR_BOLD},
	[ROLE_WRITE] = {220, ATTR_BOLD},
	[ROLE_TRIM] = {213, ATTR_BOLD},
	[ROLE_MARK] = {226, ATTR_BOLD},
	[ROLE_STALL] = {210, ATTR_BOLD},
	[ROLE_WARN] = {226, ATTR_BOLD},
	[ROLE_ERROR] = {210, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_OK] = {87, ATTR_BOLD},
	[ROLE_DIM] = {-1, 0},
	[ROLE_BADGE] = {226, ATTR_BOLD | ATTR_REVERSE},
	[ROLE_HEAT0] = {99, ATTR_BOLD},
	[ROLE_HEAT0 + 1] = {69, ATTR_BOLD},
	[ROLE_HEAT0 + 2] = {44, ATTR_BOLD},
	[ROLE_HEAT0 + 3] = {48, ATTR_BOLD},
	[ROLE_HEAT0 + 4] = {118, ATTR_BOLD},
	[ROLE_HEAT0 + 5] = {190, ATTR_BOLD},
	[ROLE_HEAT0 + 6] = {227, ATTR_BOLD},
};

static struct theme_custom custom;

enum theme_id theme_for_ground(const char *colorfgbg)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
	uint64_t ground;

	/* 7 and the bright ones but bright black are light: so do vim and others read it. */
	if (!last || units_parse_u64(last + 1, 0, 15, &ground, NULL) < 0)
		return THEME_DEFAULT;
	return ground == 7 || ground > 8 ? THEME_LIGHT : THEME_DEFAULT;
}

void theme_use(const struct theme_custom *c)
{
	custom = *c;
}

static bool has_color(int fg, enum theme_depth depth)
{
	return fg < (depth == THEME_256 ? 256 : depth == THEME_16 ? 16 : depth == THEME_8 ? 8 : 0);
}

/* Themes are made for 256 colours; with fewer only the default one and the plain one are told apart. */
static struct theme_style built_in(enum role role, enum theme_depth depth)
{
	if (custom.id == THEME_PLAIN)
		depth = THEME_MONO;
	switch (depth) {
	case THEME_256:
		return custom.id == THEME_LIGHT      ? styles_light[role]
		       : custom.id == THEME_CONTRAST ? styles_contrast[role]
						     : styles_256[role];
	case THEME_16:
	case THEME_8:
		return styles_16[role];
	case THEME_MONO:
		break;
	}
	return styles_mono[role];
}

struct theme_style theme_style(enum role role, enum theme_depth depth)
{
	if ((unsigned)role >= ROLE_NR)
		role = ROLE_TEXT;
	if (role < ROLE_HEAT0 && custom.set[role] && has_color(custom.style[role].fg, depth))
		return custom.style[role];
	return built_in(role, depth);
}
