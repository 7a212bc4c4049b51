#include "src/run/sampler_segment.h"

static void segment_numbers(struct sampler *s, struct lane_sampler *ls, const struct lane_cum *now,
			    struct lane_snap *snap)
{
	struct op_win win[IO_OP_NR + 1];
	struct sampler_span sp = {.now = now,
				  .before = ls->seg,
				  .dt_ns = sampler_active_ns(ls->seg->t_ns, now->t_ns,
							     now->paused_ns - ls->seg->paused_ns)};

	if (sp.dt_ns < NSEC_PER_SEC / 10)
		return;
	sampler_windows(s, ls->lane, &sp, win, &snap->seg_lat);
	snap->seg = win[IO_OP_NR];
	snap->seg_start_ns = ls->seg->t_ns;
	ls->seg_now = (struct segment){
		.valid = win[IO_OP_NR].lat.n > 0,
		.iops = win[IO_OP_NR].iops,
		.bps = win[IO_OP_NR].bps,
		.p99_ns = win[IO_OP_NR].lat.pct_ns[3],
	};
	events_set_after(s->events, ls->seg_event, &ls->seg_now);
}

/* While it ramps, `seg` is where the ramp began. */
static bool ramp_is_over(const struct lane_sampler *ls, const struct lane_cum *now)
{
	uint64_t ran =
		sampler_active_ns(ls->seg->t_ns, now->t_ns, now->paused_ns - ls->seg->paused_ns);

	return ls->seg_no_ramp || ran >= SEGMENT_RAMP_NS;
}

void sampler_segment_tick(struct sampler *s, struct lane_sampler *ls, const struct lane_cum *now,
			  bool counting, struct lane_snap *snap)
{
	if (!counting)
		return;
	if (ls->seg_waiting && lane_is_settled(ls->lane)) {
		*ls->seg = *now;
		ls->seg_waiting = false;
		ls->seg_ramps = true;
	}
	if (!ls->seg_waiting && ls->seg_ramps && ramp_is_over(ls, now)) {
		*ls->seg = *now;
		ls->seg_ramps = false;
	}
	snap->warming = ls->seg_waiting || ls->seg_ramps;
	if (!snap->warming)
		segment_numbers(s, ls, now, snap);
}

/* ramps: something has changed. A segment that somebody begins by hand goes on as it was. */
static void begin_segment(struct lane_sampler *ls, uint64_t event, bool ramps)
{
	bool ramping = ls->seg_waiting || ls->seg_ramps;

	ls->seg_event = event;
	ls->seg_no_ramp = !ramps && (ls->seg_no_ramp || !ramping);
	ls->seg_waiting = true;
	ls->seg_ramps = false;
	ls->seg_now = (struct segment){0};
}

void sampler_tuned(struct sampler *s, uint32_t lane, const struct tuning *before,
		   const struct tuning *now, uint64_t now_ns)
{
	char text[80];

	events_describe_change(before, now, text, sizeof(text));
	if (!text[0])
		return;
	pthread_mutex_lock(&s->lock);
	if (lane < s->n_lanes) {
		struct lane_sampler *ls = &s->lanes[lane];

		begin_segment(
			ls,
			events_add(s->events, now_ns, EVENT_TUNE, lane, &ls->seg_now, "%s", text),
			true);
	}
	pthread_mutex_unlock(&s->lock);
}

void sampler_segment(struct sampler *s, uint32_t lane, uint64_t now_ns)
{
	pthread_mutex_lock(&s->lock);
	if (lane < s->n_lanes) {
		struct lane_sampler *ls = &s->lanes[lane];

		begin_segment(ls,
			      events_add(s->events, now_ns, EVENT_STATE, lane, &ls->seg_now,
					 "new segment"),
			      false);
	}
	pthread_mutex_unlock(&s->lock);
}
