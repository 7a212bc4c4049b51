/* The director: layout, then stage after stage, then the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/ownfile.h"
#include "src/run/log.h"
#include "src/run/session_impl.h"

#define LOOK_NS (100 * NSEC_PER_MSEC)

void session_wake(struct session *s)
{
	wakeup_call(&s->wakeup);
}

bool session_is_running(const struct session *s)
{
	switch ((enum run_state)atomic_load(&s->state)) {
	case RUN_IDLE:
	case RUN_DONE:
	case RUN_FAILED:
		return atomic_load(&s->requested);
	default:
		return true;
	}
}

static void note(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void note(struct session *s, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!s->cfg.note)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	s->cfg.note(s->cfg.note_arg, line);
}

/* The first failure is the one that is told. */
void session_keep_error(struct session *s, const struct err *e)
{
	pthread_mutex_lock(&s->lock);
	if (!s->error.code)
		s->error = *e;
	pthread_mutex_unlock(&s->lock);
	events_add(&s->events, clock_now_ns(s->cfg.clock), EVENT_ERROR, 0, NULL, "%.95s", e->msg);
}

/* Start, in the caller's thread */

static void assign_stages(struct session *s)
{
	unsigned group = 0, stage = 0;

	for (size_t i = 0; i < s->n_lanes; i++) {
		const struct job_spec *js = s->lanes[i]->plan.spec;

		if (i && (js->stonewall || js->new_group))
			group++;
		if (i && js->stonewall)
			stage++;
		s->lanes[i]->plan.group = group;
		s->lanes[i]->plan.stage = stage;
	}
}

static struct target_env target_env(struct session *s)
{
	return (struct target_env){
		.fsroot = s->cfg.fsroot,
		.readonly = s->cfg.readonly,
		.holds = &s->holds,
	};
}

/* Those of a plan that says no, too. Looks at targets, which may not answer: no lock is held. */
static int make_lanes(struct session *s, struct lane **lanes, size_t *n, struct strbuf *notes,
		      struct err *e)
{
	struct guard_id *copy;
	const struct guard_consent consent = session_copy_consent(s, &copy);
	struct plan_env env = {.target = target_env(s), .notes = notes, .clock = s->cfg.clock};
	int rc = 0;

	env.target.consent = &consent;
	for (*n = 0; rc == 0 && *n < s->spec.n_jobs;) {
		struct lane *l = xcalloc(1, sizeof(*l));
		const struct job_spec *job = &s->spec.jobs[*n];

		lane_init(l, s->cfg.clock, &s->sampler.epoch, s->cfg.headroom, &s->wakeup);
		lanes[(*n)++] = l;
		rc = plan_build(&l->plan, job, &env, e);
		env.first_worker += job->numjobs;
	}
	free(copy);
	return rc;
}

static int build_lanes(struct session *s, struct strbuf *notes, struct err *e)
{
	struct lane **lanes = xcalloc(s->spec.n_jobs, sizeof(struct lane *));
	size_t n;
	int rc = make_lanes(s, lanes, &n, notes, e);

	pthread_mutex_lock(&s->lock);
	s->lanes = lanes;
	s->n_lanes = n;
	if (rc == 0) {
		assign_stages(s);
		rc = session_check_waits(s, e);
		rc = rc ? rc : session_steady_begin(s, e);
	}
	pthread_mutex_unlock(&s->lock);
	return rc;
}

static void pass_notes(struct session *s, const struct strbuf *notes)
{
	const char *p = strbuf_str(notes), *nl;

	for (; (nl = strchr(p, '\n')); p = nl + 1)
		note(s, "%.*s", (int)(nl - p), p);
}

static int start(struct session *s, const struct spec *spec, struct err *e)
{
	struct strbuf notes = {0};
	int rc;

	session_drop_lanes(s);
	holds_release(&s->holds);
	pthread_mutex_lock(&s->lock);
	spec_fini(&s->spec);
	spec_copy(&s->spec, spec);
	s->error = (struct err){0};
	s->signo = 0;
	s->held_ns = s->held_at_pause_ns = 0;
	atomic_store(&s->paused, false);
	pthread_mutex_unlock(&s->lock);
	rc = build_lanes(s, &notes, e);
	if (rc) {
		session_drop_lanes(s);
		holds_release(&s->holds);
	} else {
		events_reset(&s->events);
		atomic_store(&s->stop, false);
		atomic_store(&s->layout.done, 0);
		atomic_store(&s->layout.total, 0);
		pass_notes(s, &notes);
		atomic_store(&s->requested, true);
		session_wake(s);
	}
	strbuf_fini(&notes);
	return rc;
}

int session_start(struct session *s, const struct spec *spec, struct err *e)
{
	int rc;

	if (spec->n_jobs == 0)
		return err_set(e, EINVAL, "no job defined");
	/* Two callers at once: the second must not change the plans of the first. */
	if (atomic_exchange(&s->preparing, true))
		return err_set(e, EBUSY, "a start is being prepared");
	rc = session_is_running(s) ? err_set(e, EBUSY, "a run is on; stop it first")
				   : start(s, spec, e);
	atomic_store(&s->preparing, false);
	return rc;
}

/* Layout */

static uint64_t layout_need(struct session *s)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->n_lanes; i++)
		for (unsigned t = 0; t < s->lanes[i]->plan.n_targets; t++)
			total += target_layout_bytes(&s->lanes[i]->plan.targets[t]);
	return total;
}

static void note_layout(struct session *s, const struct plan *p)
{
	uint64_t bytes = 0;
	unsigned files = 0;

	for (unsigned t = 0; t < p->n_targets; t++) {
		bytes += target_layout_bytes(&p->targets[t]);
		files += target_layout_bytes(&p->targets[t]) > 0;
	}
	if (files == 1)
		note(s, "%s: Laying out IO file (1 file / %lluMiB)", p->spec->name,
		     (unsigned long long)(bytes >> 20));
	else if (files)
		note(s, "%s: Laying out IO files (%u files / total %lluMiB)", p->spec->name, files,
		     (unsigned long long)(bytes >> 20));
}

/* The total of all files must fit, not each alone (cases: numjobs x size is what is compared). */
static int check_space(struct session *s, uint64_t need, struct err *e)
{
	for (size_t i = 0; i < s->n_lanes; i++) {
		const struct plan *p = &s->lanes[i]->plan;

		for (unsigned t = 0; t < p->n_targets; t++) {
			const struct target *tg = &p->targets[t];

			if (target_layout_bytes(tg) && need > tg->info.fs_free_bytes)
				return err_set(e, ENOSPC,
					       "%s: all files need %llu MiB, %llu MiB free",
					       p->spec->name, (unsigned long long)(need >> 20),
					       (unsigned long long)(tg->info.fs_free_bytes >> 20));
		}
	}
	return 0;
}

static int lay_out(struct session *s, struct err *e)
{
	/* No consent: what was not agreed to at the start is written only when it is ours. */
	const struct target_env env = target_env(s);
	uint64_t need = layout_need(s);
	int rc = check_space(s, need, e);

	atomic_store(&s->layout.total, need);
	if (need)
		atomic_store(&s->state, RUN_LAYOUT);
	for (size_t i = 0; i < s->n_lanes && rc == 0; i++) {
		struct plan *p = &s->lanes[i]->plan;

		note_layout(s, p);
		for (unsigned t = 0; t < p->n_targets && rc == 0; t++)
			rc = target_layout(&p->targets[t], &env, &s->layout, e);
	}
	return rc;
}

/*
 * Takes everything that will be written, for the whole run. Devices first (blocks): whoever got in between
 * the consent and now is noticed before anything is made.
 */
static int take_holds(struct session *s, bool blocks, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < s->holds.n && rc == 0; i++)
		if (s->holds.v[i]->id.is_block == blocks)
			rc = hold_take(s->holds.v[i], s->cfg.fsroot, e);
	return rc;
}

static int prepare(struct session *s, struct err *e)
{
	int rc = take_holds(s, true, e);

	if (rc == 0)
		rc = lay_out(s, e);
	return rc ? rc : take_holds(s, false, e);
}

/* Nothing of this run writes any more. */
static void release_holds(struct session *s)
{
	for (size_t i = 0; i < s->n_lanes; i++)
		for (unsigned t = 0; t < s->lanes[i]->plan.n_targets; t++)
			target_close(&s->lanes[i]->plan.targets[t]);
	holds_release(&s->holds);
}

/* Stages */

static void stop_stage(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		s->lanes[i]->waiting = false;
		lane_stop(s->lanes[i]);
	}
}

static bool stage_over(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (s->lanes[i]->waiting || !lane_is_over(s->lanes[i]))
			return false;
	return true;
}

static void adjust_lanes(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct err e = {0};

		if (!s->lanes[i]->opened)
			continue;
		if (lane_adjust(s->lanes[i], &e))
			session_keep_error(s, &e);
	}
}

static void keep_worker_errors(struct session *s, struct lane *l)
{
	for (unsigned k = 0; k < l->n_slots; k++) {
		struct err e = {.code = atomic_load(&l->workers[k]->error)};

		if (!e.code)
			continue;
		snprintf(e.msg, sizeof(e.msg), "%s: %s%s", l->plan.spec->name, lane_lost_text(l),
			 l->workers[k]->error_text);
		session_keep_error(s, &e);
	}
}

/* error_dump */
static void note_ignored(struct session *s, const struct lane *l)
{
	uint64_t n = 0;
	int first = 0;

	for (unsigned k = 0; k < l->n_slots; k++) {
		n += atomic_load(&l->workers[k]->ignored);
		if (!first)
			first = atomic_load(&l->workers[k]->first_error);
	}
	if (n && l->plan.spec->error_dump)
		note(s, "%s: %llu errors were ignored, the first: %s", l->plan.spec->name,
		     (unsigned long long)n, strerror(first));
}

/* latency_target: what the search came to, in words. */
static void note_search(struct session *s, const struct lane *l)
{
	const struct job_spec *js = l->plan.spec;
	char target[32];

	units_fmt_time_exact(target, sizeof(target), js->latency_target_ns);
	for (unsigned k = 0; js->latency_target_ns && k < l->n_slots; k++) {
		const struct worker *w = l->workers[k];
		uint32_t depth = atomic_load(&w->seek_depth);
		int state = atomic_load(&w->seek_state);

		if (state == SEEK_STATE_MISSED)
			note(s, "%s: latency_target=%s is not met, not even with a depth of 1",
			     js->name, target);
		else if (state == SEEK_STATE_MET)
			note(s, "%s: latency_target=%s is met up to a depth of %u", js->name,
			     target, depth);
		else if (depth)
			note(s,
			     "%s: latency_target=%s: the job ended before the depth was found, "
			     "last at %u",
			     js->name, target, depth);
	}
}

void session_note_opened(struct session *s, const struct lane *l)
{
	if (l->cache_error)
		note(s,
		     "%s: dropping the page cache of %s: %s; results may come from the page cache",
		     l->plan.spec->name, l->cache_path, strerror(l->cache_error));
}

static void watch_stage(struct session *s, size_t from, size_t to)
{
	uint64_t seen = 0, next_ns = 0, look_ns, steady_ns;

	while (!stage_over(s, from, to)) {
		if (atomic_load(&s->stop))
			stop_stage(s, from, to);
		session_check_ends(s, from, to);
		session_start_waiting(s, from, to);
		session_check_lanes(s, from, to);
		if (clock_now_ns(s->cfg.clock) >= next_ns) {
			next_ns = clock_now_ns(s->cfg.clock) + NSEC_PER_SEC;
			session_check_holds(s, from, to);
		}
		adjust_lanes(s, from, to);
		look_ns = session_ab_step(s, from, to);
		steady_ns = session_steady_step(s, from, to);
		look_ns = steady_ns < look_ns ? steady_ns : look_ns;
		wakeup_wait(&s->wakeup, &seen, look_ns < LOOK_NS ? look_ns : LOOK_NS);
	}
}

/* Opens, starts, watches and joins the lanes [from, to). */
static void run_stage(struct session *s, size_t from, size_t to)
{
	struct err e = {0};
	uint64_t now;
	int rc = 0;

	pthread_mutex_lock(&s->lock);
	s->stage = s->lanes[from]->plan.stage;
	pthread_mutex_unlock(&s->lock);
	sampler_set_lanes(&s->sampler, s->lanes + from, (unsigned)(to - from));
	for (size_t i = from; i < to && rc == 0; i++) {
		s->lanes[i]->waiting = s->lanes[i]->plan.spec->wait_for != NULL;
		if (!s->lanes[i]->waiting && !s->lanes[i]->plan.spec->create_only)
			rc = lane_open(s->lanes[i], &e);
		session_note_opened(s, s->lanes[i]);
	}
	if (rc) {
		session_keep_error(s, &e);
		stop_stage(s, from, to);
	}
	/* Layout or an earlier stage may have taken long since they were taken. */
	session_check_holds(s, from, to);
	session_ab_begin(s, from, to);
	now = clock_now_ns(s->cfg.clock);
	atomic_store(&s->state, RUN_ON);
	for (size_t i = from; i < to && rc == 0; i++)
		if (s->lanes[i]->opened)
			lane_go(s->lanes[i], now);
	session_remember_below(s, from, to);
	watch_stage(s, from, to);
	session_check_lanes_at_end(s, from, to);
	for (size_t i = from; i < to; i++) {
		lane_join(s->lanes[i]);
		if (rc == 0)
			keep_worker_errors(s, s->lanes[i]);
		note_ignored(s, s->lanes[i]);
		note_search(s, s->lanes[i]);
	}
}

static size_t stage_end(const struct session *s, size_t from)
{
	size_t to = from;

	while (to < s->n_lanes && s->lanes[to]->plan.stage == s->lanes[from]->plan.stage)
		to++;
	return to;
}

static void run_stages(struct session *s)
{
	for (size_t from = 0; from < s->n_lanes && !atomic_load(&s->stop) && !s->end_all;) {
		size_t to = stage_end(s, from);

		run_stage(s, from, to);
		from = to;
	}
}

static void begin_disks(struct session *s)
{
	struct run_disk *disks;
	size_t n = collect_find_disks(s->lanes, s->n_lanes, s->cfg.fsroot, &disks);

	collect_read_disks(disks, n, s->cfg.fsroot, true);
	pthread_mutex_lock(&s->lock);
	free(s->disks);
	s->disks = disks;
	s->n_disks = n;
	s->t_disks_ns = clock_now_ns(s->cfg.clock);
	s->t_disks_end_ns = 0;
	s->start_wall_ms = clock_wall_ms();
	s->end_wall_ms = 0;
	pthread_mutex_unlock(&s->lock);
}

static void end_disks(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	collect_read_disks(s->disks, s->n_disks, s->cfg.fsroot, false);
	s->t_disks_end_ns = clock_now_ns(s->cfg.clock);
	s->end_wall_ms = clock_wall_ms();
	pthread_mutex_unlock(&s->lock);
}

static void run_logged(struct session *s)
{
	struct logger *logger;
	struct err e = {0};
	uint64_t dropped;

	if (logger_start(&logger, s->lanes, s->n_lanes, s->cfg.clock, s->cfg.bandwidth_log, &e)) {
		session_keep_error(s, &e);
		return;
	}
	run_stages(s);
	if (logger_stop(logger, &dropped, &e))
		session_keep_error(s, &e);
	if (dropped)
		note(s, "logs: the disk was too slow, %llu I/Os are missing in them",
		     (unsigned long long)dropped);
}

static void run_request(struct session *s)
{
	struct err e = {0};
	bool failed;

	if (prepare(s, &e)) {
		session_keep_error(s, &e);
		release_holds(s);
		atomic_store(&s->state, e.code == ECANCELED ? RUN_IDLE : RUN_FAILED);
		return;
	}
	begin_disks(s);
	s->end_all = false;
	run_logged(s);
	release_holds(s);
	end_disks(s);
	pthread_mutex_lock(&s->lock);
	failed = s->error.code != 0;
	pthread_mutex_unlock(&s->lock);
	atomic_store(&s->state, failed ? RUN_FAILED : RUN_DONE);
}

void *session_director(void *arg)
{
	struct session *s = arg;
	uint64_t seen = 0;

	pthread_setname_np(pthread_self(), "iodeck-direct");
	while (!atomic_load(&s->closing)) {
		if (!atomic_load(&s->requested)) {
			if (!session_sweep_restart(s))
				wakeup_wait(&s->wakeup, &seen, NSEC_PER_SEC);
			continue;
		}
		run_request(s);
		atomic_store(&s->requested, false);
		session_wake(s);
	}
	return NULL;
}

/* The end of a run's lanes */

/* unlink=1, unlink_each_loop=1: the files this run made, and only those. */
static void unlink_made(struct lane *l)
{
	if (!l->plan.spec->unlink && !l->plan.spec->unlink_each_loop)
		return;
	for (unsigned t = 0; t < l->plan.n_targets; t++) {
		struct target *tg = &l->plan.targets[t];
		int fd;

		if (!tg->created)
			continue;
		fd = open(tg->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		ownfile_unlink(fd, tg->path, NULL);
		close(fd);
	}
}

void session_drop_lanes(struct session *s)
{
	struct lane **lanes;
	size_t n;

	sampler_set_lanes(&s->sampler, NULL, 0);
	pthread_mutex_lock(&s->lock);
	lanes = s->lanes;
	n = s->n_lanes;
	s->lanes = NULL;
	s->n_lanes = 0;
	collect_free(&s->result);
	session_steady_free(s);
	free(s->disks);
	s->disks = NULL;
	s->n_disks = 0;
	pthread_mutex_unlock(&s->lock);
	for (size_t i = 0; i < n; i++) {
		unlink_made(lanes[i]);
		lane_fini(lanes[i]);
		free(lanes[i]);
	}
	free(lanes);
}
