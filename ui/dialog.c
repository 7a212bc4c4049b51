#include "ui/dialog.h"

#include <string.h>

void dialog_open(struct dialog *d, const struct dialog_ops *ops, void *st)
{
	dialog_close(d);
	d->ops = ops;
	d->st = st;
}

void dialog_close(struct dialog *d)
{
	if (d->ops)
		d->ops->free(d->st);
	*d = (struct dialog){0};
}

bool dialog_is_open(const struct dialog *d)
{
	return d->ops != NULL;
}

bool dialog_is_picker(const struct dialog *d)
{
	return d->ops->shows_devices;
}

enum key_screen dialog_keys(const struct dialog *d)
{
	return d->ops->keys(d->st);
}

void dialog_key(struct dialog *d, uint32_t key, struct dialog_reply *reply)
{
	enum request req = keys_lookup(d->ops->keys(d->st), key);

	reply->act = DIALOG_STAY;
	reply->text[0] = '\0';
	d->ops->key(d->st, req, key, reply);
}

static void draw_at_foot(const struct dialog *d, struct canvas *c)
{
	int above = d->ops->rows_above ? d->ops->rows_above(d->st) : 0;
	struct rect r = {0, c->h - 1 - above, c->w, 1 + above};

	if (r.y < 0)
		r = (struct rect){0, c->h - 1, c->w, 1};

	canvas_fill(c, r, ' ', ROLE_TEXT, 0);
	canvas_layer(c);
	d->ops->draw(d->st, c, r);
}

static struct rect dialog_frame(const struct dialog_ops *ops, const struct canvas *c)
{
	struct rect r = {0, 0, c->w, c->h};

	if (c->w < 60 || c->h < 16)
		return r;
	r.w = ops->w < c->w ? ops->w : c->w;
	r.h = ops->h < c->h - 2 ? ops->h : c->h - 2;
	r.x = (c->w - r.w) / 2;
	r.y = (c->h - r.h) / 2;
	return r;
}

void dialog_draw(const struct dialog *d, struct canvas *c)
{
	struct rect r = dialog_frame(d->ops, c), in = {r.x + 1, r.y + 1, r.w - 2, r.h - 2}, old;

	canvas_layer(c);
	if (d->ops->at_foot) {
		draw_at_foot(d, c);
		return;
	}
	canvas_fill(c, r, ' ', ROLE_TEXT, 0);
	canvas_layer(c);
	canvas_box(c, r, ROLE_BORDER, d->ops->title(d->st));
	old = canvas_clip(c, in);
	if (in.w >= d->ops->min_w && in.h >= d->ops->min_h)
		d->ops->draw(d->st, c, in);
	else
		canvas_label(c, in.x, in.y, in.w, ROLE_WARN, 0, "too small; Esc closes");
	canvas_unclip(c, old);
}

void list_clamp(struct list_pos *p, int n, int rows)
{
	if (p->at >= n)
		p->at = n - 1;
	if (p->at < 0)
		p->at = 0;
	if (rows < 1)
		rows = 1;
	if (p->top > p->at)
		p->top = p->at;
	if (p->at - p->top >= rows)
		p->top = p->at - rows + 1;
	if (p->top > n - rows)
		p->top = n - rows;
	if (p->top < 0)
		p->top = 0;
}

bool list_request(struct list_pos *p, enum request req, int n, int rows)
{
	int page = rows > 1 ? rows - 1 : 1;

	switch (req) {
	case REQ_UP:
		p->at--;
		break;
	case REQ_DOWN:
		p->at++;
		break;
	case REQ_PAGE_UP:
		p->at -= page;
		break;
	case REQ_PAGE_DOWN:
		p->at += page;
		break;
	case REQ_TOP:
		p->at = 0;
		break;
	case REQ_BOTTOM:
		p->at = n - 1;
		break;
	default:
		return false;
	}
	list_clamp(p, n, rows);
	return true;
}

void list_row(struct canvas *c, int x, int y, int w, bool selected, enum role role,
	      const char *text)
{
	int used = canvas_width(text);

	if (selected)
		role = ROLE_FOCUS;
	canvas_label(c, x, y, w, role, 0, text);
	if (used < w)
		canvas_fill(c, (struct rect){x + used, y, w - used, 1}, ' ', role, 0);
}
