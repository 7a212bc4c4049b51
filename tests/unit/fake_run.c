#include "fake_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/rng.h"

#define T0 (1000 * NSEC_PER_SEC)

static struct rng noise_rng;

/* v with a ripple of a few percent. */
static double noise(double v, double pct)
{
	return v * (1 + pct / 100 * (2 * (double)rng_below(&noise_rng, 10001) / 10000 - 1));
}

static const struct engine_info engines[] = {
	{"psync", true}, {"libaio", false}, {"io_uring", false}, {NULL, false}};

static char engine_uring[] = "io_uring", engine_psync[] = "psync";

static void set_state(struct fake *f)
{
	struct ui_state *st = &f->st;

	snprintf(st->target_line, sizeof(st->target_line),
		 "/dev/nvme1n1  PM9A3 3.49 TiB NVMe  lba 4096");
	st->job.rw = (struct rw_spec){.ops = IO_BIT(IO_READ), .random = true};
	for (int op = 0; op < IO_OP_NR; op++)
		st->job.bs_bytes[op] = 4096;
	st->job.iodepth = 32;
	st->job.numjobs = 1;
	st->job.direct = st->job.time_based = true;
	st->job.rwmixread = 70;
	st->job.runtime_ns = 120 * NSEC_PER_SEC;
	st->job.ioengine = engine_uring;
	st->engines = engines;
	st->focus = FIELD_QD;
	st->window_ns = 60 * NSEC_PER_SEC;
	st->fps = 5;
	st->cost.known = true;
	st->cost.cpu_pct = 0.4;
	st->cost.bps = 7600;
}

static void set_lane(struct fake *f)
{
	struct lane_snap *l = &f->snap->lane[0];

	f->snap->n_lanes = 1;
	f->snap->t_ns = T0;
	snprintf(l->target, sizeof(l->target), "/dev/nvme1n1");
	snprintf(l->engine, sizeof(l->engine), "io_uring");
	l->t_start_ns = T0;
	l->workers = 1;
	l->qd_effective = l->tune.qd = 8;
	l->remaining_ns = 120 * NSEC_PER_SEC;
	l->little = NAN;
	l->direct = true;
	l->reached_pct = NAN;
	l->split = (struct time_split){SPLIT_WAIT, NAN, NAN, NAN, NAN, NAN};
}

/* A latency distribution of roughly the shape a flash device has. */
static struct lat_view lat(uint64_t n, double mean_us)
{
	static const double shape[PCT_NR] = {0.95, 1.10, 1.18, 1.7, 4.7, 22};
	struct lat_view v = {.n = n, .mean_ns = mean_us * 1e3};

	v.min_ns = (uint64_t)(mean_us * 700);
	for (int i = 0; i < PCT_NR; i++)
		v.pct_ns[i] = (uint64_t)(mean_us * 1e3 * shape[i]);
	v.max_ns = (uint64_t)(mean_us * 1e3 * 27);
	return v;
}

static struct op_win win(double iops, double s, double mean_us)
{
	uint64_t n = (uint64_t)(iops * s);

	return (struct op_win){.iops = iops,
			       .bps = 4096 * iops,
			       .ops = n,
			       .bytes = 4096 * n,
			       .lat = n ? lat(n, mean_us) : (struct lat_view){0}};
}

/* n latencies about mean_us; now and then a few that are far slower. */
static void fill_lat(struct hist *h, uint64_t n, double mean_us)
{
	static const struct {
		double times, part;
	} shape[] = {
		{0.72, 0.04}, {0.80, 0.10}, {0.88, 0.20},  {0.94, 0.22},  {1.10, 0.12},
		{1.20, 0.05}, {1.45, 0.02}, {1.70, 0.008}, {4.7, 0.0009}, {22, 0.0001},
	};
	uint64_t left = n;

	memset(h, 0, sizeof(*h));
	for (size_t i = 0; i < sizeof(shape) / sizeof(shape[0]) && n; i++) {
		uint64_t k = (uint64_t)(shape[i].part * noise((double)n, 30));

		k = k < left ? k : left;
		h->n[hist_index((uint64_t)(mean_us * 1e3 * shape[i].times))] += k;
		left -= k;
	}
	if (left && rng_below(&noise_rng, 9) == 0) {
		h->n[hist_index((uint64_t)(mean_us * 27e3))]++;
		left--;
	}
	h->n[hist_index((uint64_t)(mean_us * 1e3))] += left;
}

/* The lane's numbers dealt out to its workers, the first a little faster. */
static void fill_workers(struct lane_snap *l, double mean_us)
{
	const struct op_win *all = &l->sec[IO_OP_NR];

	l->n_worker_rows = l->workers;
	for (uint32_t i = 0; i < l->workers; i++) {
		double part = (i == 0 ? 1.1 : 1 - 0.1 / (l->workers > 1 ? l->workers - 1 : 1)) /
			      l->workers;

		part = l->workers == 1 ? 1 : part;
		l->worker[i] = (struct worker_snap){
			.sec = {all->iops * part, all->bps * part, mean_us * 1e3 * (1 + 0.01 * i),
				(uint64_t)((double)all->lat.pct_ns[3] * (1 + 0.02 * i)),
				all->lat.max_ns},
			.total = {l->total[IO_OP_NR].iops * part, l->total[IO_OP_NR].bps * part,
				  mean_us * 1.02e3, l->total[IO_OP_NR].lat.pct_ns[3],
				  l->total[IO_OP_NR].lat.max_ns},
			.count = 1,
			.alive = 1,
			.inflight = l->qd_effective,
			.cpu_pct = 61.0 / l->workers,
		};
	}
}

static void set_cpu(struct lane_snap *l, double pct)
{
	l->cpu_pct = pct;
	l->cpu_usr_pct = 0.25 * pct;
	l->cpu_sys_pct = pct - l->cpu_usr_pct;
}

static void add_totals(struct op_win *total, const struct op_win *tick, double elapsed_s)
{
	total->ops += tick->ops;
	total->bytes += tick->bytes;
	total->iops = (double)total->ops / elapsed_s;
	total->bps = (double)total->bytes / elapsed_s;
}

/* One tick of `ms` with reads and writes at these rates and a mean latency of mean_us. */
static void tick(struct fake *f, unsigned ms, double r, double w, double mean_us)
{
	struct lane_snap *l = &f->snap->lane[0];
	double rates[IO_OP_NR + 1] = {r, w, 0, r + w}, s;

	f->snap->seq++;
	f->snap->t_ns += ms * NSEC_PER_MSEC;
	f->snap->win_ns = ms * NSEC_PER_MSEC;
	l->elapsed_ns += f->snap->win_ns;
	l->remaining_ns -= l->remaining_ns < f->snap->win_ns ? l->remaining_ns : f->snap->win_ns;
	s = (double)l->elapsed_ns / 1e9;
	for (int op = 0; op <= IO_OP_NR; op++) {
		l->tick[op] = win(rates[op], ms / 1000.0, mean_us);
		l->sec[op] = win(rates[op], 1, mean_us);
		add_totals(&l->total[op], &l->tick[op], s);
		l->total[op].lat = lat(l->total[op].ops, mean_us * 1.02);
	}
	fill_lat(&l->tick_lat, l->tick[IO_OP_NR].lat.n, mean_us);
	hist_add(&l->total_lat, &l->tick_lat);
	fill_lat(&l->sec_lat, l->sec[IO_OP_NR].lat.n, mean_us);
	fill_workers(l, mean_us);
	l->little = (r + w) * mean_us / 1e6;
	l->inflight = l->qd_effective * l->workers;
	set_cpu(l, 61);
	model_update(&f->model, f->snap);
}

static void set_run_state(struct fake *f, enum run_state s)
{
	f->snap->state = f->snap->lane[0].state = s;
}

static struct event *add_event(struct fake *f, enum event_kind kind, const char *text)
{
	struct event *e = &f->snap->event[f->snap->n_events];

	e->id = ++f->snap->n_events;
	e->t_ns = f->snap->t_ns;
	e->kind = kind;
	snprintf(e->text, sizeof(e->text), "%s", text);
	return e;
}

static void set_disks(struct fake *f, double r, double w, double await_us)
{
	struct snapshot *s = f->snap;

	s->n_disks = 2;
	s->disk[0] = (struct disk_rate){.name = "nvme1n1",
					.major = 259,
					.is_target = true,
					.r_iops = r,
					.w_iops = w,
					.d_iops = 0,
					.r_bps = r * 4096,
					.w_bps = w * 4096,
					.r_await_ns = r > 0 ? await_us * 1e3 : (double)NAN,
					.w_await_ns = w > 0 ? await_us * 300 : (double)NAN,
					.aqu_sz = r * await_us / 1e6 + w * await_us * 0.3 / 1e6,
					.util_pct = 100,
					.inflight = f->snap->lane[0].inflight,
					.has_temp = true,
					.temp_c = 48.4};
	s->disk[1] = (struct disk_rate){.name = "sda",
					.major = 8,
					.r_iops = 0,
					.w_iops = 12,
					.w_bps = 419430,
					.r_await_ns = NAN,
					.w_await_ns = 4.1e6,
					.aqu_sz = 0.05,
					.util_pct = 2,
					.inflight = 0};
}

static void set_split(struct fake *f, double dev_us)
{
	struct lane_snap *l = &f->snap->lane[0];
	double app = l->sec[IO_OP_NR].lat.mean_ns;

	l->split = (struct time_split){SPLIT_OK, app, app - dev_us * 1e3, dev_us * 1e3, 1, 0};
	l->reached_pct = 100;
}

static void publish(struct fake *f)
{
	f->snap->seq++;
	model_update(&f->model, f->snap);
}

static void make_idle(struct fake *f)
{
	(void)f;
}

static void make_layout(struct fake *f)
{
	snprintf(f->st.target_line, sizeof(f->st.target_line), "./iodeck.scratch  1 GiB file");
	f->snap->lane[0].t_start_ns = 0;
	f->snap->layout_total = 1ull << 30;
	f->snap->layout_done = (1ull << 30) / 100 * 43;
	set_run_state(f, RUN_LAYOUT);
	publish(f);
}

/* qd 8, after 22 s qd 32 live. */
static void run_reads(struct fake *f)
{
	struct event *e;

	set_run_state(f, RUN_ON);
	for (int i = 0; i < 220; i++) {
		f->snap->lane[0].warming = i < 10;
		tick(f, 100, noise(97e3, 3), 0, 82);
	}
	e = add_event(f, EVENT_TUNE, "qd 8 -> 32");
	e->before = (struct segment){true, 97e3, 97e3 * 4096, 121000};
	e->after = (struct segment){true, 364e3, 364e3 * 4096, 151000};
	f->snap->lane[0].qd_effective = f->snap->lane[0].tune.qd = 32;
	for (int i = 0; i < 120; i++) {
		f->snap->lane[0].warming = i < 10;
		tick(f, 100, noise(364e3, 4), 0, 88);
	}
}

static void make_read(struct fake *f)
{
	run_reads(f);
	for (int i = 0; i < 80; i++)
		tick(f, 100, noise(364e3, 4), 0, 88);
	tick(f, 100, 364e3, 0, 88);
	set_disks(f, 364e3, 0, 77);
	set_split(f, 77);
	publish(f);
}

static void make_slo(struct fake *f)
{
	make_read(f);
	f->st.slo = (struct slo){true, SLO_P99, 120000};
}

/* A played device, writes armed. */
static void make_armed(struct fake *f)
{
	struct lane_snap *l = &f->snap->lane[0];

	f->st.job.rw.ops = IO_BIT(IO_WRITE);
	l->writes = l->simulated = true;
	set_run_state(f, RUN_ON);
	for (int i = 0; i < 300; i++)
		tick(f, 100, 0, noise(52e3, 3), 150);
	set_disks(f, 0, 52e3, 400);
	publish(f);
}

/* Frozen, the cursor on an early column; the axis is locked below what came later. */
static void make_cursor(struct fake *f)
{
	make_read(f);
	f->st.frozen = true;
	f->st.frozen_t_ns = f->snap->t_ns;
	f->st.cursor_ns = f->snap->t_ns - 30 * NSEC_PER_SEC;
	f->st.y_mode = Y_LOCKED;
	f->st.y_locked[MODEL_IOPS] = 150e3;
}

/* All that can make a number mean something else. */
static void make_honest(struct fake *f)
{
	struct lane_snap *l = &f->snap->lane[0];

	run_reads(f);
	tick(f, 100, 364e3, 0, 88);
	f->st.job.direct = l->direct = false;
	snprintf(l->engine, sizeof(l->engine), "libaio");
	l->reached_pct = 3.2;
	set_cpu(l, 97);
	l->split.state = SPLIT_OPS;
	l->split.foreign_pct = NAN;
	set_disks(f, 11e3, 0, 77);
	publish(f);
}

static void make_stall(struct fake *f)
{
	struct event *e;

	run_reads(f);
	tick(f, 100, 140e3, 0, 88);
	add_event(f, EVENT_STALL, "stall 62 ms: nothing completed, 32 in flight");
	for (int i = 0; i < 60; i++)
		tick(f, 100, noise(364e3, 4), 0, 88);
	e = add_event(f, EVENT_TUNE, "bs 4 KiB -> 16 KiB");
	e->before = (struct segment){true, 364e3, 364e3 * 4096, 151000};
	for (int i = 0; i < 10; i++)
		tick(f, 100, noise(190e3, 4), 0, 168);
	tick(f, 100, 190e3, 0, 168);
	add_event(f, EVENT_MARK, "fan curve changed");
	set_disks(f, 190e3, 0, 150);
	set_split(f, 150);
	f->snap->lane[0].split.foreign_pct = 23;
	set_cpu(&f->snap->lane[0], 96);
	f->snap->lane[0].settling = true;
	publish(f);
}

/* Seven reads to three writes on four workers, few samples in the last second. */
static void make_mixed(struct fake *f)
{
	struct lane_snap *l = &f->snap->lane[0];

	f->st.job.rw.ops = IO_BIT(IO_READ) | IO_BIT(IO_WRITE);
	f->st.job.numjobs = l->workers = 4;
	f->st.focus = FIELD_MIX;
	l->qd_effective = l->tune.qd = 32;
	l->writes = true;
	set_run_state(f, RUN_ON);
	for (int i = 0; i < 900; i++) {
		double dip = i % 150 > 130 ? 0.4 : 1;

		tick(f, 100, dip * noise(2100, 8), dip * noise(900, 8), 42000);
	}
	tick(f, 100, 2100, 900, 42600);
	set_disks(f, 2100, 900, 40000);
	publish(f);
}

static void make_done(struct fake *f)
{
	run_reads(f);
	set_disks(f, 0, 0, 0);
	f->snap->disk[0].util_pct = f->snap->disk[0].aqu_sz = f->snap->disk[0].inflight = 0;
	set_run_state(f, RUN_DONE);
	f->snap->lane[0].remaining_ns = 0;
	f->snap->lane[0].inflight = f->snap->lane[0].workers = 0;
	f->snap->lane[0].usr_pct = 14;
	f->snap->lane[0].sys_pct = 47.2;
	publish(f);
}

static void make_failed(struct fake *f)
{
	run_reads(f);
	add_event(f, EVENT_ERROR, "read: EIO");
	f->snap->lane[0].total[IO_OP_NR].errors = 3;
	snprintf(f->snap->error, sizeof(f->snap->error),
		 "/dev/nvme1n1: read of 4096 bytes at offset 81604378624: Input/output error; "
		 "the run ended after 0:34");
	set_run_state(f, RUN_FAILED);
	publish(f);
}

static void make_refused(struct fake *f)
{
	f->snap->lane[0].t_start_ns = 0;
	f->st.job.rw.ops = IO_BIT(IO_WRITE);
	snprintf(f->snap->error, sizeof(f->snap->error),
		 "/dev/nvme1n1: not written: iodeck writes only to files that it made; choose a "
		 "file, or "
		 "a read pattern");
	set_run_state(f, RUN_FAILED);
	publish(f);
}

/* Ten seconds of pause between two stretches of work, time axis of the whole run, fitted y axis. */
static void make_paused(struct fake *f)
{
	set_run_state(f, RUN_ON);
	for (int i = 0; i < 200; i++)
		tick(f, 100, noise(97e3, 2), 0, 82);
	set_run_state(f, RUN_PAUSED);
	for (int i = 0; i < 100; i++)
		tick(f, 100, 0, 0, 0);
	f->st.window_ns = 0;
	f->st.y_mode = Y_FITTED;
	f->snap->lane[0].inflight = 0;
	f->snap->lane[0].little = NAN;
	publish(f);
}

/* The heat map alone, a ramp before it, one tick that nothing came through in. */
static void make_heat(struct fake *f)
{
	f->st.pane = PANE_HEAT;
	set_run_state(f, RUN_RAMP);
	for (int i = 0; i < 20; i++)
		tick(f, 100, noise(60e3, 3), 0, 82);
	run_reads(f);
	tick(f, 100, 0, 0, 0);
	tick(f, 100, 0, 0, 0);
	for (int i = 0; i < 40; i++)
		tick(f, 100, noise(364e3, 4), 0, 88);
	set_disks(f, 364e3, 0, 77);
	publish(f);
}

/* Eight jobs of which the panes have room for some. */
static void make_jobs(struct fake *f)
{
	f->st.job.numjobs = f->snap->lane[0].workers = 8;
	f->st.pane = PANE_JOBS;
	make_read(f);
}

static void make_hist(struct fake *f)
{
	make_read(f);
	f->st.pane = PANE_HIST;
}

static void make_queue(struct fake *f)
{
	set_disks(f, 364e3, 0, 20);
	make_read(f);
	f->st.pane = PANE_QUEUE;
}

/* A synchronous engine, totals, SI units, log axis; the graph is frozen and shows bandwidth. */
static void make_sync(struct fake *f)
{
	struct lane_snap *l = &f->snap->lane[0];

	f->st.job.ioengine = engine_psync;
	f->st.si = f->st.totals = f->st.frozen = true;
	f->st.pane = PANE_BW;
	f->st.y_mode = Y_LOG;
	l->tune.qd = 32;
	l->qd_effective = 1;
	set_run_state(f, RUN_ON);
	for (int i = 0; i < 300; i++)
		tick(f, 100, i % 100 < 50 ? noise(140, 2) : noise(9000, 2), 0, 111);
	f->st.frozen_t_ns = f->snap->t_ns;
	snprintf(f->st.message, sizeof(f->st.message), "the view is frozen; the run goes on");
	set_disks(f, 9000, 0, 100);
	publish(f);
}

/* "16k" is being typed for the block size; a long target. */
static void make_edit(struct fake *f)
{
	f->st.focus = FIELD_BS;
	f->st.editing = true;
	snprintf(f->st.edit, sizeof(f->st.edit), "16k");
	snprintf(f->st.edit_echo, sizeof(f->st.edit_echo), "16 KiB");
	f->st.edit_pos = 3;
	snprintf(f->st.target_line, sizeof(f->st.target_line),
		 "/srv/benchmarks/with/a/path/that/is/far/too/long/for/any/line/of/a/terminal/and/"
		 "goes/"
		 "on/iodeck.scratch  1 GiB");
	snprintf(f->st.message, sizeof(f->st.message), "qd=abc: not a number");
	f->st.message_role = ROLE_ERROR;
}

/* The first I/O went out 7 s ago, none has come back. */
static void make_waiting(struct fake *f)
{
	set_run_state(f, RUN_ON);
	f->snap->lane[0].qd_effective = f->snap->lane[0].tune.qd = 32;
	for (int i = 0; i < 70; i++)
		tick(f, 100, 0, 0, 82);
	f->snap->lane[0].oldest_ns = 7200 * NSEC_PER_MSEC;
	publish(f);
}

const struct fake_case fake_cases[] = {
	{"idle", make_idle},     {"layout", make_layout},   {"read", make_read},
	{"mixed", make_mixed},   {"stall", make_stall},     {"done", make_done},
	{"failed", make_failed}, {"refused", make_refused}, {"paused", make_paused},
	{"heat", make_heat},     {"honest", make_honest},   {"slo", make_slo},
	{"armed", make_armed},   {"cursor", make_cursor},   {"jobs", make_jobs},
	{"hist", make_hist},     {"queue", make_queue},     {"sync", make_sync},
	{"edit", make_edit},     {"waiting", make_waiting}, {NULL, NULL},
};

void fake_init(struct fake *f, const struct fake_case *fc)
{
	*f = (struct fake){0};
	rng_seed(&noise_rng, 7);
	model_init(&f->model);
	f->snap = calloc(1, sizeof(*f->snap));
	set_state(f);
	set_lane(f);
	fc->make(f);
}

void fake_fini(struct fake *f)
{
	model_fini(&f->model);
	free(f->snap);
}
