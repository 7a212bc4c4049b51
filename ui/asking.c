#include "ui/asking.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/base/thread.h"
#include "src/base/xalloc.h"

#define ASKS_MAX 32

struct asking {
	struct asking_cfg cfg;
	struct command cmd;
	struct spec spec; /* cmd points at these copies */
	struct sweep_spec sweep;
	/* under `lock` */
	unsigned refs;
	bool given_up, done;
	struct asking_result result;
};

/* One for all: it is held for moments only. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned n_threads;

static const struct spec *spec_of(const struct command *c)
{
	if (c->kind == CMD_START)
		return c->u.spec;
	return c->kind == CMD_SWEEP || c->kind == CMD_SWEEP_RESUME ? c->u.sweep.spec : NULL;
}

static void copy_command(struct asking *a, const struct command *cmd)
{
	spec_init(&a->spec);
	a->cmd = *cmd;
	if (!spec_of(cmd))
		return;
	spec_copy(&a->spec, spec_of(cmd));
	if (cmd->kind == CMD_START) {
		a->cmd.u.spec = &a->spec;
		return;
	}
	a->cmd.u.sweep.spec = &a->spec;
	if (!cmd->u.sweep.sweep)
		return;
	a->sweep = *cmd->u.sweep.sweep;
	a->cmd.u.sweep.sweep = &a->sweep;
}

static void drop(struct asking *a)
{
	bool last;

	pthread_mutex_lock(&lock);
	last = --a->refs == 0;
	pthread_mutex_unlock(&lock);
	if (!last)
		return;
	spec_fini(&a->spec);
	free(a);
}

/* ---- the thread ---- */

static int send(struct asking *a, const struct command *cmd, struct err *e)
{
	return a->cfg.feed->ops->command(a->cfg.feed, cmd, e);
}

/* The first that is not agreed to becomes the question. */
static void ask(struct asking *a, struct asking_result *r)
{
	struct guard_ask *asks = xcalloc(ASKS_MAX, sizeof(*asks));
	struct command cmd = {.kind = CMD_GUARD};
	size_t n = 0;

	cmd.u.guard = (struct guard_query){
		.spec = spec_of(&a->cmd), .asks = asks, .max = ASKS_MAX, .n = &n};
	r->rc = send(a, &cmd, &r->e);
	r->asked = r->rc == 0 && n > 0;
	for (size_t i = 0; r->rc == 0 && i < n && !r->has_question; i++)
		if (!asks[i].agreed) {
			r->question = asks[i];
			r->has_question = true;
		}
	free(asks);
}

static bool is_given_up(struct asking *a)
{
	bool so;

	pthread_mutex_lock(&lock);
	so = a->given_up;
	pthread_mutex_unlock(&lock);
	return so;
}

static void start(struct asking *a, struct asking_result *r)
{
	if (r->rc || r->has_question || !a->cfg.start || is_given_up(a))
		return;
	r->rc = send(a, &a->cmd, &r->e);
	r->started = r->rc == 0;
	r->start_ns = clock_now_ns(a->cfg.clock);
	/* Given up while the command was on its way. */
	if (r->started && is_given_up(a))
		send(a, &(struct command){.kind = CMD_STOP}, NULL);
}

static void wait_for_before(struct asking *a)
{
	if (!a->cfg.after)
		return;
	pthread_mutex_lock(&lock);
	while (!a->cfg.after->done)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	drop(a->cfg.after);
}

static void *asking_main(void *arg)
{
	struct asking *a = arg;
	struct asking_result *r = xcalloc(1, sizeof(*r));
	const uint64_t one = 1;

	pthread_setname_np(pthread_self(), "iodeck-ask");
	wait_for_before(a);
	if (spec_of(&a->cmd) && !is_given_up(a))
		ask(a, r);
	start(a, r);
	pthread_mutex_lock(&lock);
	a->result = *r;
	a->done = true;
	free(r);
	pthread_cond_broadcast(&changed);
	if (!a->given_up && write(a->cfg.wake_fd, &one, sizeof(one)) < 0) {
		/* The counter is full: it is readable, which is all that is wanted. */
	}
	pthread_mutex_unlock(&lock);
	drop(a);
	pthread_mutex_lock(&lock);
	n_threads--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* ---- the console ---- */

static int spawn(struct asking *a)
{
	pthread_attr_t attr;
	pthread_t t;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	rc = thread_spawn(&t, &attr, asking_main, a);
	pthread_attr_destroy(&attr);
	return rc;
}

struct asking *asking_begin(const struct asking_cfg *cfg, const struct command *cmd)
{
	struct asking *a = xcalloc(1, sizeof(*a));
	int rc;

	a->cfg = *cfg;
	a->refs = 2;
	copy_command(a, cmd);
	pthread_mutex_lock(&lock);
	n_threads++;
	if (cfg->after)
		cfg->after->refs++;
	pthread_mutex_unlock(&lock);
	rc = spawn(a);
	if (rc == 0)
		return a;
	pthread_mutex_lock(&lock);
	n_threads--;
	a->result.rc = err_set(&a->result.e, -rc, "cannot start a thread: %s", strerror(-rc));
	a->done = true;
	pthread_mutex_unlock(&lock);
	if (cfg->after)
		drop(cfg->after);
	drop(a);
	return a;
}

const struct command *asking_command(const struct asking *a)
{
	return &a->cmd;
}

static struct timespec deadline(uint64_t wait_ns)
{
	struct timespec t;
	uint64_t ns;

	clock_gettime(CLOCK_REALTIME, &t);
	ns = (uint64_t)t.tv_nsec + wait_ns;
	t.tv_sec += (time_t)(ns / NSEC_PER_SEC);
	t.tv_nsec = (long)(ns % NSEC_PER_SEC);
	return t;
}

bool asking_answer(struct asking *a, uint64_t wait_ns, struct asking_result *out)
{
	struct timespec until = deadline(wait_ns);
	bool done;

	pthread_mutex_lock(&lock);
	while (!a->done && wait_ns && pthread_cond_timedwait(&changed, &lock, &until) == 0)
		;
	done = a->done;
	if (done)
		*out = a->result;
	pthread_mutex_unlock(&lock);
	return done;
}

void asking_give_up(struct asking *a)
{
	pthread_mutex_lock(&lock);
	a->given_up = true;
	pthread_mutex_unlock(&lock);
}

void asking_release(struct asking *a)
{
	if (a)
		drop(a);
}

bool asking_all_done(uint64_t wait_ns)
{
	struct timespec until = deadline(wait_ns);
	bool none;

	pthread_mutex_lock(&lock);
	while (n_threads && pthread_cond_timedwait(&changed, &lock, &until) == 0)
		;
	none = n_threads == 0;
	pthread_mutex_unlock(&lock);
	return none;
}
