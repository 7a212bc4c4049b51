#include "src/base/tsc.h"
#include "src/run/session_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "src/base/turns.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/run/thermo.h"

#define TICK_DEFAULT_NS (100 * NSEC_PER_MSEC)
#define LATE_NS         (2 * NSEC_PER_SEC) /* a tick that comes so late leaves a gap */

/* Publishing */

static void publish(struct session *s)
{
	struct snapshot *snap = s->building;
	uint64_t one = 1;

	pthread_mutex_lock(&s->pub_lock);
	memcpy(s->published, snap, sizeof(*snap));
	pthread_mutex_unlock(&s->pub_lock);
	if (write(s->feed.wake_fd, &one, sizeof(one)) < 0)
		return; /* the counter is full: the reader has been woken already */
}

static enum run_state public_state(const struct session *s, const struct snapshot *snap)
{
	enum run_state state = (enum run_state)atomic_load(&s->state);

	if (state == RUN_ON && snap->n_lanes && snap->lane[0].state != RUN_IDLE &&
	    snap->lane[0].state != RUN_DONE) {
		/* A lane that waits for its turn does not pause the run. */
		if (snap->lane[0].state == RUN_PAUSED && !atomic_load(&s->paused))
			return RUN_ON;
		return snap->lane[0].state;
	}
	return state;
}

static void note_gap(struct session *s, uint64_t now, const char *what, uint64_t ns)
{
	char text[32];

	if (!session_is_running(s) || atomic_load(&s->paused))
		return;
	units_fmt_ns(text, sizeof(text), (double)ns, "u");
	events_add(&s->events, now, EVENT_GAP, 0, NULL, "%s %s", what, text);
}

/* Numbers next to a gap are true, but the reader must know why they are odd. */
static void look_for_gaps(struct session *s, uint64_t now)
{
	uint64_t late = s->building->t_ns ? now - s->building->t_ns : 0, slept = clock_slept_ns();

	if (late > LATE_NS) {
		sampler_gap(&s->sampler);
		note_gap(s, now, "the host did not run iodeck for", late);
	}
	if (slept > s->slept_ns + NSEC_PER_SEC)
		note_gap(s, now, "the machine slept for", slept - s->slept_ns);
	s->slept_ns = slept;
}

static void tick(struct session *s)
{
	struct snapshot *snap = s->building;
	uint64_t now = clock_now_ns(s->cfg.clock);

	look_for_gaps(s, now);
	snap->seq++;
	sampler_tick(&s->sampler, now, snap);
	session_sample_lanes(s, now);
	events_copy(&s->events, snap);
	session_ab_view(s, snap);
	snap->layout_done = atomic_load(&s->layout.done);
	snap->layout_total = atomic_load(&s->layout.total);
	snap->starting = atomic_load(&s->requested);
	snap->state = public_state(s, snap);
	pthread_mutex_lock(&s->lock);
	snprintf(snap->error, sizeof(snap->error), "%s", s->error.msg);
	pthread_mutex_unlock(&s->lock);
	session_sweep_tick(s, now, snap);
	/* Between the runs of two engines a sweep is not over. */
	if (snap->state == RUN_DONE && sweep_view_runs(&snap->sweep))
		snap->state = RUN_DRAIN;
	publish(s);
}

static void *sampler_main(void *arg)
{
	struct session *s = arg;
	uint64_t next = clock_now_ns(s->cfg.clock);

	pthread_setname_np(pthread_self(), "iodeck-sampler");
	/* Here, so that nobody waits for the calibration; until then all ask the kernel. */
	if (!s->cfg.clock->is_virtual)
		tsc_start();
	while (!atomic_load(&s->closing)) {
		uint64_t now;

		tsc_discipline();
		tick(s);
		next += s->cfg.tick_ns;
		now = clock_now_ns(s->cfg.clock);
		/* Late by more than a tick (suspend, a busy host): no burst of catching up. */
		if (now > next + s->cfg.tick_ns)
			next = now;
		clock_sleep_until(s->cfg.clock, next);
	}
	return NULL;
}

/* The feed */

static struct session *of_feed(struct feed *f)
{
	return (struct session *)((char *)f - offsetof(struct session, feed));
}

static int feed_next(struct feed *f, uint64_t after_seq, struct snapshot *out)
{
	struct session *s = of_feed(f);
	int fresh;

	pthread_mutex_lock(&s->pub_lock);
	fresh = s->published->seq > after_seq;
	if (fresh)
		memcpy(out, s->published, sizeof(*out));
	pthread_mutex_unlock(&s->pub_lock);
	return fresh;
}

static int feed_command(struct feed *f, const struct command *c, struct err *e)
{
	struct session *s = of_feed(f);

	switch (c->kind) {
	case CMD_START:
		return session_start(s, c->u.spec, e);
	case CMD_STOP:
		session_sweep_stop(s, c->u.signo);
		return 0;
	case CMD_TUNE:
		if (session_sweep_runs(s))
			return err_set(e, EBUSY, "a sweep is on; it sets the lane itself");
		return session_tune(s, c->lane, &c->u.tune, e);
	case CMD_PAUSE:
		session_pause(s, c->u.flag);
		session_sweep_pause(s, c->u.flag);
		return 0;
	case CMD_AB:
		return session_alternate(s, c->u.ab.alternate, c->u.ab.slice_ns, e);
	case CMD_MARK:
		events_add(&s->events, clock_now_ns(s->cfg.clock), EVENT_MARK, c->lane, NULL, "%s",
			   c->u.text);
		return 0;
	case CMD_GUARD:
		return session_guard(s, c->u.guard.spec, c->u.guard.asks, c->u.guard.max,
				     c->u.guard.n, e);
	case CMD_ARM:
		return session_arm(s, c->u.text, e);
	case CMD_SEGMENT:
		sampler_segment(&s->sampler, c->lane, clock_now_ns(s->cfg.clock));
		return 0;
	case CMD_SWEEP:
		return session_sweep(s, c->u.sweep.spec, c->u.sweep.sweep, e);
	case CMD_SWEEP_TAKE:
		return session_sweep_take(s, c->u.sweep.spec, c->u.sweep.from, e);
	case CMD_SWEEP_RESUME:
		return session_sweep_resume(s, e);
	case CMD_SWEEP_SLO:
		return session_sweep_slo(s, &c->u.slo, e);
	case CMD_SWEEP_REDO:
		return session_sweep_redo(s, c->u.cell.row, c->u.cell.col, e);
	}
	return err_set(e, EINVAL, "unknown command");
}

static const struct feed_ops session_feed_ops = {.next = feed_next, .command = feed_command};

struct feed *session_feed(struct session *s)
{
	return &s->feed;
}

/* Life */

int session_open(struct session **out, const struct session_cfg *cfg, struct err *e)
{
	struct session *s = xcalloc(1, sizeof(*s));
	int rc;

	s->cfg = *cfg;
	if (!s->cfg.tick_ns)
		s->cfg.tick_ns = TICK_DEFAULT_NS;
	if (!s->cfg.fsroot)
		s->cfg.fsroot = "";
	if (!s->cfg.clock)
		s->cfg.clock = &clock_real;
	rc = session_take_consents(s, e);
	if (rc) {
		free(s->agreed);
		free(s);
		return rc;
	}
	s->t_open_ns = clock_now_ns(s->cfg.clock);
	s->slept_ns = clock_slept_ns();
	s->feed.ops = &session_feed_ops;
	s->feed.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (s->feed.wake_fd < 0) {
		free(s);
		return err_set(e, errno, "eventfd: %s", strerror(errno));
	}
	s->building = xcalloc(1, sizeof(*s->building));
	s->published = xcalloc(1, sizeof(*s->published));
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->pub_lock, NULL);
	pthread_mutex_init(&s->sweep_lock, NULL);
	wakeup_init(&s->wakeup, s->cfg.clock);
	s->layout.cancel = &s->stop;
	events_init(&s->events);
	ab_init(&s->ab);
	sampler_init(&s->sampler, s->cfg.fsroot, &s->events);
	s->sampler.no_disks = s->cfg.clock->is_virtual;
	if (s->cfg.temperatures && !s->sampler.no_disks)
		s->sampler.thermo = thermo_start(s->cfg.fsroot, 0);
	spec_init(&s->spec);
	spec_init(&s->sweep_job);
	if (clock_spawn(s->cfg.clock, &s->director, NULL, session_director, s) ||
	    clock_spawn(s->cfg.clock, &s->sampler_thread, NULL, sampler_main, s)) {
		/* Without threads there is nothing to undo carefully: the program is about to end. */
		return err_set(e, EAGAIN, "cannot start a thread");
	}
	*out = s;
	return 0;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	session_sweep_stop(s, 0);
	atomic_store(&s->closing, true);
	session_wake(s);
	clock_join(s->cfg.clock, s->director);
	clock_join(s->cfg.clock, s->sampler_thread);
	session_drop_lanes(s);
	holds_release(&s->holds);
	free(s->agreed);
	free(s->asked.v);
	collect_free(&s->result);
	spec_fini(&s->spec);
	thermo_stop(s->sampler.thermo);
	sampler_fini(&s->sampler);
	events_fini(&s->events);
	wakeup_fini(&s->wakeup);
	session_sweep_free(s);
	pthread_mutex_destroy(&s->sweep_lock);
	pthread_mutex_destroy(&s->pub_lock);
	pthread_mutex_destroy(&s->lock);
	close(s->feed.wake_fd);
	free(s->building);
	free(s->published);
	free(s);
}
