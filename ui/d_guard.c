/*
 * What a run would destroy, asked before it starts (ui.md 4.4, 4.8). Consent is the typed phrase and
 * nothing else: no key of this dialog means yes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/dev/guard.h"
#include "ui/dialog.h"
#include "ui/lineedit.h"

struct d_guard {
	struct guard_ask ask;
	char title[300];
	char typed[160];
	size_t pos;
	bool wrong; /* Enter was pressed on another text */
};

static enum key_screen d_guard_keys(const void *st)
{
	(void)st;
	return KEYS_GUARD;
}

static const char *d_guard_title(const void *st)
{
	return ((const struct d_guard *)st)->title;
}

static bool is_refused(const struct d_guard *d)
{
	return d->ask.report.verdict == GUARD_REFUSE;
}

/* ---- drawing ---- */

/* Exact, in bytes: what is typed next is about these. */
static void region_text(const struct d_guard *d, char *out, size_t size)
{
	const struct guard_ask *a = &d->ask;
	uint64_t len = a->end_bytes - a->off_bytes, whole = a->report.size_bytes;
	char bytes[32], pct[32] = "";

	units_fmt_bytes(bytes, sizeof(bytes), (double)len, false);
	if (whole && len <= whole)
		units_fmt_pct(pct, sizeof(pct), 100 * (double)len / (double)whole);
	snprintf(out, size, "writes within bytes %llu to %llu (%s%s%s%s)",
		 (unsigned long long)a->off_bytes, (unsigned long long)a->end_bytes, bytes,
		 pct[0] ? ", " : "", pct, pct[0] ? "% of it" : "");
}

static int draw_reasons(const struct d_guard *d, struct canvas *c, struct rect r)
{
	const struct guard_report *g = &d->ask.report;
	int y = r.y, end = r.y + r.h;
	char text[200];

	for (size_t i = 0; i < g->n_why && y < end; i++) {
		if (is_refused(d) && !guard_reason_refuses(g->why[i].reason))
			continue;
		snprintf(text, sizeof(text), "%s", g->why[i].text);
		canvas_label(c, r.x, y++, r.w, ROLE_WARN, 0, text);
	}
	return y;
}

static void draw_input(const struct d_guard *d, struct canvas *c, int x, int y, int end)
{
	x = canvas_text(c, x, y, ROLE_TEXT, 0, "Type  ");
	x = canvas_text(c, x, y, ROLE_TITLE, ATTR_BOLD, d->ask.report.phrase);
	x = canvas_text(c, x, y, ROLE_TEXT, 0, "  to go on: ");
	if (end - x >= 4)
		lineedit_draw(d->typed, d->pos, c, x, y, end - x);
}

static void draw_answer(const struct d_guard *d, struct canvas *c, struct rect r)
{
	if (is_refused(d)) {
		canvas_label(c, r.x, r.y, r.w, ROLE_ERROR, 0,
			     "Refused. Nothing that is typed or given can allow it.");
		return;
	}
	draw_input(d, c, r.x, r.y, r.x + r.w);
	if (d->wrong && r.h > 1)
		canvas_label(c, r.x, r.y + 1, r.w, ROLE_WARN, 0,
			     "that is not the phrase; nothing is written");
}

static void d_guard_draw(void *st, struct canvas *c, struct rect r)
{
	const struct d_guard *d = st;
	struct rect why = {r.x + 1, r.y, r.w - 2, r.h - 5};
	int y;
	char text[200];

	if (why.h < 1)
		why.h = 1;
	y = draw_reasons(d, c, why);
	if (!is_refused(d) && y < r.y + r.h - 3) {
		region_text(d, text, sizeof(text));
		canvas_label(c, r.x + 1, y++, r.w - 2, ROLE_TEXT, ATTR_BOLD, text);
	}
	if (!is_refused(d) && y < r.y + r.h - 3)
		canvas_label(c, r.x + 1, y++, r.w - 2, ROLE_TEXT, 0,
			     "Consent is for this target alone and ends with the program.");
	if (d->ask.report.is_block && y < r.y + r.h - 3)
		canvas_label(
			c, r.x + 1, y, r.w - 2, ROLE_TEXT, 0,
			"checked: mounts of all namespaces, swap, dm, md, loop, the disk under "
			"/, exclusive use, signatures");
	draw_answer(d, c, (struct rect){r.x + 1, r.y + r.h - 3, r.w - 2, 2});
	keys_footer(KEYS_GUARD, c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
}

/* ---- keys ---- */

/* A letter is text as soon as the phrase is being typed, or may begin with it. */
static bool is_text(const struct d_guard *d, uint32_t key)
{
	return key >= ' ' && key < 0x7f && !is_refused(d) &&
	       (d->typed[0] || (uint32_t)(unsigned char)d->ask.report.phrase[0] == key);
}

static void accept(struct d_guard *d, struct dialog_reply *reply)
{
	if (is_refused(d))
		return;
	d->wrong = strcmp(d->typed, d->ask.report.phrase) != 0;
	if (d->wrong)
		return;
	reply->act = DIALOG_ARM;
	snprintf(reply->text, sizeof(reply->text), "%s", d->typed);
}

static void d_guard_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct d_guard *d = st;
	struct lineedit line = {d->typed, sizeof(d->typed), &d->pos};

	if (is_text(d, key))
		req = REQ_NONE;
	if (req == REQ_CANCEL)
		reply->act = DIALOG_CLOSE;
	else if (req == REQ_READ_ONLY)
		reply->act = DIALOG_READ_ONLY;
	else if (req == REQ_FILE)
		reply->act = DIALOG_TEST_FILE;
	else if (req == REQ_ACCEPT)
		accept(d, reply);
	else if (!is_refused(d) && lineedit_key(&line, req, key))
		d->wrong = false;
}

static const struct dialog_ops d_guard_ops = {
	.name = "guard",
	.w = 90,
	.h = 14,
	.min_w = 36,
	.min_h = 7,
	.keys = d_guard_keys,
	.title = d_guard_title,
	.draw = d_guard_draw,
	.key = d_guard_key,
	.free = free,
};

void d_guard_open(struct dialog *dlg, const struct guard_ask *ask)
{
	struct d_guard *d = xcalloc(1, sizeof(*d));

	d->ask = *ask;
	snprintf(d->title, sizeof(d->title), "This run WRITES to %s", ask->path);
	dialog_open(dlg, &d_guard_ops, d);
}
