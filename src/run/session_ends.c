/* Jobs that end others (exitall) and jobs that wait for others (wait_for). */
#include <errno.h>
#include <string.h>

#include "src/run/session_impl.h"

/* exitall, exitall_on_error */

static bool calls_the_end(struct lane *l)
{
	const struct job_spec *js = l->plan.spec;

	if (l->waiting || !l->opened || !(js->exitall || js->exitall_on_error))
		return false;
	for (unsigned k = 0; k < l->n_slots; k++) {
		if (!lane_slot_left(l, k))
			continue;
		if (js->exitall || atomic_load(&l->workers[k]->error))
			return true;
	}
	return false;
}

static void end_others(struct session *s, const struct lane *by, size_t from, size_t to)
{
	uint32_t what = by->plan.spec->exit_what;

	for (size_t i = from; i < to; i++) {
		struct lane *l = s->lanes[i];

		if (what == EXIT_GROUP && l->plan.group != by->plan.group)
			continue;
		l->waiting = false;
		lane_stop(l);
	}
	if (what == EXIT_ALL)
		s->end_all = true;
}

void session_check_ends(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (calls_the_end(s->lanes[i]))
			end_others(s, s->lanes[i], from, to);
}

/* wait_for */

static struct lane *find_waited(struct session *s, size_t i)
{
	const char *name = s->lanes[i]->plan.spec->wait_for;

	for (size_t k = 0; name && k < s->n_lanes; k++)
		if (k != i && strcmp(s->lanes[k]->plan.spec->name, name) == 0)
			return s->lanes[k];
	return NULL;
}

/* Every wait must end: the job exists, is of this stage or an earlier one, and does not wait back. */
int session_check_waits(struct session *s, struct err *e)
{
	for (size_t i = 0; i < s->n_lanes; i++) {
		const struct job_spec *js = s->lanes[i]->plan.spec;
		size_t k = i, steps = 0;

		if (!js->wait_for)
			continue;
		while (s->lanes[k]->plan.spec->wait_for && steps++ <= s->n_lanes) {
			struct lane *l = find_waited(s, k);

			if (!l)
				return err_set(e, EINVAL,
					       "%s: wait_for=%s: no other job has this name",
					       s->lanes[k]->plan.spec->name,
					       s->lanes[k]->plan.spec->wait_for);
			if (l->plan.stage > s->lanes[k]->plan.stage)
				return err_set(e, EINVAL,
					       "%s: wait_for=%s: that job runs in a later stage",
					       s->lanes[k]->plan.spec->name, l->plan.spec->name);
			for (k = 0; s->lanes[k] != l; k++)
				;
		}
		if (steps > s->n_lanes)
			return err_set(e, EINVAL, "%s: wait_for=%s: the jobs wait for each other",
				       js->name, js->wait_for);
	}
	return 0;
}

/* Opens and starts a lane whose wait is over; a failure is this job's alone. */
void session_start_waiting(struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct lane *l = s->lanes[i], *of = l->waiting ? find_waited(s, i) : NULL;
		struct err e = {0};

		if (!of || of->waiting || !lane_is_over(of))
			continue;
		l->waiting = false;
		if (lane_open(l, &e)) {
			session_keep_error(s, &e);
			lane_stop(l);
		} else {
			session_note_opened(s, l);
			lane_go(l, clock_now_ns(s->cfg.clock));
		}
	}
}
