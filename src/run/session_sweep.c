/*
 * A sweep on a session: the state machine of sweep.c drives the session's own run.
 *
 * A start looks at its target, which may not answer: sweep_lock is not held meanwhile, and the sampler, which
 * takes it each tick, never starts anything. While sweep_preparing is set the sweep belongs to who set it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "src/run/plan_device.h"
#include "src/run/session_impl.h"

/* A run of a sweep ends when it is told to. */
#define FOREVER_NS (365ull * 86400 * NSEC_PER_SEC)

/* -- start ------------------------------------------------------------------------------------ */

static bool is_over(const struct session *s)
{
	return !atomic_load(&s->requested);
}

/* What would end the run by itself, or measure something else than the cell, is taken out. */
static void make_endless(struct job_spec *job)
{
	job->time_based = true;
	job->runtime_ns = FOREVER_NS;
	job->ramp_ns = job->startdelay_ns = 0;
	job->number_ios = 0;
	job->io_size = (struct amount){0};
	job->stonewall = false;
}

/* Under sweep_lock: may a sweep begin, or go on? */
static bool is_free(const struct session *s)
{
	return is_over(s) && !s->sweep_restart && !s->sweep_preparing;
}

static bool varies(const struct sweep_spec *sw, enum sweep_kind k)
{
	return sw->row == k || sw->col == k;
}

static int check(const struct job_spec *job, const struct sweep_spec *sw, struct err *e)
{
	const struct engine_ops *engine = engine_find(job->ioengine);

	for (unsigned i = 0; i < sw->axis[SWEEP_ENGINE].n; i++) {
		const char *word = sw->axis[SWEEP_ENGINE].word[i];

		if (!engine_find(word))
			return err_set(e, EINVAL, "engine=%s: there is no such engine", word);
		if (plan_device_refuse(job, word, e))
			return -e->code;
	}
	if (sw->axis[SWEEP_ENGINE].n)
		engine = engine_find(sw->axis[SWEEP_ENGINE].word[0]);
	if (!engine)
		return 0; /* the plan says it better */
	if (varies(sw, SWEEP_QD) && !varies(sw, SWEEP_ENGINE) && engine->flags & ENGINE_SYNC)
		return err_set(
			e, EINVAL,
			"qd: %s is a synchronous engine, its depth is always 1; sweep jobs, or "
			"give ioengine=io_uring",
			engine->name);
	if (varies(sw, SWEEP_JOBS) && !(engine->flags & ENGINE_DISKLESS) && !job->filename)
		return err_set(e, EINVAL,
			       "jobs: give filename=, so that all jobs share one file; files of "
			       "their own cannot be added to a run");
	return 0;
}

/*
 * The run for what the sweep wants next. Under sweep_lock, which is given up while the target is looked at.
 * sw may not be the session's yet. A stop that came meanwhile is the caller's to see.
 */
static int start_run(struct session *s, const struct spec *job, struct sweep *sw, struct err *e)
{
	const struct sweep_next *next = sweep_next(sw);
	char engine[SWEEP_WORD_SIZE];
	struct spec spec;
	int rc;

	spec_copy(&spec, job);
	sweep_spec_job_tune(&spec.jobs[0], &next->tune, next->engine);
	snprintf(engine, sizeof(engine), "%s", spec.jobs[0].ioengine);
	s->sweep_preparing = true;
	s->sweep_stop = false;
	pthread_mutex_unlock(&s->sweep_lock);
	rc = session_start(s, &spec, e);
	pthread_mutex_lock(&s->sweep_lock);
	s->sweep_preparing = false;
	if (rc == 0)
		snprintf(s->sweep_engine, sizeof(s->sweep_engine), "%s", engine);
	spec_fini(&spec);
	return rc;
}

/* Stopped while the target was looked at: the run that is on now shall not be. */
static void stop_if_asked(struct session *s)
{
	if (!s->sweep_stop)
		return;
	sweep_interrupt(s->sweep, SWEEP_STOPPED, NULL);
	session_stop(s, 0);
}

static void identify(struct sweep_result *r, const struct job_spec *job)
{
	const struct engine_ops *engine = engine_find(job->ioengine);

	snprintf(r->engine, sizeof(r->engine), "%s", job->ioengine);
	r->simulated = engine && engine->flags & ENGINE_SIM;
	/* The lane knows better, unless its engine has no files: then this is what was asked for. */
	if (job->filename)
		snprintf(r->target, sizeof(r->target), "%s", job->filename);
	snprintf(r->rw, sizeof(r->rw), "%s", job_spec_rw_word(&job->rw));
}

/* A sweep on the way to become the session's. */
struct fresh {
	const struct spec *spec;
	const struct sweep_spec *sw;
	const struct sweep_result *from; /* cells that are measured already, or NULL */
	bool start;
};

static int init(struct session *s, const struct fresh *f, const struct job_spec *job,
		struct sweep *sweep, struct err *e)
{
	uint64_t now = clock_now_ns(s->cfg.clock);
	struct tuning base;
	bool all = false;

	job_spec_tuning(job, &base);
	if (f->from)
		all = sweep_init_from(sweep, f->from, &base, now) == SWEEP_DONE;
	else
		sweep_init(sweep, f->sw, &base, now);
	identify(&sweep->v.r, job);
	return all && f->start ? err_set(e, EALREADY, "every cell is measured") : 0;
}

static int begin(struct session *s, const struct fresh *f, struct err *e)
{
	struct sweep *fresh = xcalloc(1, sizeof(*fresh));
	struct spec job;
	int rc;

	spec_copy(&job, f->spec);
	make_endless(&job.jobs[0]);
	rc = init(s, f, &job.jobs[0], fresh, e);
	if (rc == 0 && f->start)
		rc = start_run(s, &job, fresh, e);
	if (rc) { /* what was measured before stays */
		spec_fini(&job);
		free(fresh);
		return rc;
	}
	spec_fini(&s->sweep_job);
	s->sweep_job = job;
	free(s->sweep);
	s->sweep = fresh;
	s->sweep_restart = false;
	if (f->start)
		stop_if_asked(s);
	else
		sweep_interrupt(fresh, SWEEP_STOPPED, NULL);
	return 0;
}

static int sweep_from(struct session *s, const struct fresh *f, struct err *e)
{
	int rc;

	if (f->spec->n_jobs != 1)
		return err_set(e, EINVAL, "a sweep runs one job; the request has %zu",
			       f->spec->n_jobs);
	rc = check(&f->spec->jobs[0], f->sw, e);
	if (rc)
		return rc;
	pthread_mutex_lock(&s->sweep_lock);
	rc = is_free(s) ? begin(s, f, e) : err_set(e, EBUSY, "a run is on; stop it first");
	pthread_mutex_unlock(&s->sweep_lock);
	return rc;
}

int session_sweep(struct session *s, const struct spec *spec, const struct sweep_spec *sw,
		  struct err *e)
{
	return sweep_from(s, &(struct fresh){.spec = spec, .sw = sw, .start = true}, e);
}

int session_sweep_go_on(struct session *s, const struct spec *spec, const struct sweep_result *from,
			struct err *e)
{
	return sweep_from(
		s, &(struct fresh){.spec = spec, .sw = &from->spec, .from = from, .start = true},
		e);
}

int session_sweep_take(struct session *s, const struct spec *spec, const struct sweep_result *from,
		       struct err *e)
{
	return sweep_from(s, &(struct fresh){.spec = spec, .sw = &from->spec, .from = from}, e);
}

static int resume(struct session *s, struct err *e)
{
	int rc;

	if (!s->sweep)
		return err_set(e, ESRCH, "there is no sweep to go on with");
	if (!is_free(s) || sweep_view_runs(&s->sweep->v))
		return err_set(e, EBUSY, "a run is on; stop it first");
	if (sweep_resume(s->sweep, clock_now_ns(s->cfg.clock)) == SWEEP_DONE)
		return err_set(e, EALREADY, "every cell is measured");
	rc = start_run(s, &s->sweep_job, s->sweep, e);
	if (rc)
		sweep_interrupt(s->sweep, SWEEP_FAILED, e->msg);
	else
		stop_if_asked(s);
	return rc;
}

int session_sweep_resume(struct session *s, struct err *e)
{
	int rc;

	pthread_mutex_lock(&s->sweep_lock);
	rc = resume(s, e);
	pthread_mutex_unlock(&s->sweep_lock);
	return rc;
}

int session_sweep_redo(struct session *s, unsigned row, unsigned col, struct err *e)
{
	int rc = 0;

	pthread_mutex_lock(&s->sweep_lock);
	if (!s->sweep || row >= s->sweep->v.r.rows || col >= s->sweep->v.r.cols) {
		rc = err_set(e, EINVAL, "there is no such cell");
	} else if (s->sweep_preparing) {
		rc = err_set(e, EBUSY, "a start is being prepared");
	} else {
		sweep_redo(s->sweep, row, col);
		if (!sweep_view_runs(&s->sweep->v))
			rc = resume(s, e);
	}
	pthread_mutex_unlock(&s->sweep_lock);
	return rc;
}

/* -- stop, look ------------------------------------------------------------------------------- */

void session_sweep_stop(struct session *s, int signo)
{
	pthread_mutex_lock(&s->sweep_lock);
	if (s->sweep && !s->sweep_preparing)
		sweep_interrupt(s->sweep, SWEEP_STOPPED, NULL);
	s->sweep_restart = false;
	s->sweep_stop = true;
	pthread_mutex_unlock(&s->sweep_lock);
	session_stop(s, signo);
}

bool session_sweep_runs(struct session *s)
{
	bool runs;

	pthread_mutex_lock(&s->sweep_lock);
	runs = s->sweep && sweep_view_runs(&s->sweep->v);
	pthread_mutex_unlock(&s->sweep_lock);
	return runs;
}

void session_sweep_pause(struct session *s, bool on)
{
	pthread_mutex_lock(&s->sweep_lock);
	if (s->sweep && !s->sweep_preparing && sweep_view_runs(&s->sweep->v))
		sweep_pause(s->sweep, on);
	pthread_mutex_unlock(&s->sweep_lock);
}

void session_sweep_view(struct session *s, struct sweep_view *out)
{
	pthread_mutex_lock(&s->sweep_lock);
	if (s->sweep)
		*out = s->sweep->v;
	else
		out->phase = SWEEP_OFF;
	pthread_mutex_unlock(&s->sweep_lock);
}

void session_sweep_free(struct session *s)
{
	free(s->sweep);
	s->sweep = NULL;
	spec_fini(&s->sweep_job);
}

/* -- ticks, in the sampler thread, under sweep_lock ------------------------------------------- */

static bool needs_other_engine(const struct session *s)
{
	const char *engine = sweep_next(s->sweep)->engine;

	return engine && strcmp(engine, s->sweep_engine) != 0;
}

/* A refused setting marks its cell, and the next one is tried. */
static void follow(struct session *s, enum sweep_step step, uint64_t now_ns)
{
	struct err e;

	while (step == SWEEP_TUNE) {
		if (needs_other_engine(s)) {
			s->sweep_restart = true;
			session_stop(s, 0);
			return;
		}
		e = (struct err){0};
		if (session_tune(s, 0, &sweep_next(s->sweep)->tune, &e) == 0)
			return;
		step = sweep_refused(s->sweep, e.msg, now_ns);
	}
	if (step == SWEEP_DONE)
		session_stop(s, 0);
}

int session_sweep_slo(struct session *s, const struct slo *slo, struct err *e)
{
	uint64_t now = clock_now_ns(s->cfg.clock);
	int rc = 0;

	pthread_mutex_lock(&s->sweep_lock);
	if (s->sweep_preparing)
		rc = err_set(e, EBUSY, "a start is being prepared");
	else if (s->sweep)
		follow(s, sweep_set_slo(s->sweep, slo, now), now);
	else
		rc = err_set(e, ESRCH, "there is no sweep to judge");
	pthread_mutex_unlock(&s->sweep_lock);
	return rc;
}

/* Director: the run is over, and the next cell has another engine. false: there is nothing to do. */
bool session_sweep_restart(struct session *s)
{
	struct err e = {0};
	bool due;

	pthread_mutex_lock(&s->sweep_lock);
	due = s->sweep_restart && is_over(s) && !s->sweep_preparing;
	if (due && start_run(s, &s->sweep_job, s->sweep, &e))
		sweep_interrupt(s->sweep, SWEEP_FAILED, e.msg);
	else if (due)
		stop_if_asked(s);
	if (due)
		s->sweep_restart = false;
	pthread_mutex_unlock(&s->sweep_lock);
	return due;
}

static void run_is_gone(struct session *s)
{
	struct err e;

	if (session_error(s, &e))
		sweep_interrupt(s->sweep, SWEEP_FAILED, e.msg);
	else
		sweep_interrupt(s->sweep, SWEEP_STOPPED, NULL);
}

static void advance(struct session *s, uint64_t now_ns, const struct snapshot *snap)
{
	if (s->sweep_preparing || !sweep_view_runs(&s->sweep->v))
		return;
	if (is_over(s)) {
		if (!s->sweep_restart) /* else the director sees to it */
			run_is_gone(s);
	} else if (!s->sweep_restart && snap->n_lanes) {
		struct sweep_result *r = &s->sweep->v.r;

		if (!r->target[0] || strcmp(snap->lane[0].target, snap->lane[0].engine) != 0)
			snprintf(r->target, sizeof(r->target), "%s", snap->lane[0].target);
		follow(s, sweep_tick(s->sweep, &snap->lane[0], now_ns), now_ns);
	}
}

void session_sweep_tick(struct session *s, uint64_t now_ns, struct snapshot *snap)
{
	pthread_mutex_lock(&s->sweep_lock);
	if (s->sweep) {
		advance(s, now_ns, snap);
		snap->sweep = s->sweep->v;
	}
	pthread_mutex_unlock(&s->sweep_lock);
}
