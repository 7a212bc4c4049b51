/* The write guard in the console: the question before a start, the consent, and the way back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/option.h"
#include "src/base/xalloc.h"
#include "ui/console.h"
#include "ui/setup.h"
#include "ui/setup_target.h"

#define ASKS_MAX  32
#define TEST_FILE "iodeck.scratch"

static int send(struct console *con, const struct command *cmd, struct err *e)
{
	return con->feed->ops->command(con->feed, cmd, e);
}

/* The first that is not agreed to; NULL: all are. */
static const struct guard_ask *open_question(const struct guard_ask *asks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!asks[i].agreed)
			return &asks[i];
	return NULL;
}

int console_guard_ask(struct console *con, const struct spec *spec, struct err *e)
{
	struct guard_ask *asks = xcalloc(ASKS_MAX, sizeof(*asks));
	struct command cmd = {.kind = CMD_GUARD};
	const struct guard_ask *question = NULL;
	size_t n = 0;
	int rc;

	cmd.u.guard = (struct guard_query){.spec = spec, .asks = asks, .max = ASKS_MAX, .n = &n};
	rc = send(con, &cmd, e);
	if (rc == 0) {
		question = open_question(asks, n);
		con->st.armed = n > 0 && !question;
		if (question)
			d_guard_open(&con->dialog, question);
		rc = question != NULL;
	}
	free(asks);
	return rc;
}

int console_arm(struct console *con, const char *typed, struct err *e)
{
	struct command cmd = {.kind = CMD_ARM, .u.text = typed};
	int rc;

	dialog_close(&con->dialog);
	rc = send(con, &cmd, e);
	/* The start asks again: the next target, or what has changed meanwhile. */
	if (rc < 0)
		return rc;
	return con->asked_by == CMD_SWEEP ? console_request(con, REQ_SWEEP_ANEW, e)
					  : console_start(con, e);
}

static const char *reading_word(const struct rw_spec *rw)
{
	return rw->random ? "randread" : "read";
}

static int disarm(struct console *con, struct err *e)
{
	struct command cmd = {.kind = CMD_ARM};

	con->st.armed = false;
	return send(con, &cmd, e);
}

static bool some_lane_writes(const struct console *con)
{
	for (uint32_t i = 0; i < con->n_started; i++)
		if (con->lane[i].start_ops & (uint8_t)~IO_BIT(IO_READ))
			return true;
	return false;
}

int console_read_only(struct console *con, struct err *e)
{
	struct job_spec *j = &con->st.job;
	bool stop = console_is_running(con) && some_lane_writes(con);
	int rc = disarm(con, e);

	if (rc == 0 && stop)
		rc = console_stop(con, e);
	if (rc == 0 && j->rw.ops & (uint8_t)~IO_BIT(IO_READ))
		rc = option_set(option_find(job_options, "rw"), j, reading_word(&j->rw), 1024, e);
	if (rc < 0)
		return rc;
	console_compare_changed(con, FIELD_RW);
	console_say(con, ROLE_OK, "%s; the pattern is %s",
		    stop ? "writing is stopped" : "read-only", job_spec_rw_word(&j->rw));
	return 0;
}

int console_use_test_file(struct console *con, struct err *e)
{
	int rc = console_set_target(con, TEST_FILE, e);

	if (rc == 0)
		console_say(con, ROLE_OK, "the target is ./%s now; Space starts", TEST_FILE);
	return rc;
}
