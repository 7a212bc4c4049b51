#include "engines/sim_model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim_disk.h"
#include "engines/sim_dist.h"
#include "engines/sim_heap.h"
#include "engines/sim_stage.h"
#include "engines/slot.h"
#include "src/base/clock.h"

/*
 * Three clocks: `now_ns` is the caller's; wall time counts from the first submit; device time is
 * wall time without the stalls. Everything inside the device is reckoned in device time, so a stall
 * needs no code anywhere but here.
 */
enum stage { IN_UNIT, IN_FLUSH }; /* what the event of a request in the heap means */

struct queue {
	struct sim_req *first, *last;
};

struct sim_model {
	struct sim_params p;
	struct rng rng;
	struct sim_sampler sampler[SIM_OP_NR];
	struct sim_heap heap; /* requests in units, and flushes */
	struct queue leaving; /* past the link, in the order of their times */
	struct queue waiting; /* for a tag */
	uint32_t n_waiting, tags_used, tags_peak;
	uint64_t *unit_free_ns; /* [unit]: busy until */
	uint32_t unit_base[IO_OP_NR], unit_n[IO_OP_NR];
	struct sim_spindle *spindle; /* instead of unit_free_ns, for units of reads; or NULL */
	struct sim_stage stage;
	struct sim_req *alone; /* nobody came in since it did */
	struct engine_counters count;
	uint64_t count_ns; /* the caller's time up to which count is */
	uint64_t t0_ns;
	bool started;
};

/* During a stall the device stands at its last ns before it, so that nothing due after it is done. */
static uint64_t to_device(const struct sim_model *m, uint64_t now_ns)
{
	uint64_t wall = now_ns - m->t0_ns, period = m->p.stall.period_ns, run, rest;

	if (likely(!period))
		return wall;
	run = period - m->p.stall.length_ns;
	rest = wall % period;
	return wall / period * run + (rest < run ? rest : run - 1);
}

static uint64_t to_now(const struct sim_model *m, uint64_t device_ns)
{
	uint64_t run;

	if (likely(!m->p.stall.period_ns))
		return m->t0_ns + device_ns;
	run = m->p.stall.period_ns - m->p.stall.length_ns;
	return m->t0_ns + device_ns / run * m->p.stall.period_ns + device_ns % run;
}

static inline void queue_push(struct queue *q, struct sim_req *r)
{
	r->next = NULL;
	if (q->first)
		q->last->next = r;
	else
		q->first = r;
	q->last = r;
}

static inline struct sim_req *queue_pop(struct queue *q)
{
	struct sim_req *r = q->first;

	q->first = r->next;
	return r;
}

/* Counters */

static void count_to(struct sim_model *m, uint64_t now_ns)
{
	uint64_t dt;

	if (now_ns <= m->count_ns)
		return;
	dt = now_ns - m->count_ns;
	m->count_ns = now_ns;
	if (m->count.inflight)
		m->count.busy_ns += dt;
	m->count.queue_ns += dt * m->count.inflight;
}

static void count_in(struct sim_model *m, struct sim_req *r, uint64_t now_ns)
{
	count_to(m, now_ns);
	r->arrive_ns = now_ns;
	m->alone = m->count.inflight++ ? NULL : r;
}

static void count_out(struct sim_model *m, const struct sim_req *r, uint64_t now_ns)
{
	count_to(m, now_ns);
	m->count.inflight--;
	m->count.ios[r->op]++;
	m->count.sectors[r->op] += r->len / 512;
	m->count.ticks_ns[r->op] += now_ns - r->arrive_ns;
}

/* Units */

static void spindle_start(struct sim_model *m, uint32_t unit, uint64_t t)
{
	struct sim_spindle *s = &m->spindle[unit];
	struct sim_req *r;
	uint64_t extra;

	s->busy = s->n > 0;
	if (!s->busy)
		return;
	r = sim_disk_pick(s, &m->p, &m->rng, t);
	extra = sim_sampler_draw(&m->sampler[r->op], rng_next(&m->rng));
	sim_heap_push(&m->heap, t + sim_disk_serve(s, &m->p, r, t, extra), r);
}

/*
 * Data is spread by its place: multiplying by the golden ratio (Fibonacci hashing) lays out
 * consecutive and strided blocks evenly, where a remainder would let block sizes and numbers of
 * units alias.
 */
static uint32_t choose_unit(const struct sim_model *m, const struct sim_req *r)
{
	uint64_t spread = (r->offset >> 12) * 0x9e3779b97f4a7c15ull >> 32;

	return m->unit_base[r->op] + (uint32_t)(spread * m->unit_n[r->op] >> 32);
}

static void enter_unit(struct sim_model *m, struct sim_req *r, uint64_t t)
{
	uint64_t random, ns, *free_ns;

	r->stage = IN_UNIT;
	if (m->spindle && m->unit_base[r->op] == 0) {
		r->unit = sim_disk_spindle(r->offset, m->unit_n[IO_READ]);
		sim_disk_queue(&m->spindle[r->unit], r);
		if (!m->spindle[r->unit].busy)
			spindle_start(m, r->unit, t);
		return;
	}
	random = rng_next(&m->rng);
	ns = sim_sampler_draw(&m->sampler[r->op], random);
	ns += sim_stage_unit_extra(&m->stage, &m->p, r, t, random);
	r->unit = choose_unit(m, r);
	free_ns = &m->unit_free_ns[r->unit];
	*free_ns = (*free_ns > t ? *free_ns : t) + ns;
	sim_heap_push(&m->heap, *free_ns, r);
}

static void leave_unit(struct sim_model *m, struct sim_req *r, uint64_t t)
{
	if (m->spindle && m->unit_base[r->op] == 0)
		spindle_start(m, r->unit, t);
	t = sim_stage_link(&m->stage, &m->p, r, t);
	r->time_ns = sim_stage_cap(&m->stage, &m->p, r, t);
	queue_push(&m->leaving, r);
}

/* Tags */

static void admit(struct sim_model *m, struct sim_req *r, uint64_t t)
{
	if (++m->tags_used > m->tags_peak)
		m->tags_peak = m->tags_used;
	enter_unit(m, r, t);
}

/* Some requests are refused a tag several times, as under a SCSI adapter that is busy. */
static bool is_passed_over(struct sim_model *m, struct sim_req *r)
{
	if (m->p.requeue <= 0 || m->n_waiting < 2 || r->passes >= m->p.requeue_times)
		return false;
	if (r->passes == 0 && rng_unit(&m->rng) >= m->p.requeue)
		return false;
	r->passes++;
	return true;
}

static void admit_waiting(struct sim_model *m, uint64_t t)
{
	struct sim_req *r = queue_pop(&m->waiting);

	if (unlikely(is_passed_over(m, r))) {
		queue_push(&m->waiting, r);
		r = queue_pop(&m->waiting);
	}
	m->n_waiting--;
	admit(m, r, t);
}

/* Events */

static void to_host(struct sim_model *m, struct sim_req *r, uint64_t now_ns)
{
	struct sim_host *h = r->host;
	uint64_t start = h->free_ns > now_ns ? h->free_ns : now_ns;

	if (m->alone == r)
		start += m->p.wake_ns;
	h->free_ns = r->time_ns = start + m->p.host_ns;
	r->next = NULL;
	if (h->first)
		h->last->next = r;
	else
		h->first = r;
	h->last = r;
}

static void finish(struct sim_model *m, struct sim_req *r, uint64_t t)
{
	uint64_t now_ns = to_now(m, t);

	/* It came during a stall and took no time: done when it came. */
	if (unlikely(now_ns < r->arrive_ns))
		now_ns = r->arrive_ns;
	count_out(m, r, now_ns);
	if (r->op != SIM_FLUSH) {
		m->tags_used--;
		if (m->waiting.first)
			admit_waiting(m, t);
	}
	to_host(m, r, now_ns);
}

static inline uint64_t next_event(const struct sim_model *m)
{
	uint64_t t = sim_heap_first_ns(&m->heap);

	return m->leaving.first && m->leaving.first->time_ns < t ? m->leaving.first->time_ns : t;
}

static void advance(struct sim_model *m, uint64_t until)
{
	uint64_t t;

	while ((t = next_event(m)) <= until && t != SIM_NEVER) {
		struct sim_req *r;

		if (m->leaving.first && m->leaving.first->time_ns == t) {
			finish(m, queue_pop(&m->leaving), t);
			continue;
		}
		r = sim_heap_pop(&m->heap);
		if (r->stage == IN_UNIT)
			leave_unit(m, r, t);
		else
			finish(m, r, t);
	}
}

static void start(struct sim_model *m, uint64_t now_ns)
{
	m->started = true;
	m->t0_ns = m->count_ns = now_ns;
}

void sim_model_submit(struct sim_model *m, struct sim_req *r, uint64_t now_ns)
{
	uint64_t t;

	if (unlikely(!m->started))
		start(m, now_ns);
	t = to_device(m, now_ns);
	advance(m, t);
	count_in(m, r, now_ns);
	r->passes = 0;
	if (unlikely(r->op == SIM_FLUSH)) {
		r->stage = IN_FLUSH;
		t = sim_stage_flush(&m->stage, &m->p, &m->sampler[SIM_FLUSH], t, &m->rng);
		sim_heap_push(&m->heap, t, r);
	} else if (m->tags_used < m->p.tags) {
		admit(m, r, t);
	} else {
		m->n_waiting++;
		queue_push(&m->waiting, r);
	}
}

struct sim_req *sim_model_reap(struct sim_model *m, struct sim_host *h, uint64_t now_ns)
{
	struct sim_req *r;

	if (unlikely(!m->started))
		return NULL;
	if (!h->first || h->first->time_ns > now_ns)
		advance(m, to_device(m, now_ns));
	r = h->first;
	if (!r || r->time_ns > now_ns)
		return NULL;
	h->first = r->next;
	return r;
}

uint64_t sim_model_next_ns(const struct sim_model *m, const struct sim_host *h)
{
	uint64_t t;

	if (h->first)
		return h->first->time_ns;
	t = next_event(m);
	return t == SIM_NEVER ? t : to_now(m, t);
}

void sim_model_count(struct sim_model *m, uint64_t now_ns, struct engine_counters *out)
{
	if (m->started) {
		advance(m, to_device(m, now_ns));
		count_to(m, now_ns);
	}
	*out = m->count;
}

uint32_t sim_model_tags_peak(const struct sim_model *m)
{
	return m->tags_peak;
}

/* Life */

static uint32_t lay_out_units(struct sim_model *m)
{
	uint32_t total = 0;

	for (unsigned op = 0; op < IO_OP_NR; op++) {
		uint32_t own = m->p.path[op].units;

		m->unit_base[op] = own ? total : 0;
		m->unit_n[op] = own ? own : m->unit_n[IO_READ];
		total += own;
	}
	return total;
}

struct sim_model *sim_model_new(const struct sim_params *p)
{
	struct sim_model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->p = *p;
	rng_seed(&m->rng, p->seed);
	m->unit_free_ns = calloc(lay_out_units(m), sizeof(*m->unit_free_ns));
	if (p->disk.rev_ns)
		m->spindle = calloc(m->unit_n[IO_READ], sizeof(*m->spindle));
	if (!m->unit_free_ns || (p->disk.rev_ns && !m->spindle)) {
		sim_model_free(m);
		return NULL;
	}
	for (unsigned op = 0; op < IO_OP_NR; op++)
		sim_sampler_init(&m->sampler[op], &p->path[op].unit);
	sim_sampler_init(&m->sampler[SIM_FLUSH], &p->flush.dist);
	sim_stage_init(&m->stage, p);
	return m;
}

void sim_model_free(struct sim_model *m)
{
	if (!m)
		return;
	free(m->heap.v);
	free(m->unit_free_ns);
	free(m->spindle);
	free(m);
}

int sim_model_reserve(struct sim_model *m, uint32_t reqs)
{
	struct sim_event *v;

	if (reqs <= m->heap.cap)
		return 0;
	v = realloc(m->heap.v, reqs * sizeof(*v));
	if (!v)
		return -ENOMEM;
	m->heap.v = v;
	m->heap.cap = reqs;
	return 0;
}
