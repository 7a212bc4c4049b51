/* The Compare screen from hand-made runs: golden screens, every size, and what the keys do to lanes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_feed.h"
#include "golden.h"
#include "src/base/clock.h"
#include "src/base/rng.h"
#include "ui/term.h"
#include "ui/view_compare.h"

#define T0 (1000 * NSEC_PER_SEC)

struct fake {
	struct model model;
	struct ui_state st;
	struct snapshot *snap;
	struct rng rng;
};

static const struct engine_info engines[] = {{"io_uring", false}, {NULL, false}};

static char engine[] = "io_uring";

static void fake_init(struct fake *f, unsigned lanes)
{
	static const char *const lines[] = {
		"/dev/nvme1n1  PM9A3 3.49 TiB NVMe", "/dev/sda  870 EVO 931 GiB SATA",
		"/dev/sdb  Exos 14.6 TiB HDD", "./iodeck.scratch  1 GiB file"};
	static const char *const paths[] = {"/dev/nvme1n1", "/dev/sda", "/dev/sdb",
					    "./iodeck.scratch"};
	struct ui_state *st = &f->st;

	memset(f, 0, sizeof(*f));
	rng_seed(&f->rng, 3);
	model_init(&f->model);
	f->snap = calloc(1, sizeof(*f->snap));
	st->job.rw = (struct rw_spec){.ops = IO_BIT(IO_READ), .random = true};
	for (int op = 0; op < IO_OP_NR; op++)
		st->job.bs_bytes[op] = 4096;
	st->job.iodepth = 32;
	st->job.numjobs = 1;
	st->job.direct = st->job.time_based = true;
	st->job.runtime_ns = 120 * NSEC_PER_SEC;
	st->job.ioengine = engine;
	st->engines = engines;
	st->focus = FIELD_QD;
	st->window_ns = 60 * NSEC_PER_SEC;
	st->fps = 5;
	st->compare.n = lanes;
	st->compare.track = calloc(1, sizeof(*st->compare.track));
	snprintf(st->target_line, sizeof(st->target_line), "%s", lines[0]);
	f->snap->n_lanes = lanes;
	f->snap->t_ns = T0;
	f->snap->ab.turn = lanes;
	f->snap->ab.slice_ns = 10 * NSEC_PER_SEC;
	for (unsigned i = 0; i < lanes; i++) {
		struct lane_snap *l = &f->snap->lane[i];

		snprintf(st->compare.slot[i].target_line, 256, "%s", lines[i]);
		snprintf(l->target, sizeof(l->target), "%s", paths[i]);
		l->t_start_ns = T0;
		l->workers = 1;
		l->qd_effective = l->tune.qd = 8;
		l->cpu_pct = NAN;
	}
}

static void fake_fini(struct fake *f)
{
	model_fini(&f->model);
	free(f->st.compare.track);
	free(f->snap);
}

static void set_win(struct op_win *w, double iops, double s, double mean_us)
{
	static const double shape[PCT_NR] = {0.95, 1.10, 1.18, 1.7, 4.7, 22};

	*w = (struct op_win){.iops = iops, .bps = iops * 4096};
	w->ops = w->lat.n = (uint64_t)(iops * s);
	w->bytes = w->ops * 4096;
	if (!w->lat.n)
		return;
	w->lat.mean_ns = mean_us * 1e3;
	for (int i = 0; i < PCT_NR; i++)
		w->lat.pct_ns[i] = (uint64_t)(mean_us * 1e3 * shape[i]);
	w->lat.max_ns = (uint64_t)(mean_us * 27e3);
}

static double noise(struct fake *f, double pct)
{
	return 1 + pct / 100 * (2 * (double)rng_below(&f->rng, 10001) / 10000 - 1);
}

/* iops[i] < 0: the lane waits. */
static void ticks(struct fake *f, unsigned n, const double *iops, const double *mean_us)
{
	while (n--) {
		f->snap->seq++;
		f->snap->t_ns += 100 * NSEC_PER_MSEC;
		f->snap->win_ns = 100 * NSEC_PER_MSEC;
		f->snap->state = RUN_ON;
		for (uint32_t i = 0; i < f->snap->n_lanes; i++) {
			struct lane_snap *l = &f->snap->lane[i];
			double rate = iops[i] < 0 ? 0 : iops[i] * noise(f, 3);

			l->state = iops[i] < 0 ? RUN_PAUSED : RUN_ON;
			l->elapsed_ns += f->snap->win_ns;
			l->inflight = iops[i] < 0 ? 0 : l->qd_effective;
			l->cpu_pct = 20 + 10 * i;
			set_win(&l->tick[IO_READ], rate, 0.1, mean_us[i]);
			set_win(&l->tick[IO_OP_NR], rate, 0.1, mean_us[i]);
			set_win(&l->sec[IO_OP_NR], rate, 1, mean_us[i] * noise(f, 2));
			set_win(&l->total[IO_OP_NR], iops[i] < 0 ? 0 : iops[i],
				(double)l->elapsed_ns / 1e9, mean_us[i]);
		}
		model_update(&f->model, f->snap);
		compare_track_add(f->st.compare.track, f->snap);
	}
}

static void set_disks(struct fake *f)
{
	f->snap->n_disks = 2;
	f->snap->disk[0] = (struct disk_rate){
		.name = "nvme1n1", .is_target = true, .r_await_ns = 77e3, .aqu_sz = 28.1};
	f->snap->disk[1] = (struct disk_rate){
		.name = "sda", .is_target = true, .r_await_ns = 352e3, .aqu_sz = 31.0};
}

static void set_depth(struct fake *f, uint32_t qd)
{
	for (uint32_t i = 0; i < f->snap->n_lanes; i++) {
		struct event *e = &f->snap->event[f->snap->n_events++];

		f->snap->lane[i].qd_effective = f->snap->lane[i].tune.qd = qd;
		*e = (struct event){f->snap->n_events, f->snap->t_ns, EVENT_TUNE, i,
				    "qd 8 -> 32",      {0},           {0}};
	}
}

static void make_idle(struct fake *f)
{
	fake_init(f, 2);
	snprintf(f->st.compare.slot[1].target_line, 256, "no target: d picks one");
	f->snap->n_lanes = 0;
}

static void make_both(struct fake *f)
{
	fake_init(f, 2);
	ticks(f, 270, (double[]){97e3, 61e3}, (double[]){82, 131});
	set_depth(f, 32);
	set_disks(f);
	ticks(f, 310, (double[]){364e3, 88e3}, (double[]){88, 363});
}

/* In turns: what one does, the other does not. */
static void make_turns(struct fake *f)
{
	const double a[] = {97e3, -1}, b[] = {-1, 95e3}, us[] = {82, 83};

	fake_init(f, 2);
	f->snap->ab.alternate = true;
	for (int i = 0; i < 5; i++) {
		f->snap->ab.turn = (unsigned)i % 2;
		f->snap->ab.left_ns = 10 * NSEC_PER_SEC;
		f->snap->event[f->snap->n_events] = (struct event){f->snap->n_events + 1,
								   f->snap->t_ns,
								   EVENT_SLICE,
								   (unsigned)i % 2,
								   "slice",
								   {0},
								   {0}};
		f->snap->n_events++;
		ticks(f, i == 4 ? 40 : 100, i % 2 ? b : a, us);
	}
	f->snap->ab.left_ns = 6 * NSEC_PER_SEC;
	f->st.compare.focus = 1;
	snprintf(f->st.compare.shared, sizeof(f->st.compare.shared), "A and B on sda");
	ticks(f, 1, a, us);
}

static void make_overlay(struct fake *f)
{
	make_both(f);
	f->st.compare.overlay = true;
}

static void make_four(struct fake *f)
{
	fake_init(f, 4);
	f->st.compare.separate = f->st.compare.own_axis = true;
	f->st.compare.focus = 2;
	ticks(f, 400, (double[]){97e3, 61e3, 190, 9000}, (double[]){82, 131, 42000, 880});
	f->snap->state = RUN_DONE;
	for (int i = 0; i < 4; i++)
		f->snap->lane[i].state = RUN_DONE;
	f->snap->seq++;
	model_update(&f->model, f->snap);
}

/* As a demo stands: both lanes simulated, the caption in the hint line. */
static void make_demo(struct fake *f)
{
	static char sim[] = "sim";

	fake_init(f, 2);
	for (unsigned i = 0; i < 2; i++) {
		const char *target = i ? "sim:nvme" : "sim:sata";
		struct lane_snap *l = &f->snap->lane[i];

		l->simulated = true;
		snprintf(l->target, sizeof(l->target), "%s", target);
		snprintf(f->st.compare.slot[i].target_line, 256, "%s  SIMULATED", target);
	}
	snprintf(f->st.target_line, sizeof(f->st.target_line), "sim:sata  SIMULATED");
	f->st.job.ioengine = sim;
	ticks(f, 270, (double[]){58e3, 132e3}, (double[]){131, 60});
	set_depth(f, 32);
	f->snap->n_disks = 2;
	f->snap->disk[0] = (struct disk_rate){
		.name = "sim:nvme", .is_target = true, .r_await_ns = 70e3, .aqu_sz = 26.3};
	f->snap->disk[1] = (struct disk_rate){
		.name = "sim:sata", .is_target = true, .r_await_ns = 520e3, .aqu_sz = 31.6};
	ticks(f, 310, (double[]){59.5e3, 376e3}, (double[]){537, 85});
	f->st.message_role = ROLE_TITLE;
	snprintf(f->st.message, sizeof(f->st.message),
		 "depth 32: the 32 tags of SATA are all in use.");
}

static void make_overlay_four(struct fake *f)
{
	make_four(f);
	f->st.compare.overlay = true;
}

static const struct fake_case {
	const char *name;
	void (*make)(struct fake *);
} cases[] = {
	{"idle", make_idle},       {"both", make_both}, {"turns", make_turns},
	{"overlay", make_overlay}, {"four", make_four}, {"overlay4", make_overlay_four},
	{"demo", make_demo},
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static void draw(struct canvas *c, const struct fake *f, int w, int h, const struct glyphs *g)
{
	canvas_init(c, w, h, g);
	c->owned = true;
	view_compare.draw(&f->st, &f->model, c);
}

Test(golden_compare, screens)
{
	static const int sizes[][2] = {
		{80, 24}, {100, 30}, {120, 40}, {60, 16}, {40, 10}, {39, 5},
	};

	for (size_t i = 0; i < CASES; i++) {
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			struct canvas c;
			struct fake f;
			char name[64];

			cases[i].make(&f);
			draw(&c, &f, sizes[k][0], sizes[k][1], &glyphs_utf8);
			snprintf(name, sizeof(name), "compare-%s-%dx%d-utf8", cases[i].name,
				 sizes[k][0], sizes[k][1]);
			golden_canvas(name, &c);
			canvas_fini(&c);
			if (k == 0) {
				draw(&c, &f, 80, 24, &glyphs_ascii);
				snprintf(name, sizeof(name), "compare-%s-80x24-mono",
					 cases[i].name);
				golden_canvas_mono(name, &c);
				canvas_fini(&c);
			}
			if (k == 2) {
				draw(&c, &f, 120, 40, &glyphs_ascii);
				snprintf(name, sizeof(name), "compare-%s-120x40-ascii",
					 cases[i].name);
				golden_canvas(name, &c);
				canvas_fini(&c);
			}
			fake_fini(&f);
		}
	}
}

/* A second write to a cell aborts, and so does anything that the sanitizers see. */
Test(golden_compare, every_case_draws_at_every_size, .timeout = 120)
{
	for (size_t i = 0; i < CASES; i++) {
		struct fake f;

		cases[i].make(&f);
		for (int h = 1; h <= 50; h++)
			for (int w = 1; w <= 140; w += w < 44 ? 1 : 9) {
				struct canvas c;

				draw(&c, &f, w, h, (w + h) % 2 ? &glyphs_ascii : &glyphs_utf8);
				canvas_fini(&c);
			}
		fake_fini(&f);
	}
}

/* ---- keys ---- */

Test(compare_keys, each_lane_has_its_own_target)
{
	struct fake_console fc;
	struct err e = {0};
	char path[64], *screen;

	fake_console_init(&fc, 100, 30);
	snprintf(path, sizeof(path), "%s", "/dev/shm/iodeck-no-such-a");
	cr_assert_eq(console_set_target(&fc.con, path, &e), 0, "%s", e.msg);
	fake_console_key(&fc, '3');
	cr_assert_eq(fc.con.view, &view_compare);
	cr_expect_eq(fc.con.st.compare.n, 2);
	fake_console_key(&fc, ' ');
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_START), 0, "lane B has no target");
	cr_expect(strstr(fc.con.st.message, "lane B"), "%s", fc.con.st.message);
	fake_console_key(&fc, TERM_TAB);
	cr_assert_eq(console_set_target(&fc.con, "/dev/shm/iodeck-no-such-b", &e), 0, "%s", e.msg);
	screen = fake_console_screen(&fc);
	cr_expect(strstr(screen, "such-a") && strstr(screen, "such-b"), "%s", screen);
	free(screen);
	fake_console_key(&fc, ' ');
	cr_assert_eq(fake_feed_last(&fc.ff)->kind, CMD_START);
	cr_expect_eq(fake_feed_last(&fc.ff)->n_jobs, 2);
	/* The Run screen shows lane A, wherever the focus was. */
	fake_console_key(&fc, '1');
	cr_expect(strstr(fc.con.st.target_line, "such-a"), "%s", fc.con.st.target_line);
	fake_console_fini(&fc);
}

Test(compare_keys, linked_lanes_change_together)
{
	struct fake_console fc;
	size_t before;
	struct err e = {0};

	fake_console_init(&fc, 100, 30);
	fc.ff.obey = true;
	console_set_target(&fc.con, "/dev/shm/iodeck-no-such-a", &e);
	fake_console_key(&fc, '3');
	fake_console_key(&fc, TERM_TAB);
	console_set_target(&fc.con, "/dev/shm/iodeck-no-such-b", &e);
	fake_console_key(&fc, ']');
	cr_expect_eq(fc.con.st.job.iodepth, 64);
	cr_expect_eq(fc.con.st.compare.slot[0].job.iodepth, 64);
	fake_console_key(&fc, ' ');
	fc.ff.snap->n_lanes = 2;
	fc.ff.snap->lane[1] = fc.ff.snap->lane[0];
	fake_console_tick(&fc, RUN_ON);
	before = fake_feed_count(&fc.ff, CMD_TUNE);
	fake_console_key(&fc, ']');
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE) - before, 2, "both lanes");
	fake_console_key(&fc, '=');
	before = fake_feed_count(&fc.ff, CMD_TUNE);
	fake_console_key(&fc, '[');
	cr_expect_eq(fake_feed_count(&fc.ff, CMD_TUNE) - before, 1, "this lane only");
	cr_expect_eq(fc.con.st.compare.slot[0].job.iodepth, 128);
	cr_expect_eq(fc.con.st.job.iodepth, 64);
	fake_console_key(&fc, '=');
	cr_expect_eq(fc.con.st.compare.slot[0].job.iodepth, 64, "linked again: B's settings hold");
	fake_console_key(&fc, 'o');
	cr_expect_eq(fake_feed_last(&fc.ff)->kind, CMD_AB);
	fake_console_fini(&fc);
}

Test(compare_keys, lanes_come_and_go)
{
	struct fake_console fc;

	fake_console_init(&fc, 100, 30);
	fake_console_key(&fc, '3');
	fake_console_key(&fc, 'r');
	cr_expect_eq(fc.con.st.compare.n, 2, "two at least");
	for (int i = 0; i < 5; i++)
		fake_console_key(&fc, 'a');
	cr_expect_eq(fc.con.st.compare.n, LANE_MAX);
	cr_expect_eq(fc.con.st.compare.focus, LANE_MAX - 1);
	fake_console_key(&fc, 'r');
	fake_console_key(&fc, TERM_TAB);
	cr_expect_eq(fc.con.st.compare.n, LANE_MAX - 1);
	cr_expect_eq(fc.con.st.compare.focus, 0);
	fake_console_fini(&fc);
}
