#include "ui/heat.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/xalloc.h"

struct row {
	uint64_t begin_ns, end_ns; /* end 0: empty */
	uint32_t n[HEAT_BINS];
};

/* Grows to its limit; what falls out is merged into rows of `span_ns` for the next level. */
static const struct {
	size_t max;
	uint64_t span_ns; /* of a row; 0: as it comes */
} limits[] = {
	{3000, 0},
	{3600, NSEC_PER_SEC},
	{4320, 20 * NSEC_PER_SEC},
};
#define LEVELS (sizeof(limits) / sizeof(limits[0]))

struct level {
	struct row *v;
	size_t n, cap, first;
	struct row merging; /* newer than all of v, older than the finer level */
};

struct heat {
	struct level level[LEVELS];
	uint8_t bin_of[HIST_BUCKETS];
};

static const uint16_t r20[HEAT_PER_DECADE] = {100, 112, 125, 140, 160, 180, 200, 224, 250, 280,
					      315, 355, 400, 450, 500, 560, 630, 710, 800, 900};

uint64_t heat_edge_ns(int bin)
{
	uint64_t ns = 10;

	if (bin <= 0)
		return 0;
	for (int d = (bin - 1) / HEAT_PER_DECADE; d > 0; d--)
		ns *= 10;
	return ns * r20[(bin - 1) % HEAT_PER_DECADE];
}

int heat_bin(uint64_t ns)
{
	int lo = 0, hi = HEAT_BINS - 1;

	while (lo < hi) {
		int mid = (lo + hi + 1) / 2;

		if (heat_edge_ns(mid) <= ns)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

struct heat *heat_new(void)
{
	struct heat *h = xcalloc(1, sizeof(*h));

	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		h->bin_of[i] = (uint8_t)heat_bin(hist_value(i));
	return h;
}

void heat_free(struct heat *h)
{
	for (size_t k = 0; h && k < LEVELS; k++)
		free(h->level[k].v);
	free(h);
}

void heat_clear(struct heat *h)
{
	for (size_t k = 0; k < LEVELS; k++) {
		h->level[k].n = h->level[k].first = 0;
		h->level[k].merging.end_ns = 0;
	}
}

static struct row *row_at(const struct level *l, size_t i)
{
	return &l->v[(l->first + i) % l->cap];
}

static void push(struct heat *h, size_t k, const struct row *r);

/* A row that fell out of the finer level. */
static void merge(struct heat *h, size_t k, const struct row *r)
{
	struct row *m = &h->level[k].merging;

	if (m->end_ns &&
	    (m->end_ns != r->begin_ns || m->end_ns - m->begin_ns >= limits[k].span_ns)) {
		push(h, k, m);
		m->end_ns = 0;
	}
	if (m->end_ns == 0) {
		*m = *r;
		return;
	}
	m->end_ns = r->end_ns;
	for (int b = 0; b < HEAT_BINS; b++)
		m->n[b] += r->n[b];
}

static void push(struct heat *h, size_t k, const struct row *r)
{
	struct level *l = &h->level[k];

	if (l->n == limits[k].max) {
		if (k + 1 < LEVELS)
			merge(h, k + 1, row_at(l, 0));
		*row_at(l, 0) = *r;
		l->first = (l->first + 1) % l->cap;
		return;
	}
	if (l->n == l->cap) { /* not wrapped yet: first is 0 until the limit is reached */
		l->cap = l->cap ? 2 * l->cap : 64;
		if (l->cap > limits[k].max)
			l->cap = limits[k].max;
		l->v = xrealloc(l->v, l->cap * sizeof(*l->v));
	}
	*row_at(l, l->n++) = *r;
}

void heat_add(struct heat *h, uint64_t begin_ns, uint64_t end_ns, const struct hist *lat)
{
	struct row r = {.begin_ns = begin_ns, .end_ns = end_ns};

	for (uint32_t i = 0; i < HIST_BUCKETS; i++)
		if (lat->n[i])
			r.n[h->bin_of[i]] += (uint32_t)lat->n[i];
	push(h, 0, &r);
}

static void col_add(struct heat_col *c, const struct row *r)
{
	for (int b = 0; b < HEAT_BINS; b++) {
		c->n[b] += r->n[b];
		c->total += r->n[b];
	}
}

static void add_row(const struct row *r, uint64_t left_ns, double width_ns, struct heat_col *cols,
		    size_t n)
{
	double from = (double)(int64_t)(r->begin_ns - left_ns) / width_ns;
	double to = (double)(int64_t)(r->end_ns - left_ns) / width_ns, mid = (from + to) / 2;
	size_t first = from > 0 ? (size_t)from : 0;

	for (size_t i = first; i < n && (double)i < to; i++) {
		bool holds_middle = (double)i <= mid && mid < (double)(i + 1);
		bool within = (double)i + 0.5 >= from && (double)i + 0.5 < to && to - from > 1;

		if (holds_middle || within)
			col_add(&cols[i], r);
	}
}

void heat_columns(const struct heat *h, uint64_t left_ns, double width_ns, struct heat_col *cols,
		  size_t n)
{
	memset(cols, 0, n * sizeof(*cols));
	for (size_t k = LEVELS; k-- > 0;) {
		const struct level *l = &h->level[k];

		for (size_t i = 0; i < l->n; i++)
			if (row_at(l, i)->end_ns > left_ns)
				add_row(row_at(l, i), left_ns, width_ns, cols, n);
		if (l->merging.end_ns > left_ns)
			add_row(&l->merging, left_ns, width_ns, cols, n);
	}
}
