#include "src/run/sampler_split.h"

#include <math.h>
#include <string.h>

#define WINDOW_MIN_NS (990 * NSEC_PER_MSEC) /* a second, with what the ticks may be off */
#define TICKS_MIN_MS  10                    /* the kernel counts whole milliseconds */
#define OPS_DIFFER    0.10
#define TIME_SLACK    1.02 /* the two windows' ends are microseconds apart */
#define SECTOR_BYTES  512u

struct time_split split_make(const struct split_in *in)
{
	struct time_split t = {.app_ns = NAN, .host_ns = NAN, .dev_ns = NAN, .foreign_pct = NAN};
	double ratio;

	if (in->lat_n)
		t.app_ns = (double)in->lat_sum_ns / (double)in->lat_n;
	if (!in->has_disk) {
		t.state = SPLIT_NO_DISK;
		return t;
	}
	if (in->dt_ns < WINDOW_MIN_NS || !in->lat_n) {
		t.state = SPLIT_WAIT;
		return t;
	}
	if (in->dev_bytes)
		t.foreign_pct = in->dev_bytes > in->app_bytes
					? 100 * (double)(in->dev_bytes - in->app_bytes) /
						  (double)in->dev_bytes
					: 0;
	ratio = in->app_ops ? (double)in->dev_ops / (double)in->app_ops : INFINITY;
	t.ops_ratio = ratio;
	if (in->shared)
		t.state = SPLIT_SHARED;
	else if (in->dev_ticks_ms < TICKS_MIN_MS)
		t.state = SPLIT_IDLE;
	else if (fabs(ratio - 1) > OPS_DIFFER)
		t.state = SPLIT_OPS;
	if (t.state != SPLIT_OK)
		return t;
	t.dev_ns = (double)in->dev_ticks_ms * 1e6 / (double)in->dev_ops;
	if (t.dev_ns > t.app_ns * TIME_SLACK) {
		t.dev_ns = NAN;
		t.state = SPLIT_OPS;
		return t;
	}
	t.dev_ns = fmin(t.dev_ns, t.app_ns);
	t.host_ns = t.app_ns - t.dev_ns;
	return t;
}

static bool lane_has_disk(const struct lane *l, uint32_t major, uint32_t minor)
{
	for (unsigned t = 0; t < l->plan.n_targets; t++)
		for (size_t d = 0; d < l->plan.targets[t].info.n_disks; d++)
			if (l->plan.targets[t].info.disk[d].major == major &&
			    l->plan.targets[t].info.disk[d].minor == minor)
				return true;
	return false;
}

static uint64_t bytes_of(const struct disk_counters *c)
{
	return (c->sectors[0] + c->sectors[1] + c->sectors[2]) * SECTOR_BYTES;
}

/* What the lane's disks did; discards included, flushes not. */
static void add_disks(struct lane *l, const struct diskstats *before, const struct diskstats *now,
		      struct split_in *in)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct disk_counters *c = &now->v[i], *old;
		struct disk_counters d;

		if (!lane_has_disk(l, c->major, c->minor))
			continue;
		old = diskstats_find(before, c->major, c->minor);
		if (!old)
			continue;
		diskstats_sub(old, c, &d);
		in->has_disk = true;
		in->dev_ops += d.ios[0] + d.ios[1] + d.ios[2];
		in->dev_ticks_ms += d.ticks_ms[0] + d.ticks_ms[1] + d.ticks_ms[2];
		in->dev_bytes += bytes_of(&d);
	}
}

/* The engine's own device is read with the first of the lanes that share it. */
static const struct device_sampler *device_of(const struct sampler *s, const struct lane *l)
{
	for (unsigned i = 0; l->plan.device && i < s->n_lanes; i++)
		if (s->lanes[i].lane->plan.device == l->plan.device)
			return &s->lanes[i].device;
	return NULL;
}

/* The same as add_disks(), from readings at the same two times. */
static void add_device(const struct device_sampler *d, uint64_t from_ns, uint64_t to_ns,
		       struct split_in *in)
{
	const struct engine_counters *a = d ? device_counters_at(d, from_ns) : NULL;
	const struct engine_counters *b = d ? device_counters_at(d, to_ns) : NULL;
	uint64_t ticks_ns = 0;

	if (!a || !b)
		return;
	in->has_disk = true;
	for (unsigned op = 0; op < IO_OP_NR; op++) {
		in->dev_ops += b->ios[op] - a->ios[op];
		in->dev_bytes += (b->sectors[op] - a->sectors[op]) * SECTOR_BYTES;
		ticks_ns += b->ticks_ns[op] - a->ticks_ns[op];
	}
	in->dev_ticks_ms += ticks_ns / NSEC_PER_MSEC;
}

static bool lanes_share(const struct lane *a, const struct lane *b)
{
	if (a->plan.device && a->plan.device == b->plan.device)
		return true;
	for (unsigned t = 0; t < a->plan.n_targets; t++)
		for (size_t d = 0; d < a->plan.targets[t].info.n_disks; d++)
			if (lane_has_disk(b, a->plan.targets[t].info.disk[d].major,
					  a->plan.targets[t].info.disk[d].minor))
				return true;
	return false;
}

/* The lane's counters as they were at that tick; NULL: not kept. */
static const struct lane_cum *cum_at(const struct lane_sampler *ls, uint64_t t_ns)
{
	for (unsigned i = 0; i <= SAMPLER_SEC_TICKS; i++)
		if (ls->ring[i].t_ns == t_ns)
			return &ls->ring[i];
	return NULL;
}

static uint64_t all_ops(const struct lane_cum *c)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < IO_OP_NR; i++)
		n += c->op[i].ops + c->op[i].ramp_ops;
	return n;
}

static uint64_t all_bytes(const struct lane_cum *c)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < IO_OP_NR; i++)
		n += c->op[i].bytes + c->op[i].ramp_bytes;
	return n;
}

static void add_app(const struct lane_sampler *ls, uint64_t from_ns, uint64_t to_ns,
		    struct split_in *in)
{
	const struct lane_cum *a = cum_at(ls, from_ns), *b = cum_at(ls, to_ns);

	if (!b)
		return;
	in->app_ops += all_ops(b) - (a ? all_ops(a) : 0);
	in->app_bytes += all_bytes(b) - (a ? all_bytes(a) : 0);
}

static void add_latency(const struct lane_cum *a, const struct lane_cum *b, struct split_in *in)
{
	for (unsigned i = 0; i < IO_OP_NR; i++) {
		in->lat_n += b->op[i].lat.m.n - a->op[i].lat.m.n;
		in->lat_sum_ns += b->op[i].lat.m.sum_ns - a->op[i].lat.m.sum_ns;
	}
}

/* How much of what the job moved since it began its disks have moved, %. */
static void follow_bytes(struct lane_sampler *ls, const struct diskstats *before,
			 const struct diskstats *now)
{
	const struct lane_cum *a = cum_at(ls, before->t_ns), *b = cum_at(ls, now->t_ns);
	struct split_in in = {0};

	if (!a || !b || before->t_ns < ls->bytes_seen_ns)
		return;
	add_disks(ls->lane, before, now, &in);
	if (!in.has_disk)
		return;
	ls->bytes_seen_ns = now->t_ns;
	ls->dev_bytes += in.dev_bytes;
	ls->app_bytes += all_bytes(b) - all_bytes(a);
	ls->reached_pct =
		ls->app_bytes ? 100 * (double)ls->dev_bytes / (double)ls->app_bytes : (double)NAN;
}

static void split_lane(struct sampler *s, unsigned k, const struct diskstats *before,
		       const struct diskstats *now)
{
	struct lane_sampler *ls = &s->lanes[k];
	const struct lane_cum *a = cum_at(ls, before->t_ns), *b = cum_at(ls, now->t_ns);
	struct split_in in = {.shared = s->n_all > s->n_lanes};

	add_disks(ls->lane, before, now, &in);
	add_device(device_of(s, ls->lane), before->t_ns, now->t_ns, &in);
	if (a && b) {
		in.dt_ns = now->t_ns - before->t_ns;
		add_latency(a, b, &in);
	}
	for (unsigned i = 0; i < s->n_lanes; i++) {
		if (i != k && !lanes_share(ls->lane, s->lanes[i].lane))
			continue;
		add_app(&s->lanes[i], before->t_ns, now->t_ns, &in);
		in.shared = in.shared || i != k;
	}
	ls->split = split_make(&in);
	/* Lanes that are not looked at would be taken for somebody else's I/O. */
	if (s->n_all > s->n_lanes || !ls->lane->plan.spec->direct)
		ls->split.foreign_pct = NAN;
}

void sampler_split(struct sampler *s, const struct diskstats *before, const struct diskstats *now)
{
	for (unsigned k = 0; k < s->n_lanes; k++) {
		if (!atomic_load(&s->lanes[k].lane->ctl.go))
			continue;
		split_lane(s, k, before, now);
		follow_bytes(&s->lanes[k], before, now);
	}
}
