/* Starts that look at their target first, and what the strip may write without a question. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/xalloc.h"
#include "ui/console.h"
#include "ui/setup.h"

#define WAIT_NS     (30 * NSEC_PER_MSEC) /* most targets answer within it: nothing flickers */
#define END_WAIT_NS NSEC_PER_SEC

static struct asking_cfg make_cfg(const struct console *con, bool start)
{
	return (struct asking_cfg){
		.feed = con->feed,
		.clock = con->cfg->clock ? con->cfg->clock : &clock_real,
		.wake_fd = con->ask_fd,
		.start = start,
	};
}

/* ---- consent for what the strip would write ---- */

static bool strip_writes(const struct console *con)
{
	return job_spec_may_write(&con->st.job);
}

static void probe_end(struct console *con)
{
	if (!con->probe)
		return;
	asking_give_up(con->probe);
	asking_release(con->probe);
	con->probe = NULL;
}

static void set_probed(struct console *con, const char *name)
{
	free(con->probed);
	con->probed = name ? xstrdup(name) : NULL;
}

static bool is_probed(const struct console *con, const char *name)
{
	return name ? con->probed && strcmp(con->probed, name) == 0 : !con->probed;
}

static void probe_begin(struct console *con)
{
	struct asking_cfg cfg = make_cfg(con, false);
	struct command cmd = {.kind = CMD_START};
	struct spec spec;

	console_build_spec(con, &spec);
	cmd.u.spec = &spec;
	con->probe = asking_begin(&cfg, &cmd);
	spec_fini(&spec);
}

static bool is_armed(const struct asking_result *r)
{
	return r->rc == 0 && r->asked && !r->has_question;
}

static void probe_answer(struct console *con)
{
	struct asking_result *r = xcalloc(1, sizeof(*r));

	if (con->probe && asking_answer(con->probe, 0, r)) {
		con->st.armed = is_armed(r);
		probe_end(con);
	}
	free(r);
}

/* So that WRITES ARMED is shown before the first start that would write. */
static void probe_tick(struct console *con)
{
	const char *want = con->has_consent && strip_writes(con) ? con->st.job.filename : NULL;

	if (console_is_running(con))
		return;
	probe_answer(con);
	if (con->st.armed_known && is_probed(con, want))
		return;
	probe_end(con);
	set_probed(con, want);
	con->st.armed = false;
	con->st.armed_known = true;
	if (want)
		probe_begin(con);
}

/* ---- a start ---- */

/* Files that were to be made by a start that has not come about are nobody's to remove. */
static void forget_files(struct console *con)
{
	while (con->end.n_new_files > con->files_before)
		free(con->end.new_files[--con->end.n_new_files]);
}

static void drop_asking(struct console *con)
{
	asking_release(con->asking);
	con->asking = NULL;
	con->st.asking = false;
	con->st.message[0] = '\0';
}

static void open_question(struct console *con, const struct guard_ask *question)
{
	if (con->st.editing)
		setup_edit_end(&con->st);
	d_guard_open(&con->dialog, question);
}

static int take(struct console *con, const struct asking_result *r, struct err *e)
{
	drop_asking(con);
	con->st.armed = is_armed(r);
	con->st.armed_known = true;
	set_probed(con, r->asked ? con->st.job.filename : NULL);
	if (r->started) {
		con->start_pending = true;
		con->start_ns = r->start_ns;
		con->st.frozen = false;
		return 0;
	}
	forget_files(con);
	if (r->has_question)
		open_question(con, &r->question);
	if (r->rc < 0 && e)
		*e = r->e;
	return r->rc;
}

/* 0 as well while there is no answer. */
static int answer(struct console *con, uint64_t wait_ns, struct err *e)
{
	struct asking_result *r = xcalloc(1, sizeof(*r));
	int rc = 0;

	if (con->asking && asking_answer(con->asking, wait_ns, r))
		rc = take(con, r, e);
	free(r);
	return rc;
}

int console_ask(struct console *con, const struct command *cmd, struct err *e)
{
	struct asking_cfg cfg = make_cfg(con, true);
	int rc;

	/* Two looks at one device at once: each would find the other's. */
	if (con->probe && is_probed(con, con->st.job.filename))
		cfg.after = con->probe;
	con->asking = asking_begin(&cfg, cmd);
	con->asking_since_ns = clock_now_ns(cfg.clock);
	con->st.asking = true;
	con->st.asking_ns = 0;
	probe_end(con);
	rc = answer(con, con->cfg->ask_wait_ns ? con->cfg->ask_wait_ns : WAIT_NS, e);
	if (con->asking)
		console_say(con, ROLE_WARN, "the target is being asked; Esc gives up");
	return rc;
}

void console_ask_tick(struct console *con, uint64_t now_ns)
{
	struct err e = {0};
	uint64_t count;

	if (read(con->ask_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	if (now_ns > con->asking_since_ns)
		con->st.asking_ns = now_ns - con->asking_since_ns;
	if (answer(con, 0, &e) < 0)
		console_say(con, ROLE_WARN, "%.199s", e.msg);
	probe_tick(con);
}

bool console_ask_give_up(struct console *con)
{
	/* What has been answered meanwhile is a run, or a question to say no to. */
	answer(con, 0, NULL);
	if (!con->asking)
		return false;
	asking_give_up(con->asking);
	drop_asking(con);
	forget_files(con);
	console_say(con, ROLE_WARN, "given up; nothing is started");
	return true;
}

bool console_ask_end(struct console *con)
{
	probe_end(con);
	console_ask_give_up(con);
	return asking_all_done(END_WAIT_NS);
}
