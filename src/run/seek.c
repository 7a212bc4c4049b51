#include "src/run/seek.h"

#define STEADY 3u

void seek_init(struct seek *s, uint32_t limit, bool forever, bool twice)
{
	*s = (struct seek){.limit = limit, .depth = 1, .forever = forever, .twice = twice};
}

static uint32_t step_up(const struct seek *s)
{
	uint64_t depth = s->high ? ((uint64_t)s->depth + s->high) / 2 : 2 * (uint64_t)s->depth;

	return depth < s->limit ? (uint32_t)depth : s->limit;
}

enum seek_next seek_held(struct seek *s)
{
	uint32_t was = s->depth;

	s->low = was;
	s->missed = false;
	if (s->forever && was + 1 == s->high && ++s->steady == STEADY) {
		s->steady = 0;
		s->high = was + 2;
	}
	s->depth = step_up(s);
	if (s->depth != was) {
		s->last = false;
		return SEEK_UP;
	}
	if (s->forever)
		return SEEK_AGAIN;
	if (s->last)
		return SEEK_DONE;
	s->last = true;
	return SEEK_LAST;
}

enum seek_next seek_failed(struct seek *s)
{
	s->steady = 0;
	if (s->twice && !s->missed) {
		s->missed = true;
		return SEEK_RETRY;
	}
	s->last = s->missed = false;
	if (s->depth == 1)
		return SEEK_LOST;
	s->high = s->depth;
	/* It held before and does not now: what held is further down. */
	if (s->low >= s->depth)
		s->low = s->depth - 1;
	s->depth = s->low ? (s->depth + s->low) / 2 : s->depth / 2;
	return SEEK_DOWN;
}

void seek_limit(struct seek *s, uint32_t limit)
{
	if (limit == s->limit)
		return;
	s->limit = limit;
	s->last = s->missed = false;
	if (s->high > limit)
		s->high = 0;
	if (s->depth > limit)
		s->depth = limit;
}
