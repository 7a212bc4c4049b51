/*
 * The events to come of a simulated device, earliest first: a binary heap of 16-byte entries. Equal
 * times come out in an order that depends only on the order of the calls, so runs repeat exactly.
 */
#ifndef IODECK_ENGINES_SIM_HEAP_H
#define IODECK_ENGINES_SIM_HEAP_H

#include <stdint.h>

#include "engines/sim_model.h"

struct sim_event {
	uint64_t t_ns;
	struct sim_req *req;
};

struct sim_heap {
	struct sim_event *v;
	uint32_t n, cap; /* the owner keeps n <= cap */
};

static inline uint64_t sim_heap_first_ns(const struct sim_heap *h)
{
	return h->n ? h->v[0].t_ns : SIM_NEVER;
}

static inline void sim_heap_push(struct sim_heap *h, uint64_t t_ns, struct sim_req *req)
{
	struct sim_event *v = h->v;
	uint32_t i = h->n++;

	while (i && v[(i - 1) / 2].t_ns > t_ns) {
		v[i] = v[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	v[i] = (struct sim_event){t_ns, req};
}

/*
 * The hole goes down to a leaf, and the last entry up from there: it mostly belongs near the
 * bottom.
 */
static inline struct sim_req *sim_heap_pop(struct sim_heap *h)
{
	struct sim_event *v = h->v;
	struct sim_req *top = v[0].req;
	uint32_t n = --h->n, i = 0, child = 1;
	struct sim_event last = v[n];

	while (child + 1 < n) {
		child += v[child + 1].t_ns < v[child].t_ns;
		v[i] = v[child];
		i = child;
		child = 2 * i + 1;
	}
	if (child < n) {
		v[i] = v[child];
		i = child;
	}
	while (i && v[(i - 1) / 2].t_ns > last.t_ns) {
		v[i] = v[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	v[i] = last;
	return top;
}

#endif
