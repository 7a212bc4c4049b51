/*
 * Conformance: what every entry of engine_table must do, on tmpfs and on disk, buffered and O_DIRECT.
 * A new engine is covered by being in the table.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <string.h>
#include <unistd.h>

#include "engine_rig.h"
#include "src/base/rng.h"

static struct criterion_test_params every_engine(void)
{
	static size_t which[64];
	size_t n = 0;

	while (engine_table[n]) {
		which[n] = n;
		n++;
	}
	return cr_make_param_array(size_t, which, n);
}

/* The test's body sees `ops`; engines that this machine does not allow are skipped with the reason. */
#define EngineTest(name)                                                                           \
	static void name(const struct engine_ops *ops);                                            \
	ParameterizedTestParameters(engines, name)                                                 \
	{                                                                                          \
		return every_engine();                                                             \
	}                                                                                          \
	ParameterizedTest(size_t *which, engines, name)                                            \
	{                                                                                          \
		const struct engine_ops *o = engine_table[*which];                                 \
		struct err e = {0};                                                                \
		if (o->probe && o->probe(&e))                                                      \
			cr_skip("%s", e.msg);                                                      \
		else                                                                               \
			name(o);                                                                   \
	}                                                                                          \
	static void name(const struct engine_ops *ops)

#define for_each_place(p) for (const struct place *p = places; p < places + PLACE_NR; p++)

static void read_file(const char *path, char *block, uint64_t offset)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert_eq(pread(fd, block, BLOCK, (off_t)offset), BLOCK);
	close(fd);
}

static bool has_data(const struct engine_ops *ops)
{
	return !(ops->flags & ENGINE_DISKLESS);
}

Test(engine_table, names_are_unique_and_found)
{
	for (size_t i = 0; engine_table[i]; i++) {
		cr_expect_eq(engine_find(engine_table[i]->name), engine_table[i],
			     "two engines named %s", engine_table[i]->name);
		cr_expect(strlen(engine_table[i]->summary) > 5);
		cr_expect(!engine_table[i]->options == !engine_table[i]->options_size);
	}
	cr_expect_null(engine_find("nosuch"));
	cr_expect_null(engine_find(""));
}

EngineTest(probe_leaves_nothing_open)
{
	struct err e = {0};
	unsigned before = open_fds();

	cr_expect(!ops->probe || ops->probe(&e) == 0, "%s", e.msg);
	cr_expect_eq(open_fds(), before);
}

/* Keeps the queue full in batches of changing size; every slot must come back as often as it went. */
static void churn(struct rig *r, uint32_t rounds)
{
	uint32_t depth = r->env.depth_max, busy = 0, sent = 0, back = 0;
	struct rng rng;

	rng_seed(&rng, depth);
	for (uint32_t i = 0; i < depth; i++)
		r->slots[i].done_bytes = 0; /* used here as: is in flight */
	while (back < rounds) {
		struct io_slot *batch[8192];
		uint32_t n = 0, want = 1 + (uint32_t)rng_below(&rng, depth);
		int k;

		for (uint32_t i = 0; i < depth && n < want && sent + n < rounds; i++)
			if (!r->slots[i].done_bytes)
				batch[n++] = rig_slot(r, i, IO_READ, rng_below(&rng, FILE_BLOCKS));
		k = n ? r->eng.ops->submit(&r->eng, batch, n) : 0;
		cr_assert(k >= 0 && (uint32_t)k <= n, "%s: submit %u gave %d", r->what, n, k);
		for (int i = 0; i < k; i++)
			batch[i]->done_bytes = 1;
		sent += (uint32_t)k;
		busy += (uint32_t)k;
		cr_assert_leq(busy, depth);
		k = r->eng.ops->reap(&r->eng, r->done, rng_below(&rng, 2) ? 1 : 0, depth, LONG_NS);
		cr_assert(k >= 0 && (uint32_t)k <= busy, "%s: reap gave %d of %u", r->what, k,
			  busy);
		for (int i = 0; i < k; i++) {
			struct io_slot *io = r->done[i];

			cr_assert_eq(io->done_bytes, 1, "%s: slot %u came back twice", r->what,
				     io->index);
			io->done_bytes = 0;
			cr_assert_eq(io->res, BLOCK, "%s: res %d", r->what, io->res);
			cr_assert(!has_data(r->eng.ops) ||
					  pattern_is(io->buf, BLOCK, io->offset, 0),
				  "%s: wrong data at %lu", r->what, (unsigned long)io->offset);
			memset(io->buf, 0, BLOCK);
		}
		busy -= (uint32_t)k;
		back += (uint32_t)k;
	}
	cr_expect_eq(busy, 0);
	cr_expect_eq(r->eng.ops->reap(&r->eng, r->done, 0, depth, 0), 0, "%s: a slot too many",
		     r->what);
}

EngineTest(every_slot_comes_back_once_with_its_data)
{
	for_each_place(p)
	{
		struct rig r;

		if (!rig_open(&r, ops, p, &(struct rig_cfg){.depth = 13, .readonly = true}))
			continue;
		churn(&r, 1000);
		rig_close(&r);
	}
}

/* Case 67: depths around powers of two and beyond 1024. */
EngineTest(works_at_odd_and_large_depths)
{
	static const uint32_t depth[] = {1, 2, 3, 512, 1024, 1025, 2048, 4097};

	for (size_t i = 0; i < sizeof(depth) / sizeof(*depth); i++) {
		struct rig r;

		if (ops->flags & ENGINE_SYNC && depth[i] > 3)
			continue;
		if (rig_open(&r, ops, &places[0], &(struct rig_cfg){.depth = depth[i]})) {
			churn(&r, depth[i] * 2);
			rig_close(&r);
		}
	}
}

EngineTest(depth_is_respected)
{
	for_each_place(p)
	{
		struct rig r;
		int k;

		if (!rig_open(&r, ops, p, &(struct rig_cfg){.depth = 4, .spare = 4}))
			continue;
		cr_expect_eq(rig_submit(&r, 0, 0), 0, "%s: nothing to do", r.what);
		cr_expect_eq(rig_submit(&r, 0, 8), 4, "%s", r.what);
		cr_expect_eq(rig_submit(&r, 4, 4), 0, "%s: full", r.what);
		k = ops->reap(&r.eng, r.done, 1, 1, LONG_NS);
		cr_assert_eq(k, 1, "%s", r.what);
		r.list[0] = r.done[0];
		cr_expect_eq(rig_submit(&r, 0, 1), 1, "%s: one is free again", r.what);
		rig_reap_all(&r, 4);
		for (uint32_t i = 4; i < 8; i++)
			cr_expect_eq(r.slots[i].res, -ECANCELED, "%s: spare slot touched", r.what);
		rig_close(&r);
	}
}

EngineTest(reap_gives_no_more_than_asked)
{
	struct rig r;

	cr_assert(rig_open(&r, ops, &places[2], &(struct rig_cfg){.depth = 8}));
	rig_submit_all(&r, 0, 8);
	for (uint32_t left = 8; left;) {
		int k = ops->reap(&r.eng, r.done, 3, 3, LONG_NS);

		cr_assert(k > 0 && k <= 3, "%s: %d", r.what, k);
		left -= (uint32_t)k;
	}
	rig_close(&r);
}

EngineTest(written_data_lands)
{
	for_each_place(p)
	{
		char got[BLOCK];
		struct rig r;
		int fd;

		if (!has_data(ops) || !rig_open(&r, ops, p, &(struct rig_cfg){.depth = 8}))
			continue;
		for (uint32_t i = 0; i < 8; i++) {
			struct io_slot *io = rig_slot(&r, i, IO_WRITE, i * 7);

			pattern_fill(io->buf, io->len, io->offset, 1);
		}
		rig_submit_all(&r, 0, 8);
		rig_reap_all(&r, 8);
		fd = open(r.path, O_RDONLY | O_CLOEXEC);
		for (uint64_t b = 0; b < FILE_BLOCKS; b++) {
			bool written = b % 7 == 0 && b < 56;

			cr_assert_eq(pread(fd, got, BLOCK, (off_t)(b * BLOCK)), BLOCK);
			cr_expect(pattern_is(got, BLOCK, b * BLOCK, written), "%s: block %lu",
				  r.what, (unsigned long)b);
		}
		close(fd);
		for (uint32_t i = 0; i < 8; i++)
			cr_expect_eq(r.slots[i].res, BLOCK, "%s: %d", r.what, r.slots[i].res);
		rig_close(&r);
	}
}

EngineTest(a_read_over_the_end_is_short_and_past_it_zero)
{
	for_each_place(p)
	{
		struct rig r;

		if (!has_data(ops) || !rig_open(&r, ops, p, &(struct rig_cfg){.depth = 3}))
			continue;
		rig_slot(&r, 0, IO_READ, FILE_BLOCKS);
		rig_slot(&r, 1, IO_READ, FILE_BLOCKS + 1);
		rig_slot(&r, 2, IO_READ, FILE_BLOCKS + 1000000);
		rig_submit_all(&r, 0, 3);
		rig_reap_all(&r, 3);
		cr_expect_eq(r.slots[0].res, TAIL_BYTES, "%s: %d", r.what, r.slots[0].res);
		cr_expect(pattern_is(r.slots[0].buf, TAIL_BYTES, r.slots[0].offset, 0), "%s",
			  r.what);
		cr_expect_eq(r.slots[1].res, 0, "%s: %d", r.what, r.slots[1].res);
		cr_expect_eq(r.slots[2].res, 0, "%s: %d", r.what, r.slots[2].res);
		rig_close(&r);
	}
}

static void try_to_write(struct rig *r)
{
	rig_slot(r, 0, IO_WRITE, 1);
	rig_slot(r, 1, IO_READ, 2);
	rig_slot(r, 2, IO_TRIM, 3);
	rig_slot(r, 3, IO_WRITE, 4);
	rig_submit_all(r, 0, 4);
	rig_reap_all(r, 4);
	cr_expect_eq(r->slots[0].res, -EBADF, "%s: write gave %d", r->what, r->slots[0].res);
	cr_expect_eq(r->slots[1].res, BLOCK, "%s: read gave %d", r->what, r->slots[1].res);
	cr_expect_eq(r->slots[2].res, -EBADF, "%s: trim gave %d", r->what, r->slots[2].res);
	cr_expect_eq(r->slots[3].res, -EBADF, "%s: write gave %d", r->what, r->slots[3].res);
	cr_expect(rig_file_untouched(r), "%s: the file changed", r->what);
}

EngineTest(writing_without_permission_fails_and_changes_nothing)
{
	for_each_place(p)
	{
		struct rig r;

		if (!has_data(ops) ||
		    !rig_open(&r, ops, p, &(struct rig_cfg){.depth = 4, .readonly = true}))
			continue;
		try_to_write(&r);
		rig_close(&r);
	}
}

/* The second belt: even an engine told that it may write cannot, when the file is open for reading. */
EngineTest(the_kernel_refuses_what_the_engine_would_let_through)
{
	struct rig_cfg cfg = {.depth = 4, .lie = true};

	for_each_place(p)
	{
		struct rig r;

		if (!has_data(ops) || !rig_file(&r, p, &cfg))
			continue;
		if (rig_engine(&r, ops, &cfg) == 0)
			try_to_write(&r);
		else
			cr_expect_eq(r.err.code, EACCES, "%s: %s", r.what, r.err.msg);
		rig_close(&r);
	}
}

EngineTest(a_job_may_have_several_files)
{
	struct rig_cfg cfg = {.depth = 8};

	for_each_place(p)
	{
		struct rig a, b;

		if (!has_data(ops) || !rig_file(&a, p, &cfg))
			continue;
		cr_assert(rig_file(&b, p, &cfg));
		cfg.second = &b;
		cr_assert_eq(rig_engine(&a, ops, &cfg), 0, "%s: %s", a.what, a.err.msg);
		for (uint32_t i = 0; i < 8; i++) {
			struct io_slot *io = rig_slot(&a, i, i < 4 ? IO_WRITE : IO_READ, i);

			io->fd = i % 2 ? b.fd : a.fd;
			pattern_fill(io->buf, BLOCK, io->offset, 1);
		}
		rig_submit_all(&a, 0, 8);
		rig_reap_all(&a, 8);
		for (uint32_t i = 0; i < 8; i++) {
			char got[2][BLOCK];
			struct io_slot *io = &a.slots[i];

			cr_expect_eq(io->res, BLOCK, "%s: slot %u: %d", a.what, i, io->res);
			cr_expect(pattern_is(io->buf, BLOCK, io->offset, i < 4));
			read_file(a.path, got[0], io->offset);
			read_file(b.path, got[1], io->offset);
			cr_expect(pattern_is(got[i % 2], BLOCK, io->offset, i < 4), "%s: slot %u",
				  a.what, i);
			cr_expect(pattern_is(got[1 - i % 2], BLOCK, io->offset, 0), "%s: slot %u",
				  a.what, i);
		}
		cfg.second = NULL;
		rig_close(&a);
		rig_close(&b);
	}
}

/* Clones of a job may share descriptors: one instance must not move another's position. */
EngineTest(two_instances_on_one_descriptor_do_not_disturb_each_other)
{
	struct rig_cfg cfg = {.depth = 1};
	struct engine other = {.ops = ops};
	struct rig r;

	cr_assert(rig_open(&r, ops, &places[2], &cfg));
	cr_assert_eq(ops->open(&other, &r.env, &r.err), 0, "%s", r.err.msg);
	for (uint64_t b = 0; has_data(ops) && b < 16; b++) {
		struct io_slot *list = &r.slots[0], *done;

		rig_slot(&r, 0, IO_READ, b);
		rig_submit_all(&r, 0, 1);
		rig_reap_all(&r, 1);
		cr_expect_eq(r.slots[0].res, BLOCK);
		cr_expect(pattern_is(r.slots[0].buf, BLOCK, b * BLOCK, 0), "%s", r.what);
		rig_slot(&r, 0, IO_READ, 40 - b);
		cr_assert_eq(ops->submit(&other, &list, 1), 1);
		cr_assert_eq(ops->reap(&other, &done, 1, 1, LONG_NS), 1);
		cr_expect(pattern_is(r.slots[0].buf, BLOCK, (40 - b) * BLOCK, 0), "%s", r.what);
	}
	ops->close(&other);
	rig_close(&r);
}

/* A bad slot in the middle of a batch is that slot's trouble only. */
EngineTest(an_error_belongs_to_its_slot)
{
	for_each_place(p)
	{
		struct rig r;

		if (!has_data(ops) || !rig_open(&r, ops, p, &(struct rig_cfg){.depth = 5}))
			continue;
		rig_slot(&r, 1, IO_READ, 1)->fd = 1000;
		rig_slot(&r, 3, IO_WRITE, 1)->fd = -1;
		rig_submit_all(&r, 0, 5);
		rig_reap_all(&r, 5);
		for (uint32_t i = 0; i < 5; i++)
			cr_expect_eq(r.slots[i].res, i % 2 ? -EBADF : (int)BLOCK, "%s: slot %u: %d",
				     r.what, i, r.slots[i].res);
		cr_expect(rig_file_untouched(&r), "%s", r.what);
		rig_close(&r);
	}
}

/* 4.11: what the kernel says of the same pread is what the slot says; or the engine needs no alignment. */
EngineTest(misaligned_direct_io_is_einval)
{
	for_each_place(p)
	{
		struct rig r;
		ssize_t want;

		if (!p->direct || !has_data(ops) || !rig_open(&r, ops, p, &(struct rig_cfg){0}))
			continue;
		rig_slot(&r, 0, IO_READ, 1)->offset = BLOCK + 1;
		want = pread(r.fd, r.slots[0].buf, BLOCK, BLOCK + 1);
		want = want < 0 ? -errno : want;
		memset(r.slots[0].buf, 0, BLOCK);
		rig_submit_all(&r, 0, 2);
		rig_reap_all(&r, 2);
		if (r.slots[0].res != want) {
			char block[2 * BLOCK];

			cr_assert_eq(r.slots[0].res, BLOCK, "%s: %d", r.what, r.slots[0].res);
			pattern_fill(block, sizeof(block), BLOCK, 0);
			cr_expect_arr_eq(r.slots[0].buf, block + 1, BLOCK, "%s", r.what);
		}
		cr_expect_eq(r.slots[1].res, BLOCK, "%s: its neighbour", r.what);
		rig_close(&r);
	}
}

EngineTest(reap_waits_for_nothing_when_nothing_is_in_flight)
{
	struct rig r;
	uint64_t t0_ns = clock_mono_ns();

	cr_assert(rig_open(&r, ops, &places[2], &(struct rig_cfg){0}));
	cr_expect_eq(ops->reap(&r.eng, r.done, 0, 8, LONG_NS), 0);
	cr_expect_eq(ops->reap(&r.eng, r.done, 1, 8, LONG_NS), 0);
	cr_expect_eq(ops->reap(&r.eng, r.done, 8, 8, UINT64_MAX), 0);
	cr_expect_lt(clock_mono_ns() - t0_ns, LONG_NS / 2);
	rig_close(&r);
}

EngineTest(reap_keeps_to_its_time)
{
	struct rig r;
	uint64_t t0_ns, waited_ns;
	int k;

	cr_assert(rig_open(&r, ops, &places[3], &(struct rig_cfg){.depth = 8, .readonly = true}) ||
		  rig_open(&r, ops, &places[2], &(struct rig_cfg){.depth = 8, .readonly = true}));
	rig_submit_all(&r, 0, 8);
	t0_ns = clock_mono_ns();
	k = ops->reap(&r.eng, r.done, 8, 8, 1);
	waited_ns = clock_mono_ns() - t0_ns;
	cr_assert(k >= 0 && k <= 8);
	cr_expect_lt(waited_ns, LONG_NS / 2);
	rig_reap_all(&r, 8 - (uint32_t)k);
	rig_close(&r);
}

EngineTest(close_waits_for_what_is_in_flight_and_leaks_nothing)
{
	for_each_place(p)
	{
		struct rig_cfg cfg = {.depth = 32};
		unsigned before;
		struct rig r;

		if (!rig_file(&r, p, &cfg))
			continue;
		rig_close(&r);
		before = open_fds();
		for (int round = 0; round < 10; round++) {
			rig_open(&r, ops, p, &cfg);
			rig_submit_all(&r, 0, 32);
			ops->close(&r.eng);
			/* Nothing may be written after close: a late completion would undo this. */
			memset(r.env.pool, 0xee, r.pool_bytes);
			r.eng.priv = NULL;
			usleep(200);
			for (size_t i = 0; i < r.pool_bytes; i++)
				cr_assert_eq(((unsigned char *)r.env.pool)[i], 0xee, "%s", r.what);
			rig_close(&r);
		}
		cr_expect_eq(open_fds(), before, "%s: descriptors left", r.what);
	}
}

EngineTest(close_gives_back_what_open_took)
{
	unsigned before = open_fds();

	for (int round = 0; round < 50; round++) {
		struct rig r;

		cr_assert(rig_open(&r, ops, &places[2], &(struct rig_cfg){0}));
		rig_close(&r);
	}
	cr_expect_eq(open_fds(), before);
}

static bool can_punch(int fd)
{
	return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, FILE_BLOCKS * BLOCK,
			 TAIL_BYTES) == 0;
}

EngineTest(a_trim_zeroes_its_range_and_no_other)
{
	if (!(ops->flags & ENGINE_TRIM) || !has_data(ops))
		return;
	for_each_place(p)
	{
		static const char zero[BLOCK];
		char got[BLOCK];
		struct rig r;
		int fd;

		if (!rig_open(&r, ops, p, &(struct rig_cfg){.depth = 8}))
			continue;
		if (!can_punch(r.fd)) {
			rig_close(&r);
			continue;
		}
		rig_slot(&r, 2, IO_TRIM, 11);
		rig_slot(&r, 3, IO_TRIM, 12);
		rig_slot(&r, 6, IO_TRIM, 20);
		rig_submit_all(&r, 0, 8);
		rig_reap_all(&r, 8);
		for (uint32_t i = 0; i < 8; i++)
			cr_expect_eq(r.slots[i].res, BLOCK, "%s: slot %u: %d", r.what, i,
				     r.slots[i].res);
		fd = open(r.path, O_RDONLY | O_CLOEXEC);
		for (uint64_t b = 0; b < FILE_BLOCKS; b++) {
			cr_assert_eq(pread(fd, got, BLOCK, (off_t)(b * BLOCK)), BLOCK);
			if (b == 11 || b == 12 || b == 20)
				cr_expect_arr_eq(got, zero, BLOCK, "%s: %lu", r.what,
						 (unsigned long)b);
			else
				cr_expect(pattern_is(got, BLOCK, b * BLOCK, 0), "%s: block %lu",
					  r.what, (unsigned long)b);
		}
		close(fd);
		rig_close(&r);
	}
}
