/* The grid as plain text and as text with SGR colours. */
#include <string.h>

#include "ui/canvas.h"
#include "ui/utf8.h"

static void cell_add(const struct cell *cell, struct strbuf *out)
{
	char u[4];

	strbuf_add(out, u, utf8_encode(cell->ch ? cell->ch : ' ', u));
}

static bool cell_blank(const struct cell *cell)
{
	return cell->ch == 0 || cell->ch == ' ';
}

void canvas_dump_text(const struct canvas *c, struct strbuf *out)
{
	for (int y = 0; y < c->h; y++) {
		const struct cell *row = &c->cells[y * c->w];
		int end = c->w;

		while (end > 0 && cell_blank(&row[end - 1]))
			end--;
		for (int x = 0; x < end; x++)
			cell_add(&row[x], out);
		strbuf_putc(out, '\n');
	}
}

static struct theme_style cell_style(const struct cell *cell, enum theme_depth depth)
{
	struct theme_style s = theme_style(cell->role, depth);

	s.attr |= cell->attr;
	return s;
}

/* ECMA-48 SGR; 90..97 and 38;5;n are xterm's. Begins with 0, so it does not depend on what was set. */
static void sgr_add(struct theme_style s, struct strbuf *out)
{
	strbuf_puts(out, "\033[0");
	if (s.attr & ATTR_BOLD)
		strbuf_puts(out, ";1");
	if (s.attr & ATTR_UNDERLINE)
		strbuf_puts(out, ";4");
	if (s.attr & ATTR_REVERSE)
		strbuf_puts(out, ";7");
	if (s.fg >= 16)
		strbuf_addf(out, ";38;5;%d", s.fg);
	else if (s.fg >= 0)
		strbuf_addf(out, ";%d", s.fg < 8 ? 30 + s.fg : 90 + s.fg - 8);
	strbuf_putc(out, 'm');
}

static bool cell_invisible(const struct cell *cell, enum theme_depth depth)
{
	unsigned seen = ATTR_REVERSE | ATTR_UNDERLINE;

	return cell_blank(cell) && !(cell_style(cell, depth).attr & seen);
}

static void ansi_row(const struct cell *row, int w, enum theme_depth depth, struct strbuf *out)
{
	const struct theme_style plain = {-1, 0};
	struct theme_style now = plain;

	while (w > 0 && cell_invisible(&row[w - 1], depth))
		w--;
	for (int x = 0; x < w; x++) {
		struct theme_style s =
			cell_invisible(&row[x], depth) ? plain : cell_style(&row[x], depth);

		if (s.fg != now.fg || s.attr != now.attr)
			sgr_add(s, out);
		now = s;
		cell_add(&row[x], out);
	}
	if (now.fg != plain.fg || now.attr != plain.attr)
		sgr_add(plain, out);
	strbuf_putc(out, '\n');
}

void canvas_dump_ansi(const struct canvas *c, enum theme_depth depth, struct strbuf *out)
{
	for (int y = 0; y < c->h; y++)
		ansi_row(&c->cells[y * c->w], c->w, depth, out);
}
