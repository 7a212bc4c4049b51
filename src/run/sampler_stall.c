#include "src/run/sampler_stall.h"

#include <stdio.h>

#define STALL_P99_FOLD 20u

#define LOAD(p) atomic_load_explicit((p), memory_order_relaxed)

struct gap {
	uint64_t ns, end_ns;
	uint32_t inflight;
	unsigned worker;
};

/* The longest gap of any worker that ended since the last look. */
static struct gap longest_gap(struct sampler *s, struct lane_sampler *ls)
{
	struct lane *l = ls->lane;
	uint64_t epoch = LOAD(&s->epoch), seen = ls->gap_seen_ns;
	struct gap g = {0};

	pthread_mutex_lock(&l->lock);
	for (unsigned k = 0; k < l->n_slots; k++) {
		/* One that ended after the last look but in its tick is found in the tick before. */
		for (unsigned back = 0; back < 2 && back <= epoch; back++) {
			struct worker *w = l->workers[k];
			unsigned slot = (unsigned)((epoch - back) % OP_EPOCHS);
			uint64_t ns, end;

			if (atomic_load_explicit(&w->gap[slot].epoch, memory_order_acquire) !=
			    epoch - back)
				continue;
			ns = LOAD(&w->gap[slot].ns);
			end = LOAD(&w->gap[slot].end_ns);
			if (end <= seen)
				continue;
			if (end > ls->gap_seen_ns)
				ls->gap_seen_ns = end;
			if (ns > g.ns)
				g = (struct gap){ns, end, LOAD(&w->gap[slot].inflight), k + 1};
		}
	}
	pthread_mutex_unlock(&l->lock);
	return g;
}

static void stall_event(struct sampler *s, unsigned i, uint64_t begin_ns, const char *text)
{
	struct lane_sampler *ls = &s->lanes[i];

	if (ls->stall_event) {
		events_set_text(s->events, ls->stall_event, text);
		return;
	}
	ls->stall_from_ns = begin_ns;
	ls->stall_event = events_add(s->events, begin_ns, EVENT_STALL, i, NULL, "%s", text);
}

/* The lane is quiet now: the event's length grows with each tick until something completes. */
static void stall_goes_on(struct sampler *s, unsigned i, const struct lane_snap *snap,
			  uint64_t now_ns)
{
	char text[96];

	snprintf(text, sizeof(text), "stall %.0f ms: nothing completed, %u in flight",
		 (double)snap->oldest_ns / 1e6, snap->inflight);
	stall_event(s, i, now_ns - snap->oldest_ns, text);
}

/* A worker measured a gap from end to end: its length is exact, that of the ticks is not. */
static void stall_ended(struct sampler *s, unsigned i, const struct gap *g)
{
	struct lane_sampler *ls = &s->lanes[i];
	char text[96], who[24] = "";

	if (ls->lane->n_slots > 1)
		snprintf(who, sizeof(who), " in job %u", g->worker);
	snprintf(text, sizeof(text), "stall %.0f ms: nothing completed%s, %u in flight",
		 (double)g->ns / 1e6, who, g->inflight);
	if (ls->stall_event && g->end_ns < ls->stall_from_ns)
		ls->stall_event = 0;
	stall_event(s, i, g->end_ns - g->ns, text);
	ls->stall_event = 0;
}

void sampler_stall(struct sampler *s, unsigned i, const struct lane_snap *snap, uint64_t now_ns)
{
	struct lane_sampler *ls = &s->lanes[i];
	struct gap g = longest_gap(s, ls);
	uint64_t limit =
		snap->sec[IO_OP_NR].lat.n ? snap->sec[IO_OP_NR].lat.pct_ns[3] * STALL_P99_FOLD : 0;

	if (limit < WORKER_GAP_NS)
		limit = WORKER_GAP_NS;
	if (g.ns >= limit)
		stall_ended(s, i, &g);
	if (snap->oldest_ns > limit)
		stall_goes_on(s, i, snap, now_ns);
	else
		ls->stall_event = 0;
}
