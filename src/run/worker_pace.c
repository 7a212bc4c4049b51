/* Pauses between I/Os, and the least a rate may be. */
#include <errno.h>
#include <sched.h>

#include "src/run/worker.h"

/* fio lets a job settle this long before it looks at rate_min. */
#define FLOOR_GRACE_NS (2 * NSEC_PER_SEC)

void worker_pace_start(struct worker *w, uint64_t now)
{
	w->think = (struct think){.io_since_ns = now};
	w->floor.next_ns = now + FLOOR_GRACE_NS;
	w->floor.from_ns = 0;
}

static bool think_due(const struct worker *w, uint64_t now)
{
	const struct job_spec *s = w->cfg.spec;

	if (w->think.count >= s->thinktime_blocks)
		return true;
	return s->thinktime_iotime_ns && now - w->think.io_since_ns >= s->thinktime_iotime_ns;
}

static void end_pause(struct worker *w, uint64_t now)
{
	struct think *t = &w->think;

	if (w->cfg.spec->rate_ignore_thinktime)
		rate_shift(&w->rate, now - t->began_ns);
	*t = (struct think){.io_since_ns = now};
}

static void begin_pause(struct worker *w, uint64_t now)
{
	const struct job_spec *s = w->cfg.spec;
	uint64_t spin =
		s->thinktime_spin_ns < s->thinktime_ns ? s->thinktime_spin_ns : s->thinktime_ns;

	w->think.began_ns = now;
	w->think.until_ns = now + s->thinktime_ns;
	w->think.spin_ns = now + spin;
}

bool worker_is_thinking(struct worker *w, uint64_t now, uint64_t *until_ns)
{
	struct think *t = &w->think;

	*until_ns = 0;
	if (!w->cfg.spec->thinktime_ns)
		return false;
	if (!t->due)
		t->due = think_due(w, now);
	if (!t->due)
		return false;
	if (w->n_inflight || w->n_batch)
		return true;
	if (!t->until_ns)
		begin_pause(w, now);
	if (now >= t->until_ns) {
		end_pause(w, now);
		return false;
	}
	/* Spinning: the caller sleeps for no time at all and asks again. */
	*until_ns = now < t->spin_ns ? now : t->until_ns;
	return true;
}

static void check_op(struct worker *w, unsigned op, uint64_t dt_ns)
{
	const struct job_spec *s = w->cfg.spec;
	struct rate_floor *f = &w->floor;
	uint64_t ops = atomic_load_explicit(&w->op[op].ops, memory_order_relaxed);
	uint64_t bytes = atomic_load_explicit(&w->op[op].bytes, memory_order_relaxed);
	double dt = (double)dt_ns / (double)NSEC_PER_SEC;

	if (dt_ns && s->rate_iops_min[op] &&
	    (double)(ops - f->ops[op]) / dt < (double)s->rate_iops_min[op])
		worker_fail(w, EIO, "rate_iops_min=%llu: %.0f IOPS of %ss in the last %.0f ms",
			    (unsigned long long)s->rate_iops_min[op],
			    (double)(ops - f->ops[op]) / dt, io_op_name((enum io_op)op), dt * 1e3);
	if (dt_ns && s->rate_min_bps[op] &&
	    (double)(bytes - f->bytes[op]) / dt < (double)s->rate_min_bps[op])
		worker_fail(w, EIO, "rate_min=%llu: %.0f bytes/s of %ss in the last %.0f ms",
			    (unsigned long long)s->rate_min_bps[op],
			    (double)(bytes - f->bytes[op]) / dt, io_op_name((enum io_op)op),
			    dt * 1e3);
	f->ops[op] = ops;
	f->bytes[op] = bytes;
}

void worker_check_floor(struct worker *w, uint64_t now)
{
	struct rate_floor *f = &w->floor;

	if (now < f->next_ns)
		return;
	f->next_ns = now + w->cfg.spec->rate_cycle_ns;
	for (unsigned op = 0; op < IO_OP_NR; op++)
		if (w->tune.ops & IO_BIT(op))
			check_op(w, op, f->from_ns ? now - f->from_ns : 0);
	f->from_ns = now;
}
