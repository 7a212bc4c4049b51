/* One line of text: a mark, a name; and the command line at the foot of the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "ui/dialog.h"
#include "ui/lineedit.h"

struct d_text {
	char title[64], prompt[256];
	char buf[1024];
	size_t pos;
	const struct cmd_history *history; /* command line only */
	size_t back;                       /* how far up in it; 0: the new line */
};

static enum key_screen d_text_keys(const void *st)
{
	(void)st;
	return KEYS_TEXT;
}

static const char *d_text_title(const void *st)
{
	return ((const struct d_text *)st)->title;
}

static void d_text_draw(void *st, struct canvas *c, struct rect r)
{
	const struct d_text *d = st;

	canvas_label(c, r.x + 1, r.y, r.w - 2, ROLE_TEXT, 0, d->prompt);
	lineedit_draw(d->buf, d->pos, c, r.x + 1, r.y + 1, r.w - 2);
	keys_footer(KEYS_TEXT, c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
}

static void d_text_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct d_text *d = st;
	struct lineedit line = {d->buf, sizeof(d->buf), &d->pos};

	if (lineedit_key(&line, req, key))
		return;
	if (req == REQ_CANCEL) {
		reply->act = DIALOG_CLOSE;
	} else if (req == REQ_ACCEPT) {
		reply->act = DIALOG_TEXT;
		snprintf(reply->text, sizeof(reply->text), "%s", d->buf);
	}
}

static const struct dialog_ops d_text_ops = {
	.name = "text",
	.w = 64,
	.h = 5,
	.min_w = 10,
	.min_h = 3,
	.keys = d_text_keys,
	.title = d_text_title,
	.draw = d_text_draw,
	.key = d_text_key,
	.free = free,
};

void d_text_open(struct dialog *dlg, const char *title, const char *prompt, const char *preset)
{
	struct d_text *d = xcalloc(1, sizeof(*d));

	snprintf(d->title, sizeof(d->title), "%s", title);
	snprintf(d->prompt, sizeof(d->prompt), "%s", prompt);
	snprintf(d->buf, sizeof(d->buf), "%s", preset);
	d->pos = strlen(d->buf);
	dialog_open(dlg, &d_text_ops, d);
}

static void d_command_draw(void *st, struct canvas *c, struct rect r)
{
	const struct d_text *d = st;

	canvas_put(c, r.x, r.y, ':', ROLE_KEY, 0);
	lineedit_draw(d->buf, d->pos, c, r.x + 1, r.y, r.w - 1);
}

/* Up: an earlier command; down: a later one, at the end an empty line. */
static void history_move(struct d_text *d, enum request req)
{
	size_t n = d->history->n;

	if (req == REQ_UP && d->back < n)
		d->back++;
	else if (req == REQ_DOWN && d->back > 0)
		d->back--;
	else
		return;
	snprintf(d->buf, sizeof(d->buf), "%s", d->back ? d->history->v[n - d->back] : "");
	d->pos = strlen(d->buf);
}

static void d_command_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct d_text *d = st;

	/* As in an editor: erasing the colon leaves. */
	if (req == REQ_ERASE && d->buf[0] == '\0')
		reply->act = DIALOG_CLOSE;
	else if (req == REQ_UP || req == REQ_DOWN)
		history_move(d, req);
	else
		d_text_key(st, req, key, reply);
}

static const struct dialog_ops d_command_ops = {
	.name = "command",
	.at_foot = true,
	.keys = d_text_keys,
	.title = d_text_title,
	.draw = d_command_draw,
	.key = d_command_key,
	.free = free,
};

void d_command_open(struct dialog *dlg, const struct cmd_history *history)
{
	struct d_text *d = xcalloc(1, sizeof(*d));

	d->history = history;
	dialog_open(dlg, &d_command_ops, d);
}
