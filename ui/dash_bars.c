/* The rows of the Run screen that are not panes: top bar, target, hint, and the one-line form. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/clock.h"
#include "src/base/units.h"
#include "ui/honesty.h"
#include "ui/view_dash.h"
#include "ui/w_events.h"
#include "ui/w_latency.h"
#include "ui/w_workers.h"

#define STUCK_NS (5 * NSEC_PER_SEC) /* no completion for so long deserves a line of its own */

static enum role state_role(enum run_state s)
{
	switch (s) {
	case RUN_RAMP:
	case RUN_ON:
		return ROLE_OK;
	case RUN_FAILED:
		return ROLE_ERROR;
	case RUN_LAYOUT:
	case RUN_PAUSED:
	case RUN_DRAIN:
		return ROLE_WARN;
	case RUN_IDLE:
	case RUN_DONE:
		break;
	}
	return ROLE_TITLE;
}

static void add_state(const struct canvas *c, const struct dash *d, struct items *it)
{
	enum run_state s = d->snap->state;
	char bullet[8] = "", asking[32];

	state_asking_text(d->st, asking, sizeof(asking));
	if (asking[0]) {
		items_add(it, ROLE_WARN, ATTR_REVERSE, "%s", asking);
		return;
	}
	if (s == RUN_RAMP || s == RUN_ON)
		snprintf(bullet, sizeof(bullet), "%s", c->g->ascii ? "" : "● ");
	items_add(it, state_role(s), s == RUN_FAILED ? 0 : ATTR_REVERSE, " %s%s ", bullet,
		  run_state_word(s));
}

/* "0:42 / 2:00", or how much of the size is done when there is no clock to end the run. */
static void add_clock(const struct dash *d, struct items *it)
{
	const struct lane_snap *l = d->lane;
	char now[NUM_SIZE], end[NUM_SIZE];

	if (!l->t_start_ns)
		return;
	units_fmt_clock(now, sizeof(now), l->elapsed_ns);
	if (d->running && l->remaining_ns != UINT64_MAX) {
		units_fmt_clock(end, sizeof(end), l->elapsed_ns + l->remaining_ns);
		items_add(it, ROLE_TITLE, 0, "%s / %s", now, end);
	} else {
		items_add(it, ROLE_TITLE, 0, "%s", now);
	}
	if (l->held_ns >= NSEC_PER_SEC) {
		units_fmt_clock(end, sizeof(end), l->held_ns);
		items_add(it, ROLE_WARN, 0, "+ %s paused", end);
	}
	if (l->bytes_total && d->running) {
		units_fmt_pct(end, sizeof(end),
			      100 * (double)l->bytes_done / (double)l->bytes_total);
		items_add(it, ROLE_TEXT, 0, "%s%%", end);
	}
}

static void add_remaining(const struct dash *d, struct items *it)
{
	char left[NUM_SIZE];

	if (!d->running || !d->lane->t_start_ns || d->lane->remaining_ns == UINT64_MAX)
		return;
	units_fmt_clock(left, sizeof(left), d->lane->remaining_ns);
	items_add(it, ROLE_TEXT, 0, "left %s", left);
}

void dash_top(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_TOP];
	struct items it = {0};
	char text[NUM_SIZE];
	int x = r.x + 8, w;

	canvas_text(c, r.x + 1, r.y, ROLE_TITLE, 0, "iodeck");
	add_state(c, d, &it);
	/* Never dropped for want of room: at XS it stands with the target. */
	if (d->lane->simulated && d->lay.cls >= LAYOUT_S)
		items_add(&it, ROLE_BADGE, 0, " SIMULATED ");
	if (d->lay.cls == LAYOUT_XS && d->has_data)
		items_add(&it, ROLE_TITLE, 0, "%s IOPS",
			  show_count(c, text, d->win[IO_OP_NR].iops));
	add_clock(d, &it);
	if (d->st->frozen)
		items_add(&it, ROLE_BADGE, 0, " FROZEN ");
	if (d->lay.cls >= LAYOUT_L)
		add_remaining(d, &it);
	if (d->st->fps && d->lay.cls >= LAYOUT_M)
		items_add_rate(&it, d->st->fps, d->st->tty_slow);
	if (d->lay.cls >= LAYOUT_XL)
		items_add(&it, ROLE_TEXT, 0, "%s", d->st->si ? "SI" : "IEC");
	while (it.n > 1 && items_width(&it) > r.w - 9)
		it.n--;
	w = items_width(&it);
	if (d->lay.cls >= LAYOUT_S)
		view_tabs(c, x + 2, r.y, r.x + r.w - 2 - w, &view_dash);
	if (w <= r.w - 9)
		w_items(c, r.x + r.w - 1 - w, r.y, w, &it);
}

static bool pattern_writes(const struct dash *d)
{
	return job_spec_may_write(&d->st->job);
}

/* Writes are going on, or the next start begins them without a question. */
static bool is_armed(const struct dash *d)
{
	return d->running ? d->lane->writes : d->st->armed && pattern_writes(d);
}

/* What the run may do to the target, in words. */
static void add_effect(const struct dash *d, struct items *it)
{
	if (d->lane->lost && (d->running || d->over))
		items_add(it, ROLE_ERROR, 0, " LOST ");
	if (is_armed(d)) {
		items_add(it, ROLE_BADGE, 0, " WRITES ARMED ");
		if (d->lay.cls >= LAYOUT_M)
			items_add(it, ROLE_KEY, 0, "r read-only");
	} else if (pattern_writes(d)) {
		items_add(it, ROLE_WARN, 0, "WRITE pattern");
	} else {
		items_add(it, ROLE_OK, 0, "READ-ONLY pattern");
	}
}

void dash_target(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_TARGET];
	struct items it = {0};
	bool armed = d->running && d->lane->writes;
	int w;

	if (d->lane->simulated && d->lay.cls == LAYOUT_XS)
		items_add(&it, ROLE_BADGE, 0, " SIMULATED ");
	if (d->lay.cls >= LAYOUT_S ? d->st->target_line[0] != '\0' : armed)
		add_effect(d, &it);
	w = items_width(&it);
	if (w)
		w_items(c, r.x + r.w - 1 - w, r.y, w, &it);
	canvas_label(c, r.x + 1, r.y, r.w - 2 - (w ? w + 2 : 0),
		     is_armed(d) ? ROLE_ERROR : ROLE_TEXT, 0,
		     d->st->target_line[0] ? d->st->target_line : "no target chosen");
}

/* The gravest rule that holds, where no pane has room for it. */
static bool dishonest(const struct canvas *c, const struct dash *d, char *out, size_t size)
{
	struct honesty_line lines[HONESTY_MAX];

	if (!d->has_data || !honesty_lines(c, d->lane, lines))
		return false;
	snprintf(out, size, "%s%s", lines[0].text, lines[0].why);
	return true;
}

/* Warnings about what is going on now; false: nothing to warn of. */
static bool warning(const struct canvas *c, const struct dash *d, char *out, size_t size)
{
	char text[NUM_SIZE];

	if (d->running && d->lane->oldest_ns >= STUCK_NS)
		snprintf(out, size, "! no completion for %s with %u in flight",
			 show_ns(c, text, (double)d->lane->oldest_ns), d->lane->inflight);
	else if (d->snap->error[0] && d->snap->state != RUN_FAILED)
		snprintf(out, size, "! %s", d->snap->error);
	else
		return dishonest(c, d, out, size);
	return true;
}

/* What the last change has bought and cost, in one line; false: there is none that is measured. */
static bool last_step(const struct dash *d, char *out, size_t size)
{
	const struct snapshot *s = d->snap;

	for (uint32_t i = s->n_events < EVENT_MAX ? s->n_events : EVENT_MAX; i-- > 0;) {
		const struct event *e = &s->event[i];
		const struct segment *a = &e->before, *b = &e->after;

		if (e->kind != EVENT_TUNE || e->lane != d->lane_index)
			continue;
		if (!a->valid || !b->valid || !(a->iops > 0) || !a->p99_ns)
			return false;
		snprintf(out, size, "last step: %+.0f %% IOPS for %+.0f %% p99",
			 100 * (b->iops / a->iops - 1),
			 100 * ((double)b->p99_ns / (double)a->p99_ns - 1));
		return true;
	}
	return false;
}

void dash_hint(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_HINT];
	struct items it = {0};
	char text[600];

	if (d->st->message[0]) {
		canvas_label(c, r.x + 1, r.y, r.w - 2, d->st->message_role, 0, d->st->message);
	} else if (warning(c, d, text, sizeof(text))) {
		canvas_label(c, r.x + 1, r.y, r.w - 2, ROLE_WARN, 0, text);
	} else if (d->running && d->lane->settling) {
		canvas_label(c, r.x + 1, r.y, r.w - 2, ROLE_TEXT, 0,
			     "the workers take over the change");
	} else if (d->st->slo.set && d->has_data && !layout_titled(&d->lay, AREA_LATENCY)) {
		w_latency_slo(c, r, &d->st->slo, &d->win[IO_OP_NR].lat,
			      d->totals ? &d->lane->total_lat : &d->lane->sec_lat);
	} else if (d->lay.area[AREA_EVENTS].w && d->running && last_step(d, text, sizeof(text))) {
		canvas_label(c, r.x + 1, r.y, r.w - 2, ROLE_TEXT, 0, text);
	} else if (d->lay.area[AREA_EVENTS].w == 0) {
		events_short(c, d->snap, d->t0_ns, &it);
		w_items(c, r.x + 1, r.y, r.w - 1, &it);
	}
}

void dash_line(struct canvas *c, const struct dash *d)
{
	struct rect r = d->lay.area[AREA_TOP];
	const struct lat_view *lat = &d->win[IO_OP_NR].lat;
	struct items it = {0};
	char text[NUM_SIZE];

	if (d->snap->state != RUN_ON)
		items_add(&it, state_role(d->snap->state), 0, "%s", run_state_word(d->snap->state));
	if (d->lane->simulated)
		items_add(&it, ROLE_BADGE, 0, "SIM");
	if (d->has_data) {
		items_add(&it, ROLE_TITLE, 0, "%s IOPS",
			  show_count(c, text, d->win[IO_OP_NR].iops));
		items_add(&it, ROLE_TEXT, 0, "p99 %s",
			  show_ns(c, text, lat->n ? (double)lat->pct_ns[3] : NAN));
	}
	add_clock(d, &it);
	if (d->has_data)
		items_add(&it, ROLE_TEXT, 0, "qd%u", d->lane->qd_effective);
	if (d->has_data)
		items_add(&it, ROLE_TEXT, 0, "p50 %s",
			  show_ns(c, text, lat->n ? (double)lat->pct_ns[0] : NAN));
	w_items(c, r.x + (r.w > 20), r.y, r.w - (r.w > 20), &it);
	r = d->lay.area[AREA_HINT];
	if (r.w && d->snap->state == RUN_FAILED && !d->st->message[0])
		canvas_label(c, r.x, r.y, r.w, ROLE_ERROR, 0, d->snap->error);
	else if (r.w)
		dash_hint(c, d);
}

/* The end of the longest head of s that fits in w columns, at a blank if there is one. */
static const char *wrap_at(const char *s, int w)
{
	const char *blank = NULL, *p = s;

	for (int n = 0; *p && n < w; n++) {
		if (*p == ' ')
			blank = p;
		for (p++; (*p & 0xc0) == 0x80; p++)
			;
	}
	return *p == '\0' || *p == ' ' || !blank ? p : blank;
}

void dash_wrap(struct canvas *c, struct rect r, enum role role, const char *text)
{
	char row[1024];

	for (int y = 0; y < r.h && *text && r.w > 0; y++) {
		const char *end = wrap_at(text, r.w);

		if (y == r.h - 1) {
			canvas_label(c, r.x, r.y + y, r.w, role, 0, text);
			return;
		}
		snprintf(row, sizeof(row), "%.*s", (int)(end - text), text);
		canvas_text(c, r.x, r.y + y, role, 0, row);
		for (text = end; *text == ' '; text++)
			;
	}
}
