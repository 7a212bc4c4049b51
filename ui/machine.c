#include "ui/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"

int machine_load(struct machine *m, const char *fsroot, struct err *e)
{
	struct machine fresh = {.gen = m->gen + 1};
	int rc = device_list_load(fsroot, &fresh.devices, e);

	if (rc < 0)
		return rc;
	fresh.has_mounts = mounts_load(fsroot, MOUNTS_ALL_NAMESPACES, &fresh.mounts, NULL) == 0;
	fresh.notes = xcalloc(fresh.devices.n + 1, sizeof(*fresh.notes));
	machine_fini(m);
	*m = fresh;
	return 0;
}

void machine_fini(struct machine *m)
{
	device_list_fini(&m->devices);
	mounts_fini(&m->mounts);
	free(m->notes);
	m->notes = NULL;
}

static const char *why_text(const struct guard_report *r, enum guard_reason reason)
{
	for (size_t i = 0; i < r->n_why; i++)
		if (r->why[i].reason == reason)
			return r->why[i].text;
	return NULL;
}

/* "mounted at /srv" of "sda1 is mounted at /srv (ext4)". */
static void brief_mount(const char *text, char *out, size_t size)
{
	const char *at = strstr(text, "mounted at ");
	const char *end = strrchr(text, '(');

	if (!at)
		at = text;
	snprintf(out, size, "%.*s", end > at ? (int)(end - at) - 1 : (int)strlen(at), at);
}

static void make_brief(const struct guard_report *r, char *out, size_t size)
{
	static const struct {
		enum guard_reason reason;
		const char *text;
	} rest[] = {
		{GUARD_SWAP, "swap"},
		{GUARD_READ_ONLY, "read-only device"},
		{GUARD_EMPTY, "no medium"},
		{GUARD_SYSTEM_DISK, "on the disk of /"},
	};
	const char *text = why_text(r, GUARD_MOUNTED);

	if (text) {
		brief_mount(text, out, size);
		return;
	}
	text = why_text(r, GUARD_HELD);
	if (text) {
		snprintf(out, size, "held by %.*s", (int)strcspn(text, " "), text);
		return;
	}
	snprintf(out, size, "%.*s", (int)size - 1, r->n_why ? r->why[0].text : "");
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (why_text(r, rest[i].reason)) {
			snprintf(out, size, "%s", rest[i].text);
			return;
		}
}

static void judge(struct machine *m, const struct device *d, struct device_note *note)
{
	struct guard_report *r = xcalloc(1, sizeof(*r));

	note->known = true;
	note->verdict = guard_judge(&m->devices, &m->mounts, d, r);
	guard_text(r, note->text, sizeof(note->text));
	if (note->verdict == GUARD_REFUSE)
		make_brief(r, note->brief, sizeof(note->brief));
	free(r);
}

const struct device_note *machine_note(struct machine *m, const struct device *d)
{
	struct device_note *note = &m->notes[d - m->devices.v];

	if (note->known)
		return note;
	if (m->has_mounts) {
		judge(m, d, note);
		return note;
	}
	note->known = true;
	note->verdict = GUARD_REFUSE;
	snprintf(note->text, sizeof(note->text), "what is mounted cannot be found out");
	snprintf(note->brief, sizeof(note->brief), "mounts unknown");
	return note;
}
