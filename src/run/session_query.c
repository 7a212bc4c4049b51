/* What callers ask of a session: stop, wait, tune, results, progress. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/units.h"
#include "src/run/session_impl.h"

void session_stop(struct session *s, int signo)
{
	pthread_mutex_lock(&s->lock);
	if (signo && !s->signo)
		s->signo = signo;
	pthread_mutex_unlock(&s->lock);
	atomic_store(&s->stop, true);
	session_wake(s);
}

int session_error(struct session *s, struct err *out)
{
	pthread_mutex_lock(&s->lock);
	*out = s->error;
	pthread_mutex_unlock(&s->lock);
	return out->code;
}

static bool is_over(struct session *s)
{
	return !atomic_load(&s->requested);
}

bool session_wait(struct session *s, uint64_t timeout_ns)
{
	uint64_t end = clock_now_ns(s->cfg.clock) + timeout_ns, seen = 0;

	for (;;) {
		uint64_t now = clock_now_ns(s->cfg.clock);

		if (is_over(s))
			return true;
		if (now >= end)
			return false;
		wakeup_wait(&s->wakeup, &seen, end - now);
	}
}

static struct lane *running_lane(struct session *s, uint32_t lane)
{
	size_t first = 0;

	if (is_over(s) || atomic_load(&s->state) != RUN_ON)
		return NULL;
	while (first < s->n_lanes && s->lanes[first]->plan.stage != s->stage)
		first++;
	return first + lane < s->n_lanes ? s->lanes[first + lane] : NULL;
}

int session_tune(struct session *s, uint32_t lane, const struct tuning *t, struct err *e)
{
	struct tuning before;
	struct lane *l;
	int rc;

	pthread_mutex_lock(&s->lock);
	l = running_lane(s, lane);
	if (!l) {
		pthread_mutex_unlock(&s->lock);
		return err_set(e, ESRCH, "no run is on");
	}
	pthread_mutex_lock(&l->ctl.lock);
	before = l->ctl.tune;
	pthread_mutex_unlock(&l->ctl.lock);
	rc = plan_check_tuning(&l->plan, &before, t, e);
	if (rc == 0) {
		lane_tune(l, t);
		sampler_tuned(&s->sampler, lane, &before, t, clock_now_ns(s->cfg.clock));
	}
	pthread_mutex_unlock(&s->lock);
	session_wake(s);
	return rc;
}

/* How long the longest held lane has been held, since its go. */
static uint64_t lanes_held_ns(struct session *s, uint64_t now)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < s->n_lanes; i++) {
		uint64_t of_lane = lane_ctl_held_ns(&s->lanes[i]->ctl, now);

		ns = of_lane > ns ? of_lane : ns;
	}
	return ns;
}

/* Of this run, all its stages. */
static uint64_t run_held_ns(struct session *s, uint64_t now)
{
	if (!atomic_load(&s->paused))
		return s->held_ns;
	return s->held_ns + lanes_held_ns(s, now) - s->held_at_pause_ns;
}

static void end_hold(struct session *s, uint64_t now)
{
	uint64_t ns = lanes_held_ns(s, now) - s->held_at_pause_ns;
	char text[32];

	s->held_ns += ns;
	if (!ns || !session_is_running(s))
		return;
	units_fmt_ns(text, sizeof(text), (double)ns, "u");
	events_add(&s->events, now, EVENT_GAP, 0, NULL, "paused %s", text);
}

void session_pause(struct session *s, bool on)
{
	uint64_t now = clock_now_ns(s->cfg.clock);
	bool was;

	pthread_mutex_lock(&s->lock);
	was = atomic_load(&s->paused);
	if (on && !was)
		s->held_at_pause_ns = lanes_held_ns(s, now);
	/* A lane that is over keeps its times: what comes later is none of its. */
	for (size_t i = 0; i < s->n_lanes; i++)
		if (!on || !s->lanes[i]->opened || !lane_is_over(s->lanes[i]))
			lane_pause(s->lanes[i], on);
	if (was && !on)
		end_hold(s, now);
	atomic_store(&s->paused, on);
	pthread_mutex_unlock(&s->lock);
}

void session_sample_lanes(struct session *s, uint64_t now_ns)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_lanes; i++)
		if (atomic_load(&s->lanes[i]->ctl.go))
			sampler_lane_samples(s->lanes[i], now_ns);
	pthread_mutex_unlock(&s->lock);
}

const struct run_result *session_result(struct session *s)
{
	struct run_result *r = &s->result;
	uint64_t now = clock_now_ns(s->cfg.clock), end, held;

	pthread_mutex_lock(&s->lock);
	collect_free(r);
	if (s->n_lanes == 0) {
		pthread_mutex_unlock(&s->lock);
		return NULL;
	}
	r->start_wall_ms = s->start_wall_ms;
	r->end_wall_ms = s->end_wall_ms ? s->end_wall_ms : clock_wall_ms();
	r->elapsed_s = (now - s->t_open_ns + NSEC_PER_SEC - 1) / NSEC_PER_SEC;
	r->signal = s->signo;
	collect_run(r, &s->spec, s->lanes, s->n_lanes, now);
	end = s->t_disks_end_ns ? s->t_disks_end_ns : now;
	if (!s->t_disks_end_ns)
		collect_read_disks(s->disks, s->n_disks, s->cfg.fsroot, false);
	end -= s->t_disks_ns;
	held = run_held_ns(s, now);
	collect_disks(r, s->disks, s->n_disks, end > held ? end - held : 0);
	pthread_mutex_unlock(&s->lock);
	return r;
}

/* Progress (fio-language 3.3) */

static char pattern_letter(struct lane *l)
{
	struct tuning tune, *t = &tune;
	bool rd, wr;
	char c = 'D';

	pthread_mutex_lock(&l->ctl.lock);
	tune = l->ctl.tune;
	pthread_mutex_unlock(&l->ctl.lock);
	rd = t->ops & IO_BIT(IO_READ);
	wr = t->ops & IO_BIT(IO_WRITE);
	if (rd && wr)
		c = t->read_pct == 100 ? 'R' : t->read_pct == 0 ? 'W' : 'M';
	else if (rd)
		c = 'R';
	else if (wr)
		c = 'W';
	return t->random ? (char)(c - 'A' + 'a') : c;
}

static char worker_letter(struct lane *l, const struct worker *w)
{
	switch ((enum worker_state)atomic_load(&w->state)) {
	case WORKER_NEW:
		return 'I';
	case WORKER_READY:
	case WORKER_DELAY:
		return 'C';
	case WORKER_RAMP:
		return '/';
	case WORKER_RUN:
		return pattern_letter(l);
	case WORKER_SYNC:
		return 'F';
	case WORKER_DONE:
		return '_';
	case WORKER_FAILED:
		return 'X';
	}
	return '?';
}

struct map_writer {
	char *out;
	size_t size, len;
	char last;
	unsigned run;
};

static void map_flush(struct map_writer *m)
{
	int n;

	if (!m->run || m->len >= m->size)
		return;
	n = snprintf(m->out + m->len, m->size - m->len, "%s%c(%u)", m->len ? "," : "", m->last,
		     m->run);
	m->len += n > 0 ? (size_t)n : 0;
	m->run = 0;
}

static void map_put(struct map_writer *m, char c, unsigned n)
{
	if (c != m->last)
		map_flush(m);
	m->last = c;
	m->run += n;
}

static uint64_t lane_left_ns(struct lane *l, uint64_t now)
{
	const struct job_spec *js = l->plan.spec;
	uint64_t whole = js->startdelay_ns + js->ramp_ns + js->runtime_ns;
	uint64_t go = atomic_load(&l->ctl.t_go_ns);

	if (!js->runtime_ns)
		return UINT64_MAX;
	if (!go)
		return whole;
	whole += lane_ctl_held_ns(&l->ctl, now);
	return go + whole > now ? go + whole - now : 0;
}

/* Bytes done of all clones against what they shall do; 0..1, NAN: not bound by size. */
static double lane_size_share(struct lane *l)
{
	double done = 0, want;

	if (!l->plan.size_bound || l->plan.io_bytes == UINT64_MAX || !l->n_slots)
		return NAN;
	pthread_mutex_lock(&l->lock);
	want = (double)l->plan.io_bytes * l->n_slots;
	for (unsigned k = 0; k < l->n_slots; k++)
		for (unsigned i = 0; i < IO_OP_NR; i++)
			done += (double)atomic_load_explicit(&l->workers[k]->op[i].bytes,
							     memory_order_relaxed);
	pthread_mutex_unlock(&l->lock);
	return want > 0 ? done / want : NAN;
}

/* Time left by the nearer of the two bounds, runtime and size; UINT64_MAX: unknown. */
static uint64_t lane_eta_ns(struct lane *l, uint64_t now)
{
	uint64_t by_time = lane_left_ns(l, now), go = atomic_load(&l->ctl.t_go_ns),
		 by_size = UINT64_MAX;
	double share = lane_size_share(l);

	if (go && share > 0 && share <= 1)
		by_size = (uint64_t)((double)(now - go) * (1 - share) / share);
	return by_time < by_size ? by_time : by_size;
}

static uint64_t add_eta(uint64_t a, uint64_t b)
{
	return a == UINT64_MAX || b == UINT64_MAX ? UINT64_MAX : a + b;
}

/* Lanes of a stage run side by side, stages one after the other. */
static uint64_t total_eta(struct session *s, uint64_t now)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->n_lanes;) {
		unsigned stage = s->lanes[i]->plan.stage;
		uint64_t longest = 0;

		for (; i < s->n_lanes && s->lanes[i]->plan.stage == stage; i++) {
			uint64_t eta;

			if (stage < s->stage || (s->lanes[i]->n_slots && lane_is_over(s->lanes[i])))
				continue;
			eta = lane_eta_ns(s->lanes[i], now);
			if (eta > longest)
				longest = eta;
		}
		total = add_eta(total, longest);
	}
	return total;
}

static void progress_lane(struct lane *l, struct session_progress *out, struct map_writer *m)
{
	pthread_mutex_lock(&l->lock);
	if (l->n_slots < l->plan.tune.jobs)
		map_put(m, 'P', l->plan.tune.jobs - l->n_slots);
	out->jobs_total += l->n_slots < l->plan.tune.jobs ? l->plan.tune.jobs : l->n_slots;
	for (unsigned k = 0; k < l->n_slots; k++) {
		int state = atomic_load(&l->workers[k]->state);

		map_put(m, worker_letter(l, l->workers[k]), 1);
		out->jobs_running += state >= WORKER_DELAY && state < WORKER_DONE;
	}
	pthread_mutex_unlock(&l->lock);
}

static void progress_rates(struct session *s, struct session_progress *out)
{
	pthread_mutex_lock(&s->pub_lock);
	for (unsigned i = 0; i < s->published->n_lanes; i++) {
		const struct op_win *w = s->published->lane[i].sec;

		for (unsigned op = 0; op < IO_OP_NR; op++) {
			out->bps[op] += isnan(w[op].bps) ? 0 : w[op].bps;
			out->iops[op] += isnan(w[op].iops) ? 0 : w[op].iops;
		}
	}
	pthread_mutex_unlock(&s->pub_lock);
}

void session_progress(struct session *s, struct session_progress *out)
{
	struct map_writer m = {.out = out->map, .size = sizeof(out->map)};
	uint64_t now = clock_now_ns(s->cfg.clock), elapsed;

	memset(out, 0, sizeof(*out));
	out->layout = atomic_load(&s->state) == RUN_LAYOUT;
	out->layout_done = atomic_load(&s->layout.done);
	out->layout_total = atomic_load(&s->layout.total);
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_lanes; i++)
		progress_lane(s->lanes[i], out, &m);
	map_flush(&m);
	out->eta_ns = total_eta(s, now);
	elapsed = s->t_disks_ns && now > s->t_disks_ns ? now - s->t_disks_ns : 0;
	pthread_mutex_unlock(&s->lock);
	out->pct_done = out->eta_ns == UINT64_MAX
				? NAN
				: 100.0 * (double)elapsed / (double)(elapsed + out->eta_ns + 1);
	progress_rates(s, out);
}
