/*
 * The actions of the Compare screen. The strip always belongs to the focused lane: its settings are in
 * ui_state, those of the others in their slots. Off this screen the focus is on lane A.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/console.h"
#include "ui/setup.h"
#include "ui/setup_target.h"
#include "ui/shared_disk.h"
#include "ui/view_compare.h"

static struct compare_state *state_of(struct console *con)
{
	return &con->st.compare;
}

static char letter(unsigned lane)
{
	return (char)('A' + lane);
}

/* ---- lanes ---- */

static void put_strip(struct console *con)
{
	struct compare_slot *s = &state_of(con)->slot[state_of(con)->focus];

	job_spec_fini(&s->job);
	job_spec_copy(&s->job, &con->st.job);
	memcpy(s->target_line, con->st.target_line, sizeof(s->target_line));
	s->auto_size = con->st.auto_size;
	if (con->st.job.filename)
		s->ours = false;
}

static void get_strip(struct console *con)
{
	const struct compare_slot *s = &state_of(con)->slot[state_of(con)->focus];

	job_spec_fini(&con->st.job);
	job_spec_copy(&con->st.job, &s->job);
	memcpy(con->st.target_line, s->target_line, sizeof(con->st.target_line));
	con->st.auto_size = s->auto_size;
}

static void set_focus(struct console *con, unsigned lane)
{
	if (state_of(con)->n == 0 || lane == state_of(con)->focus)
		return;
	put_strip(con);
	state_of(con)->focus = lane;
	get_strip(con);
}

/* A lane with the settings of the strip and no target yet. */
static void add_lane(struct console *con)
{
	struct compare_state *cs = state_of(con);
	struct compare_slot *s = &cs->slot[cs->n];

	*s = (struct compare_slot){.ours = true};
	job_spec_copy(&s->job, &con->st.job);
	free(s->job.filename);
	s->job.filename = NULL;
	free(s->job.name);
	s->job.name = xasprintf("lane %c", letter(cs->n));
	s->job.stonewall = false;
	s->job.new_group = true; /* a report of its own, also with group_reporting */
	if (con->st.auto_size)
		s->job.size = (struct amount){0};
	snprintf(s->target_line, sizeof(s->target_line), "no target: d picks one");
	cs->n++;
}

static void drop_lanes(struct console *con)
{
	for (unsigned i = 0; i < state_of(con)->n; i++)
		job_spec_fini(&state_of(con)->slot[i].job);
	state_of(con)->n = state_of(con)->focus = 0;
}

void console_compare_fini(struct console *con)
{
	drop_lanes(con);
	free(state_of(con)->track);
	state_of(con)->track = NULL;
}

static void first_lanes(struct console *con)
{
	struct compare_state *cs = state_of(con);

	if (cs->n)
		return;
	cs->slot[0] = (struct compare_slot){0};
	cs->n = 1;
	put_strip(con);
	add_lane(con);
}

void console_compare_open(struct console *con)
{
	first_lanes(con);
	console_compare_shared(con);
	con->view = &view_compare;
}

void console_compare_leave(struct console *con)
{
	set_focus(con, 0);
}

bool console_compare_use_spec(struct console *con, const struct spec *spec)
{
	struct compare_state *cs = state_of(con);

	if (spec->n_jobs < 2 || spec->n_jobs > LANE_MAX)
		return false;
	for (size_t i = 1; i < spec->n_jobs; i++)
		if (spec->jobs[i].stonewall || spec->jobs[i].wait_for)
			return false;
	drop_lanes(con);
	for (size_t i = 0; i < spec->n_jobs; i++) {
		cs->slot[i] = (struct compare_slot){0};
		job_spec_copy(&cs->slot[i].job, &spec->jobs[i]);
		cs->n++;
		cs->focus = (unsigned)i;
		get_strip(con);
		setup_target_refresh(&con->st);
		put_strip(con);
	}
	cs->separate = true;
	set_focus(con, 0);
	console_compare_open(con);
	return true;
}

/* ---- a disk in common ---- */

static bool slot_path(const struct console *con, unsigned i, char *out, size_t size)
{
	const struct compare_state *cs = &con->st.compare;
	const struct ui_state probe = {.job = i == cs->focus ? con->st.job : cs->slot[i].job};

	return setup_target_path(&probe, out, size);
}

void console_compare_shared(struct console *con)
{
	struct compare_state *cs = state_of(con);
	char a[PATH_MAX], b[PATH_MAX], disk[48];

	cs->shared[0] = '\0';
	for (unsigned i = 0; i < cs->n; i++)
		for (unsigned k = i + 1; k < cs->n && !cs->shared[0]; k++)
			if (slot_path(con, i, a, sizeof(a)) && slot_path(con, k, b, sizeof(b)) &&
			    shared_disk(a, b, con->cfg->fsroot, con->st.devices, disk,
					sizeof(disk)))
				snprintf(cs->shared, sizeof(cs->shared), "%c and %c on %s",
					 letter(i), letter(k), disk);
}

/* ---- settings ---- */

/* All but the engine: that goes with the target. */
static void copy_field(struct job_spec *to, const struct job_spec *from, enum field f)
{
	switch (f) {
	case FIELD_RW:
		to->rw = from->rw;
		break;
	case FIELD_BS:
		memcpy(to->bs_bytes, from->bs_bytes, sizeof(to->bs_bytes));
		break;
	case FIELD_QD:
		to->iodepth = from->iodepth;
		break;
	case FIELD_JOBS:
		to->numjobs = from->numjobs;
		break;
	case FIELD_DIRECT:
		to->direct = from->direct;
		break;
	case FIELD_MIX:
		to->rwmixread = from->rwmixread;
		break;
	case FIELD_RATE:
		memcpy(to->rate_iops, from->rate_iops, sizeof(to->rate_iops));
		memcpy(to->rate_bps, from->rate_bps, sizeof(to->rate_bps));
		break;
	case FIELD_TIME:
		to->runtime_ns = from->runtime_ns;
		to->time_based = from->time_based;
		break;
	case FIELD_ENGINE:
	case FIELD_NR:
		break;
	}
}

/* Lane i takes over a change while it runs; what cannot be had now waits for the next start. */
static void tune_lane(struct console *con, unsigned i, enum field f, const struct job_spec *job)
{
	struct console_lane *l = &con->lane[i];
	struct command cmd = {.kind = CMD_TUNE, .lane = i, .u.tune = l->live};
	struct err e = {0};

	if (!console_is_running(con) || i >= con->n_started ||
	    !setup_tune(&cmd.u.tune, f, job, l->start_ops))
		return;
	if (!console_can_tune(con)) {
		l->tune_due = true;
		l->live = cmd.u.tune;
	} else if (con->feed->ops->command(con->feed, &cmd, &e) < 0) {
		console_say(con, ROLE_WARN, "lane %c: %.180s", letter(i), e.msg);
	} else {
		l->live = cmd.u.tune;
	}
}

void console_compare_changed(struct console *con, enum field f)
{
	struct compare_state *cs = state_of(con);

	if (con->view != &view_compare || cs->separate)
		return;
	for (unsigned i = 0; i < cs->n; i++) {
		if (i == cs->focus)
			continue;
		copy_field(&cs->slot[i].job, &con->st.job, f);
		tune_lane(con, i, f, &cs->slot[i].job);
	}
}

/* Linked again: all take over what the focused lane has. */
static void toggle_link(struct console *con)
{
	struct compare_state *cs = state_of(con);

	cs->separate = !cs->separate;
	for (int f = 0; f < FIELD_NR && !cs->separate; f++)
		console_compare_changed(con, (enum field)f);
	console_say(con, ROLE_TEXT, "%s",
		    cs->separate ? "each lane has its own settings" : "a change goes to all lanes");
}

/* ---- run ---- */

static int send_mode(struct console *con, struct err *e)
{
	struct command c = {.kind = CMD_AB, .u.ab.alternate = state_of(con)->alternate};

	return con->feed->ops->command(con->feed, &c, e);
}

static int toggle_mode(struct console *con, struct err *e)
{
	struct compare_state *cs = state_of(con);
	int rc;

	cs->alternate = !cs->alternate;
	rc = send_mode(con, e);
	if (rc < 0)
		cs->alternate = !cs->alternate;
	return rc;
}

/* Each lane's file may be a new one. */
static void note_files(struct console *con)
{
	unsigned focus = state_of(con)->focus;

	for (unsigned i = 0; i < state_of(con)->n; i++) {
		set_focus(con, i);
		console_note_new_file(con);
	}
	set_focus(con, focus);
}

int console_compare_mode(struct console *con, const char *words, struct err *e)
{
	struct command c = {.kind = CMD_AB};
	const char *time = words + strcspn(words, " ");
	size_t n = (size_t)(time - words);
	int rc = 0;

	time += strspn(time, " ");
	if (n == 9 && strncmp(words, "alternate", n) == 0)
		c.u.ab.alternate = true;
	else if (strcmp(words, "both") != 0)
		return err_set(e, EINVAL, "mode %s: both, or alternate [SECONDS]", words);
	if (*time)
		rc = units_parse_time(time, UNIT_SEC, &c.u.ab.slice_ns, e);
	if (rc == 0)
		rc = con->feed->ops->command(con->feed, &c, e);
	if (rc == 0)
		state_of(con)->alternate = c.u.ab.alternate;
	return rc;
}

int console_compare_lane(struct console *con, const char *name, struct err *e)
{
	unsigned lane = (unsigned)((name[0] | 0x20) - 'a');

	if (name[0] == '\0' || name[1] || lane >= LANE_MAX)
		return err_set(e, EINVAL, "lane %s: A, B, C or D", name);
	if (con->view != &view_compare)
		console_compare_open(con);
	if (lane > state_of(con)->n || (lane == state_of(con)->n && console_is_running(con)))
		return err_set(e, EINVAL, "lane %s: there are %u lanes", name, state_of(con)->n);
	if (lane == state_of(con)->n)
		add_lane(con);
	set_focus(con, lane);
	return 0;
}

int console_compare_start(struct console *con, struct err *e)
{
	struct compare_state *cs = state_of(con);
	struct command cmd = {.kind = CMD_START};
	struct spec spec;
	int rc = 0;

	if (console_is_running(con))
		return err_set(e, EBUSY, "run: a run is on; stop it first");
	put_strip(con);
	note_files(con);
	for (unsigned i = 0; i < cs->n; i++)
		if (cs->slot[i].ours)
			return err_set(e, EINVAL, "lane %c has no target: Tab to it, then d",
				       letter(i));
	spec_init(&spec);
	for (unsigned i = 0; i < cs->n; i++)
		spec_add(&spec, &cs->slot[i].job);
	cmd.u.spec = &spec;
	rc = send_mode(con, e);
	if (rc == 0)
		rc = console_start_as(con, &cmd, e);
	spec_fini(&spec);
	return rc;
}

/* ---- requests ---- */

static int add_request(struct console *con, struct err *e)
{
	struct compare_state *cs = state_of(con);

	if (console_is_running(con))
		return err_set(e, EBUSY, "add: a run is on; stop it first");
	if (cs->n == LANE_MAX)
		return err_set(e, ERANGE, "add: at most %d lanes", LANE_MAX);
	add_lane(con);
	set_focus(con, cs->n - 1);
	return 0;
}

static int remove_request(struct console *con, struct err *e)
{
	struct compare_state *cs = state_of(con);
	unsigned at = cs->focus;

	if (console_is_running(con))
		return err_set(e, EBUSY, "remove: a run is on; stop it first");
	if (cs->n == 2)
		return err_set(e, ERANGE, "remove: a comparison is of two lanes at least");
	job_spec_fini(&cs->slot[at].job);
	memmove(&cs->slot[at], &cs->slot[at + 1], (cs->n - at - 1) * sizeof(cs->slot[0]));
	cs->n--;
	cs->focus = at < cs->n ? at : cs->n - 1;
	get_strip(con);
	console_compare_shared(con);
	return 0;
}

bool console_compare_request(struct console *con, enum request req, int *rc, struct err *e)
{
	struct compare_state *cs = state_of(con);
	bool here = con->view == &view_compare;

	*rc = 0;
	if (req == REQ_VIEW_COMPARE) {
		console_compare_open(con);
		return true;
	}
	if (req == REQ_VIEW_RUN || req == REQ_VIEW_SWEEP || req == REQ_VIEW_HISTORY) {
		console_compare_leave(con);
		return false;
	}
	if (!here)
		return false;
	switch (req) {
	case REQ_LANE_NEXT:
		set_focus(con, (cs->focus + 1) % cs->n);
		return true;
	case REQ_LANE_PREV:
		set_focus(con, (cs->focus + cs->n - 1) % cs->n);
		return true;
	case REQ_LANE_ADD:
		*rc = add_request(con, e);
		return true;
	case REQ_LANE_REMOVE:
		*rc = remove_request(con, e);
		return true;
	case REQ_LANE_LINK:
		toggle_link(con);
		return true;
	case REQ_LANE_MODE:
		*rc = toggle_mode(con, e);
		return true;
	case REQ_LANE_AXIS:
		cs->own_axis = !cs->own_axis;
		return true;
	case REQ_LANE_OVERLAY:
		cs->overlay = !cs->overlay;
		return true;
	default:
		return false;
	}
}

/* ---- snapshots ---- */

void console_compare_pull(struct console *con, const struct snapshot *s)
{
	if (s->n_lanes < 2)
		return;
	if (!state_of(con)->track)
		state_of(con)->track = xcalloc(1, sizeof(*state_of(con)->track));
	compare_track_add(state_of(con)->track, s);
}
