#include "src/base/turns.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "src/base/thread.h"
#include "src/base/xalloc.h"

#define AHEAD_NS NSEC_PER_MSEC

/* A thread; everything under the lock of its clock's turns. */
struct member {
	struct member *next;
	struct clock *clock;
	pthread_t thread;
	pthread_cond_t go;
	uint64_t now_ns; /* its own time; that of others may be a little less or more */
	uint64_t due_ns; /* CLOCK_NEVER: only somebody else ends its wait */
	uint64_t order;  /* of those with equal times the lowest is first */
	const void *key; /* what it waits for; NULL: nothing but its time */
	bool ahead, gone;
	void *(*fn)(void *);
	void *arg;
};

struct clock_turns {
	pthread_mutex_t lock;
	struct member *members, *running; /* running NULL: all wait for somebody outside */
	uint64_t order;
	/* Up to here (not including) the running thread may go on; without and with being ahead. */
	_Atomic uint64_t limit_ns, ahead_ns;
};

static _Thread_local struct member *me;

static bool is_member(const struct clock *c)
{
	return c->turns && me && me->clock == c;
}

static void lower(_Atomic uint64_t *limit, uint64_t to)
{
	if (to < atomic_load_explicit(limit, memory_order_relaxed))
		atomic_store_explicit(limit, to, memory_order_relaxed);
}

static void note_due(struct clock_turns *t, const struct member *m)
{
	lower(&t->limit_ns, m->due_ns);
	lower(&t->ahead_ns,
	      m->ahead && m->due_ns < CLOCK_NEVER - AHEAD_NS ? m->due_ns + AHEAD_NS : m->due_ns);
}

static struct member *first_due(const struct clock_turns *t)
{
	struct member *first = NULL;

	for (struct member *m = t->members; m; m = m->next)
		if (m->due_ns != CLOCK_NEVER &&
		    (!first || m->due_ns < first->due_ns ||
		     (m->due_ns == first->due_ns && m->order < first->order)))
			first = m;
	return first;
}

static void hand_over(struct clock *c)
{
	struct clock_turns *t = c->turns;
	struct member *m = first_due(t);

	t->running = m;
	atomic_store_explicit(&t->limit_ns, CLOCK_NEVER, memory_order_relaxed);
	atomic_store_explicit(&t->ahead_ns, CLOCK_NEVER, memory_order_relaxed);
	if (!m)
		return;
	if (m->due_ns > m->now_ns)
		m->now_ns = m->due_ns;
	c->now_ns = m->now_ns;
	for (struct member *other = t->members; other; other = other->next)
		if (other != m)
			note_due(t, other);
	pthread_cond_signal(&m->go);
}

/* Lets the others run until due_ns, or until somebody ends the wait for `key`. Lock held. */
static void give_turn(uint64_t due_ns, const void *key, bool ahead)
{
	struct clock *c = me->clock;
	struct clock_turns *t = c->turns;

	me->now_ns = c->now_ns;
	me->due_ns = due_ns;
	me->order = ++t->order;
	me->key = key;
	me->ahead = ahead;
	hand_over(c);
	while (t->running != me)
		pthread_cond_wait(&me->go, &t->lock);
	me->due_ns = CLOCK_NEVER;
	me->ahead = false;
}

static void sleep_turn(struct clock *c, uint64_t t_ns, bool ahead)
{
	struct clock_turns *t = c->turns;
	_Atomic uint64_t *limit = ahead ? &t->ahead_ns : &t->limit_ns;

	if (t_ns < c->now_ns)
		t_ns = c->now_ns;
	if (t_ns < atomic_load_explicit(limit, memory_order_relaxed)) {
		c->now_ns = t_ns;
		return;
	}
	pthread_mutex_lock(&t->lock);
	give_turn(t_ns, NULL, ahead);
	pthread_mutex_unlock(&t->lock);
}

void clock_turns_sleep(struct clock *c, uint64_t t_ns)
{
	if (is_member(c))
		sleep_turn(c, t_ns, false);
}

void clock_sleep_ahead(struct clock *c, uint64_t t_ns)
{
	if (is_member(c))
		sleep_turn(c, t_ns, true);
	else
		clock_sleep_until(c, t_ns);
}

/* ---- waiting for each other ---- */

static bool wait_really(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns)
{
	struct timespec ts = {.tv_sec = (time_t)(until_ns / NSEC_PER_SEC),
			      .tv_nsec = (long)(until_ns % NSEC_PER_SEC)};

	if (until_ns == CLOCK_NEVER)
		return pthread_cond_wait(cond, mutex) == 0;
	return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &ts) == 0;
}

bool clock_wait(struct clock *c, pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t until_ns)
{
	struct clock_turns *t = c->turns;
	bool woken;

	if (!is_member(c))
		return wait_really(cond, mutex, until_ns);
	pthread_mutex_lock(&t->lock);
	pthread_mutex_unlock(mutex);
	give_turn(until_ns, cond, false);
	woken = !me->key;
	me->key = NULL;
	pthread_mutex_unlock(&t->lock);
	pthread_mutex_lock(mutex);
	return woken;
}

/* Lock held. */
static void end_waits(struct clock *c, const void *key)
{
	struct clock_turns *t = c->turns;

	for (struct member *m = t->members; m; m = m->next) {
		if (m->key != key)
			continue;
		m->key = NULL;
		if (m->due_ns > c->now_ns)
			m->due_ns = c->now_ns;
		m->order = ++t->order;
		note_due(t, m);
	}
	if (!t->running)
		hand_over(c);
}

void clock_wake(struct clock *c, pthread_cond_t *cond)
{
	if (c->turns) {
		pthread_mutex_lock(&c->turns->lock);
		end_waits(c, cond);
		pthread_mutex_unlock(&c->turns->lock);
	}
	pthread_cond_broadcast(cond); /* those that take no turns */
}

/* ---- threads ---- */

static struct member *member_new(struct clock *c)
{
	struct member *m = xcalloc(1, sizeof(*m));

	m->clock = c;
	m->now_ns = c->now_ns;
	m->due_ns = CLOCK_NEVER;
	pthread_cond_init(&m->go, NULL);
	m->next = c->turns->members;
	c->turns->members = m;
	return m;
}

static void member_free(struct member *m)
{
	struct member **p = &m->clock->turns->members;

	while (*p != m)
		p = &(*p)->next;
	*p = m->next;
	pthread_cond_destroy(&m->go);
	free(m);
}

static void *member_main(void *arg)
{
	struct clock_turns *t;
	struct member *m = arg;
	void *ret;

	me = m;
	t = m->clock->turns;
	pthread_mutex_lock(&t->lock);
	while (t->running != m)
		pthread_cond_wait(&m->go, &t->lock);
	m->due_ns = CLOCK_NEVER;
	pthread_mutex_unlock(&t->lock);
	ret = m->fn(m->arg);
	pthread_mutex_lock(&t->lock);
	m->gone = true;
	end_waits(m->clock, m);
	hand_over(m->clock);
	pthread_mutex_unlock(&t->lock);
	return ret;
}

int clock_spawn(struct clock *c, pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
		void *arg)
{
	struct clock_turns *t = c->turns;
	struct member *m;
	int rc;

	if (!t)
		return thread_spawn(thread, attr, fn, arg);
	pthread_mutex_lock(&t->lock);
	m = member_new(c);
	m->fn = fn;
	m->arg = arg;
	m->due_ns = c->now_ns;
	m->order = ++t->order;
	rc = thread_spawn(&m->thread, attr, member_main, m);
	*thread = m->thread;
	if (rc)
		member_free(m);
	else
		note_due(t, m);
	pthread_mutex_unlock(&t->lock);
	return rc;
}

static struct member *member_of(const struct clock_turns *t, pthread_t thread)
{
	struct member *m = t->members;

	while (m && (m == me || !pthread_equal(m->thread, thread)))
		m = m->next;
	return m;
}

void clock_join(struct clock *c, pthread_t thread)
{
	struct clock_turns *t = c->turns;
	struct member *m = NULL;

	if (t) {
		pthread_mutex_lock(&t->lock);
		m = member_of(t, thread);
		while (m && !m->gone && is_member(c))
			give_turn(CLOCK_NEVER, m, false);
		pthread_mutex_unlock(&t->lock);
	}
	pthread_join(thread, NULL);
	if (!m)
		return;
	pthread_mutex_lock(&t->lock);
	member_free(m);
	pthread_mutex_unlock(&t->lock);
}

void clock_turns_begin(struct clock *c)
{
	c->is_virtual = true;
	c->turns = xcalloc(1, sizeof(*c->turns));
	pthread_mutex_init(&c->turns->lock, NULL);
	atomic_store(&c->turns->limit_ns, CLOCK_NEVER);
	atomic_store(&c->turns->ahead_ns, CLOCK_NEVER);
	me = member_new(c);
	me->thread = pthread_self();
	c->turns->running = me;
}

void clock_turns_end(struct clock *c)
{
	struct clock_turns *t = c->turns;

	member_free(me);
	me = NULL;
	c->turns = NULL;
	pthread_mutex_destroy(&t->lock);
	free(t);
}
