/*
 * All that a view, a status line or a recorder may hold: snapshots come out, commands go in. A live
 * session is a feed; so is a replayed recording. Any thread may call; each call is short.
 */
#ifndef IODECK_STAT_FEED_H
#define IODECK_STAT_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/spec/spec.h"
#include "src/stat/snapshot.h"

enum command_kind {
	CMD_START, /* u.spec: run it (copied); refused while a run is on */
	CMD_STOP,  /* drain and end the run; during layout: cancel it. u.signo: why, 0 */
	CMD_TUNE,  /* u.tune for `lane`; refused when it cannot be had live, with the reason */
	CMD_PAUSE, /* u.flag */
	CMD_AB, /* u.ab: lanes at once or in turns of slice_ns (0: as it was), now and in later runs */
	CMD_MARK,       /* u.text on the time axis */
	CMD_SEGMENT,    /* begin a new segment: statistics restart, the graph goes on */
	CMD_SWEEP,      /* u.sweep: measure these cells (copied); refused while a run is on */
	CMD_SWEEP_TAKE, /* u.sweep: what `from` has measured, stopped (copied); refused as above */
	/* Go on with what is not measured yet; u.sweep.spec is only what the guard may be asked about, or NULL. */
	CMD_SWEEP_RESUME,
	CMD_SWEEP_REDO, /* u.cell: measure it again, now or with the next resume */
	CMD_SWEEP_SLO, /* u.slo: judge the sweep by it; a search it needs goes on or waits for a resume */
	CMD_GUARD, /* u.guard: what would a start of spec change that is there already? */
	/*
	 * u.text: the typed phrase of one of the targets that CMD_GUARD told last; consent to it until the
	 * program ends. NULL: all consents are taken back.
	 */
	CMD_ARM,
};

struct guard_ask; /* src/dev/guard.h */

struct guard_query {
	const struct spec *spec;
	struct guard_ask *asks; /* filled, at most max */
	size_t max, *n;
};

struct command {
	enum command_kind kind;
	uint32_t lane;
	union {
		const struct spec *spec;
		struct tuning tune;
		struct guard_query guard;
		const char *text;
		bool flag;
		int signo;
		struct {
			bool alternate;
			uint64_t slice_ns;
		} ab;
		struct {
			const struct spec *spec; /* its only job */
			const struct sweep_spec *sweep;
			const struct sweep_result *from;
		} sweep;
		struct {
			uint32_t row, col;
		} cell;
		struct slo slo;
	} u;
};

struct feed;
struct feed_ops {
	/* The newest snapshot with seq > after_seq into out: 1; none yet: 0. */
	int (*next)(struct feed *, uint64_t after_seq, struct snapshot *out);
	/* 0 or -errno with e filled. A replay answers -EROFS. */
	int (*command)(struct feed *, const struct command *, struct err *e);
};

struct feed {
	const struct feed_ops *ops;
	int wake_fd; /* eventfd, readable when a new snapshot is out; the reader drains it */
};

#endif
