#include "src/run/sampler_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/run/sampler.h"

#define SECTOR_BYTES 512

static double rate(uint64_t before, uint64_t now, double s)
{
	return (double)(now - before) / s;
}

static double await(const struct engine_counters *a, const struct engine_counters *b, unsigned op)
{
	uint64_t n = b->ios[op] - a->ios[op];

	return n ? (double)(b->ticks_ns[op] - a->ticks_ns[op]) / (double)n : (double)NAN;
}

void device_rate_make(const struct engine_counters *before, const struct engine_counters *now,
		      uint64_t dt_ns, struct disk_rate *r)
{
	double s = (double)dt_ns / 1e9, util = 100 * rate(before->busy_ns, now->busy_ns, s) / 1e9;

	*r = (struct disk_rate){
		.r_iops = rate(before->ios[IO_READ], now->ios[IO_READ], s),
		.w_iops = rate(before->ios[IO_WRITE], now->ios[IO_WRITE], s),
		.d_iops = rate(before->ios[IO_TRIM], now->ios[IO_TRIM], s),
		.r_bps = SECTOR_BYTES * rate(before->sectors[IO_READ], now->sectors[IO_READ], s),
		.w_bps = SECTOR_BYTES * rate(before->sectors[IO_WRITE], now->sectors[IO_WRITE], s),
		.r_await_ns = await(before, now, IO_READ),
		.w_await_ns = await(before, now, IO_WRITE),
		.aqu_sz = rate(before->queue_ns, now->queue_ns, s) / 1e9,
		.util_pct = util > 100 ? 100 : util,
		.inflight = (double)now->inflight,
	};
}

const struct engine_counters *device_counters_at(const struct device_sampler *d, uint64_t t_ns)
{
	for (unsigned i = 0; i < d->filled; i++) {
		unsigned at = (d->head + SAMPLER_DEVICE_RING - i) % SAMPLER_DEVICE_RING;

		if (d->ring[at].t_ns == t_ns)
			return &d->ring[at].c;
	}
	return NULL;
}

/* Lanes may share a device: it is told once, with the first of them. */
static bool is_first(const struct sampler *s, unsigned lane)
{
	for (unsigned i = 0; i < lane; i++)
		if (s->lanes[i].lane->plan.device == s->lanes[lane].lane->plan.device)
			return false;
	return true;
}

static void read_device(struct device_sampler *d, const struct plan *p, uint64_t now_ns)
{
	unsigned old;
	uint64_t dt_ns;

	d->head = (d->head + 1) % SAMPLER_DEVICE_RING;
	p->engine->device->count(p->device, &d->ring[d->head].c);
	d->ring[d->head].t_ns = now_ns;
	if (d->filled < SAMPLER_DEVICE_RING)
		d->filled++;
	old = (d->head + SAMPLER_DEVICE_RING - (d->filled - 1)) % SAMPLER_DEVICE_RING;
	dt_ns = now_ns - d->ring[old].t_ns;
	d->valid = dt_ns > 0;
	if (!d->valid)
		return;
	device_rate_make(&d->ring[old].c, &d->ring[d->head].c, dt_ns, &d->rate);
	snprintf(d->rate.name, sizeof(d->rate.name), "%.31s", p->device_name);
	d->rate.is_target = true;
}

void sampler_devices_read(struct sampler *s, uint64_t now_ns)
{
	for (unsigned i = 0; i < s->n_lanes; i++) {
		const struct plan *p = &s->lanes[i].lane->plan;

		if (p->device && is_first(s, i))
			read_device(&s->lanes[i].device, p, now_ns);
	}
}

unsigned sampler_devices_put(const struct sampler *s, struct disk_rate out[DISK_RATE_MAX],
			     unsigned n)
{
	unsigned k = 0;

	for (unsigned i = 0; i < s->n_lanes; i++) {
		if (!s->lanes[i].device.valid)
			continue;
		if (n == DISK_RATE_MAX)
			n--;
		memmove(&out[k + 1], &out[k], (n - k) * sizeof(out[0]));
		out[k++] = s->lanes[i].device.rate;
		n++;
	}
	return n;
}
