/*
 * Colours by role: a view says what a cell means, the theme says how that looks at the terminal's
 * depth. No role carries meaning by colour alone.
 */
#ifndef IODECK_UI_THEME_H
#define IODECK_UI_THEME_H

#include <stdbool.h>
#include <stdint.h>

enum role {
	ROLE_TEXT,
	ROLE_BORDER,
	ROLE_TITLE,
	ROLE_KEY,   /* the letter to press */
	ROLE_FOCUS, /* the focused field, a selected row */
	ROLE_READ,  /* read series, lane A */
	ROLE_WRITE, /* write series, lane B */
	ROLE_TRIM,
	ROLE_MARK,
	ROLE_STALL,
	ROLE_WARN,
	ROLE_ERROR,
	ROLE_OK,
	ROLE_DIM,   /* axis lines only, nothing essential */
	ROLE_BADGE, /* SIMULATED, WRITES ARMED */
	ROLE_HEAT0, /* 7 steps of the heat ramp follow each other */
	ROLE_HEAT6 = ROLE_HEAT0 + 6,
	ROLE_NR
};

enum cell_attr { ATTR_BOLD = 1u << 0, ATTR_REVERSE = 1u << 1, ATTR_UNDERLINE = 1u << 2 };

enum theme_depth { THEME_MONO, THEME_8, THEME_16, THEME_256 };

struct theme_style {
	int16_t fg;   /* xterm-256 index, -1: default */
	uint8_t attr; /* enum cell_attr */
};

enum theme_id { THEME_DEFAULT, THEME_LIGHT, THEME_PLAIN, THEME_CONTRAST };

/* A theme, and what the user changed in it. A colour that the terminal does not have is left out. */
struct theme_custom {
	enum theme_id id;
	bool set[ROLE_HEAT0];
	struct theme_style style[ROLE_HEAT0];
};
/*
 * What suits the ground that COLORFGBG tells ("15;0": the last number is the ground's colour), as rxvt,
 * Konsole and others set it. NULL, or nothing that is known: THEME_DEFAULT, which is legible on both.
 */
enum theme_id theme_for_ground(const char *colorfgbg);
/* For this process, from now on. */
void theme_use(const struct theme_custom *);

/* What a role looks like at a depth. Never fails. */
struct theme_style theme_style(enum role, enum theme_depth);

#endif
