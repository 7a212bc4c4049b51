/* Lanes that take turns: what the state machine of ab.h sees and wants, done to the lanes of a stage. */
#include <errno.h>

#include "src/run/session_impl.h"

int session_alternate(struct session *s, bool on, uint64_t slice_ns, struct err *e)
{
	if (slice_ns && (slice_ns < AB_SLICE_MIN_NS || slice_ns > AB_SLICE_MAX_NS))
		return err_set(e, ERANGE, "a slice is of 1 s to 1 h");
	pthread_mutex_lock(&s->lock);
	ab_set(&s->ab, on, slice_ns);
	pthread_mutex_unlock(&s->lock);
	session_wake(s);
	return 0;
}

static void wait_turns(struct session *s, size_t from, size_t to, uint32_t wait, uint32_t over)
{
	for (size_t i = from; i < to; i++)
		/* One that has ended is left as it is: its time stands still. */
		if (!(over & 1u << (i - from)))
			lane_wait_turn(s->lanes[i], wait & 1u << (i - from));
}

static void look(struct session *s, size_t from, size_t to, struct ab_seen *seen)
{
	*seen = (struct ab_seen){
		.now_ns = clock_now_ns(s->cfg.clock),
		.n_lanes = (unsigned)(to - from),
		.held = atomic_load(&s->paused),
	};
	for (size_t i = from; i < to; i++) {
		struct lane *l = s->lanes[i];

		if (l->opened && lane_is_over(l))
			seen->over |= 1u << (i - from);
		if (lane_is_parked(l))
			seen->idle |= 1u << (i - from);
	}
}

/* Turns are for the lanes that are shown; more jobs than that run at once. */
static bool has_turns(size_t from, size_t to)
{
	return to - from >= 2 && to - from <= LANE_MAX;
}

/* Before the workers are let go: nobody may slip in an I/O ahead of his turn. */
void session_ab_begin(struct session *s, size_t from, size_t to)
{
	pthread_mutex_lock(&s->lock);
	ab_begin(&s->ab);
	if (s->ab.alternate && has_turns(from, to))
		wait_turns(s, from, to, UINT32_MAX, 0);
	pthread_mutex_unlock(&s->lock);
}

uint64_t session_ab_step(struct session *s, size_t from, size_t to)
{
	struct ab_seen seen;
	struct ab_todo todo;
	uint64_t slices;
	unsigned turn;

	if (!has_turns(from, to))
		return UINT64_MAX;
	pthread_mutex_lock(&s->lock);
	look(s, from, to, &seen);
	ab_step(&s->ab, &seen, &todo);
	turn = s->ab.turn;
	slices = s->ab.slices;
	wait_turns(s, from, to, todo.wait, seen.over);
	pthread_mutex_unlock(&s->lock);
	if (todo.new_slice)
		events_add(&s->events, seen.now_ns, EVENT_SLICE, turn, NULL, "slice %llu: %c",
			   (unsigned long long)slices, 'A' + (char)turn);
	return todo.look_ns;
}

void session_ab_view(struct session *s, struct snapshot *snap)
{
	pthread_mutex_lock(&s->lock);
	snap->ab.alternate = s->ab.alternate;
	snap->ab.slice_ns = s->ab.slice_ns;
	snap->ab.left_ns = s->ab.left_ns;
	snap->ab.turn = s->ab.begun && !s->ab.draining ? s->ab.turn : snap->n_lanes;
	pthread_mutex_unlock(&s->lock);
}
