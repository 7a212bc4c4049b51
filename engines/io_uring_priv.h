/* io_uring in two files: io_uring.c is the hot path, io_uring_setup.c options, set-up, explanations. */
#ifndef IODECK_ENGINES_IO_URING_PRIV_H
#define IODECK_ENGINES_IO_URING_PRIV_H

#include <liburing.h>
#include <sys/uio.h>

#include "engines/backoff.h"
#include "engines/engine.h"
#include "engines/fdmap.h"
#include "engines/slot.h"

struct uring_opts {
	bool fixedbufs;             /* buffers registered once: pages stay pinned */
	bool registerfiles;         /* files registered once: no reference taken per I/O */
	bool hipri;                 /* poll for completions; wants direct I/O and poll queues */
	bool sqthread_poll;         /* a kernel thread takes the submissions */
	bool nowait;                /* an I/O that would sleep fails with EAGAIN */
	bool uncached;              /* buffered, but the pages are dropped at once */
	bool nonvectored;           /* READ and WRITE; false: READV and WRITEV */
	uint32_t sqthread_poll_cpu; /* CPU of that thread + 1; 0: any */
	uint32_t force_async;       /* every so many I/Os go to a kernel worker; 0: none */
};

extern const struct option_def uring_options[];

/* One worker's ring. in_flight counts every accepted slot, wherever it is now. */
struct uring {
	struct io_uring ring;
	uint32_t depth, in_flight;
	bool writable, poll, sqthread, fixed_files;
	int broken;        /* -errno of a submit the kernel refused for good; 0 */
	uint8_t opcode[2]; /* by io_op */
	uint32_t async_every, async_count;
	uint32_t rw_flags;     /* RWF_ of every read and write */
	struct slot_ring done; /* answered without the kernel */
	struct iovec *iov;     /* by slot index; NULL when nonvectored */
	struct fdmap files;    /* places of the registered files */
	struct backoff backoff;
};

/* 0, or -errno with the cause named; nothing is left behind. Worker's thread: DEFER_TASKRUN. */
int uring_setup(struct uring *u, const struct engine_env *env, struct err *e);
/* Nothing is in the kernel any more. */
void uring_teardown(struct uring *u);
/*
 * Why io_uring_setup(2) said `error`, from what the kernel tells under `fsroot` ("": the real one):
 * a sysctl, a seccomp filter, a limit. Fills e, returns -error.
 */
int uring_explain_setup(const char *fsroot, int error, uint32_t depth, struct err *e);

#endif
