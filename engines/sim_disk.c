#include "engines/sim_disk.h"

#include <math.h>
#include <stddef.h>

#include "src/base/clock.h"

/* md's default chunk. */
#define STRIPE_BYTES (512u * 1024)

static uint32_t spindles_of(const struct sim_params *p)
{
	return p->path[IO_READ].units;
}

uint32_t sim_disk_spindle(uint64_t offset, uint32_t spindles)
{
	return (uint32_t)(offset / STRIPE_BYTES % spindles);
}

/* The byte on its own spindle. */
static uint64_t local_byte(uint64_t offset, uint32_t spindles)
{
	if (spindles == 1)
		return offset;
	return offset / STRIPE_BYTES / spindles * STRIPE_BYTES + offset % STRIPE_BYTES;
}

static double track_of(const struct sim_params *p, uint64_t byte)
{
	double t = (double)byte * spindles_of(p) / (double)p->size_bytes;

	return t < 1 ? t : 1;
}

static double seek_ns(const struct sim_params *p, double from, double to)
{
	const struct sim_disk *d = &p->disk;

	return from == to ? 0
			  : (double)d->seek_min_ns + (double)(d->seek_max_ns - d->seek_min_ns) *
							     sqrt(fabs(to - from));
}

/* Until the byte is under the head: the arm's way, then the platter's. */
static double position_ns(const struct sim_spindle *s, const struct sim_params *p, uint64_t byte,
			  uint64_t now_ns)
{
	double rev = (double)p->disk.rev_ns;
	double track_bytes = (double)p->disk.media_bps * rev / (double)NSEC_PER_SEC;
	double seek = seek_ns(p, s->track, track_of(p, byte));
	double angle = (double)byte / track_bytes - ((double)now_ns + seek) / rev;

	return seek + (angle - floor(angle)) * rev;
}

static double cost_ns(const struct sim_spindle *s, const struct sim_params *p,
		      const struct sim_req *r, uint64_t now_ns)
{
	uint64_t byte = local_byte(r->offset, spindles_of(p));

	if (byte == s->next_byte || !p->path[r->op].positions)
		return 0;
	return position_ns(s, p, byte, now_ns);
}

void sim_disk_queue(struct sim_spindle *s, struct sim_req *r)
{
	r->next = NULL;
	if (s->first)
		s->last->next = r;
	else
		s->first = r;
	s->last = r;
	s->n++;
}

static struct sim_req *unlink_after(struct sim_spindle *s, struct sim_req *before)
{
	struct sim_req *r = before ? before->next : s->first;

	if (before)
		before->next = r->next;
	else
		s->first = r->next;
	if (s->last == r)
		s->last = before;
	s->n--;
	return r;
}

/* How many requests are compared: a share of the queue, at least one; fractions by chance. */
static uint32_t window_size(const struct sim_spindle *s, double share, struct rng *rng)
{
	double k = 1 + share * (s->n - 1);

	return (uint32_t)(k + rng_unit(rng));
}

/* The one that goes on where the last one ended costs nothing: no drive lets it pass. NULL and false: none. */
static bool continues(const struct sim_spindle *s, const struct sim_params *p,
		      struct sim_req **before)
{
	*before = NULL;
	for (struct sim_req *r = s->first; r; *before = r, r = r->next)
		if (p->path[r->op].positions &&
		    local_byte(r->offset, spindles_of(p)) == s->next_byte)
			return true;
	return false;
}

/*
 * The nearest of some requests. A short queue compares its oldest ones; a long one (elevator_from)
 * any, each as likely, so that a request may be passed over many times: the long tails of a busy
 * disk.
 */
struct sim_req *sim_disk_pick(struct sim_spindle *s, const struct sim_params *p, struct rng *rng,
			      uint64_t now_ns)
{
	struct sim_req *before = NULL, *best_before = NULL;
	uint32_t left = s->n, want;
	double best = INFINITY;
	bool any = s->n >= p->disk.elevator_from;

	if (continues(s, p, &before))
		return unlink_after(s, before);
	before = NULL;
	if (s->n == 1 || !p->path[s->first->op].positions ||
	    (p->disk.fair > 0 && rng_unit(rng) < p->disk.fair))
		return unlink_after(s, NULL);
	want = window_size(s, p->path[s->first->op].window, rng);
	for (struct sim_req *r = s->first; r && want; before = r, r = r->next, left--) {
		double cost;

		/* Knuth's selection sampling: `want` of the `left` remaining ones. */
		if (any && rng_below(rng, left) >= want)
			continue;
		want--;
		cost = cost_ns(s, p, r, now_ns);
		if (cost < best) {
			best = cost;
			best_before = before;
		}
	}
	return unlink_after(s, best_before);
}

uint64_t sim_disk_serve(struct sim_spindle *s, const struct sim_params *p, const struct sim_req *r,
			uint64_t now_ns, uint64_t extra_ns)
{
	uint64_t byte = local_byte(r->offset, spindles_of(p));
	double ns = (double)r->len * (double)NSEC_PER_SEC / (double)p->disk.media_bps;

	if (byte != s->next_byte)
		ns += cost_ns(s, p, r, now_ns) + (double)extra_ns;
	s->track = track_of(p, byte);
	s->next_byte = byte + r->len;
	return (uint64_t)ns;
}
