/*
 * The grid as SVG. Lines and blocks are drawn as rectangles, so they join in any font; text is one
 * element per run at its exact cell, stretched to its columns where the viewer knows textLength.
 */
#include "ui/canvas.h"
#include "ui/utf8.h"

enum {
	CELL_W = 10,
	CELL_H = 20,
	BASELINE = 15,
	MARGIN = 10,
	LIGHT = 1,
	HEAVY = 5, /* "━" carries a value and must not look like a frame */
};
#define SVG_BG 0x12161b
#define SVG_FG 0xd3d7cf
/* DejaVu Sans Mono advances 1233/2048 em: this size makes a column 10 wide without textLength. */
#define FONT_SIZE "16.61"

enum arm { ARM_L = 1, ARM_R = 2, ARM_U = 4, ARM_D = 8 };

/* Which edges of its cell a line glyph reaches. */
static const struct {
	uint16_t cp;
	uint8_t arms, weight;
} line_glyphs[] = {
	{0x2500, ARM_L | ARM_R, LIGHT},
	{0x2501, ARM_L | ARM_R, HEAVY},
	{0x2502, ARM_U | ARM_D, LIGHT},
	{0x250c, ARM_R | ARM_D, LIGHT},
	{0x2510, ARM_L | ARM_D, LIGHT},
	{0x2514, ARM_R | ARM_U, LIGHT},
	{0x2518, ARM_L | ARM_U, LIGHT},
	{0x251c, ARM_R | ARM_U | ARM_D, LIGHT},
	{0x2524, ARM_L | ARM_U | ARM_D, LIGHT},
	{0x252c, ARM_L | ARM_R | ARM_D, LIGHT},
	{0x2534, ARM_L | ARM_R | ARM_U, LIGHT},
	{0x253c, ARM_L | ARM_R | ARM_U | ARM_D, LIGHT},
	{0x2578, ARM_L, HEAVY},
	{0x257a, ARM_R, HEAVY},
};

struct look {
	uint32_t ink, paper;
	bool reverse, bold, underline;
};

/* The usual values of xterm-256: 16 names, the 6x6x6 cube, 24 greys. */
static uint32_t palette_rgb(int n)
{
	static const uint32_t named[16] = {
		0x000000, 0xcc4444, 0x4e9a06, 0xc4a000, 0x3465a4, 0xad7fa8, 0x06989a, 0xd3d7cf,
		0x555753, 0xef6b6b, 0x8ae234, 0xfce94f, 0x729fcf, 0xd0a0d0, 0x34e2e2, 0xeeeeec,
	};
	static const uint32_t step[6] = {0, 95, 135, 175, 215, 255};

	if (n < 0)
		return SVG_FG;
	if (n < 16)
		return named[n];
	if (n < 232) {
		n -= 16;
		return step[n / 36] << 16 | step[n / 6 % 6] << 8 | step[n % 6];
	}
	return (uint32_t)(8 + 10 * (n - 232)) * 0x010101u;
}

static struct look cell_look(const struct cell *cell, enum theme_depth depth)
{
	struct theme_style s = theme_style(cell->role, depth);
	unsigned attr = s.attr | cell->attr;
	uint32_t fg = palette_rgb(s.fg);
	bool reverse = attr & ATTR_REVERSE;

	return (struct look){
		.ink = reverse ? SVG_BG : fg,
		.paper = reverse ? fg : SVG_BG,
		.reverse = reverse,
		.bold = attr & ATTR_BOLD,
		.underline = attr & ATTR_UNDERLINE,
	};
}

static bool look_same(struct look a, struct look b)
{
	return a.ink == b.ink && a.paper == b.paper && a.bold == b.bold &&
	       a.underline == b.underline;
}

static void rect_add(struct strbuf *out, double x, double y, double w, double h, uint32_t rgb,
		     double opacity)
{
	strbuf_addf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"", x, y,
		    w, h, rgb);
	if (opacity < 1)
		strbuf_addf(out, " fill-opacity=\"%g\"", opacity);
	strbuf_puts(out, "/>\n");
}

static bool is_eighth(uint32_t cp)
{
	return cp >= 0x2581 && cp <= 0x2588;
}

static bool is_shade(uint32_t cp)
{
	return cp >= 0x2591 && cp <= 0x2593;
}

/* n equal line glyphs side by side. */
static void arms_add(struct strbuf *out, unsigned arms, int t, int x, int y, int n, uint32_t rgb)
{
	double mid_x = x + (CELL_W - t) / 2, mid_y = y + (CELL_H - t) / 2;
	double left = arms & ARM_L ? x : mid_x, right = arms & ARM_R ? x + CELL_W : mid_x + t;
	double up = arms & ARM_U ? y : mid_y, down = arms & ARM_D ? y + CELL_H : mid_y + t;
	bool both = (arms & ARM_L) && (arms & ARM_R);

	if (both)
		rect_add(out, x, mid_y, n * CELL_W, t, rgb, 1);
	for (int i = 0; i < n; i++) {
		if (!both && (arms & (ARM_L | ARM_R)))
			rect_add(out, left + i * CELL_W, mid_y, right - left, t, rgb, 1);
		if (arms & (ARM_U | ARM_D))
			rect_add(out, mid_x + i * CELL_W, up, t, down - up, rgb, 1);
	}
}

/* The row of line_glyphs, or -1. */
static int line_find(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(line_glyphs) / sizeof(line_glyphs[0]); i++)
		if (line_glyphs[i].cp == cp)
			return (int)i;
	return -1;
}

static bool has_shape(uint32_t cp)
{
	return is_eighth(cp) || is_shade(cp) || line_find(cp) >= 0;
}

/* n cells of a glyph that has_shape(), side by side. */
static void shape_add(struct strbuf *out, uint32_t cp, int x, int y, int n, uint32_t rgb)
{
	int line = line_find(cp);
	double h;

	if (line >= 0) {
		arms_add(out, line_glyphs[line].arms, line_glyphs[line].weight, x, y, n, rgb);
	} else if (is_shade(cp)) {
		rect_add(out, x, y, n * CELL_W, CELL_H, rgb, (cp - 0x2590) / 4.0);
	} else {
		h = CELL_H * (cp - 0x2580) / 8.0;
		rect_add(out, x, y + CELL_H - h, n * CELL_W, h, rgb, 1);
	}
}

static void char_add(struct strbuf *out, uint32_t cp)
{
	char u[4];

	switch (cp) {
	case '&':
		strbuf_puts(out, "&amp;");
		break;
	case '<':
		strbuf_puts(out, "&lt;");
		break;
	case '>':
		strbuf_puts(out, "&gt;");
		break;
	default:
		strbuf_add(out, u, utf8_encode(cp ? cp : ' ', u));
	}
}

static void text_add(struct strbuf *out, const struct cell *cells, int n, int x, int y,
		     struct look look)
{
	strbuf_addf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"", x, y + BASELINE, n * CELL_W);
	if (look.ink != SVG_FG)
		strbuf_addf(out, " fill=\"#%06x\"", look.ink);
	if (look.bold)
		strbuf_puts(out, " font-weight=\"bold\"");
	strbuf_putc(out, '>');
	for (int i = 0; i < n; i++)
		char_add(out, cells[i].ch);
	strbuf_puts(out, "</text>\n");
}

static bool cell_blank(const struct cell *cell)
{
	return cell->ch == 0 || cell->ch == ' ';
}

/* The run from cells[0]: equal shapes, or text up to the next shape or wide gap. Returns its length. */
static int piece_len(const struct cell *cells, int n)
{
	int len = 1;

	if (has_shape(cells[0].ch)) {
		while (len < n && cells[len].ch == cells[0].ch)
			len++;
		return len;
	}
	while (len < n && !has_shape(cells[len].ch) &&
	       !(cell_blank(&cells[len]) && cell_blank(&cells[len - 1])))
		len++;
	return len;
}

/* Cells of one look: the ground they stand on, then what stands on it. */
static void run_add(struct strbuf *out, const struct cell *cells, int n, int x, int y,
		    struct look look)
{
	if (look.reverse)
		rect_add(out, x, y, n * CELL_W, CELL_H, look.paper, 1);
	if (look.underline)
		rect_add(out, x, y + CELL_H - 2, n * CELL_W, 1, look.ink, 1);
	for (int i = 0, len; i < n; i += len) {
		const struct cell *at = &cells[i];

		len = 1;
		if (cell_blank(at))
			continue;
		len = piece_len(at, n - i);
		if (has_shape(at->ch))
			shape_add(out, at->ch, x + i * CELL_W, y, len, look.ink);
		else
			text_add(out, at, cell_blank(&at[len - 1]) ? len - 1 : len, x + i * CELL_W,
				 y, look);
	}
}

static void row_add(struct strbuf *out, const struct cell *row, int w, int y,
		    enum theme_depth depth)
{
	for (int x = 0, end; x < w; x = end) {
		struct look look = cell_look(&row[x], depth);

		end = x + 1;
		while (end < w && look_same(look, cell_look(&row[end], depth)))
			end++;
		run_add(out, &row[x], end - x, MARGIN + x * CELL_W, y, look);
	}
}

void canvas_dump_svg(const struct canvas *c, enum theme_depth depth, struct strbuf *out)
{
	int w = c->w * CELL_W + 2 * MARGIN, h = c->h * CELL_H + 2 * MARGIN;

	strbuf_addf(out,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		    "viewBox=\"0 0 %d %d\" font-family=\"'DejaVu Sans Mono', 'Liberation Mono', "
		    "Menlo, Consolas, monospace\" font-size=\"" FONT_SIZE "\" fill=\"#%06x\" "
		    "shape-rendering=\"crispEdges\" xml:space=\"preserve\">\n",
		    w, h, w, h, SVG_FG);
	rect_add(out, 0, 0, w, h, SVG_BG, 1);
	for (int y = 0; y < c->h; y++)
		row_add(out, &c->cells[y * c->w], c->w, MARGIN + y * CELL_H, depth);
	strbuf_puts(out, "</svg>\n");
}
