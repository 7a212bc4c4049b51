/* Who may write to what: consents, the question before a start, and the watch while a run is on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "src/run/session_impl.h"

#define END_LOOKS   6
#define END_LOOK_US 50000

/* Consents */

static bool has_agreed(const struct session *s, const struct guard_id *id)
{
	for (size_t i = 0; i < s->n_agreed; i++)
		if (guard_id_equal(&s->agreed[i], id))
			return true;
	return false;
}

static void agree(struct session *s, const struct guard_id *id)
{
	if (has_agreed(s, id))
		return;
	s->agreed = xrealloc(s->agreed, (s->n_agreed + 1) * sizeof(*s->agreed));
	s->agreed[s->n_agreed++] = *id;
}

static int agree_by_name(struct session *s, const char *word, bool is_block,
			 const char *const *names, size_t n, struct err *e)
{
	struct guard_id id;

	for (size_t i = 0; i < n; i++) {
		int rc = guard_id_find(names[i], is_block, &id, e);

		/* A file that is not there yet will be made by the run, which needs no consent. */
		if (rc == -ENOENT && !is_block)
			continue;
		if (rc)
			return err_wrap(e, "--%s", word);
		agree(s, &id);
	}
	return 0;
}

int session_take_consents(struct session *s, struct err *e)
{
	const struct session_cfg *c = &s->cfg;
	int rc = agree_by_name(s, "allow-destroy", true, c->allow_destroy, c->n_allow_destroy, e);

	return rc ? rc
		  : agree_by_name(s, "allow-overwrite", false, c->allow_overwrite,
				  c->n_allow_overwrite, e);
}

/* A copy: the looking takes long, and the lock is not held meanwhile. */
struct guard_consent session_copy_consent(struct session *s, struct guard_id **copy)
{
	struct guard_consent c;

	pthread_mutex_lock(&s->lock);
	c = (struct guard_consent){.agreed = s->agreed, .n_agreed = s->n_agreed};
	*copy = xcalloc(c.n_agreed + 1, sizeof(**copy));
	if (c.n_agreed)
		memcpy(*copy, c.agreed, c.n_agreed * sizeof(**copy));
	c.agreed = *copy;
	pthread_mutex_unlock(&s->lock);
	return c;
}

int session_arm(struct session *s, const char *typed, struct err *e)
{
	int rc = -EPERM;

	pthread_mutex_lock(&s->lock);
	if (!typed) {
		s->n_agreed = 0;
		rc = 0;
	}
	for (size_t i = 0; typed && i < s->asked.n; i++) {
		const struct guard_report *r = &s->asked.v[i].report;
		struct guard_id id;

		if (r->verdict != GUARD_CONFIRM || !r->phrase[0] || strcmp(r->phrase, typed) != 0)
			continue;
		guard_id_of(r, &id);
		agree(s, &id);
		rc = 0;
	}
	pthread_mutex_unlock(&s->lock);
	return rc ? err_set(e, EPERM, "that is not the phrase") : 0;
}

/* The question */

static int ask_job(const struct job_spec *js, const struct target_env *env, struct err *e)
{
	struct plan_env plan_env = {.target = *env};
	struct plan p;
	int rc = plan_build(&p, js, &plan_env, e);

	plan_fini(&p);
	return rc;
}

static int ask_all(const struct spec *spec, const struct target_env *env, struct err *e)
{
	for (size_t i = 0; i < spec->n_jobs; i++) {
		int rc = ask_job(&spec->jobs[i], env, e);

		if (rc)
			return rc;
	}
	return 0;
}

int session_guard(struct session *s, const struct spec *spec, struct guard_ask *asks, size_t max,
		  size_t *n, struct err *e)
{
	struct guard_id *copy;
	const struct guard_consent consent = session_copy_consent(s, &copy);
	struct ask_list list = {0};
	const struct target_env env = {.fsroot = s->cfg.fsroot,
				       .readonly = s->cfg.readonly,
				       .consent = &consent,
				       .asks = &list};
	int rc;

	*n = 0;
	rc = session_is_running(s) ? err_set(e, EBUSY, "a run is on; stop it first")
				   : ask_all(spec, &env, e);
	for (; rc == 0 && *n < list.n && *n < max; ++*n)
		asks[*n] = list.v[*n];
	pthread_mutex_lock(&s->lock);
	free(s->asked.v);
	s->asked = list;
	pthread_mutex_unlock(&s->lock);
	free(copy);
	return rc;
}

/* The watch */

/* The errno of the first worker that failed with one; 0: none has. */
static int first_error(const struct lane *l)
{
	for (unsigned k = 0; k < l->n_slots; k++) {
		int code = atomic_load(&l->workers[k]->error);

		if (code)
			return code;
	}
	return 0;
}

/* What happens to the device of a lane that has ended well is none of its business. */
static bool is_concerned(struct lane *l)
{
	return !lane_is_over(l) || first_error(l);
}

static bool uses_hold(const struct lane *l, const struct hold *h)
{
	for (unsigned t = 0; t < l->plan.n_targets; t++)
		if (l->plan.targets[t].hold == h)
			return true;
	return false;
}

void session_check_holds(struct session *s, size_t from, size_t to)
{
	for (size_t i = 0; i < s->holds.n; i++) {
		struct hold *h = s->holds.v[i];
		struct err e = {0};
		int rc;

		if (h->broken)
			continue;
		rc = hold_check(h, s->cfg.fsroot, &e);
		if (rc == 0)
			continue;
		for (size_t k = from; k < to; k++) {
			if (!uses_hold(s->lanes[k], h) || !is_concerned(s->lanes[k]))
				continue;
			if (rc == -ENODEV)
				atomic_store(&s->lanes[k]->lost, true);
			lane_stop(s->lanes[k]);
		}
		err_wrap(&e, rc == -ENODEV ? "LOST" : "writing was stopped");
		session_keep_error(s, &e);
	}
}

static const struct target *lost_target(const struct lane *l)
{
	for (unsigned t = 0; t < l->plan.n_targets; t++)
		if (target_is_lost(&l->plan.targets[t]))
			return &l->plan.targets[t];
	return NULL;
}

/* An error that ended a worker, or one that it went on after. */
static bool has_failed(const struct lane *l)
{
	for (unsigned k = 0; k < l->n_slots; k++)
		if (atomic_load(&l->workers[k]->error) || atomic_load(&l->workers[k]->first_error))
			return true;
	return false;
}

static bool is_full(const struct lane *l)
{
	for (unsigned k = 0; k < l->n_slots; k++) {
		int code = atomic_load(&l->workers[k]->error);

		if (code == ENOSPC || code == EDQUOT)
			return true;
	}
	return false;
}

static void note_lost(struct session *s, struct lane *l, const char *what, const char *below)
{
	struct err e = {.code = ENODEV};

	atomic_store(&l->lost, true);
	lane_stop(l);
	if (below)
		snprintf(e.msg, sizeof(e.msg), "LOST: %.400s: %.60s, which carries it, is gone",
			 what, below);
	else
		snprintf(e.msg, sizeof(e.msg), "LOST: %.400s is gone", what);
	session_keep_error(s, &e);
}

void session_remember_below(struct session *s, size_t from, size_t to)
{
	struct device_list list = {0};
	bool any = false;

	for (size_t i = from; i < to; i++)
		for (unsigned t = 0; t < s->lanes[i]->plan.n_targets; t++)
			any |= s->lanes[i]->plan.targets[t].fd >= 0;
	if (!any || device_list_load(s->cfg.fsroot, &list, NULL))
		return;
	for (size_t i = from; i < to; i++)
		for (unsigned t = 0; t < s->lanes[i]->plan.n_targets; t++)
			below_add(&s->lanes[i]->below, s->cfg.fsroot, &list,
				  &s->lanes[i]->plan.targets[t].info);
	device_list_fini(&list);
}

/*
 * What is stacked on a lost disk keeps its size and fails every I/O; what has copies (RAID 1) goes on.
 * So it is lost when I/O fails and a disk below is not there any more.
 */
static const char *lost_below(const struct session *s, struct lane *l)
{
	if (!has_failed(l))
		return NULL;
	return below_missing(&l->below, s->cfg.fsroot);
}

/* One full file system is enough: nobody else shall fill up what is left of it. */
static void stop_writers(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (s->lanes[i]->plan.writes)
			lane_stop(s->lanes[i]);
}

void session_check_lanes(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct lane *l = s->lanes[i];
		const struct target *t;
		const char *below;

		if (atomic_load(&l->lost) || !is_concerned(l))
			continue;
		t = lost_target(l);
		below = t ? NULL : lost_below(s, l);
		if (t)
			note_lost(s, l, t->path, NULL);
		else if (below)
			note_lost(s, l, l->plan.targets[0].path, below);
		else if (l->plan.writes && is_full(l))
			stop_writers(s, from, to);
	}
}

/* The kernel fails what is in flight a moment before it takes the disk away. */
static bool may_be_lost(struct lane *l)
{
	int code = first_error(l);

	return !atomic_load(&l->lost) && l->below.n &&
	       (code == EIO || code == ENODEV || code == ENXIO);
}

void session_check_lanes_at_end(struct session *s, size_t from, size_t to)
{
	for (unsigned look = 0; look < END_LOOKS; look++) {
		bool again = false;

		session_check_lanes(s, from, to);
		for (size_t i = from; i < to; i++)
			again |= may_be_lost(s->lanes[i]);
		if (!again)
			return;
		usleep(END_LOOK_US);
	}
}
