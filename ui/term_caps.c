#include "ui/term_caps.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>

#include "ui/canvas.h"
#include "ui/term.h"

/* A pty may claim 65535 x 65535. */
enum { W_MAX = 1000, H_MAX = 500 };

/* Every glyph of ours is of "ambiguous" width: one column in the West, two in some CJK settings. */
bool term_caps_unicode(void)
{
	const struct glyphs *g = &glyphs_utf8;
	const uint32_t probes[] = {g->hline, g->block[8], g->mark, g->bullet, g->ellipsis, 0xb5};

	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return false;
	for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
		if (wcwidth((wchar_t)probes[i]) != 1)
			return false;
	return true;
}

enum theme_depth term_caps_depth(bool refuse_color)
{
	const char *no_color = getenv("NO_COLOR"); /* no-color.org: set and not empty */
	int colors = tigetnum("colors");

	if (refuse_color || (no_color && *no_color) || colors < 8)
		return THEME_MONO;
	/* Direct colour: numbers are RGB values there, but the first eight are still the palette. */
	if (tigetflag("RGB") > 0 || tigetnum("RGB") > 0)
		return THEME_8;
	if (colors >= 256)
		return THEME_256;
	return colors >= 16 ? THEME_16 : THEME_8;
}

int term_caps_check(struct err *e)
{
	const char *name = getenv("TERM");
	char *cup;
	int found;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(e, ENOTTY,
			       "the console needs a terminal on standard input and output; "
			       "without one use `iodeck run`");
	if (!name || !*name)
		return err_set(e, ENOTSUP, "TERM is not set; set it, or use `iodeck run`");
	if (setupterm(name, STDOUT_FILENO, &found) != OK)
		return err_set(e, ENOTSUP,
			       "TERM=%s is unknown here; set another, or use `iodeck run`", name);
	cup = tigetstr("cup");
	del_curterm(cur_term);
	if (!cup || cup == (char *)-1)
		return err_set(e, ENOTSUP,
			       "TERM=%s cannot place the cursor; set another, or use `iodeck run`",
			       name);
	return 0;
}

void term_size(int *w, int *h)
{
	struct winsize ws = {0};

	/* A serial line does not know its size. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || ws.ws_col == 0 || ws.ws_row == 0) {
		ws.ws_col = 80;
		ws.ws_row = 24;
	}
	*w = ws.ws_col < W_MAX ? ws.ws_col : W_MAX;
	*h = ws.ws_row < H_MAX ? ws.ws_row : H_MAX;
}
