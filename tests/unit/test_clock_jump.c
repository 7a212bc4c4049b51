/*
 * A worker whose clock goes back: what is in flight begins anew instead of lasting 580 years. (That the wall
 * clock has no say in a run is stress_clock's affair.)
 */
#include <criterion/criterion.h>

#include "src/run/worker_turn.h"

#define HOUR_NS (3600 * NSEC_PER_SEC)

static struct clock test_clock;
static struct lane_ctl ctl = {.clock = &test_clock};
static struct io_slot slots[3];
static struct worker worker;

/* Slot 0 is on its way, slot 1 is prepared, slot 2 is to go out later. */
static uint64_t setup(uint64_t now)
{
	test_clock = (struct clock){.is_virtual = true, .now_ns = now};
	worker = (struct worker){.cfg = {.ctl = &ctl}, .slots = slots, .depth_max = 3};
	slots[0] = (struct io_slot){.start_ns = now - 500, .issue_ns = now - 400};
	slots[1] = (struct io_slot){.start_ns = now - 300};
	slots[2] = (struct io_slot){.start_ns = now, .due_ns = now + 1000};
	worker.quiet_since_ns = now - 400;
	return now;
}

Test(clock_jump, an_hour_back_and_everything_begins_now)
{
	uint64_t before = setup(2 * HOUR_NS), now;

	test_clock.now_ns -= HOUR_NS;
	now = worker_clock(&worker, before);
	cr_expect_eq(now, HOUR_NS);
	for (unsigned i = 0; i < 3; i++) {
		cr_expect_leq(slots[i].start_ns, now, "slot %u", i);
		cr_expect_leq(slots[i].issue_ns, now, "slot %u", i);
		cr_expect_leq(slots[i].due_ns, now, "slot %u", i);
	}
	cr_expect_eq(slots[1].issue_ns, 0, "not issued is not issued now");
	cr_expect_eq(now - worker.quiet_since_ns, 0, "no gap of an hour");
	cr_expect_eq(worker.look_ns, now, "the controls are looked at at once");
}

/* Two readings of one counter may be out of order by a little: no time has passed. */
Test(clock_jump, a_little_back_is_no_jump)
{
	uint64_t before = setup(2 * HOUR_NS);

	test_clock.now_ns -= NSEC_PER_USEC;
	cr_expect_eq(worker_clock(&worker, before), before);
	cr_expect_eq(slots[0].start_ns, before - 500);
	cr_expect_eq(slots[2].due_ns, before + 1000);
}

Test(clock_jump, forward_is_time_that_has_passed)
{
	uint64_t before = setup(2 * HOUR_NS);

	test_clock.now_ns += HOUR_NS;
	cr_expect_eq(worker_clock(&worker, before), before + HOUR_NS);
	cr_expect_eq(slots[0].start_ns, before - 500);
}
