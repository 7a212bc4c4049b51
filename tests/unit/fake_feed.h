/*
 * A feed without a session: keeps what it was told, and publishes the snapshots that a test makes. With
 * `obey` it behaves like a session: start runs, stop ends, tune is taken over.
 */
#ifndef IODECK_TESTS_FAKE_FEED_H
#define IODECK_TESTS_FAKE_FEED_H

#include <pthread.h>

#include "src/base/clock.h"
#include "src/dev/guard.h"
#include "src/stat/feed.h"
#include "tests/unit/sysroot.h"
#include "ui/console.h"

struct fake_command {
	enum command_kind kind;
	struct tuning tune;
	struct job_spec job;   /* the first of a start */
	uint8_t ops[LANE_MAX]; /* of its jobs */
	uint32_t lane;
	size_t n_jobs;
	char text[128];
	bool flag;
	int signo; /* of a stop */
};

struct fake_feed {
	struct feed feed;
	struct clock clock; /* virtual; give it to ui_cfg */
	struct snapshot *snap;
	struct fake_command *log;
	size_t n;
	bool obey;
	int refuse; /* errno for the next commands, 0: none is refused */
	const char *refuse_msg;
	const struct guard_ask
		*ask; /* what runs that write are asked about; NULL: nothing. The test's */
	bool ask_agreed;
	size_t n_guard; /* how often it was asked */
	/* A command of this kind does not return until fake_feed_go_on(); -1: none hangs. */
	int hang;
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool hanging;
};

void fake_feed_init(struct fake_feed *);
void fake_feed_fini(struct fake_feed *);
/* Publishes a snapshot of that state 100 ms later. */
void fake_feed_tick(struct fake_feed *, enum run_state);
/* What hangs goes on. _wait_hang: until something does. */
void fake_feed_go_on(struct fake_feed *);
void fake_feed_wait_hang(struct fake_feed *);
/* The last command, NULL: none. */
const struct fake_command *fake_feed_last(const struct fake_feed *);
size_t fake_feed_count(const struct fake_feed *, enum command_kind);

/* A console on the memory grid over a fake feed, on the machine of fixtures/sysroot/workstation.tree. */
struct fake_console {
	struct fake_feed ff;
	struct ui_cfg cfg;
	struct console con;
	struct canvas canvas;
	struct sysroot sys;
	const char *root; /* its path: a folder of the test's own */
};

void fake_console_init(struct fake_console *, int w, int h);
void fake_console_fini(struct fake_console *);
void fake_console_key(struct fake_console *, uint32_t key);
void fake_console_type(struct fake_console *, const char *text);
/* Publishes, lets the console see it. */
void fake_console_tick(struct fake_console *, enum run_state);
/* The screen as text; the caller frees. */
char *fake_console_screen(struct fake_console *);

#endif
