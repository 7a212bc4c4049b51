/* Stalls: gaps between completions, measured where they are seen and told with their true length. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/sampler.h"
#include "src/spec/cmdline.h"

#define STALL_US 80000

/* The null engine, but once it keeps everybody waiting. */
static struct engine_ops slow;
static _Atomic bool stall_now;

static int slow_reap(struct engine *eng, struct io_slot **done, uint32_t min, uint32_t max,
		     uint64_t wait_ns)
{
	if (atomic_exchange(&stall_now, false))
		usleep(STALL_US);
	return engine_find("null")->reap(eng, done, min, max, wait_ns);
}

static struct events events;
static struct sampler s;
static struct snapshot *snap;

static void tick(void)
{
	usleep(20000);
	sampler_tick(&s, clock_mono_ns(), snap);
	events_copy(&events, snap);
}

/* Longest stall told so far, ms; 0: none. */
static unsigned longest(void)
{
	unsigned max = 0, ms;

	for (uint32_t i = 0; i < snap->n_events; i++)
		if (snap->event[i].kind == EVENT_STALL &&
		    sscanf(snap->event[i].text, "stall %u ms", &ms) == 1 && ms > max)
			max = ms;
	return max;
}

Test(stall, is_told_with_its_length)
{
	char args[][40] = {"--name=t",     "--ioengine=null", "--size=1g",    "--time_based",
			   "--runtime=60", "--iodepth=4",     "--rw=randread"};
	char *argv[7];
	struct cmdline cmd;
	struct err e = {0};
	struct lane lane, *lanes[] = {&lane};
	struct plan_env env = {.target.fsroot = ""};

	for (int i = 0; i < 7; i++)
		argv[i] = args[i];
	snap = calloc(1, sizeof(*snap));
	cr_assert_eq(cmdline_parse(7, argv, &cmd, &e), 0, "%s", e.msg);
	events_init(&events);
	sampler_init(&s, "", &events);
	lane_init(&lane, &clock_real, &s.epoch, false, NULL);
	cr_assert_eq(plan_build(&lane.plan, &cmd.spec.jobs[0], &env, &e), 0, "%s", e.msg);
	slow = *engine_find("null");
	slow.reap = slow_reap;
	lane.plan.engine = &slow;
	cr_assert_eq(lane_open(&lane, &e), 0, "%s", e.msg);
	sampler_set_lanes(&s, lanes, 1);
	lane_go(&lane, clock_mono_ns());
	for (int i = 0; i < 10; i++)
		tick();
	atomic_store(&stall_now, true);
	for (int i = 0; i < 200 && longest() < STALL_US / 1000; i++)
		tick();
	cr_expect_geq(longest(), STALL_US / 1000);
	cr_expect(strstr(snap->event[snap->n_events - 1].text, "4 in flight"), "%s",
		  snap->event[snap->n_events - 1].text);
	lane_stop(&lane);
	lane_join(&lane);
	sampler_set_lanes(&s, NULL, 0);
	lane_fini(&lane);
	sampler_fini(&s);
	events_fini(&events);
	cmdline_fini(&cmd);
	free(snap);
}
