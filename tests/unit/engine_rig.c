#include "engine_rig.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/rng.h"
#include "src/base/xalloc.h"

const struct place places[PLACE_NR] = {
	{"/dev/shm", false},
	{"/dev/shm", true},
	{"/tmp", false},
	{"/tmp", true},
};

/* Every 8 bytes hold a hash of where they are; a shifted or stale byte shows. */
static uint64_t word_at(uint64_t offset, uint64_t version)
{
	return rng_mix64(offset / 8 + (version << 48) + 1);
}

void pattern_fill(void *buf, uint32_t len, uint64_t offset, uint64_t version)
{
	for (uint32_t i = 0; i < len; i += 8) {
		uint64_t w = word_at(offset + i, version);

		memcpy((char *)buf + i, &w, len - i < 8 ? len - i : 8);
	}
}

bool pattern_is(const void *buf, uint32_t len, uint64_t offset, uint64_t version)
{
	for (uint32_t i = 0; i < len; i += 8) {
		uint64_t w = word_at(offset + i, version);

		if (memcmp((const char *)buf + i, &w, len - i < 8 ? len - i : 8))
			return false;
	}
	return true;
}

bool rig_file_untouched(const struct rig *r)
{
	char *buf = xcalloc(1, FILE_BYTES + 1);
	int fd = open(r->path, O_RDONLY | O_CLOEXEC);
	bool same = pread(fd, buf, FILE_BYTES + 1, 0) == FILE_BYTES &&
		    pattern_is(buf, FILE_BYTES, 0, 0);

	close(fd);
	free(buf);
	return same;
}

unsigned open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void make_file(struct rig *r, const char *base)
{
	char *buf = xcalloc(1, FILE_BYTES);
	int fd;

	snprintf(r->dir, sizeof(r->dir), "%s/iodeck-eng-XXXXXX", base);
	cr_assert_not_null(mkdtemp(r->dir));
	snprintf(r->path, sizeof(r->path), "%s/file", r->dir);
	fd = open(r->path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	pattern_fill(buf, FILE_BYTES, 0, 0);
	cr_assert_eq(pwrite(fd, buf, FILE_BYTES, 0), FILE_BYTES);
	close(fd);
	free(buf);
}

static void remove_file(struct rig *r)
{
	unlink(r->path);
	rmdir(r->dir);
}

bool rig_file(struct rig *r, const struct place *p, const struct rig_cfg *cfg)
{
	memset(r, 0, sizeof(*r));
	/*
	 * A hang ends the test here. Criterion's own .timeout leaks in its runner when tests with
	 * different values run side by side, and a leak is a failure.
	 */
	alarm(HANG_S);
	if (access(p->base, W_OK))
		return false;
	make_file(r, p->base);
	snprintf(r->what, sizeof(r->what), "%s%s", p->base, p->direct ? " O_DIRECT" : "");
	r->fd = open(r->path, (cfg->readonly || cfg->lie ? O_RDONLY : O_RDWR) | O_CLOEXEC |
				      (p->direct ? O_DIRECT : 0));
	if (r->fd < 0) {
		remove_file(r);
		return false;
	}
	return true;
}

int rig_engine(struct rig *r, const struct engine_ops *ops, const struct rig_cfg *cfg)
{
	uint32_t depth = cfg->depth ? cfg->depth : 8, len = cfg->len ? cfg->len : BLOCK;
	char where[48];

	memcpy(where, r->what, sizeof(where));
	where[sizeof(where) - 1] = '\0';
	snprintf(r->what, sizeof(r->what), "%.12s on %s", ops->name, where);
	r->fds[0] = r->fd;
	r->fds[1] = cfg->second ? cfg->second->fd : -1;
	r->n_slots = depth + cfg->spare;
	r->pool_bytes = (size_t)r->n_slots * len;
	r->slots = xcalloc(r->n_slots, sizeof(*r->slots));
	r->list = xcalloc(r->n_slots, sizeof(struct io_slot *));
	r->done = xcalloc(r->n_slots, sizeof(struct io_slot *));
	r->env = (struct engine_env){
		.fds = r->fds,
		.n_fds = ops->flags & ENGINE_DISKLESS ? 0
			 : cfg->second                ? 2
						      : 1,
		.align = BLOCK,
		.depth_max = depth,
		.len_max = len,
		.pool = buf_alloc(r->pool_bytes),
		.pool_stride = len,
		.slots = r->slots,
		.clock = &clock_real,
		.seed = 1,
		.opts = cfg->opts,
		.writable = !cfg->readonly,
	};
	cr_assert_not_null(r->env.pool);
	for (uint32_t i = 0; i < r->n_slots; i++) {
		r->slots[i].index = i;
		r->list[i] = &r->slots[i];
		rig_slot(r, i, IO_READ, i % FILE_BLOCKS);
	}
	r->eng.ops = ops;
	return ops->open(&r->eng, &r->env, &r->err);
}

bool rig_open(struct rig *r, const struct engine_ops *ops, const struct place *p,
	      const struct rig_cfg *cfg)
{
	if (!rig_file(r, p, cfg))
		return false;
	cr_assert_eq(rig_engine(r, ops, cfg), 0, "%s: %s", r->what, r->err.msg);
	return true;
}

void rig_close(struct rig *r)
{
	if (r->eng.priv)
		r->eng.ops->close(&r->eng);
	buf_free(r->env.pool, r->pool_bytes);
	free(r->slots);
	free(r->list);
	free(r->done);
	close(r->fd);
	remove_file(r);
}

struct io_slot *rig_slot(struct rig *r, uint32_t i, enum io_op op, uint64_t block)
{
	struct io_slot *io = &r->slots[i];

	io->fd = r->fd;
	io->op = (uint8_t)op;
	io->len = (uint32_t)r->env.len_max;
	io->offset = block * io->len;
	io->buf = (char *)r->env.pool + i * r->env.pool_stride;
	io->res = -ECANCELED; /* an engine that forgets the result is seen */
	return io;
}

int rig_submit(struct rig *r, uint32_t first, uint32_t n)
{
	return r->eng.ops->submit(&r->eng, r->list + first, n);
}

void rig_submit_all(struct rig *r, uint32_t first, uint32_t n)
{
	while (n) {
		int k = rig_submit(r, first, n);

		cr_assert(k >= 0 && (uint32_t)k <= n, "%s: submit gave %d", r->what, k);
		first += (uint32_t)k;
		n -= (uint32_t)k;
	}
}

void rig_reap_all(struct rig *r, uint32_t n)
{
	uint64_t end_ns = clock_mono_ns() + LONG_NS;
	uint32_t got = 0;

	while (got < n && clock_mono_ns() < end_ns) {
		int k = r->eng.ops->reap(&r->eng, r->done + got, 1, n - got, NSEC_PER_SEC);

		cr_assert(k >= 0 && (uint32_t)k <= n - got, "%s: reap gave %d", r->what, k);
		got += (uint32_t)k;
	}
	cr_assert_eq(got, n, "%s: %u of %u slots came back", r->what, got, n);
}
