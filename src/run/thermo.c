#include "src/run/thermo.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/clock.h"
#include "src/base/thread.h"
#include "src/base/xalloc.h"
#include "src/dev/temperature.h"

#define PERIOD_NS (5 * NSEC_PER_SEC)
#define FRESH_NS  (60 * NSEC_PER_SEC) /* what is older is not told any more */

struct probe {
	uint32_t major, minor;
	bool measured; /* I/O of a run is on it */
	uint64_t t_ns; /* when it answered; 0: never */
	double celsius;
};

struct thermo {
	pthread_t thread;
	pthread_mutex_t lock; /* guards what follows; never held while a disk is asked */
	pthread_cond_t cond;
	char *fsroot; /* constant */
	uint64_t period_ns;
	struct probe probe[DISK_RATE_MAX];
	size_t n;
	bool closing;
	bool asking; /* the thread waits for a disk */
	bool alone;  /* it is the thread that frees all this */
	bool news;   /* a disk that was not asked yet, or may be asked again */
};

static void thermo_free(struct thermo *t)
{
	pthread_cond_destroy(&t->cond);
	pthread_mutex_destroy(&t->lock);
	free(t->fsroot);
	free(t);
}

static struct probe *find(struct thermo *t, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->probe[i].major == major && t->probe[i].minor == minor)
			return &t->probe[i];
	return NULL;
}

/* Under lock, which is given up while the disk is asked. */
static void ask(struct thermo *t, const struct probe *p)
{
	const struct probe want = *p;
	struct temp_sensor *sensor = xcalloc(1, sizeof(*sensor));
	struct probe *known;
	double celsius = 0;
	int rc;

	t->asking = true;
	pthread_mutex_unlock(&t->lock);
	rc = temp_find(t->fsroot, want.major, want.minor, sensor);
	if (rc == 0 && want.measured && sensor->disturbs)
		rc = -EBUSY;
	if (rc == 0)
		rc = temp_read(t->fsroot, sensor, &celsius);
	free(sensor);
	pthread_mutex_lock(&t->lock);
	t->asking = false;
	known = find(t, want.major, want.minor);
	if (rc == 0 && known) {
		known->t_ns = clock_mono_ns();
		known->celsius = celsius;
	}
}

static void wait_for_turn(struct thermo *t)
{
	uint64_t until = clock_mono_ns() + t->period_ns;
	struct timespec ts = {.tv_sec = (time_t)(until / NSEC_PER_SEC),
			      .tv_nsec = (long)(until % NSEC_PER_SEC)};

	while (!t->closing && !t->news)
		if (pthread_cond_clockwait(&t->cond, &t->lock, CLOCK_MONOTONIC, &ts) == ETIMEDOUT)
			break;
	t->news = false;
}

static void *thermo_main(void *arg)
{
	struct thermo *t = arg;
	bool alone;

	pthread_setname_np(pthread_self(), "iodeck-thermo");
	pthread_mutex_lock(&t->lock);
	while (!t->closing) {
		for (size_t i = 0; i < t->n && !t->closing; i++)
			ask(t, &t->probe[i]);
		if (!t->closing)
			wait_for_turn(t);
	}
	alone = t->alone;
	pthread_mutex_unlock(&t->lock);
	if (alone)
		thermo_free(t);
	return NULL;
}

struct thermo *thermo_start(const char *fsroot, uint64_t period_ns)
{
	struct thermo *t = xcalloc(1, sizeof(*t));

	t->fsroot = xstrdup(fsroot);
	t->period_ns = period_ns ? period_ns : PERIOD_NS;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->cond, NULL);
	if (thread_spawn(&t->thread, NULL, thermo_main, t) == 0)
		return t;
	thermo_free(t);
	return NULL;
}

void thermo_stop(struct thermo *t)
{
	bool alone;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->closing = true;
	alone = t->alone = t->asking;
	if (alone)
		pthread_detach(t->thread);
	pthread_cond_signal(&t->cond);
	pthread_mutex_unlock(&t->lock);
	if (alone)
		return;
	pthread_join(t->thread, NULL);
	thermo_free(t);
}

/* Under lock. What was known of the disk stays known. */
static struct probe want(struct thermo *t, const struct disk_rate *d, bool measured)
{
	const struct probe *known = find(t, d->major, d->minor);
	struct probe p = {.major = d->major, .minor = d->minor};

	if (known)
		p = *known;
	if (!known || (p.measured && !measured)) {
		t->news = true;
		pthread_cond_signal(&t->cond);
	}
	p.measured = measured;
	return p;
}

void thermo_fill(struct thermo *t, struct disk_rate *disks, size_t n, bool measuring)
{
	struct probe probes[DISK_RATE_MAX] = {0};
	uint64_t now = clock_mono_ns();

	if (!t)
		return;
	n = n < DISK_RATE_MAX ? n : DISK_RATE_MAX;
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < n; i++) {
		struct probe p = want(t, &disks[i], measuring && disks[i].is_target);

		probes[i] = p;
		disks[i].has_temp = p.t_ns && now - p.t_ns < FRESH_NS;
		disks[i].temp_c = p.celsius;
	}
	memcpy(t->probe, probes, n * sizeof(probes[0]));
	t->n = n;
	pthread_mutex_unlock(&t->lock);
}
