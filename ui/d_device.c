/* The device picker: disks with their partitions, a path typed in, simulated devices. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "ui/dialog.h"
#include "ui/lineedit.h"
#include "ui/setup_target.h"

enum mode { MODE_LIST, MODE_FILTER, MODE_PATH };

struct d_device {
	struct machine *m; /* re-read in place by the console */
	const struct sim_info *sims;
	unsigned gen;     /* of what pos was last set for */
	char at_name[64]; /* the device under the cursor, "" the row that types a path */
	enum mode mode;
	struct list_pos pos;
	int rows_seen; /* of the last frame, for paging */
	char filter[64], path[PATH_MAX];
	size_t filter_pos, path_pos;
	char why[300]; /* what is wrong with the typed path */
};

static enum key_screen d_device_keys(const void *st)
{
	const struct d_device *d = st;

	return d->mode == MODE_LIST ? KEYS_DEVICE : KEYS_TEXT;
}

static const char *d_device_title(const void *st)
{
	(void)st;
	return "Device";
}

static bool has_text(const char *where, const char *what)
{
	return strcasestr(where, what) != NULL;
}

/* Devices without a size (unused loop, empty card reader) are shown only to who asks by name. */
static bool is_shown(const struct d_device *d, const struct device *dev)
{
	if (!d->filter[0])
		return dev->size_bytes > 0;
	return has_text(dev->name, d->filter) || has_text(dev->model, d->filter) ||
	       has_text(dev->serial, d->filter) || has_text(device_kind_word(dev->kind), d->filter);
}

static bool sim_is_shown(const struct d_device *d, const struct sim_info *sim)
{
	return !d->filter[0] || has_text(sim->name, d->filter) ||
	       has_text(sim->summary, d->filter) || has_text("SIMULATED", d->filter);
}

/* What a row is of; neither: it types a path. */
struct row {
	const struct device *dev;
	const struct sim_info *sim;
};

static int count_devices(const struct d_device *d)
{
	int n = 0;

	for (size_t i = 0; i < d->m->devices.n; i++)
		n += is_shown(d, &d->m->devices.v[i]);
	return n;
}

static int count_rows(const struct d_device *d)
{
	int n = count_devices(d) + 1;

	for (const struct sim_info *sim = d->sims; sim && sim->name[0]; sim++)
		n += sim_is_shown(d, sim);
	return n;
}

static struct row row_at(const struct d_device *d, int row)
{
	for (size_t i = 0; i < d->m->devices.n; i++)
		if (is_shown(d, &d->m->devices.v[i]) && row-- == 0)
			return (struct row){.dev = &d->m->devices.v[i]};
	if (row-- == 0)
		return (struct row){0};
	for (const struct sim_info *sim = d->sims; sim && sim->name[0]; sim++)
		if (sim_is_shown(d, sim) && row-- == 0)
			return (struct row){.sim = sim};
	return (struct row){0};
}

static const char *row_name(const struct row *r)
{
	return r->dev ? r->dev->name : r->sim ? r->sim->name : "";
}

#define ROW_FORMAT " %-16.16s %8s %-6.6s %-18.18s %.100s"

static void sim_text(const struct sim_info *sim, char *out, size_t size)
{
	char bytes[32];

	units_fmt_bytes(bytes, sizeof(bytes), (double)sim->size_bytes, false);
	snprintf(out, size, ROW_FORMAT, sim->name, bytes, "sim", "SIMULATED", sim->summary);
}

static void row_text(const struct d_device *d, int row, char *out, size_t size)
{
	const struct row at = row_at(d, row);
	const struct device *dev = at.dev;
	char bytes[32], note[300], name[72];

	if (at.sim) {
		sim_text(at.sim, out, size);
		return;
	}
	if (!dev) {
		snprintf(out, size, " file ...                  type the path of a file or device");
		return;
	}
	snprintf(name, sizeof(name), "%s%s", dev->is_partition ? "  " : "", dev->name);
	units_fmt_bytes(bytes, sizeof(bytes), (double)dev->size_bytes, false);
	setup_target_write_note(d->m, dev, note, sizeof(note));
	snprintf(out, size, ROW_FORMAT, name, bytes,
		 dev->is_partition ? "" : device_kind_word(dev->kind),
		 dev->is_partition ? "" : dev->model, note);
}

static void add_u32(struct strbuf *sb, const char *name, uint32_t v)
{
	if (v != DEVICE_UNKNOWN_U32)
		strbuf_addf(sb, "  %s %u", name, v);
}

/* What the row has no room for. */
static void detail_text(const struct device *dev, struct strbuf *sb)
{
	strbuf_addf(sb, "/dev/%s", dev->name);
	add_u32(sb, "lba", dev->logical_block);
	add_u32(sb, "phys", dev->physical_block);
	if (dev->scheduler[0])
		strbuf_addf(sb, "  sched %s", dev->scheduler);
	if (dev->serial[0])
		strbuf_addf(sb, "  s/n %s", dev->serial);
	if (dev->firmware[0])
		strbuf_addf(sb, "  fw %s", dev->firmware);
	if (dev->backing[0])
		strbuf_addf(sb, "  on %s", dev->backing);
	for (size_t i = 0; i < dev->n_mounts; i++)
		strbuf_addf(sb, "  mounted at %s", dev->mounts[i]);
}

static void draw_verdict(const struct d_device *d, struct canvas *c, struct rect r,
			 const struct device *dev)
{
	const struct device_note *note = machine_note(d->m, dev);
	bool refused = note->verdict == GUARD_REFUSE;
	char text[600], holds[200];

	machine_holds(d->m, dev, holds, sizeof(holds));
	snprintf(text, sizeof(text), "a write job %s: %s%s%s",
		 refused ? "is refused" : "asks first", note->text, holds[0] ? "; on it: " : "",
		 holds);
	canvas_label(c, r.x, r.y, r.w, refused ? ROLE_TEXT : ROLE_WARN, 0, text);
}

/* The two lines above the footer: the row's details, or what is being typed. */
static void draw_foot(const struct d_device *d, struct canvas *c, struct rect r)
{
	const struct row at = row_at(d, d->pos.at);
	const struct device *dev = at.dev;
	struct strbuf sb = {0};
	int x;

	if (d->mode == MODE_PATH) {
		x = canvas_text(c, r.x + 1, r.y, ROLE_TEXT, 0, "path: ");
		lineedit_draw(d->path, d->path_pos, c, x, r.y, r.x + r.w - 1 - x);
		canvas_label(c, r.x + 1, r.y + 1, r.w - 2, ROLE_WARN, 0, d->why);
	} else if (d->mode == MODE_FILTER) {
		x = canvas_text(c, r.x + 1, r.y, ROLE_TEXT, 0, "filter: ");
		lineedit_draw(d->filter, d->filter_pos, c, x, r.y, r.x + r.w - 1 - x);
	} else {
		if (dev)
			detail_text(dev, &sb);
		if (at.sim)
			strbuf_addf(&sb, "%s  %s; f: change it, as in %s?seed=7&stall=2s/30ms",
				    at.sim->name, at.sim->summary, at.sim->name);
		canvas_label(c, r.x + 1, r.y, r.w - 2, ROLE_TEXT, 0, strbuf_str(&sb));
		if (dev && !d->filter[0])
			draw_verdict(d, c, (struct rect){r.x + 1, r.y + 1, r.w - 2, 1}, dev);
		if (d->filter[0])
			canvas_textf(c, r.x + 1, r.y + 1, ROLE_TEXT, 0, "filter: %s", d->filter);
	}
	strbuf_fini(&sb);
}

static void note_cursor(struct d_device *d)
{
	const struct row at = row_at(d, d->pos.at);

	snprintf(d->at_name, sizeof(d->at_name), "%s", row_name(&at));
}

/* Devices came or went: the cursor stays on its device, whatever row that has now. */
static void follow_cursor(struct d_device *d)
{
	int n = count_rows(d);

	if (d->gen == d->m->gen)
		return;
	d->gen = d->m->gen;
	for (int i = 0; i < n; i++) {
		const struct row at = row_at(d, i);

		if (strcmp(row_name(&at), d->at_name) == 0)
			d->pos.at = i;
	}
}

static void d_device_draw(void *st, struct canvas *c, struct rect r)
{
	struct d_device *d = st;
	int n = count_rows(d), rows = r.h - 5;
	char text[512];

	follow_cursor(d);
	d->rows_seen = rows;
	list_clamp(&d->pos, n, rows);
	snprintf(text, sizeof(text), ROW_FORMAT, "name", "size", "kind", "model", "a write job");
	canvas_label(c, r.x, r.y++, r.w, ROLE_TITLE, 0, text);
	r.h--;
	for (int i = 0; i < rows && d->pos.top + i < n; i++) {
		int row = d->pos.top + i;

		row_text(d, row, text, sizeof(text));
		list_row(c, r.x, r.y + i, r.w, row == d->pos.at, ROLE_TEXT, text);
	}
	draw_foot(d, c, (struct rect){r.x, r.y + r.h - 3, r.w, 2});
	keys_footer(d_device_keys(d), c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
}

static void begin_path(struct d_device *d)
{
	d->mode = MODE_PATH;
	d->path_pos = strlen(d->path);
	d->why[0] = '\0';
}

static void pick_path(struct d_device *d, struct dialog_reply *reply)
{
	struct target_look t;
	struct err e = {0};

	if (setup_target_look(d->path, d->m, &t, &e) < 0) {
		snprintf(d->why, sizeof(d->why), "%.299s", e.msg);
		return;
	}
	reply->act = DIALOG_PICK_TARGET;
	snprintf(reply->text, sizeof(reply->text), "%s", d->path);
}

static void key_path(struct d_device *d, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct lineedit line = {d->path, sizeof(d->path), &d->path_pos};

	if (lineedit_key(&line, req, key))
		d->why[0] = '\0';
	else if (req == REQ_CANCEL)
		d->mode = MODE_LIST;
	else if (req == REQ_ACCEPT)
		pick_path(d, reply);
}

static void key_filter(struct d_device *d, enum request req, uint32_t key)
{
	struct lineedit line = {d->filter, sizeof(d->filter), &d->filter_pos};

	if (lineedit_key(&line, req, key)) {
		d->pos = (struct list_pos){0};
	} else if (req == REQ_CANCEL) {
		d->filter[0] = '\0';
		d->filter_pos = 0;
		d->mode = MODE_LIST;
	} else if (req == REQ_ACCEPT) {
		d->mode = MODE_LIST;
	}
}

static void cancel_list(struct d_device *d, struct dialog_reply *reply)
{
	if (d->filter[0]) {
		d->filter[0] = '\0';
		d->filter_pos = 0;
	} else {
		reply->act = DIALOG_CLOSE;
	}
}

static void accept_list(struct d_device *d, struct dialog_reply *reply)
{
	const struct row at = row_at(d, d->pos.at);

	if (!at.dev && !at.sim) {
		begin_path(d);
		return;
	}
	reply->act = DIALOG_PICK_TARGET;
	snprintf(reply->text, sizeof(reply->text), "%s%s", at.dev ? "/dev/" : "", row_name(&at));
}

static void key_list(struct d_device *d, enum request req, struct dialog_reply *reply)
{
	if (list_request(&d->pos, req, count_rows(d), d->rows_seen))
		return;
	if (req == REQ_CANCEL)
		cancel_list(d, reply);
	else if (req == REQ_ACCEPT)
		accept_list(d, reply);
	else if (req == REQ_FILE)
		begin_path(d);
	else if (req == REQ_FILTER)
		d->mode = MODE_FILTER;
	else if (req == REQ_RESCAN)
		reply->act = DIALOG_RESCAN;
}

static void d_device_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct d_device *d = st;

	follow_cursor(d);
	if (d->mode == MODE_PATH)
		key_path(d, req, key, reply);
	else if (d->mode == MODE_FILTER)
		key_filter(d, req, key);
	else
		key_list(d, req, reply);
	note_cursor(d);
}

static const struct dialog_ops d_device_ops = {
	.name = "device",
	.shows_devices = true,
	.w = 100,
	.h = 28,
	.min_w = 30,
	.min_h = 7,
	.keys = d_device_keys,
	.title = d_device_title,
	.draw = d_device_draw,
	.key = d_device_key,
	.free = free,
};

/* The cursor stands on the current target. */
static void seek_target(struct d_device *d, const char *target)
{
	int n = count_rows(d);

	if (!target)
		return;
	for (int i = 0; i < n; i++) {
		const struct row at = row_at(d, i);

		if (at.sim && strcmp(at.sim->name, target) == 0)
			d->pos.at = i;
		if (at.dev && strncmp(target, "/dev/", 5) == 0 &&
		    strcmp(at.dev->name, target + 5) == 0)
			d->pos.at = i;
	}
}

void d_device_open(struct dialog *dlg, struct machine *m, const struct sim_info *sims,
		   const char *current_target)
{
	struct d_device *d = xcalloc(1, sizeof(*d));

	d->m = m;
	d->sims = sims;
	d->gen = m->gen;
	d->rows_seen = 10;
	snprintf(d->path, sizeof(d->path), "%s", current_target ? current_target : "");
	seek_target(d, current_target);
	note_cursor(d);
	dialog_open(dlg, &d_device_ops, d);
}
