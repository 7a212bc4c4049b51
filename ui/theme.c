#include "ui/theme.h"

/* The default colours: xterm-256 numbers. The heat ramp is the nearest path to viridis. */
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
	[ROLE_HEAT0] = {53, 0},
	[ROLE_HEAT0 + 1] = {60, 0},
	[ROLE_HEAT0 + 2] = {30, 0},
	[ROLE_HEAT0 + 3] = {36, 0},
	[ROLE_HEAT0 + 4] = {71, 0},
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

struct theme_style theme_style(enum role role, enum theme_depth depth)
{
	if ((unsigned)role >= ROLE_NR)
		role = ROLE_TEXT;
	switch (depth) {
	case THEME_256:
		return styles_256[role];
	case THEME_16:
	case THEME_8:
		return styles_16[role];
	case THEME_MONO:
		break;
	}
	return styles_mono[role];
}
