/* steadystate: a look a second at every job that shall end when it has settled. Director only. */
#include <errno.h>
#include <stdlib.h>

#include "src/base/xalloc.h"
#include "src/run/session_impl.h"

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

/* One clone, or, with group_reporting, all jobs of a group: what has one entry in the report. */
struct steady_unit {
	struct steady s;
	size_t from, to; /* lanes */
	unsigned clone;  /* of the only lane, when not `group` */
	bool group, begun;
	uint64_t t_ns, ops, bytes, paused_ns; /* at the last look */
};

struct seen {
	uint64_t t_count_ns, ops, bytes, paused_ns; /* t_count_ns 0: nothing is counted yet */
	bool alive;
};

static struct steady_unit *add_unit(struct session *s, size_t i, bool group, unsigned clone)
{
	struct steady_unit *u = xcalloc(1, sizeof(*u));

	steady_init(&u->s, s->lanes[i]->plan.spec);
	u->from = i;
	u->to = i + 1;
	u->group = group;
	u->clone = clone;
	s->steady = xrealloc(s->steady, (s->n_steady + 1) * sizeof(struct steady_unit *));
	s->steady[s->n_steady++] = u;
	return u;
}

/* The unit that reports together with lane i, made by the lane before; NULL: none. */
static struct steady_unit *unit_of_group(struct session *s, size_t i, struct err *e)
{
	const struct plan *p = &s->lanes[i]->plan, *before = i ? &s->lanes[i - 1]->plan : NULL;

	if (!before || before->group != p->group || !before->spec->group_reporting ||
	    !p->spec->group_reporting)
		return NULL;
	if (!steady_same(before->spec, p->spec)) {
		err_set(e, EINVAL,
			"%s: steadystate options differ from those of %s, and group_reporting puts "
			"the two together",
			p->spec->name, before->spec->name);
		return NULL;
	}
	return s->n_steady ? s->steady[s->n_steady - 1] : NULL;
}

static void add_lane(struct session *s, size_t i, struct err *e)
{
	struct lane *l = s->lanes[i];
	const struct job_spec *js = l->plan.spec;
	struct steady_unit *u = unit_of_group(s, i, e);

	if (!js->steady_ns || e->code)
		return;
	l->n_steady = js->numjobs;
	l->steady = xcalloc(l->n_steady, sizeof(*l->steady));
	if (js->group_reporting && !u)
		u = add_unit(s, i, true, 0);
	if (u)
		u->to = i + 1;
	for (unsigned k = 0; k < l->n_steady; k++)
		l->steady[k] = u ? &u->s : &add_unit(s, i, false, k)->s;
}

int session_steady_begin(struct session *s, struct err *e)
{
	struct err why = {0};

	for (size_t i = 0; i < s->n_lanes && !why.code; i++)
		add_lane(s, i, &why);
	if (why.code)
		*e = why;
	return -why.code;
}

void session_steady_free(struct session *s)
{
	for (size_t i = 0; i < s->n_steady; i++) {
		steady_fini(&s->steady[i]->s);
		free(s->steady[i]);
	}
	free(s->steady);
	s->steady = NULL;
	s->n_steady = 0;
}

static void see_worker(const struct worker *w, struct seen *n)
{
	uint64_t t = LOAD(&w->t_count_ns);

	if (t && (!n->t_count_ns || t < n->t_count_ns))
		n->t_count_ns = t;
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		n->ops += LOAD(&w->op[op].ops);
		n->bytes += LOAD(&w->op[op].bytes);
	}
	n->alive |= LOAD(&w->state) < WORKER_DONE && atomic_load(&w->has_thread);
}

/* Calls f for every worker of the unit. */
static void each_worker(struct session *s, const struct steady_unit *u,
			void (*f)(struct worker *, void *), void *arg)
{
	for (size_t i = u->from; i < u->to; i++) {
		struct lane *l = s->lanes[i];

		pthread_mutex_lock(&l->lock);
		for (unsigned k = 0; k < l->n_slots; k++)
			if (u->group || k == u->clone)
				f(l->workers[k], arg);
		pthread_mutex_unlock(&l->lock);
	}
}

static void see(struct worker *w, void *arg)
{
	see_worker(w, arg);
}

static void end_worker(struct worker *w, void *arg)
{
	(void)arg;
	atomic_store(&w->retire, RETIRE_DONE);
}

static void take(struct steady_unit *u, const struct seen *n, uint64_t now)
{
	u->t_ns = now;
	u->ops = n->ops;
	u->bytes = n->bytes;
	u->paused_ns = n->paused_ns;
}

/* From when on figures are taken; false: not yet. */
static bool begin(struct steady_unit *u, const struct seen *n, uint64_t ramp_ns, uint64_t now)
{
	if (now < n->t_count_ns + ramp_ns)
		return false;
	u->begun = true;
	take(u, n, now);
	if (ramp_ns)
		return true;
	u->t_ns = n->t_count_ns;
	u->ops = u->bytes = 0;
	return true;
}

static uint64_t per_second(uint64_t count, uint64_t dt_ns)
{
	return (uint64_t)((unsigned __int128)count * NSEC_PER_SEC / dt_ns);
}

/* The time until the next look. */
static uint64_t step(struct session *s, struct steady_unit *u, uint64_t now)
{
	const struct lane *first = s->lanes[u->from];
	struct seen n = {0};
	uint64_t dt;
	bool settled;

	each_worker(s, u, see, &n);
	n.paused_ns = lane_ctl_paused_ns(&s->lanes[u->from]->ctl, now);
	if (u->s.r.attained || !n.t_count_ns || !n.alive)
		return UINT64_MAX;
	if (!u->begun && !begin(u, &n, first->plan.spec->steady_ramp_ns, now))
		return NSEC_PER_SEC / 20;
	/* A second with a pause in it is nobody's. */
	if (n.paused_ns != u->paused_ns)
		take(u, &n, now);
	dt = now > u->t_ns ? now - u->t_ns : 0;
	if (dt < STEADY_MIN_NS)
		return STEADY_MIN_NS - dt;
	pthread_mutex_lock(&s->lock);
	settled = steady_add(&u->s, per_second(n.ops - u->ops, dt),
			     per_second(n.bytes - u->bytes, dt));
	pthread_mutex_unlock(&s->lock);
	take(u, &n, now);
	if (settled)
		each_worker(s, u, end_worker, NULL);
	return STEADY_MIN_NS;
}

uint64_t session_steady_step(struct session *s, size_t from, size_t to)
{
	uint64_t next = UINT64_MAX, now = clock_now_ns(s->cfg.clock);

	for (size_t i = 0; i < s->n_steady; i++) {
		struct steady_unit *u = s->steady[i];
		uint64_t t;

		if (u->from < from || u->from >= to)
			continue;
		t = step(s, u, now);
		next = t < next ? t : next;
	}
	return next;
}
