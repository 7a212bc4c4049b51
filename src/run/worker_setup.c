/* A worker's life around its loop: memory, engine, tuning, usage. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/base/turns.h"
#include "src/base/xalloc.h"
#include "src/run/worker.h"

#define WORKER_STACK_BYTES (256u << 10)
#define PAGE_BYTES         4096u

static int init_extra(struct worker *w)
{
	w->extra = buf_alloc(sizeof(*w->extra) * IO_OP_NR);
	if (!w->extra)
		return -ENOMEM;
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		op_extra_live_init(&w->extra[i]);
		w->op[i].extra = &w->extra[i];
	}
	return 0;
}

int worker_init(struct worker *w, const struct worker_cfg *cfg)
{
	memset(w, 0, sizeof(*w));
	w->cfg = *cfg;
	w->op = buf_alloc(sizeof(*w->op) * IO_OP_NR);
	if (!w->op)
		return -ENOMEM;
	for (unsigned i = 0; i < IO_OP_NR; i++)
		op_live_init(&w->op[i]);
	if (cfg->extra && init_extra(w))
		return -ENOMEM;
	if (cfg->log_ring) {
		w->log = buf_alloc(sizeof(*w->log)); /* zeroed: an empty ring */
		if (!w->log)
			return -ENOMEM;
	}
	w->fill = (struct fill_cfg){
		.zero = cfg->spec->zero_buffers,
		.refill = cfg->spec->refill_buffers,
		.scramble = cfg->spec->scramble_buffers,
		.compress_pct = cfg->spec->compress_pct,
		.compress_chunk = cfg->spec->compress_chunk_bytes,
	};
	if (cfg->trace) {
		w->trace = buf_alloc(sizeof(*w->trace));
		if (!w->trace)
			return -ENOMEM;
	}
	if (cfg->fsync_every || cfg->fdatasync_every || cfg->end_fsync ||
	    (cfg->replay && cfg->replay->syncs)) {
		w->sync = buf_alloc(sizeof(*w->sync));
		if (!w->sync)
			return -ENOMEM;
		op_live_init(w->sync);
	}
	w->pattern = xcalloc(cfg->n_files, sizeof(*w->pattern));
	w->fds = xcalloc(cfg->n_files, sizeof(*w->fds));
	w->aside = w->log != NULL;
	if (worker_seek_init(w))
		return -ENOMEM;
	worker_files_init(w);
	for (unsigned i = 0; i < cfg->n_files; i++)
		w->fds[i] = cfg->files[i].fd;
	return 0;
}

void worker_fini(struct worker *w)
{
	buf_free(w->op, sizeof(*w->op) * IO_OP_NR);
	buf_free(w->log, sizeof(*w->log));
	buf_free(w->trace, sizeof(*w->trace));
	buf_free(w->extra, sizeof(*w->extra) * IO_OP_NR);
	buf_free(w->sync, sizeof(*w->sync));
	free(w->pattern);
	free(w->fds);
	worker_files_fini(w);
	worker_seek_fini(w);
}

void worker_fail(struct worker *w, int code, const char *fmt, ...)
{
	va_list ap;

	w->draining = true;
	if (atomic_load_explicit(&w->error, memory_order_relaxed))
		return;
	va_start(ap, fmt);
	vsnprintf(w->error_text, sizeof(w->error_text), fmt, ap);
	va_end(ap);
	atomic_store_explicit(&w->error, code, memory_order_release);
}

static uint64_t round_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

/* Several lengths apply until the block size is changed live. */
static const struct blocks *blocks_of(const struct worker *w, const struct tuning *t)
{
	const struct blocks *b = w->cfg.blocks;

	for (unsigned i = 0; b && i < IO_OP_NR; i++)
		if (t->bs_bytes[i] != b->op[i].lo)
			return NULL;
	return b;
}

static uint64_t largest_bs(const struct worker *w, const struct tuning *t)
{
	const struct blocks *b = blocks_of(w, t);
	uint64_t max = 1, bs;

	for (unsigned i = 0; i < IO_OP_NR; i++) {
		bs = b ? b->op[i].hi : t->bs_bytes[i];
		if (t->ops & IO_BIT(i) && bs > max)
			max = bs;
	}
	return max;
}

bool worker_needs_reopen(const struct worker *w, const struct tuning *t)
{
	uint32_t qd = w->cfg.engine->flags & ENGINE_SYNC ? 1 : t->qd;

	return qd > w->depth_max || largest_bs(w, t) > w->len_max;
}

static int alloc_slots(struct worker *w, struct err *e)
{
	uint64_t align = w->cfg.align > PAGE_BYTES ? w->cfg.align : PAGE_BYTES;
	int rc;

	/* A slot of a writable job has two buffers: what is read must not spoil what is written. */
	w->write_at = w->cfg.writable ? round_up(w->len_max, align) : 0;
	w->pool_stride = w->write_at + round_up(w->len_max, align);
	rc = memory_take(&w->pool_memory, w->cfg.spec,
			 w->depth_max * w->pool_stride + w->cfg.spec->iomem_align, e);
	if (rc)
		return rc;
	w->pool = (uint8_t *)w->pool_memory.p + w->cfg.spec->iomem_align;
	w->slots = buf_alloc(w->depth_max * sizeof(*w->slots));
	if (!w->slots)
		return err_set(e, ENOMEM, "no memory for %u slots", w->depth_max);
	w->free = xcalloc(w->depth_max, sizeof(struct io_slot *));
	w->batch = xcalloc(w->depth_max, sizeof(struct io_slot *));
	w->done = xcalloc(w->depth_max, sizeof(struct io_slot *));
	w->filled = xcalloc(w->depth_max, sizeof(*w->filled));
	if (w->trace)
		w->slot_file = xcalloc(w->depth_max, sizeof(*w->slot_file));
	for (uint32_t i = 0; i < w->depth_max; i++) {
		w->slots[i].index = i;
		w->free[w->depth_max - 1 - i] = &w->slots[i];
	}
	w->n_free = w->depth_max;
	return 0;
}

static void free_slots(struct worker *w)
{
	memory_give(&w->pool_memory);
	w->pool = NULL;
	buf_free(w->slots, w->depth_max * sizeof(*w->slots));
	free(w->free);
	free(w->batch);
	free(w->done);
	free(w->filled);
	free(w->slot_file);
	w->slot_file = NULL;
	w->slots = NULL;
	w->free = w->batch = w->done = NULL;
	w->filled = NULL;
}

/* Incompressible data in the write buffers before the clock runs, so that no I/O pays for it. */
static void prefill(struct worker *w)
{
	const struct blocks *blocks = blocks_of(w, &w->tune);

	if (!(w->tune.ops & IO_BIT(IO_WRITE)))
		return;
	for (uint32_t i = 0; i < w->qd; i++) {
		w->slots[i].len =
			(uint32_t)(blocks ? blocks->op[IO_WRITE].hi : w->tune.bs_bytes[IO_WRITE]);
		worker_fill_write(w, &w->slots[i]);
	}
}

int worker_open(struct worker *w, struct err *e)
{
	struct engine_env env;
	int rc;

	w->depth_max = w->tune.qd > w->cfg.depth_min ? w->tune.qd : w->cfg.depth_min;
	if (w->cfg.engine->flags & ENGINE_SYNC)
		w->depth_max = 1;
	w->len_max = largest_bs(w, &w->tune);
	if (w->len_max < w->cfg.len_min)
		w->len_max = w->cfg.len_min;
	rc = alloc_slots(w, e);
	if (rc) {
		free_slots(w);
		return rc;
	}
	env = (struct engine_env){
		.fds = w->fds,
		.n_fds = w->cfg.n_files,
		.align = w->cfg.align,
		.depth_max = w->depth_max,
		.len_max = w->len_max,
		.pool = w->pool,
		.pool_stride = w->pool_stride,
		.slots = w->slots,
		.clock = w->cfg.ctl->clock,
		.seed = w->cfg.seed,
		.opts = w->cfg.engine_opts,
		.device = w->cfg.device,
		.writable = w->cfg.writable,
	};
	w->engine = (struct engine){.ops = w->cfg.engine};
	rc = w->cfg.engine->open(&w->engine, &env, e);
	if (rc) {
		free_slots(w);
		return rc;
	}
	w->engine_open = true;
	w->reopen = false;
	return 0;
}

void worker_close(struct worker *w)
{
	if (!w->engine_open)
		return;
	w->cfg.engine->close(&w->engine);
	w->engine_open = false;
	free_slots(w);
}

static void init_patterns(struct worker *w)
{
	const struct job_spec *spec = w->cfg.spec;
	const struct blocks *blocks = blocks_of(w, &w->tune);

	for (unsigned i = 0; i < w->cfg.n_files && !w->cfg.replay; i++) {
		struct pattern_cfg c = {
			.off_bytes = w->cfg.files[i].off_bytes,
			.len_bytes = w->cfg.files[i].len_bytes,
			.bs_bytes = {w->tune.bs_bytes[0], w->tune.bs_bytes[1], w->tune.bs_bytes[2]},
			.random = w->tune.random,
			.repeats = w->cfg.norandommap,
			.rand_every = w->cfg.rand_every,
			.paired = w->cfg.paired,
			.seq_delta_bytes = w->cfg.seq_delta_bytes,
			.seed = rng_mix64(w->cfg.seed + i),
			.ops = w->tune.ops,
			.blocks = blocks,
			.dist = w->cfg.dist,
		};

		for (unsigned op = 0; op < IO_OP_NR; op++) {
			if (spec->blockalign[op] != c.bs_bytes[op])
				c.align_bytes[op] = spec->blockalign[op];
			c.seq_pct[op] = (uint8_t)(100 - spec->percentage_random[op]);
		}
		pattern_init(&w->pattern[i], &c);
	}
}

void worker_start_rate(struct worker *w, uint64_t now_ns)
{
	rate_init(&w->rate, w->tune.rate_iops, w->tune.rate_bps, now_ns);
	if (w->cfg.spec->rate_poisson)
		rate_make_poisson(&w->rate, rng_mix64(w->cfg.seed ^ 0x72617465));
}

/*
 * Nothing to decide I/O by I/O: one kind, one length, one file, as fast as it goes. Writes are not: what
 * they carry is made for each.
 */
static bool worker_is_plain(const struct worker *w)
{
	const struct worker_cfg *c = &w->cfg;
	bool one_op = w->tune.ops == IO_BIT(IO_READ) || w->tune.ops == IO_BIT(IO_TRIM);

	return one_op && c->n_files == 1 && !c->replay && !w->rate.any && !c->spec->thinktime_ns &&
	       !c->depth_low && c->batch_submit <= 1 && pattern_is_plain(&w->pattern[0]);
}

void worker_apply_tuning(struct worker *w, const struct tuning *t, uint64_t now_ns)
{
	struct tuning old = w->tune;
	bool first = old.jobs == 0;

	w->tune = *t;
	w->qd = w->cfg.engine->flags & ENGINE_SYNC ? 1 : t->qd;
	if (first || memcmp(old.bs_bytes, t->bs_bytes, sizeof(old.bs_bytes)) != 0 ||
	    old.random != t->random)
		init_patterns(w);
	if (first || old.ops != t->ops || old.read_pct != t->read_pct) {
		mix_init(&w->mix, t->ops, t->read_pct, rng_mix64(w->cfg.seed ^ 0x6d6978));
		w->has_next_op = false;
	}
	if (first || memcmp(old.rate_iops, t->rate_iops, sizeof(old.rate_iops)) != 0 ||
	    memcmp(old.rate_bps, t->rate_bps, sizeof(old.rate_bps)) != 0)
		worker_start_rate(w, now_ns);
	if (first)
		rng_seed(&w->rng, rng_mix64(w->cfg.seed ^ 0x646174));
	w->plain_op = (enum io_op)__builtin_ctz(t->ops);
	w->plain_bytes = worker_is_plain(w) ? t->bs_bytes[w->plain_op] : 0;
	w->one_time = w->cfg.engine->flags & ENGINE_SYNC ||
		      (w->cfg.engine->flags & ENGINE_AT_ONCE && w->qd == 1);
	worker_seek_limit(w);
}

void worker_fill_write(struct worker *w, struct io_slot *s)
{
	s->buf = w->pool + s->index * w->pool_stride + w->write_at;
	fill_buffer(&w->fill, &w->rng, s->buf, s->len, s->offset, &w->filled[s->index]);
}

static uint64_t timeval_us(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000 + (uint64_t)tv->tv_usec;
}

static void publish(_Atomic uint64_t *to, _Atomic uint64_t *base, uint64_t v, bool is_base)
{
	if (is_base)
		atomic_store_explicit(base, v, memory_order_relaxed);
	atomic_store_explicit(to, v - atomic_load_explicit(base, memory_order_relaxed),
			      memory_order_relaxed);
}

void worker_usage_publish(struct worker *w, bool is_base)
{
	struct worker_usage *b = &w->usage_base;
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	publish(&w->usage.usr_us, &b->usr_us, timeval_us(&u.ru_utime), is_base);
	publish(&w->usage.sys_us, &b->sys_us, timeval_us(&u.ru_stime), is_base);
	publish(&w->usage.ctx, &b->ctx, (uint64_t)(u.ru_nvcsw + u.ru_nivcsw), is_base);
	publish(&w->usage.majf, &b->majf, (uint64_t)u.ru_majflt, is_base);
	publish(&w->usage.minf, &b->minf, (uint64_t)u.ru_minflt, is_base);
}

void wakeup_init(struct wakeup *u, struct clock *clock)
{
	*u = (struct wakeup){.clock = clock};
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->cond, NULL);
}

void wakeup_fini(struct wakeup *u)
{
	pthread_cond_destroy(&u->cond);
	pthread_mutex_destroy(&u->lock);
}

void wakeup_call(struct wakeup *u)
{
	pthread_mutex_lock(&u->lock);
	u->count++;
	clock_wake(u->clock, &u->cond);
	pthread_mutex_unlock(&u->lock);
}

void wakeup_wait(struct wakeup *u, uint64_t *seen, uint64_t timeout_ns)
{
	/* The kernel's time on the real clock: that is what a condition waits by. */
	uint64_t now = u->clock->is_virtual ? clock_now_ns(u->clock) : clock_mono_ns();

	pthread_mutex_lock(&u->lock);
	while (u->count == *seen)
		if (!clock_wait(u->clock, &u->cond, &u->lock, now + timeout_ns))
			break;
	*seen = u->count;
	pthread_mutex_unlock(&u->lock);
}

/* Opens the engine, says so, waits for go. False: stopped or failed before the first I/O. */
static bool get_ready(struct worker *w)
{
	struct lane_ctl *ctl = w->cfg.ctl;
	struct tuning tune;
	struct err e = {0};
	bool run;

	pthread_mutex_lock(&ctl->lock);
	tune = ctl->tune;
	w->late = atomic_load(&ctl->go);
	atomic_store_explicit(&w->gen_seen, atomic_load(&ctl->gen), memory_order_relaxed);
	pthread_mutex_unlock(&ctl->lock);
	w->tune.jobs = 0;
	worker_apply_tuning(w, &tune, 0);
	if (affinity_apply(w->cfg.affinity, w->cfg.number, &e) ||
	    memory_lock(&w->locked, w->cfg.spec, &e) || worker_open(w, &e))
		worker_fail(w, e.code, "%s", e.msg);
	else
		prefill(w);
	pthread_mutex_lock(&ctl->lock);
	atomic_store(&w->state, w->engine_open ? WORKER_READY : WORKER_FAILED);
	ctl->ready++;
	clock_wake(ctl->clock, &ctl->cond);
	while (!atomic_load(&ctl->go) && !atomic_load(&ctl->stop) && w->engine_open)
		clock_wait(ctl->clock, &ctl->cond, &ctl->lock, CLOCK_NEVER);
	run = w->engine_open && atomic_load(&ctl->go);
	pthread_mutex_unlock(&ctl->lock);
	return run;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	pthread_setname_np(pthread_self(), "iodeck-io");
	/* Rates are kept by short sleeps; the default slack of 50 us would show in the latencies. */
	prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
	atomic_store(&w->tid, (int)gettid());
	w->straddle = hist_straddle_get();
	if (get_ready(w))
		worker_loop(w);
	worker_close(w);
	memory_give(&w->locked);
	atomic_store_explicit(&w->inflight, 0, memory_order_relaxed);
	atomic_store(&w->state, atomic_load(&w->error) ? WORKER_FAILED : WORKER_DONE);
	if (w->cfg.ctl->wakeup)
		wakeup_call(w->cfg.ctl->wakeup);
	return NULL;
}

int worker_start(struct worker *w)
{
	pthread_attr_t attr;
	int rc;

	w->draining = false;
	atomic_store(&w->retire, RETIRE_NO);
	atomic_store(&w->state, WORKER_NEW);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WORKER_STACK_BYTES);
	rc = clock_spawn(w->cfg.ctl->clock, &w->thread, &attr, worker_main, w);
	pthread_attr_destroy(&attr);
	w->has_thread = rc == 0;
	return rc;
}

void worker_join(struct worker *w)
{
	if (w->has_thread)
		clock_join(w->cfg.ctl->clock, w->thread);
	w->has_thread = false;
}
