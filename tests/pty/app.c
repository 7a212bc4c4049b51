#include "tests/pty/app.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "ui/utf8.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))

bool app_wide_signs;

/* In front of libc's: what a patched locale or a preloaded library does for its user. */
int wcwidth(wchar_t c)
{
	static int (*real)(wchar_t);

	if (app_wide_signs && c >= 0x80)
		return 2;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "wcwidth");
	return real(c);
}

void app_scene(struct canvas *c)
{
	canvas_clear(c);
	canvas_box(c, (struct rect){0, 0, c->w, c->h}, ROLE_BORDER, "scene");
	for (int r = 0; r < ROLE_NR; r++) {
		int y = 1 + r, x = 2;

		if (y >= c->h - 1)
			break;
		x = canvas_textf(c, x, y, (enum role)r, 0, "role %2d 84.1 %ss ", r, c->g->micro);
		for (int b = 0; b <= 8; b++)
			canvas_put(c, x++, y, c->g->block[b], (enum role)r, 0);
		x = canvas_text(c, x + 1, y, (enum role)r, ATTR_BOLD, "bold");
		x = canvas_text(c, x + 1, y, (enum role)r, ATTR_UNDERLINE, "line");
		canvas_text(c, x + 1, y, (enum role)r, ATTR_REVERSE, "back");
	}
}

struct app {
	struct canvas canvas;
	char line[200]; /* the newest keys */
	unsigned keys;
};

static const char *key_name(uint32_t key, char buf[16])
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {
		{TERM_UP, "UP"},         {TERM_DOWN, "DOWN"},
		{TERM_LEFT, "LEFT"},     {TERM_RIGHT, "RIGHT"},
		{TERM_HOME, "HOME"},     {TERM_END, "END"},
		{TERM_PGUP, "PGUP"},     {TERM_PGDN, "PGDN"},
		{TERM_DEL, "DEL"},       {TERM_BACKSPACE, "BACKSPACE"},
		{TERM_ENTER, "ENTER"},   {TERM_ESC, "ESC"},
		{TERM_TAB, "TAB"},       {TERM_BACKTAB, "BACKTAB"},
		{TERM_RESIZE, "RESIZE"}, {TERM_CTRL_C, "CTRL_C"},
		{TERM_CTRL_L, "CTRL_L"}, {TERM_CTRL_Z, "CTRL_Z"},
	};

	for (size_t i = 0; i < ROWS(names); i++)
		if (names[i].key == key)
			return names[i].name;
	if (key >= TERM_F1 && key < TERM_F1 + 12)
		snprintf(buf, 16, "F%u", key - TERM_F1 + 1);
	else
		buf[utf8_encode(key, buf)] = '\0';
	return buf;
}

static void app_draw(struct app *a)
{
	int w, h;

	term_size(&w, &h);
	if (w != a->canvas.w || h != a->canvas.h)
		canvas_resize(&a->canvas, w, h);
	app_scene(&a->canvas);
	if (a->keys > 0 && h > 2) {
		canvas_fill(&a->canvas, (struct rect){1, 1, w - 2, 1}, ' ', ROLE_TEXT, 0);
		canvas_textf(&a->canvas, 1, 1, ROLE_TEXT, 0, "%u:%s.", a->keys, a->line);
	}
	term_flush(&a->canvas);
}

static void app_note(struct app *a, uint32_t key)
{
	char buf[16];
	size_t n;

	a->keys++;
	n = strlen(a->line);
	if (n > 40) { /* keep the newest; a cut UTF-8 sign would show as '?' */
		a->line[0] = '\0';
		n = 0;
	}
	snprintf(a->line + n, sizeof(a->line) - n, " %s", key_name(key, buf));
}

/* Not NULL: UBSan would end the program before the signal that we want to see. */
static void *volatile nowhere = (void *)4096;
static volatile int forever = 1;

static void *fault(void *arg)
{
	(void)arg;
	*(volatile int *)nowhere = 1;
	return NULL;
}

static int overflow(int depth)
{
	volatile char here[4096];

	here[0] = (char)depth;
	return forever ? overflow(depth + 1) + here[0] : 0;
}

/* How the program may die, by key. */
static void app_die(uint32_t key)
{
	pthread_t t;

	switch (key) {
	case 'S':
		fault(NULL);
		break;
	case 'T':
		pthread_create(&t, NULL, fault, NULL);
		pthread_join(t, NULL);
		break;
	case 'O':
		overflow(0);
		break;
	case 'A':
		abort();
	case 'E':
		exit(3);
	default:
		break;
	}
}

static void app_key(struct app *a, uint32_t key)
{
	app_die(key);
	switch (key) {
	case 'W':
		fputs("library says hello\n", stderr);
		break;
	case 'C':
		close(STDOUT_FILENO);
		break;
	case 'R':
		term_close();
		term_open(&(struct term_cfg){0}, NULL);
		break;
	case TERM_CTRL_Z:
		term_suspend();
		break;
	case TERM_CTRL_L:
		term_repaint();
		break;
	default:
		break;
	}
	app_note(a, key);
}

/* 0: go on. */
static int app_signals(void)
{
	uint64_t bits = term_take_signals();

	if (bits & 1u << SIGTSTP)
		term_suspend();
	for (int sig = 1; sig < 32; sig++)
		if ((bits & 1u << sig) && (sig == SIGTERM || sig == SIGINT || sig == SIGHUP))
			return 128 + sig;
	return 0;
}

static int app_loop(struct app *a)
{
	for (;;) {
		struct pollfd p[2] = {{.fd = term_fd(), .events = POLLIN},
				      {.fd = term_signal_fd(), .events = POLLIN}};
		uint32_t key;
		int rc;

		app_draw(a);
		poll(p, 2, 1000);
		rc = app_signals();
		if (rc)
			return rc;
		while ((key = term_read_key())) {
			if (key == 'q')
				return 0;
			if (key != TERM_RESIZE)
				app_key(a, key);
		}
	}
}

/* exit() runs what term_open() registered, and then nothing more of the test runner's. */
static void end_here(int status, void *arg)
{
	(void)arg;
	_exit(status);
}

int app_main(void *cfg)
{
	struct app a = {0};
	struct err e = {0};
	int rc;

	on_exit(end_here, NULL);
	setlocale(LC_CTYPE, "");
	printf("shell: before\n");
	fflush(stdout);
	if (term_open(cfg, &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return 2;
	}
	canvas_init(&a.canvas, 1, 1, term_glyphs());
	rc = app_loop(&a);
	term_close();
	canvas_fini(&a.canvas);
	printf("shell: after\n");
	fflush(stdout);
	return rc;
}

bool app_shows(struct vt *vt, const char *text)
{
	struct strbuf sb = {0};
	bool ok = vt_wait_text(vt, text, WAIT_MS);

	if (!ok) {
		vt_text(vt, &sb);
		fprintf(stderr, "'%s' is not on the screen:\n%s", text, strbuf_str(&sb));
		strbuf_fini(&sb);
	}
	return ok;
}

struct vt *app_start(const char *const env[], int w, int h)
{
	static struct term_cfg cfg;
	struct vt *vt = vt_fork(app_main, &cfg, env, w, h);

	cr_assert(app_shows(vt, "scene"), "the program did not draw");
	return vt;
}

void app_quit(struct vt *vt)
{
	vt_send(vt, "q");
	cr_expect_eq(vt_wait_exit(vt, WAIT_MS), 0);
	vt_free(vt);
}
