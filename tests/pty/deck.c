#include "tests/pty/deck.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"

enum { ARGV_MAX = 16, LIVE_TRIES = 100 };

static void __attribute__((noreturn)) deck_fail(const char *what)
{
	fprintf(stderr, "deck: %s: %s\n", what, strerror(errno));
	abort();
}

void deck_path(const struct deck *d, const char *name, char *out, size_t size)
{
	if (snprintf(out, size, "%s/%s", d->dir, name) >= (int)size)
		deck_fail(name);
}

void deck_make(struct deck *d)
{
	*d = (struct deck){.dir = "/dev/shm/iodeck-deck-XXXXXX"};
	if (!mkdtemp(d->dir))
		deck_fail(d->dir);
	deck_path(d, "report.json", d->json, sizeof(d->json));
	deck_path(d, "scratch", d->scratch, sizeof(d->scratch));
}

static void write_script(const struct deck *d, const char *text)
{
	char path[128];

	deck_path(d, "script", path, sizeof(path));
	if (fs_write_atomic(path, text, strlen(text)) < 0)
		deck_fail(path);
}

void deck_argv(const struct deck *d, const struct deck_cfg *cfg, char *argv[ARGV_MAX])
{
	static char bin[PATH_MAX], json[128], script[128], target[256];
	int n = 0;

	if (!realpath(IODECK_BIN, bin))
		deck_fail(IODECK_BIN);
	snprintf(target, sizeof(target), "%s", cfg->target ? cfg->target : d->scratch);
	snprintf(json, sizeof(json), "--json=%s", d->json);
	argv[n++] = bin;
	argv[n++] = target;
	argv[n++] = json;
	if (cfg->script) {
		write_script(d, cfg->script);
		snprintf(script, sizeof(script), "--script=%s/script", d->dir);
		argv[n++] = script;
	}
	for (const char *const *w = cfg->words; w && *w && n < ARGV_MAX - 1; w++)
		argv[n++] = (char *)(uintptr_t)*w;
	argv[n] = NULL;
}

void deck_start(struct deck *d, const struct deck_cfg *cfg)
{
	deck_make(d);
	deck_spawn(d, cfg);
}

void deck_spawn(struct deck *d, const struct deck_cfg *cfg)
{
	const char *env[16];
	char home[96], config[96], *argv[ARGV_MAX];
	int n = 0;

	deck_argv(d, cfg, argv);
	snprintf(home, sizeof(home), "HOME=%s", d->dir);
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", d->dir);
	env[n++] = home;
	env[n++] = config;
	env[n++] = "XDG_DATA_HOME";
	env[n++] = "XDG_STATE_HOME";
	for (const char *const *e = cfg->env; e && *e && n < 15; e++)
		env[n++] = *e;
	env[n] = NULL;
	d->vt = vt_spawn(argv, env, cfg->w ? cfg->w : 80, cfg->h ? cfg->h : 24);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void deck_end(struct deck *d)
{
	if (d->vt)
		vt_free(d->vt);
	nftw(d->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void show(struct vt *vt, const char *what)
{
	struct strbuf sb = {0};

	vt_text(vt, &sb);
	fprintf(stderr, "%s:\n%s", what, strbuf_str(&sb));
	strbuf_fini(&sb);
}

bool deck_shows(struct deck *d, const char *text)
{
	bool ok = vt_wait_text(d->vt, text, PATIENCE_MS);

	if (!ok) {
		fprintf(stderr, "'%s' did not come. ", text);
		show(d->vt, "The screen");
	}
	return ok;
}

bool deck_run(struct deck *d)
{
	vt_send(d->vt, " ");
	return deck_shows(d, "RUN") && deck_shows(d, "n=");
}

static bool file_is_there(struct vt *vt, void *path)
{
	struct stat st;

	(void)vt;
	return stat(path, &st) == 0 && st.st_size > 0;
}

bool deck_wait_file(struct deck *d, const char *path)
{
	return vt_wait(d->vt, file_is_there, (char *)(uintptr_t)path, PATIENCE_MS);
}

struct wish {
	struct vt *paper;
	int x, y;
};

static bool looks_like(struct vt *vt, void *arg)
{
	struct wish *w = arg;

	return vt_same(vt, w->paper, &w->x, &w->y);
}

static void tell_difference(struct vt *vt, const struct wish *w, const char *what)
{
	struct vt_cell is = vt_cell(vt, w->x, w->y), want = vt_cell(w->paper, w->x, w->y);

	show(vt, what);
	show(w->paper, "should be");
	fprintf(stderr,
		"first at %d,%d: U+%04X fg %d bold %d reverse %d, wanted U+%04X fg %d bold %d "
		"reverse %d\n",
		w->x, w->y, is.ch, is.fg, is.bold, is.reverse, want.ch, want.fg, want.bold,
		want.reverse);
}

bool deck_screen_is(struct deck *d, const char *ansi, int ms, const char *what)
{
	struct strbuf sb = {0};
	struct wish w = {0};
	bool ok;

	if (fs_read_all("", ansi, &sb) < 0)
		return false;
	/* The newline after the last row would scroll. */
	if (sb.len && sb.s[sb.len - 1] == '\n')
		sb.len--;
	vt_size(d->vt, &w.x, &w.y);
	w.paper = vt_paper(w.x, w.y);
	vt_paint(w.paper, strbuf_str(&sb), sb.len);
	ok = vt_wait(d->vt, looks_like, &w, ms);
	if (!ok && what)
		tell_difference(d->vt, &w, what);
	vt_free(w.paper);
	strbuf_fini(&sb);
	return ok;
}

bool deck_live_screen_is_right(struct deck *d, const char *what)
{
	char path[128], verb[192];

	deck_path(d, "live.ans", path, sizeof(path));
	snprintf(verb, sizeof(verb), ":save-screen %s\r", path);
	vt_send(d->vt, ":set fps=1\r");
	for (int i = 0; i < LIVE_TRIES; i++) {
		unlink(path);
		vt_send(d->vt, verb);
		if (!deck_wait_file(d, path))
			return false;
		/* The frame after the verb, before the next second's. */
		if (deck_screen_is(d, path, 500, i + 1 == LIVE_TRIES ? what : NULL))
			return true;
	}
	return false;
}
