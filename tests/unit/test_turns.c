/* turns: one virtual clock for several threads; the one whose time comes first runs. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "src/base/turns.h"

#define STEPS 50

static struct clock vc;

struct walker {
	char name;
	uint64_t step_ns;
	bool ahead;
	uint64_t worst_ns; /* how far it saw the clock go back */
};

/* Who ran when, in the order it happened; only the thread that runs writes. */
static char trace[1024];
static size_t n_trace;

static void note(char c)
{
	if (n_trace + 1 < sizeof(trace))
		trace[n_trace++] = c;
}

static void *walk(void *arg)
{
	struct walker *w = arg;
	uint64_t t = clock_now_ns(&vc);

	for (int i = 0; i < STEPS; i++) {
		t += w->step_ns;
		if (w->ahead)
			clock_sleep_ahead(&vc, t);
		else
			clock_sleep_until(&vc, t);
		cr_assert_eq(clock_now_ns(&vc), t, "%c woke at another time", w->name);
		note(w->name);
	}
	return NULL;
}

static void walk_together(struct walker *w, size_t n)
{
	pthread_t thread[4];

	memset(trace, 0, sizeof(trace));
	n_trace = 0;
	vc = (struct clock){.now_ns = 1000};
	clock_turns_begin(&vc);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(clock_spawn(&vc, &thread[i], NULL, walk, &w[i]), 0);
	for (size_t i = 0; i < n; i++)
		clock_join(&vc, thread[i]);
	clock_turns_end(&vc);
}

/* At equal times the one that went to sleep first is first. */
Test(turns, run_in_the_order_of_their_times)
{
	struct walker w[] = {{.name = 'a', .step_ns = 3}, {.name = 'b', .step_ns = 2}};

	walk_together(w, 2);
	/* b2 a3 b4 a6 b6 b8 a9 b10 a12 b12 b14 */
	cr_expect_eq(strncmp(trace, "bababbababb", 11), 0, "%s", trace);
	cr_expect_eq(n_trace, 2 * STEPS);
}

Test(turns, the_same_each_time)
{
	struct walker w[] = {{.name = 'a', .step_ns = 7},
			     {.name = 'b', .step_ns = 11, .ahead = true},
			     {.name = 'c', .step_ns = 5, .ahead = true}};
	char first[sizeof(trace)];

	walk_together(w, 3);
	memcpy(first, trace, sizeof(first));
	for (int i = 0; i < 20; i++) {
		walk_together(w, 3);
		cr_assert_str_eq(trace, first);
	}
}

/* Nobody is ever ahead of one that sleeps plainly. */
Test(turns, being_ahead_has_its_bounds)
{
	struct walker two[] = {{.name = 'a', .step_ns = 1000, .ahead = true},
			       {.name = 'b', .step_ns = 1000, .ahead = true}};
	struct walker three[] = {two[0], two[1], {.name = 'P', .step_ns = 10000}};
	const char *p;

	walk_together(two, 2);
	cr_expect_eq(strspn(trace, "b"), STEPS, "50 us are within the millisecond: %s", trace);
	walk_together(three, 3);
	p = strchr(trace, 'P');
	cr_assert(p);
	/* Up to 10 us of each: its own steps before that, and no more. */
	cr_expect_leq((size_t)(p - trace), 20, "%s", trace);
	cr_expect_geq((size_t)(p - trace), 18, "%s", trace);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int served;

static void *serve(void *arg)
{
	(void)arg;
	clock_sleep_until(&vc, 5000);
	pthread_mutex_lock(&lock);
	served = 1;
	clock_wake(&vc, &cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

Test(turns, waits_end_by_time_or_by_a_call)
{
	pthread_t t;

	vc = (struct clock){0};
	clock_turns_begin(&vc);
	pthread_mutex_lock(&lock);
	cr_expect_not(clock_wait(&vc, &cond, &lock, 3000), "nobody called");
	cr_expect_eq(clock_now_ns(&vc), 3000);
	pthread_mutex_unlock(&lock);
	cr_assert_eq(clock_spawn(&vc, &t, NULL, serve, NULL), 0);
	pthread_mutex_lock(&lock);
	while (!served)
		cr_expect(clock_wait(&vc, &cond, &lock, CLOCK_NEVER));
	pthread_mutex_unlock(&lock);
	cr_expect_eq(clock_now_ns(&vc), 5000, "woken when it was called");
	clock_join(&vc, t);
	clock_turns_end(&vc);
}

static void *call_from_outside(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	served = 1;
	clock_wake(&vc, &cond);
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* A thread that takes no turns may end the wait of one that does, though time stands still then. */
Test(turns, a_call_from_outside)
{
	pthread_t t;

	vc = (struct clock){.now_ns = 7};
	clock_turns_begin(&vc);
	cr_assert_eq(pthread_create(&t, NULL, call_from_outside, NULL), 0);
	pthread_mutex_lock(&lock);
	while (!served)
		clock_wait(&vc, &cond, &lock, CLOCK_NEVER);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	cr_expect_eq(clock_now_ns(&vc), 7);
	clock_turns_end(&vc);
}
