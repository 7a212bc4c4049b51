/*
 * Commands that look at a target: what would a write destroy (CMD_GUARD), and the start itself. A device
 * that does not answer keeps whoever opens it in the kernel, so a thread of its own sends them, and the
 * keys stay alive. An asking is shared by its thread and the console; it ends with the last of them.
 *
 * The thread: waits for `after`, sends CMD_GUARD, and where nothing is to be asked (and start was wanted,
 * and nobody has given up) the command. All functions here: UI thread.
 */
#ifndef IODECK_UI_ASKING_H
#define IODECK_UI_ASKING_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/clock.h"
#include "src/dev/guard.h"
#include "src/stat/feed.h"

struct asking;

struct asking_cfg {
	struct feed *feed;
	struct clock *clock; /* that of the snapshots */
	int wake_fd;         /* an eventfd, written to when it is done; the caller's, outlives it */
	bool start;          /* false: only ask */
	struct asking
		*after; /* of the same target: two looks at once disturb each other. NULL none */
};

struct asking_result {
	int rc; /* -errno: e says why, and nothing was started */
	struct err e;
	bool asked;        /* something is there to be asked about, agreed or not */
	bool has_question; /* the first that is not agreed to; nothing was started */
	struct guard_ask question;
	bool started;
	uint64_t start_ns; /* after the command has returned */
};

/* cmd: CMD_START, CMD_SWEEP, CMD_SWEEP_RESUME, CMD_SWEEP_REDO; what it points at is copied. */
struct asking *asking_begin(const struct asking_cfg *, const struct command *cmd);
/* The copied command, as long as the asking lives. */
const struct command *asking_command(const struct asking *);
/* Waits so long for the answer: true: *out is filled. May be called again. */
bool asking_answer(struct asking *, uint64_t wait_ns, struct asking_result *out);
/* Nothing shall be started any more; what is started just now is stopped. wake_fd is not used any more. */
void asking_give_up(struct asking *);
void asking_release(struct asking *);
/* Waits so long for all threads; false: some are still in the kernel and use the feed. */
bool asking_all_done(uint64_t wait_ns);

#endif
