/* Lanes in turns: the state machine alone, then a real session whose lanes never work at once. */
#include <criterion/criterion.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/run/ab.h"
#include "src/run/events.h"
#include "src/run/session.h"
#include "src/spec/cmdline.h"

#define SEC NSEC_PER_SEC
#define ALL 3u

struct rig {
	struct ab ab;
	struct ab_seen seen;
	struct ab_todo todo;
};

static void rig_init(struct rig *r, unsigned lanes)
{
	memset(r, 0, sizeof(*r));
	ab_init(&r->ab);
	ab_set(&r->ab, true, 2 * SEC);
	r->seen.n_lanes = lanes;
	r->seen.now_ns = 5 * SEC;
	r->seen.idle = (1u << lanes) - 1;
}

static uint32_t step(struct rig *r, uint64_t dt_ns)
{
	r->seen.now_ns += dt_ns;
	ab_step(&r->ab, &r->seen, &r->todo);
	return r->todo.wait;
}

Test(ab, both_at_once_waits_for_nobody)
{
	struct rig r;

	rig_init(&r, 2);
	ab_set(&r.ab, false, 0);
	cr_expect_eq(step(&r, 0), 0);
	cr_expect_not(r.todo.new_slice);
	cr_expect_eq(r.ab.slice_ns, 2 * SEC, "0 leaves the slice as it was");
}

Test(ab, a_drain_lies_between_two_slices)
{
	struct rig r;

	rig_init(&r, 2);
	cr_expect_eq(step(&r, 0), 2, "A first");
	cr_expect(r.todo.new_slice);
	r.seen.idle = 2;
	cr_expect_eq(step(&r, SEC), 2);
	cr_expect_not(r.todo.new_slice);
	cr_expect_eq(step(&r, SEC), ALL, "the slice is over, A has I/O in flight: nobody");
	cr_expect_lt(r.todo.look_ns, SEC / 100);
	cr_expect_eq(step(&r, SEC / 10), ALL);
	r.seen.idle = 3;
	cr_expect_eq(step(&r, SEC / 10), 1, "B");
	cr_expect(r.todo.new_slice);
	r.seen.idle = 1;
	cr_expect_eq(step(&r, SEC), 1, "B has its full time, the drain was A's");
	step(&r, SEC);
	r.seen.idle = 3;
	cr_expect_eq(step(&r, 0), 2, "A again");
	cr_expect_eq(r.ab.slices, 3);
}

Test(ab, four_lanes_go_round)
{
	struct rig r;
	unsigned seen = 0;

	rig_init(&r, 4);
	for (unsigned i = 0; i < 8; i++) {
		step(&r, 2 * SEC);
		step(&r, 0);
		cr_expect(r.todo.wait == (0xfu & ~(1u << r.ab.turn)));
		seen = seen * 10 + r.ab.turn;
	}
	cr_expect_eq(seen, 1230123, "%u", seen);
}

/* Whatever is seen: at most one lane may work, and none while another has I/O in flight. */
Test(ab, never_two_at_once)
{
	struct rig r;
	uint32_t x = 12345;

	rig_init(&r, 3);
	for (int i = 0; i < 100000; i++) {
		uint32_t go, was = ~r.todo.wait & 7u;

		x = x * 1664525u + 1013904223u;
		r.seen.idle = x >> 10 & 7u;
		r.seen.held = x >> 20 & 1u;
		if (i % 1000 == 999)
			ab_set(&r.ab, x >> 21 & 1u, 0);
		step(&r, x >> 8 & 0xffffff);
		if (!r.ab.alternate)
			continue;
		go = ~r.todo.wait & 7u;
		cr_assert(go == 0 || go == 1 || go == 2 || go == 4);
		if (r.todo.new_slice)
			cr_assert_eq(r.seen.idle, 7u, "step %d, was %u", i, was);
	}
}

Test(ab, who_has_ended_has_no_turn)
{
	struct rig r;

	rig_init(&r, 2);
	step(&r, 0);
	r.seen.over = 1;
	step(&r, SEC / 10);
	step(&r, 0);
	cr_expect_eq(r.ab.turn, 1);
	for (int i = 0; i < 5; i++)
		cr_expect_eq(step(&r, 3 * SEC) & 2u, 0, "the last one is not stopped any more");
}

Test(ab, a_pause_of_the_run_does_not_eat_a_slice)
{
	struct rig r;

	rig_init(&r, 2);
	step(&r, 0);
	step(&r, SEC);
	r.seen.held = true;
	for (int i = 0; i < 10; i++)
		cr_expect_eq(step(&r, SEC), 2);
	r.seen.held = false;
	cr_expect_eq(step(&r, SEC / 2), 2);
	step(&r, SEC / 2);
	cr_expect_eq(r.ab.turn, 1);
}

/* Slices come for ever; the change that somebody made an hour ago is still told of. */
Test(ab, slices_do_not_push_out_what_happened)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct segment after = {.p99_ns = 7};
	struct events ev;
	uint64_t id;

	events_init(&ev);
	id = events_add(&ev, 1, EVENT_TUNE, 0, NULL, "qd 8 -> 32");
	for (uint64_t i = 0; i < 1000; i++)
		events_add(&ev, 2 + i, EVENT_SLICE, i % 2, NULL, "slice");
	events_set_after(&ev, id, &after);
	events_copy(&ev, s);
	cr_expect_eq(s->n_events, EVENT_MAX);
	cr_expect_eq(s->event[0].id, id);
	cr_expect_eq(s->event[0].after.p99_ns, 7);
	for (unsigned i = 0; i < 500; i++)
		events_add(&ev, 2000 + i, EVENT_MARK, 0, NULL, "m");
	events_copy(&ev, s);
	for (unsigned i = 1; i < s->n_events; i++)
		cr_expect_gt(s->event[i].id, s->event[i - 1].id, "oldest first");
	cr_expect_eq(s->event[0].kind, EVENT_SLICE, "and the other way round");
	cr_expect_eq(s->event[s->n_events - 1].id, 1501);
	events_fini(&ev);
	free(s);
}

/* ---- a session ---- */

static void start(struct session **s, struct cmdline *cmd, const char *args)
{
	struct session_cfg cfg = {.fsroot = ""};
	struct err e = {0};
	char text[512], *argv[64];
	int n = 0;

	memset(cmd, 0, sizeof(*cmd));
	snprintf(text, sizeof(text), "%s", args);
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		argv[n++] = w;
	cr_assert_eq(cmdline_parse(n, argv, cmd, &e), 0, "%s", e.msg);
	cr_assert_eq(session_open(s, &cfg, &e), 0);
	cr_assert_eq(session_alternate(*s, true, SEC, &e), 0);
	cr_assert_eq(session_start(*s, &cmd->spec, &e), 0, "%s", e.msg);
}

/* Counts of each lane grow only while it has its turn. */
static unsigned watch(struct session *s)
{
	struct snapshot *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));
	struct feed *f = session_feed(s);
	unsigned slices = 0;

	while (!session_wait(s, SEC / 20)) {
		if (!f->ops->next(f, b->seq, a) || !b->seq || a->n_lanes != 2) {
			*b = *a;
			continue;
		}
		cr_expect_not(a->lane[0].inflight && a->lane[1].inflight);
		for (int i = 0; i < 2; i++)
			if (a->lane[i].state == RUN_PAUSED && b->lane[i].state == RUN_PAUSED &&
			    a->lane[i].sec[IO_OP_NR].ops == 0 && b->seq + 1 == a->seq)
				cr_expect_eq(a->lane[i].total[IO_OP_NR].ops,
					     b->lane[i].total[IO_OP_NR].ops);
		slices = 0;
		for (uint32_t i = 0; i < a->n_events; i++)
			slices += a->event[i].kind == EVENT_SLICE;
		*b = *a;
	}
	free(a);
	free(b);
	return slices;
}

/* Two lanes of 2000 I/Os a second in turns: each has half of the time, and its rate is 2000 all the same. */
Test(ab, statistics_hold_the_own_slices_only, .timeout = 60)
{
	const struct run_result *r;
	struct session *s;
	struct cmdline cmd;
	unsigned slices;

	start(&s, &cmd,
	      "--ioengine=null --size=1g --rw=randread --bs=4k --time_based --runtime=6 "
	      "--rate_iops=2000 --name=a --name=b");
	slices = watch(s);
	cr_expect_geq(slices, 4, "%u", slices);
	r = session_result(s);
	cr_assert_eq(r->n_jobs, 2);
	for (int i = 0; i < 2; i++) {
		const struct dir_result *d = &r->jobs[i].dir[IO_READ];

		cr_expect(d->iops > 1500 && d->iops < 2300, "job %d: %.0f IOPS", i, d->iops);
		cr_expect(d->runtime_ms > 1500 && d->runtime_ms < 4500, "job %d: %llu ms", i,
			  (unsigned long long)d->runtime_ms);
	}
	session_close(s);
	cmdline_fini(&cmd);
}
