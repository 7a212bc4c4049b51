#include "src/app_suite_stage.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/app_signals.h"
#include "src/app_sweep_line.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/guard.h"

#define ASKS_MAX     8
#define LOOK_MS      100
#define DRAIN_MAX_NS (5 * NSEC_PER_SEC)
#define FOREVER_NS   (365ull * 86400 * NSEC_PER_SEC)

static void set_state(struct stage_run *s, enum suite_state state, const char *why)
{
	s->r->state = state;
	snprintf(s->r->why, sizeof(s->r->why), "%.255s", why);
}

/* ---- consent ---- */

static void not_agreed(struct stage_run *s, const struct guard_ask *ask)
{
	char text[400], why[600];

	guard_text(&ask->report, text, sizeof(text));
	if (ask->report.verdict == GUARD_REFUSE)
		snprintf(why, sizeof(why), "refused: %s", text);
	else
		snprintf(why, sizeof(why), "writes were not agreed to; --allow-%s=%s does",
			 ask->report.is_block ? "destroy" : "overwrite", ask->path);
	set_state(s, SUITE_SKIPPED, why);
}

static void job_alone(const struct stage_run *s, struct spec *out)
{
	spec_init(out);
	spec_add(out, s->job)->stonewall = false;
}

bool stage_may_run(struct stage_run *s)
{
	struct guard_ask *asks = xcalloc(ASKS_MAX, sizeof(*asks));
	struct err e = {0};
	struct spec spec;
	size_t n = 0;
	int rc;

	job_alone(s, &spec);
	rc = session_guard(s->session, &spec, asks, ASKS_MAX, &n, &e);
	/* What may not be written under --readonly is left out; everything else is a fault. */
	if (rc)
		set_state(s, rc == -EROFS ? SUITE_SKIPPED : SUITE_FAILED, e.msg);
	for (size_t i = 0; i < n && rc == 0; i++)
		if (!asks[i].agreed) {
			not_agreed(s, &asks[i]);
			rc = -EPERM;
		}
	spec_fini(&spec);
	free(asks);
	return rc == 0;
}

/* ---- steady ---- */

/* The counters at the end of a round; the first: where the first round begins. */
struct mark {
	uint64_t t_ns, ops, bytes, n, max_ns;
	double lat_sum_ns;
	struct hist h;
};

struct watch {
	struct snapshot *snap;
	struct mark *mark; /* rounds + 1 */
	unsigned n_marks;
};

static void take_mark(struct watch *w)
{
	const struct lane_snap *l = &w->snap->lane[0];
	const struct op_win *t = &l->total[IO_OP_NR];
	struct mark *m = &w->mark[w->n_marks++];

	*m = (struct mark){.t_ns = w->snap->t_ns,
			   .ops = t->ops,
			   .bytes = t->bytes,
			   .n = t->lat.n,
			   .max_ns = t->lat.max_ns,
			   .lat_sum_ns = t->lat.n ? t->lat.mean_ns * (double)t->lat.n : 0};
	m->h = l->total_lat;
}

static double per_second(uint64_t before, uint64_t now, uint64_t ns)
{
	return (double)(now - before) / ((double)ns / 1e9);
}

static void window_numbers(const struct watch *w, struct suite_stage_result *r)
{
	const struct mark *from = &w->mark[r->verdict.from], *to = &w->mark[w->n_marks - 1];
	struct sweep_cell *c = &r->window;
	struct hist *h = xcalloc(1, sizeof(*h));
	uint64_t dt = to->t_ns - from->t_ns;

	c->n = to->n - from->n;
	c->elapsed_ns = dt;
	c->iops = per_second(from->ops, to->ops, dt);
	c->bps = per_second(from->bytes, to->bytes, dt);
	c->mean_ns = c->n ? (to->lat_sum_ns - from->lat_sum_ns) / (double)c->n : (double)NAN;
	hist_sub(h, &to->h, &from->h);
	c->max_ns = to->max_ns;
	hist_percentiles(h, cell_pct_points, CELL_PCT_NR, 0, c->max_ns, c->pct_ns);
	free(h);
}

static void end_round(struct stage_run *s, struct watch *w)
{
	struct suite_stage_result *r = s->r;
	const struct mark *a, *b;

	take_mark(w);
	b = &w->mark[w->n_marks - 1];
	a = b - 1;
	rounds_add(&r->rounds, per_second(a->ops, b->ops, b->t_ns - a->t_ns));
	rounds_judge(&r->rounds, &r->rule, &r->verdict);
	if (r->rounds.n >= r->rule.window)
		window_numbers(w, r);
}

static void tell_round(const struct stage_run *s)
{
	const struct suite_stage_result *r = s->r;
	char iops[32], line[160];

	units_fmt_count(iops, sizeof(iops),
			r->rounds.n ? r->rounds.y[r->rounds.n - 1] : (double)NAN);
	if (isnan(r->verdict.range_pct))
		snprintf(line, sizeof(line), "round %u of %u, last %s IOPS", r->rounds.n + 1,
			 s->stage->opts.rounds, iops);
	else
		snprintf(line, sizeof(line),
			 "round %u of %u, last %s IOPS, range %.1f %%, slope %.1f %%",
			 r->rounds.n + 1, s->stage->opts.rounds, iops, r->verdict.range_pct,
			 r->verdict.slope_pct);
	s->progress(s->arg, line);
}

/* true: no more rounds are wanted. */
static bool watch_snapshot(struct stage_run *s, struct watch *w)
{
	const struct lane_snap *l = &w->snap->lane[0];

	if (w->snap->n_lanes == 0 || l->state != RUN_ON || !l->t_start_ns)
		return false;
	if (w->n_marks == 0)
		take_mark(w);
	else if (w->snap->t_ns >= w->mark[w->n_marks - 1].t_ns + s->stage->opts.round_ns)
		end_round(s, w);
	tell_round(s);
	return s->r->verdict.steady || s->r->rounds.n >= s->stage->opts.rounds;
}

/* ---- running ---- */

static void wait_for_snapshot(struct feed *feed)
{
	struct pollfd fd = {.fd = feed->wake_fd, .events = POLLIN};
	uint64_t count;

	if (poll(&fd, 1, LOOK_MS) > 0 && read(feed->wake_fd, &count, sizeof(count)) < 0)
		return; /* somebody was faster */
}

/* The run drains; false: it does not. */
static bool drain(struct stage_run *s)
{
	uint64_t until = clock_mono_ns() + DRAIN_MAX_NS;

	while (!session_wait(s->session, LOOK_MS * NSEC_PER_MSEC))
		if (clock_mono_ns() >= until)
			return false;
	return true;
}

static void stop(struct stage_run *s, int signo)
{
	session_sweep_stop(s->session, signo);
	s->given_up = !drain(s);
}

static void watch_steady(struct stage_run *s)
{
	struct feed *feed = session_feed(s->session);
	struct watch w = {.snap = xcalloc(1, sizeof(*w.snap)),
			  .mark = xcalloc(s->stage->opts.rounds + 1, sizeof(*w.mark))};
	uint64_t seq = 0;
	bool enough = false;

	while (!enough && !app_signals_seen() && !session_wait(s->session, 0)) {
		wait_for_snapshot(feed);
		if (feed->ops->next(feed, seq, w.snap) <= 0)
			continue;
		seq = w.snap->seq;
		enough = watch_snapshot(s, &w);
	}
	stop(s, app_signals_last());
	free(w.mark);
	free(w.snap);
}

static void tell_run(const struct stage_run *s)
{
	struct session_progress p;
	char line[160], left[32], done[32], bps[32];

	session_progress(s->session, &p);
	if (p.layout) {
		snprintf(line, sizeof(line), "making the file: %llu of %llu MiB",
			 (unsigned long long)p.layout_done >> 20,
			 (unsigned long long)p.layout_total >> 20);
	} else {
		units_fmt_pct(done, sizeof(done), p.pct_done);
		units_fmt_clock(left, sizeof(left), p.eta_ns == UINT64_MAX ? 0 : p.eta_ns);
		units_fmt_bps(bps, sizeof(bps), p.bps[IO_WRITE] + p.bps[IO_READ], false);
		snprintf(line, sizeof(line), "%s %%, %s%s%s", done, bps,
			 p.eta_ns == UINT64_MAX ? "" : ", left ",
			 p.eta_ns == UINT64_MAX ? "" : left);
	}
	s->progress(s->arg, line);
}

static void watch_run(struct stage_run *s)
{
	while (!app_signals_seen() && !session_wait(s->session, LOOK_MS * NSEC_PER_MSEC))
		tell_run(s);
	if (app_signals_seen())
		stop(s, app_signals_last());
}

static void watch_sweep(struct stage_run *s)
{
	struct sweep_view *v = xcalloc(1, sizeof(*v));
	struct strbuf line = {0};

	for (;;) {
		session_sweep_view(s->session, v);
		if (app_signals_seen() || (!sweep_view_runs(v) && session_wait(s->session, 0)))
			break;
		strbuf_reset(&line);
		app_sweep_line(v, &line);
		s->progress(s->arg, strbuf_str(&line));
		usleep(LOOK_MS * 1000);
	}
	if (app_signals_seen())
		stop(s, app_signals_last());
	session_sweep_view(s->session, v);
	s->r->sweep = xcalloc(1, sizeof(*s->r->sweep));
	*s->r->sweep = v->r;
	if (v->phase == SWEEP_FAILED)
		set_state(s, SUITE_FAILED, v->why);
	strbuf_fini(&line);
	free(v);
}

static int start(struct stage_run *s, struct err *e)
{
	struct spec spec;
	int rc;

	job_alone(s, &spec);
	if (s->stage->kind == SUITE_SWEEP) {
		rc = session_sweep(s->session, &spec, &s->stage->sweep, e);
	} else {
		if (s->stage->kind == SUITE_STEADY) {
			spec.jobs[0].time_based = true;
			spec.jobs[0].runtime_ns = FOREVER_NS;
		}
		rc = session_start(s->session, &spec, e);
	}
	spec_fini(&spec);
	return rc;
}

static void keep_bytes(struct stage_run *s)
{
	const struct run_result *r = session_result(s->session);

	if (!r || r->n_jobs == 0)
		return;
	s->r->read_bytes = r->jobs[0].dir[IO_READ].st.bytes;
	s->r->written_bytes = r->jobs[0].dir[IO_WRITE].st.bytes;
}

static void finish(struct stage_run *s)
{
	struct err e = {0};

	if (s->r->state == SUITE_FAILED)
		return;
	if (app_signals_seen())
		set_state(s, SUITE_STOPPED, "by a signal");
	else if (session_error(s->session, &e))
		set_state(s, SUITE_FAILED, e.msg);
	else
		s->r->state = SUITE_DONE;
}

void stage_run(struct stage_run *s)
{
	uint64_t begin = clock_mono_ns();
	struct err e = {0};

	if (start(s, &e)) {
		set_state(s, SUITE_FAILED, e.msg);
		return;
	}
	switch (s->stage->kind) {
	case SUITE_SWEEP:
		watch_sweep(s);
		break;
	case SUITE_STEADY:
		watch_steady(s);
		break;
	case SUITE_RUN:
		watch_run(s);
		break;
	}
	if (!s->given_up)
		keep_bytes(s);
	finish(s);
	s->r->took_ns = clock_mono_ns() - begin;
}
