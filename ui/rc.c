#include "ui/rc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/script.h"
#include "ui/term.h"

static const struct {
	const char *name;
	enum key_screen screen;
} screens[] = {{"run", KEYS_RUN},
	       {"sweep", KEYS_SWEEP},
	       {"compare", KEYS_COMPARE},
	       {"history", KEYS_HISTORY}};
#define SCREENS (sizeof(screens) / sizeof(screens[0]))

static const char *const roles[] = {
	[ROLE_TEXT] = "text",   [ROLE_BORDER] = "border", [ROLE_TITLE] = "title",
	[ROLE_KEY] = "key",     [ROLE_FOCUS] = "focus",   [ROLE_READ] = "read",
	[ROLE_WRITE] = "write", [ROLE_TRIM] = "trim",     [ROLE_MARK] = "mark",
	[ROLE_STALL] = "stall", [ROLE_WARN] = "warn",     [ROLE_ERROR] = "error",
	[ROLE_OK] = "ok",       [ROLE_DIM] = "dim",       [ROLE_BADGE] = "badge",
};
#define ROLES (sizeof(roles) / sizeof(roles[0]))

static const char *const colors[] = {"black", "red",     "green", "yellow",
				     "blue",  "magenta", "cyan",  "white"};
#define COLORS (sizeof(colors) / sizeof(colors[0]))

static const char *const themes[] = {
	[THEME_DEFAULT] = "default",
	[THEME_LIGHT] = "light",
	[THEME_PLAIN] = "mono",
	[THEME_CONTRAST] = "high-contrast",
};
#define THEMES (sizeof(themes) / sizeof(themes[0]))

/* Cuts the next word off; NULL at the end. */
static char *word(char **rest)
{
	char *w = *rest + strspn(*rest, " \t");

	if (!*w)
		return NULL;
	*rest = w + strcspn(w, " \t");
	if (**rest)
		*(*rest)++ = '\0';
	return w;
}

static int one_word(char *rest, const char *what, char **out, struct err *e)
{
	*out = word(&rest);
	if (!*out || word(&rest))
		return err_set(e, EINVAL, "one word is needed: %s", what);
	return 0;
}

/* ---- theme, color ---- */

static int take_theme(struct rc *rc, char *rest, struct err *e)
{
	const char *const what = "default, light, mono, high-contrast or auto";
	char *w;
	int err = one_word(rest, what, &w, e);

	if (err < 0)
		return err;
	rc->theme_said = strcmp(w, "auto") != 0;
	if (!rc->theme_said)
		return 0;
	for (size_t i = 0; i < THEMES; i++) {
		if (strcmp(w, themes[i]) != 0)
			continue;
		rc->theme.id = (enum theme_id)i;
		return 0;
	}
	return err_set(e, EINVAL, "theme %.40s: there is %s", w, what);
}

static bool color_of(const char *w, int16_t *fg)
{
	uint64_t n;

	if (strcmp(w, "default") == 0) {
		*fg = -1;
		return true;
	}
	for (size_t i = 0; i < COLORS; i++) {
		if (strcmp(w, colors[i]) != 0)
			continue;
		*fg = (int16_t)i;
		return true;
	}
	if (units_parse_u64(w, 0, 255, &n, NULL) < 0)
		return false;
	*fg = (int16_t)n;
	return true;
}

static int take_style(char *text, struct theme_style *out, struct err *e)
{
	char *save = NULL, *w = strtok_r(text, ",", &save);

	*out = (struct theme_style){.fg = -1};
	if (!w || !color_of(w, &out->fg))
		return err_set(e, EINVAL,
			       "color %.40s: a number 0..255, default, black, red, green, "
			       "yellow, blue, magenta, cyan or white",
			       w ? w : "");
	while ((w = strtok_r(NULL, ",", &save))) {
		if (strcmp(w, "bold") == 0)
			out->attr |= ATTR_BOLD;
		else if (strcmp(w, "reverse") == 0)
			out->attr |= ATTR_REVERSE;
		else if (strcmp(w, "underline") == 0)
			out->attr |= ATTR_UNDERLINE;
		else
			return err_set(e, EINVAL, "color ...,%.40s: bold, reverse or underline", w);
	}
	return 0;
}

static int take_color(struct rc *rc, char *rest, struct err *e)
{
	char *role = word(&rest), *style;
	struct strbuf known = {0};

	for (size_t i = 0; role && i < ROLES; i++) {
		if (strcmp(role, roles[i]) != 0)
			continue;
		if (one_word(rest, "a colour, as in 39 or red,bold", &style, e) < 0)
			return -EINVAL;
		rc->theme.set[i] = true;
		return take_style(style, &rc->theme.style[i], e);
	}
	for (size_t i = 0; i < ROLES; i++)
		strbuf_addf(&known, "%s%s", i ? " " : "", roles[i]);
	err_set(e, EINVAL, "color %.40s: there is no such role; known: %s", role ? role : "",
		strbuf_str(&known));
	strbuf_fini(&known);
	return -EINVAL;
}

/* ---- bind ---- */

/* Keys that lead out must lead out. */
static bool is_reserved(uint32_t key)
{
	return key == TERM_CTRL_C || key == TERM_CTRL_Z || key == TERM_CTRL_L || key == TERM_ESC;
}

static void add_bind(struct rc *rc, enum key_screen screen, uint32_t key, const char *verb)
{
	for (size_t i = 0; i < rc->n_binds; i++) {
		if (rc->binds[i].screen != screen || rc->binds[i].key != key)
			continue;
		free(rc->binds[i].line);
		rc->binds[i].line = xstrdup(verb);
		return;
	}
	rc->binds = xrealloc(rc->binds, (rc->n_binds + 1) * sizeof(*rc->binds));
	rc->binds[rc->n_binds++] =
		(struct key_user){.screen = screen, .key = key, .line = xstrdup(verb)};
}

static int take_bind(struct rc *rc, char *rest, struct err *e)
{
	char *where = word(&rest), *name = where ? word(&rest) : NULL;
	const char *verb = rest + strspn(rest, " \t:");
	uint32_t key = name ? keys_code(name) : 0;
	bool any = false, all = where && strcmp(where, "all") == 0;

	if (!name || !*verb)
		return err_set(e, EINVAL,
			       "bind SCREEN KEY :COMMAND is needed, as in "
			       "bind run x :export svg");
	if (!key)
		return err_set(e, EINVAL,
			       "bind %.20s %.20s: no such key; x, Space, F5, Up, PgDn ...", where,
			       name);
	if (is_reserved(key))
		return err_set(e, EINVAL, "bind %.20s %.20s: this key always means the same", where,
			       name);
	if (!script_is_verb(verb))
		return err_set(e, EINVAL,
			       "bind %.20s %.20s: %.60s is no command; ? in the console "
			       "lists them",
			       where, name, verb);
	for (size_t i = 0; i < SCREENS; i++) {
		if (!all && strcmp(where, screens[i].name) != 0)
			continue;
		add_bind(rc, screens[i].screen, key, verb);
		any = true;
	}
	if (any)
		return 0;
	return err_set(e, EINVAL,
		       "bind %.20s: a screen is needed: run, sweep, compare, history, all", where);
}

/* ---- settings ---- */

static int take_fps(struct rc *rc, char *rest, struct err *e)
{
	uint64_t n;
	char *w;

	if (one_word(rest, "fps 1..10", &w, e) < 0 || units_parse_u64(w, 1, 10, &n, NULL) < 0)
		return err_set(e, EINVAL, "fps: a number 1..10 is needed");
	rc->fps = (unsigned)n;
	return 0;
}

static int take_units(struct rc *rc, char *rest, struct err *e)
{
	char *w;

	if (one_word(rest, "iec or si", &w, e) < 0)
		return -EINVAL;
	if (strcmp(w, "iec") != 0 && strcmp(w, "si") != 0)
		return err_set(e, EINVAL, "units %.20s: iec or si", w);
	rc->si = strcmp(w, "si") == 0;
	return 0;
}

static int take_bell(struct rc *rc, char *rest, struct err *e)
{
	char *w;

	if (one_word(rest, "on or off", &w, e) < 0)
		return -EINVAL;
	if (strcmp(w, "on") != 0 && strcmp(w, "off") != 0)
		return err_set(e, EINVAL, "bell %.20s: on or off", w);
	rc->bell = strcmp(w, "on") == 0;
	return 0;
}

static const struct {
	const char *name;
	int (*take)(struct rc *, char *rest, struct err *);
} words[] = {{"bind", take_bind}, {"color", take_color}, {"theme", take_theme},
	     {"fps", take_fps},   {"units", take_units}, {"bell", take_bell}};

/* "bell=on" is "bell on". A key to bind may be '='. */
static void part_at_equals(char *line)
{
	static const char *const settings[] = {"theme=", "fps=", "units=", "bell="};

	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (strncmp(line, settings[i], strlen(settings[i])) == 0)
			line[strlen(settings[i]) - 1] = ' ';
}

static int take_line(struct rc *rc, char *line, struct err *e)
{
	char *w;

	line[strcspn(line, "\r")] = '\0';
	part_at_equals(line);
	w = word(&line);
	if (!w || *w == '#')
		return 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(w, words[i].name) == 0)
			return words[i].take(rc, line, e);
	return err_set(e, EINVAL, "%.40s: bind, color, theme, fps, units or bell", w);
}

int rc_parse(struct rc *rc, const char *name, const char *text, struct err *e)
{
	char *copy = xstrdup(text), *line = copy;
	unsigned n = 0;
	int err = 0;

	*rc = (struct rc){0};
	while (line && err == 0) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		n++;
		err = take_line(rc, line, e);
		line = next;
	}
	free(copy);
	if (err == 0)
		return 0;
	err_wrap(e, "%s:%u", name, n);
	rc_fini(rc);
	return err;
}

int rc_load(struct rc *rc, const char *path, bool must_exist, struct err *e)
{
	struct strbuf sb = {0};
	int err = fs_read_all("", path, &sb);

	*rc = (struct rc){0};
	if (err == -ENOENT && !must_exist)
		err = 0;
	else if (err < 0)
		err_set(e, -err, "%s: %s", path, strerror(-err));
	else if (sb.len != strlen(strbuf_str(&sb)))
		err = err_set(e, EINVAL, "%s: not a text file", path);
	else
		err = rc_parse(rc, path, strbuf_str(&sb), e);
	strbuf_fini(&sb);
	return err;
}

void rc_fini(struct rc *rc)
{
	for (size_t i = 0; i < rc->n_binds; i++)
		free(rc->binds[i].line);
	free(rc->binds);
	*rc = (struct rc){0};
}

void rc_use(const struct rc *rc)
{
	keys_use(rc->binds, rc->n_binds);
	theme_use(&rc->theme);
}
