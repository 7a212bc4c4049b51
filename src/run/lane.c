#include "src/run/lane.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/turns.h"
#include "src/base/xalloc.h"
#include "src/run/log.h"
#include "src/run/plan_iolog.h"
#include "src/spec/engines.h"

/* Room made from the start where settings may change live, so that the usual steps need no reopening. */
#define HEADROOM_DEPTH     256u
#define HEADROOM_LEN_BYTES (1u << 20)
#define PRE_READ_BYTES     (1u << 20)
#define SEED_FIXED         0x89ull

void lane_init(struct lane *l, struct clock *clock, const _Atomic uint64_t *epoch, bool headroom,
	       struct wakeup *wakeup)
{
	memset(l, 0, sizeof(*l));
	pthread_mutex_init(&l->lock, NULL);
	pthread_mutex_init(&l->ctl.lock, NULL);
	pthread_cond_init(&l->ctl.cond, NULL);
	l->ctl.clock = clock;
	l->ctl.epoch = epoch;
	l->ctl.wakeup = wakeup;
	l->headroom = headroom;
}

static uint64_t seed_of(const struct job_spec *s, unsigned clone)
{
	uint64_t base = s->randseed;

	if (!base)
		base = s->randrepeat ? SEED_FIXED
				     : rng_mix64(clock_mono_ns() ^ clock_wall_ms() << 20);
	return rng_mix64(base * (clone + 1));
}

/* startdelay=a-b: each clone has its own, the same in every run with randrepeat. */
static uint64_t delay_of(const struct job_spec *s, unsigned k)
{
	struct rng r;

	if (!s->startdelay_high_ns)
		return s->startdelay_ns;
	rng_seed(&r, seed_of(s, k) ^ 0x64656c6179);
	return s->startdelay_ns + rng_below(&r, s->startdelay_high_ns - s->startdelay_ns + 1);
}

static int make_files(const struct lane *l, unsigned k, struct worker_cfg *c, struct err *e)
{
	const struct plan *p = &l->plan;

	c->files = xcalloc(p->n_files, sizeof(*c->files));
	c->n_files = p->n_files;
	for (unsigned f = 0; f < p->n_files; f++) {
		struct worker_file *wf = &c->files[f];
		int rc = plan_region(p, k, f, &wf->off_bytes, &wf->len_bytes, e);

		if (rc) {
			free(c->files);
			return rc;
		}
		wf->fd = -1;
		wf->path = p->device_name ? p->device_name : p->engine->name;
		if (p->n_targets) {
			const struct target *t =
				&p->targets[p->shared_files ? f : k * p->n_files + f];

			wf->fd = t->fd;
			wf->path = t->path;
			wf->made = t->created;
		}
	}
	return 0;
}

/* Only a job that ends by size has loops. */
static uint64_t loop_bytes_of(const struct plan *p)
{
	uint32_t loops = p->spec->loops ? p->spec->loops : 1;

	return p->spec->unlink_each_loop && p->size_bound && !p->iolog ? p->io_bytes / loops
								       : UINT64_MAX;
}

/* Values kept from another engine must never reach this one. */
static const void *opts_for(const struct plan *p)
{
	const struct spec_engine *of = p->spec->engine_opts_of;

	return of && strcmp(of->name, p->engine->name) == 0 ? p->spec->engine_opts : NULL;
}

static int worker_cfg_of(struct lane *l, unsigned k, struct worker_cfg *c, struct err *e)
{
	const struct plan *p = &l->plan;
	const struct job_spec *s = p->spec;

	*c = (struct worker_cfg){
		.ctl = &l->ctl,
		.engine = p->engine,
		.engine_opts = opts_for(p),
		.device = p->device,
		.align = p->align,
		.depth_min = l->headroom ? HEADROOM_DEPTH : 1,
		.len_min = l->headroom ? HEADROOM_LEN_BYTES : 1,
		.io_bytes = p->io_bytes,
		.loop_bytes = loop_bytes_of(p),
		.number_ios = p->number_ios,
		.delay_ns = delay_of(s, k),
		.ramp_ns = s->ramp_ns,
		.runtime_ns = s->runtime_ns,
		.batch_submit = s->iodepth_batch > s->iodepth ? s->iodepth : s->iodepth_batch,
		.complete_min = s->iodepth_batch_complete_min,
		.complete_max = s->iodepth_batch_complete_max,
		.depth_low = s->iodepth_low >= s->iodepth ? 0 : s->iodepth_low,
		.log_ring = logger_needs_ring(s),
		.trace = s->write_iolog != NULL,
		.replay = plan_iolog_of(p, k),
		.extra = s->slat_percentiles || job_spec_has_rate(s),
		.fsync_every = s->fsync_every,
		.fdatasync_every = s->fdatasync_every,
		.end_fsync = s->end_fsync && p->writes && (p->n_targets || p->device),
		.norandommap = s->norandommap,
		.paired = s->rw.trim_first && !p->iolog,
		.writable = p->writes,
		.rand_every = s->rw.rand_every,
		.seq_delta_bytes = s->rw.seq_delta_bytes,
		.seed = seed_of(s, plan_clone_number(p, k)),
		.number = p->first_worker + k,
		.spec = s,
		.blocks = p->many_lengths ? &p->blocks : NULL,
		.dist = p->dist,
		.ignore = s->ignore_error ? &p->ignore : NULL,
		.affinity = &p->affinity,
	};
	/* fio's default of 1 means "reap what is there", not "one at a time". */
	if (c->complete_max <= 1)
		c->complete_max = 0;
	return make_files(l, k, c, e);
}

static int add_worker(struct lane *l, struct err *e)
{
	unsigned k = l->n_slots;
	struct worker_cfg cfg;
	struct worker *w;
	int rc = worker_cfg_of(l, k, &cfg, e);

	if (rc)
		return rc;
	w = aligned_alloc(64, (sizeof(*w) + 63) / 64 * 64);
	if (!w || worker_init(w, &cfg)) {
		free(w);
		free(cfg.files);
		return err_set(e, ENOMEM, "no memory for job %u", k + 1);
	}
	pthread_mutex_lock(&l->lock);
	l->workers = xrealloc(l->workers, (k + 1) * sizeof(struct worker *));
	l->samples = xrealloc(l->samples, (k + 1) * sizeof(struct worker_samples *));
	l->workers[k] = w;
	l->samples[k] = xcalloc(1, sizeof(**l->samples));
	l->n_slots = k + 1;
	pthread_mutex_unlock(&l->lock);
	rc = worker_start(w);
	return rc ? err_set(e, -rc, "cannot start job %u: %s", k + 1, strerror(-rc)) : 0;
}

static int wait_ready(struct lane *l, unsigned n, struct err *e)
{
	pthread_mutex_lock(&l->ctl.lock);
	while (l->ctl.ready < n)
		clock_wait(l->ctl.clock, &l->ctl.cond, &l->ctl.lock, CLOCK_NEVER);
	pthread_mutex_unlock(&l->ctl.lock);
	for (unsigned k = 0; k < l->n_slots; k++) {
		int code = atomic_load(&l->workers[k]->error);

		if (code)
			return err_set(e, code, "%s: %s", l->plan.spec->name,
				       l->workers[k]->error_text);
	}
	return 0;
}

static void advise(const struct lane *l, const struct target *t)
{
	static const int advice[] = {
		[HINT_RANDOM] = POSIX_FADV_RANDOM, [HINT_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL};
	unsigned hint = l->plan.spec->fadvise_hint;

	if (hint == HINT_NONE || l->plan.spec->direct)
		return;
	if (hint == HINT_PATTERN)
		hint = l->plan.tune.random ? HINT_RANDOM : HINT_SEQUENTIAL;
	posix_fadvise(t->fd, 0, 0, advice[hint]);
}

/* pre_read: the whole of what the job needs, into the page cache. */
static int read_whole(const struct target *t, struct err *e)
{
	uint8_t *buf = buf_alloc(PRE_READ_BYTES);
	uint64_t at = 0;
	ssize_t n = 1;

	if (!buf)
		return err_set(e, ENOMEM, "no memory to read %s", t->path);
	while (at < t->need_bytes && n > 0) {
		n = pread(t->fd, buf, PRE_READ_BYTES, (off_t)at);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			at += (uint64_t)n;
	}
	buf_free(buf, PRE_READ_BYTES);
	return n < 0 ? err_set(e, errno, "pre_read of %s: %s", t->path, strerror(errno)) : 0;
}

static int open_target(struct lane *l, struct target *t, struct err *e)
{
	const struct job_spec *s = l->plan.spec;
	int rc = target_open(t, s->direct, e);

	if (rc)
		return rc;
	advise(l, t);
	if (s->pre_read)
		return read_whole(t, e);
	if (s->invalidate && !s->direct)
		rc = target_invalidate(t);
	/* Not permitted or not possible: the pages stay, and a note tells of it. */
	if (rc && !l->cache_error) {
		l->cache_error = -rc;
		l->cache_path = t->path;
	}
	return 0;
}

int lane_open(struct lane *l, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; i < l->plan.n_targets && rc == 0; i++)
		rc = open_target(l, &l->plan.targets[i], e);
	if (rc)
		return rc;
	lane_tune(l, &l->plan.tune);
	l->opened = true;
	for (unsigned k = 0; k < l->plan.tune.jobs && rc == 0; k++)
		rc = add_worker(l, e);
	return rc ? rc : wait_ready(l, l->n_slots, e);
}

void lane_go(struct lane *l, uint64_t now_ns)
{
	pthread_mutex_lock(&l->ctl.lock);
	atomic_store(&l->ctl.t_go_ns, now_ns);
	/* Before it there was no time to lose. */
	if (l->pauses)
		l->pause_asked_ns = l->hold_asked_ns = now_ns;
	l->ctl.paused_ns = l->ctl.paused_from_ns = 0;
	l->ctl.held_ns = l->ctl.held_from_ns = 0;
	atomic_store(&l->ctl.go, true);
	clock_wake(l->ctl.clock, &l->ctl.cond);
	pthread_mutex_unlock(&l->ctl.lock);
}

void lane_tune(struct lane *l, const struct tuning *t)
{
	pthread_mutex_lock(&l->ctl.lock);
	l->ctl.tune = *t;
	atomic_fetch_add_explicit(&l->ctl.gen, 1, memory_order_release);
	pthread_mutex_unlock(&l->ctl.lock);
}

static bool has_left(struct worker *w)
{
	return !w->has_thread || atomic_load(&w->state) >= WORKER_DONE;
}

bool lane_slot_left(struct lane *l, unsigned k)
{
	return has_left(l->workers[k]);
}

/* One that has left for good stays away. */
static void lane_retire(struct worker *w)
{
	int no = RETIRE_NO;

	atomic_compare_exchange_strong(&w->retire, &no, RETIRE_TUNED);
}

int lane_adjust(struct lane *l, struct err *e)
{
	unsigned want;
	int rc = 0;

	pthread_mutex_lock(&l->ctl.lock);
	want = l->ctl.tune.jobs;
	pthread_mutex_unlock(&l->ctl.lock);
	if (atomic_load(&l->ctl.stop))
		return 0;
	for (unsigned k = want; k < l->n_slots; k++)
		lane_retire(l->workers[k]);
	for (unsigned k = 0; k < want && k < l->n_slots && rc == 0; k++) {
		struct worker *w = l->workers[k];

		if (atomic_load(&w->retire) != RETIRE_TUNED)
			continue;
		worker_join(w);
		rc = worker_start(w);
	}
	while (l->n_slots < want && rc == 0)
		rc = add_worker(l, e);
	return rc;
}

void lane_stop(struct lane *l)
{
	pthread_mutex_lock(&l->ctl.lock);
	atomic_store(&l->ctl.stop, true);
	clock_wake(l->ctl.clock, &l->ctl.cond);
	pthread_mutex_unlock(&l->ctl.lock);
}

const char *lane_lost_text(const struct lane *l)
{
	return atomic_load(&l->lost) ? "LOST: " : "";
}

enum { PAUSE_RUN = 1u << 0, PAUSE_TURN = 1u << 1 };

static uint64_t sum_ns(uint64_t ended_ns, uint64_t from_ns, uint64_t now_ns)
{
	return ended_ns + (from_ns && now_ns > from_ns ? now_ns - from_ns : 0);
}

uint64_t lane_ctl_paused_ns(struct lane_ctl *c, uint64_t now_ns)
{
	uint64_t ns;

	pthread_mutex_lock(&c->lock);
	ns = sum_ns(c->paused_ns, c->paused_from_ns, now_ns);
	pthread_mutex_unlock(&c->lock);
	return ns;
}

uint64_t lane_ctl_held_ns(struct lane_ctl *c, uint64_t now_ns)
{
	uint64_t ns;

	pthread_mutex_lock(&c->lock);
	ns = sum_ns(c->held_ns, c->held_from_ns, now_ns);
	pthread_mutex_unlock(&c->lock);
	return ns;
}

static void end_span(uint64_t *ended_ns, uint64_t *from_ns, uint64_t now_ns)
{
	*ended_ns = sum_ns(*ended_ns, *from_ns, now_ns);
	*from_ns = 0;
}

static void change_pause(struct lane *l, unsigned was, uint64_t now)
{
	bool held = l->pauses & PAUSE_RUN;

	if (!was != !l->pauses) {
		if (l->pauses)
			l->pause_asked_ns = now;
		else
			end_span(&l->ctl.paused_ns, &l->ctl.paused_from_ns, now);
		atomic_fetch_add(&l->ctl.pause_gen, 1);
		atomic_store(&l->ctl.pause, l->pauses != 0);
	}
	if (held == atomic_load(&l->ctl.held))
		return;
	if (held)
		l->hold_asked_ns = now;
	else
		end_span(&l->ctl.held_ns, &l->ctl.held_from_ns, now);
	atomic_store(&l->ctl.held, held);
}

static void set_pause(struct lane *l, unsigned why, bool on)
{
	uint64_t now = clock_now_ns(l->ctl.clock);
	unsigned was;

	if (!on)
		lane_is_parked(l); /* the last moment to note since when */
	pthread_mutex_lock(&l->ctl.lock);
	was = l->pauses;
	l->pauses = on ? was | why : was & ~why;
	change_pause(l, was, now);
	pthread_mutex_unlock(&l->ctl.lock);
}

void lane_pause(struct lane *l, bool on)
{
	set_pause(l, PAUSE_RUN, on);
}

void lane_wait_turn(struct lane *l, bool on)
{
	set_pause(l, PAUSE_TURN, on);
}

/* Has every worker that is in its loop seen this pause? *last_ns: when the last of them had work. */
static bool all_parked(struct lane *l, uint32_t gen, uint64_t *last_ns)
{
	bool parked = true;

	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots && parked; k++) {
		struct worker *w = l->workers[k];
		uint64_t done = atomic_load(&w->last_done_ns);
		int state = atomic_load(&w->state);

		if (done > *last_ns)
			*last_ns = done;
		if (!has_left(w) && state >= WORKER_RAMP)
			parked = atomic_load(&w->parked_gen) == gen;
	}
	pthread_mutex_unlock(&l->lock);
	return parked;
}

bool lane_is_parked(struct lane *l)
{
	uint32_t gen = atomic_load(&l->ctl.pause_gen);
	uint64_t last_ns = 0;
	bool parked = atomic_load(&l->ctl.pause) && all_parked(l, gen, &last_ns);

	pthread_mutex_lock(&l->ctl.lock);
	parked = parked && atomic_load(&l->ctl.pause_gen) == gen;
	if (parked && !l->ctl.paused_from_ns)
		l->ctl.paused_from_ns = last_ns > l->pause_asked_ns ? last_ns : l->pause_asked_ns;
	if (parked && l->pauses & PAUSE_RUN && !l->ctl.held_from_ns)
		l->ctl.held_from_ns = last_ns > l->hold_asked_ns ? last_ns : l->hold_asked_ns;
	pthread_mutex_unlock(&l->ctl.lock);
	return parked;
}

unsigned lane_alive(struct lane *l)
{
	unsigned n = 0;

	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++)
		n += !has_left(l->workers[k]);
	pthread_mutex_unlock(&l->lock);
	return n;
}

bool lane_is_over(struct lane *l)
{
	return lane_alive(l) == 0;
}

bool lane_is_settled(struct lane *l)
{
	uint32_t gen = atomic_load(&l->ctl.gen), want;
	bool settled = true;

	pthread_mutex_lock(&l->ctl.lock);
	want = l->ctl.tune.jobs;
	pthread_mutex_unlock(&l->ctl.lock);
	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots && settled; k++) {
		struct worker *w = l->workers[k];

		if (k >= want)
			settled = has_left(w);
		else
			settled = has_left(w) || atomic_load(&w->gen_seen) == gen;
	}
	settled = settled && l->n_slots >= want;
	pthread_mutex_unlock(&l->lock);
	return settled;
}

void lane_join(struct lane *l)
{
	for (unsigned k = 0; k < l->n_slots; k++)
		worker_join(l->workers[k]);
}

void lane_fini(struct lane *l)
{
	for (unsigned k = 0; k < l->n_slots; k++) {
		free(l->workers[k]->cfg.files);
		worker_fini(l->workers[k]);
		free(l->workers[k]);
		free(l->samples[k]);
	}
	free(l->workers);
	free(l->samples);
	free(l->steady);
	plan_fini(&l->plan);
	below_fini(&l->below);
	pthread_cond_destroy(&l->ctl.cond);
	pthread_mutex_destroy(&l->ctl.lock);
	pthread_mutex_destroy(&l->lock);
}
