#include "src/base/clock.h"

#include <errno.h>
#include <time.h>

struct clock clock_real;

uint64_t clock_mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

uint64_t clock_slept_ns(void)
{
	struct timespec boot, mono;
	int64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	ns = (boot.tv_sec - mono.tv_sec) * (int64_t)NSEC_PER_SEC + boot.tv_nsec - mono.tv_nsec;
	return ns > 0 ? (uint64_t)ns : 0;
}

void clock_sleep_until(struct clock *c, uint64_t t_ns)
{
	struct timespec ts = {.tv_sec = (time_t)(t_ns / NSEC_PER_SEC),
			      .tv_nsec = (long)(t_ns % NSEC_PER_SEC)};

	if (c->turns) {
		clock_turns_sleep(c, t_ns);
		return;
	}
	if (c->is_virtual) {
		if (t_ns > c->now_ns)
			c->now_ns = t_ns;
		return;
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

uint64_t clock_wall_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / NSEC_PER_MSEC;
}
