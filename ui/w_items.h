/*
 * A row of short facts, most wanted first: as many as fit are drawn, whole ones only, so that no value
 * is ever cut. Also the headings of panes, which are rules that carry such a row.
 */
#ifndef IODECK_UI_W_ITEMS_H
#define IODECK_UI_W_ITEMS_H

#include "ui/canvas.h"

#define ITEMS_MAX 12

struct items {
	int n;
	struct {
		enum role role;
		unsigned attr;
		char text[96];
	} v[ITEMS_MAX];
};

void items_add(struct items *, enum role, unsigned attr, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Frames a second; slow: fewer than asked for, because the terminal does not take more. */
void items_add_rate(struct items *, unsigned fps, bool slow);
/* From x, two blanks between; stops at the first that does not fit in w. The column after the last. */
int w_items(struct canvas *, int x, int y, int w, const struct items *);
/* Columns that all of them take. */
int items_width(const struct items *);
/* "-- title  fact  fact ------". tee_x: the column where a divider meets the rule from above, -1 none. */
void w_heading(struct canvas *, struct rect row, int tee_x, const struct items *);

/*
 * Numbers as the console prints them, unknown ones as the canvas's own sign for it. They fill and
 * return out, NUM_SIZE bytes.
 */
#define NUM_SIZE 32
const char *show_count(const struct canvas *, char *out, double n);
const char *show_ns(const struct canvas *, char *out, double ns);
const char *show_bps(const struct canvas *, char *out, double bytes_per_s, bool si);
const char *show_pct(const struct canvas *, char *out, double pct);

#endif
