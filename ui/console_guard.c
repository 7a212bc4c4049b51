/* The write guard in the console: the question before a start, the consent, and the way back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/option.h"
#include "src/base/xalloc.h"
#include "ui/console.h"
#include "ui/setup.h"
#include "ui/setup_target.h"

#define TEST_FILE "iodeck.scratch"

static int send(struct console *con, const struct command *cmd, struct err *e)
{
	return con->feed->ops->command(con->feed, cmd, e);
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
	con->has_consent = true;
	if (con->asked_by == CMD_SWEEP_RESUME)
		return console_request(con, REQ_SWEEP_GO, e);
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

	con->st.armed = con->has_consent = false;
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
