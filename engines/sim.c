/*
 * The simulated devices as an engine: sim_model.c says when a request is done, this file waits
 * until then. With the real clock it sleeps, and spins for the rest, because a sleep ends late: how
 * long before is learnt from how late the last ones were. With a virtual clock it moves the clock on
 * to the next event: a minute in milliseconds, the same bytes each time. There is one thread then, or
 * threads take turns (base/turns.h), so no lock is taken.
 *
 * Several workers that name the same target share one device, as they would share a disk. This is
 * the one engine with a lock: it stands around the device, taken once per batch.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "engines/engine.h"
#include "engines/sim_model.h"
#include "engines/sim_target.h"
#include "engines/slot.h"
#include "src/base/turns.h"
#include "src/base/xalloc.h"

extern const struct engine_ops engine_sim;

#define DEFAULT_TARGET    "sim:nvme"
#define SPIN_MIN_NS       (20 * NSEC_PER_USEC)
#define SPIN_NS           (50 * NSEC_PER_USEC) /* until it is known */
#define SPIN_MAX_NS       (250 * NSEC_PER_USEC)
#define TIMER_SLACK_NS    1000ul
#define COUNT_PATIENCE_NS 250000000l

struct engine_device {
	struct engine_device *next; /* registry; under registry_lock, like refs */
	char *target;
	struct clock *clock;
	unsigned refs;
	uint64_t size_bytes;
	pthread_mutex_t lock; /* model and reserved; not with a virtual clock */
	struct sim_model *model;
	uint32_t reserved;
	_Atomic uint32_t hosts; /* changed under lock */
	pthread_mutex_t counted_lock;
	struct engine_counters counted; /* as last told */
};

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct engine_device *registry;

struct sim_engine {
	struct engine_device *dev;
	struct clock *clock;
	struct sim_host host;
	struct sim_req *reqs;     /* depth of them; index: its own place here */
	struct io_slot **slot_of; /* by req.index */
	struct sim_req **unused;
	struct slot_ring
		answered; /* finished without the model, or found while waiting for a sync */
	struct sim_req flush;
	uint32_t depth, n_unused, in_model;
	uint64_t spin_ns; /* sleeps end so much before their time */
	bool writable, owns_ref;
};

static void lock(struct engine_device *d)
{
	if (!d->clock->is_virtual)
		pthread_mutex_lock(&d->lock);
}

static void unlock(struct engine_device *d)
{
	if (!d->clock->is_virtual)
		pthread_mutex_unlock(&d->lock);
}

/* Devices */

static struct engine_device *device_new(const char *target, const struct sim_params *p,
					struct clock *clock)
{
	struct engine_device *d = xcalloc(1, sizeof(*d));

	d->model = sim_model_new(p);
	if (!d->model) {
		free(d);
		return NULL;
	}
	d->target = xstrdup(target);
	d->clock = clock;
	d->size_bytes = p->size_bytes;
	pthread_mutex_init(&d->lock, NULL);
	pthread_mutex_init(&d->counted_lock, NULL);
	return d;
}

static int device_get(const char *target, struct clock *clock, struct engine_device **out,
		      struct err *e)
{
	struct sim_params p;
	struct engine_device *d;
	int rc = sim_target_parse(target, &p, e);

	if (rc)
		return rc;
	pthread_mutex_lock(&registry_lock);
	for (d = registry; d; d = d->next)
		if (d->clock == clock && !strcmp(d->target, target))
			break;
	if (!d) {
		d = device_new(target, &p, clock);
		if (d) {
			d->next = registry;
			registry = d;
		}
	}
	if (d)
		d->refs++;
	pthread_mutex_unlock(&registry_lock);
	*out = d;
	return d ? 0 : err_set(e, ENOMEM, "%.60s: no memory for the model", target);
}

static void device_put(struct engine_device *d)
{
	bool last;

	if (!d)
		return;
	pthread_mutex_lock(&registry_lock);
	last = --d->refs == 0;
	for (struct engine_device **p = &registry; last && *p; p = &(*p)->next)
		if (*p == d) {
			*p = d->next;
			break;
		}
	pthread_mutex_unlock(&registry_lock);
	if (!last)
		return;
	sim_model_free(d->model);
	pthread_mutex_destroy(&d->lock);
	pthread_mutex_destroy(&d->counted_lock);
	free(d->target);
	free(d);
}

static uint64_t device_size(const struct engine_device *d)
{
	return d->size_bytes;
}

/* A worker that is stopped while it has the lock (by a debugger, say) must not take who looks with it. */
static bool lock_in_time(struct engine_device *d)
{
	struct timespec until;

	if (d->clock->is_virtual)
		return true;
	/* The wall clock: TSan of gcc 12 knows no pthread_mutex_clocklock(). A step changes the wait. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += COUNT_PATIENCE_NS;
	until.tv_sec += until.tv_nsec / (long)NSEC_PER_SEC;
	until.tv_nsec %= (long)NSEC_PER_SEC;
	return pthread_mutex_timedlock(&d->lock, &until) == 0;
}

static void device_count(struct engine_device *d, struct engine_counters *out)
{
	bool ours = lock_in_time(d);

	pthread_mutex_lock(&d->counted_lock);
	if (ours)
		sim_model_count(d->model, clock_now_ns(d->clock), &d->counted);
	*out = d->counted;
	pthread_mutex_unlock(&d->counted_lock);
	if (ours)
		unlock(d);
}

/* Room in the model for one more worker; the flush of a sync is one more request. */
static int device_join(struct engine_device *d, uint32_t depth)
{
	int rc;

	lock(d);
	rc = sim_model_reserve(d->model, d->reserved + depth + 1);
	if (rc == 0) {
		d->reserved += depth + 1;
		d->hosts++;
	}
	unlock(d);
	return rc;
}

static void device_leave(struct engine_device *d, uint32_t depth)
{
	lock(d);
	d->reserved -= depth + 1;
	d->hosts--;
	unlock(d);
}

/* Life of an instance */

static void sim_free(struct sim_engine *s)
{
	slot_ring_fini(&s->answered);
	free(s->reqs);
	free(s->slot_of);
	free(s->unused);
	if (s->owns_ref)
		device_put(s->dev);
	free(s);
}

static int sim_alloc(struct sim_engine *s)
{
	s->reqs = calloc(s->depth, sizeof(*s->reqs));
	s->slot_of = calloc(s->depth, sizeof(struct io_slot *));
	s->unused = calloc(s->depth, sizeof(struct sim_req *));
	if (!s->reqs || !s->slot_of || !s->unused || slot_ring_init(&s->answered, s->depth))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->depth; i++) {
		struct sim_req *r = &s->reqs[s->depth - 1 - i];

		r->index = s->depth - 1 - i;
		r->host = &s->host;
		s->unused[s->n_unused++] = r;
	}
	return device_join(s->dev, s->depth);
}

static int sim_open(struct engine *eng, const struct engine_env *env, struct err *e)
{
	struct sim_engine *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return err_set(e, ENOMEM, "sim: no memory for %u slots", env->depth_max);
	s->dev = env->device;
	s->owns_ref = !env->device;
	if (s->owns_ref) {
		rc = device_get(DEFAULT_TARGET, env->clock, &s->dev, e);
		if (rc) {
			free(s);
			return rc;
		}
	}
	s->clock = env->clock;
	s->depth = env->depth_max;
	s->spin_ns = SPIN_NS;
	s->writable = env->writable;
	if (sim_alloc(s)) {
		sim_free(s);
		return err_set(e, ENOMEM, "sim: no memory for %u slots", env->depth_max);
	}
	/* Of this thread: its sleeps would else end up to 50 us late by the kernel's leave. */
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	eng->priv = s;
	return 0;
}

/* I/O */

/* Bytes that the device would move, or the answer of a disk to what it cannot do. */
static int32_t sim_result(const struct sim_engine *s, const struct io_slot *io)
{
	uint64_t left = io->offset < s->dev->size_bytes ? s->dev->size_bytes - io->offset : 0;

	if (io->op != IO_READ && !s->writable)
		return -EBADF;
	if (left == 0 && io->len)
		return io->op == IO_READ ? 0 : -ENOSPC;
	return (int32_t)(io->len < left ? io->len : left);
}

static int sim_submit(struct engine *eng, struct io_slot *const *io, uint32_t n)
{
	struct sim_engine *s = eng->priv;
	uint32_t room = s->n_unused - slot_ring_count(&s->answered);
	uint64_t now;

	if (n > room)
		n = room;
	lock(s->dev);
	now = clock_now_ns(s->clock);
	for (uint32_t i = 0; i < n; i++) {
		struct sim_req *r;

		io[i]->res = sim_result(s, io[i]);
		if (unlikely(io[i]->res <= 0)) {
			slot_ring_push(&s->answered, io[i]);
			continue;
		}
		r = s->unused[--s->n_unused];
		r->offset = io[i]->offset;
		r->len = (uint32_t)io[i]->res;
		r->op = io[i]->op;
		s->slot_of[r->index] = io[i];
		s->in_model++;
		sim_model_submit(s->dev->model, r, now);
	}
	unlock(s->dev);
	return (int)n;
}

/*
 * Sleeps as far as it is safe. The margin follows the latest of the last wake-ups at once and comes
 * back by a sixteenth each time; one that was very late (another program had the processor) cannot
 * be met by any margin.
 */
static void sleep_before(struct sim_engine *s, uint64_t t_ns)
{
	uint64_t to = t_ns - s->spin_ns, late, want;

	clock_sleep_until(s->clock, to);
	late = clock_now_ns(s->clock) - to;
	want = late + late / 2;
	if (want < s->spin_ns || late > SPIN_MAX_NS)
		want = s->spin_ns - s->spin_ns / 16;
	s->spin_ns = want < SPIN_MIN_NS ? SPIN_MIN_NS : want > SPIN_MAX_NS ? SPIN_MAX_NS : want;
}

/* Until t_ns. On a shared device others may need this processor to finish what we wait for. */
static void wait_until(struct sim_engine *s, uint64_t t_ns)
{
	if (s->clock->is_virtual) {
		/* Whoever has a device for itself need not wait for the others at each step. */
		if (atomic_load_explicit(&s->dev->hosts, memory_order_relaxed) > 1)
			clock_sleep_until(s->clock, t_ns);
		else
			clock_sleep_ahead(s->clock, t_ns);
		return;
	}
	if (t_ns > clock_now_ns(s->clock) + s->spin_ns)
		sleep_before(s, t_ns);
	while (clock_now_ns(s->clock) < t_ns)
		if (atomic_load_explicit(&s->dev->hosts, memory_order_relaxed) > 1)
			sched_yield();
}

/*
 * Slots that the model has finished by now: their number. *next_ns: when to look again. Lock held
 * inside.
 */
static uint32_t collect(struct sim_engine *s, struct io_slot **done, uint32_t max, uint64_t *now_ns,
			uint64_t *next_ns)
{
	struct sim_req *r;
	uint32_t n = 0;

	lock(s->dev);
	*now_ns = clock_now_ns(s->clock);
	while (n < max && (r = sim_model_reap(s->dev->model, &s->host, *now_ns))) {
		done[n++] = s->slot_of[r->index];
		s->unused[s->n_unused++] = r;
	}
	*next_ns = sim_model_next_ns(s->dev->model, &s->host);
	unlock(s->dev);
	s->in_model -= n;
	return n;
}

static int sim_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
		    uint64_t wait_ns)
{
	struct sim_engine *s = eng->priv;
	uint32_t n = slot_ring_pop(&s->answered, done, max);
	uint64_t now, next, until = 0;

	while (s->in_model && n < max) {
		n += collect(s, done + n, max - n, &now, &next);
		if (n >= min || !s->in_model)
			break;
		if (!until)
			until = now + wait_ns < now ? UINT64_MAX : now + wait_ns;
		if (now >= until)
			break;
		wait_until(s, next < until ? next : until);
	}
	return (int)n;
}

/* The flush is a request like others; what else finishes meanwhile waits for the next reap. */
static int sim_sync(struct engine *eng, bool data_only)
{
	struct sim_engine *s = eng->priv;
	struct sim_req *r;
	uint64_t next;

	(void)data_only;
	s->flush = (struct sim_req){.host = &s->host, .op = SIM_FLUSH};
	lock(s->dev);
	sim_model_submit(s->dev->model, &s->flush, clock_now_ns(s->clock));
	for (;;) {
		uint64_t now = clock_now_ns(s->clock);

		while ((r = sim_model_reap(s->dev->model, &s->host, now)) && r != &s->flush) {
			slot_ring_push(&s->answered, s->slot_of[r->index]);
			s->unused[s->n_unused++] = r;
			s->in_model--;
		}
		if (r)
			break;
		next = sim_model_next_ns(s->dev->model, &s->host);
		unlock(s->dev);
		wait_until(s, next);
		lock(s->dev);
	}
	unlock(s->dev);
	return 0;
}

static void sim_close(struct engine *eng)
{
	struct sim_engine *s = eng->priv;
	struct io_slot *done[64];

	while (s->in_model)
		sim_reap(eng, done, 1, 64, NSEC_PER_SEC);
	device_leave(s->dev, s->depth);
	sim_free(s);
	eng->priv = NULL;
}

static const struct engine_device_ops sim_device_ops = {
	.prefix = SIM_PREFIX,
	.get = device_get,
	.put = device_put,
	.size_bytes = device_size,
	.count = device_count,
};

const struct engine_ops engine_sim = {
	.name = "sim",
	.summary = "simulated devices: sim:hdd, sim:sata, sim:nvme and more; touches no disk",
	.flags = ENGINE_DISKLESS | ENGINE_TRIM | ENGINE_SIM,
	.open = sim_open,
	.submit = sim_submit,
	.reap = sim_reap,
	.sync = sim_sync,
	.close = sim_close,
	.device = &sim_device_ops,
};
