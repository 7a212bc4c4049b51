/* The engine "sim": waiting, sharing, counters, errors. What the model computes: test_sim.c. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/engine.h"
#include "src/base/xalloc.h"

#define BLOCK 4096u

/* One instance with its slots. */
struct rig {
	struct engine eng;
	struct io_slot *slots, **list, **done;
	uint32_t depth;
};

static const struct engine_ops *sim(void)
{
	return engine_find("sim");
}

static struct engine_device *device(const char *target, struct clock *clock)
{
	struct engine_device *d = NULL;
	struct err e = {0};

	cr_assert_eq(sim()->device->get(target, clock, &d, &e), 0, "%s", e.msg);
	return d;
}

static void open_rig(struct rig *r, struct engine_device *d, struct clock *clock, uint32_t depth,
		     bool writable)
{
	struct engine_env env = {.align = 512,
				 .depth_max = depth,
				 .len_max = BLOCK,
				 .clock = clock,
				 .writable = writable,
				 .device = d};
	struct err e = {0};

	r->depth = depth;
	r->slots = xcalloc(depth, sizeof(*r->slots));
	r->list = xcalloc(depth, sizeof(struct io_slot *));
	r->done = xcalloc(depth, sizeof(struct io_slot *));
	for (uint32_t i = 0; i < depth; i++) {
		r->slots[i] = (struct io_slot){.index = i, .len = BLOCK, .offset = i * BLOCK};
		r->list[i] = &r->slots[i];
	}
	r->eng.ops = sim();
	cr_assert_eq(sim()->open(&r->eng, &env, &e), 0, "%s", e.msg);
}

static void close_rig(struct rig *r)
{
	sim()->close(&r->eng);
	free(r->slots);
	free(r->list);
	free(r->done);
}

/* Reads of everything the instance has, n times over; the virtual time at the end. */
static uint64_t churn(struct rig *r, struct clock *clock, uint32_t n)
{
	cr_assert_eq(sim()->submit(&r->eng, r->list, r->depth), (int)r->depth);
	while (n > r->depth) {
		int k = sim()->reap(&r->eng, r->done, 1, r->depth, NSEC_PER_SEC);

		cr_assert(k > 0);
		for (int i = 0; i < k; i++) {
			cr_assert_eq(r->done[i]->res, BLOCK);
			r->done[i]->offset += 977 * BLOCK;
		}
		cr_assert_eq(sim()->submit(&r->eng, r->done, (uint32_t)k), k);
		n -= (uint32_t)k < n ? (uint32_t)k : n;
	}
	cr_assert_eq(sim()->reap(&r->eng, r->done, r->depth, r->depth, 60 * NSEC_PER_SEC),
		     (int)r->depth);
	return clock->now_ns;
}

Test(sim_engine, marks_itself)
{
	cr_assert_not_null(sim());
	cr_expect(sim()->flags & ENGINE_SIM);
	cr_expect(sim()->flags & ENGINE_DISKLESS);
	cr_expect_not_null(sim()->device);
	cr_expect_str_eq(sim()->device->prefix, "sim:");
}

Test(sim_engine, moves_a_virtual_clock_the_same_way_each_time)
{
	uint64_t end[2];

	for (unsigned i = 0; i < 2; i++) {
		struct clock clock = {.is_virtual = true, .now_ns = 5};
		struct engine_device *d = device("sim:sata", &clock);
		struct rig r;

		open_rig(&r, d, &clock, 32, false);
		end[i] = churn(&r, &clock, 20000);
		close_rig(&r);
		sim()->device->put(d);
	}
	cr_expect_eq(end[0], end[1]);
	cr_expect(end[0] > 300 * NSEC_PER_MSEC && end[0] < 400 * NSEC_PER_MSEC, "%lu",
		  (unsigned long)end[0]);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/*
 * A million simulated I/Os a second on less than one core: each costs less than a microsecond of
 * processor time. About 80 ns in truth; tests/tools/sim_fit.c --speed measures it.
 */
Test(sim_engine, an_io_costs_less_than_a_microsecond_of_cpu)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = device("sim:nvme", &clock);
	struct rig r;
	uint64_t before;

	open_rig(&r, d, &clock, 128, false);
	churn(&r, &clock, 1000);
	before = cpu_ns();
	churn(&r, &clock, 200000);
	cr_expect_lt(cpu_ns() - before, 200000ull * 1000, "%lu ns each",
		     (unsigned long)(cpu_ns() - before) / 200000);
	close_rig(&r);
	sim()->device->put(d);
}

/* Two workers on one target queue behind each other; on two targets they do not. */
Test(sim_engine, is_shared_by_all_who_name_it)
{
	static const char *const second[] = {"sim:sata?tags=1", "sim:sata?tags=1&seed=2"};
	uint64_t took[2];

	for (unsigned i = 0; i < 2; i++) {
		struct clock clock = {.is_virtual = true};
		struct engine_device *a = device(second[0], &clock), *b = device(second[i], &clock);
		struct rig x, y;

		cr_expect_eq(a == b, i == 0);
		open_rig(&x, a, &clock, 16, false);
		open_rig(&y, b, &clock, 16, false);
		cr_assert_eq(sim()->submit(&x.eng, x.list, 16), 16);
		cr_assert_eq(sim()->submit(&y.eng, y.list, 16), 16);
		cr_assert_eq(sim()->reap(&x.eng, x.done, 16, 16, NSEC_PER_SEC), 16);
		cr_assert_eq(sim()->reap(&y.eng, y.done, 16, 16, NSEC_PER_SEC), 16);
		took[i] = clock.now_ns;
		close_rig(&x);
		close_rig(&y);
		sim()->device->put(a);
		sim()->device->put(b);
	}
	cr_expect(took[0] > took[1] * 3 / 2, "%lu, %lu", (unsigned long)took[0],
		  (unsigned long)took[1]);
}

/* A held device keeps what it counted while workers come and go. */
Test(sim_engine, counts_like_a_disk)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = device("sim:sata", &clock);
	struct engine_counters c;
	struct rig r;

	for (unsigned i = 1; i <= 2; i++) {
		open_rig(&r, d, &clock, 8, true);
		r.slots[3].op = IO_WRITE;
		cr_assert_eq(sim()->submit(&r.eng, r.list, 8), 8);
		sim()->device->count(d, &c);
		cr_expect_eq(c.inflight, 8);
		cr_assert_eq(sim()->reap(&r.eng, r.done, 8, 8, NSEC_PER_SEC), 8);
		sim()->device->count(d, &c);
		cr_expect_eq(c.inflight, 0);
		cr_expect_eq(c.ios[IO_READ], 7 * i);
		cr_expect_eq(c.ios[IO_WRITE], i);
		cr_expect_eq(c.sectors[IO_READ], 7 * i * BLOCK / 512);
		cr_expect(c.busy_ns > 0 && c.busy_ns < clock.now_ns);
		close_rig(&r);
	}
	sim()->device->put(d);
}

Test(sim_engine, answers_like_a_disk_that_is_read_only_or_too_small)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = device("sim:sata?size=1m", &clock);
	struct rig r;

	cr_expect_eq(sim()->device->size_bytes(d), 1 << 20);
	open_rig(&r, d, &clock, 4, false);
	r.slots[0].op = IO_WRITE;
	r.slots[1].op = IO_TRIM;
	r.slots[2].offset = 1 << 20;
	r.slots[3].offset = (1 << 20) - 512;
	cr_assert_eq(sim()->submit(&r.eng, r.list, 4), 4);
	cr_assert_eq(sim()->reap(&r.eng, r.done, 4, 4, NSEC_PER_SEC), 4);
	cr_expect_eq(r.slots[0].res, -EBADF);
	cr_expect_eq(r.slots[1].res, -EBADF);
	cr_expect_eq(r.slots[2].res, 0);
	cr_expect_eq(r.slots[3].res, 512);
	close_rig(&r);
	open_rig(&r, d, &clock, 2, true);
	r.slots[0].op = IO_WRITE;
	r.slots[0].offset = 1 << 20;
	r.slots[1].op = IO_TRIM;
	cr_assert_eq(sim()->submit(&r.eng, r.list, 2), 2);
	cr_assert_eq(sim()->reap(&r.eng, r.done, 2, 2, NSEC_PER_SEC), 2);
	cr_expect_eq(r.slots[0].res, -ENOSPC);
	cr_expect_eq(r.slots[1].res, BLOCK);
	close_rig(&r);
	sim()->device->put(d);
}

Test(sim_engine, a_sync_waits_for_the_flush_and_loses_nothing)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = device("sim:nvme?flush=2ms", &clock);
	uint64_t before;
	struct rig r;

	open_rig(&r, d, &clock, 4, true);
	for (unsigned i = 0; i < 4; i++)
		r.slots[i].op = IO_WRITE;
	cr_assert_eq(sim()->submit(&r.eng, r.list, 1), 1);
	cr_assert_eq(sim()->reap(&r.eng, r.done, 1, 1, NSEC_PER_SEC), 1);
	cr_assert_eq(sim()->submit(&r.eng, r.list + 1, 3), 3);
	before = clock.now_ns;
	cr_assert_eq(sim()->sync(&r.eng, false), 0);
	cr_expect(clock.now_ns - before > NSEC_PER_MSEC, "%lu",
		  (unsigned long)(clock.now_ns - before));
	cr_expect_eq(sim()->reap(&r.eng, r.done, 3, 4, 0), 3);
	close_rig(&r);
	sim()->device->put(d);
}

Test(sim_engine, closes_with_requests_in_flight)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = device("sim:hdd", &clock);
	struct engine_counters c;
	struct rig r;

	open_rig(&r, d, &clock, 16, false);
	cr_assert_eq(sim()->submit(&r.eng, r.list, 16), 16);
	close_rig(&r);
	sim()->device->count(d, &c);
	cr_expect_eq(c.ios[IO_READ], 16);
	cr_expect_eq(c.inflight, 0);
	sim()->device->put(d);
}

/* Never early with the real clock. How late depends on the machine, so that is not asserted. */
Test(sim_engine, waits_with_the_real_clock)
{
	struct engine_device *d = device("sim:sata?lat=1ms&spread=0&tail=0/0", &clock_real);
	struct rig r;

	open_rig(&r, d, &clock_real, 1, false);
	for (unsigned i = 0; i < 10; i++) {
		uint64_t start = clock_mono_ns();

		cr_assert_eq(sim()->submit(&r.eng, r.list, 1), 1);
		cr_assert_eq(sim()->reap(&r.eng, r.done, 0, 1, 0), 0, "done at once");
		cr_assert_eq(sim()->reap(&r.eng, r.done, 1, 1, 10 * NSEC_PER_SEC), 1);
		cr_expect_geq(clock_mono_ns() - start, NSEC_PER_MSEC);
	}
	close_rig(&r);
	sim()->device->put(d);
}

Test(sim_engine, a_wait_ends_when_it_should)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = device("sim:floppy", &clock);
	struct rig r;

	open_rig(&r, d, &clock, 1, false);
	cr_assert_eq(sim()->reap(&r.eng, r.done, 1, 1, NSEC_PER_SEC), 0, "nothing in flight");
	cr_expect_eq(clock.now_ns, 0);
	cr_assert_eq(sim()->submit(&r.eng, r.list, 1), 1);
	cr_expect_eq(sim()->reap(&r.eng, r.done, 1, 1, 1000), 0);
	cr_expect_eq(clock.now_ns, 1000);
	cr_expect_eq(sim()->submit(&r.eng, r.list, 1), 0, "depth is 1");
	close_rig(&r);
	sim()->device->put(d);
}

Test(sim_engine, a_bad_target_is_one_line)
{
	struct clock clock = {.is_virtual = true};
	struct engine_device *d = NULL;
	struct err e = {0};

	cr_expect_eq(sim()->device->get("sim:nope", &clock, &d, &e), -EINVAL);
	cr_expect(strstr(e.msg, "known: hdd"), "%s", e.msg);
	cr_expect_null(d);
	sim()->device->put(NULL);
}
