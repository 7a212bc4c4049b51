/*
 * The contract between the worker loop and whatever does the I/O. One instance per worker, never
 * shared; every call comes from that worker's thread (probe: any thread). To add an engine: one file
 * with a `const struct engine_ops`, one line in table.c; the conformance suite then runs over it.
 * An engine knows nothing of jobs, statistics or the screen, takes no lock, and allocates in open only.
 */
#ifndef IODECK_ENGINES_ENGINE_H
#define IODECK_ENGINES_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/clock.h"
#include "src/base/err.h"
#include "src/base/ioop.h"
#include "src/base/option.h"

/*
 * One I/O. The worker fills offset, buf, len, op, fd and keeps ownership; between an accepting submit
 * and the reap that returns it, the slot belongs to the engine.
 */
struct io_slot {
	uint64_t offset; /* bytes from the start of the file */
	void *buf;       /* aligned to engine_env.align; untouched by trims */
	uint32_t len;    /* bytes, <= engine_env.len_max */
	uint32_t index;  /* 0..depth_max-1, constant */
	int32_t fd;
	int32_t res; /* set by the engine: bytes done, or -errno */
	uint8_t op;  /* enum io_op */
	/* the worker's own; an engine must not touch them */
	uint32_t done_bytes; /* of a short transfer so far */
	uint64_t due_ns, start_ns, issue_ns;
};

/* One cache line on 64-bit machines: a batch of 32 touches 32 lines, not 64. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct io_slot) == 64, "io_slot outgrew a line");

/*
 * A device that an engine brings along instead of using the kernel's. Several workers may share one;
 * whoever runs them holds a reference for the whole run, so that its state outlives a reopen.
 */
struct engine_device;

/* What the kernel would count for a disk, but in ns. [4]: read, write, discard, flush. */
struct engine_counters {
	uint64_t ios[IO_OP_NR + 1], sectors[IO_OP_NR + 1], ticks_ns[IO_OP_NR + 1];
	uint64_t inflight; /* now: given to the device or waiting for it */
	uint64_t busy_ns;  /* time during which inflight was not 0 */
	uint64_t queue_ns; /* inflight summed over time */
};

struct engine_device_ops {
	const char *prefix; /* of the texts that name one: "sim:" */
	/*
	 * The device of this text on this clock: a new one, or the one that already runs. 0 or -errno
	 * with one line that names what is wrong and what is known. Any thread.
	 */
	int (*get)(const char *target, struct clock *, struct engine_device **, struct err *e);
	void (*put)(struct engine_device *); /* NULL: nothing; any thread */
	uint64_t (*size_bytes)(const struct engine_device *);
	void (*count)(struct engine_device *, struct engine_counters *out); /* any thread */
};

struct engine_env {
	const int *fds; /* files of the job, open for the whole life of the instance */
	uint32_t n_fds;
	uint32_t align;     /* buffers and, with direct I/O, offsets: a power of two */
	uint32_t depth_max; /* slots that may ever be in flight */
	uint64_t len_max;   /* largest slot length */
	void *pool;         /* all buffers: slot i at pool + i * pool_stride */
	uint64_t pool_stride;
	struct io_slot *slots; /* depth_max of them, best on cache lines of their own */
	struct clock *clock;
	uint64_t seed;
	const void *opts; /* values of ops->options; NULL: every option at its default */
	bool writable;    /* the files are open for writing */
	struct engine_device *device; /* of ops->device; NULL: the engine's default one */
};

struct engine {
	const struct engine_ops *ops;
	void *priv;
	bool nowait; /* set by open: EAGAIN of an I/O is its result, not a wish to be asked again */
};

enum engine_flags {
	ENGINE_SYNC = 1u << 0,     /* submit does the I/O; depth is 1; no slat */
	ENGINE_DISKLESS = 1u << 1, /* touches no file: no open, no layout, no disk statistics */
	ENGINE_TRIM = 1u << 2,     /* can do IO_TRIM */
	ENGINE_SIM = 1u << 3,      /* simulated: results carry the SIMULATED badge */
	/*
	 * Every slot is finished when submit returns, whatever the depth. At depth 1 that is a
	 * synchronous engine: no slat, and one clock read an I/O instead of two (fio's null does the same).
	 */
	ENGINE_AT_ONCE = 1u << 4,
};

struct engine_ops {
	const char *name, *summary;
	unsigned flags;
	const struct option_def *options; /* own options, or NULL */
	size_t options_size;
	/*
	 * Does this kernel let us? Does one real thing, not only set-up. 0 or -errno with the cause
	 * named (seccomp, sysctl, limit with needed and allowed). NULL: always usable.
	 */
	int (*probe)(struct err *e);
	int (*open)(struct engine *, const struct engine_env *, struct err *e);
	/*
	 * Hands n slots over, in order. Accepted 0..n, or -errno (nothing accepted). Fewer than n: full,
	 * reap first; or the next one is a trim, which asynchronous engines do inside submit and take
	 * alone, so that its time does not fall on its neighbours. A slot that fails at once is still
	 * accepted and comes back from reap with res < 0.
	 */
	int (*submit)(struct engine *, struct io_slot *const *io, uint32_t n);
	/*
	 * Fills done[] with 0..max finished slots. Returns at once when at least `min` are there; else
	 * waits up to wait_ns. min 0: only looks. Never waits for more than is in flight, so it returns 0
	 * at once when nothing is; may come back early with fewer (a signal, a kernel short of memory):
	 * call again. -errno: the engine is broken, the job ends.
	 */
	int (*reap)(struct engine *, struct io_slot **done, uint32_t min, uint32_t max,
		    uint64_t wait_ns);
	/*
	 * Makes what was written durable, and waits for it (fsync=, fdatasync=). 0 or -errno. NULL: the
	 * caller does it with fsync(2) on the files.
	 */
	int (*sync)(struct engine *, bool data_only);
	/* Everything in flight has been reaped, or is waited for here. Frees priv. */
	void (*close)(struct engine *);
	const struct engine_device_ops *device; /* NULL: works on files and the kernel's devices */
};

/* table.c: a const array ended by NULL. */
extern const struct engine_ops *const engine_table[];
const struct engine_ops *engine_find(const char *name);

#endif
