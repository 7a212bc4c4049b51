/* "A run is on": stop and report, stop and forget, or stay. */
#include <stdlib.h>

#include "src/base/xalloc.h"
#include "ui/dialog.h"

static const struct {
	const char *text;
	enum dialog_act act;
} choices[] = {
	{"s  stop the run and print its report", DIALOG_QUIT_SAVE},
	{"d  stop the run and discard its result", DIALOG_QUIT_DISCARD},
	{"k  keep running", DIALOG_CLOSE},
};
#define CHOICES ((int)(sizeof(choices) / sizeof(choices[0])))

struct d_quit {
	struct list_pos pos;
};

static enum key_screen d_quit_keys(const void *st)
{
	(void)st;
	return KEYS_QUIT;
}

static const char *d_quit_title(const void *st)
{
	(void)st;
	return "A run is on";
}

static void d_quit_draw(void *st, struct canvas *c, struct rect r)
{
	struct d_quit *d = st;

	for (int i = 0; i < CHOICES; i++)
		list_row(c, r.x + 1, r.y + 1 + i, r.w - 2, i == d->pos.at, ROLE_TEXT,
			 choices[i].text);
	keys_footer(KEYS_QUIT, c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
}

static void d_quit_key(void *st, enum request req, uint32_t key, struct dialog_reply *reply)
{
	struct d_quit *d = st;

	(void)key;
	if (list_request(&d->pos, req, CHOICES, CHOICES))
		return;
	if (req == REQ_CANCEL)
		reply->act = DIALOG_CLOSE;
	else if (req == REQ_QUIT_SAVE)
		reply->act = DIALOG_QUIT_SAVE;
	else if (req == REQ_QUIT_DISCARD)
		reply->act = DIALOG_QUIT_DISCARD;
	else if (req == REQ_ACCEPT)
		reply->act = choices[d->pos.at].act;
}

static const struct dialog_ops d_quit_ops = {
	.name = "quit",
	.w = 50,
	.h = 8,
	.min_w = 20,
	.min_h = 6,
	.keys = d_quit_keys,
	.title = d_quit_title,
	.draw = d_quit_draw,
	.key = d_quit_key,
	.free = free,
};

void d_quit_open(struct dialog *d)
{
	dialog_open(d, &d_quit_ops, xcalloc(1, sizeof(struct d_quit)));
}
