#include "engines/backoff.h"

#include <errno.h>

#include "engines/fault.h"
#include "src/base/clock.h"

#define STEP_FIRST_NS (10 * NSEC_PER_USEC)
#define STEP_LAST_NS  (1 * NSEC_PER_MSEC)
#define LIMIT_NS      (10 * NSEC_PER_SEC)

static uint64_t limit_ns(void)
{
	return engine_fault && engine_fault->backoff_ns ? engine_fault->backoff_ns : LIMIT_NS;
}

int backoff_wait(struct backoff *b, uint64_t max_ns)
{
	/* Real time even under a virtual clock: it is the real kernel that is short of memory. */
	uint64_t now_ns = clock_mono_ns(), step_ns;

	if (!b->since_ns) {
		b->since_ns = now_ns;
		b->step_ns = STEP_FIRST_NS;
	} else if (now_ns - b->since_ns >= limit_ns()) {
		return -EAGAIN;
	}
	step_ns = b->step_ns < max_ns ? b->step_ns : max_ns;
	clock_sleep_until(&clock_real, now_ns + step_ns);
	if (b->step_ns < STEP_LAST_NS)
		b->step_ns *= 2;
	return 0;
}
