#include "engines/io_uring_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engines/rwf.h"
#include "src/base/fsutil.h"

static int parse_cpu(void *obj, const struct option_def *row, const char *text, struct err *e)
{
	struct uring_opts *o = obj;
	unsigned long cpu;
	char *end;

	errno = 0;
	cpu = text && isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	if (!text || !isdigit((unsigned char)*text) || *end || errno || cpu >= INT32_MAX)
		return err_set(e, EINVAL, "%s=%s: not a CPU number", row->name, text ? text : "");
	o->sqthread_poll_cpu = (uint32_t)cpu + 1;
	return 0;
}

static void print_cpu(const void *obj, const struct option_def *row, struct strbuf *out)
{
	const struct uring_opts *o = obj;

	(void)row;
	if (o->sqthread_poll_cpu)
		strbuf_addf(out, "%u", o->sqthread_poll_cpu - 1);
}

#define FIELD(name) offsetof(struct uring_opts, name)

const struct option_def uring_options[] = {
	{
		.name = "fixedbufs",
		.type = OPT_FLAG,
		.offset = FIELD(fixedbufs),
		.def = "0",
		.help = "register the buffers with the kernel once; needs locked memory (ulimit "
			"-l)",
	},
	{
		.name = "registerfiles",
		.type = OPT_FLAG,
		.offset = FIELD(registerfiles),
		.def = "0",
		.help = "register the files with the kernel once",
	},
	{
		.name = "hipri",
		.type = OPT_FLAG,
		.offset = FIELD(hipri),
		.def = "0",
		.help = "poll the device for completions; needs direct=1 and poll queues",
	},
	{
		.name = "sqthread_poll",
		.type = OPT_FLAG,
		.offset = FIELD(sqthread_poll),
		.def = "0",
		.help = "let a kernel thread take the submissions; it burns a CPU",
	},
	{
		.name = "sqthread_poll_cpu",
		.type = OPT_CUSTOM,
		.offset = FIELD(sqthread_poll_cpu),
		.parse = parse_cpu,
		.print = print_cpu,
		.help = "the CPU that thread runs on",
	},
	{
		.name = "nonvectored",
		.type = OPT_BOOL,
		.offset = FIELD(nonvectored),
		.def = "1",
		.help = "plain reads and writes instead of vectored ones",
	},
	{
		.name = "nowait",
		.type = OPT_BOOL,
		.offset = FIELD(nowait),
		.def = "0",
		.help = "an I/O that would sleep fails with EAGAIN instead (RWF_NOWAIT); see "
			"ignore_error",
	},
	{
		.name = "uncached",
		.type = OPT_BOOL,
		.offset = FIELD(uncached),
		.def = "0",
		.help = "buffered, but nothing stays in the page cache (RWF_DONTCACHE); Linux 6.14",
	},
	{
		.name = "force_async",
		.type = OPT_U32,
		.offset = FIELD(force_async),
		.def = "0",
		.help = "every N-th I/O goes straight to a kernel worker thread; 0: none",
	},
	{.name = NULL},
};

/* The sysctl and the seccomp state decide between the reasons behind one EPERM. */
static int explain_eperm(const char *fsroot, struct err *e)
{
	uint64_t off = 0;
	char status[4096];
	const char *mode;
	bool known = !fs_read_u64(fsroot, "/proc/sys/kernel/io_uring_disabled", &off);

	if (off == 2)
		return err_set(e, EPERM,
			       "io_uring: switched off for everybody: kernel.io_uring_disabled=2");
	if (off == 1)
		return err_set(e, EPERM,
			       "io_uring: switched off for ordinary users: "
			       "kernel.io_uring_disabled=1 allows CAP_SYS_ADMIN and the group of "
			       "kernel.io_uring_group");
	if (fs_read_small(fsroot, "/proc/self/status", status, sizeof(status)) > 0) {
		mode = strstr(status, "\nSeccomp:");
		if (mode && strtoul(mode + strlen("\nSeccomp:"), NULL, 10) == 2)
			return err_set(e, EPERM,
				       "io_uring: a seccomp filter refuses io_uring_setup; a "
				       "container's default profile does that%s",
				       known ? " (kernel.io_uring_disabled=0)" : "");
	}
	return err_set(e, EPERM, "io_uring: io_uring_setup is not permitted%s",
		       known ? " (kernel.io_uring_disabled=0, no seccomp filter)" : "");
}

static void memlock_text(char *out, size_t size)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_MEMLOCK, &lim))
		snprintf(out, size, "an unknown amount");
	else if (lim.rlim_cur == RLIM_INFINITY)
		snprintf(out, size, "any amount");
	else
		snprintf(out, size, "%llu KiB", (unsigned long long)lim.rlim_cur / 1024);
}

int uring_explain_setup(const char *fsroot, int error, uint32_t depth, struct err *e)
{
	char allowed[40];

	switch (error) {
	case EPERM:
		return explain_eperm(fsroot, e);
	case ENOSYS:
		return err_set(e, error,
			       "io_uring: this kernel has none (older than 5.1 or without "
			       "CONFIG_IO_URING), or a seccomp filter hides it");
	case ENOMEM:
		/*
		 * Rings count as locked memory before 5.12 and again since their regions are
		 * accounted (seen on 6.18): an SQE of 64 and two CQEs of 16 bytes.
		 */
		memlock_text(allowed, sizeof(allowed));
		return err_set(
			e, error,
			"io_uring: no memory for a ring of %u (about %u KiB; ulimit -l allows "
			"%s of locked memory for all jobs together; some kernels count rings)",
			depth, (depth * 96 + 1023) / 1024 + 4, allowed);
	case EMFILE:
		return err_set(e, error,
			       "io_uring: no file descriptor left for a ring; raise ulimit -n");
	default:
		return err_set(e, error, "io_uring: io_uring_setup for a ring of %u: %s", depth,
			       strerror(error));
	}
}

/*
 * The best set of flags first; a kernel that does not know a flag says EINVAL.
 * DEFER_TASKRUN (6.1): completions are posted only when we ask, in our thread: no interrupts of it.
 * SINGLE_ISSUER (6.0) it needs. COOP_TASKRUN (5.19): the next best. SUBMIT_ALL (5.18).
 */
static int ring_init(struct uring *u, const struct uring_opts *o, uint32_t depth)
{
	static const unsigned plain[] = {
		IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
			IORING_SETUP_TASKRUN_FLAG,
		IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
		IORING_SETUP_SUBMIT_ALL,
		0,
	};
	/* The kernel thread is the submitter: none of the task-run flags go with it. */
	static const unsigned polled[] = {IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER,
					  IORING_SETUP_SUBMIT_ALL, 0};
	const unsigned *flags = o->sqthread_poll ? polled : plain;
	int r;

	for (;; flags++) {
		struct io_uring_params p = {.flags = *flags | IORING_SETUP_CLAMP};

		p.flags |= o->hipri ? IORING_SETUP_IOPOLL : 0;
		if (o->sqthread_poll) {
			p.flags |= IORING_SETUP_SQPOLL;
			if (o->sqthread_poll_cpu) {
				p.flags |= IORING_SETUP_SQ_AFF;
				p.sq_thread_cpu = o->sqthread_poll_cpu - 1;
			}
		}
		r = io_uring_queue_init_params(depth, &u->ring, &p);
		if (r != -EINVAL || !*flags)
			return r;
	}
}

/* Asked for and refused: an error, never a silent run without it. */
static int register_buffers(struct uring *u, const struct engine_env *env, struct err *e)
{
	struct iovec *iov = calloc(env->depth_max, sizeof(*iov));
	uint64_t need_kib = ((uint64_t)env->depth_max * env->pool_stride + 1023) / 1024;
	char allowed[40];
	int r;

	if (!iov)
		return err_set(e, ENOMEM, "io_uring: no memory for %u slots", env->depth_max);
	for (uint32_t i = 0; i < env->depth_max; i++) {
		iov[i].iov_base = (char *)env->pool + i * env->pool_stride;
		iov[i].iov_len = env->pool_stride;
	}
	r = io_uring_register_buffers(&u->ring, iov, env->depth_max);
	free(iov);
	if (r == 0)
		return 0;
	memlock_text(allowed, sizeof(allowed));
	if (r == -ENOMEM || r == -EAGAIN)
		return err_set(
			e, -r,
			"io_uring: fixedbufs needs %llu KiB of locked memory for this job, "
			"ulimit -l allows %s (all jobs together); raise it or drop fixedbufs",
			(unsigned long long)need_kib, allowed);
	return err_set(e, -r, "io_uring: fixedbufs: registering %u buffers of %llu bytes: %s",
		       env->depth_max, (unsigned long long)env->pool_stride, strerror(-r));
}

static int register_files(struct uring *u, const struct engine_env *env, struct err *e)
{
	int r = fdmap_init(&u->files, env);

	if (r == 0)
		r = io_uring_register_files(&u->ring, env->fds, env->n_fds);
	if (r < 0)
		return err_set(e, -r, "io_uring: registerfiles: registering %u files: %s",
			       env->n_fds, strerror(-r));
	u->fixed_files = true;
	return 0;
}

static int make_vectors(struct uring *u, const struct engine_env *env, struct err *e)
{
	u->iov = calloc(env->depth_max, sizeof(*u->iov));
	return u->iov ? 0 : err_set(e, ENOMEM, "io_uring: no memory for %u slots", env->depth_max);
}

/* nonvectored=0 is about plain I/O; a registered buffer has no vectored form here. */
static void choose_opcodes(struct uring *u, const struct uring_opts *o)
{
	if (o->fixedbufs) {
		u->opcode[IO_READ] = IORING_OP_READ_FIXED;
		u->opcode[IO_WRITE] = IORING_OP_WRITE_FIXED;
	} else if (o->nonvectored) {
		u->opcode[IO_READ] = IORING_OP_READ;
		u->opcode[IO_WRITE] = IORING_OP_WRITE;
	} else {
		u->opcode[IO_READ] = IORING_OP_READV;
		u->opcode[IO_WRITE] = IORING_OP_WRITEV;
	}
}

static int ring_features(struct uring *u, const struct uring_opts *o, const struct engine_env *env,
			 struct err *e)
{
	int r = 0;

	if (!(u->ring.features & IORING_FEAT_EXT_ARG))
		return err_set(e, ENOSYS,
			       "io_uring: this kernel cannot wait with a timeout (needs 5.11)");
	if (u->ring.sq.ring_entries < env->depth_max)
		return err_set(e, EINVAL, "io_uring: iodepth %u: the kernel allows %u",
			       env->depth_max, u->ring.sq.ring_entries);
	if (o->fixedbufs)
		r = register_buffers(u, env, e);
	if (r == 0 && o->registerfiles)
		r = register_files(u, env, e);
	if (r == 0 && !o->nonvectored && !o->fixedbufs)
		r = make_vectors(u, env, e);
	return r;
}

int uring_setup(struct uring *u, const struct engine_env *env, struct err *e)
{
	static const struct uring_opts defaults = {.nonvectored = true};
	const struct uring_opts *o = env->opts ? env->opts : &defaults;
	int r;

	if (o->sqthread_poll_cpu && !o->sqthread_poll)
		return err_set(e, EINVAL, "io_uring: sqthread_poll_cpu needs sqthread_poll");
	if (slot_ring_init(&u->done, env->depth_max))
		return err_set(e, ENOMEM, "io_uring: no memory for %u slots", env->depth_max);
	r = ring_init(u, o, env->depth_max);
	if (r < 0) {
		slot_ring_fini(&u->done);
		return uring_explain_setup("", -r, env->depth_max, e);
	}
	r = ring_features(u, o, env, e);
	if (r < 0) {
		uring_teardown(u);
		return r;
	}
	io_uring_register_ring_fd(&u->ring); /* saves a look-up a call; older kernels: no matter */
	u->depth = env->depth_max;
	u->writable = env->writable;
	u->poll = o->hipri;
	u->sqthread = o->sqthread_poll;
	u->async_every = o->force_async;
	u->rw_flags = (uint32_t)rwf_flags(false, o->nowait, o->uncached);
	choose_opcodes(u, o);
	return 0;
}

void uring_teardown(struct uring *u)
{
	io_uring_queue_exit(&u->ring);
	slot_ring_fini(&u->done);
	free(u->iov);
	fdmap_fini(&u->files);
}
