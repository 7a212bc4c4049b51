/*
 * The cell grid between screens and the terminal. Views draw into it; back ends (curses, text, ANSI,
 * SVG) read it. Everything is clipped: drawing outside is a no-op. One thread.
 *
 * In test builds (canvas->owned) each cell may be written once per frame by a view; a second write
 * aborts. canvas_layer() starts a new layer (a dialog) that may cover what is below. A dialog that
 * blanks its ground before it writes on it calls canvas_layer() once more in between.
 *
 * Text from outside is safe: bytes that are not UTF-8, control characters and signs that are not one
 * column wide show as '?'. A canvas with the ASCII glyphs holds ASCII only, whatever is drawn.
 */
#ifndef IODECK_UI_CANVAS_H
#define IODECK_UI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/strbuf.h"
#include "ui/theme.h"

struct cell {
	uint32_t ch;   /* Unicode code point, one column wide; 0 reads as a blank */
	uint8_t role;  /* enum role */
	uint8_t attr;  /* enum cell_attr, beside the role's own */
	uint8_t layer; /* which layer wrote it last; 0: nobody this frame */
};

struct rect {
	int x, y, w, h;
};

/* Glyph sets: one name per meaning, two forms. */
struct glyphs {
	bool ascii;
	uint32_t hline, vline, corner_tl, corner_tr, corner_bl, corner_br, tee_l, tee_r, tee_t,
		tee_b;
	uint32_t axis_tick;   /* "┤" or "+" */
	uint32_t block[9];    /* blank and eighths 1..8; ASCII: blank . . : : : # # # */
	uint32_t heat[7];     /* the ramp of a heat map, least first */
	uint32_t hatch;       /* a full cell of what is in no statistics */
	uint32_t block_write; /* full cell of the write series without colour */
	uint32_t bar;         /* a thin horizontal line: "━" or "=" */
	uint32_t bar_half;    /* "╸" or "=" */
	uint32_t mark, stall; /* "▲" "!" */
	uint32_t limit;       /* where a limit stands on an axis: "┊" or ":" */
	uint32_t over;        /* a value above the axis: "↑" or "^" */
	uint32_t ok, bad;     /* "✓" "✗" / "+" "x" */
	uint32_t bullet;      /* "●" or "*" */
	uint32_t ellipsis;    /* "…" or "~" */
	uint32_t arrow;       /* "→" or ">" */
	const char *micro;    /* "µ" or "u" */
	const char *none;     /* "—" or "-" */
	const char *times;    /* "×" or "x" */
};
extern const struct glyphs glyphs_utf8, glyphs_ascii;

struct canvas {
	int w, h;
	struct cell *cells; /* w * h, row by row */
	const struct glyphs *g;
	struct rect clip; /* drawing is limited to it */
	uint8_t layer;
	bool owned;       /* abort on a second write within a layer */
	int cur_x, cur_y; /* where the terminal cursor belongs; -1: hidden */
};

void canvas_init(struct canvas *, int w, int h, const struct glyphs *);
void canvas_fini(struct canvas *);
void canvas_resize(struct canvas *, int w, int h); /* contents lost */
void canvas_clear(struct canvas *);                /* begins a frame */
void canvas_layer(struct canvas *);                /* begins a dialog over it */
/* Narrows the clip to r (absolute coordinates); returns the old one for canvas_unclip. */
struct rect canvas_clip(struct canvas *, struct rect r);
void canvas_unclip(struct canvas *, struct rect old);

void canvas_put(struct canvas *, int x, int y, uint32_t ch, enum role, unsigned attr);
/* UTF-8 text; returns the column after it. Cut at the clip. */
int canvas_text(struct canvas *, int x, int y, enum role, unsigned attr, const char *utf8);
int canvas_textf(struct canvas *, int x, int y, enum role, unsigned attr, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
/*
 * Text within w columns, right-aligned, for values: what does not fit in w or in the clip is not drawn
 * at all, because a number that lost a digit is a wrong number.
 */
void canvas_value(struct canvas *, int x, int y, int w, enum role, unsigned attr, const char *utf8);
/* Text within w columns, left-aligned; cut with the ellipsis when it does not fit (names). */
void canvas_label(struct canvas *, int x, int y, int w, enum role, unsigned attr, const char *utf8);
void canvas_fill(struct canvas *, struct rect, uint32_t ch, enum role, unsigned attr);
/* A frame around r with the title in its upper edge. */
void canvas_box(struct canvas *, struct rect r, enum role, const char *title);
/* Columns that a UTF-8 text takes (all our glyphs are one wide). */
int canvas_width(const char *utf8);

/* Exports: plain text (trailing blanks cut), ANSI with colours, SVG with one element per run. */
void canvas_dump_text(const struct canvas *, struct strbuf *);
void canvas_dump_ansi(const struct canvas *, enum theme_depth, struct strbuf *);
void canvas_dump_svg(const struct canvas *, enum theme_depth, struct strbuf *);

#endif
