/* The actions of the console: what a key, a verb or a dialog's answer does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/spec/jobfile.h"
#include "src/spec/profile.h"
#include "ui/console.h"
#include "ui/script.h"
#include "ui/setup.h"
#include "ui/setup_target.h"

#define LOOK_WAIT_NS (30 * NSEC_PER_MSEC) /* the picker opens with what answers within it */

static int send(struct console *con, const struct command *cmd, struct err *e)
{
	return con->feed->ops->command(con->feed, cmd, e);
}

static int needs_run(const struct console *con, const char *what, struct err *e)
{
	return console_is_running(con) ? 0 : err_set(e, EINVAL, "%s: no run is on", what);
}

static int needs_no_run(const struct console *con, const char *what, struct err *e)
{
	if (con->asking)
		return err_set(e, EBUSY, "%s: the target has not answered yet; Esc gives up", what);
	return console_is_running(con) ? err_set(e, EBUSY, "%s: a run is on; stop it first", what)
				       : 0;
}

/* ---- run ---- */

/* The loaded profile with the strip in place of its first job. */
void console_build_spec(const struct console *con, struct spec *out)
{
	if (con->profile.n_jobs == 0) {
		spec_init(out);
		spec_add(out, &con->st.job);
		return;
	}
	spec_copy(out, &con->profile);
	job_spec_fini(&out->jobs[0]);
	job_spec_copy(&out->jobs[0], &con->st.job);
}

/* A file that is not there yet will be made by the run; the caller may want to remove it. */
void console_note_new_file(struct console *con)
{
	struct target_look t;
	struct ui_end *end = &con->end;
	char path[PATH_MAX];

	if (!setup_target_path(&con->st, path, sizeof(path)) ||
	    setup_target_look(path, &con->machine, &t, NULL) < 0 || t.kind != TARGET_NEW)
		return;
	for (size_t i = 0; i < end->n_new_files; i++)
		if (strcmp(end->new_files[i], path) == 0)
			return;
	end->new_files = xrealloc(end->new_files, (end->n_new_files + 1) * sizeof(char *));
	end->new_files[end->n_new_files++] = xstrdup(path);
}

static struct console_lane *strip_lane(struct console *con)
{
	return &con->lane[con->st.compare.focus];
}

/* What the lanes run with from now on. A sweep has one, with the strip's settings. */
static void note_lanes(struct console *con, const struct command *cmd)
{
	size_t n = cmd->kind == CMD_START ? cmd->u.spec->n_jobs : 1;

	con->n_started = (uint32_t)(n < LANE_MAX ? n : LANE_MAX);
	for (uint32_t i = 0; i < con->n_started; i++) {
		const struct job_spec *job = n > 1 ? &cmd->u.spec->jobs[i] : &con->st.job;

		con->lane[i] = (struct console_lane){.start_ops = job->rw.ops};
		job_spec_tuning(job, &con->lane[i].live);
	}
}

int console_start_as(struct console *con, const struct command *cmd, struct err *e)
{
	if (con->asking)
		return err_set(e, EBUSY, "the target has not answered yet; Esc gives up");
	if (cmd->kind == CMD_START || cmd->kind == CMD_SWEEP || cmd->kind == CMD_SWEEP_RESUME)
		con->asked_by = cmd->kind;
	con->files_before = con->end.n_new_files;
	console_note_new_file(con);
	con->stopped = false;
	con->kept_as = cmd->kind == CMD_START ? CMD_START : CMD_SWEEP;
	note_lanes(con, cmd);
	return console_ask(con, cmd, e);
}

int console_start(struct console *con, struct err *e)
{
	struct command cmd = {.kind = CMD_START};
	struct spec spec;
	int rc;

	if (con->view->keys == KEYS_COMPARE)
		return console_compare_start(con, e);
	rc = needs_no_run(con, "run", e);
	if (rc < 0)
		return rc;
	console_build_spec(con, &spec);
	cmd.u.spec = &spec;
	rc = console_start_as(con, &cmd, e);
	spec_fini(&spec);
	return rc;
}

int console_stop(struct console *con, struct err *e)
{
	struct command cmd = {.kind = CMD_STOP, .u.signo = con->end.signo};
	int rc = needs_run(con, "stop", e);

	if (console_ask_give_up(con))
		return 0;
	con->stopped = con->stopped || rc == 0;
	return rc < 0 ? rc : send(con, &cmd, e);
}

int console_mark(struct console *con, const char *text, struct err *e)
{
	struct command cmd = {.kind = CMD_MARK, .u.text = text};
	int rc = needs_run(con, "mark", e);

	return rc < 0 ? rc : send(con, &cmd, e);
}

static int segment(struct console *con, struct err *e)
{
	struct command cmd = {.kind = CMD_SEGMENT};
	int rc = needs_run(con, "segment", e);

	return rc < 0 ? rc : send(con, &cmd, e);
}

void console_quit(struct console *con, bool discard)
{
	struct err e = {0};

	console_ask_give_up(con);
	con->end.discard = discard;
	con->quit = QUIT_NOW;
	if (!console_is_running(con))
		return;
	con->quit = QUIT_DRAINING;
	/* A stop that comes too late finds the run over; the next snapshot says so. */
	console_stop(con, &e);
}

static int quit_ask(struct console *con)
{
	console_ask_give_up(con);
	if (console_is_running(con))
		d_quit_open(&con->dialog);
	else
		console_quit(con, false);
	return 0;
}

/* ---- settings ---- */

/* Lanes exist and count; before that (layout, ramp) and while paused they take nothing. */
bool console_can_tune(const struct console *con)
{
	return !con->start_pending && con->model.snap->state == RUN_ON;
}

static int changed(struct console *con, enum field f, struct job_spec *before, struct err *e)
{
	struct console_lane *l = strip_lane(con);
	struct command cmd = {.kind = CMD_TUNE, .lane = con->st.compare.focus, .u.tune = l->live};
	int rc = 0;

	if (!console_is_running(con)) {
		job_spec_fini(before);
		return 0;
	}
	if (f == FIELD_NR || cmd.lane >= con->n_started ||
	    !setup_tune(&cmd.u.tune, f, &con->st.job, l->start_ops)) {
		console_say(con, ROLE_TEXT, "%s: takes effect at the next start",
			    f == FIELD_NR ? "set" : state_field_label(f));
		job_spec_fini(before);
		return 0;
	}
	if (console_can_tune(con)) {
		rc = send(con, &cmd, e);
	} else {
		l->tune_due = true;
		console_say(con, ROLE_TEXT, "%s: taken over when the run is on",
			    state_field_label(f));
	}
	if (rc < 0) {
		job_spec_fini(&con->st.job);
		con->st.job = *before;
		return rc;
	}
	if (con->n_started > 1 && con->view->keys == KEYS_RUN)
		console_say(con, ROLE_TEXT, "%s: of the first of %u jobs only",
			    state_field_label(f), con->n_started);
	l->live = cmd.u.tune;
	job_spec_fini(before);
	return 0;
}

int console_changed(struct console *con, enum field f, struct job_spec *before, struct err *e)
{
	int rc = changed(con, f, before, e);

	if (rc == 0 && f != FIELD_NR)
		console_compare_changed(con, f);
	return rc;
}

static void lane_tune_due(struct console *con, uint32_t i)
{
	struct console_lane *l = &con->lane[i];
	struct command cmd = {.kind = CMD_TUNE, .lane = i, .u.tune = l->live};
	struct err e = {0};

	if (!console_is_running(con))
		l->tune_due = false;
	if (!l->tune_due || !console_can_tune(con))
		return;
	l->tune_due = false;
	if (send(con, &cmd, &e) == 0)
		return;
	console_say(con, ROLE_WARN, "%.199s", e.msg);
	l->live = con->model.snap->lane[i].tune;
	setup_from_tuning(i == con->st.compare.focus ? &con->st.job : &con->st.compare.slot[i].job,
			  &l->live);
}

void console_tune_due(struct console *con)
{
	for (uint32_t i = 0; i < con->n_started; i++)
		lane_tune_due(con, i);
}

static double iops_per_job(const struct console *con)
{
	const struct lane_snap *l = &con->model.snap->lane[0];

	if (con->model.snap->n_lanes == 0 || l->workers == 0)
		return 0;
	return l->sec[IO_OP_NR].iops / l->workers;
}

static int step(struct console *con, enum field f, int dir, struct err *e)
{
	struct job_spec before;
	int rc;

	job_spec_copy(&before, &con->st.job);
	rc = setup_step(&con->st, f, dir, iops_per_job(con), e);
	if (rc < 0) {
		job_spec_fini(&before);
		return rc;
	}
	return console_changed(con, f, &before, e);
}

static int set_fps(struct console *con, const char *text, struct err *e)
{
	uint64_t fps;
	int rc = units_parse_u64(text, 1, 10, &fps, e);

	if (rc < 0)
		return rc;
	con->fps = con->st.fps = (unsigned)fps;
	return 0;
}

static int set_word(struct console *con, const char *word, struct err *e)
{
	struct job_spec before;
	enum field f;
	int rc;

	if (strncmp(word, "fps=", 4) == 0)
		return set_fps(con, word + 4, e);
	if (strncmp(word, "filename=", 9) == 0)
		return err_set(e, EINVAL, "set filename: use `dev PATH`");
	job_spec_copy(&before, &con->st.job);
	rc = setup_assign(&con->st, word, &f, e);
	if (rc < 0) {
		job_spec_fini(&before);
		return rc;
	}
	if (strncmp(word, "size=", 5) == 0)
		con->st.auto_size = false;
	return console_changed(con, f, &before, e);
}

int console_set(struct console *con, const char *words, struct err *e)
{
	char *copy = xstrdup(words), *save = NULL, *w;
	int rc = -EINVAL;

	w = strtok_r(copy, " \t", &save);
	if (!w)
		err_set(e, EINVAL, "set: NAME=VALUE is needed, as in set qd=64 bs=16k");
	for (; w; w = strtok_r(NULL, " \t", &save)) {
		rc = set_word(con, w, e);
		if (rc < 0)
			break;
	}
	free(copy);
	return rc;
}

int console_set_target(struct console *con, const char *path, struct err *e)
{
	int rc = needs_no_run(con, "target", e);

	if (rc == 0)
		rc = setup_target_set(&con->st, path, e);
	if (rc == 0)
		console_compare_shared(con);
	return rc;
}

/* ---- profiles ---- */

static void profile_name_of(const char *path, char *out, size_t size)
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strlen(base);
	if (n > 4 && strcmp(base + n - 4, ".fio") == 0)
		n -= 4;
	snprintf(out, size, "%.*s", (int)n, base);
}

int console_use_spec(struct console *con, const struct spec *spec, const char *path, struct err *e)
{
	struct ui_state *s = &con->st;
	char *target = xstrdup(s->job.filename);

	if (spec->n_jobs == 0) {
		free(target);
		return err_set(e, EINVAL, "%s: no job in it", path ? path : "profile");
	}
	spec_fini(&con->profile);
	spec_copy(&con->profile, spec);
	job_spec_fini(&s->job);
	job_spec_copy(&s->job, &spec->jobs[0]);
	s->auto_size = false;
	s->armed = s->armed_known = false;
	if (!s->job.filename && !s->job.directory) /* a profile without a target keeps ours */
		s->job.filename = xstrdup(target);
	free(target);
	profile_name_of(path ? path : "", con->profile_name, sizeof(con->profile_name));
	setup_target_refresh(s);
	if (console_compare_use_spec(con, spec))
		console_say(con, ROLE_TEXT, "%s: %zu jobs as lanes", con->profile_name,
			    spec->n_jobs);
	else if (spec->n_jobs > 1)
		console_say(con, ROLE_TEXT, "%s: %zu jobs; the strip shows and sets the first",
			    con->profile_name, spec->n_jobs);
	else
		console_say(con, ROLE_OK, "%s loaded", con->profile_name);
	return 0;
}

/* The path of a profile by its name, NULL: none. Owned by the caller. */
static char *profile_by_name(const char *name)
{
	struct profile_list list = {0};
	char *path = NULL;

	profile_list_load(&list);
	for (size_t i = 0; i < list.n && !path; i++)
		if (strcmp(list.v[i].name, name) == 0)
			path = xstrdup(list.v[i].path);
	profile_list_fini(&list);
	return path;
}

static bool is_path(const char *text)
{
	size_t n = strlen(text);

	return strchr(text, '/') || (n > 4 && strcmp(text + n - 4, ".fio") == 0);
}

int console_load_profile(struct console *con, const char *name_or_path, struct err *e)
{
	char *path;
	struct spec spec;
	int rc = needs_no_run(con, "profile", e);

	if (rc < 0)
		return rc;
	path = is_path(name_or_path) ? xstrdup(name_or_path) : profile_by_name(name_or_path);
	if (!path)
		return err_set(e, ENOENT, "profile %s: there is none of that name; p lists them",
			       name_or_path);
	spec_init(&spec);
	rc = jobfile_load(path, NULL, &spec, e);
	if (rc == 0)
		rc = console_use_spec(con, &spec, path, e);
	spec_fini(&spec);
	free(path);
	return rc;
}

/* The name may become a file of that name only: no folder, not hidden. */
static int check_name(const char *name, struct err *e)
{
	if (*name == '\0')
		return err_set(e, EINVAL, "save: a name is needed");
	if (strchr(name, '/') || *name == '.' || strlen(name) > 60)
		return err_set(e, EINVAL, "save: a plain name without / is needed, not %.60s",
			       name);
	return 0;
}

static bool user_has_profile(const char *name)
{
	char *dir = profile_user_dir(), *path = xasprintf("%s/%s.fio", dir ? dir : "", name);
	bool there = dir && access(path, F_OK) == 0;

	free(path);
	free(dir);
	return there;
}

int console_save_profile(struct console *con, const char *name, bool overwrite, struct err *e)
{
	char *path = NULL;
	int rc = check_name(name, e);

	if (rc < 0)
		return rc;
	if (!overwrite && user_has_profile(name))
		return err_set(e, EEXIST, "save %s: a profile of that name exists", name);
	rc = profile_save(name, &con->st.job, &path, e);
	if (rc == 0) {
		console_say(con, ROLE_OK, "saved%s: %s",
			    con->profile.n_jobs > 1 ? " (the first job only)" : "", path);
		snprintf(con->profile_name, sizeof(con->profile_name), "%s", name);
	}
	free(path);
	return rc;
}

/* ---- requests ---- */

static void ask_text(struct console *con, enum text_purpose purpose)
{
	con->text_for = purpose;
	con->overwrite[0] = '\0';
	if (purpose == TEXT_SLO)
		d_text_open(&con->dialog, "Latency objective",
			    "As in p99<200us, max<10ms, mean<1ms; empty: none", "");
	else if (purpose == TEXT_MARK)
		d_text_open(&con->dialog, "Mark", "Text of the mark on the time axis:", "");
	else if (purpose == TEXT_SAVE)
		d_text_open(&con->dialog, "Save the settings as a profile",
			    "Name (it becomes NAME.fio, which fio runs too):", con->profile_name);
	else
		d_command_open(&con->dialog, &con->history, &con->st);
}

static void open_devices(struct console *con)
{
	char path[PATH_MAX];

	machine_look(&con->machine, con->cfg->fsroot,
		     con->cfg->ask_wait_ns ? con->cfg->ask_wait_ns : LOOK_WAIT_NS);
	d_device_open(&con->dialog, &con->machine, con->st.sims,
		      setup_target_path(&con->st, path, sizeof(path)) ? path : NULL);
}

static void open_help(struct console *con)
{
	struct strbuf verbs = {0};

	script_verbs_help(&verbs);
	d_help_open(&con->dialog, strbuf_str(&verbs));
	strbuf_fini(&verbs);
}

static int mark_ask(struct console *con, struct err *e)
{
	int rc = needs_run(con, "mark", e);

	if (rc == 0)
		ask_text(con, TEXT_MARK);
	return rc;
}

/* Requests that only look, or open something. false: not one of them. */
static bool request_view(struct console *con, enum request req)
{
	struct ui_state *s = &con->st;

	switch (req) {
	case REQ_SLO:
		ask_text(con, TEXT_SLO);
		return true;
	case REQ_TYPE:
		setup_edit_begin(s);
		return true;
	case REQ_DEVICES:
		open_devices(con);
		return true;
	case REQ_PROFILES:
		d_profile_open(&con->dialog);
		return true;
	case REQ_SAVE:
		ask_text(con, TEXT_SAVE);
		return true;
	case REQ_COMMAND:
		ask_text(con, TEXT_COMMAND);
		return true;
	case REQ_HELP:
		open_help(con);
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

int console_request(struct console *con, enum request req, struct err *e)
{
	int rc = 0;

	if (console_compare_request(con, req, &rc, e) || console_sweep_request(con, req, &rc, e) ||
	    console_history_request(con, req, &rc, e))
		return rc;
	if (console_look(con, req) || request_view(con, req))
		return 0;
	switch (req) {
	case REQ_START_STOP:
		return console_is_running(con) ? console_stop(con, e) : console_start(con, e);
	case REQ_STEP_UP:
		return step(con, con->st.focus, 1, e);
	case REQ_STEP_DOWN:
		return step(con, con->st.focus, -1, e);
	case REQ_QD_UP:
		return step(con, FIELD_QD, 1, e);
	case REQ_QD_DOWN:
		return step(con, FIELD_QD, -1, e);
	case REQ_BS_UP:
		return step(con, FIELD_BS, 1, e);
	case REQ_BS_DOWN:
		return step(con, FIELD_BS, -1, e);
	case REQ_JOBS_UP:
		return step(con, FIELD_JOBS, 1, e);
	case REQ_JOBS_DOWN:
		return step(con, FIELD_JOBS, -1, e);
	case REQ_READ_ONLY:
		return console_read_only(con, e);
	case REQ_MARK:
		return mark_ask(con, e);
	case REQ_SEGMENT:
		return segment(con, e);
	case REQ_QUIT:
		return quit_ask(con);
	case REQ_CANCEL: /* at top level Esc cancels a layout, nothing else */
		return con->asking || con->model.snap->state == RUN_LAYOUT ? console_stop(con, e)
									   : 0;
	default:
		return 0;
	}
}
