/* The Sweep screen, drawn from sweeps of a device made of arithmetic. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"

#include "fake_run.h"
#include "golden.h"
#include "sweep_rig.h"
#include "ui/view_sweep.h"

enum stage { PLANNED, WAITING, HALF, PAUSED, STOPPED, FINISHED };

struct picture {
	struct sweep_rig *rig;
	struct fake fake;
};

static void take(struct picture *p, enum stage stage, const char *words)
{
	const struct fake_case *idle = fake_cases;
	unsigned ticks = 0;

	while (strcmp(idle->name, "idle") != 0)
		idle++;
	fake_init(&p->fake, idle);
	sweep_state_init(&p->fake.st.sweep);
	p->rig = calloc(1, sizeof(*p->rig));
	rig_init(p->rig, words);
	p->rig->bps = 6.5e9;
	if (stage == FINISHED)
		rig_run(p->rig, 100000);
	else if (stage == WAITING)
		rig_tick(p->rig);
	else if (stage != PLANNED)
		while (p->rig->sw.v.r.done < 20 || ticks++ < 25)
			rig_tick(p->rig);
	if (stage == PAUSED)
		sweep_pause(&p->rig->sw, true);
	if (stage == STOPPED)
		sweep_interrupt(&p->rig->sw, SWEEP_STOPPED, NULL);
	if (stage == PLANNED)
		return;
	snprintf(p->rig->sw.v.r.engine, sizeof(p->rig->sw.v.r.engine), "io_uring");
	snprintf(p->rig->sw.v.r.rw, sizeof(p->rig->sw.v.r.rw), "randread");
	p->fake.model.snap->sweep = p->rig->sw.v;
	if (stage == WAITING) {
		p->fake.model.snap->n_lanes = 1;
		p->fake.model.snap->lane[0] = (struct lane_snap){
			.state = RUN_ON, .inflight = 1, .oldest_ns = 7200 * NSEC_PER_MSEC};
	}
}

static void drop(struct picture *p)
{
	fake_fini(&p->fake);
	free(p->rig);
}

static void draw(struct canvas *c, const struct picture *p, int w, int h, const struct glyphs *g)
{
	canvas_init(c, w, h, g);
	c->owned = true;
	view_sweep.draw(&p->fake.st, &p->fake.model, c);
}

#define WORDS "qd=1..128 bs=4k,16k,64k,256k,1m slo=p99<500us"

static const struct {
	const char *name;
	enum stage stage;
	int w, h;
	bool ascii;
	unsigned row, col;
	enum sweep_metric metric;
} screens[] = {
	{"planned", PLANNED, 80, 24, false, 0, 0, SWEEP_M_IOPS},
	{"waiting", WAITING, 80, 24, false, 0, 0, SWEEP_M_IOPS},
	{"half", HALF, 80, 24, false, 3, 0, SWEEP_M_IOPS},
	{"half", HALF, 100, 30, false, 3, 0, SWEEP_M_IOPS},
	{"half", HALF, 120, 40, false, 3, 0, SWEEP_M_IOPS},
	{"half", HALF, 60, 16, false, 3, 0, SWEEP_M_IOPS},
	{"half", HALF, 40, 10, false, 3, 0, SWEEP_M_IOPS},
	{"half", HALF, 39, 2, true, 3, 0, SWEEP_M_IOPS},
	{"paused", PAUSED, 80, 24, false, 0, 0, SWEEP_M_IOPS},
	{"stopped", STOPPED, 80, 24, false, 1, 1, SWEEP_M_IOPS},
	{"finished", FINISHED, 80, 24, false, 5, 0, SWEEP_M_IOPS},
	{"finished", FINISHED, 80, 24, true, 5, 0, SWEEP_M_IOPS},
	{"finished", FINISHED, 100, 30, false, 5, 0, SWEEP_M_IOPS},
	{"finished", FINISHED, 120, 40, false, 4, 1, SWEEP_M_IOPS},
	{"finished", FINISHED, 40, 10, false, 5, 0, SWEEP_M_IOPS},
	{"finished", FINISHED, 120, 40, true, 4, 1, SWEEP_M_IOPS},
	{"finished-p99", FINISHED, 100, 30, false, 5, 0, SWEEP_M_P99},
	{"finished-bw", FINISHED, 120, 40, true, 5, 2, SWEEP_M_BW},
};

Test(golden_sweep, screens)
{
	for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
		struct picture p;
		struct canvas c;
		char name[64];

		take(&p, screens[i].stage, WORDS);
		p.fake.st.sweep.row = screens[i].row;
		p.fake.st.sweep.col = screens[i].col;
		p.fake.st.sweep.metric = screens[i].metric;
		draw(&c, &p, screens[i].w, screens[i].h,
		     screens[i].ascii ? &glyphs_ascii : &glyphs_utf8);
		snprintf(name, sizeof(name), "sweep-%s-%dx%d-%s", screens[i].name, screens[i].w,
			 screens[i].h, screens[i].ascii ? "ascii" : "utf8");
		golden_canvas(name, &c);
		canvas_fini(&c);
		drop(&p);
	}
}

Test(golden_sweep, without_colour)
{
	static const struct {
		const char *name;
		enum stage stage;
	} cases[] = {{"half", HALF}, {"finished", FINISHED}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct picture p;
		struct canvas c;
		char name[64];

		take(&p, cases[i].stage, WORDS);
		p.fake.st.sweep.row = 5;
		draw(&c, &p, 80, 24, &glyphs_ascii);
		snprintf(name, sizeof(name), "sweep-%s-80x24-mono", cases[i].name);
		golden_canvas_mono(name, &c);
		canvas_fini(&c);
		drop(&p);
	}
}

/* A second write to a cell aborts. */
Test(golden_sweep, every_stage_draws_at_every_size)
{
	static const char *const words[] = {WORDS, "qd=1..8", "jobs=1..1024 engine=psync,mmap",
					    "bs=512..16m"};

	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
		for (int stage = PLANNED; stage <= FINISHED; stage += FINISHED) {
			struct picture p;

			take(&p, (enum stage)stage, words[k]);
			p.fake.st.sweep.row = p.fake.st.sweep.col = 99;
			for (int h = 1; h <= 50; h++) {
				for (int w = 1; w <= 200; w += w < 64 ? 1 : 7) {
					struct canvas c;

					p.fake.st.sweep.metric =
						(enum sweep_metric)(w % SWEEP_M_NR);
					draw(&c, &p, w, h, w % 2 ? &glyphs_ascii : &glyphs_utf8);
					canvas_fini(&c);
				}
			}
			drop(&p);
		}
	}
}

Test(golden_sweep, unknown_numbers_are_never_zero)
{
	struct strbuf sb = {0};
	struct picture p;
	struct canvas c;

	take(&p, PLANNED, WORDS);
	draw(&c, &p, 120, 40, &glyphs_ascii);
	canvas_dump_text(&c, &sb);
	cr_expect_null(strstr(strbuf_str(&sb), "nan"), "%s", strbuf_str(&sb));
	cr_expect_null(strstr(strbuf_str(&sb), "0 ns"), "%s", strbuf_str(&sb));
	strbuf_fini(&sb);
	canvas_fini(&c);
	drop(&p);
}
