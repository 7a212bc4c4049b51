/* The Run screen, drawn from hand-made runs: golden screens, every size, one owner per cell. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_run.h"
#include "golden.h"
#include "ui/view.h"

static const struct fake_case *find(const char *name)
{
	for (const struct fake_case *fc = fake_cases; fc->name; fc++)
		if (strcmp(fc->name, name) == 0)
			return fc;
	cr_assert_fail("no case %s", name);
	return NULL;
}

static void draw(struct canvas *c, const struct fake *f, int w, int h, const struct glyphs *g)
{
	canvas_init(c, w, h, g);
	c->owned = true;
	view_table[0]->draw(&f->st, &f->model, c);
}

enum form { UTF8, ASCII, MONO };
static const struct {
	const char *name;
	int w, h;
	enum form form;
} screens[] = {
	{"idle", 80, 24, UTF8},     {"idle", 120, 40, UTF8},    {"idle", 40, 10, UTF8},
	{"layout", 80, 24, UTF8},   {"layout", 80, 24, ASCII},  {"layout", 40, 10, UTF8},
	{"read", 80, 24, UTF8},     {"read", 100, 30, UTF8},    {"read", 120, 40, UTF8},
	{"read", 60, 16, UTF8},     {"read", 40, 10, UTF8},     {"read", 39, 1, UTF8},
	{"read", 30, 2, ASCII},     {"read", 80, 24, ASCII},    {"read", 120, 40, ASCII},
	{"read", 80, 24, MONO},     {"read", 70, 50, UTF8},     {"mixed", 80, 24, UTF8},
	{"mixed", 120, 40, UTF8},   {"mixed", 80, 24, ASCII},   {"mixed", 80, 24, MONO},
	{"mixed", 60, 16, UTF8},    {"stall", 80, 24, UTF8},    {"stall", 100, 30, UTF8},
	{"stall", 120, 40, UTF8},   {"stall", 40, 10, UTF8},    {"done", 80, 24, UTF8},
	{"done", 100, 30, UTF8},    {"failed", 80, 24, UTF8},   {"failed", 120, 40, UTF8},
	{"failed", 40, 10, UTF8},   {"failed", 60, 2, UTF8},    {"refused", 80, 24, UTF8},
	{"refused", 40, 10, ASCII}, {"paused", 80, 24, UTF8},   {"paused", 100, 30, UTF8},
	{"heat", 80, 24, UTF8},     {"heat", 80, 24, ASCII},    {"heat", 80, 24, MONO},
	{"heat", 120, 40, UTF8},    {"heat", 100, 30, ASCII},   {"heat", 40, 10, UTF8},
	{"hist", 80, 24, UTF8},     {"hist", 100, 30, UTF8},    {"hist", 120, 40, ASCII},
	{"hist", 80, 24, MONO},     {"jobs", 80, 24, UTF8},     {"jobs", 100, 30, ASCII},
	{"jobs", 120, 40, UTF8},    {"jobs", 60, 16, UTF8},     {"queue", 80, 24, UTF8},
	{"slo", 80, 24, UTF8},      {"slo", 100, 30, ASCII},    {"slo", 120, 40, UTF8},
	{"slo", 40, 10, UTF8},      {"slo", 80, 24, MONO},      {"armed", 80, 24, UTF8},
	{"armed", 120, 40, ASCII},  {"armed", 40, 10, UTF8},    {"armed", 60, 16, MONO},
	{"armed", 40, 1, UTF8},     {"cursor", 80, 24, UTF8},   {"cursor", 100, 30, ASCII},
	{"cursor", 80, 24, MONO},   {"honest", 80, 24, UTF8},   {"honest", 100, 30, UTF8},
	{"honest", 120, 40, ASCII}, {"honest", 40, 10, UTF8},   {"queue", 120, 40, UTF8},
	{"queue", 100, 30, ASCII},  {"sync", 100, 30, UTF8},    {"sync", 80, 24, UTF8},
	{"edit", 80, 24, UTF8},     {"edit", 40, 10, UTF8},     {"waiting", 80, 24, UTF8},
	{"waiting", 120, 40, UTF8}, {"waiting", 40, 10, ASCII}, {"waiting", 40, 1, UTF8},
};

static void check_screen(size_t i)
{
	static const char *const forms[] = {[UTF8] = "utf8", [ASCII] = "ascii", [MONO] = "mono"};
	struct canvas c;
	struct fake f;
	char name[64];

	fake_init(&f, find(screens[i].name));
	draw(&c, &f, screens[i].w, screens[i].h,
	     screens[i].form == ASCII ? &glyphs_ascii : &glyphs_utf8);
	snprintf(name, sizeof(name), "dash-%s-%dx%d-%s", screens[i].name, screens[i].w,
		 screens[i].h, forms[screens[i].form]);
	if (screens[i].form == MONO)
		golden_canvas_mono(name, &c);
	else
		golden_canvas(name, &c);
	canvas_fini(&c);
	fake_fini(&f);
}

Test(golden_dash, screens)
{
	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++)
		check_screen(i);
}

/* A second write to a cell aborts, and so does anything that the sanitizers see. */
Test(golden_dash, every_case_draws_at_every_size)
{
	for (const struct fake_case *fc = fake_cases; fc->name; fc++) {
		struct fake f;

		fake_init(&f, fc);
		for (int h = 1; h <= 60; h++) {
			/* All narrow widths; of the wide ones every seventh. */
			for (int w = 1; w <= 200; w += w < 64 ? 1 : 7) {
				struct canvas c;

				draw(&c, &f, w, h, (w + h) % 2 ? &glyphs_ascii : &glyphs_utf8);
				canvas_fini(&c);
			}
		}
		fake_fini(&f);
	}
}

/* What must never be cut: a number stands whole or not at all, so the same text is found at each size. */
Test(golden_dash, the_rate_is_whole_wherever_it_is_shown)
{
	struct fake f;

	fake_init(&f, find("read"));
	for (int h = 1; h <= 50; h++) {
		for (int w = 24; w <= 140; w++) {
			struct strbuf sb = {0};
			struct canvas c;

			draw(&c, &f, w, h, &glyphs_utf8);
			canvas_dump_text(&c, &sb);
			cr_assert(strstr(strbuf_str(&sb), "364k"), "%dx%d:\n%s", w, h,
				  strbuf_str(&sb));
			strbuf_fini(&sb);
			canvas_fini(&c);
		}
	}
	fake_fini(&f);
}

/* Unknown is never drawn as 0. */
Test(golden_dash, unknown_numbers_are_dashes)
{
	struct strbuf sb = {0};
	struct canvas c;
	struct fake f;

	fake_init(&f, find("idle"));
	draw(&c, &f, 80, 24, &glyphs_ascii);
	canvas_dump_text(&c, &sb);
	cr_expect_null(strstr(strbuf_str(&sb), "0 ns"), "%s", strbuf_str(&sb));
	cr_expect_null(strstr(strbuf_str(&sb), "nan"), "%s", strbuf_str(&sb));
	strbuf_fini(&sb);
	canvas_fini(&c);
	fake_fini(&f);
}
