#include "src/run/sampler_disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/dev/device.h"
#include "src/run/sampler_split.h"
#include "src/run/thermo.h"

#define DISK_EVERY_TICKS 5u /* 500 ms; the kernel counts whole ms, shorter windows lie */
#define DISK_RING        3u /* newest against the one a second before */

static bool is_target(const struct sampler *s, uint32_t major, uint32_t minor)
{
	for (unsigned i = 0; i < s->n_lanes; i++) {
		const struct plan *p = &s->lanes[i].lane->plan;

		for (unsigned t = 0; t < p->n_targets; t++)
			for (size_t d = 0; d < p->targets[t].info.n_disks; d++)
				if (p->targets[t].info.disk[d].major == major &&
				    p->targets[t].info.disk[d].minor == minor)
					return true;
	}
	return false;
}

/* Whole disks only: a partition's I/O is in its disk's counters already. Decided by sysfs, not by name. */
static bool is_partition(const struct sampler *s, const struct disk_counters *c)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/sys/dev/block/%u:%u/partition", s->fsroot, c->major,
		 c->minor);
	return access(path, F_OK) == 0;
}

static bool is_busy(const struct disk_rate *r)
{
	return r->r_iops > 0 || r->w_iops > 0 || r->d_iops > 0 || r->util_pct > 0;
}

static int by_target_then_name(const void *a, const void *b)
{
	const struct disk_rate *x = a, *y = b;

	if (x->is_target != y->is_target)
		return x->is_target ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void consider(struct sampler *s, const struct diskstats *before, const struct diskstats *now,
		     const struct disk_counters *c)
{
	const struct disk_counters *old = diskstats_find(before, c->major, c->minor);
	bool target = is_target(s, c->major, c->minor);
	struct disk_rate r;

	if (s->n_disks == DISK_RATE_MAX || (!old && !target))
		return;
	if (!old)
		old = c;
	diskstats_rate(old, c, now->t_ns - before->t_ns, &r);
	r.is_target = target;
	if (!target && (!is_busy(&r) || is_partition(s, c)))
		return;
	s->disks[s->n_disks++] = r;
}

static void make_rates(struct sampler *s)
{
	const struct diskstats *now = &s->disk_ring[s->disk_head];
	unsigned back = s->disk_filled < DISK_RING - 1 ? s->disk_filled : DISK_RING - 1;
	const struct diskstats *before =
		&s->disk_ring[(s->disk_head + DISK_RING - back) % DISK_RING];

	s->n_disks = 0;
	if (back == 0)
		return;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < now->n; i++)
			if (is_target(s, now->v[i].major, now->v[i].minor) == (pass == 0))
				consider(s, before, now, &now->v[i]);
	qsort(s->disks, s->n_disks, sizeof(s->disks[0]), by_target_then_name);
}

static bool is_measuring(const struct sampler *s)
{
	for (unsigned i = 0; i < s->n_lanes; i++)
		if (!s->lanes[i].over && atomic_load(&s->lanes[i].lane->ctl.go))
			return true;
	return false;
}

/* Over the whole second only: the newest reading against the one before the last. */
static void split_lanes(struct sampler *s)
{
	const struct diskstats *now = &s->disk_ring[s->disk_head];
	const struct diskstats *before = &s->disk_ring[(s->disk_head + 1) % DISK_RING];

	if (s->disk_filled == DISK_RING - 1)
		sampler_split(s, before, now);
}

static int read_disks(const struct sampler *s, uint64_t now_ns, struct diskstats *out)
{
	if (!s->no_disks)
		return diskstats_read(s->fsroot, now_ns, out);
	out->n = 0;
	out->t_ns = now_ns;
	return 0;
}

void sampler_disks(struct sampler *s, uint64_t now_ns, struct snapshot *snap)
{
	if (s->disk_ticks++ % DISK_EVERY_TICKS == 0) {
		sampler_devices_read(s, now_ns);
		unsigned head = (s->disk_head + 1) % DISK_RING;

		if (read_disks(s, now_ns, &s->disk_ring[head]) == 0) {
			bool first = s->disk_ring[s->disk_head].t_ns == 0;

			s->disk_head = head;
			if (!first && s->disk_filled < DISK_RING - 1)
				s->disk_filled++;
			make_rates(s);
			thermo_fill(s->thermo, s->disks, s->n_disks, is_measuring(s));
			split_lanes(s);
		}
	}
	memcpy(snap->disk, s->disks, s->n_disks * sizeof(s->disks[0]));
	snap->n_disks = sampler_devices_put(s, snap->disk, s->n_disks);
}
