/* Profiles: the user's and the shipped ones, the text of the marked one beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/fsutil.h"
#include "src/base/xalloc.h"
#include "src/spec/profile.h"
#include "ui/dialog.h"

struct d_profile {
	struct profile_list list;
	struct list_pos pos;
	int rows_seen;
	int preview_of; /* row whose text is in preview, -1 none */
	struct strbuf preview;
	char why[300]; /* why Enter did nothing */
};

static enum key_screen d_profile_keys(const void *st)
{
	(void)st;
	return KEYS_PROFILE;
}

static const char *d_profile_title(const void *st)
{
	(void)st;
	return "Profiles";
}

static const struct profile_entry *selected(const struct d_profile *d)
{
	return (size_t)d->pos.at < d->list.n ? &d->list.v[d->pos.at] : NULL;
}

static void load_preview(struct d_profile *d)
{
	const struct profile_entry *p = selected(d);

	if (d->preview_of == d->pos.at)
		return;
	d->preview_of = d->pos.at;
	strbuf_reset(&d->preview);
	if (p && fs_read_all("", p->path, &d->preview) < 0)
		strbuf_puts(&d->preview, "cannot be read");
}

static void draw_list(const struct d_profile *d, struct canvas *c, struct rect r)
{
	char text[600];

	if (d->list.n == 0)
		canvas_label(c, r.x + 1, r.y, r.w - 1, ROLE_TEXT, 0, "none yet: w saves one");
	for (int i = 0; i < r.h && (size_t)(d->pos.top + i) < d->list.n; i++) {
		int row = d->pos.top + i;
		const struct profile_entry *p = &d->list.v[row];

		snprintf(text, sizeof(text), "%s %-18s %s", p->broken ? "!" : " ", p->name,
			 p->summary ? p->summary : "");
		list_row(c, r.x, r.y + i, r.w, row == d->pos.at, p->broken ? ROLE_WARN : ROLE_TEXT,
			 text);
	}
}

/* A tab of the file takes one column: a preview, not an editor. */
static void draw_preview(const struct d_profile *d, struct canvas *c, struct rect r)
{
	const char *s = strbuf_str(&d->preview);
	char line[256];

	for (int y = 0; y < r.h && *s; y++) {
		size_t n = strcspn(s, "\n");

		snprintf(line, sizeof(line), "%.*s", n > 255 ? 255 : (int)n, s);
		for (char *p = line; *p; p++)
			if (*p == '\t' || *p == '\r')
				*p = ' ';
		canvas_label(c, r.x, r.y + y, r.w, ROLE_TEXT, 0, line);
		s += n + (s[n] == '\n');
	}
}

static void d_profile_draw(void *st, struct canvas *c, struct rect r)
{
	struct d_profile *d = st;
	const struct profile_entry *p;
	int rows = r.h - 2, split = r.w * 11 / 20;

	d->rows_seen = rows;
	list_clamp(&d->pos, (int)d->list.n, rows);
	load_preview(d);
	p = selected(d);
	draw_list(d, c, (struct rect){r.x, r.y, split, rows});
	canvas_fill(c, (struct rect){r.x + split, r.y, 1, rows}, c->g->vline, ROLE_BORDER, 0);
	draw_preview(d, c, (struct rect){r.x + split + 2, r.y, r.w - split - 2, rows});
	if (d->why[0])
		canvas_label(c, r.x + 1, r.y + r.h - 2, r.w - 2, ROLE_WARN, 0, d->why);
	else if (p)
		canvas_label(c, r.x + 1, r.y + r.h - 2, r.w - 2, ROLE_TEXT, 0,
			     p->shipped ? "shipped with iodeck" : p->path);
	keys_footer(KEYS_PROFILE, c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
}

static void accept(struct d_profile *d, struct dialog_reply *reply)
{
	const struct profile_entry *p = selected(d);

	if (!p)
		return;
	if (p->broken) {
		snprintf(d->why, sizeof(d->why), "not loaded: %.280s",
			 p->summary ? p->summary : "broken");
		return;
	}
	reply->act = DIALOG_LOAD_PROFILE;
	snprintf(reply->text, sizeof(reply->text), "%s", p->path);
}

static void reload(struct d_profile *d)
{
	profile_list_fini(&d->list);
	d->list = (struct profile_list){0};
	profile_list_load(&d->list);
	d->preview_of = -1;
}

static void d_profile_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct d_profile *d = st;

	(void)key;
	d->why[0] = '\0';
	if (list_request(&d->pos, req, (int)d->list.n, d->rows_seen))
		return;
	if (req == REQ_CANCEL)
		reply->act = DIALOG_CLOSE;
	else if (req == REQ_ACCEPT)
		accept(d, reply);
	else if (req == REQ_SAVE)
		reply->act = DIALOG_SAVE_AS;
	else if (req == REQ_RESCAN)
		reload(d);
}

static void d_profile_free(void *st)
{
	struct d_profile *d = st;

	profile_list_fini(&d->list);
	strbuf_fini(&d->preview);
	free(d);
}

static const struct dialog_ops d_profile_ops = {
	.name = "profile",
	.w = 96,
	.h = 24,
	.min_w = 30,
	.min_h = 5,
	.keys = d_profile_keys,
	.title = d_profile_title,
	.draw = d_profile_draw,
	.key = d_profile_key,
	.free = d_profile_free,
};

void d_profile_open(struct dialog *dlg)
{
	struct d_profile *d = xcalloc(1, sizeof(*d));

	d->rows_seen = 10;
	reload(d);
	dialog_open(dlg, &d_profile_ops, d);
}
