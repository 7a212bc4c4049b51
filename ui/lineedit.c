#include "ui/lineedit.h"

#include <string.h>

#include "ui/utf8.h"

static bool is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t before(const char *s, size_t pos)
{
	while (pos > 0 && is_tail(s[--pos]))
		;
	return pos;
}

static size_t after(const char *s, size_t pos)
{
	if (s[pos])
		pos++;
	while (is_tail(s[pos]))
		pos++;
	return pos;
}

static void cut(const struct lineedit *l, size_t from, size_t to)
{
	memmove(l->buf + from, l->buf + to, strlen(l->buf + to) + 1);
	*l->pos = from;
}

static void insert(const struct lineedit *l, uint32_t cp)
{
	char bytes[4];
	size_t n = utf8_encode(cp, bytes), len = strlen(l->buf);

	if (len + n + 1 > l->size)
		return;
	memmove(l->buf + *l->pos + n, l->buf + *l->pos, len - *l->pos + 1);
	memcpy(l->buf + *l->pos, bytes, n);
	*l->pos += n;
}

bool lineedit_key(const struct lineedit *l, enum request req, uint32_t key)
{
	switch (req) {
	case REQ_NONE:
		if (key < 0x20 || key == 0x7f || key >= 0x110000)
			return false;
		insert(l, key);
		return true;
	case REQ_LEFT:
		*l->pos = before(l->buf, *l->pos);
		return true;
	case REQ_RIGHT:
		*l->pos = after(l->buf, *l->pos);
		return true;
	case REQ_TOP:
		*l->pos = 0;
		return true;
	case REQ_BOTTOM:
		*l->pos = strlen(l->buf);
		return true;
	case REQ_ERASE:
		cut(l, before(l->buf, *l->pos), *l->pos);
		return true;
	case REQ_DELETE:
		cut(l, *l->pos, after(l->buf, *l->pos));
		return true;
	default:
		return false;
	}
}

void lineedit_draw(const char *text, size_t pos, struct canvas *c, int x, int y, int w)
{
	size_t from = 0;
	int at = x;
	struct rect old;

	if (w < 1)
		return;
	/* Scrolled until the cursor is within the last column. */
	for (int cols = 0;; from = after(text, from)) {
		cols = 0;
		for (size_t p = from; p < pos; p = after(text, p))
			cols++;
		if (cols < w) {
			at += cols;
			break;
		}
	}
	old = canvas_clip(c, (struct rect){x, y, w, 1});
	canvas_text(c, x, y, ROLE_TEXT, ATTR_UNDERLINE, text + from);
	canvas_unclip(c, old);
	c->cur_x = at;
	c->cur_y = y;
}
