#include "ui/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/strbuf.h"
#include "src/base/xalloc.h"
#include "src/dev/stack.h"

static void drop_reading(struct machine *m)
{
	device_list_fini(&m->devices);
	mounts_fini(&m->mounts);
	free(m->notes);
	m->notes = NULL;
}

int machine_load(struct machine *m, const char *fsroot, struct err *e)
{
	struct machine fresh = {.gen = m->gen + 1, .signs = m->signs};
	int rc = device_list_load(fsroot, &fresh.devices, e);

	if (rc < 0)
		return rc;
	fresh.has_mounts = mounts_load(fsroot, MOUNTS_ALL_NAMESPACES, &fresh.mounts, NULL) == 0;
	fresh.notes = xcalloc(fresh.devices.n + 1, sizeof(*fresh.notes));
	drop_reading(m);
	*m = fresh;
	if (m->signs)
		signs_want(m->signs, &m->devices);
	return 0;
}

void machine_fini(struct machine *m)
{
	drop_reading(m);
	signs_release(m->signs);
	m->signs = NULL;
}

void machine_look(struct machine *m, const char *fsroot, uint64_t wait_ns)
{
	signs_release(m->signs);
	m->signs = signs_new(fsroot);
	signs_want(m->signs, &m->devices);
	signs_wait(m->signs, wait_ns);
}

static void add_holds(const struct machine *m, const struct device *d, const char *where,
		      struct strbuf *out)
{
	char text[SIGNS_TEXT];

	switch (signs_get(m->signs, d, text)) {
	case SIGNS_READING:
		snprintf(text, sizeof(text), "...");
		break;
	case SIGNS_FOUND:
		break;
	case SIGNS_NONE:
	case SIGNS_UNKNOWN:
		return;
	}
	strbuf_addf(out, "%s%s%s%s", out->len ? ", " : "", text, where ? " on " : "",
		    where ? where : "");
}

void machine_holds(const struct machine *m, const struct device *d, char *out, size_t size)
{
	struct strbuf sb = {0};
	char text[SIGNS_TEXT];
	bool any = false;

	out[0] = '\0';
	if (!m->signs || signs_get(m->signs, d, text) == SIGNS_UNKNOWN)
		return;
	add_holds(m, d, NULL, &sb);
	for (size_t i = 0; i < m->devices.n; i++) {
		const struct device *part = &m->devices.v[i];

		if (part == d || !part->is_partition || !stack_on(part, d))
			continue;
		any = true;
		add_holds(m, part, part->name, &sb);
	}
	if (sb.len == 0)
		strbuf_addf(&sb, "no signature");
	snprintf(out, size, "%s%s", sb.s, any ? ", not mounted" : "");
	strbuf_fini(&sb);
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
