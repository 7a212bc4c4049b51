/* One line of text: a mark, a name; and the command line at the foot of the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/xalloc.h"
#include "ui/complete.h"
#include "ui/dialog.h"
#include "ui/lineedit.h"

struct d_text {
	char title[64], prompt[256];
	char buf[1024];
	size_t pos;
	/* command line only */
	const struct cmd_history *history;
	size_t back; /* how far up in it; 0: the new line */
	const struct ui_state *st;
	struct completion found; /* shown above the line; n 0: nothing */
	size_t at;               /* the one that stands in the line; n: what they share */
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

static enum key_screen d_command_keys(const void *st)
{
	(void)st;
	return KEYS_COMMAND;
}

/* What is found stands above the line, from the one that is in it on. */
static void draw_found(const struct d_text *d, struct canvas *c, struct rect r)
{
	size_t first = d->at < d->found.n ? d->at : 0;
	int x = r.x + 1, end = r.x + r.w - 1;

	for (size_t i = first; i < d->found.n; i++) {
		const char *text = d->found.v[i];
		int w = canvas_width(text);

		if (x + w + (i + 1 < d->found.n ? 2 : 0) > end) {
			canvas_put(c, x, r.y, c->g->ellipsis, ROLE_TEXT, 0);
			return;
		}
		x = canvas_text(c, x, r.y, i == d->at ? ROLE_FOCUS : ROLE_KEY, 0, text) + 2;
	}
}

static void d_command_draw(void *st, struct canvas *c, struct rect r)
{
	const struct d_text *d = st;
	int y = r.y + r.h - 1;

	if (r.h > 1)
		draw_found(d, c, r);
	canvas_put(c, r.x, y, ':', ROLE_KEY, 0);
	lineedit_draw(d->buf, d->pos, c, r.x + 1, y, r.w - 1);
}

static int d_command_rows_above(const void *st)
{
	return ((const struct d_text *)st)->found.n > 1;
}

static void d_command_free(void *st)
{
	struct d_text *d = st;

	completion_fini(&d->found);
	free(d);
}

/* The word before the cursor becomes the first n bytes of text, and what `end` says. */
static void put_word(struct d_text *d, const char *text, size_t n, const char *end)
{
	char rest[sizeof(d->buf)];

	if (d->found.from + n + strlen(end) + strlen(d->buf + d->pos) >= sizeof(d->buf))
		return;
	snprintf(rest, sizeof(rest), "%s", d->buf + d->pos);
	snprintf(d->buf + d->found.from, sizeof(d->buf) - d->found.from, "%.*s%s%s", (int)n, text,
		 end, rest);
	d->pos = d->found.from + n + strlen(end);
}

/* A whole word goes on with a blank; a folder, an option, a limit with more of it. */
static const char *word_end(const char *text)
{
	size_t n = strlen(text);

	return n && strchr("/=<", text[n - 1]) ? "" : " ";
}

static void complete_first(struct d_text *d)
{
	char line[sizeof(d->buf)];
	size_t n;

	snprintf(line, sizeof(line), "%.*s", (int)d->pos, d->buf);
	complete_line(d->st, line, &d->found);
	n = completion_common(&d->found);
	d->at = d->found.n;
	if (d->found.n == 1)
		put_word(d, d->found.v[0], n, word_end(d->found.v[0]));
	else if (d->found.n)
		put_word(d, d->found.v[0], n, "");
	if (d->found.n < 2)
		completion_fini(&d->found);
}

/* Tab: what all have in common; again: one after the other. */
static void complete(struct d_text *d, bool back)
{
	const char *text;

	if (d->found.n == 0) {
		complete_first(d);
		return;
	}
	if (back)
		d->at = d->at == 0 || d->at >= d->found.n ? d->found.n - 1 : d->at - 1;
	else
		d->at = d->at + 1 >= d->found.n ? 0 : d->at + 1;
	text = d->found.v[d->at];
	put_word(d, text, strlen(text), "");
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

	if (req == REQ_COMPLETE || req == REQ_COMPLETE_BACK) {
		complete(d, req == REQ_COMPLETE_BACK);
		return;
	}
	completion_fini(&d->found);
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
	.rows_above = d_command_rows_above,
	.keys = d_command_keys,
	.title = d_text_title,
	.draw = d_command_draw,
	.key = d_command_key,
	.free = d_command_free,
};

void d_command_open(struct dialog *dlg, const struct cmd_history *history,
		    const struct ui_state *st)
{
	struct d_text *d = xcalloc(1, sizeof(*d));

	d->history = history;
	d->st = st;
	dialog_open(dlg, &d_command_ops, d);
}
