/* One stage of a suite on a session: checked, run, watched, its numbers kept. The caller's thread. */
#ifndef IODECK_APP_SUITE_STAGE_H
#define IODECK_APP_SUITE_STAGE_H

#include "src/base/strbuf.h"
#include "src/run/session.h"
#include "src/stat/suite_result.h"

struct stage_run {
	struct session *session;
	const struct suite_stage *stage;
	const struct job_spec *job;
	struct suite_stage_result *r;
	/* What it does just now, ten times a second. */
	void (*progress)(void *arg, const char *line);
	void *arg;
	bool given_up; /* workers did not drain: the session cannot be closed */
};

/* May it write what it writes? Fills state and why when it may not. */
bool stage_may_run(struct stage_run *);
/* Until it is over or a signal comes; fills the result. */
void stage_run(struct stage_run *);

#endif
