/*
 * The user's file: keys, colours, a few settings. One thing a line, '#' begins a comment line:
 *
 *   theme light                     default, light, mono, high-contrast; auto: by COLORFGBG
 *   color write 130,bold            a role, a colour (0..255, a name, default), bold, reverse, underline
 *   bind run x :export svg          a screen (run, sweep, compare, history, all), a key, a command
 *   fps 10
 *   units si                        iec, si
 *   bell on                         on, off: ring when a run ends by itself
 *
 * Instead of the blank after one of the last three, and of theme, there may be '='.
 * The first line that is wrong is told with file, number and what would be right; nothing of the file is
 * used then.
 */
#ifndef IODECK_UI_RC_H
#define IODECK_UI_RC_H

#include "src/base/err.h"
#include "ui/keys.h"
#include "ui/theme.h"

struct rc {
	struct key_user *binds; /* owned, with their texts; later lines win */
	size_t n_binds;
	struct theme_custom theme;
	unsigned fps; /* 0: not said */
	bool si, bell;
	bool theme_said; /* else it is for the caller to say which suits the terminal */
};

int rc_parse(struct rc *, const char *name, const char *text, struct err *e);
/* A file that is not there is an empty one when it need not be. */
int rc_load(struct rc *, const char *path, bool must_exist, struct err *e);
void rc_fini(struct rc *);
/* Keys and colours are in force from now on, for this process; rc outlives their use. */
void rc_use(const struct rc *);

#endif
