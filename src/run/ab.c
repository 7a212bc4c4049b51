#include "src/run/ab.h"

#define LOOK_NS       100000000ull
#define LOOK_DRAIN_NS 2000000ull

void ab_init(struct ab *a)
{
	*a = (struct ab){.slice_ns = AB_SLICE_DEFAULT_NS};
}

void ab_begin(struct ab *a)
{
	a->begun = a->draining = false;
	a->turn = 0;
	a->slices = 0;
}

void ab_set(struct ab *a, bool alternate, uint64_t slice_ns)
{
	if (slice_ns)
		a->slice_ns = slice_ns;
	if (a->alternate != alternate)
		ab_begin(a);
	a->alternate = alternate;
}

static uint32_t all_lanes(const struct ab_seen *s)
{
	return s->n_lanes >= 32 ? UINT32_MAX : (1u << s->n_lanes) - 1;
}

/* The next lane after `turn` that has not ended; turn itself when it is the only one. */
static unsigned next_lane(const struct ab_seen *s, unsigned turn)
{
	for (unsigned k = 1; k <= s->n_lanes; k++) {
		unsigned i = (turn + k) % s->n_lanes;

		if (!(s->over & 1u << i))
			return i;
	}
	return turn;
}

static void count_down(struct ab *a, const struct ab_seen *s)
{
	uint64_t dt = s->now_ns > a->last_ns ? s->now_ns - a->last_ns : 0;

	if (!s->held)
		a->left_ns -= dt < a->left_ns ? dt : a->left_ns;
	a->last_ns = s->now_ns;
}

static void begin_slice(struct ab *a, const struct ab_seen *s, unsigned turn, struct ab_todo *t)
{
	a->turn = turn;
	a->begun = true;
	a->draining = false;
	a->left_ns = a->slice_ns;
	a->last_ns = s->now_ns;
	a->slices++;
	t->new_slice = true;
}

/* May somebody else go? Everyone who still could work must be idle. */
static bool is_quiet(const struct ab_seen *s)
{
	return ((s->idle | s->over) & all_lanes(s)) == all_lanes(s);
}

void ab_step(struct ab *a, const struct ab_seen *s, struct ab_todo *t)
{
	uint32_t all = all_lanes(s);
	bool over;

	*t = (struct ab_todo){.look_ns = LOOK_NS};
	if (!a->alternate || s->n_lanes < 2)
		return;
	if (a->begun && !a->draining) {
		count_down(a, s);
		over = s->over & 1u << a->turn;
		/* The last one alive needs no turns. */
		if (next_lane(s, a->turn) != a->turn && (a->left_ns == 0 || over))
			a->draining = true;
	}
	t->wait = all;
	if (!a->begun || a->draining) {
		t->look_ns = LOOK_DRAIN_NS;
		if (s->held || !is_quiet(s))
			return;
		begin_slice(a, s, a->begun ? next_lane(s, a->turn) : 0, t);
		t->look_ns = LOOK_NS;
	}
	t->wait &= ~(1u << a->turn);
	if (a->left_ns < t->look_ns && a->left_ns > 0)
		t->look_ns = a->left_ns;
}
