#include "ui/console.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/layout.h"
#include "ui/lineedit.h"
#include "ui/script.h"
#include "ui/setup.h"
#include "ui/setup_target.h"

#define INTERRUPT_AGAIN_NS (5 * NSEC_PER_SEC)
#define FPS_DEFAULT        5
#define OPENING_NS         NSEC_PER_SEC /* most targets are open before one sees it */
#define RESCAN_NS          (900 * NSEC_PER_MSEC)

void console_say(struct console *con, enum role role, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(con->st.message, sizeof(con->st.message), fmt, ap);
	va_end(ap);
	con->st.message_role = role;
}

static bool state_runs(enum run_state s)
{
	return s == RUN_LAYOUT || s == RUN_RAMP || s == RUN_ON || s == RUN_PAUSED || s == RUN_DRAIN;
}

bool console_is_running(const struct console *con)
{
	return con->asking || con->start_pending || state_runs(con->model.snap->state);
}

/* ---- start and end ---- */

static int load_start(struct console *con, struct err *e)
{
	const struct ui_cfg *cfg = con->cfg;

	if (cfg->start_spec && cfg->start_spec->n_jobs) {
		int rc = console_use_spec(con, cfg->start_spec, cfg->start_profile, e);

		if (rc < 0)
			return rc;
	}
	if (cfg->start_target)
		return setup_target_set(&con->st, cfg->start_target, e);
	setup_target_refresh(&con->st);
	return 0;
}

int console_init(struct console *con, const struct ui_cfg *cfg, struct err *e)
{
	struct err devices = {0};
	int rc;

	*con = (struct console){.cfg = cfg, .feed = cfg->feed, .fps = FPS_DEFAULT};
	con->has_consent = cfg->has_consent;
	con->ask_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (con->ask_fd < 0)
		return err_set(e, errno, "eventfd: %s", strerror(errno));
	con->view = view_table[0];
	con->next = xcalloc(1, sizeof(*con->next));
	model_init(&con->model);
	spec_init(&con->profile);
	spec_init(&con->sweep_job);
	con->st.engines = cfg->engines;
	con->st.sims = cfg->sims;
	con->st.machine = &con->machine;
	con->st.devices = &con->machine.devices;
	con->st.window_ns = 60 * NSEC_PER_SEC;
	if (cfg->fps)
		con->fps = cfg->fps;
	con->st.si = cfg->si;
	con->st.fps = con->fps;
	con->st.focus = FIELD_QD;
	setup_defaults(&con->st);
	sweep_state_init(&con->st.sweep);
	/* Without a device list (no sysfs in a container) files can still be measured. */
	if (machine_load(&con->machine, cfg->fsroot, &devices) < 0)
		console_say(con, ROLE_WARN, "no device list: %.180s", devices.msg);
	rc = load_start(con, e);
	if (rc < 0)
		console_fini(con);
	return rc;
}

void console_fini(struct console *con)
{
	console_ask_end(con);
	if (con->end.discard && con->cfg->archive)
		con->cfg->archive->ops->discard(con->cfg->archive);
	free(con->probed);
	close(con->ask_fd);
	dialog_close(&con->dialog);
	console_compare_fini(con);
	console_history_fini(con);
	job_spec_fini(&con->st.job);
	spec_fini(&con->profile);
	spec_fini(&con->sweep_job);
	machine_fini(&con->machine);
	model_fini(&con->model);
	free(con->next);
	for (size_t i = 0; i < con->history.n; i++)
		free(con->history.v[i]);
	free(con->history.v);
}

/* ---- snapshots in, picture out ---- */

static void say_draining(struct console *con)
{
	const struct lane_snap *l = &con->model.snap->lane[0];
	char age[32];

	units_fmt_ns(age, sizeof(age), (double)l->oldest_ns, "u");
	console_say(con, ROLE_WARN,
		    "stopping: %u in flight, last completion %s ago; "
		    "Ctrl-C %sleaves without them",
		    l->inflight, age, con->interrupted ? "" : "twice ");
}

/* What came out, in a few words. */
static void finding(const struct console *con, const struct snapshot *s, char *out, size_t size)
{
	const struct op_win *w = &s->lane[0].total[IO_OP_NR];
	char iops[32], p99[32];

	*out = '\0';
	if (con->kept_as == CMD_SWEEP || s->n_lanes != 1 || !w->lat.n)
		return;
	units_fmt_count(iops, sizeof(iops), w->iops);
	units_fmt_ns(p99, sizeof(p99), (double)w->lat.pct_ns[3], "u");
	snprintf(out, size, ": %s IOPS, p99 %s", iops, p99);
}

static void run_ended(struct console *con, const struct snapshot *s)
{
	const char *what = con->kept_as == CMD_SWEEP ? "sweep" : "run";
	char found[80];
	struct err e = {0};
	bool kept;

	con->wish.bell = con->cfg->bell && !con->stopped;
	setup_target_refresh(&con->st); /* a new file is there now */
	kept = console_history_keep(con, &e);
	finding(con, s, found, sizeof(found));
	if (s->state == RUN_FAILED)
		console_say(con, ROLE_ERROR, "%.190s", s->error[0] ? s->error : "the run failed");
	else if (e.code)
		console_say(con, ROLE_WARN, "the %s is over, but not kept: %.160s", what, e.msg);
	else
		console_say(con, ROLE_OK, "the %s is over%s; Space starts the next%s", what, found,
			    kept ? "; 4 History has it, T tags, x exports" : "");
}

/*
 * A snapshot taken after the start command has returned knows of the run, whatever its state says; unless
 * it says that the run is still being made ready.
 */
static void note_state(struct console *con, const struct snapshot *s, bool was_running)
{
	if (con->start_pending &&
	    (state_runs(s->state) || (s->t_ns > con->start_ns && !s->starting)))
		con->start_pending = false;
	if (was_running && !console_is_running(con))
		run_ended(con, s);
	/* The file that the layout made is there now. */
	if (con->laying_out && s->state != RUN_LAYOUT)
		setup_target_refresh(&con->st);
	con->laying_out = s->state == RUN_LAYOUT;
	console_tune_due(con);
	if (con->quit == QUIT_DRAINING) {
		if (console_is_running(con))
			say_draining(con);
		else
			con->quit = QUIT_NOW;
	}
}

bool console_pull(struct console *con)
{
	bool was_running = console_is_running(con), any = false;
	uint64_t seq = con->model.snap->seq;

	while (con->feed->ops->next(con->feed, seq, con->next) > 0) {
		seq = con->next->seq;
		model_update(&con->model, con->next);
		console_compare_pull(con, con->next);
		if (con->cfg->archive)
			con->cfg->archive->ops->see(con->cfg->archive, con->next);
		any = true;
	}
	if (any && state_runs(con->model.snap->state))
		console_history_checkpoint(con);
	if (any)
		note_state(con, con->model.snap, was_running);
	return any;
}

void console_draw(struct console *con, struct canvas *c)
{
	canvas_clear(c);
	con->st.two_panes = layout_make(c->w, c->h).area[AREA_LOWER].w > 0;
	model_hold_axes(&con->model, con->model.snap->t_ns, con->model.snap->t_ns,
			con->st.window_ns);
	con->view->draw(&con->st, &con->model, c);
	if (dialog_is_open(&con->dialog))
		dialog_draw(&con->dialog, c);
}

/* ---- keys ---- */

bool console_esc_is_free(const struct console *con)
{
	return !dialog_is_open(&con->dialog) && !con->st.editing && !con->asking &&
	       con->model.snap->state != RUN_LAYOUT;
}

static void say_err(struct console *con, int rc, const struct err *e)
{
	if (rc < 0)
		console_say(con, ROLE_WARN, "%.199s", e->msg);
}

static void edit_accept(struct console *con)
{
	struct job_spec before;
	struct err e = {0};
	enum field f = con->st.focus;
	int rc;

	job_spec_copy(&before, &con->st.job);
	rc = setup_type(&con->st, f, con->st.edit, &e);
	if (rc < 0) {
		job_spec_fini(&before);
		say_err(con, rc, &e);
		return;
	}
	setup_edit_end(&con->st);
	say_err(con, console_changed(con, f, &before, &e), &e);
}

static void edit_key(struct console *con, uint32_t key)
{
	enum request req = keys_lookup(KEYS_EDIT, key);
	struct ui_state *s = &con->st;
	struct lineedit line = {s->edit, sizeof(s->edit), &s->edit_pos};

	if (req == REQ_NONE && s->edit_fresh) {
		s->edit[0] = '\0';
		s->edit_pos = 0;
	}
	s->edit_fresh = false;
	if (lineedit_key(&line, req, key))
		setup_edit_echo(s);
	else if (req == REQ_CANCEL)
		setup_edit_end(&con->st);
	else if (req == REQ_ACCEPT)
		edit_accept(con);
}

static void quit_reply(struct console *con, bool discard)
{
	dialog_close(&con->dialog);
	console_quit(con, discard);
}

static void remember_command(struct cmd_history *h, const char *line)
{
	if (*line == '\0' || (h->n && strcmp(h->v[h->n - 1], line) == 0))
		return;
	h->v = xrealloc(h->v, (h->n + 1) * sizeof(*h->v));
	h->v[h->n++] = xstrdup(line);
}

static int save_reply(struct console *con, const char *name, struct err *e)
{
	int rc = console_save_profile(con, name, strcmp(name, con->overwrite) == 0, e);

	if (rc != -EEXIST)
		return rc;
	snprintf(con->overwrite, sizeof(con->overwrite), "%.63s", name);
	d_text_open(&con->dialog, "Save the settings as a profile",
		    "That name exists. Enter again replaces it.", name);
	return 0;
}

static int text_reply(struct console *con, const char *text, uint64_t now_ns, struct err *e)
{
	dialog_close(&con->dialog);
	switch (con->text_for) {
	case TEXT_MARK:
		return console_mark(con, text, e);
	case TEXT_SLO:
		return console_slo(con, text, e);
	case TEXT_SAVE:
		return save_reply(con, text, e);
	case TEXT_SWEEP_SLO:
		return console_sweep_slo(con, text, e);
	case TEXT_SWEEP_EXPORT:
		return console_sweep_export(con, text, e);
	case TEXT_SWEEP:
		return console_sweep_set(con, text, e);
	case TEXT_COMMAND:
		remember_command(&con->history, text);
		return script_verb(con, NULL, text, now_ns, e);
	default:
		return console_history_text(con, text, e);
	}
	return 0;
}

static int rescan(struct console *con, struct err *e)
{
	int rc = machine_load(&con->machine, con->cfg->fsroot, e);

	if (rc == 0)
		setup_target_refresh(&con->st);
	return rc;
}

void console_tick(struct console *con, uint64_t now_ns)
{
	bool picking = dialog_is_open(&con->dialog) && dialog_is_picker(&con->dialog);

	console_ask_tick(con, now_ns);
	con->st.opening_ns = now_ns > con->start_ns ? now_ns - con->start_ns : 0;
	con->st.opening = con->start_pending && con->st.opening_ns >= OPENING_NS;
	if (!picking || now_ns - con->scan_ns < RESCAN_NS)
		return;
	con->scan_ns = now_ns;
	rescan(con, NULL); /* what cannot be read just now is read the next time */
}

static void dialog_reply_do(struct console *con, const struct dialog_reply *r, uint64_t now_ns)
{
	struct err e = {0};
	int rc = 0;

	switch (r->act) {
	case DIALOG_STAY:
		break;
	case DIALOG_CLOSE:
		dialog_close(&con->dialog);
		break;
	case DIALOG_PICK_TARGET:
		dialog_close(&con->dialog);
		rc = console_set_target(con, r->text, &e);
		break;
	case DIALOG_RESCAN:
		rc = rescan(con, &e);
		break;
	case DIALOG_LOAD_PROFILE:
		dialog_close(&con->dialog);
		rc = console_load_profile(con, r->text, &e);
		break;
	case DIALOG_SAVE_AS:
		rc = console_request(con, REQ_SAVE, &e);
		break;
	case DIALOG_QUIT_SAVE:
		quit_reply(con, false);
		break;
	case DIALOG_QUIT_DISCARD:
		quit_reply(con, true);
		break;
	case DIALOG_ARM:
		rc = console_arm(con, r->text, &e);
		break;
	case DIALOG_READ_ONLY:
		dialog_close(&con->dialog);
		rc = console_read_only(con, &e);
		break;
	case DIALOG_TEST_FILE:
		dialog_close(&con->dialog);
		rc = console_use_test_file(con, &e);
		break;
	case DIALOG_TEXT:
		rc = text_reply(con, r->text, now_ns, &e);
		break;
	}
	say_err(con, rc, &e);
}

static void dialog_key_do(struct console *con, uint32_t key, uint64_t now_ns)
{
	struct dialog_reply *r = xcalloc(1, sizeof(*r));

	dialog_key(&con->dialog, key, r);
	dialog_reply_do(con, r, now_ns);
	free(r);
}

/* Ctrl-C closes what is open, then asks, then (again within 5 s) stops, then leaves. */
static void interrupt(struct console *con, uint64_t now_ns)
{
	bool again = con->interrupt_ns && now_ns - con->interrupt_ns <= INTERRUPT_AGAIN_NS;
	bool asking = dialog_is_open(&con->dialog) && dialog_keys(&con->dialog) == KEYS_QUIT;

	if (con->quit == QUIT_DRAINING) {
		if (again || con->interrupted) {
			con->end.abandoned = true;
			con->quit = QUIT_NOW;
		}
	} else if (asking && again) {
		con->interrupted = true;
		quit_reply(con, false);
	} else if (dialog_is_open(&con->dialog) && !asking) {
		dialog_close(&con->dialog);
	} else if (con->st.editing) {
		setup_edit_end(&con->st);
	} else if (!asking) {
		console_request(con, REQ_QUIT, NULL);
	}
	con->interrupt_ns = now_ns;
}

static bool common_key(struct console *con, uint32_t key, uint64_t now_ns)
{
	switch (keys_lookup(KEYS_COMMON, key)) {
	case REQ_INTERRUPT:
		interrupt(con, now_ns);
		return true;
	case REQ_REPAINT:
		con->wish.repaint = true;
		return true;
	case REQ_SUSPEND:
		con->wish.suspend = true;
		return true;
	default:
		return false;
	}
}

void console_key(struct console *con, uint32_t key, uint64_t now_ns)
{
	struct err e = {0};
	const char *line;

	key = keys_compose(&con->compose, key, now_ns, console_esc_is_free(con));
	if (key == 0 || key == TERM_RESIZE)
		return;
	if (common_key(con, key, now_ns) || con->quit != QUIT_NO)
		return;
	con->st.message[0] = '\0';
	if (dialog_is_open(&con->dialog))
		dialog_key_do(con, key, now_ns);
	else if (con->st.editing)
		edit_key(con, key);
	else if ((line = keys_user_line(con->view->keys, key)))
		say_err(con, script_verb(con, NULL, line, now_ns, &e), &e);
	else
		say_err(con, console_request(con, keys_lookup(con->view->keys, key), &e), &e);
}

void console_signal(struct console *con, int signo)
{
	if (con->end.signo && con->quit == QUIT_DRAINING) {
		con->end.abandoned = true;
		con->quit = QUIT_NOW;
		return;
	}
	con->end.signo = signo;
	dialog_close(&con->dialog);
	console_quit(con, con->end.discard);
}
