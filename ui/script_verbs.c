/* The verbs: one row each, for the command line, for scripts and for the help page. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/units.h"
#include "ui/console.h"
#include "ui/script.h"
#include "ui/utf8.h"
#include "ui/w_items.h"

struct call {
	struct console *con;
	struct script *sc; /* NULL: typed by a person */
	const char *args;
	uint64_t now_ns;
};

static int verb_set(const struct call *c, struct err *e)
{
	return console_set(c->con, c->args, e);
}

static int verb_run(const struct call *c, struct err *e)
{
	return console_start(c->con, e);
}

static int verb_stop(const struct call *c, struct err *e)
{
	return console_stop(c->con, e);
}

static int verb_mark(const struct call *c, struct err *e)
{
	return console_mark(c->con, c->args, e);
}

static int verb_slo(const struct call *c, struct err *e)
{
	return console_slo(c->con, c->args, e);
}

static int verb_dev(const struct call *c, struct err *e)
{
	return console_set_target(c->con, c->args, e);
}

/* "load NAME", "save NAME"; an existing profile is replaced by `save! NAME` only. */
static int verb_profile(const struct call *c, struct err *e)
{
	const char *name = c->args + strcspn(c->args, " ");
	size_t n = (size_t)(name - c->args);

	name += strspn(name, " ");
	if (*name && n == 4 && strncmp(c->args, "load", n) == 0)
		return console_load_profile(c->con, name, e);
	if (*name && n == 4 && strncmp(c->args, "save", n) == 0)
		return console_save_profile(c->con, name, false, e);
	if (*name && n == 5 && strncmp(c->args, "save!", n) == 0)
		return console_save_profile(c->con, name, true, e);
	return err_set(e, EINVAL, "profile %s: load NAME, save NAME or save! NAME", c->args);
}

static int verb_export(const struct call *c, struct err *e)
{
	return console_export(c->con, c->args, false, e);
}

static int verb_export_anyway(const struct call *c, struct err *e)
{
	return console_export(c->con, c->args, true, e);
}

/* The present facts as a sentence, for a screen reader that reads one line. */
static void say_facts(struct console *con)
{
	const struct lane_snap *l = &con->model.snap->lane[0];
	bool over = con->model.snap->state == RUN_DONE;
	const struct op_win *w = &(over ? l->total : l->sec)[IO_OP_NR];
	const struct canvas *c = con->screen;
	char iops[NUM_SIZE], bps[NUM_SIZE], mean[NUM_SIZE], p99[NUM_SIZE], t[NUM_SIZE];

	if (!l->t_start_ns) {
		console_say(con, ROLE_TITLE, "nothing is measured yet");
		return;
	}
	units_fmt_clock(t, sizeof(t), l->elapsed_ns);
	console_say(con, ROLE_TITLE, "%s%s at %s: %s IOPS, %s, mean %s, p99 %s, %u in flight%s%s",
		    l->simulated ? "simulated, " : "", over ? "the whole run" : "the last second",
		    t, show_count(c, iops, w->iops), show_bps(c, bps, w->bps, con->st.si),
		    show_ns(c, mean, w->lat.n ? w->lat.mean_ns : (double)NAN),
		    show_ns(c, p99, w->lat.n ? (double)w->lat.pct_ns[3] : (double)NAN), l->inflight,
		    l->total[IO_OP_NR].errors ? ", with I/O errors" : "",
		    l->lost ? ", the device is lost" : "");
}

static int verb_say(const struct call *c, struct err *e)
{
	(void)e;
	if (!*c->args) {
		say_facts(c->con);
		return 0;
	}
	console_say(c->con, ROLE_TITLE, "%.190s", c->args);
	return 0;
}

/* Measures these cells, all of them, on the Sweep screen. */
static int verb_sweep(const struct call *c, struct err *e)
{
	int rc = *c->args ? console_sweep_set(c->con, c->args, e) : 0;

	if (rc == 0)
		rc = console_request(c->con, REQ_VIEW_SWEEP, e);
	c->con->st.message[0] = '\0';
	return rc < 0 ? rc : console_request(c->con, REQ_SWEEP_ANEW, e);
}

static int verb_lane(const struct call *c, struct err *e)
{
	return console_compare_lane(c->con, c->args, e);
}

static int verb_mode(const struct call *c, struct err *e)
{
	return console_compare_mode(c->con, c->args, e);
}

static enum theme_depth save_depth(const struct console *con)
{
	return con->cfg->term.no_color ? THEME_MONO : THEME_256;
}

static int verb_save_screen(const struct call *c, struct err *e)
{
	const char *dot = strrchr(c->args, '.');
	struct canvas *screen = c->con->screen;
	struct strbuf sb = {0};
	int rc;

	console_draw(c->con, screen);
	if (dot && strcmp(dot, ".txt") == 0)
		canvas_dump_text(screen, &sb);
	else if (dot && strcmp(dot, ".ans") == 0)
		canvas_dump_ansi(screen, save_depth(c->con), &sb);
	else if (dot && strcmp(dot, ".svg") == 0)
		canvas_dump_svg(screen, save_depth(c->con), &sb);
	else
		return err_set(e, EINVAL, "save-screen %s: the name must end in .txt, .ans or .svg",
			       c->args);
	rc = fs_write_atomic(c->args, strbuf_str(&sb), sb.len);
	strbuf_fini(&sb);
	return rc < 0 ? err_set(e, -rc, "save-screen %s: %s", c->args, strerror(-rc)) : 0;
}

bool script_screen_has(struct console *con, const char *text)
{
	struct strbuf sb = {0};
	bool has;

	console_draw(con, con->screen);
	canvas_dump_text(con->screen, &sb);
	has = strstr(strbuf_str(&sb), text) != NULL;
	strbuf_fini(&sb);
	return has;
}

static int verb_assert(const struct call *c, struct err *e)
{
	if (script_screen_has(c->con, c->args))
		return 0;
	return err_set(e, EINVAL, "assert: the screen does not show \"%s\"", c->args);
}

/* "running", "idle", "text TEXT", each with an optional limit in front of it; or a time. */
static int verb_wait(const struct call *c, struct err *e)
{
	struct script *sc = c->sc;
	uint64_t ns;
	int rc;

	sc->until_ns = 0;
	if (strcmp(c->args, "running") == 0) {
		sc->wait = WAIT_RUNNING;
	} else if (strcmp(c->args, "idle") == 0) {
		sc->wait = WAIT_IDLE;
	} else if (strncmp(c->args, "text ", 5) == 0) {
		sc->wait = WAIT_TEXT;
		sc->until_ns = c->now_ns + 10 * NSEC_PER_SEC;
		snprintf(sc->wait_text, sizeof(sc->wait_text), "%s", c->args + 5);
	} else {
		rc = units_parse_time(c->args, UNIT_SEC, &ns, e);
		if (rc < 0)
			return err_set(e, EINVAL, "wait %s: running, idle, text TEXT or seconds",
				       c->args);
		sc->wait = WAIT_TIME;
		sc->until_ns = c->now_ns + ns;
	}
	return 0;
}

static int verb_key(const struct call *c, struct err *e)
{
	uint32_t key = keys_code(c->args);

	if (!key)
		return err_set(e, EINVAL, "key %s: no such key; Space, F5, Up, Ctrl-C, a ...",
			       c->args);
	console_key(c->con, key, c->now_ns);
	return 0;
}

static int verb_type(const struct call *c, struct err *e)
{
	const char *s = c->args;

	(void)e;
	while (*s) {
		size_t used = 1;
		uint32_t cp = utf8_decode(s, strlen(s), &used);

		s += used ? used : 1;
		console_key(c->con, cp < UTF8_MORE ? cp : '?', c->now_ns);
	}
	return 0;
}

static int verb_size(const struct call *c, struct err *e)
{
	unsigned w, h;
	char tail;

	if (!c->con->cfg->no_terminal)
		return err_set(e, EINVAL, "size: the terminal decides its own size");
	if (sscanf(c->args, "%4ux%4u%c", &w, &h, &tail) != 2 || !w || !h || w > 1000 || h > 1000)
		return err_set(e, EINVAL, "size %s: WxH is needed, as in 120x40", c->args);
	canvas_resize(c->con->screen, (int)w, (int)h);
	return 0;
}

/* A person is asked while a run is on; a script means what it says: stop, and keep the report. */
static int verb_quit(const struct call *c, struct err *e)
{
	if (!c->sc)
		return console_request(c->con, REQ_QUIT, e);
	console_quit(c->con, false);
	return 0;
}

static int verb_quit_now(const struct call *c, struct err *e)
{
	(void)e;
	console_quit(c->con, true);
	return 0;
}

enum verb_flags {
	VERB_ARGS = 1u << 0,
	VERB_NO_ARGS = 1u << 1,
	VERB_SCRIPT = 1u << 2,
	VERB_WRITES = 1u << 3,
};

static const struct verb {
	const char *name, *args, *help;
	int (*fn)(const struct call *, struct err *);
	unsigned flags;
	enum script_args kind;
	const char *words;
} verbs[] = {
	{"set", "NAME=VALUE ...", "set fields of the strip or any job option; fps=1..10", verb_set,
	 VERB_ARGS, SCRIPT_ARGS_SETTINGS, NULL},
	{"run", "", "start the run", verb_run, VERB_NO_ARGS, SCRIPT_ARGS_NONE, NULL},
	{"stop", "", "stop the run", verb_stop, VERB_NO_ARGS, SCRIPT_ARGS_NONE, NULL},
	{"mark", "TEXT", "put a mark on the time axis", verb_mark, VERB_ARGS, SCRIPT_ARGS_NONE,
	 NULL},
	{"slo", "p99<200us", "latency objective; without one: clears it", verb_slo, 0,
	 SCRIPT_ARGS_WORDS, "p50< p90< p95< p99< p99.9< p99.99< max< mean<"},
	{"dev", "PATH", "make a device or a file the target", verb_dev, VERB_ARGS,
	 SCRIPT_ARGS_TARGET, NULL},
	{"profile", "load NAME, save NAME", "save! NAME replaces one that exists", verb_profile,
	 VERB_ARGS | VERB_WRITES, SCRIPT_ARGS_PROFILE, NULL},
	{"sweep", "[qd=1..128 bs=4k,16k]", "measure these cells on the Sweep screen", verb_sweep, 0,
	 SCRIPT_ARGS_SWEEP, NULL},
	{"lane", "A..D", "Compare: the settings shown and the device are those of this lane",
	 verb_lane, VERB_ARGS, SCRIPT_ARGS_WORDS, "A B C D"},
	{"mode", "both, alternate [SECONDS]", "Compare: lanes at once, or in turns", verb_mode,
	 VERB_ARGS, SCRIPT_ARGS_WORDS, "both alternate"},
	{"export", "svg, html, json, csv [FILE]",
	 "the run that ended last, or the one chosen on History", verb_export,
	 VERB_ARGS | VERB_WRITES, SCRIPT_ARGS_EXPORT, NULL},
	{"export!", "svg, html, json, csv [FILE]", "the same; a file that exists is replaced",
	 verb_export_anyway, VERB_ARGS | VERB_WRITES, SCRIPT_ARGS_EXPORT, NULL},
	{"save-screen", "FILE", "write the screen as .txt, .ans or .svg", verb_save_screen,
	 VERB_ARGS | VERB_WRITES, SCRIPT_ARGS_FILE, NULL},
	{"quit", "", "quit; asks while a run is on", verb_quit, VERB_NO_ARGS, SCRIPT_ARGS_NONE,
	 NULL},
	{"quit!", "", "stop the run, discard its result, quit", verb_quit_now, VERB_NO_ARGS,
	 SCRIPT_ARGS_NONE, NULL},
	{"say", "[TEXT]", "the present facts as a sentence; with TEXT: a caption", verb_say, 0,
	 SCRIPT_ARGS_NONE, NULL},
	{"wait", "running, idle, text TEXT, SECONDS", "scripts: go on when it is so", verb_wait,
	 VERB_ARGS | VERB_SCRIPT, SCRIPT_ARGS_NONE, NULL},
	{"assert", "TEXT", "scripts: fail unless the screen shows it", verb_assert,
	 VERB_ARGS | VERB_SCRIPT, SCRIPT_ARGS_NONE, NULL},
	{"key", "NAME", "scripts: press a key", verb_key, VERB_ARGS | VERB_SCRIPT, SCRIPT_ARGS_NONE,
	 NULL},
	{"type", "TEXT", "scripts: type a text", verb_type, VERB_ARGS | VERB_SCRIPT,
	 SCRIPT_ARGS_NONE, NULL},
	{"size", "WxH", "scripts: size of the memory grid", verb_size, VERB_ARGS | VERB_SCRIPT,
	 SCRIPT_ARGS_NONE, NULL},
};
#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

void script_verbs_help(struct strbuf *out)
{
	for (size_t i = 0; i < VERBS; i++)
		strbuf_addf(out, "%s %s\t%s\n", verbs[i].name, verbs[i].args, verbs[i].help);
}

static const struct verb *verb_find(const char *name, size_t n)
{
	for (size_t i = 0; i < VERBS; i++)
		if (strlen(verbs[i].name) == n && strncmp(verbs[i].name, name, n) == 0)
			return &verbs[i];
	return NULL;
}

bool script_verb_at(size_t i, struct script_verb_row *out)
{
	if (i >= VERBS)
		return false;
	*out = (struct script_verb_row){
		.name = verbs[i].name,
		.words = verbs[i].words,
		.kind = verbs[i].kind,
		.script_only = verbs[i].flags & VERB_SCRIPT,
		.writes = verbs[i].flags & VERB_WRITES,
	};
	return true;
}

bool script_is_verb(const char *line)
{
	size_t n;
	const struct verb *v;
	char name[32];

	line += strspn(line, " \t:");
	n = strcspn(line, " \t");
	v = verb_find(line, n);
	snprintf(name, sizeof(name), "%.*s", n < sizeof(name) ? (int)n : 0, line);
	return v ? !(v->flags & VERB_SCRIPT) : keys_verb(name) != REQ_NONE;
}

static int verb_call(const struct verb *v, const struct call *c, struct err *e)
{
	if ((v->flags & VERB_SCRIPT) && !c->sc)
		return err_set(e, EINVAL, "%s: only in a script (--script FILE)", v->name);
	if ((v->flags & VERB_ARGS) && !*c->args)
		return err_set(e, EINVAL, "%s: %s is needed", v->name, v->args);
	if ((v->flags & VERB_NO_ARGS) && *c->args)
		return err_set(e, EINVAL, "%s: takes no argument", v->name);
	return v->fn(c, e);
}

/* Every key's request has a verb too: `freeze`, `window`, `next`. */
static int key_verb(const struct call *c, const char *name, size_t n, struct err *e)
{
	char verb[32];
	enum request req;

	snprintf(verb, sizeof(verb), "%.*s", n < sizeof(verb) ? (int)n : 0, name);
	req = keys_verb(verb);
	if (req == REQ_NONE || *c->args)
		return err_set(e, EINVAL, "%.*s: no such command; ? lists them", (int)n, name);
	return console_request(c->con, req, e);
}

int script_verb(struct console *con, struct script *sc, const char *line, uint64_t now_ns,
		struct err *e)
{
	char buf[1024];
	struct call c = {.con = con, .sc = sc, .now_ns = now_ns};
	const struct verb *v;
	size_t n;

	line += strspn(line, " \t:");
	if (snprintf(buf, sizeof(buf), "%s", line) >= (int)sizeof(buf))
		return err_set(e, EINVAL, "the line is longer than %zu bytes", sizeof(buf) - 1);
	for (n = strlen(buf); n && isspace((unsigned char)buf[n - 1]);)
		buf[--n] = '\0';
	/* They would come back in messages, which are one line on a screen. */
	for (const char *p = buf; *p; p++)
		if (iscntrl((unsigned char)*p) && *p != '\t')
			return err_set(e, EINVAL, "a control character (0x%02x) is in the line",
				       (unsigned char)*p);
	if (n == 0)
		return 0;
	n = strcspn(buf, " \t");
	c.args = buf + n + strspn(buf + n, " \t");
	v = verb_find(buf, n);
	return v ? verb_call(v, &c, e) : key_verb(&c, buf, n, e);
}
