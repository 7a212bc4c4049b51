#include "engines/fault.h"

struct engine_fault *engine_fault;

int engine_fault_submit(uint32_t *n)
{
	struct engine_fault *f = engine_fault;

	f->submits++;
	if (f->refuse) {
		f->refuse--;
		return -f->refuse_errno;
	}
	if (f->take_max && *n > f->take_max)
		*n = f->take_max;
	return 0;
}

void engine_fault_results(struct io_slot *const *done, uint32_t n)
{
	struct engine_fault *f = engine_fault;

	if (!f->result_every)
		return;
	for (uint32_t i = 0; i < n; i++)
		if (++f->results % f->result_every == 0)
			done[i]->res = f->result;
}
